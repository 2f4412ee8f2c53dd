/* tb-paths-lock-waits.h: waits of threads for locks that other threads hold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"

G_BEGIN_DECLS

typedef struct _TbPathsLockWaits TbPathsLockWaits;

/* uses: kept until these are freed. threads: by thread, those whose waits may be for a lock that no
 * function shows. */
TbPathsLockWaits *tb_paths_lock_waits_new (TbTrace *trace, TbLockUses *uses, const guint8 *threads);
void tb_paths_lock_waits_free (TbPathsLockWaits *self);
/* The lock that a row waits for; TB_ID_NONE: none. */
guint32 tb_paths_lock_waits_find (TbPathsLockWaits *self, gsize row);
/* Whether no function shows that the wait is for a lock. */
gboolean tb_paths_lock_waits_is_inferred (TbPathsLockWaits *self, gsize row);
/* Whether a lock belongs to an interpreter, which is one lock however many words it has. */
gboolean tb_paths_lock_waits_is_of_interpreter (TbPathsLockWaits *self, guint32 lock);
/* CPython's interpreter lock is a condition in this variable, where nothing else is waited for but
 * other locks of the interpreter. */
#define TB_PATHS_INTERPRETER "_PyRuntime"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsLockWaits, tb_paths_lock_waits_free)

G_END_DECLS
