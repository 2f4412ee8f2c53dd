/* tb-threads-summary.c: summary of the selected threads in a range: time in each state, causes that
 * ended waits, parts by program, samples; also as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-threads-programs.h"
#include "tb-threads-samples.h"
#include "tb-threads-summary.h"

#define ROWS_BETWEEN_CHECKS 65536

static void
thread_summary_free (TbThreadSummary *self)
{
  g_array_unref (self->wakers);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self);
}

gboolean
tb_threads_summary_has_wait_ends (const TbThreadsSummary *self)
{
  return tb_evidence_answers (self->evidence, TB_QUESTION_CPU_WAITS);
}

gint64
tb_thread_summary_get_waiting (const TbThreadSummary *self)
{
  return self->ns[TB_STATE_INTERRUPTIBLE] + self->ns[TB_STATE_UNINTERRUPTIBLE]
         + self->ns[TB_STATE_STOPPED];
}

gint64
tb_thread_summary_get_life (const TbThreadSummary *self)
{
  return self->last - self->first;
}

static gboolean
is_block_device (TbTrace *trace, guint32 device)
{
  guint n_devices;
  const TbDevice *devices = tb_session_get_devices (tb_trace_get_session (trace), &n_devices);

  return device >= n_devices || !g_str_has_prefix (devices[device].kind, "net");
}

/* Whether a wait was for a disk. */
gboolean
tb_threads_is_disk (TbTrace *trace, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);

  if (intervals->state[interval] < TB_STATE_INTERRUPTIBLE)
    return FALSE;
  if (intervals->cause_kind[interval] == TB_CAUSE_DEVICE)
    return is_block_device (trace, intervals->cause[interval]);
  return tb_trace_get_wait_kind (trace, interval) == TB_WAIT_BLOCK_IO;
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
  self->programs = tb_programs_new (trace, error);
  if (self->programs == NULL)
    return NULL;
  tb_session_get_threads (tb_trace_get_session (trace), &self->n_ids);
  self->by_id = g_new0 (TbThreadSummary *, MAX (self->n_ids, 1));
  for (guint32 id = 1; id < self->n_ids; id++)
    {
      TbThreadSummary *thread;

      if (selection != NULL && !tb_selection_has_thread (selection, id))
        continue;
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

void
tb_threads_summary_free (TbThreadsSummary *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->threads, g_ptr_array_unref);
  g_clear_pointer (&self->programs, tb_programs_free);
  g_clear_pointer (&self->by_id, g_free);
  g_clear_object (&self->trace);
  g_free (self);
}

/* --- names --- */

/* The last name in the range. */
const char *
tb_threads_summary_get_thread_name (TbThreadsSummary *self, guint32 thread)
{
  return tb_trace_get_thread_name_at (self->trace, thread, self->to);
}

/* Likewise. This is the name of its main thread, unless the process has a name of its own. */
const char *
tb_threads_summary_get_process_name (TbThreadsSummary *self, guint32 process)
{
  TbSession *session = tb_trace_get_session (self->trace);
  guint n_processes, n_threads;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  gint64 end;

  if (process >= n_processes)
    return "";
  tb_trace_get_range (self->trace, NULL, &end);
  if (self->to >= end)
    return processes[process].name;
  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process == process && threads[i].tid == processes[process].pid
        && g_str_equal (threads[i].name, processes[process].name))
      return tb_trace_get_thread_name_at (self->trace, i, self->to);
  return processes[process].name;
}

const char *
tb_threads_get_waker_kind (TbTrace *trace, const TbWaker *waker)
{
  if (waker->kind == TB_CAUSE_DEVICE && !is_block_device (trace, waker->cause))
    return "network";
  return tb_cause_kind_get_name (waker->kind);
}

/* The bare name, for JSON and tables. */
char *
tb_threads_get_waker_name (TbTrace *trace, const TbWaker *waker)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

  switch (waker->kind)
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      return waker->cause < n_threads ? g_strdup (threads[waker->cause].name) : NULL;
    case TB_CAUSE_INTERRUPT:
      {
        const char *name = tb_session_get_string (tb_trace_get_session (trace), waker->cause);

        return name[0] != '\0' ? g_strdup (name) : NULL;
      }
    case TB_CAUSE_UNKNOWN:
      return NULL;
    case TB_CAUSE_NONE:
    case TB_CAUSE_DEVICE:
    case TB_CAUSE_TIMER:
    case TB_CAUSE_NETWORK:
    case TB_N_CAUSES:
    default:
      return tb_trace_describe_cause (trace, waker->kind, waker->cause);
    }
}

/* --- JSON --- */

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_integer_or_null (JsonBuilder *builder, const char *name, gint64 value, gboolean is_known)
{
  json_builder_set_member_name (builder, name);
  if (is_known)
    json_builder_add_int_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

/* How long the thread ran by its samples, with the range of 95 %. */
static void
add_samples (TbThreadsSummary *self, JsonBuilder *builder, const TbThreadSummary *thread)
{
  gint64 low, high;

  tb_threads_samples_get_range (thread, &low, &high);
  add_integer (builder, "samples", thread->n_samples);
  add_integer_or_null (builder, "sampled_ns", thread->sampled_ns, self->has_sample_times);
  add_integer_or_null (builder, "sampled_low_ns", low, self->has_sample_times);
  add_integer_or_null (builder, "sampled_high_ns", high, self->has_sample_times);
  add_integer_or_null (builder, "summed_wait_ns", thread->summed_wait_ns, self->has_summed_waits);
}

/* The time in each state of waiting, and its sum. The state of some sleeps is not known. */
static void
add_waits (TbThreadsSummary *self, JsonBuilder *builder, const TbThreadSummary *thread)
{
  gint64 runnable = thread->ns[TB_STATE_RUNNABLE];
  gint64 waiting = tb_thread_summary_get_waiting (thread);
  gboolean has_ends = thread->is_known && tb_threads_summary_has_wait_ends (self);
  gboolean has_states = thread->is_known && thread->unknown_sleep_ns == 0;

  add_integer_or_null (builder, "runnable_ns", runnable, has_ends);
  add_integer_or_null (builder, "runnable_low_ns", runnable, thread->is_known);
  add_integer_or_null (builder, "waiting_ns", waiting, has_ends);
  add_integer_or_null (builder, "waiting_high_ns", waiting, thread->is_known);
  add_integer_or_null (builder, "interruptible_ns", thread->ns[TB_STATE_INTERRUPTIBLE], has_states);
  add_integer_or_null (builder, "uninterruptible_ns", thread->ns[TB_STATE_UNINTERRUPTIBLE],
                       has_states);
  add_integer_or_null (builder, "stopped_ns", thread->ns[TB_STATE_STOPPED], has_states);
}

/* An unknown value is null. */
static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value == NULL || value[0] == '\0')
    json_builder_add_null_value (builder);
  else
    json_builder_add_string_value (builder, value);
}

static void
add_id (JsonBuilder *builder, const char *name, guint32 id)
{
  char text[16];

  g_snprintf (text, sizeof text, "%u", id);
  add_string (builder, name, id == TB_ID_NONE ? NULL : text);
}

static void
add_waker (TbThreadsSummary *self, JsonBuilder *builder, const TbWaker *waker)
{
  g_autofree char *name = tb_threads_get_waker_name (self->trace, waker);

  json_builder_begin_object (builder);
  switch (waker->kind)
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
    case TB_CAUSE_DEVICE:
      add_id (builder, "id", waker->cause);
      break;
    case TB_CAUSE_TIMER:
    case TB_CAUSE_INTERRUPT:
    case TB_CAUSE_NETWORK:
      add_string (builder, "id", name);
      break;
    case TB_CAUSE_NONE:
    case TB_CAUSE_UNKNOWN:
    case TB_N_CAUSES:
    default:
      add_string (builder, "id", NULL);
      break;
    }
  add_string (builder, "name", name);
  add_string (builder, "kind", tb_threads_get_waker_kind (self->trace, waker));
  add_integer (builder, "count", waker->count);
  add_integer (builder, "wait_ns", waker->wait_ns);
  add_integer (builder, "longest_ns", waker->longest_ns);
  json_builder_end_object (builder);
}

static void
add_thread (TbThreadsSummary *self, JsonBuilder *builder, const TbThreadSummary *summary)
{
  TbSession *session = tb_trace_get_session (self->trace);
  guint n_threads, n_processes;
  const TbThread *thread = &tb_session_get_threads (session, &n_threads)[summary->thread];
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbProcess *process = thread->process < n_processes ? &processes[thread->process] : NULL;

  json_builder_begin_object (builder);
  add_id (builder, "id", summary->thread);
  add_id (builder, "host", process != NULL ? process->host : TB_ID_NONE);
  if (process != NULL)
    add_integer (builder, "pid", process->pid);
  else
    add_string (builder, "pid", NULL);
  add_integer (builder, "tid", thread->tid);
  add_string (builder, "process", tb_threads_get_process_name (self, summary));
  add_string (builder, "name", tb_threads_summary_get_thread_name (self, summary->thread));
  add_integer_or_null (builder, "running_ns", summary->ns[TB_STATE_RUNNING], summary->is_known);
  add_waits (self, builder, summary);
  add_integer (builder, "unknown_ns", summary->ns[TB_STATE_UNKNOWN]);
  add_integer (builder, "first_ns", summary->first);
  add_integer (builder, "last_ns", summary->last);
  add_integer_or_null (builder, "switches", summary->switches, summary->is_known);
  add_integer_or_null (builder, "waits", summary->waits, summary->is_known);
  add_samples (self, builder, summary);
  tb_threads_add_programs_json (self, summary, builder);
  json_builder_set_member_name (builder, "wakers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < summary->wakers->len && !tb_threads_is_cancelled (); i++)
    add_waker (self, builder, &g_array_index (summary->wakers, TbWaker, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* The summary member of the report. (transfer full) */
JsonNode *
tb_threads_summary_to_json (TbThreadsSummary *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const TbTraceCounts *counts = tb_trace_get_counts (self->trace);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "threads");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->threads->len && !tb_threads_is_cancelled (); i++)
    add_thread (self, builder, g_ptr_array_index (self->threads, i));
  json_builder_end_array (builder);
  add_integer (builder, "sleeps_without_waking", counts->sleeps_without_wakeup);
  add_integer (builder, "stray_wakeups", counts->stray_wakeups);
  add_integer (builder, "self_wakeups", counts->self_wakeups);
  add_integer (builder, "unknown_switch_outs", counts->unknown_switch_outs);
  add_integer (builder, "merged_false_wakeups", counts->merged_false_wakeups);
  add_integer (builder, "unbalanced_interrupts", counts->unbalanced_interrupts);
  add_integer (builder, "unmatched_marks", counts->unmatched_marks);
  add_integer (builder, "cpus_without_idle", counts->cpus_without_idle);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
