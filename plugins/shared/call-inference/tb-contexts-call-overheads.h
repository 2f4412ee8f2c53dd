/* tb-contexts-call-overheads.h: least time of functions around the system calls they make, learned
 * from the shortest of the gaps between system calls that tb-contexts-inference.c adds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The time between two system calls of a thread belongs to its functions, but it is not known to
 * which. If the shortest such times before calls by one function are longer than those before calls
 * by another, whatever their callers, the function itself takes the difference. Examples are a
 * wrapper of the C library that is probed, or one that checks for cancellation. The shortest time
 * of all is the time to leave and enter the kernel.
 *
 * Memory is bounded by the number of functions. Further functions are treated as taking no time. */
#define TB_CONTEXTS_CALL_OVERHEADS_FUNCTIONS 4096
/* The second shortest of this many gaps is used, until as many more are known. */
#define TB_CONTEXTS_CALL_OVERHEADS_GAPS 16

typedef struct _TbContextsCallOverheads TbContextsCallOverheads;

TbContextsCallOverheads *tb_contexts_call_overheads_new (void);
void tb_contexts_call_overheads_free (TbContextsCallOverheads *self);
/* Discards everything learned. */
void tb_contexts_call_overheads_reset (TbContextsCallOverheads *self);
/* Adds a gap from the return of a system call to the next system call, which function made. */
void tb_contexts_call_overheads_add (TbContextsCallOverheads *self, guint32 function, gint64 ns);
/* Sets the least part of such a gap that lies after the first call, in the function that made it
 * (after), and before the second, in this function (before). 0 while unknown. */
void tb_contexts_call_overheads_get (const TbContextsCallOverheads *self,
                                     guint32 function,
                                     gint64 *after,
                                     gint64 *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsCallOverheads, tb_contexts_call_overheads_free)

G_END_DECLS
