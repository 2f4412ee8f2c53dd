/* tb-wait-scope-load.c: when any thread of the target runs or wants a CPU, and what ends the times
 * in which all of them sleep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-scope-load.h"

#include "model/tb-wait-names.h"

/* A time in which a thread is busy. */
typedef struct
{
  gint64 from;
  gint64 to;
  guint32 row; /* its first interval */
} Busy;

static int
compare_busy (gconstpointer a, gconstpointer b)
{
  const Busy *left = a, *right = b;

  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static gboolean
is_busy (guint8 state)
{
  return state == TB_STATE_RUNNING || state == TB_STATE_RUNNABLE;
}

/* Successive intervals become one. */
static void
add_node (GArray *all, const TbWaitResult *result, const TbWaitNode *node)
{
  const TbIntervals *rows = tb_trace_get_intervals (result->trace);
  gsize first, n;

  tb_trace_get_thread_intervals (result->trace, node->id, &first, &n);
  for (gsize i = first; i < first + n && rows->start[i] < node->last; i++)
    {
      gsize begin = i;
      Busy busy;

      if (!is_busy (rows->state[i]))
        continue;
      while (i + 1 < first + n && is_busy (rows->state[i + 1])
             && rows->start[i + 1] == rows->end[i])
        i++;
      busy = (Busy) { MAX (rows->start[begin], node->first), MIN (rows->end[i], node->last),
                      (guint32) begin };
      if (busy.from < busy.to)
        g_array_append_val (all, busy);
    }
}

static GArray *
list_busy (const TbWaitResult *result)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Busy));

  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    {
      g_autoptr (GArray) nodes = NULL;

      if (result->targeted != NULL && !result->targeted[i])
        continue;
      nodes = tb_wait_vertex_list_thread_nodes (result->graph, i);
      for (guint j = 0; j < nodes->len && !tb_wait_is_cancelled (j); j++)
        {
          const TbWaitNode *node
              = tb_wait_model_get_node (result->model, g_array_index (nodes, guint32, j));

          if (result->targeted != NULL || !tb_trace_is_kernel_thread (result->trace, node->id))
            add_node (all, result, node);
        }
    }
  g_array_sort (all, compare_busy);
  return all;
}

/* Whether the user marked the edge of a sleep as a wait for new work. */
static gboolean
is_for_new_work (const TbWaitResult *result, gsize row)
{
  const TbIntervals *rows = tb_trace_get_intervals (result->trace);
  const TbWaitGraph *graph = result->graph;
  guint32 from = tb_wait_graph_find_vertex (graph, rows->thread[row], rows->start[row]);
  guint32 to
      = rows->cause_kind[row] == TB_CAUSE_THREAD && rows->cause[row] < graph->model->n_threads
            ? tb_wait_graph_find_vertex (graph, rows->cause[row], rows->end[row] - 1)
            : TB_ID_NONE;

  for (guint32 i = 0; to != TB_ID_NONE && i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

      if (arc->new_work && arc->from == from && arc->to == to)
        return TRUE;
    }
  return FALSE;
}

static TbWaitEnd
find_end (const TbWaitResult *result, gsize row, gboolean has_new_work)
{
  const TbIntervals *rows = tb_trace_get_intervals (result->trace);

  switch ((TbCauseKind) rows->cause_kind[row])
    {
    case TB_CAUSE_TIMER:
      return TB_WAIT_END_TIMER;
    case TB_CAUSE_DEVICE:
      return TB_WAIT_END_DEVICE;
    case TB_CAUSE_NETWORK:
      return TB_WAIT_END_REQUEST;
    case TB_CAUSE_NONE:
      return TB_WAIT_END_OTHER;
    default:
      break;
    }
  if (has_new_work && is_for_new_work (result, row))
    return TB_WAIT_END_REQUEST;
  switch (tb_trace_get_wait_kind (result->trace, row))
    {
    case TB_WAIT_PIPE:
    case TB_WAIT_SOCKET:
    case TB_WAIT_POLL:
      return TB_WAIT_END_REQUEST;
    default:
      return TB_WAIT_END_OTHER;
    }
}

/* The time before a thread becomes busy in which no other was. */
static void
add_sleep (TbWaitScopeLoad *self,
           const TbWaitResult *result,
           gint64 ns,
           const Busy *next,
           gboolean has_new_work)
{
  const TbIntervals *rows = tb_trace_get_intervals (result->trace);
  TbWaitEnd end = TB_WAIT_END_OTHER;

  if (next->row > 0 && rows->thread[next->row - 1] == rows->thread[next->row]
      && rows->state[next->row - 1] >= TB_STATE_INTERRUPTIBLE)
    end = find_end (result, next->row - 1, has_new_work);
  self->asleep[end] += ns;
}

void
tb_wait_scope_load_init (TbWaitScopeLoad *self, const TbWaitResult *result)
{
  g_autoptr (GArray) all = list_busy (result);
  gint64 until = result->first;
  gboolean has_new_work = FALSE;

  *self = (TbWaitScopeLoad) { .life = result->last - result->first };
  for (guint32 i = 0; i < result->graph->arcs->len && !has_new_work; i++)
    has_new_work = tb_wait_graph_get_arc (result->graph, i)->new_work;
  for (guint i = 0; i < all->len; i++)
    {
      const Busy *busy = &g_array_index (all, Busy, i);

      if (busy->from > until)
        add_sleep (self, result, busy->from - until, busy, has_new_work);
      self->busy += MAX (busy->to - MAX (busy->from, until), 0);
      until = MAX (until, busy->to);
    }
  self->asleep[TB_WAIT_END_OTHER] += MAX (result->last - until, 0);
}
