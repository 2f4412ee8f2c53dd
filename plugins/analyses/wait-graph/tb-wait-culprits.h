/* tb-wait-culprits.h: who had the cpu while others wanted it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 thread;
  gint64 ns;
} TbWaitCulprit;

/* What ran where, by cpu and time; found out when it is first asked for. */
typedef struct _TbWaitCulprits TbWaitCulprits;

TbWaitCulprits *tb_wait_culprits_new (const TbWaitGraph *graph, GCancellable *cancellable);
void tb_wait_culprits_free (TbWaitCulprits *self);
/* Who ran on the cpus that the threads of a vertex waited for, while they did, longest first; threads that were merged into
 * the vertex count among the others. One sweep over the time in which not as many of them as usual wanted a cpu: a run is
 * looked at once for each time that their number changes meanwhile. Only some of it once that is cancelled: then nothing of it may be told.
 * (transfer full) */
GArray *tb_wait_culprits_find (TbWaitCulprits *self, guint32 vertex);

G_END_DECLS
