/* shell-dialogs.h: user actions in the dialogs of the application: files, questions, preferences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell-fixture.h"

G_BEGIN_DECLS

/* Chooses files in GTK's own file dialog, which is used without a portal. The files are given by
 * name in folder (NULL: the current one). Without names the dialog is cancelled. */
void shell_choose_files (TbWindow *window,
                         const char *action,
                         GVariant *parameter,
                         GFile *folder,
                         const char *const *names);

typedef enum
{
  SHELL_SAVE_CANCEL,
  SHELL_SAVE_NEW,     /* no such file exists */
  SHELL_SAVE_REPLACE, /* the file exists and is replaced */
  SHELL_SAVE_KEEP,    /* the file exists and stays: the dialog is cancelled */
} ShellSave;

/* Types the folder and the name. Returns the suggested name. action NULL: the dialog was requested
 * already. */
char *shell_save (TbWindow *window,
                  const char *action,
                  GVariant *parameter,
                  GFile *folder,
                  const char *name,
                  ShellSave how);

/* Waits for a question or error dialog of the application, and presses the button with that label.
 * Returns the text of the dialog: heading and body. */
char *shell_answer (TbWindow *window, const char *label);

GtkWidget *shell_open_preferences (TbWindow *window, const char *page);
void shell_close_dialog (TbWindow *window);
/* Finds a row by its title, visible or not. */
GtkWidget *shell_find_row (GtkWidget *root, GType type, const char *title);
/* Adds a folder with programs in the preferences, by typing its path. */
void shell_add_symbol_folder (TbWindow *window, const char *folder);

G_END_DECLS
