/* tb-peaks-saved-place.h: where a call is made, for a recording and a search while it runs to find it again in each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* "libfoo.so+0x1234": in its file, one less than where the call returns to, as frames have it; "page+0x234": all that is known is
 * where in its page it returns to; "line 12": in a function that was inlined. Anything else says nothing. */
typedef struct
{
  const char *text;     /* NULL or "": nobody knows */
  const char *build_id; /* of the file, NULL or "": likewise */
} TbPeaksSavedPlace;

typedef enum
{
  TB_PEAKS_PLACE_MAYBE, /* one of them says too little, or the file was built anew */
  TB_PEAKS_PLACE_SAME,
  TB_PEAKS_PLACE_OTHER,
} TbPeaksPlaceMatch;

TbPeaksPlaceMatch tb_peaks_saved_match_places (const TbPeaksSavedPlace *one, const TbPeaksSavedPlace *other);
/* Its strings are those of the node; is_damaged: (out): it is none, though it should be. */
TbPeaksSavedPlace tb_peaks_saved_get_place (JsonObject *node, gboolean *is_damaged);
/* (transfer full) */
char *tb_peaks_saved_say_place (const char *path, guint64 offset);

/* How calls of then were found again. */
typedef struct
{
  guint n_by_name;   /* by the name of the function alone, as a place is not known */
  guint n_ambiguous; /* could be any of several */
  guint n_elsewhere; /* made calls slow then, and are made where no call is known now */
  guint n_damaged;   /* have a place that is none */
} TbPeaksSavedMatches;

/* (transfer full) (nullable): NULL: there is nothing to be said. */
char *tb_peaks_saved_describe_matches (const TbPeaksSavedMatches *matches);

G_END_DECLS
