/* tb-wait-cpu-contention.h: CPU contention: which threads ran on the CPUs while threads of a vertex
 * were runnable, and how long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 thread;
  gint64 ns;
} TbWaitCpuHolder;

/* The runs of all threads by CPU and time; computed on first use. */
typedef struct _TbWaitCpuContention TbWaitCpuContention;

TbWaitCpuContention *tb_wait_cpu_contention_new (const TbWaitGraph *graph,
                                                 GCancellable *cancellable);
void tb_wait_cpu_contention_free (TbWaitCpuContention *self);
/* The threads that ran on the CPUs for which the threads of a vertex waited, longest first. Other
 * threads that were merged into the vertex count as well. The sweep only covers the time in which
 * an unusual number of threads wanted a CPU. A run is visited once for each change of that number
 * during the run. After cancellation the result is incomplete and must not be reported. (transfer
 * full) */
GArray *tb_wait_cpu_contention_find (TbWaitCpuContention *self, guint32 vertex);

G_END_DECLS
