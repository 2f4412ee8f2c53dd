/* tb-wait-program-nodes.h: nodes of the programs that a thread was one after another: division of
 * its times, of its waits, and of the waits for it, at each exec; look-up by thread and time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"

G_BEGIN_DECLS

/* Divides the nodes of all threads that were several programs in the range, but for merged
 * short-lived threads. The last program keeps the node of the thread. What waits for a thread
 * across an exec waits for one program, then for the next. What the recorded command was before its
 * own program is left out, as the recorder is. */
gboolean tb_wait_divide_at_execs (TbWaitModel *model, GError **error);

/* The node of a thread at a time; TB_ID_NONE: it was part of the recorder. until: reduced to where
 * the thread becomes another program; NULL: not needed. */
guint32
tb_wait_model_find_node (const TbWaitModel *model, guint32 thread, gint64 time, gint64 *until);
/* The node that stands for a thread at a time: that of its group where it is merged with other
 * short-lived threads. */
guint32 tb_wait_model_find_merged_node (const TbWaitModel *model, guint32 thread, gint64 time);

/* The program of a node of a thread; NULL: the thread was one program only, or it is no thread. */
const TbWaitPart *tb_wait_model_get_part (const TbWaitModel *model, guint32 node);
/* The index of the program of a node of a thread; TB_ID_NONE: its process is unknown. */
guint32 tb_wait_model_find_program (const TbWaitModel *model, guint32 node);
/* The name of the thread of a node, while it was that program. */
const char *tb_wait_model_get_thread_name (const TbWaitModel *model, guint32 node);

G_END_DECLS
