/* tb-trace-describe.c: descriptions of threads, intervals and causes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "trace/tb-trace-private.h"

/**
 * tb_trace_describe_thread:
 * @self: a trace
 * @thread: a thread
 *
 * Names a thread for display: "nginx (812)".
 *
 * Returns: (transfer full): its last name and its TID
 */
char *
tb_trace_describe_thread (TbTrace *self, guint32 thread)
{
  guint n_threads;
  const TbThread *threads;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  if (thread == TB_THREAD_IDLE)
    return g_strdup (_ ("the idle task"));
  threads = tb_session_get_threads (self->session, &n_threads);
  if (thread >= n_threads)
    return g_strdup (_ ("an unknown thread"));
  if (threads[thread].name[0] == '\0')
    return g_strdup_printf (_ ("thread %d"), threads[thread].tid);
  return g_strdup_printf ("%s (%d)", threads[thread].name, threads[thread].tid);
}

/**
 * tb_trace_get_thread_name_at:
 * @self: a trace
 * @thread: a thread
 * @time: ns of the session clock
 *
 * Gets the name that a thread had at a time: names change at exec and when the program sets them.
 *
 * Returns: (transfer none): the name, "" if none is known
 */
const char *
tb_trace_get_thread_name_at (TbTrace *self, guint32 thread, gint64 time)
{
  guint n_threads, n_names;
  const TbThread *threads;
  const TbThreadName *names;
  guint low = 0, high;

  g_return_val_if_fail (TB_IS_TRACE (self), "");

  threads = tb_session_get_threads (self->session, &n_threads);
  if (thread >= n_threads)
    return "";
  names = tb_session_get_thread_names (self->session, &n_names);
  high = n_names;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (names[middle].thread > thread
          || (names[middle].thread == thread && names[middle].time > time))
        high = middle;
      else
        low = middle + 1;
    }
  if (low > 0 && names[low - 1].thread == thread)
    return names[low - 1].name;
  /* Before its first recorded name, the thread is assumed to have had that name. */
  if (low < n_names && names[low].thread == thread)
    return names[low].name;
  return threads[thread].name;
}

/**
 * tb_trace_describe_cause:
 * @self: a trace
 * @kind: a kind of cause
 * @cause: id or string of the cause: see [enum@Tailback.CauseKind]
 *
 * Names the cause of an interval's end, for display: "nginx (812)", "vda", "timer".
 *
 * Returns: (transfer full): its name
 */
char *
tb_trace_describe_cause (TbTrace *self, TbCauseKind kind, guint32 cause)
{
  const TbDevice *devices;
  guint n_devices;
  const char *name;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  switch (kind)
    {
    case TB_CAUSE_THREAD:
      return tb_trace_describe_thread (self, cause);
    case TB_CAUSE_SIGNAL:
      {
        g_autofree char *sender = tb_trace_describe_thread (self, cause);

        return g_strdup_printf (_ ("a signal from %s"), sender);
      }
    case TB_CAUSE_DEVICE:
      devices = tb_session_get_devices (self->session, &n_devices);
      return g_strdup (cause < n_devices ? devices[cause].name : "block");
    case TB_CAUSE_TIMER:
      return g_strdup (_ ("timer"));
    case TB_CAUSE_INTERRUPT:
      name = tb_session_get_string (self->session, cause);
      return name[0] != '\0' ? g_strdup_printf (_ ("interrupt %s"), name)
                             : g_strdup (_ ("an interrupt"));
    case TB_CAUSE_NETWORK:
      name = tb_session_get_string (self->session, cause);
      return g_strdup (name[0] != '\0' ? name : _ ("network"));
    case TB_CAUSE_NONE:
      return g_strdup (_ ("nothing"));
    case TB_CAUSE_UNKNOWN:
    case TB_N_CAUSES:
    default:
      return g_strdup (_ ("unknown"));
    }
}

static const char *
label_wait (TbWaitKind kind, TbState state)
{
  switch (kind)
    {
    case TB_WAIT_LOCK:
      return _ ("lock");
    case TB_WAIT_PIPE:
      return _ ("pipe");
    case TB_WAIT_SOCKET:
      return _ ("socket");
    case TB_WAIT_POLL:
      return _ ("poll");
    case TB_WAIT_SLEEP:
      return _ ("sleep");
    case TB_WAIT_BLOCK_IO:
      return _ ("disk");
    case TB_WAIT_PAGE_FAULT:
      return _ ("page fault");
    case TB_WAIT_CHILD:
      return _ ("child");
    case TB_WAIT_SIGNAL:
      return _ ("signal");
    case TB_WAIT_WORK:
      return _ ("work");
    case TB_WAIT_BUSY:
      return _ ("busy waiting");
    case TB_WAIT_UNKNOWN:
    case TB_WAIT_OTHER:
    case TB_N_WAITS:
    default:
      return state == TB_STATE_UNINTERRUPTIBLE ? _ ("uninterruptible")
             : state == TB_STATE_STOPPED       ? _ ("stopped")
                                               : _ ("waiting");
    }
}

/* "page fault in /var/lib/x+0x1000" */
static char *
describe_fault (TbTrace *self, gsize interval, const char *object)
{
  g_autofree char *place = NULL;
  guint64 offset;

  if (tb_trace_find_fault (self, interval, &offset))
    place = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", object, offset);
  return g_strdup_printf (_ ("page fault in %s"), place != NULL ? place : object);
}

/* "fsync → /var/log/x": the program's function and the object it waits for. */
static char *
describe_wait (TbTrace *self, gsize interval)
{
  const TbIntervals *intervals = &self->intervals;
  g_autofree char *object = tb_trace_describe_object (self, tb_trace_get_object (self, interval));
  g_autofree char *function = tb_trace_get_stack_label (self, intervals->stack[interval]);
  const char *call = tb_trace_peek_sleep_call (self, interval);
  const char *what = function;

  /* Functions internal to the C library are less informative than the system call that they
   * made. */
  if (call != NULL
      && (function == NULL || g_str_has_prefix (function, "__")
          || g_str_equal (function, "syscall")))
    what = call;
  if (object[0] != '\0' && tb_trace_get_wait_kind (self, interval) == TB_WAIT_PAGE_FAULT)
    {
      g_autofree char *fault = describe_fault (self, interval, object);

      return what != NULL ? g_strdup_printf ("%s → %s", what, fault) : g_steal_pointer (&fault);
    }
  if (what == NULL)
    what = label_wait (tb_trace_get_wait_kind (self, interval), intervals->state[interval]);
  if (object[0] != '\0')
    return g_strdup_printf ("%s → %s", what, object);
  if (intervals->cause_kind[interval] == TB_CAUSE_DEVICE)
    {
      g_autofree char *device
          = tb_trace_describe_cause (self, TB_CAUSE_DEVICE, intervals->cause[interval]);

      return g_strdup_printf ("%s → %s", what, device);
    }
  return g_strdup (what);
}

static char *
describe_sleep (TbTrace *self, gsize interval)
{
  g_autofree char *wait = describe_wait (self, interval);

  if (self->intervals.flags[interval] & TB_INTERVAL_TIMED_OUT)
    return g_strdup_printf (_ ("%s, timed out"), wait);
  return g_steal_pointer (&wait);
}

/**
 * tb_trace_describe_interval:
 * @self: a trace
 * @interval: a row
 *
 * Describes in few words what a thread did in an interval: "fsync → /var/log/x", "waiting for a
 * cpu".
 *
 * Returns: (transfer full): the description
 */
char *
tb_trace_describe_interval (TbTrace *self, gsize interval)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (interval < self->intervals.n, NULL);

  switch ((TbState) self->intervals.state[interval])
    {
    case TB_STATE_RUNNING:
      return g_strdup (_ ("running"));
    case TB_STATE_RUNNABLE:
      if (self->intervals.flags[interval] & TB_INTERVAL_PREEMPTED)
        return g_strdup (_ ("preempted"));
      return g_strdup (_ ("waiting for a CPU"));
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
    case TB_STATE_STOPPED:
      return describe_sleep (self, interval);
    case TB_STATE_UNKNOWN:
    case TB_N_STATES:
    default:
      return g_strdup (_ ("unknown"));
    }
}
