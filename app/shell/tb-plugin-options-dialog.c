/* tb-plugin-options-dialog.c: dialog for the options of an importer or exporter before it runs:
 * rows (tb-option-rows), reset, and a button that stores the options and goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "extend/options/tb-option.h"
#include "extend/plugins/tb-importer.h"
#include "shell/tb-option-rows.h"
#include "shell/tb-plugin-options-dialog.h"
#include "shell/tb-plugin-options.h"

struct _TbPluginOptionsDialog
{
  AdwDialog parent;

  GObject *plugin;
  GSettings *settings;
  TbOptionRows *rows;
  GtkButton *accept_button;
};

enum
{
  ACCEPTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbPluginOptionsDialog, tb_plugin_options_dialog, ADW_TYPE_DIALOG)

static void
tb_plugin_options_dialog_dispose (GObject *object)
{
  TbPluginOptionsDialog *self = TB_PLUGIN_OPTIONS_DIALOG (object);

  g_clear_object (&self->plugin);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tb_plugin_options_dialog_parent_class)->dispose (object);
}

static void
rows_changed (TbPluginOptionsDialog *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "options.accept",
                                 tb_option_rows_is_valid (self->rows));
}

static void
show_options (TbPluginOptionsDialog *self)
{
  g_auto (GStrv) names = tb_plugin_options_list (self->plugin);

  tb_option_rows_set_plugin (self->rows, self->plugin, (const char *const *) names);
  rows_changed (self);
}

static void
accept_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbPluginOptionsDialog *self = TB_PLUGIN_OPTIONS_DIALOG (widget);

  tb_plugin_options_store (self->plugin, self->settings);
  g_signal_emit (self, signals[ACCEPTED], 0);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
reset_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbPluginOptionsDialog *self = TB_PLUGIN_OPTIONS_DIALOG (widget);
  g_autoptr (GObject) fresh = tb_plugin_options_create_again (self->plugin);
  g_auto (GStrv) names = tb_plugin_options_list (self->plugin);

  if (fresh == NULL)
    return;
  tb_option_copy (fresh, self->plugin, (const char *const *) names);
  show_options (self);
}

static void
tb_plugin_options_dialog_class_init (TbPluginOptionsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_OPTION_ROWS);
  G_OBJECT_CLASS (klass)->dispose = tb_plugin_options_dialog_dispose;
  /* Emitted when the plug-in has the options and may run; a dialog that is closed without it was
   * cancelled. */
  signals[ACCEPTED] = g_signal_new ("accepted", TB_TYPE_PLUGIN_OPTIONS_DIALOG, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/tailback/Tailback/tb-plugin-options-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbPluginOptionsDialog, rows);
  gtk_widget_class_bind_template_child (widget_class, TbPluginOptionsDialog, accept_button);
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
  gtk_widget_class_install_action (widget_class, "options.accept", NULL, accept_action);
  gtk_widget_class_install_action (widget_class, "options.reset", NULL, reset_action);
}

static void
tb_plugin_options_dialog_init (TbPluginOptionsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->rows, "changed", G_CALLBACK (rows_changed), self,
                           G_CONNECT_SWAPPED);
}

/**
 * tb_plugin_options_dialog_new:
 * @plugin: an importer or exporter with options, which has not run
 * @settings: settings of the application, with the options of its last run
 * @title: title of the dialog
 * @label: label of the button that goes on, with a mnemonic
 *
 * Returns: a dialog that changes the options of @plugin; it emits `accepted` when the user goes on
 */
AdwDialog *
tb_plugin_options_dialog_new (GObject *plugin,
                              GSettings *settings,
                              const char *title,
                              const char *label)
{
  TbPluginOptionsDialog *self = g_object_new (TB_TYPE_PLUGIN_OPTIONS_DIALOG, NULL);
  g_autofree char *description = NULL;
  g_autofree char *name = tb_plugin_options_dup_name (plugin, &description);
  g_autofree char *heading = g_markup_escape_text (name, -1);
  g_autofree char *escaped = description != NULL ? g_markup_escape_text (description, -1) : NULL;

  self->plugin = g_object_ref (plugin);
  self->settings = g_object_ref (settings);
  adw_dialog_set_title (ADW_DIALOG (self), title);
  if (TB_IS_IMPORTER (plugin)) /* the title names the file, that of an exporter the plug-in */
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self->rows), heading);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self->rows), escaped);
  gtk_button_set_label (self->accept_button, label);
  tb_plugin_options_restore (plugin, settings);
  show_options (self);
  return ADW_DIALOG (self);
}
