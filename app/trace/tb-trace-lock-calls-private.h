/* tb-trace-lock-calls-private.h: futex() calls in which threads wait, by interval, for recordings
 * of system calls that have no sleeps
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The call of each wait for a lock. */
typedef struct
{
  guint64 *addresses;  /* by interval; 0: none, or not known */
  guint32 *operations; /* likewise: the second argument */
} TbLockCalls;

/* NULL: no wait is in such a call, or the recording has sleeps, which are better evidence. */
TbLockCalls *tb_lock_calls_new (TbTrace *trace);
void tb_lock_calls_free (TbLockCalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLockCalls, tb_lock_calls_free)

G_END_DECLS
