/* tb-peaks-excess.h: parts of a call, such as a wait, that take longer in the calls of a peak than
 * in the fastest ones, by their drill-down trees: as a list and as a sentence
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 node;
  gint64 excess_ns; /* additional time compared with a call of the fastest peak, on average */
} TbPeakExcess;

/* The significant parts, the largest first: (element-type TbPeakExcess). None for the fastest peak
 * itself, or if that was not examined. ns: (out): additional total time of a call of the peak. */
GArray *tb_peaks_explain (const TbPeaksResult *result, guint peak, gint64 *ns);
/* (nullable): as text */
char *tb_peaks_describe_excess (const TbPeaksResult *result, guint peak);

G_END_DECLS
