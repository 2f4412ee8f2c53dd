/* tb-trace-intervals-private.h: set-up of the state intervals of a trace from its columns: index of
 * the first row of each thread, with a check of the order of its rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Points the intervals to the columns of the trace, which have n rows. */
void tb_trace_set_intervals (TbTrace *self, gsize n);
/* Finds the first row of each thread, and checks that each thread's rows are in order, without gap
 * or overlap. FALSE also if cancelled. */
gboolean tb_trace_index_threads (TbTrace *self);

G_END_DECLS
