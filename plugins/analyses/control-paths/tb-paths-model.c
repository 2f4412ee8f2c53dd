/* tb-paths-model.c: input of the walk that builds pseudo-stacks (tb-paths-walk), read from the
 * trace: runs and sleeps of all threads, what ended each sleep (waker or creator), sleeps of a poll
 * loop merged
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "tb-paths-model.h"

/* How long (ns) a thread may still run after its exit is recorded. A large process frees its memory
 * in that time. */
#define MAX_EXIT_TIME G_GINT64_CONSTANT (1000000000)

const void *
tb_paths_model_get_column (TbPathsModel *self, TbTable *table, guint column, GError **error)
{
  GBytes *bytes = tb_table_get_column (table, column, error);

  if (bytes == NULL)
    return NULL;
  g_ptr_array_add (self->columns, bytes);
  /* An empty column has no data. That is not an error. */
  return g_bytes_get_size (bytes) > 0 ? g_bytes_get_data (bytes, NULL) : "";
}

static void
find_first_rows (TbPathsModel *self)
{
  const TbIntervals *rows = self->rows;

  self->first_row = g_new0 (guint32, (gsize) self->n_threads + 1);
  for (gsize i = 0; i < rows->n; i++)
    self->first_row[rows->thread[i] + 1] = i + 1;
  /* A thread without rows begins where the thread before it ends. */
  for (guint i = 1; i <= self->n_threads; i++)
    self->first_row[i] = MAX (self->first_row[i], self->first_row[i - 1]);
}

static gboolean
find_creators (TbPathsModel *self, TbTrace *trace, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_PROCESS);
  gsize n = tb_table_get_n_rows (table);
  const gint64 *time = tb_paths_model_get_column (self, table, TB_PROCESS_TIME, error);
  const guint8 *kind
      = time != NULL ? tb_paths_model_get_column (self, table, TB_PROCESS_KIND, error) : NULL;
  const guint32 *thread
      = kind != NULL ? tb_paths_model_get_column (self, table, TB_PROCESS_THREAD, error) : NULL;
  const guint32 *creator
      = thread != NULL ? tb_paths_model_get_column (self, table, TB_PROCESS_CREATOR, error) : NULL;

  if (creator == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (kind[i] == TB_PROCESS_FORK && thread[i] < self->n_threads
        && self->creator[thread[i]] == TB_ID_NONE && creator[i] < self->n_threads
        && creator[i] != thread[i])
      {
        self->creator[thread[i]] = creator[i];
        self->fork_time[thread[i]] = time[i];
      }
  return TRUE;
}

/* --- de facto starts --- */

/* The sleeps of a poll loop count as one (paper, "Recursive Stack Making"). Sleeps in between in
 * which the thread only waited for a CPU do not part them. */
static void
merge_loop (TbPathsModel *self, const TbPollLoop *loop)
{
  guint32 first = tb_paths_model_get_sleep_start (self, loop->first);

  for (guint32 row = loop->first; row <= loop->last; row++)
    if (!tb_paths_is_run (self, row))
      self->merged[tb_paths_model_get_sleep_start (self, row)] = first;
}

/* Takes ownership of the loops. */
static gboolean
merge_loops (TbPathsModel *self, TbPollLoops *loops, GCancellable *cancellable, GError **error)
{
  const TbPollLoop *list;
  guint n;

  self->loops = loops;
  for (gsize row = 0; row < self->rows->n; row++)
    self->merged[row] = row;
  list = tb_poll_loops_list (loops, &n);
  for (guint i = 0; i < n; i++)
    {
      if (i % TB_PATHS_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      merge_loop (self, &list[i]);
    }
  return TRUE;
}

/* Takes ownership of the loops. */
static TbPathsModel *
model_new (const TbIntervals *rows,
           guint n_threads,
           const TbPathsThresholds *thresholds,
           TbPollLoops *loops,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (TbPathsModel) self = g_new0 (TbPathsModel, 1);

  self->rows = rows;
  self->n_threads = n_threads;
  self->thresholds = *thresholds;
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->creator = g_new (guint32, MAX (n_threads, 1));
  self->fork_time = g_new0 (gint64, MAX (n_threads, 1));
  memset (self->creator, 0xff, sizeof (guint32) * n_threads);
  self->merged = g_new (guint32, MAX (rows->n, 1));
  find_first_rows (self);
  if (!merge_loops (self, loops, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

TbPathsModel *
tb_paths_model_new (TbTrace *trace,
                    const TbPathsThresholds *thresholds,
                    GCancellable *cancellable,
                    GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  TbTable *wakeups = tb_session_get_table (session, TB_TABLE_WAKEUP);
  g_autoptr (TbPathsModel) self = NULL;
  guint n_threads;

  tb_session_get_threads (session, &n_threads);
  self = model_new (tb_trace_get_intervals (trace), n_threads, thresholds,
                    tb_poll_loops_new (trace, thresholds->poll_run, cancellable), cancellable,
                    error);
  if (self == NULL)
    return NULL;
  self->trace = trace;
  self->n_wakeups = tb_table_get_n_rows (wakeups);
  self->wake_time = tb_paths_model_get_column (self, wakeups, TB_WAKEUP_TIME, error);
  if (self->wake_time == NULL)
    return NULL;
  self->wake_from = tb_paths_model_get_column (self, wakeups, TB_WAKEUP_WAKER, error);
  if (self->wake_from == NULL || !find_creators (self, trace, error)
      || !tb_paths_model_find_origins (self, trace, cancellable, error)
      || !tb_paths_model_find_holders (self, trace, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
tb_paths_model_is_kernel_thread (const TbPathsModel *self, guint32 thread)
{
  return self->trace != NULL && tb_trace_is_kernel_thread (self->trace, thread);
}

gboolean
tb_paths_model_waits_for_disk (const TbPathsModel *self, guint32 row)
{
  guint32 sleeping = tb_paths_find_sleeping_row (self, row);
  TbWaitKind kind;

  if (self->trace == NULL || sleeping == TB_ID_NONE)
    return FALSE;
  kind = tb_trace_get_wait_kind (self->trace, sleeping);
  return kind == TB_WAIT_BLOCK_IO || kind == TB_WAIT_PAGE_FAULT;
}

TbPathsModel *
tb_paths_model_new_from_rows (const TbIntervals *rows,
                              guint n_threads,
                              const gint64 *wake_time,
                              const guint32 *wake_from,
                              gsize n_wakeups,
                              const guint32 *creator,
                              const gint64 *fork_time,
                              const TbPathsThresholds *thresholds)
{
  TbPathsModel *self
      = model_new (rows, n_threads, thresholds,
                   tb_poll_loops_new_from_rows (rows, thresholds->poll_run), NULL, NULL);

  self->wake_time = wake_time;
  self->wake_from = wake_from;
  self->n_wakeups = n_wakeups;
  if (creator != NULL)
    {
      memcpy (self->creator, creator, sizeof (guint32) * n_threads);
      memcpy (self->fork_time, fork_time, sizeof (gint64) * n_threads);
    }
  return self;
}

void
tb_paths_model_free (TbPathsModel *self)
{
  g_free (self->first_row);
  g_free (self->creator);
  g_free (self->fork_time);
  g_free (self->merged);
  g_clear_pointer (&self->loops, tb_poll_loops_free);
  g_clear_pointer (&self->lock_uses, tb_lock_uses_free);
  g_free (self->origin);
  g_free (self->origin_time);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

TbLockUses *
tb_paths_model_get_lock_uses (TbPathsModel *self)
{
  if (self->lock_uses == NULL)
    self->lock_uses = tb_lock_uses_new (self->trace);
  return self->lock_uses;
}

guint32
tb_paths_model_find_row (const TbPathsModel *self, guint32 thread, gint64 time)
{
  guint32 begin, low, high;

  if (thread >= self->n_threads)
    return TB_ID_NONE;
  begin = low = self->first_row[thread];
  high = self->first_row[thread + 1];
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->rows->start[middle] <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low > begin && self->rows->end[low - 1] >= time ? low - 1 : TB_ID_NONE;
}

/* The row in which a thread ran at time. A row that begins exactly then is not it: the thread did
 * not run in it yet when it woke another one. A thread's exit is recorded before it has closed its
 * files and notified its parent, so it wakes other threads shortly after its last row. */
static guint32
find_run (const TbPathsModel *self, guint32 thread, gint64 time)
{
  guint32 row = tb_paths_model_find_row (self, thread, time);
  guint32 begin = self->first_row[thread], end = self->first_row[thread + 1];

  if (row == TB_ID_NONE && end > begin && self->rows->end[end - 1] < time
      && time - self->rows->end[end - 1] < MAX_EXIT_TIME)
    row = end - 1;
  if (row == TB_ID_NONE)
    return TB_ID_NONE;
  if (!tb_paths_is_run (self, row) && self->rows->start[row] == time && row > begin)
    row--;
  return tb_paths_is_run (self, row) ? row : TB_ID_NONE;
}

static void
set_thread (const TbPathsModel *self,
            TbPathsEnd *end,
            TbPathsEndKind kind,
            guint32 thread,
            gint64 time)
{
  end->kind = kind;
  end->thread = thread;
  end->time = time;
  end->run = find_run (self, thread, time);
}

void
tb_paths_model_get_end (const TbPathsModel *self, guint32 first, guint32 last, TbPathsEnd *end)
{
  const TbIntervals *rows = self->rows;
  guint32 thread = rows->thread[first];
  gboolean preempted = TRUE;

  if (tb_paths_is_gap (self, last))
    {
      *end = (TbPathsEnd) {
        .row = last, .thread = TB_ID_NONE, .run = TB_ID_NONE, .time = rows->end[last]
      };
      return;
    }
  *end = (TbPathsEnd) { .kind = TB_PATHS_END_NONE,
                        .row = last,
                        .thread = TB_ID_NONE,
                        .run = TB_ID_NONE,
                        .time = rows->end[last] };
  for (guint32 row = last + 1; row-- > first;)
    {
      if (rows->state[row] == TB_STATE_RUNNABLE)
        {
          preempted = preempted && (rows->flags[row] & TB_INTERVAL_PREEMPTED);
          continue;
        }
      preempted = FALSE;
      if (rows->cause_kind[row] == TB_CAUSE_NONE)
        continue;
      end->row = row;
      if (tb_paths_has_origin (self, row))
        set_thread (self, end, TB_PATHS_END_THREAD, self->origin[row], self->origin_time[row]);
      else if ((rows->cause_kind[row] == TB_CAUSE_THREAD
                || rows->cause_kind[row] == TB_CAUSE_SIGNAL)
               && rows->cause[row] < self->n_threads && rows->cause[row] != thread)
        set_thread (self, end, TB_PATHS_END_THREAD, rows->cause[row],
                    rows->wakeup[row] < self->n_wakeups ? self->wake_time[rows->wakeup[row]]
                                                        : rows->end[row]);
      else
        end->kind = TB_PATHS_END_OTHER;
      return;
    }
  if (preempted)
    end->kind = TB_PATHS_END_PREEMPTED;
  else if (first == self->first_row[thread] && self->creator[thread] != TB_ID_NONE)
    set_thread (self, end, TB_PATHS_END_FORK, self->creator[thread], self->fork_time[thread]);
}
