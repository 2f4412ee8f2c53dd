/* tb-threads-summation.c: time in each state, switches and waits, by what ended them, of each
 * selected thread and of each program that it was, summed up from the intervals in the range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-threads-samples.h"
#include "tb-threads-summary.h"
#include "trace/tb-trace-roles.h"

#define ROWS_BETWEEN_CHECKS 65536

static void
thread_summary_free (TbThreadSummary *self)
{
  g_array_unref (self->wakers);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self);
}

/* Finds the entry of a cause. In most cases it is the same as the last time. */
static TbWaker *
find_waker (GArray *wakers, GHashTable *known, TbCauseKind kind, guint32 cause)
{
  gint64 key = (gint64) kind << 32 | cause;
  TbWaker waker = { .kind = kind, .cause = cause };
  gpointer found;

  if (wakers->len > 0)
    {
      TbWaker *last = &g_array_index (wakers, TbWaker, wakers->len - 1);

      if (last->kind == kind && last->cause == cause)
        return last;
    }
  if (g_hash_table_lookup_extended (known, &key, NULL, &found))
    return &g_array_index (wakers, TbWaker, GPOINTER_TO_UINT (found));
  g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (wakers->len));
  g_array_append_val (wakers, waker);
  return &g_array_index (wakers, TbWaker, wakers->len - 1);
}

static int
compare_wakers (gconstpointer a, gconstpointer b)
{
  const TbWaker *left = a, *right = b;

  if (left->wait_ns != right->wait_ns)
    return left->wait_ns > right->wait_ns ? -1 : 1;
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  return left->cause < right->cause ? -1 : left->cause > right->cause;
}

static void
add_wait (TbThreadsSummary *self, TbThreadSummary *thread, GHashTable *known, gsize row, gint64 ns)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  TbWaker *waker;

  thread->waits++;
  if (tb_threads_is_disk (self->trace, row))
    thread->disk_ns += ns;
  if (intervals->cause_kind[row] == TB_CAUSE_NONE)
    {
      if (intervals->flags[row] & TB_INTERVAL_OPEN_END)
        thread->open_ns += ns;
      return;
    }
  row = tb_threads_summary_get_awaited_row (self, row);
  waker = find_waker (thread->wakers, known, intervals->cause_kind[row], intervals->cause[row]);
  waker->count++;
  waker->wait_ns += ns;
  waker->longest_ns = MAX (waker->longest_ns, ns);
}

/* The first interval of a thread that ends after a time. */
static gsize
find_row (const TbIntervals *intervals, gsize first, gsize n, gint64 time)
{
  gsize low = first, high = first + n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (intervals->end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Sums up a thread in a part of the range. NULL: it did not live then. */
static TbThreadSummary *
sum_up (TbThreadsSummary *self, guint32 id, gint64 from, gint64 to)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  g_autoptr (GHashTable) known = NULL;
  TbThreadSummary *thread;
  gsize first, n, row;

  tb_trace_get_thread_intervals (self->trace, id, &first, &n);
  row = find_row (intervals, first, n, from);
  if (row == first + n || intervals->start[row] >= to)
    return NULL;

  thread = g_new0 (TbThreadSummary, 1);
  thread->thread = id;
  thread->program = TB_ID_NONE;
  thread->first_row = row;
  thread->first = MAX (intervals->start[row], from);
  thread->wakers = g_array_new (FALSE, FALSE, sizeof (TbWaker));
  known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (; row < first + n && intervals->start[row] < to && tb_threads_should_continue (row); row++)
    {
      gint64 ns = MIN (intervals->end[row], to) - MAX (intervals->start[row], from);

      thread->ns[intervals->state[row]] += ns;
      if (intervals->state[row] == TB_STATE_UNKNOWN
          && (intervals->flags[row] & TB_INTERVAL_UNCERTAIN) != 0)
        thread->missing_ns += ns;
      if (intervals->flags[row] & TB_INTERVAL_UNKNOWN_SLEEP)
        thread->unknown_sleep_ns += ns;
      thread->last = MIN (intervals->end[row], to);
      if (intervals->state[row] >= TB_STATE_INTERRUPTIBLE)
        add_wait (self, thread, known, row, ns);
      else if (intervals->state[row] == TB_STATE_RUNNING && intervals->end[row] <= to
               && !(intervals->flags[row] & TB_INTERVAL_OPEN_END)
               && (row + 1 == first + n || intervals->state[row + 1] != TB_STATE_RUNNING))
        thread->switches++;
    }
  thread->n_rows = row - thread->first_row;
  /* Where every switch was recorded, a thread without any did not run. */
  thread->is_known = self->evidence->switches == TB_SWITCHES_SYSTEM
                     || thread->ns[TB_STATE_UNKNOWN] < thread->last - thread->first;
  g_array_sort (thread->wakers, compare_wakers);
  return thread;
}

/* Divides a thread that was several programs. A run ends at an exec; a wait of which the end was
 * lost counts for each of them, like one at the border of the range. */
static void
find_parts (TbThreadsSummary *self, TbThreadSummary *thread)
{
  g_autoptr (GPtrArray) parts
      = g_ptr_array_new_with_free_func ((GDestroyNotify) thread_summary_free);
  guint n;
  guint32 first = tb_programs_list (self->programs, thread->thread, &n);

  for (guint i = 0; i < n && !tb_threads_is_cancelled (); i++)
    {
      const TbProgram *program = tb_programs_get (self->programs, first + i);
      gint64 from = MAX (program->from, thread->first), to = MIN (program->to, thread->last);
      TbThreadSummary *part = from < to ? sum_up (self, thread->thread, from, to) : NULL;

      if (part == NULL)
        continue;
      part->program = first + i;
      part->begin = program->from;
      g_ptr_array_add (parts, part);
    }
  if (parts->len > 1)
    thread->parts = g_steal_pointer (&parts);
}

static void
add_rows (TbThreadsSummary *self, TbThreadSummary *thread)
{
  for (guint i = 0; thread->parts != NULL && i < thread->parts->len; i++)
    g_ptr_array_add (self->rows, g_ptr_array_index (thread->parts, i));
  if (thread->parts == NULL)
    g_ptr_array_add (self->rows, thread);
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TbThreadSummary *left = *(TbThreadSummary *const *) a,
                        *right = *(TbThreadSummary *const *) b;

  if (left->ns[TB_STATE_RUNNING] != right->ns[TB_STATE_RUNNING])
    return left->ns[TB_STATE_RUNNING] > right->ns[TB_STATE_RUNNING] ? -1 : 1;
  if (left->n_samples != right->n_samples)
    return left->n_samples > right->n_samples ? -1 : 1;
  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->program < right->program ? -1 : left->program > right->program;
}

/* Sums up the running time of the recorder's threads, which are in no scope. */
static void
add_recorder (TbThreadsSummary *self, TbSelection *selection, guint32 id)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  gsize first, n;

  if (tb_selection_is_of_threads (selection)
      || (tb_trace_get_thread_roles (self->trace, id) & TB_THREAD_ROLE_RECORDER) == 0)
    return;
  self->n_recorder++;
  tb_trace_get_thread_intervals (self->trace, id, &first, &n);
  for (gsize row = find_row (intervals, first, n, self->from);
       row < first + n && intervals->start[row] < self->to; row++)
    if (intervals->state[row] == TB_STATE_RUNNING)
      self->recorder_ns
          += MIN (intervals->end[row], self->to) - MAX (intervals->start[row], self->from);
}

/* selection: only its threads count; NULL: all. */
TbThreadsSummary *
tb_threads_summary_new (TbTrace *trace,
                        TbSelection *selection,
                        gint64 from,
                        gint64 to,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (TbThreadsSummary) self = g_new0 (TbThreadsSummary, 1);
  gsize since_check = 0;

  self->trace = g_object_ref (trace);
  self->evidence = tb_trace_get_evidence (trace);
  self->from = from;
  self->to = to;
  self->threads = g_ptr_array_new_with_free_func ((GDestroyNotify) thread_summary_free);
  self->rows = g_ptr_array_new ();
  self->loops = tb_poll_loops_new (trace, TB_POLL_RUN, cancellable);
  self->programs = tb_programs_new (trace, error);
  if (self->programs == NULL)
    return NULL;
  tb_session_get_threads (tb_trace_get_session (trace), &self->n_ids);
  self->by_id = g_new0 (TbThreadSummary *, MAX (self->n_ids, 1));
  for (guint32 id = 1; id < self->n_ids; id++)
    {
      TbThreadSummary *thread;

      if (selection != NULL && !tb_selection_has_thread (selection, id))
        {
          add_recorder (self, selection, id);
          continue;
        }
      thread = sum_up (self, id, from, to);
      if (thread == NULL)
        continue;
      find_parts (self, thread);
      add_rows (self, thread);
      self->by_id[id] = thread;
      self->n_known += thread->is_known;
      g_ptr_array_add (self->threads, thread);
      since_check += thread->n_rows;
      if (since_check > ROWS_BETWEEN_CHECKS)
        {
          since_check = 0;
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
        }
    }
  if (!tb_threads_samples_count (self, error))
    return NULL;
  g_ptr_array_sort (self->threads, compare_threads);
  g_ptr_array_sort (self->rows, compare_threads);
  for (guint i = 0; i < self->rows->len; i++)
    ((TbThreadSummary *) g_ptr_array_index (self->rows, i))->row = i;
  return g_steal_pointer (&self);
}
