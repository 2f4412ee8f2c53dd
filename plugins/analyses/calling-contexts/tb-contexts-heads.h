/* tb-contexts-heads.h: what functions do at least before they enter the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between two system calls of a thread the time is its functions', which one is unknown. But where the shortest such times before
 * calls that one function makes are longer than those before another one's, whatever calls it, that function takes the difference:
 * thus a wrapper of the C library that is probed, or looks up what may cancel it. The shortest of all is what leaving the kernel and
 * entering it takes alone.
 *
 * Memory is bounded: so many functions; the others are like those that take nothing. */
#define TB_CONTEXTS_HEADS_FUNCTIONS 4096
/* The second shortest of so many gaps counts, until so many more are known. */
#define TB_CONTEXTS_HEADS_GAPS 16

typedef struct _TbContextsHeads TbContextsHeads;

TbContextsHeads *tb_contexts_heads_new (void);
void tb_contexts_heads_free (TbContextsHeads *self);
/* All is forgotten. */
void tb_contexts_heads_reset (TbContextsHeads *self);
/* From the return of a system call to the next one, made by that function. */
void tb_contexts_heads_add (TbContextsHeads *self, guint32 function, gint64 ns);
/* What of such a gap at least lies behind the first call, in the function that made it, and before the second, in that function;
 * 0 while unknown. */
void tb_contexts_heads_get (const TbContextsHeads *self, guint32 function, gint64 *behind, gint64 *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsHeads, tb_contexts_heads_free)

G_END_DECLS
