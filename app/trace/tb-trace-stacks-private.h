/* tb-trace-stacks-private.h: stack tree of a session as arrays, the names of its frames and
 * modules, and the system call that a kernel function implements
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The stack tree of the session and its frames, loaded on first use. */
typedef struct _TbStackColumns
{
  GBytes *columns[5];
  guint32 n_stacks;
  guint32 n_frames;
  const guint32 *parent;
  const guint32 *frame;
  const guint8 *flags;
  const guint32 *module;
  const guint64 *offset;
} TbStackColumns;

const TbStackColumns *tb_trace_peek_stacks (TbTrace *self);
/* The functions at a frame, innermost first; NULL if no name is known (yet). own: space for a name
 * that is in the recording. */
const TbFrameName *tb_trace_peek_names (TbTrace *self,
                                        const TbStackColumns *stacks,
                                        guint32 frame,
                                        TbFrameName *own,
                                        guint *n_names);
/* Sets out to what stands for a name that is not known: "libc.so.6+0x1f". */
void
tb_trace_format_place (TbTrace *self, const TbStackColumns *stacks, guint32 frame, GString *out);
/* The file name of a frame's module, "[kernel]", or "". */
const char *tb_trace_peek_module (TbTrace *self, const TbStackColumns *stacks, guint32 frame);
char **tb_trace_name_frame (TbTrace *self, const TbStackColumns *stacks, guint32 frame);
char *tb_trace_name_module (TbTrace *self, const TbStackColumns *stacks, guint32 frame);
/* Whether the walk of a stack did not reach its start. */
gboolean tb_trace_is_broken_stack (const TbStackColumns *stacks, guint32 stack);
/* Whether the program made a system call by the function that makes any. */
gboolean tb_trace_is_direct_call (TbTrace *self, guint32 stack);
const char *tb_trace_peek_syscall_name (const char *function);

G_END_DECLS
