/* tb-process-list.h: processes to choose from, running on this machine or in a recording: item
 * with PID, name and command line, list of the running ones, rows that show them, search by text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TB_TYPE_PROCESS_ITEM (tb_process_item_get_type ())
G_DECLARE_FINAL_TYPE (TbProcessItem, tb_process_item, TB, PROCESS_ITEM, GObject)

TbProcessItem *tb_process_item_new (guint32 id, gint32 pid, const char *name, const char *command);
guint32 tb_process_item_get_id (TbProcessItem *self);
gint32 tb_process_item_get_pid (TbProcessItem *self);
const char *tb_process_item_get_name (TbProcessItem *self);
const char *tb_process_item_get_command (TbProcessItem *self);

GListStore *tb_process_list_new (char **problem);
GtkListItemFactory *tb_process_list_new_factory (void);
GtkSelectionModel *tb_process_list_new_search (GListModel *processes, GtkSearchEntry *search);

G_END_DECLS
