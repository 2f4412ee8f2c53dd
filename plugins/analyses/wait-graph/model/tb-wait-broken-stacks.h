/* tb-wait-broken-stacks.h: stacks of a session that were marked as broken when they were recorded,
 * which end before the first function of the program: loaded tree of stacks with its flags, and
 * look-up of one stack in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/* The session's tree of stacks. */
typedef struct
{
  GBytes *parent_bytes;
  GBytes *flag_bytes;
  const guint32 *parents;
  const guint8 *flags;
  gsize n;
} TbWaitBrokenStacks;

gboolean tb_wait_broken_stacks_load (TbWaitBrokenStacks *self, TbSession *session, GError **error);
void tb_wait_broken_stacks_clear (TbWaitBrokenStacks *self);
/* Whether a stack ends before the program's first function. */
gboolean tb_wait_broken_stacks_contain (const TbWaitBrokenStacks *self, guint32 stack);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitBrokenStacks, tb_wait_broken_stacks_clear)

G_END_DECLS
