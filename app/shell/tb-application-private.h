/* tb-application-private.h: struct of the application, and functions that its files share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/export/tb-screenshot.h"
#include "shell/tb-application.h"

G_BEGIN_DECLS

struct _TbApplication
{
  AdwApplication parent;

  GSettings *settings;
  TbScreenshotOptions screenshot;
  gboolean screenshot_begun;
  gboolean restored;
  /* the list of open recordings is stored and must not change while the windows close */
  gboolean quitting;
  guint store_source; /* idle source that stores the open recordings */
  int status;
};

/* Whether it only takes a screenshot, and then quits. */
gboolean tb_application_takes_screenshot (TbApplication *self);
TbWindow *tb_application_make_window (TbApplication *self);
/* The active window, or a new one. */
TbWindow *tb_application_ensure_window (TbApplication *self);
/* Presents the window, or takes its screenshot if that is requested. */
void tb_application_present (TbApplication *self, TbWindow *window);
/* excluded: (nullable): window that is about to close */
void tb_application_store_documents (TbApplication *self, TbWindow *excluded);

/* tb-application-command-line.c */
void tb_application_add_options (TbApplication *self);
int tb_application_handle_local_options (GApplication *application, GVariantDict *dict);
/* tb-application-actions.c */
void tb_application_add_actions (TbApplication *self);
/* tb-application-settings.c: applies the settings that concern the whole process, now and when they
 * change */
void tb_application_follow_settings (TbApplication *self);

G_END_DECLS
