/* tb-paths-lock-holders.c: the thread that had a lock when a wait for it timed out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread may find after its timeout that the lock was released at that moment, so that no other
 * thread ended its wait. Where all threads that use the lock wait for it but one, that one has it.
 */

#include "config.h"

#include "tb-paths-lock-waits.h"

/* Threads of a lock that are examined. */
#define MAX_THREADS 64

typedef struct
{
  guint32 lock;
  guint32 row;
} TimedWait;

typedef struct
{
  TbPathsModel *model;
  TbTrace *trace;
  TbPathsLockWaits *waits;
  GArray *timed;       /* TimedWait */
  GHashTable *threads; /* 1 + lock → GArray of its threads */
} Finder;

static void
finder_clear (Finder *self)
{
  g_clear_pointer (&self->waits, tb_paths_lock_waits_free);
  g_clear_pointer (&self->timed, g_array_unref);
  g_clear_pointer (&self->threads, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* Whether nothing but its timeout ended a wait, nor the poll loop that it belongs to. */
static gboolean
is_unanswered (const Finder *self, guint32 row)
{
  const TbIntervals *rows = self->model->rows;

  return rows->cause_kind[row] == TB_CAUSE_TIMER && rows->state[row] == TB_STATE_INTERRUPTIBLE
         && tb_paths_model_get_awaited_row (self->model, row) == row
         && tb_trace_get_wait_kind (self->trace, row) == TB_WAIT_LOCK
         && tb_trace_is_timed_out (self->trace, row);
}

static void
find_timed (Finder *self)
{
  for (gsize row = 0; row < self->model->rows->n; row++)
    {
      TimedWait wait = { TB_ID_NONE, (guint32) row };

      if (!is_unanswered (self, wait.row))
        continue;
      wait.lock = tb_paths_lock_waits_find (self->waits, row);
      if (wait.lock == TB_ID_NONE)
        continue;
      g_array_append_val (self->timed, wait);
      if (!g_hash_table_contains (self->threads, GUINT_TO_POINTER (wait.lock + 1)))
        g_hash_table_insert (self->threads, GUINT_TO_POINTER (wait.lock + 1),
                             g_array_new (FALSE, FALSE, sizeof (guint32)));
    }
}

/* The rows are in order of threads. */
static gboolean
find_threads (Finder *self, GCancellable *cancellable, GError **error)
{
  const TbIntervals *rows = self->model->rows;

  for (gsize row = 0; row < rows->n; row++)
    {
      GArray *of;

      if (row % TB_PATHS_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (rows->state[row] != TB_STATE_INTERRUPTIBLE)
        continue;
      of = g_hash_table_lookup (self->threads,
                                GUINT_TO_POINTER (tb_trace_get_lock (self->trace, row) + 1));
      if (of != NULL
          && (of->len == 0 || g_array_index (of, guint32, of->len - 1) != rows->thread[row]))
        g_array_append_val (of, rows->thread[row]);
    }
  return TRUE;
}

/* Whether a thread that does not sleep in a row only tries for the lock between two waits for
 * it. */
static gboolean
is_between_waits (const Finder *self, guint32 row, guint32 lock)
{
  const TbPathsModel *model = self->model;
  guint32 thread = model->rows->thread[row], first = row, last = row;
  gint64 ran = 0;

  while (first > model->first_row[thread] && model->rows->state[first] < TB_STATE_INTERRUPTIBLE)
    first--;
  while (last + 1 < model->first_row[thread + 1]
         && model->rows->state[last] < TB_STATE_INTERRUPTIBLE)
    last++;
  for (guint32 i = first; i <= last; i++)
    if (tb_paths_is_run (model, i))
      ran += model->rows->end[i] - model->rows->start[i];
  return ran < model->thresholds.poll_run && model->rows->cause_kind[first] == TB_CAUSE_TIMER
         && tb_trace_get_lock (self->trace, first) == lock
         && tb_trace_get_lock (self->trace, last) == lock;
}

/* The last time up to a time at which a thread runs that may have the lock; TB_TIME_NONE: it waits
 * for the lock, or for something else. */
static gint64
find_last_run (const Finder *self, guint32 thread, gint64 time, guint32 lock)
{
  const TbPathsModel *model = self->model;
  guint32 row = tb_paths_model_find_row (model, thread, time);

  if (row == TB_ID_NONE || model->rows->state[row] >= TB_STATE_INTERRUPTIBLE
      || is_between_waits (self, row, lock))
    return TB_TIME_NONE;
  for (;; row--)
    if (tb_paths_is_run (model, row))
      return MIN (time, model->rows->end[row]);
    else if (row == model->first_row[thread] || model->rows->state[row] != TB_STATE_RUNNABLE)
      return TB_TIME_NONE;
}

static void
set_holder (Finder *self, const TimedWait *wait)
{
  const TbIntervals *rows = self->model->rows;
  const GArray *threads = g_hash_table_lookup (self->threads, GUINT_TO_POINTER (wait->lock + 1));
  guint32 holder = TB_ID_NONE;
  gint64 ran = TB_TIME_NONE;

  for (guint i = 0; i < threads->len && threads->len <= MAX_THREADS; i++)
    {
      guint32 thread = g_array_index (threads, guint32, i);
      gint64 time = thread != rows->thread[wait->row]
                        ? find_last_run (self, thread, rows->end[wait->row], wait->lock)
                        : TB_TIME_NONE;

      if (time == TB_TIME_NONE)
        continue;
      if (holder != TB_ID_NONE)
        return;
      holder = thread;
      ran = time;
    }
  if (holder == TB_ID_NONE || ran <= rows->start[wait->row])
    return;
  self->model->origin[wait->row] = holder;
  self->model->origin_time[wait->row] = ran;
}

static void
make_origins (TbPathsModel *model)
{
  gsize n = MAX (model->rows->n, 1);

  if (model->origin != NULL)
    return;
  model->origin = g_new (guint32, n);
  model->origin_time = g_new0 (gint64, n);
  memset (model->origin, 0xff, sizeof *model->origin * n);
}

gboolean
tb_paths_model_find_holders (TbPathsModel *self,
                             TbTrace *trace,
                             GCancellable *cancellable,
                             GError **error)
{
  g_autofree guint8 *no_threads = g_new0 (guint8, MAX (self->n_threads, 1));
  g_auto (Finder) finder = { .model = self, .trace = trace };

  finder.waits = tb_paths_lock_waits_new (trace, tb_paths_model_get_lock_uses (self), no_threads);
  finder.timed = g_array_new (FALSE, FALSE, sizeof (TimedWait));
  finder.threads = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  find_timed (&finder);
  if (finder.timed->len == 0)
    return TRUE;
  if (!find_threads (&finder, cancellable, error))
    return FALSE;
  make_origins (self);
  for (guint i = 0; i < finder.timed->len; i++)
    set_holder (&finder, &g_array_index (finder.timed, TimedWait, i));
  return TRUE;
}
