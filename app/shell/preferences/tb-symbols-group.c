/* tb-symbols-group.c: preferences group for the list of folders with symbol files: adding by path
 * or file chooser, check, removal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/preferences/tb-symbols-group.h"
#include "symbols/tb-symbol-folders.h"

#define KEY "symbol-folders"
#define KEY_FOLDER "tb-folder"

struct _TbSymbolsGroup
{
  AdwPreferencesGroup parent;

  GSettings *settings;
  GPtrArray *rows;      /* one per folder */
  AdwEntryRow *add_row; /* adds a folder */
  GtkLabel *problem;    /* error message for the folder typed in add_row */
};

G_DEFINE_FINAL_TYPE (TbSymbolsGroup, tb_symbols_group, ADW_TYPE_PREFERENCES_GROUP)

static void
tb_symbols_group_dispose (GObject *object)
{
  TbSymbolsGroup *self = TB_SYMBOLS_GROUP (object);

  g_clear_object (&self->settings);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_symbols_group_parent_class)->dispose (object);
}

static void
tb_symbols_group_class_init (TbSymbolsGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_symbols_group_dispose;
}

static void
remove_folder (TbSymbolsGroup *self, GtkWidget *button)
{
  const char *folder = g_object_get_data (G_OBJECT (button), KEY_FOLDER);
  g_auto (GStrv) folders = g_settings_get_strv (self->settings, KEY);
  g_autoptr (GStrvBuilder) left = g_strv_builder_new ();
  g_auto (GStrv) kept = NULL;

  for (guint i = 0; folders[i] != NULL; i++)
    if (strcmp (folders[i], folder) != 0)
      g_strv_builder_add (left, folders[i]);
  kept = g_strv_builder_end (left);
  g_settings_set_strv (self->settings, KEY, (const char *const *) kept);
  gtk_widget_grab_focus (GTK_WIDGET (self->add_row)); /* the focused row was removed */
}

static GtkWidget *
make_row (TbSymbolsGroup *self, const char *folder)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("list-remove-symbolic");
  g_autofree char *label = g_strdup_printf (_ ("Remove the folder %s"), folder);
  g_autofree char *shown = g_filename_display_name (folder);
  g_autoptr (GError) error = NULL;

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), shown);
  gtk_widget_set_tooltip_text (button, label);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  g_object_set_data_full (G_OBJECT (button), KEY_FOLDER, g_strdup (folder), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (remove_folder), self, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  if (!tb_symbol_folders_check (folder, &error))
    {
      GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), error->message);
      gtk_widget_add_css_class (icon, "warning");
      gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      error->message, -1);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
    }
  return row;
}

static void
fill (TbSymbolsGroup *self)
{
  g_auto (GStrv) folders = g_settings_get_strv (self->settings, KEY);

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (&self->parent, self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  /* The row that adds a folder is last. */
  g_object_ref (self->add_row);
  adw_preferences_group_remove (&self->parent, GTK_WIDGET (self->add_row));
  for (guint i = 0; folders[i] != NULL; i++)
    {
      GtkWidget *row = make_row (self, folders[i]);

      g_ptr_array_add (self->rows, row);
      adw_preferences_group_add (&self->parent, row);
    }
  adw_preferences_group_add (&self->parent, GTK_WIDGET (self->add_row));
  g_object_unref (self->add_row);
}

static void
show_problem (TbSymbolsGroup *self, const GError *error)
{
  gtk_label_set_label (self->problem, error != NULL ? error->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), error != NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->add_row), GTK_ACCESSIBLE_STATE_INVALID,
                               error != NULL ? GTK_ACCESSIBLE_INVALID_TRUE
                                             : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  if (error != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->add_row), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->add_row), "error");
}

static void
check_text (TbSymbolsGroup *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->add_row));
  g_autoptr (GError) error = NULL;

  if (text[0] != '\0')
    tb_symbol_folders_check (text, &error);
  show_problem (self, error);
}

static void
add_text (TbSymbolsGroup *self)
{
  g_autofree char *folder = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->add_row)));
  g_auto (GStrv) folders = g_settings_get_strv (self->settings, KEY);
  g_autoptr (GError) error = NULL;
  g_autoptr (GStrvBuilder) more = NULL;
  g_auto (GStrv) all = NULL;

  if (!tb_symbol_folders_check (folder, &error))
    {
      show_problem (self, error);
      return;
    }
  gtk_editable_set_text (GTK_EDITABLE (self->add_row), "");
  if (g_strv_contains ((const char *const *) folders, folder))
    return;
  more = g_strv_builder_new ();
  g_strv_builder_addv (more, (const char **) folders);
  g_strv_builder_add (more, folder);
  all = g_strv_builder_end (more);
  g_settings_set_strv (self->settings, KEY, (const char *const *) all);
}

static void
folder_chosen (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbSymbolsGroup) self = data;
  g_autoptr (GFile) file
      = gtk_file_dialog_select_folder_finish (GTK_FILE_DIALOG (source), result, NULL);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path == NULL || self->settings == NULL)
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->add_row), path);
  add_text (self);
}

static void
choose_folder (TbSymbolsGroup *self)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_file_dialog_set_title (dialog, _ ("Folder With Symbols"));
  gtk_file_dialog_select_folder (dialog, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, NULL,
                                 folder_chosen, g_object_ref (self));
}

static void
tb_symbols_group_init (TbSymbolsGroup *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("folder-open-symbolic");

  self->rows = g_ptr_array_new ();
  self->add_row = ADW_ENTRY_ROW (adw_entry_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->add_row), _ ("Add a folder"));
  adw_entry_row_set_show_apply_button (self->add_row, TRUE);
  g_signal_connect_object (self->add_row, "apply", G_CALLBACK (add_text), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->add_row, "changed", G_CALLBACK (check_text), self,
                           G_CONNECT_SWAPPED);
  self->problem = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->problem, TRUE);
  gtk_label_set_max_width_chars (self->problem, 24);
  gtk_widget_add_css_class (GTK_WIDGET (self->problem), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->problem), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  adw_entry_row_add_suffix (self->add_row, GTK_WIDGET (self->problem));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Choose a folder"));
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_object (button, "clicked", G_CALLBACK (choose_folder), self, G_CONNECT_SWAPPED);
  adw_entry_row_add_suffix (self->add_row, button);
  adw_preferences_group_add (&self->parent, GTK_WIDGET (self->add_row));
}

/**
 * tb_symbols_group_set_settings:
 * @settings: settings of the application; set only once
 */
void
tb_symbols_group_set_settings (TbSymbolsGroup *self, GSettings *settings)
{
  g_return_if_fail (TB_IS_SYMBOLS_GROUP (self) && self->settings == NULL);

  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "changed::" KEY, G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
}
