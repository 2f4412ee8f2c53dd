/* tb-peaks-inferred.h: calls of functions, as far as stacks tell of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-calls.h"

G_BEGIN_DECLS

/* Every function on a stack but those that were probed, whose calls are known. A call is seen if an event with a stack
 * falls into it: their number is a lower bound, and of those shorter than the time between two events most are missing. */
gboolean
tb_peaks_make_inferred (TbPeaksCalls *calls, TbPeaksTable *table, GCancellable *cancellable, GError **error);

G_END_DECLS
