/* tb-engine-plugin.c: plug-in that the engine found: name, description, module, language, version
 * of the interface and preference from the .plugin file in its folder, or why it cannot be used;
 * where it comes from
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/tb-version.h"
#include "extend/plugins/tb-engine-private.h"

#define DESCRIPTION_LENGTH_MAX (256 * 1024)

void
tb_engine_plugin_clear (TbEnginePlugin *plugin)
{
  g_free ((char *) plugin->info.id);
  g_free ((char *) plugin->info.name);
  g_free ((char *) plugin->info.description);
  g_free ((char *) plugin->info.error);
  g_free ((char *) plugin->info.folder);
  g_free ((char *) plugin->info.replaces);
  g_free (plugin->module);
  g_clear_pointer (&plugin->old_errors, g_ptr_array_unref);
}

void
tb_engine_plugin_free (TbEnginePlugin *plugin)
{
  tb_engine_plugin_clear (plugin);
  g_free (plugin);
}

void
tb_engine_plugin_fail (TbEnginePlugin *plugin, const char *format, ...)
{
  va_list arguments;

  if (plugin->info.error)
    return;
  va_start (arguments, format);
  plugin->info.error = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

void
tb_engine_plugin_forgive (TbEnginePlugin *plugin)
{
  if (plugin->info.error == NULL)
    return;
  if (plugin->old_errors == NULL)
    plugin->old_errors = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (plugin->old_errors, (char *) plugin->info.error);
  plugin->info.error = NULL;
}

static char *
get_text (GKeyFile *file, const char *key)
{
  g_autofree char *text = g_key_file_get_locale_string (file, "Plugin", key, NULL, NULL);

  return text ? g_strstrip (g_steal_pointer (&text)) : NULL;
}

/* A plug-in for another interface could call functions that do not exist here, or be called in
 * another way than it expects. */
static void
check_interface (TbEnginePlugin *plugin, GKeyFile *file)
{
  g_autofree char *text = g_key_file_get_string (file, "Plugin", "X-Tailback-API", NULL);
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (g_strstrip (text), -1) : NULL;
  guint64 version;

  if (valid == NULL || *valid == '\0')
    tb_engine_plugin_fail (plugin,
                           _ ("it does not state for which version of the plug-in interface it was "
                              "made; its author adds the line “X-Tailback-API=%d” to its "
                              "description if it was made for this one"),
                           TB_API_VERSION);
  else if (!g_ascii_string_to_unsigned (valid, 10, 0, G_MAXINT, &version, NULL))
    tb_engine_plugin_fail (plugin,
                           _ ("its description has the line “X-Tailback-API=%s”, which is not a "
                              "version of the plug-in interface; it must be “X-Tailback-API=%d”"),
                           valid, TB_API_VERSION);
  else if (version != TB_API_VERSION)
    tb_engine_plugin_fail (plugin,
                           _ ("it was made for version %d of the plug-in interface, but this "
                              "Tailback has version %d; install a plug-in for this version"),
                           (int) version, TB_API_VERSION);
}

/* Reads ID.plugin before libpeas does, so that errors in it can be reported. */
void
tb_engine_plugin_read_description (TbEnginePlugin *plugin, const char *path)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *loader = NULL;
  GStatBuf status;

  if (g_stat (path, &status) == 0 && status.st_size > DESCRIPTION_LENGTH_MAX)
    {
      tb_engine_plugin_fail (plugin, _ ("“%s” is too long for the description of a plug-in"), path);
      return;
    }
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error))
    {
      tb_engine_plugin_fail (plugin, _ ("“%s” cannot be read: %s"), path, error->message);
      return;
    }
  plugin->module = get_text (file, "Module");
  plugin->info.name = get_text (file, "Name");
  plugin->info.description = get_text (file, "Description");
  /* A plug-in of a user cannot pass for one of ours. */
  if ((plugin->info.origin == TB_PLUGIN_SYSTEM || plugin->info.origin == TB_PLUGIN_PATH)
      && g_key_file_get_boolean (file, "Plugin", "Builtin", NULL))
    plugin->info.origin = TB_PLUGIN_BUILT_IN;
  plugin->info.preference = g_key_file_get_integer (file, "Plugin", "X-Preference", NULL);
  if (!plugin->module || !*plugin->module || strchr (plugin->module, G_DIR_SEPARATOR))
    tb_engine_plugin_fail (plugin, _ ("“%s” has no module (“Module=” in the group [Plugin])"),
                           path);

  loader = get_text (file, "Loader");
  plugin->is_native = !loader || g_ascii_strcasecmp (loader, "c") == 0;
  if (!plugin->is_native && g_ascii_strcasecmp (loader, "python") != 0)
    tb_engine_plugin_fail (plugin, _ ("“%s” has the unknown loader “%s”: use “C” or “python”"),
                           path, loader);
  check_interface (plugin, file);
}

/**
 * tb_plugin_origin_get_name:
 * @origin: an origin
 *
 * Gets the name of an origin in JSON.
 *
 * Returns: the stable name that is used in JSON: "built-in", "system", "user", "flatpak", "path"
 */
const char *
tb_plugin_origin_get_name (TbPluginOrigin origin)
{
  static const char *const names[] = {
    [TB_PLUGIN_BUILT_IN] = "built-in", [TB_PLUGIN_SYSTEM] = "system", [TB_PLUGIN_USER] = "user",
    [TB_PLUGIN_FLATPAK] = "flatpak",   [TB_PLUGIN_PATH] = "path",
  };

  g_return_val_if_fail ((guint) origin < G_N_ELEMENTS (names), "path");

  return names[origin];
}

/**
 * tb_plugin_info_describe_origin:
 * @info: a plug-in
 *
 * Describes where a plug-in comes from.
 *
 * Returns: (transfer full): where it comes from, and which plug-in of the same name is not used, as
 *   one line for people
 */
char *
tb_plugin_info_describe_origin (const TbPluginInfo *info)
{
  static const char *const formats[] = {
    [TB_PLUGIN_BUILT_IN] = N_ ("built in, from %s"),
    [TB_PLUGIN_SYSTEM] = N_ ("installed for all users, from %s"),
    [TB_PLUGIN_USER] = N_ ("installed by this user, from %s"),
    [TB_PLUGIN_FLATPAK] = N_ ("Flatpak extension, from %s"),
    [TB_PLUGIN_PATH] = N_ ("found by TAILBACK_PLUGIN_PATH, from %s"),
  };
  g_autofree char *origin = NULL;

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail ((guint) info->origin < G_N_ELEMENTS (formats), NULL);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  origin = g_strdup_printf (_ (formats[info->origin]), info->folder);
#pragma GCC diagnostic pop
  if (info->replaces_built_in)
    return g_strdup_printf (_ ("%s; it has the name of a built-in plug-in, which is not used: "
                               "remove or rename this one to use the built-in one again"),
                            origin);
  if (info->replaces != NULL)
    return g_strdup_printf (_ ("%s; the plug-in of the same name in %s is not used"), origin,
                            info->replaces);
  return g_steal_pointer (&origin);
}
