/* tb-threads-json.c: JSON summary of the selected threads: times in each state, samples, programs,
 * what ended waits; counts of doubtful events of the trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-threads-programs.h"
#include "tb-threads-samples.h"
#include "tb-threads-summary.h"

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
