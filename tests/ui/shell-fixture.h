/* shell-fixture.h: the application in the test's own process, and user actions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/tb-application.h"
#include "shell/window/tb-window.h"

G_BEGIN_DECLS

void shell_init (int *argc, char ***argv);
TbApplication *shell_get_application (void);

/* Runs the main loop until condition is true; after a minute the test fails. */
typedef gboolean (*ShellCondition) (gpointer data);
void shell_wait (ShellCondition condition, gpointer data, const char *what);

TbWindow *shell_new_window (void);
void shell_close_window (TbWindow *window);
GFile *shell_inbox (void);
GFile *shell_temporary (const char *name);
/* Events as CSV: 800 short reads, and 40 of up to this length that another thread delays. The 40
 * have similar lengths, or spread ones. */
#define SHELL_LONGEST_READ_US 4099
GFile *shell_write_reads (gboolean spread);
TbDocument *shell_open (TbWindow *window, GFile *file);
void shell_wait_settled (TbDocument *document);
guint32 shell_find_thread (TbDocument *document, const char *name);
void shell_activate (TbWindow *window, const char *action, GVariant *parameter);
/* Shows a report with a figure of every kind, of the plug-in for tests. */
TbDocument *shell_open_every_figure (TbWindow *window);
void shell_show_figure (TbWindow *window, const char *id);
gboolean shell_is_enabled (TbWindow *window, const char *action);

/* The mapped widget below root with that type name, and with that label, title, text or else
 * tooltip (NULL: any). */
GtkWidget *shell_find (GtkWidget *root, const char *type_name, const char *text);
GtkWidget *shell_find_text (GtkWidget *root, const char *part);
/* Waits until the text is shown. */
void shell_wait_text (GtkWidget *root, const char *part);

/* A window with the timeline of the inbox recording in front, for tests of keys and mouse. */
typedef struct
{
  TbWindow *window;
  TbDocument *document;
  TbFocus *focus;
  GtkWidget *view;
} ShellTimeline;

void shell_timeline_set_up (ShellTimeline *self, gconstpointer data);
void shell_timeline_tear_down (ShellTimeline *self, gconstpointer data);

/* If TAILBACK_PICTURES names a folder, writes NAME.png there when the window is drawn. */
void shell_picture (TbWindow *window, const char *name);

G_END_DECLS
