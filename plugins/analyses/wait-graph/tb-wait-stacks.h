/* tb-wait-stacks.h: where waiters and wakers of an edge were
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_WAITER,
  TB_WAIT_WAKER,
} TbWaitSide;

typedef struct
{
  guint32 stack; /* of the session: the first met of those through the same functions */
  gint64 ns;     /* that was waited there, or until it was woken from there */
  guint64 count;
} TbWaitStack;

typedef struct
{
  const TbWaitGraph *graph; /* not owned */
  const TbIntervals *rows;  /* of the trace */
  TbContextTree *tree;
  guint32 *sum_of_context; /* by node of the tree: 1 + its sum's index while an edge is summed up, else 0 */
  GBytes *wakers;          /* the wakeup table's stacks */
  const guint32 *stack_of_wakeup;
  gsize n_wakeups;
} TbWaitStacks;

TbWaitStacks *tb_wait_stacks_new (const TbWaitGraph *graph, GError **error);
void tb_wait_stacks_free (TbWaitStacks *self);
/* TB_STACK_NONE where it was not recorded. */
guint32 tb_wait_stacks_get (const TbWaitStacks *self, gsize wait, TbWaitSide side);
/* Of all waits of an edge, those waited longest first; what has no stack is left out. */
GArray *tb_wait_stacks_sum (const TbWaitStacks *self, guint32 arc, TbWaitSide side);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitStacks, tb_wait_stacks_free)

G_END_DECLS
