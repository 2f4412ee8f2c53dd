/* tb-wait-replay-calls.h: tree of nested system calls and probed functions, without times, common
 * to all threads: node entered or left by a call; nodes of given calls with all that is within
 * them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A node is a call that was made within the call of its parent node. Nodes are identified by index;
 * node 0 is outside of any call. */
typedef struct _TbReplayCalls TbReplayCalls;

TbReplayCalls *tb_replay_calls_new (void);
void tb_replay_calls_free (TbReplayCalls *self);
/* call: string. Returns the node of that call within the given node. */
guint32 tb_replay_calls_enter (TbReplayCalls *self, guint32 node, guint32 call);
/* Returns the node that remains when a call ends. The end of a call changes nothing if its
 * beginning was not recorded. */
guint32 tb_replay_calls_leave (const TbReplayCalls *self, guint32 node, guint32 call);
/* Returns TB_STRING_NONE for node 0. */
guint32 tb_replay_calls_get_call (const TbReplayCalls *self, guint32 node);
/* is_selected: by string, n of them. Returns, by node, whether it is one of those calls or within
 * one. (transfer full) */
guint8 *tb_replay_calls_find_within (const TbReplayCalls *self, const guint8 *is_selected, guint n);

G_END_DECLS
