/* tb-plugin-options.c: options of an importer or exporter, which are set before each run: their
 * names, and the values of the last run, which are in the settings; name of the plug-in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "extend/plugins/tb-engine.h"
#include "extend/tb-plugin.h"
#include "shell/tb-plugin-options.h"

#define KEY "plugin-options"

static const char *
get_kind (GObject *plugin)
{
  return TB_IS_EXPORTER (plugin) ? "exporter" : "importer";
}

/* The beginning of the names of all stored options of the plug-in. */
static char *
get_prefix (GObject *plugin)
{
  return g_strdup_printf ("%s/%s/", get_kind (plugin), tb_plugin_get_id (plugin));
}

/**
 * tb_plugin_options_list:
 * @plugin: an importer or exporter
 *
 * Returns: (transfer full): the names of its options
 */
char **
tb_plugin_options_list (GObject *plugin)
{
  char **names;

  g_return_val_if_fail (TB_IS_EXPORTER (plugin) || TB_IS_IMPORTER (plugin), NULL);

  names = TB_IS_EXPORTER (plugin) ? tb_exporter_get_options (TB_EXPORTER (plugin))
                                  : tb_importer_get_options (TB_IMPORTER (plugin));
  return names != NULL ? names : g_new0 (char *, 1);
}

/**
 * tb_plugin_options_exist:
 * @plugin: an importer or exporter
 *
 * Returns: whether it has options
 */
gboolean
tb_plugin_options_exist (GObject *plugin)
{
  g_auto (GStrv) names = tb_plugin_options_list (plugin);

  return names != NULL && names[0] != NULL;
}

/**
 * tb_plugin_options_dup_name:
 * @plugin: an importer or exporter
 * @description: (out) (optional) (transfer full): what it does, in one sentence
 *
 * Returns: (transfer full): name of the plug-in for people
 */
char *
tb_plugin_options_dup_name (GObject *plugin, char **description)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());

  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);

      if (!g_str_equal (info->kind, get_kind (plugin))
          || !g_str_equal (info->id, tb_plugin_get_id (plugin)))
        continue;
      if (description != NULL)
        *description = g_strdup (info->description);
      return g_strdup (info->name != NULL && info->name[0] != '\0' ? info->name : info->id);
    }
  if (description != NULL)
    *description = NULL;
  return g_strdup (tb_plugin_get_id (plugin));
}

/**
 * tb_plugin_options_create_again:
 * @plugin: an importer or exporter
 *
 * Returns: (transfer full) (nullable): another object of the plug-in, with the defaults of its
 *   options
 */
GObject *
tb_plugin_options_create_again (GObject *plugin)
{
  TbEngine *engine = tb_engine_get_default ();
  const char *id = tb_plugin_get_id (plugin);

  if (TB_IS_EXPORTER (plugin))
    return (GObject *) tb_engine_create_exporter (engine, id, NULL);
  return (GObject *) tb_engine_create_importer (engine, id, NULL);
}

/**
 * tb_plugin_options_restore:
 * @plugin: an importer or exporter that has not run
 * @settings: settings of the application
 *
 * Sets the options to the stored values. A value that is no longer accepted leaves the default.
 */
void
tb_plugin_options_restore (GObject *plugin, GSettings *settings)
{
  g_autoptr (GVariant) stored = g_settings_get_value (settings, KEY);
  g_auto (GStrv) names = tb_plugin_options_list (plugin);
  g_autofree char *prefix = get_prefix (plugin);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *key = g_strconcat (prefix, names[i], NULL);
      const char *text;

      if (g_variant_lookup (stored, key, "&s", &text))
        tb_option_set_from_text (plugin, names[i], text, NULL);
    }
}

/* Only what differs from the defaults is stored: a newer plug-in may have other defaults. */
static void
add_changed (GVariantDict *dict, GObject *plugin, GObject *fresh, const char *prefix)
{
  g_auto (GStrv) names = tb_plugin_options_list (plugin);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *key = g_strconcat (prefix, names[i], NULL);
      g_autofree char *text = tb_option_get_as_text (plugin, names[i]);
      g_autofree char *standard = tb_option_get_as_text (fresh, names[i]);

      g_variant_dict_remove (dict, key);
      if (text != NULL && g_strcmp0 (text, standard) != 0)
        g_variant_dict_insert (dict, key, "s", text);
    }
}

/**
 * tb_plugin_options_store:
 * @plugin: an importer or exporter
 * @settings: settings of the application
 *
 * Stores the options for the next run of the plug-in.
 */
void
tb_plugin_options_store (GObject *plugin, GSettings *settings)
{
  g_autoptr (GVariant) stored = g_settings_get_value (settings, KEY);
  g_autoptr (GVariantDict) dict = g_variant_dict_new (stored);
  g_autoptr (GObject) fresh = tb_plugin_options_create_again (plugin);
  g_autofree char *prefix = get_prefix (plugin);

  if (fresh == NULL)
    return;
  add_changed (dict, plugin, fresh, prefix);
  g_settings_set_value (settings, KEY, g_variant_dict_end (dict));
}
