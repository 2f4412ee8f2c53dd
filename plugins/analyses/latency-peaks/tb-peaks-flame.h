/* tb-peaks-flame.h: what calls of peaks consist of, as a tree of boxes with its counters
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

/* And the counters of what lies on root-cause paths as a table. */
void tb_peaks_add_tree (TbReport *report, const TbPeaksResult *self);

G_END_DECLS
