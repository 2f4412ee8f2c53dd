/* tb-command-list.h: list of all commands that a window has at present: title, action and keys of
 * each, whether it is enabled, whether typed words match its title
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/window/tb-window.h"

G_BEGIN_DECLS

#define TB_TYPE_COMMAND_ITEM (tb_command_item_get_type ())
G_DECLARE_FINAL_TYPE (TbCommandItem, tb_command_item, TB, COMMAND_ITEM, GObject)

const char *tb_command_item_get_title (TbCommandItem *self);
const char *tb_command_item_get_action (TbCommandItem *self);
const char *tb_command_item_get_keys (TbCommandItem *self);
gboolean tb_command_item_is_enabled (TbCommandItem *self);
gboolean tb_command_item_matches (TbCommandItem *self, const char *search);

GListModel *tb_command_list_new (TbWindow *window);
const char *tb_command_list_find_title (const char *action);

G_END_DECLS
