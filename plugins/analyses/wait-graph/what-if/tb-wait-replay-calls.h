/* tb-wait-replay-calls.h: the calls that threads were in, and in which others those were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A tree: a node is a call made in the one that its parent is. By index; node 0 is in no call. */
typedef struct _TbReplayCalls TbReplayCalls;

TbReplayCalls *tb_replay_calls_new (void);
void tb_replay_calls_free (TbReplayCalls *self);
/* call: string. Returns the node of the call made in another one. */
guint32 tb_replay_calls_enter (TbReplayCalls *self, guint32 node, guint32 call);
/* Returns the node that is left when a call ends; one whose beginning was not seen ends nothing. */
guint32 tb_replay_calls_leave (const TbReplayCalls *self, guint32 node, guint32 call);
/* TB_STRING_NONE for node 0. */
guint32 tb_replay_calls_get_call (const TbReplayCalls *self, guint32 node);
/* is_meant: by string, n of them. Returns whether each node is one of those calls, or within one: by node; (transfer full). */
guint8 *tb_replay_calls_find_within (const TbReplayCalls *self, const guint8 *is_meant, guint n);

G_END_DECLS
