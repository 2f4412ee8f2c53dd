/* tb-wait-awaited-activity.c: activity of awaited threads during the waits of an edge: time
 * running, runnable, or waiting for other vertices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For threads that are one vertex and wait for one another, the graph shows only that. The activity
 * of the awaited thread shows what to examine: it works, wants a CPU, or waits for a disk.
 */

#include "config.h"

#include "tb-wait-awaited-activity.h"

/* A thread that is waited for, and when. */
typedef struct
{
  guint32 node;
  gint64 from;
  gint64 to;
  guint depth;
} Awaited;

/* Longest chain of threads of the vertex that wait for one another. */
#define DEPTH_MOST 64
/* Of more waits, only every nth is examined. */
#define WAITS_MOST 65536

/* A thread's rows and waits. */
typedef struct
{
  gboolean is_known;
  gsize first_row;
  gsize row;
  gsize end_row;
  gsize first_wait;
  gsize wait;
  gsize end_wait;
} Place;

typedef struct
{
  const TbWaitGraph *graph;
  guint32 vertex; /* awaited vertex */
  TbWaitAwaitedActivity *activity;
  gint64 *ns;   /* by vertex */
  GArray *open; /* Awaited */
  const TbIntervals *rows;
  Place *places; /* by node */
} Finder;

void
tb_wait_awaited_activity_free (TbWaitAwaitedActivity *self)
{
  g_array_unref (self->waits);
  g_free (self);
}

/* Moves the last position in a thread's rows or waits to a time, which is usually near. */
static void
move_to (const gint64 *ends, gsize first, gsize end, gint64 time, gsize *at)
{
  while (*at < end && ends[*at] <= time)
    ++*at;
  while (*at > first && ends[*at - 1] > time)
    --*at;
}

static void
add_states (Finder *self, Place *place, const Awaited *of)
{
  const TbIntervals *rows = self->rows;

  move_to (rows->end, place->first_row, place->end_row, of->from, &place->row);
  for (gsize row = place->row; row < place->end_row && rows->start[row] < of->to; row++)
    {
      gint64 ns = MIN (rows->end[row], of->to) - MAX (rows->start[row], of->from);

      if (rows->state[row] == TB_STATE_RUNNING)
        self->activity->running += ns;
      else if (rows->state[row] == TB_STATE_RUNNABLE)
        self->activity->runnable += ns;
    }
}

static gboolean
is_thread (const TbWaitModel *model, guint32 node)
{
  return tb_wait_model_get_node (model, node)->kind == TB_WAIT_NODE_THREAD;
}

/* Waits for threads of the same vertex are followed, those for other vertices are added. */
static void
add_or_follow_waits (Finder *self, Place *place, const Awaited *of)
{
  const TbWaitModel *model = self->graph->model;
  const TbWaits *waits = &model->waits;

  move_to (waits->end, place->first_wait, place->end_wait, of->from, &place->wait);
  for (gsize i = place->wait; i < place->end_wait && waits->start[i] < of->to; i++)
    {
      gint64 from = MAX (waits->start[i], of->from), to = MIN (waits->end[i], of->to);
      guint32 vertex = self->graph->vertex_of_node[waits->waker[i]];
      Awaited next = { waits->waker[i], from, to, of->depth + 1 };

      if (vertex == TB_ID_NONE || (vertex == self->vertex && !is_thread (model, next.node)))
        continue;
      if (vertex != self->vertex)
        self->ns[vertex] += to - from;
      else if (next.depth < DEPTH_MOST)
        g_array_append_val (self->open, next);
    }
}

/* The first wait of a waiter, or of one after it. */
static gsize
find_waiter (const TbWaits *waits, guint32 waiter)
{
  gsize low = 0, high = waits->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (waits->waiter[middle] < waiter)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static Place *
get_place (Finder *self, guint32 node)
{
  const TbWaitModel *model = self->graph->model;
  Place *place = &self->places[node];
  gsize n;

  if (place->is_known)
    return place;
  place->is_known = TRUE;
  tb_trace_get_thread_intervals (model->trace, tb_wait_model_get_node (model, node)->id,
                                 &place->first_row, &n);
  place->row = place->first_row;
  place->end_row = place->first_row + n;
  place->wait = place->first_wait = find_waiter (&model->waits, node);
  place->end_wait = find_waiter (&model->waits, node + 1);
  return place;
}

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const TbWaitAwaitedWait *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return left->vertex < right->vertex ? -1 : left->vertex > right->vertex;
}

static void
finish (Finder *self)
{
  TbWaitAwaitedActivity *activity = self->activity;
  gint64 known = activity->running + activity->runnable;

  for (guint32 i = 0; i < self->graph->vertices->len; i++)
    if (self->ns[i] > 0)
      {
        TbWaitAwaitedWait wait = { i, self->ns[i] };

        g_array_append_val (activity->waits, wait);
        known += wait.ns;
      }
  g_array_sort (activity->waits, compare_waits);
  activity->rest = activity->all - known;
}

TbWaitAwaitedActivity *
tb_wait_awaited_activity_new (const TbWaitGraph *graph, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (graph, arc);
  const TbWaits *waits = &graph->model->waits;
  g_autofree gint64 *ns = g_new0 (gint64, graph->vertices->len + 1);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Awaited));
  g_autofree Place *places = g_new0 (Place, graph->model->nodes->len + 1);
  Finder self
      = { graph, of->to, NULL, ns, open, tb_trace_get_intervals (graph->model->trace), places };
  gsize looked = 0;

  if (of->idle || tb_wait_graph_get_vertex (graph, of->to)->kind != TB_WAIT_NODE_THREAD)
    return NULL;
  self.activity = g_new0 (TbWaitAwaitedActivity, 1);
  self.activity->waits = g_array_new (FALSE, FALSE, sizeof (TbWaitAwaitedWait));
  for (gsize i = of->first; i < of->first + of->n && !tb_wait_is_cancelled (looked++);
       i += of->n / WAITS_MOST + 1)
    {
      gsize wait = graph->order[i];
      Awaited first = { waits->waker[wait], waits->start[wait], waits->end[wait], 0 };

      self.activity->all += first.to - first.from;
      g_array_append_val (open, first);
      while (open->len > 0)
        {
          Awaited next = g_array_index (open, Awaited, open->len - 1);
          Place *place;

          g_array_set_size (open, open->len - 1);
          place = get_place (&self, next.node);
          add_states (&self, place, &next);
          add_or_follow_waits (&self, place, &next);
        }
    }
  finish (&self);
  return self.activity;
}
