/* shell-dialogs.h: what a user does in the dialogs of the application: files, questions, preferences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell-fixture.h"

G_BEGIN_DECLS

/* A dialog for files: the one that everybody gets who has no other. Those of folder (NULL: where it is) by name; without a
 * name it is given up. */
void shell_choose_files (TbWindow *window,
                         const char *action,
                         GVariant *parameter,
                         GFile *folder,
                         const char *const *names);

typedef enum
{
  SHELL_SAVE_GIVE_UP,
  SHELL_SAVE_NEW,     /* nothing is there */
  SHELL_SAVE_REPLACE, /* something is, and shall go */
  SHELL_SAVE_LEAVE,   /* something is, and shall stay: then the dialog is given up */
} ShellSave;

/* Types where to and as what. Returns the suggested name. */
char *shell_save (TbWindow *window,
                  const char *action,
                  GVariant *parameter,
                  GFile *folder,
                  const char *name,
                  ShellSave how);

/* Waits for the question or the refusal of the application, and answers with the button of that label. Returns what was
 * said, heading and body. */
char *shell_answer (TbWindow *window, const char *label);

GtkWidget *shell_open_preferences (TbWindow *window, const char *page);
void shell_close_dialog (TbWindow *window);
/* Shown or not; by its title. */
GtkWidget *shell_find_row (GtkWidget *root, GType type, const char *title);
/* A folder with programs, typed into the preferences. */
void shell_add_symbol_folder (TbWindow *window, const char *folder);

G_END_DECLS
