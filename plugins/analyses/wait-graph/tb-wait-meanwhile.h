/* tb-wait-meanwhile.h: what those do who are waited for, while they are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 vertex;
  gint64 ns;
} TbWaitMeanwhileWait;

/* Over all waits of an edge, each by itself; of very many, over every so-manieth. all = running + runnable + Σ waits + rest. */
typedef struct
{
  gint64 all;
  gint64 running;
  gint64 runnable;
  gint64 rest; /* it is not known, or was not there yet */
  GArray *
      waits; /* TbWaitMeanwhileWait: for whom, the longest first; never for the vertex that is waited for itself */
} TbWaitMeanwhile;

/* What the thread does that ends a wait of the arc, while that is open. Where it waits itself for a thread of the same vertex, what
 * that one does counts, and so on. NULL: no thread is waited for. */
TbWaitMeanwhile *tb_wait_meanwhile_new (const TbWaitGraph *graph, guint32 arc);
void tb_wait_meanwhile_free (TbWaitMeanwhile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitMeanwhile, tb_wait_meanwhile_free)

G_END_DECLS
