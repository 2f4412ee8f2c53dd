/* tb-time-order-private.h: row numbers sorted by time (radix sort), or by group such as a thread
 * or CPU, without rows of unset time or unknown group; check whether times ascend
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean tb_times_are_ascending (const gint64 *times, gsize n);
guint32 *tb_time_order (const gint64 *times, gsize n, gsize *n_ordered);
guint32 *tb_group_order (const guint32 *groups, gsize n, guint n_groups, guint32 **first);

G_END_DECLS
