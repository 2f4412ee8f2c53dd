/* tb-peaks-probe-cost.h: cost of the probes of recorded functions in the calls around them, as far
 * as the recording has the cost of one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

/* Reads the cost of the probes of a call, and finds that in each call of a table of functions. */
void tb_peaks_find_probe_costs (TbPeaksTable *table, TbSession *session);

G_END_DECLS
