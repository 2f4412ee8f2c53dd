/* tb-trace-lock-uses.h: use of a lock (mutex, semaphore, condition, end of a thread, file) that a
 * wait shows by its functions and by the operation of its system call; check whether a thread ends
 * at about a time, for joins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Use of a lock, as far as function names and operations show it. */
typedef enum
{
  TB_LOCK_USE_UNKNOWN,
  TB_LOCK_USE_MUTEX, /* also a read-write lock */
  TB_LOCK_USE_CONDITION,
  TB_LOCK_USE_JOIN, /* waits for the end of a thread */
  /* a semaphore: a lock, or a signal, as the program uses it */
  TB_LOCK_USE_SEMAPHORE,
  /* no mutex: a condition, a semaphore or a read-write lock of the C library */
  TB_LOCK_USE_NO_MUTEX,
  TB_LOCK_USE_FILE, /* the lock of a file */
  TB_N_LOCK_USES,
} TbLockUse;

/* The lock use that a function name indicates, for a function in which a thread sleeps or one of
 * its callers. If one of these functions indicates a condition or a join, that is the use of the
 * lock; otherwise any other use found is. */
TB_EXPORT TbLockUse tb_lock_use_from_function (const char *function);
/* Whether a thread ends at about this time. The kernel wakes the waiter of a join shortly before
 * the thread is gone. */
TB_EXPORT gboolean tb_trace_is_thread_ending (TbTrace *self, guint32 thread, gint64 time);

/* The uses of the waits of a trace; remembers those of stacks. For one thread. */
typedef struct _TbLockUses TbLockUses;

TB_EXPORT TbLockUses *tb_lock_uses_new (TbTrace *trace);
TB_EXPORT void tb_lock_uses_free (TbLockUses *self);
/* The use that a wait alone shows: by the functions in its stack, from the innermost on, else by
 * the operation of its system call. Waits for one lock may show several: a program may sleep on one
 * word for a lock as well as for a condition. */
TB_EXPORT TbLockUse tb_lock_uses_get (TbLockUses *self, gsize interval);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLockUses, tb_lock_uses_free)

G_END_DECLS
