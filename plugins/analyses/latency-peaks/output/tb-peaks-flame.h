/* tb-peaks-flame.h: composition of the calls of peaks, as a flame graph with counters
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

/* Adds the flame graph, and a table of the counters on root-cause paths. */
void tb_peaks_add_tree (TbReport *report, const TbPeaksResult *self);

G_END_DECLS
