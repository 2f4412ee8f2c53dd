/* tb-peaks-flame.h: flame graph of what took the time of the calls of each peak, and a table of the
 * counters of contributors on root-cause paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

/* Adds the flame graph, and a table of the counters on root-cause paths. */
void tb_peaks_add_tree (TbReport *report, const TbPeaksResult *self);

G_END_DECLS
