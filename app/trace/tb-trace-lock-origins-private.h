/* tb-trace-lock-origins-private.h: search for the stacks that created locks or allocated
 * their memory
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-stacks-private.h"

G_BEGIN_DECLS

typedef struct _TbLockOrigins TbLockOrigins;

/* NULL if no events of locks were recorded. */
TbLockOrigins *tb_lock_origins_new (TbTrace *trace, const TbStackColumns *stacks);
void tb_lock_origins_free (TbLockOrigins *self);
/* The stack that created the lock at this time, or else allocated its memory; TB_STACK_NONE if not
 * known. */
guint32
tb_lock_origins_find (const TbLockOrigins *self, guint32 process, guint64 address, gint64 time);

G_END_DECLS
