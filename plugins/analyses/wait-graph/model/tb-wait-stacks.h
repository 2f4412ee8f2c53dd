/* tb-wait-stacks.h: call stacks of the waits of an edge, of the waiter or of the waker: that of
 * one wait, or a list of all with their summed times, the longest first, where stacks of the same
 * functions count as one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_WAITER,
  TB_WAIT_WAKER,
} TbWaitSide;

typedef struct
{
  guint32 stack; /* of the session: the first of those with the same functions */
  gint64 ns;     /* waiting time there, or waiting time that was ended from there */
  guint64 count;
} TbWaitStack;

typedef struct
{
  const TbWaitGraph *graph; /* not owned */
  const TbIntervals *rows;  /* of the trace */
  TbContextTree *tree;
  /* by node of the tree: 1 + the index of its sum while an edge is summed up, else 0 */
  guint32 *sum_of_context;
  GBytes *wakers; /* stacks of the wakeup table */
  const guint32 *stack_of_wakeup;
  gsize n_wakeups;
} TbWaitStacks;

TbWaitStacks *tb_wait_stacks_new (const TbWaitGraph *graph, GError **error);
void tb_wait_stacks_free (TbWaitStacks *self);
/* TB_STACK_NONE: not recorded. */
guint32 tb_wait_stacks_get (const TbWaitStacks *self, gsize wait, TbWaitSide side);
/* Sums over all waits of an edge, the longest first. Waits without a stack are left out. */
GArray *tb_wait_stacks_sum (const TbWaitStacks *self, guint32 arc, TbWaitSide side);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitStacks, tb_wait_stacks_free)

G_END_DECLS
