/* tb-trace-lock-uses.h: whether a thread sleeps for a mutex, a condition or the end of a thread
 * (join), by the name of a function in its stack; check whether a thread ends at about a given
 * time, as evidence of a join
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Use of a lock, as far as function names show it. */
typedef enum
{
  TB_LOCK_USE_UNKNOWN,
  TB_LOCK_USE_MUTEX,
  TB_LOCK_USE_CONDITION,
  TB_LOCK_USE_JOIN, /* waits for the end of a thread */
} TbLockUse;

/* The lock use that a function name indicates, for a function in which a thread sleeps or one of
 * its callers. If one of these functions indicates a condition or a join, that is the use of the
 * lock; otherwise any other use found is. */
TB_EXPORT TbLockUse tb_lock_use_from_function (const char *function);
/* Whether a thread ends at about this time. The kernel wakes the waiter of a join shortly before
 * the thread is gone. */
TB_EXPORT gboolean tb_trace_is_thread_ending (TbTrace *self, guint32 thread, gint64 time);

G_END_DECLS
