/* tb-trace-exclusive-locks.h: locks that are recognized by how the waits for them end, where no
 * function shows their use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-lock-uses.h"

G_BEGIN_DECLS

/**
 * TbExclusiveLocks: (skip)
 *
 * The words of a trace that at least three threads hand to each other in any order, one at a time.
 * Words that one function made or takes count together: a run-time library may give each thread a
 * word of its own to sleep on.
 */
typedef struct _TbExclusiveLocks TbExclusiveLocks;

TB_EXPORT TbExclusiveLocks *
tb_exclusive_locks_new (TbTrace *trace, TbLockUses *uses, const guint8 *threads);
TB_EXPORT void tb_exclusive_locks_free (TbExclusiveLocks *self);
TB_EXPORT gboolean tb_exclusive_locks_has (const TbExclusiveLocks *self, gsize interval);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbExclusiveLocks, tb_exclusive_locks_free)

G_END_DECLS
