/* tb-recent.h: recently opened recordings, kept in the desktop's list of recent files: adding one,
 * list, menu and rows that show them; rows for other files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

GList *tb_recent_list (void);
GtkWidget *
tb_recent_make_file_row (const char *name, const char *place, const char *uri, const char *action);
GtkWidget *tb_recent_row_new (GtkRecentInfo *info, const char *action);
GMenuModel *tb_recent_menu_new (void);
void tb_recent_add (GFile *file);

G_END_DECLS
