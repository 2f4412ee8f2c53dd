/* tb-process-list.h: the processes that run on this machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TB_TYPE_PROCESS_ITEM (tb_process_item_get_type ())
G_DECLARE_FINAL_TYPE (TbProcessItem, tb_process_item, TB, PROCESS_ITEM, GObject)

gint32 tb_process_item_get_pid (TbProcessItem *self);
const char *tb_process_item_get_name (TbProcessItem *self);
const char *tb_process_item_get_command (TbProcessItem *self);

GListStore *tb_process_list_new (void);
GtkListItemFactory *tb_process_list_new_factory (void);

G_END_DECLS
