/* tb-application.h: application: its settings and exit status; list of open recordings, stored
 * when it changes, a window closes or quitting is canceled; they, and unsaved ones, opened again
 * at the next start
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/window/tb-window.h"

G_BEGIN_DECLS

#define TB_TYPE_APPLICATION (tb_application_get_type ())
G_DECLARE_FINAL_TYPE (TbApplication, tb_application, TB, APPLICATION, AdwApplication)

TbApplication *tb_application_new (void);
GSettings *tb_application_get_settings (TbApplication *self);
int tb_application_get_status (TbApplication *self);
void tb_application_store_windows_soon (TbApplication *self);
void tb_application_handle_window_close (TbApplication *self, TbWindow *window);
void tb_application_cancel_quit (TbApplication *self);
void tb_application_restore (TbApplication *self, TbWindow *window);

G_END_DECLS
