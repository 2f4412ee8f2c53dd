/* tb-trace-lock-origins.h: where the locks were made that threads slept for
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Names of marks whose value is 0xADDRESS, or 0xADDRESS+SIZE. */
#define TB_MARK_LOCK_CREATED "lock_created"
#define TB_MARK_LOCK_DESTROYED "lock_destroyed"

/* Whether a mark of that name tells of a lock, and is nothing that a program says of itself. */
static inline gboolean
tb_mark_is_of_lock (const char *name)
{
  return g_str_equal (name, TB_MARK_LOCK_CREATED) || g_str_equal (name, TB_MARK_LOCK_DESTROYED);
}

TB_EXPORT gboolean tb_trace_has_lock_origins (TbTrace *self);
TB_EXPORT guint32 tb_trace_get_lock_origin (TbTrace *self, guint32 lock);
TB_EXPORT char *tb_trace_find_lock_maker (TbTrace *self, guint32 lock);

G_END_DECLS
