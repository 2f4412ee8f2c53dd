/* tb-peaks-probe-cost.h: cost of the probes of recorded functions in the calls around them: number of
 * probed calls in each call, and what the recording knows of the cost of one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

/* Counts the probed calls in each call of a table of functions, and reads the cost of one. */
void tb_peaks_count_inner (TbPeaksTable *table, TbSession *session);

G_END_DECLS
