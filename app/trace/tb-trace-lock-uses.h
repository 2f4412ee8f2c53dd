/* tb-trace-lock-uses.h: what the locks are for that threads slept for
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* How a lock is used, as far as the names of functions tell. */
typedef enum
{
  TB_LOCK_USE_UNKNOWN,
  TB_LOCK_USE_MUTEX,
  TB_LOCK_USE_CONDITION,
  TB_LOCK_USE_JOIN, /* the end of a thread */
} TbLockUse;

/* Of a function that a thread sleeps in, or that called it. The use of a lock is that of the condition or of the thread's end
 * that one of them is for, else what is left. */
TB_EXPORT TbLockUse tb_lock_use_of_function (const char *function);
/* Whether a thread ends about then: the kernel wakes who waits for that a moment before the thread is gone. */
TB_EXPORT gboolean tb_trace_is_ending (TbTrace *self, guint32 thread, gint64 time);

G_END_DECLS
