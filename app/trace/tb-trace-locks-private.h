/* tb-trace-locks-private.h: system call, its operation and page-fault offset recorded of a single
 * sleep; the stack in which threads slept longest for a lock
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The system call that a sleep was in, NULL if not known. */
const char *tb_trace_peek_sleep_call (TbTrace *self, gsize interval);
/* Finds the operation of the call that a sleep was in: the second argument of futex(), fcntl() or
 * flock(). FALSE if it was not recorded. */
gboolean tb_trace_find_operation (TbTrace *self, gsize interval, guint32 *operation);
/* Finds the offset of a page fault in its object, a mapped file. FALSE if the object is unknown or
 * comes from another source. */
gboolean tb_trace_find_fault (TbTrace *self, gsize interval, guint64 *offset);
/* The stack in which threads slept longest for a lock; TB_STACK_NONE if unknown. */
guint32 tb_trace_get_lock_stack (TbTrace *self, guint32 lock);

G_END_DECLS
