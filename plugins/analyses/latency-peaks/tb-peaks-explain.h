/* tb-peaks-explain.h: what a slow call has more of than a fast one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 node;
  gint64 more_ns; /* than a call of the fastest peak, on average */
} TbPeakMore;

/* Most first, those that matter: (element-type TbPeakMore). Of the fastest peak, or where that was not looked into: none.
 * ns: (out): how much longer a call of the peak takes in all. */
GArray *tb_peaks_explain (const TbPeaksResult *result, guint peak, gint64 *ns);
/* (nullable): in words. */
char *tb_peaks_describe_more (const TbPeaksResult *result, guint peak);

G_END_DECLS
