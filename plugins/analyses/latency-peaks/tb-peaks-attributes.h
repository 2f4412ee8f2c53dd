/* tb-peaks-attributes.h: what is known of calls, and which of it sets those of a peak apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-apart.h"
#include "tb-peaks-calls.h"
#include "tb-peaks-find.h"

G_BEGIN_DECLS

typedef struct
{
  const char *variable; /* stable, for JSON */
  const char *label;    /* for people */
  char *value;          /* for people */
  TbPeakBond bond;
} TbPeakAttribute;

/* Of the calls of each peak that is asked for, those that tell most of being in it first: (element-type GArray(TbPeakAttribute)),
 * empty of the others. At most so many calls of a peak and of the others are looked at, evenly spread. */
#define TB_PEAKS_MAX_LOOKED_AT 20000
GPtrArray *tb_peaks_find_attributes (const TbPeaksCalls *calls,
                                     const TbPeaksOperation *operation,
                                     const GArray *rows,
                                     const GArray *ranges,
                                     const guint8 *asked,
                                     GError **error);

G_END_DECLS
