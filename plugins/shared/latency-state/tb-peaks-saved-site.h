/* tb-peaks-saved-site.h: call sites in a saved drill-down, each as file and offset, offset in a
 * page, or line: match of two, one of a recording and one of a live search; sentences about
 * uncertain matches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* "libfoo.so+0x1234": offset in the file, one less than the return address, as in frames;
 * "page+0x234": only the offset of the return address in its page is known; "line 12": the call is
 * in an inlined function. Any other text is not a place. */
typedef struct
{
  const char *text;     /* NULL or "": not known */
  const char *build_id; /* build ID of the file, NULL or "": not known */
} TbPeaksSavedSite;

typedef enum
{
  TB_PEAKS_SITE_UNCERTAIN, /* one of the places is incomplete, or the file was rebuilt */
  TB_PEAKS_SITE_SAME,
  TB_PEAKS_SITE_DIFFERENT,
} TbPeaksSiteMatch;

TbPeaksSiteMatch tb_peaks_saved_match_sites (const TbPeaksSavedSite *one,
                                             const TbPeaksSavedSite *other);
/* The strings belong to the node. is_damaged: (out): the member is present but is not a place. */
TbPeaksSavedSite tb_peaks_saved_get_site (JsonObject *node, gboolean *is_damaged);
/* (transfer full) */
char *tb_peaks_saved_format_site (const char *path, guint64 offset);

/* Statistics of the matches of earlier calls. */
typedef struct
{
  guint n_by_name;   /* matched only by the name of the function, because a place is not known */
  guint n_ambiguous; /* several calls could match */
  guint n_elsewhere; /* root causes at a place where no call is known now */
  guint n_damaged;   /* have an invalid place */
} TbPeaksSavedMatches;

/* (transfer full) (nullable): NULL: there is nothing to report */
char *tb_peaks_saved_describe_matches (const TbPeaksSavedMatches *matches);

G_END_DECLS
