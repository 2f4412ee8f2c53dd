/* tb-wait-recorded-waits.c: waits of threads for threads, devices and other nodes, read from the
 * intervals of a trace; time of each thread in each state
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-wait-model.h"
#include "tb-wait-network.h"
#include "tb-wait-unknown-load.h"
#include "trace/tb-trace-sleep-polls.h"

#define STRIDE 65536

/* Nodes other than threads, by kind and id. */
typedef struct
{
  TbWaitModel *model;
  TbPollLoops *loops; /* of the model */
  GArray *held;       /* TbHeldSleep */
  guint next_held;
  GHashTable *known; /* kind << 32 | id → node */
  GBytes *wakers;
  const guint32 *waker_of_wakeup;
  gsize n_wakeups;
} Finder;

static void
finder_clear (Finder *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->held, g_array_unref);
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

/* The thread that has what a thread polls for by sleeping; TB_ID_NONE: none is known. Sleeps are
 * asked for in order of their rows. */
static guint32
find_holder (Finder *self, gsize row)
{
  const TbHeldSleep *sleeps = (const TbHeldSleep *) (gpointer) self->held->data;

  while (self->next_held < self->held->len && sleeps[self->next_held].row < row)
    self->next_held++;
  return self->next_held < self->held->len && sleeps[self->next_held].row == row
             ? sleeps[self->next_held].holder
             : TB_ID_NONE;
}

/* The node for which a thread slept; TB_ID_NONE: not known. All waits of a poll loop are for what
 * ended the last one. */
static guint32
find_waker (Finder *self, const TbIntervals *rows, gsize row)
{
  guint32 cause, holder;

  if (rows->cause_kind[row] == TB_CAUSE_TIMER)
    {
      holder = find_holder (self, row);
      if (holder < self->model->n_threads && holder != rows->thread[row])
        return holder;
      row = tb_poll_loops_get_last (self->loops, row);
    }
  cause = rows->cause[row];
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

/* Threads of the recorder are no part of the graph. */
static void
add_recorder_thread (TbWaitModel *model, const TbIntervals *rows, gsize row, gsize end)
{
  for (row = find_first (rows, row, end, model->from); row < end && rows->start[row] < model->to;
       row++)
    if (rows->state[row] == TB_STATE_RUNNING)
      model->recorder_running
          += MIN (rows->end[row], model->to) - MAX (rows->start[row], model->from);
}

/* Adds a sleep without a known end cause. */
static void
add_unmatched (TbWaitModel *model, TbWaitNode *node, const TbIntervals *rows, gsize row, gint64 ns)
{
  model->unmatched_waits++;
  model->unmatched_ns += ns;
  if (rows->flags[row] & TB_INTERVAL_OPEN_END)
    {
      model->open_waits++;
      model->open_ns += ns;
      return;
    }
  node->n_lost++;
  node->lost += ns;
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
      if (model->is_recorder != NULL && waker < model->n_threads && model->is_recorder[waker])
        continue;
      if (waker != TB_ID_NONE)
        {
          tb_waits_add (&model->waits, start, last, thread, waker, row);
          continue;
        }
      add_unmatched (model, tb_wait_model_get_node (model, thread), rows, row, last - start);
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

  *self = (Finder) { .model = model, .loops = model->loops };
  self->held = tb_trace_find_held_sleeps (model->trace, NULL);
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
                   const guint8 *is_recorder,
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
  self->is_recorder = g_memdup2 (is_recorder, is_recorder != NULL ? n_threads : 0);
  self->stray_wakeups = tb_trace_get_counts (trace)->stray_wakeups;
  self->loops = tb_poll_loops_new (trace, TB_POLL_RUN, cancellable);
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
      if (is_recorder != NULL && is_recorder[thread])
        add_recorder_thread (self, rows, first, first + n);
      else
        add_thread (&finder, rows, thread, first, first + n);
      n_done += n;
      if (n_done >= STRIDE && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n_done %= STRIDE;
    }
  tb_wait_model_reserve (self, self->waits.n);
  if (!tb_wait_resolve_local_peers (self, error) || !tb_wait_find_possible_load (self, error))
    return NULL;
  tb_wait_model_index_edges (self);
  return g_steal_pointer (&self);
}
