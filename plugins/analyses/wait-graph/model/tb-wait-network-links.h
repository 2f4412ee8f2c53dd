/* tb-wait-network-links.h: network links (interfaces) that messages between two addresses take,
 * their speed, and the bytes that they carried
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

typedef struct _TbWaitNetworkLinks TbWaitNetworkLinks;

/* NULL where no link's speed was recorded. */
TbWaitNetworkLinks *tb_wait_network_links_new (TbSession *session);
void tb_wait_network_links_free (TbWaitNetworkLinks *self);

/* The interface with the link that carries messages between two addresses (strings of the session,
 * "host:port"). TB_ID_NONE: not known, as for other network namespaces, or the messages do not
 * leave the machine. */
guint32 tb_wait_network_links_find (TbWaitNetworkLinks *self, guint32 local, guint32 remote);
void tb_wait_network_links_add_message (TbWaitNetworkLinks *self,
                                        guint32 interface,
                                        guint8 kind,
                                        guint64 bytes);

const char *tb_wait_network_links_get_name (const TbWaitNetworkLinks *self, guint32 interface);
/* Bytes a second in each direction; 0: unknown. */
double tb_wait_network_links_get_speed (const TbWaitNetworkLinks *self, guint32 interface);
/* The bytes of all added messages in the busier direction. */
double tb_wait_network_links_get_bytes (const TbWaitNetworkLinks *self, guint32 interface);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitNetworkLinks, tb_wait_network_links_free)

G_END_DECLS
