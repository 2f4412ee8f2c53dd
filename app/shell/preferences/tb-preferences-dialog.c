/* tb-preferences-dialog.c: preferences dialog: appearance, keys, restoring of recordings, inlined
 * functions, debuginfod servers with check of their addresses, folders with symbols
 * (tb-symbols-group), list of all plug-ins with switches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-engine.h"
#include "shell/preferences/tb-preferences-dialog.h"
#include "shell/tb-described-combo.h"
#include "shell/preferences/tb-symbols-group.h"
#include "symbols/debuginfod/tb-debuginfod.h"

#define KEY_DISABLED "disabled-plugins"
#define KEY_PLUGIN "tb-plugin"

struct _TbPreferencesDialog
{
  AdwPreferencesDialog parent;

  GSettings *settings;
  AdwComboRow *style_row;
  AdwComboRow *palette_row;
  AdwComboRow *keys_row;
  AdwSwitchRow *restore_row;
  AdwSwitchRow *inline_row;
  AdwSwitchRow *debuginfod_row;
  AdwEntryRow *servers_row;
  TbSymbolsGroup *symbols_group;
  AdwPreferencesGroup *collectors_group;
  AdwPreferencesGroup *importers_group;
  AdwPreferencesGroup *analyses_group;
  AdwPreferencesGroup *exporters_group;
  AdwPreferencesGroup *misplaced_group;
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
palette_changed (TbPreferencesDialog *self)
{
  g_settings_set_enum (self->settings, "palette",
                       (int) adw_combo_row_get_selected (self->palette_row));
}

static void
keys_changed (TbPreferencesDialog *self)
{
  g_settings_set_enum (self->settings, "key-layout",
                       (int) adw_combo_row_get_selected (self->keys_row));
}

static void
tb_preferences_dialog_class_init (TbPreferencesDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_SYMBOLS_GROUP);
  G_OBJECT_CLASS (klass)->dispose = tb_preferences_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-preferences-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, style_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, palette_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, keys_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, restore_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, inline_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, debuginfod_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, servers_row);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, symbols_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, collectors_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, importers_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, analyses_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, exporters_group);
  gtk_widget_class_bind_template_child (widget_class, TbPreferencesDialog, misplaced_group);
}

static void
tb_preferences_dialog_init (TbPreferencesDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  tb_described_combo_show_whole (self->style_row);
  tb_described_combo_show_whole (self->palette_row);
  tb_described_combo_show_whole (self->keys_row);
}

/* Other entries stay in the list, including those of plug-ins that are not installed now. */
static void
plugin_switched (TbPreferencesDialog *self, GParamSpec *pspec, GtkSwitch *toggle)
{
  const char *name = g_object_get_data (G_OBJECT (toggle), KEY_PLUGIN);
  g_auto (GStrv) before = g_settings_get_strv (self->settings, KEY_DISABLED);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) after = NULL;

  for (guint i = 0; before[i] != NULL; i++)
    if (strcmp (before[i], name) != 0)
      g_strv_builder_add (builder, before[i]);
  if (!gtk_switch_get_active (toggle))
    g_strv_builder_add (builder, name);
  after = g_strv_builder_end (builder);
  g_settings_set_strv (self->settings, KEY_DISABLED, (const char *const *) after);
}

static void
add_switch (TbPreferencesDialog *self, AdwActionRow *row, const TbPluginInfo *info)
{
  GtkWidget *toggle = gtk_switch_new ();

  gtk_switch_set_active (GTK_SWITCH (toggle), !info->disabled);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  g_object_set_data_full (G_OBJECT (toggle), KEY_PLUGIN,
                          g_strconcat (info->kind, "/", info->id, NULL), g_free);
  g_signal_connect_object (toggle, "notify::active", G_CALLBACK (plugin_switched), self,
                           G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (row, toggle);
  adw_action_row_set_activatable_widget (row, toggle);
}

/* What the plug-in does, or why it cannot be used, and where it comes from if it is not ours. */
static char *
describe_plugin (const TbPluginInfo *info)
{
  const char *text = info->error != NULL ? info->error : info->description;
  g_autofree char *origin = NULL;

  if (info->origin == TB_PLUGIN_BUILT_IN)
    return g_strdup (text != NULL ? text : "");
  origin = tb_plugin_info_describe_origin (info);
  return text != NULL && *text != '\0' ? g_strdup_printf ("%s\n%s", text, origin)
                                       : g_steal_pointer (&origin);
}

static GtkWidget *
make_plugin_row (TbPreferencesDialog *self, const TbPluginInfo *info)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *text = describe_plugin (info);
  GtkWidget *id = gtk_label_new (info->id);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 info->name != NULL ? info->name : info->id);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  adw_action_row_set_subtitle_selectable (ADW_ACTION_ROW (row), info->error != NULL);
  gtk_widget_add_css_class (id, "dimmed");
  gtk_widget_add_css_class (id, "caption");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), id);
  add_switch (self, ADW_ACTION_ROW (row), info);
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
  TbEngine *engine = tb_engine_get_default ();
  g_autoptr (GPtrArray) plugins = tb_engine_list (engine);
  g_autoptr (GPtrArray) analyses = tb_engine_list_analyses (engine);
  const struct
  {
    const char *kind;
    AdwPreferencesGroup *group;
    GPtrArray *list;
  } groups[] = {
    { "collector", self->collectors_group, plugins },
    { "importer", self->importers_group, plugins },
    { "analysis", self->analyses_group, analyses },
    { "exporter", self->exporters_group, plugins },
  };

  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      guint n = 0;

      for (guint i = 0; i < groups[g].list->len; i++)
        {
          const TbPluginInfo *info = g_ptr_array_index (groups[g].list, i);

          if (g_strcmp0 (info->kind, groups[g].kind) != 0)
            continue;
          adw_preferences_group_add (groups[g].group, make_plugin_row (self, info));
          n++;
        }
      if (n == 0)
        adw_preferences_group_set_description (groups[g].group, _ ("None found"));
    }
}

/* Plug-ins that lie where none is searched: the author looks for them here. */
static void
list_misplaced (TbPreferencesDialog *self)
{
  const char *const *sentences = tb_engine_list_misplaced (tb_engine_get_default ());

  for (guint i = 0; sentences[i] != NULL; i++)
    {
      GtkWidget *row = adw_action_row_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), sentences[i]);
      adw_preferences_row_set_title_selectable (ADW_PREFERENCES_ROW (row), TRUE);
      adw_preferences_group_add (self->misplaced_group, row);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->misplaced_group), sentences[0] != NULL);
}

/* Every word of the text must be an address, so that none is silently left out. */
static gboolean
are_servers (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) server = tb_debuginfod_list_servers (words[i]);

      if (words[i][0] != '\0' && server[0] == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
servers_changed (TbPreferencesDialog *self)
{
  gboolean valid = are_servers (gtk_editable_get_text (GTK_EDITABLE (self->servers_row)));

  if (valid)
    gtk_widget_remove_css_class (GTK_WIDGET (self->servers_row), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->servers_row), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->servers_row), GTK_ACCESSIBLE_STATE_INVALID,
                               valid ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE,
                               -1);
}

static void
servers_applied (TbPreferencesDialog *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->servers_row));

  if (are_servers (text))
    g_settings_set_string (self->settings, "debuginfod-servers", text);
}

static void
bind_debuginfod (TbPreferencesDialog *self)
{
  g_autofree char *servers = g_settings_get_string (self->settings, "debuginfod-servers");

  g_settings_bind (self->settings, "debuginfod", self->debuginfod_row, "active",
                   G_SETTINGS_BIND_DEFAULT);
  gtk_editable_set_text (GTK_EDITABLE (self->servers_row), servers);
  g_signal_connect_object (self->servers_row, "changed", G_CALLBACK (servers_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->servers_row, "apply", G_CALLBACK (servers_applied), self,
                           G_CONNECT_SWAPPED);
}

/**
 * tb_preferences_dialog_new:
 * @settings: settings of the application
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
  adw_combo_row_set_selected (self->palette_row, (guint) g_settings_get_enum (settings, "palette"));
  g_signal_connect_object (self->palette_row, "notify::selected", G_CALLBACK (palette_changed),
                           self, G_CONNECT_SWAPPED);
  adw_combo_row_set_selected (self->keys_row, (guint) g_settings_get_enum (settings, "key-layout"));
  g_signal_connect_object (self->keys_row, "notify::selected", G_CALLBACK (keys_changed), self,
                           G_CONNECT_SWAPPED);
  g_settings_bind (settings, "restore-session", self->restore_row, "active",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "inline-frames", self->inline_row, "active", G_SETTINGS_BIND_DEFAULT);
  bind_debuginfod (self);
  tb_symbols_group_set_settings (self->symbols_group, settings);
  list_plugins (self);
  list_misplaced (self);
  return ADW_DIALOG (self);
}
