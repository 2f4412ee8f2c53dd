/* tb-service-authority.h: question to polkit whether the sender of a D-Bus message may do
 * something
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* details: (nullable): names and values that the text of the action refers to, as a{ss}. The user
 * is asked for a password only if the caller permitted it in the message. Cancelled when the caller
 * leaves the bus. */
void tb_service_authority_check_async (GDBusMethodInvocation *invocation,
                                       const char *action,
                                       GVariant *details,
                                       GAsyncReadyCallback callback,
                                       gpointer data);
/* TRUE: authorized. FALSE: with the reason, ready to be returned to the caller. uid: (out): user of
 * the caller */
gboolean tb_service_authority_check_finish (GAsyncResult *result, guint32 *uid, GError **error);

G_END_DECLS
