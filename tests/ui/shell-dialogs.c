/* shell-dialogs.c: user actions in the dialogs of the application: files, questions, preferences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-dialogs.h"

/* --- files --- */

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static GtkWidget *
find_chooser (void)
{
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();

  for (GList *l = toplevels; l != NULL; l = l->next)
    if (GTK_IS_FILE_CHOOSER_DIALOG (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
has_chooser (gpointer data)
{
  return find_chooser () != NULL;
}

static gboolean
has_no_chooser (gpointer data)
{
  return find_chooser () == NULL;
}

typedef struct
{
  GtkSelectionModel *rows;
  const char *name;
  guint position;
} FileWait;

static gboolean
is_listed (gpointer data)
{
  FileWait *listed = data;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (listed->rows)); i++)
    {
      g_autoptr (GFileInfo) info = g_list_model_get_item (G_LIST_MODEL (listed->rows), i);

      listed->position = i;
      if (g_strcmp0 (g_file_info_get_name (info), listed->name) == 0)
        return TRUE;
    }
  return FALSE;
}

static GtkWidget *
find_active (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget)))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_active (child);
  return found;
}

/* Checks that the folder is shown: GTK 4.18 crashes if the dialog is closed while it looks the
 * folder up. */
static gboolean
is_folder_shown (gpointer chooser)
{
  GtkWidget *path = shell_find (chooser, "GtkPathBar", NULL);
  GtkWidget *button = path != NULL ? find_active (path) : NULL;
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (chooser));
  g_autofree char *name = folder != NULL ? g_file_get_basename (folder) : NULL;

  return name != NULL && button != NULL && shell_find (button, "GtkLabel", name) != NULL;
}

static GtkWidget *
open_chooser (TbWindow *window, const char *action, GVariant *parameter, GFile *folder)
{
  g_autoptr (GError) error = NULL;
  GtkWidget *chooser;

  if (action != NULL)
    shell_activate (window, action, parameter);
  shell_wait (has_chooser, NULL, "the dialog for files");
  chooser = find_chooser ();
  g_assert_true (gtk_window_get_transient_for (GTK_WINDOW (chooser)) == GTK_WINDOW (window));
  if (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (chooser)) == GTK_FILE_CHOOSER_ACTION_SAVE)
    shell_wait (is_folder_shown, chooser, "its folder");
  if (folder == NULL)
    return chooser;
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, &error);
  g_assert_no_error (error);
  shell_wait (is_folder_shown, chooser, "the folder");
  return chooser;
}

static void
respond (GtkWidget *chooser, GtkResponseType response)
{
  g_signal_emit_by_name (gtk_dialog_get_widget_for_response (GTK_DIALOG (chooser), response),
                         "clicked");
}

void
shell_choose_files (TbWindow *window,
                    const char *action,
                    GVariant *parameter,
                    GFile *folder,
                    const char *const *names)
{
  GtkWidget *chooser = open_chooser (window, action, parameter, folder);
  GtkWidget *list = shell_find (chooser, "GtkColumnView", NULL);

  g_assert_true (gtk_file_chooser_get_select_multiple (GTK_FILE_CHOOSER (chooser)));
  g_assert_nonnull (list);
  for (guint i = 0; names[i] != NULL; i++)
    {
      FileWait listed = { gtk_column_view_get_model (GTK_COLUMN_VIEW (list)), names[i], 0 };

      shell_wait (is_listed, &listed, names[i]);
      gtk_selection_model_select_item (listed.rows, listed.position, i == 0);
    }
  respond (chooser, names[0] != NULL ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_CANCEL);
  shell_wait (has_no_chooser, NULL, "the dialog to close");
}

/* Finds the button of GTK's question whether to replace the file. */
static GtkWidget *
find_replace_button (void)
{
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  GtkWidget *button = NULL;

  for (GList *l = toplevels; l != NULL && button == NULL; l = l->next)
    if (!GTK_IS_FILE_CHOOSER_DIALOG (l->data) && gtk_widget_get_mapped (l->data))
      button = shell_find (l->data, "GtkButton", "_Replace");
  return button;
}

static gboolean
is_replace_question_shown (gpointer data)
{
  return find_replace_button () != NULL;
}

static gboolean
is_replace_question_closed (gpointer data)
{
  return find_replace_button () == NULL;
}

static void
answer_replace (GtkWidget *chooser, gboolean replace)
{
  GtkWidget *button;

  shell_wait (is_replace_question_shown, NULL, "the question whether to replace what is there");
  button = find_replace_button ();
  if (!replace)
    button = shell_find (GTK_WIDGET (gtk_widget_get_root (button)), "GtkButton", "_Cancel");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  shell_wait (is_replace_question_closed, NULL, "the end of the question");
  if (!replace)
    {
      g_assert_true (gtk_widget_get_mapped (chooser)); /* for another name */
      respond (chooser, GTK_RESPONSE_CANCEL);
    }
}

/* Types the name with its folder, so that GTK need not list the folder. */
static void
type_name (GtkWidget *chooser, GFile *folder, const char *name)
{
  g_autofree char *path = g_build_filename (g_file_peek_path (folder), name, NULL);

  gtk_editable_set_text (GTK_EDITABLE (shell_find (chooser, "GtkFileChooserEntry", NULL)), path);
}

char *
shell_save (TbWindow *window,
            const char *action,
            GVariant *parameter,
            GFile *folder,
            const char *name,
            ShellSave how)
{
  GtkWidget *chooser = open_chooser (window, action, parameter, NULL);
  char *suggested = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (chooser));

  g_assert_cmpint (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (chooser)), ==,
                   GTK_FILE_CHOOSER_ACTION_SAVE);
  if (how != SHELL_SAVE_CANCEL)
    type_name (chooser, folder, name);
  respond (chooser, how == SHELL_SAVE_CANCEL ? GTK_RESPONSE_CANCEL : GTK_RESPONSE_ACCEPT);
  if (how == SHELL_SAVE_REPLACE || how == SHELL_SAVE_KEEP)
    answer_replace (chooser, how == SHELL_SAVE_REPLACE);
  shell_wait (has_no_chooser, NULL, "the dialog to close");
  return suggested;
}

G_GNUC_END_IGNORE_DEPRECATIONS

/* --- questions --- */

typedef struct
{
  TbWindow *window;
  const char *label;
} Question;

static gboolean
is_question_shown (gpointer data)
{
  const Question *question = data;
  GtkWidget *dialog = shell_find (GTK_WIDGET (question->window), "AdwAlertDialog", NULL);
  GtkWidget *button = dialog != NULL ? shell_find (dialog, "GtkButton", question->label) : NULL;

  return button != NULL && gtk_widget_get_mapped (button);
}

static gboolean
is_answered (gpointer window)
{
  return shell_find (window, "AdwAlertDialog", NULL) == NULL;
}

char *
shell_answer (TbWindow *window, const char *label)
{
  Question question = { window, label };
  GtkWidget *dialog;
  char *text;

  shell_wait (is_question_shown, &question, "the question");
  dialog = shell_find (GTK_WIDGET (window), "AdwAlertDialog", NULL);
  text = g_strdup_printf ("%s\n%s", adw_alert_dialog_get_heading (ADW_ALERT_DIALOG (dialog)),
                          adw_alert_dialog_get_body (ADW_ALERT_DIALOG (dialog)));
  g_signal_emit_by_name (shell_find (dialog, "GtkButton", label), "clicked");
  shell_wait (is_answered, window, "the end of the question");
  return text;
}

/* --- preferences --- */

GtkWidget *
shell_open_preferences (TbWindow *window, const char *page)
{
  GtkWidget *dialog;

  g_action_group_activate_action (G_ACTION_GROUP (shell_get_application ()), "preferences", NULL);
  dialog = shell_find (GTK_WIDGET (window), "TbPreferencesDialog", NULL);
  g_assert_nonnull (dialog);
  if (page != NULL)
    adw_preferences_dialog_set_visible_page_name (ADW_PREFERENCES_DIALOG (dialog), page);
  return dialog;
}

void
shell_close_dialog (TbWindow *window)
{
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
}

GtkWidget *
shell_find_row (GtkWidget *root, GType type, const char *title)
{
  GtkWidget *found = NULL;

  if (g_type_is_a (G_OBJECT_TYPE (root), type)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = shell_find_row (child, type, title);
  return found;
}

void
shell_add_symbol_folder (TbWindow *window, const char *folder)
{
  GtkWidget *dialog = shell_open_preferences (window, NULL);
  GtkWidget *row = shell_find_row (dialog, ADW_TYPE_ENTRY_ROW, "Add a folder");

  g_assert_nonnull (row);
  gtk_editable_set_text (GTK_EDITABLE (row), folder);
  g_signal_emit_by_name (row, "apply");
  shell_close_dialog (window);
}
