/* tb-trace-lock-uses.c: whether a thread sleeps for a mutex, a condition or the end of a thread
 * (join), by the name of a function in its stack; check whether a thread ends at about a given
 * time, as evidence of a join
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-lock-uses.h"

#define MAX_END_DISTANCE 1000000 /* ns */

/**
 * tb_lock_use_from_function:
 * @function: the name of a function
 *
 * Returns: the use of a lock for which a thread sleeps in that function or in one that it called
 */
TbLockUse
tb_lock_use_from_function (const char *function)
{
  static const struct
  {
    const char *part;
    TbLockUse use;
  } parts[] = {
    { "cond_wait", TB_LOCK_USE_CONDITION },      { "cond_timedwait", TB_LOCK_USE_CONDITION },
    { "cond_clockwait", TB_LOCK_USE_CONDITION }, { "condition_variable", TB_LOCK_USE_CONDITION },
    { "pthread_join", TB_LOCK_USE_JOIN },        { "pthread_clockjoin", TB_LOCK_USE_JOIN },
    { "pthread_timedjoin", TB_LOCK_USE_JOIN },   { "mutex", TB_LOCK_USE_MUTEX },
    { "lll_lock", TB_LOCK_USE_MUTEX },           { "rwlock", TB_LOCK_USE_MUTEX },
  };

  g_return_val_if_fail (function != NULL, TB_LOCK_USE_UNKNOWN);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (function, parts[i].part) != NULL)
      return parts[i].use;
  return TB_LOCK_USE_UNKNOWN;
}

/**
 * tb_trace_is_thread_ending:
 * @self: a trace
 * @thread: a thread of its session
 * @time: a time
 *
 * Returns: whether the thread ends at about that time
 */
gboolean
tb_trace_is_thread_ending (TbTrace *self, guint32 thread, gint64 time)
{
  guint n_threads;
  const TbThread *threads;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  threads = tb_session_get_threads (tb_trace_get_session (self), &n_threads);
  return thread < n_threads && threads[thread].end != TB_TIME_NONE
         && threads[thread].end >= time - MAX_END_DISTANCE
         && threads[thread].end <= time + MAX_END_DISTANCE;
}
