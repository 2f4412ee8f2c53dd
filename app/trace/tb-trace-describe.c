/* tb-trace-describe.c: texts for display: names of threads (also at a time), states, kinds of waits
 * and causes; short descriptions of waits and of what a thread did in an interval
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "trace/tb-trace-locks-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-stacks-private.h"

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
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return tb_session_describe_thread (self->session, thread);
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
 * tb_trace_get_shown_thread_name_at:
 * @self: a trace
 * @thread: a thread
 * @time: ns of the session clock
 *
 * Gets the name that a thread had at a time, for a sentence, a heading or a cell.
 *
 * Returns: (transfer none): the name; "thread 812" if none is known
 */
const char *
tb_trace_get_shown_thread_name_at (TbTrace *self, guint32 thread, gint64 time)
{
  const char *name;

  g_return_val_if_fail (TB_IS_TRACE (self), "");

  name = tb_trace_get_thread_name_at (self, thread, time);
  return name[0] != '\0' ? name : tb_session_get_shown_thread_name (self->session, thread);
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

        /* Translators: like a name, in any sentence; best without an article */
        return g_strdup_printf (_ ("a signal from %s"), sender);
      }
    case TB_CAUSE_DEVICE:
      devices = tb_session_get_devices (self->session, &n_devices);
      return g_strdup (cause < n_devices ? devices[cause].name : "block");
    case TB_CAUSE_TIMER:
      return g_strdup (_ ("timer"));
    case TB_CAUSE_INTERRUPT:
      name = tb_session_get_string (self->session, cause);
      if (name[0] != '\0')
        return g_strdup_printf (_ ("interrupt %s"), name);
      /* Translators: like a name, in any sentence; best without an article that changes by case */
      return g_strdup (_ ("an interrupt"));
    case TB_CAUSE_NETWORK:
      name = tb_session_get_string (self->session, cause);
      return g_strdup (name[0] != '\0' ? name : _ ("network"));
    case TB_CAUSE_NONE:
      return g_strdup (_ ("nothing"));
    case TB_CAUSE_UNKNOWN:
    default:
      return g_strdup (_ ("unknown"));
    }
}

/* NULL for waits of another or unknown kind. */
static const char *
label_wait (TbWaitKind kind)
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
    default:
      return NULL;
    }
}

static const char *
label_state (TbState state)
{
  return state == TB_STATE_UNINTERRUPTIBLE ? _ ("uninterruptible")
         : state == TB_STATE_STOPPED       ? _ ("stopped")
                                           : C_ ("state", "waiting");
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

/**
 * tb_trace_get_wait_function:
 * @self: a trace
 * @interval: row of an interval in which the thread slept
 *
 * Gets the function in which a thread waits: that of its stack, see
 * [method@Tailback.Trace.get_stack_label], or the system call where that is internal to the C
 * library, or where the program made it by syscall().
 *
 * Returns: (transfer full) (nullable): the function, %NULL if it is not known
 */
char *
tb_trace_get_wait_function (TbTrace *self, gsize interval)
{
  g_autofree char *function = NULL;
  const char *call;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (interval < self->intervals.n, NULL);

  function = tb_trace_get_stack_label (self, self->intervals.stack[interval]);
  call = tb_trace_peek_sleep_call (self, interval);
  /* Functions internal to the C library are less informative than the system call that they
   * made. */
  if (call != NULL
      && (function == NULL || g_str_has_prefix (function, "__")
          || g_str_equal (function, "start_thread")
          || tb_trace_is_direct_call (self, self->intervals.stack[interval])))
    return g_strdup (call);
  return g_steal_pointer (&function);
}

/* "fsync → /var/log/x": the program's function and the object it waits for. @unknown
 * stands for an unknown function and kind of wait. */
static char *
describe_wait (TbTrace *self, gsize interval, const char *unknown)
{
  const TbIntervals *intervals = &self->intervals;
  g_autofree char *object = tb_trace_describe_object (self, tb_trace_get_object (self, interval));
  g_autofree char *function = tb_trace_get_wait_function (self, interval);
  const char *what = function;

  if (object[0] != '\0' && tb_trace_get_wait_kind (self, interval) == TB_WAIT_PAGE_FAULT)
    {
      g_autofree char *fault = describe_fault (self, interval, object);

      return what != NULL ? g_strdup_printf ("%s → %s", what, fault) : g_steal_pointer (&fault);
    }
  if (what == NULL)
    what = label_wait (tb_trace_get_wait_kind (self, interval));
  if (what == NULL)
    what = unknown;
  if (object[0] != '\0')
    return what != NULL ? g_strdup_printf ("%s → %s", what, object) : g_steal_pointer (&object);
  if (intervals->cause_kind[interval] == TB_CAUSE_DEVICE)
    {
      g_autofree char *device
          = tb_trace_describe_cause (self, TB_CAUSE_DEVICE, intervals->cause[interval]);

      return what != NULL ? g_strdup_printf ("%s → %s", what, device) : g_steal_pointer (&device);
    }
  return g_strdup (what);
}

static char *
describe_sleep (TbTrace *self, gsize interval)
{
  g_autofree char *wait
      = describe_wait (self, interval, label_state (self->intervals.state[interval]));

  if (tb_trace_is_timed_out (self, interval))
    return g_strdup_printf (_ ("%s, timed out"), wait);
  return g_steal_pointer (&wait);
}

/**
 * tb_trace_describe_wait:
 * @self: a trace
 * @interval: row of an interval in which the thread slept
 *
 * Describes the place of a wait and its object: "fsync → /var/log/x", "poll, timed out", "lock".
 *
 * Returns: (transfer full) (nullable): the description; %NULL if neither the place nor the object
 *   is known
 */
char *
tb_trace_describe_wait (TbTrace *self, gsize interval)
{
  g_autofree char *wait = NULL;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (interval < self->intervals.n, NULL);

  wait = describe_wait (self, interval, NULL);
  if (wait == NULL || !tb_trace_is_timed_out (self, interval))
    return g_steal_pointer (&wait);
  return g_strdup_printf (_ ("%s, timed out"), wait);
}

/**
 * tb_state_get_label:
 * @state: a state
 *
 * Names a state for display. [func@state_get_name] is its name in JSON.
 *
 * Returns: a static string
 */
const char *
tb_state_get_label (TbState state)
{
  static const char *const labels[TB_N_STATES] = {
    [TB_STATE_UNKNOWN] = NC_ ("state of a thread", "unknown"),
    [TB_STATE_RUNNING] = NC_ ("state of a thread", "running"),
    [TB_STATE_RUNNABLE] = NC_ ("state of a thread", "runnable"),
    [TB_STATE_INTERRUPTIBLE] = NC_ ("state of a thread", "interruptible"),
    [TB_STATE_UNINTERRUPTIBLE] = NC_ ("state of a thread", "uninterruptible"),
    [TB_STATE_STOPPED] = NC_ ("state of a thread", "stopped"),
  };

  g_return_val_if_fail ((guint) state < TB_N_STATES, "unknown");

  return g_dpgettext2 (GETTEXT_PACKAGE, "state of a thread", labels[state]);
}

/**
 * tb_wait_kind_get_label:
 * @kind: a kind of wait
 *
 * Names a kind of wait for display. [func@wait_kind_get_name] is its name in JSON.
 *
 * Returns: a static string
 */
const char *
tb_wait_kind_get_label (TbWaitKind kind)
{
  static const char *const labels[TB_N_WAITS] = {
    [TB_WAIT_UNKNOWN] = NC_ ("kind of wait", "unknown"),
    [TB_WAIT_LOCK] = NC_ ("kind of wait", "lock"),
    [TB_WAIT_PIPE] = NC_ ("kind of wait", "pipe"),
    [TB_WAIT_SOCKET] = NC_ ("kind of wait", "socket"),
    [TB_WAIT_POLL] = NC_ ("kind of wait", "poll"),
    [TB_WAIT_SLEEP] = NC_ ("kind of wait", "sleep"),
    [TB_WAIT_BLOCK_IO] = NC_ ("kind of wait", "block-io"),
    [TB_WAIT_PAGE_FAULT] = NC_ ("kind of wait", "page-fault"),
    [TB_WAIT_CHILD] = NC_ ("kind of wait", "child"),
    [TB_WAIT_SIGNAL] = NC_ ("kind of wait", "signal"),
    [TB_WAIT_WORK] = NC_ ("kind of wait", "work"),
    [TB_WAIT_OTHER] = NC_ ("kind of wait", "other"),
    [TB_WAIT_BUSY] = NC_ ("kind of wait", "busy"),
  };

  g_return_val_if_fail ((guint) kind < TB_N_WAITS, "unknown");

  return g_dpgettext2 (GETTEXT_PACKAGE, "kind of wait", labels[kind]);
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
      return g_strdup (C_ ("state", "running"));
    case TB_STATE_RUNNABLE:
      if (self->intervals.flags[interval] & TB_INTERVAL_PREEMPTED)
        return g_strdup (C_ ("state", "preempted"));
      return g_strdup (C_ ("state", "waiting for a CPU"));
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
    case TB_STATE_STOPPED:
      return describe_sleep (self, interval);
    case TB_STATE_UNKNOWN:
    default:
      return g_strdup (_ ("unknown"));
    }
}
