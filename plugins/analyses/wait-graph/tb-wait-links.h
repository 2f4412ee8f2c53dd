/* tb-wait-links.h: by which link messages go, and what went by it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

typedef struct _TbWaitLinks TbWaitLinks;

/* NULL where the recording tells of no link's speed. */
TbWaitLinks *tb_wait_links_new (TbSession *session);
void tb_wait_links_free (TbWaitLinks *self);

/* The interface whose link messages between two addresses take, strings of the session as "host:port"; TB_ID_NONE: that is not
 * known, as of other network namespaces, or they do not leave the machine. */
guint32 tb_wait_links_find (TbWaitLinks *self, guint32 local, guint32 remote);
void tb_wait_links_add_message (TbWaitLinks *self, guint32 interface, guint8 kind, guint64 bytes);

const char *tb_wait_links_get_name (const TbWaitLinks *self, guint32 interface);
/* Bytes a second each way; 0 unknown. */
double tb_wait_links_get_speed (const TbWaitLinks *self, guint32 interface);
/* The bytes of all messages that were added: of those sent or of those received, whichever are more. */
double tb_wait_links_get_bytes (const TbWaitLinks *self, guint32 interface);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitLinks, tb_wait_links_free)

G_END_DECLS
