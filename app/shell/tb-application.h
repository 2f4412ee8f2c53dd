/* tb-application.h: the application: its one instance, what it opens, its menus
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_APPLICATION (tb_application_get_type ())
G_DECLARE_FINAL_TYPE (TbApplication, tb_application, TB, APPLICATION, AdwApplication)

TbApplication *tb_application_new (void);
GSettings *tb_application_get_settings (TbApplication *self);
int tb_application_get_status (TbApplication *self);

G_END_DECLS
