/* tb-wait-model.c: waits of threads for threads, devices and other nodes, read from a trace into
 * columns, and the edges between nodes that sum them up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-model.h"

#include "tb-wait-network.h"

#include <string.h>

#define STRIDE 65536

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
  g_array_unref (self->nodes);
  tb_waits_clear (&self->waits);
  g_array_unref (self->edges);
  g_array_unref (self->groups);
  g_array_unref (self->opens);
  g_free (self->group_of_thread);
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

static inline void
add_wait (TbWaits *waits, gint64 start, gint64 end, guint32 waiter, guint32 waker, guint32 row)
{
  gsize i = waits->n++;

  waits->start[i] = start;
  waits->end[i] = end;
  waits->waiter[i] = waiter;
  waits->waker[i] = waker;
  waits->row[i] = row;
}

void
tb_wait_model_add (TbWaitModel *self,
                   gint64 start,
                   gint64 end,
                   guint32 waiter,
                   guint32 waker,
                   guint32 row)
{
  add_wait (&self->waits, start, end, waiter, waker, row);
}

/* --- from the intervals of a trace --- */

/* Nodes other than threads, by kind and id. */
typedef struct
{
  TbWaitModel *model;
  GHashTable *known; /* kind << 32 | id → node */
  GBytes *wakers;
  const guint32 *waker_of_wakeup;
  gsize n_wakeups;
} Finder;

static void
finder_clear (Finder *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->wakers, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

static guint32
find_node (Finder *self, TbWaitNodeKind kind, guint32 id)
{
  gint64 key = (gint64) kind << 32 | id;
  gpointer found;
  guint32 node;

  if (g_hash_table_lookup_extended (self->known, &key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  node = tb_wait_model_add_node (self->model, kind, id);
  g_hash_table_insert (self->known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (node));
  return node;
}

static guint32
find_interrupt (Finder *self, const TbIntervals *rows, gsize row)
{
  guint32 wakeup = rows->wakeup[row];

  if (rows->cause[row] == TB_STRING_NONE && wakeup < self->n_wakeups
      && self->waker_of_wakeup[wakeup] == TB_THREAD_IDLE)
    return find_node (self, TB_WAIT_NODE_IDLE, TB_ID_NONE);
  return find_node (self, TB_WAIT_NODE_INTERRUPT, rows->cause[row]);
}

/* The node for which a thread slept; TB_ID_NONE: not known. */
static guint32
find_waker (Finder *self, const TbIntervals *rows, gsize row)
{
  guint32 cause = rows->cause[row];

  switch ((TbCauseKind) rows->cause_kind[row])
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      return cause < self->model->n_threads ? cause : TB_ID_NONE;
    case TB_CAUSE_DEVICE:
      return find_node (self, TB_WAIT_NODE_DEVICE, cause);
    case TB_CAUSE_TIMER:
      return find_node (self, TB_WAIT_NODE_TIMER, TB_ID_NONE);
    case TB_CAUSE_INTERRUPT:
      return find_interrupt (self, rows, row);
    case TB_CAUSE_NETWORK:
      return find_node (self, TB_WAIT_NODE_NETWORK, cause);
    case TB_CAUSE_UNKNOWN:
      if (rows->kind[row] == TB_WAIT_BUSY)
        return find_node (self, TB_WAIT_NODE_BUSY, TB_ID_NONE);
      return rows->wakeup[row] != TB_ID_NONE ? find_node (self, TB_WAIT_NODE_UNKNOWN, TB_ID_NONE)
                                             : TB_ID_NONE;
    default:
      return TB_ID_NONE;
    }
}

/* Fast path for the common case that the waker is a thread. */
static inline guint32
get_waker (Finder *self, const TbIntervals *rows, gsize row)
{
  if (G_LIKELY (rows->cause_kind[row] == TB_CAUSE_THREAD
                && rows->cause[row] < self->model->n_threads))
    return rows->cause[row];
  return find_waker (self, rows, row);
}

static gsize
find_first (const TbIntervals *rows, gsize low, gsize high, gint64 time)
{
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (rows->end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
add_thread (Finder *self, const TbIntervals *rows, guint32 thread, gsize row, gsize end)
{
  TbWaitModel *model = self->model;
  gint64 ns[TB_N_STATES] = { 0 };
  TbWaitNode *node;
  gint64 first, last = model->from;

  row = find_first (rows, row, end, model->from);
  if (row == end || rows->start[row] >= model->to)
    return;
  first = MAX (rows->start[row], model->from);
  for (; row < end && rows->start[row] < model->to; row++)
    {
      gint64 start = MAX (rows->start[row], model->from);
      guint32 waker;

      last = MIN (rows->end[row], model->to);
      ns[rows->state[row]] += last - start;
      if (rows->state[row] < TB_STATE_INTERRUPTIBLE)
        continue;
      waker = get_waker (self, rows, row);
      if (waker != TB_ID_NONE)
        {
          add_wait (&model->waits, start, last, thread, waker, row);
          continue;
        }
      model->unmatched_waits++;
      model->unmatched_ns += last - start;
    }
  node = tb_wait_model_get_node (model, thread);
  node->first = first;
  node->last = last;
  node->running = ns[TB_STATE_RUNNING];
  node->runnable = ns[TB_STATE_RUNNABLE];
  node->waiting = ns[TB_STATE_INTERRUPTIBLE] + ns[TB_STATE_UNINTERRUPTIBLE] + ns[TB_STATE_STOPPED];
  node->unknown = ns[TB_STATE_UNKNOWN];
}

static gboolean
finder_init (Finder *self, TbWaitModel *model, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (model->trace), TB_TABLE_WAKEUP);

  *self = (Finder) { .model = model };
  self->known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->n_wakeups = tb_table_get_n_rows (table);
  if (self->n_wakeups == 0)
    return TRUE;
  self->wakers = tb_table_get_column (table, TB_WAKEUP_WAKER, error);
  if (self->wakers == NULL)
    return FALSE;
  self->waker_of_wakeup = g_bytes_get_data (self->wakers, NULL);
  return TRUE;
}

TbWaitModel *
tb_wait_model_new (TbTrace *trace,
                   gint64 from,
                   gint64 to,
                   GCancellable *cancellable,
                   GError **error)
{
  const TbIntervals *rows = tb_trace_get_intervals (trace);
  g_autoptr (TbWaitModel) self = NULL;
  g_auto (Finder) finder = { 0 };
  gsize n_sleeps = 0, n_done = 0;
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  self = tb_wait_model_new_empty (n_threads, from, to);
  self->trace = g_object_ref (trace);
  self->stray_wakeups = tb_trace_get_counts (trace)->stray_wakeups;
  self->programs = tb_programs_new (trace, error);
  if (self->programs == NULL || !finder_init (&finder, self, error))
    return NULL;
  for (gsize i = 0; i < rows->n; i++)
    {
      if (i % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n_sleeps += rows->state[i] >= TB_STATE_INTERRUPTIBLE;
    }
  tb_wait_model_reserve (self, n_sleeps);
  for (guint32 thread = 1; thread < n_threads; thread++)
    {
      gsize first, n;

      tb_trace_get_thread_intervals (trace, thread, &first, &n);
      add_thread (&finder, rows, thread, first, first + n);
      n_done += n;
      if (n_done >= STRIDE && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n_done %= STRIDE;
    }
  tb_wait_model_reserve (self, self->waits.n);
  if (!tb_wait_resolve_local_peers (self, error))
    return NULL;
  tb_wait_model_index_edges (self);
  return g_steal_pointer (&self);
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
