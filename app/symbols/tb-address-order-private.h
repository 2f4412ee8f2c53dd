/* tb-address-order-private.h: indices of addresses in ascending order (radix sort)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the indices of the addresses, sorted stably. Free with g_free(). */
guint32 *tb_address_order (const guint64 *addresses, guint32 n);

G_END_DECLS
