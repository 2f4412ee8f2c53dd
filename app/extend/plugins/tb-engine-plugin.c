/* tb-engine-plugin.c: plug-in that the engine found: name, description, module, language and
 * preference from the .plugin file in its folder, or why it cannot be used
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "extend/plugins/tb-engine-private.h"

#define DESCRIPTION_LENGTH_MAX (256 * 1024)

void
tb_engine_plugin_free (TbEnginePlugin *plugin)
{
  g_free ((char *) plugin->info.id);
  g_free ((char *) plugin->info.name);
  g_free ((char *) plugin->info.description);
  g_free ((char *) plugin->info.error);
  g_free (plugin->folder);
  g_free (plugin->module);
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

static char *
get_text (GKeyFile *file, const char *key)
{
  g_autofree char *text = g_key_file_get_locale_string (file, "Plugin", key, NULL, NULL);

  return text ? g_strstrip (g_steal_pointer (&text)) : NULL;
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
  plugin->info.preference = g_key_file_get_integer (file, "Plugin", "X-Preference", NULL);
  if (!plugin->module || !*plugin->module || strchr (plugin->module, G_DIR_SEPARATOR))
    tb_engine_plugin_fail (plugin, _ ("“%s” has no module (“Module=” in the group [Plugin])"),
                           path);

  loader = get_text (file, "Loader");
  plugin->is_native = !loader || g_ascii_strcasecmp (loader, "c") == 0;
  if (!plugin->is_native && g_ascii_strcasecmp (loader, "python") != 0)
    tb_engine_plugin_fail (plugin, _ ("“%s” has the unknown loader “%s”: use “C” or “python”"),
                           path, loader);
}
