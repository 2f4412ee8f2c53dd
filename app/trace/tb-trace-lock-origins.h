/* tb-trace-lock-origins.h: names of the marks about creation and memory of locks; stack and
 * function that created a lock for which threads slept, or allocated its memory
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TB_MARK_LOCK_CREATED:
 *
 * Name of a mark: a lock was created at its value, `0xADDRESS` or `0xADDRESS+SIZE`.
 */
#define TB_MARK_LOCK_CREATED "lock_created"

/**
 * TB_MARK_LOCK_DESTROYED:
 *
 * Name of a mark: a lock was destroyed at its value, `0xADDRESS` or `0xADDRESS+SIZE`.
 */
#define TB_MARK_LOCK_DESTROYED "lock_destroyed"

/**
 * TB_MARK_LOCK_ALLOCATED:
 *
 * Name of a mark with the value `0xWORD@0xSTART-NS`: a lock lies at WORD in memory that begins at
 * START and was allocated NS before the mark. The stack of the mark is that of the allocation.
 */
#define TB_MARK_LOCK_ALLOCATED "lock_allocated"

/**
 * TB_MARK_LOCK_FREED:
 *
 * Name of a mark: the memory that begins at its value `0xSTART` was freed.
 */
#define TB_MARK_LOCK_FREED "lock_freed"

/* Whether a mark of this name describes a lock, and is not an annotation by the program. */
static inline gboolean
tb_mark_is_of_lock (const char *name)
{
  return g_str_equal (name, TB_MARK_LOCK_CREATED) || g_str_equal (name, TB_MARK_LOCK_DESTROYED)
         || g_str_equal (name, TB_MARK_LOCK_ALLOCATED) || g_str_equal (name, TB_MARK_LOCK_FREED);
}

TB_EXPORT gboolean tb_trace_has_lock_origins (TbTrace *self);
TB_EXPORT guint32 tb_trace_get_lock_origin (TbTrace *self, guint32 lock);
TB_EXPORT char *tb_trace_find_lock_creator (TbTrace *self, guint32 lock);
TB_EXPORT char *tb_trace_find_lock_user (TbTrace *self, guint32 stack);
TB_EXPORT char *
tb_trace_find_lock_place (TbTrace *self, guint32 lock, guint32 stack, gboolean *is_made);

G_END_DECLS
