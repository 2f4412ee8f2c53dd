/* tb-trace-builder-private.h: computation of the state intervals of all threads, and of counts of
 * contradictions and gaps, from arrays of events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-input-private.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct
{
  gsize n;
  GBytes *columns[TB_INTERVAL_N_COLUMNS];
  TbTraceCounts counts;
} TbTraceOutput;

gboolean tb_trace_build (const TbTraceInput *input,
                         TbTraceOutput *output,
                         TbProgressFunc progress,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error);
void tb_trace_output_clear (TbTraceOutput *output);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbTraceOutput, tb_trace_output_clear)

G_END_DECLS
