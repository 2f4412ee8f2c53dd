/* tb-interval-description.c: title and sentences that describe an interval of a thread in a trace:
 * what it did, or waited for and what ended the wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-format.h"
#include "shell/document/tb-interval-description.h"
#include "shell/document/tb-recording-facts.h"

/* Without the TID, where the name is known. */
static char *
name_shortly (TbSession *session, guint32 thread)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  if (thread < n_threads && threads[thread].name != NULL && threads[thread].name[0] != '\0')
    return g_strdup (threads[thread].name);
  return tb_recording_facts_name_thread (session, thread);
}

/**
 * tb_interval_describe_title:
 * @trace: a trace
 * @interval: row of an interval
 *
 * Returns: (transfer full): for example "curl waits 247 ms"
 */
char *
tb_interval_describe_title (TbTrace *trace, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autofree char *name = name_shortly (tb_trace_get_session (trace), intervals->thread[interval]);
  g_autofree char *length
      = tb_format_duration (intervals->end[interval] - intervals->start[interval]);

  switch (intervals->state[interval])
    {
    case TB_STATE_RUNNING:
      return g_strdup_printf (_ ("%s runs %s"), name, length);
    case TB_STATE_RUNNABLE:
      return g_strdup_printf (_ ("%s waits %s for a CPU"), name, length);
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
      return g_strdup_printf (_ ("%s waits %s"), name, length);
    case TB_STATE_STOPPED:
      return g_strdup_printf (_ ("%s is stopped for %s"), name, length);
    default:
      return g_strdup_printf (_ ("%s: state unknown for %s"), name, length);
    }
}

/* "It waited until nginx (812) woke it." */
static char *
describe_end (TbTrace *trace, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  TbSession *session = tb_trace_get_session (trace);
  guint32 cause = intervals->cause[interval];
  g_autofree char *thread = NULL;
  guint n_devices;
  const TbDevice *devices = tb_session_get_devices (session, &n_devices);
  const char *name;

  switch (intervals->cause_kind[interval])
    {
    case TB_CAUSE_THREAD:
      thread = tb_trace_describe_thread (trace, cause);
      return g_strdup_printf (_ ("It waited until %s woke it."), thread);
    case TB_CAUSE_SIGNAL:
      thread = tb_trace_describe_thread (trace, cause);
      return g_strdup_printf (_ ("It waited until a signal from %s arrived."), thread);
    case TB_CAUSE_DEVICE:
      if (cause >= n_devices)
        return g_strdup (_ ("It waited until a device was done."));
      return g_strdup_printf (_ ("It waited until the device %s was done."), devices[cause].name);
    case TB_CAUSE_TIMER:
      return g_strdup (_ ("It waited until its timer expired."));
    case TB_CAUSE_INTERRUPT:
      name = tb_session_get_string (session, cause);
      return name[0] != '\0'
                 ? g_strdup_printf (_ ("It waited until the interrupt %s occurred."), name)
                 : g_strdup (_ ("It waited until an interrupt occurred."));
    case TB_CAUSE_NETWORK:
      name = tb_session_get_string (session, cause);
      return name[0] != '\0' ? g_strdup_printf (_ ("It waited until data came from %s."), name)
                             : g_strdup (_ ("It waited until data came from the network."));
    default:
      return g_strdup (_ ("What ended the wait is not known."));
    }
}

static char *
describe_sleep (TbTrace *trace, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autofree char *what = tb_trace_describe_wait (trace, interval);
  g_autofree char *end = (intervals->flags[interval] & TB_INTERVAL_OPEN_END) != 0
                             ? g_strdup (_ ("It still waited at the end of the recording."))
                             : describe_end (trace, interval);

  if (what == NULL)
    return g_steal_pointer (&end);
  /* Translators: a sentence about the end of a wait, and its place and object: “lock”, “poll, timed
   * out”, “fsync → /var/log/x” */
  return g_strdup_printf (_ ("%s Wait: %s."), end, what);
}

/**
 * tb_interval_describe:
 * @trace: a trace
 * @interval: row of an interval
 *
 * Returns: (transfer full): a sentence that describes the interval and what ended it
 */
char *
tb_interval_describe (TbTrace *trace, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  guint cpu = intervals->cpu[interval];

  switch (intervals->state[interval])
    {
    case TB_STATE_RUNNING:
      return cpu != TB_CPU_ALL ? g_strdup_printf (_ ("It ran on CPU %u."), cpu)
                               : g_strdup (_ ("It ran."));
    case TB_STATE_RUNNABLE:
      if (intervals->flags[interval] & TB_INTERVAL_PREEMPTED)
        return g_strdup (_ ("It could have continued to run, but another thread got its CPU."));
      return g_strdup (_ ("It had been woken, but no CPU was free for it."));
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
      return describe_sleep (trace, interval);
    case TB_STATE_STOPPED:
      return g_strdup (_ ("It was stopped, by a signal or a debugger."));
    default:
      return g_strdup (_ ("What it did in this time was not recorded."));
    }
}
