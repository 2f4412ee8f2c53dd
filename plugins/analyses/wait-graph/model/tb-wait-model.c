/* tb-wait-model.c: nodes and columns of waits, to which waits are added (read from a trace by
 * tb-wait-recorded-waits.c); edges between nodes that sum them up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-model.h"

#include <string.h>

static void
group_clear (gpointer data)
{
  g_array_unref (((TbWaitGroup *) data)->members);
}

TbWaitModel *
tb_wait_model_new_empty (guint32 n_threads, gint64 from, gint64 to)
{
  TbWaitModel *self = g_new0 (TbWaitModel, 1);

  self->from = from;
  self->to = to;
  self->n_threads = n_threads;
  self->nodes = g_array_sized_new (FALSE, TRUE, sizeof (TbWaitNode), n_threads + 16);
  self->edges = g_array_new (FALSE, FALSE, sizeof (TbWaitEdge));
  self->parts = g_array_new (FALSE, FALSE, sizeof (TbWaitPart));
  self->groups = g_array_new (FALSE, FALSE, sizeof (TbWaitGroup));
  g_array_set_clear_func (self->groups, group_clear);
  self->opens = g_array_new (FALSE, FALSE, sizeof (TbWaitOpen));
  for (guint32 i = 0; i < n_threads; i++)
    tb_wait_model_add_node (self, TB_WAIT_NODE_THREAD, i);
  return self;
}

void
tb_waits_clear (TbWaits *waits)
{
  g_free (waits->start);
  g_free (waits->end);
  g_free (waits->waiter);
  g_free (waits->waker);
  g_free (waits->edge);
  g_free (waits->row);
  *waits = (TbWaits) { 0 };
}

void
tb_wait_model_free (TbWaitModel *self)
{
  g_clear_object (&self->trace);
  g_clear_pointer (&self->programs, tb_programs_free);
  g_clear_pointer (&self->loops, tb_poll_loops_free);
  g_array_unref (self->nodes);
  tb_waits_clear (&self->waits);
  g_array_unref (self->edges);
  g_array_unref (self->parts);
  g_free (self->part_of_thread);
  g_array_unref (self->groups);
  g_array_unref (self->opens);
  g_free (self->group_of_thread);
  g_free (self->is_recorder);
  g_free (self);
}

guint32
tb_wait_model_add_node (TbWaitModel *self, TbWaitNodeKind kind, guint32 id)
{
  TbWaitNode node = { .kind = kind, .id = id, .first = TB_TIME_NONE, .last = TB_TIME_NONE };

  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

void
tb_wait_model_reserve (TbWaitModel *self, gsize n)
{
  TbWaits *waits = &self->waits;

  n = MAX (n, 1);
  waits->start = g_renew (gint64, waits->start, n);
  waits->end = g_renew (gint64, waits->end, n);
  waits->waiter = g_renew (guint32, waits->waiter, n);
  waits->waker = g_renew (guint32, waits->waker, n);
  waits->edge = g_renew (guint32, waits->edge, n);
  waits->row = g_renew (guint32, waits->row, n);
}

void
tb_wait_model_add (TbWaitModel *self,
                   gint64 start,
                   gint64 end,
                   guint32 waiter,
                   guint32 waker,
                   guint32 row)
{
  tb_waits_add (&self->waits, start, end, waiter, waker, row);
}

/* --- edges --- */

void
tb_wait_model_index_edges (TbWaitModel *self)
{
  TbWaits *waits = &self->waits;
  /* By node: the edge that leads to it, valid if it is one of the current waiter. */
  g_autofree guint32 *edge_to = g_new (guint32, self->nodes->len + 1);
  guint32 waiter = TB_ID_NONE;
  guint32 first = 0;

  memset (edge_to, 0xff, sizeof *edge_to * (self->nodes->len + 1));
  g_array_set_size (self->edges, 0);
  for (gsize i = 0; i < waits->n; i++)
    {
      gint64 length = waits->end[i] - waits->start[i];
      guint32 edge = edge_to[waits->waker[i]];
      TbWaitEdge *of;

      if (waits->waiter[i] != waiter)
        {
          waiter = waits->waiter[i];
          first = self->edges->len;
        }
      if (edge == TB_ID_NONE || edge < first)
        {
          TbWaitEdge new_edge = { .from = waiter, .to = waits->waker[i], .longest = -1 };

          edge = edge_to[waits->waker[i]] = self->edges->len;
          g_array_append_val (self->edges, new_edge);
        }
      waits->edge[i] = edge;
      of = tb_wait_model_get_edge (self, edge);
      of->waits++;
      of->plain += length;
      if (length > of->longest)
        {
          of->longest = length;
          of->longest_wait = i;
        }
    }
}
