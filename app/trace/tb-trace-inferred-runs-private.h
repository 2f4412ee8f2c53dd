/* tb-trace-inferred-runs-private.h: runs of threads to which the recording has no switch, inferred
 * from switches out of a thread that was not known to run, and begun at its first event there
 * (sample, wake-up, …)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-input-private.h"

G_BEGIN_DECLS

/* A thread that is found to run on a CPU: from an event that it caused there, or at the latest from
 * its switch out. */
typedef struct
{
  /* it was switched in after this time, when a switch to another thread was recorded */
  gint64 since;
  guint32 thread;
  guint16 cpu;
  /* This is before the first switch of the CPU. The start of the run is unknown, which
   * contradicts nothing. */
  gboolean first;
} TbInferredRun;

typedef struct
{
  guint n;
  TbInferredRun *of; /* ascending in time */
  gint64 *time;
} TbInferredRuns;

/* switch_order: order of the switches, NULL: row order. */
void tb_inferred_runs_init (TbInferredRuns *self,
                            const TbTraceInput *input,
                            guint n_cpus,
                            const guint32 *switch_order,
                            gsize n_switches);
void tb_inferred_runs_clear (TbInferredRuns *self);

G_END_DECLS
