/* tb-threads-summary.c: lookups in the summary of the selected threads (made by
 * tb-threads-summation.c): waiting time and life of a thread, waits for disks, names of threads,
 * processes and of what ended waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-threads-summary.h"

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

void
tb_threads_summary_free (TbThreadsSummary *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->threads, g_ptr_array_unref);
  g_clear_pointer (&self->programs, tb_programs_free);
  g_clear_pointer (&self->loops, tb_poll_loops_free);
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
    default:
      return tb_trace_describe_cause (trace, waker->kind, waker->cause);
    }
}
