/* tb-peaks-inferred-calls.h: calls of functions that were not probed, inferred from stacks (by
 * tb-contexts-inference.c), as a table; the duration below which most of a function's calls are
 * missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-tables.h"

G_BEGIN_DECLS

/* All functions on stacks, except probed ones, whose calls are recorded. A call is found if an
 * event with a stack occurs in it: the number of calls is a lower bound, and most calls that are
 * shorter than the time between two events are missing. */
gboolean tb_peaks_make_inferred (TbPeaksCalls *calls,
                                 TbPeaksTable *table,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
