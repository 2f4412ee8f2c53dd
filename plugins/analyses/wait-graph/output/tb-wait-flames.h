/* tb-wait-flames.h: two flame graphs for a wait-graph report, of waiters' and of wakers' call
 * stacks; in each, every edge of the graph is a root
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

typedef struct
{
  TbFigure *figures[2]; /* by TbWaitSide; NULL: no stack was recorded */
  char **items[2];      /* by side and arc: its root; NULL: none */
  guint32 n_arcs;
} TbWaitFlames;

TbWaitFlames *
tb_wait_flames_new (const TbWaitResult *result, GCancellable *cancellable, GError **error);
void tb_wait_flames_free (TbWaitFlames *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitFlames, tb_wait_flames_free)

G_END_DECLS
