/* tb-trace-lock-callers-private.h: user or creator of a lock by its stack: the innermost function
 * outside the kernel and the libraries that create or take locks for their callers; caller of the
 * innermost function, and whether it is in such a library
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-stacks-private.h"

G_BEGIN_DECLS

/* The innermost function outside the libraries that create or take locks for their callers; NULL if
 * none is known. */
char *tb_trace_find_lock_caller (TbTrace *self, guint32 stack);
/* The caller of the innermost function of a stack; TB_STACK_NONE if not known. */
guint32 tb_stack_get_caller (const TbStackColumns *stacks, guint32 stack);
/* Whether the caller of the stack's innermost function is in one of those libraries. */
gboolean tb_trace_is_called_by_library (TbTrace *self, const TbStackColumns *stacks, guint32 stack);

G_END_DECLS
