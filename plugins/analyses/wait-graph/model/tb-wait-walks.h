/* tb-wait-walks.h: test whether a recorded stack is broken: it ends before the first function of
 * the program
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
} TbWaitWalks;

gboolean tb_wait_walks_load (TbWaitWalks *self, TbSession *session, GError **error);
void tb_wait_walks_clear (TbWaitWalks *self);
/* Whether a stack ends before the program's first function. */
gboolean tb_wait_walks_is_broken (const TbWaitWalks *self, guint32 stack);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitWalks, tb_wait_walks_clear)

G_END_DECLS
