/* tb-preferences-dialog.c: how the application looks, and which plug-ins it has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/tb-engine.h"
#include "shell/tb-preferences-dialog.h"

struct _TbPreferencesDialog
{
  AdwPreferencesDialog parent;

  GSettings *settings;
  AdwComboRow *style_row;
  AdwSwitchRow *restore_row;
  AdwSwitchRow *inline_row;
  AdwPreferencesGroup *collectors_group;
  AdwPreferencesGroup *importers_group;
  AdwPreferencesGroup *analyses_group;
  AdwPreferencesGroup *exporters_group;
};

G_DEFINE_FINAL_TYPE (TbPreferencesDialog, tb_preferences_dialog, ADW_TYPE_PREFERENCES_DIALOG)

static void
tb_preferences_dialog_dispose (GObject *object)
{
  TbPreferencesDialog *self = TB_PREFERENCES_DIALOG (object);

  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tb_preferences_dialog_parent_class)->dispose (object);
}

static void
style_changed (TbPreferencesDialog *self)
{
  g_settings_set_enum (self->settings, "style", adw_combo_row_get_selected (self->style_row));
}

static void
tb_preferences_dialog_class_init (TbPreferencesDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_preferences_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-preferences-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, style_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, restore_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, inline_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, collectors_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, importers_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, analyses_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, exporters_group);
}

static void
tb_preferences_dialog_init (TbPreferencesDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static GtkWidget *
make_plugin_row (const TbPluginInfo *info)
{
  GtkWidget *row = adw_action_row_new ();
  const char *text = info->error != NULL ? info->error : info->description;
  GtkWidget *id = gtk_label_new (info->id);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), info->name != NULL ? info->name : info->id);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text != NULL ? text : "");
  adw_action_row_set_subtitle_selectable (ADW_ACTION_ROW (row), info->error != NULL);
  gtk_widget_add_css_class (id, "dimmed");
  gtk_widget_add_css_class (id, "caption");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), id);
  if (info->error != NULL)
    {
      GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

      gtk_widget_add_css_class (icon, "error");
      gtk_widget_set_tooltip_text (icon, _ ("Could not be loaded"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Could not be loaded"), -1);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
    }
  return row;
}

static void
list_plugins (TbPreferencesDialog *self)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());
  const struct
  {
    const char *kind;
    AdwPreferencesGroup *group;
  } groups[] = {
    { "collector", self->collectors_group },
    { "importer", self->importers_group },
    { "analysis", self->analyses_group },
    { "exporter", self->exporters_group },
  };

  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      guint n = 0;

      for (guint i = 0; i < plugins->len; i++)
        {
          const TbPluginInfo *info = g_ptr_array_index (plugins, i);

          if (g_strcmp0 (info->kind, groups[g].kind) != 0)
            continue;
          adw_preferences_group_add (groups[g].group, make_plugin_row (info));
          n++;
        }
      if (n == 0)
        adw_preferences_group_set_description (groups[g].group, _ ("None found"));
    }
}

/**
 * tb_preferences_dialog_new:
 * @settings: of the application
 *
 * Returns: the preferences
 */
AdwDialog *
tb_preferences_dialog_new (GSettings *settings)
{
  TbPreferencesDialog *self = g_object_new (TB_TYPE_PREFERENCES_DIALOG, NULL);

  self->settings = g_object_ref (settings);
  adw_combo_row_set_selected (self->style_row, g_settings_get_enum (settings, "style"));
  g_signal_connect_object (self->style_row, "notify::selected", G_CALLBACK (style_changed), self,
                           G_CONNECT_SWAPPED);
  g_settings_bind (settings, "restore-session", self->restore_row, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "inline-frames", self->inline_row, "active", G_SETTINGS_BIND_DEFAULT);
  list_plugins (self);
  return ADW_DIALOG (self);
}
