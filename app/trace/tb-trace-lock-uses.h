/* tb-trace-lock-uses.h: use of a lock (mutex, semaphore, condition, end of a thread, file) that a
 * wait shows by its functions and by the operation of its system call; check whether a thread ends
 * at about a time, for joins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbLockUse:
 * @TB_LOCK_USE_UNKNOWN: not known
 * @TB_LOCK_USE_MUTEX: a mutex or a read-write lock
 * @TB_LOCK_USE_CONDITION: a condition variable
 * @TB_LOCK_USE_JOIN: waits for the end of a thread
 * @TB_LOCK_USE_SEMAPHORE: a semaphore: a lock, or a signal, as the program uses it
 * @TB_LOCK_USE_NO_MUTEX: no mutex: a condition, a semaphore or a read-write lock of the C library
 * @TB_LOCK_USE_FILE: the lock of a file
 *
 * Use of a lock, as far as function names and operations show it.
 */
typedef enum
{
  TB_LOCK_USE_UNKNOWN,
  TB_LOCK_USE_MUTEX,
  TB_LOCK_USE_CONDITION,
  TB_LOCK_USE_JOIN,
  TB_LOCK_USE_SEMAPHORE,
  TB_LOCK_USE_NO_MUTEX,
  TB_LOCK_USE_FILE,
} TbLockUse;

/**
 * TB_N_LOCK_USES:
 *
 * Number of the values of [enum@LockUse].
 */
#define TB_N_LOCK_USES (TB_LOCK_USE_FILE + 1)

TB_EXPORT TbLockUse tb_lock_use_from_function (const char *function);
TB_EXPORT gboolean tb_lock_use_has_holder (TbLockUse use);
TB_EXPORT gboolean tb_lock_use_is_vague (TbLockUse use);
TB_EXPORT gboolean tb_trace_is_thread_ending (TbTrace *self, guint32 thread, gint64 time);

/**
 * TbLockUses:
 *
 * The uses of the waits of a trace; remembers those of stacks. For one thread.
 */
typedef struct _TbLockUses TbLockUses;

TB_EXPORT TbLockUses *tb_lock_uses_new (TbTrace *trace);
TB_EXPORT void tb_lock_uses_free (TbLockUses *self);
TB_EXPORT TbLockUse tb_lock_uses_get (TbLockUses *self, gsize interval);

TB_EXPORT gboolean tb_lock_uses_is_parked (TbLockUses *self, gsize interval);
TB_EXPORT gboolean tb_lock_uses_is_condition (TbLockUses *self, gsize interval);
TB_EXPORT gboolean tb_lock_uses_is_for_ends (TbLockUses *self, guint32 lock);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLockUses, tb_lock_uses_free)

G_END_DECLS
