/* tb-engine-load.c: loading of a plug-in, by its language, with every problem as its error
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>

#include "extend/plugins/tb-engine-private.h"

/* Turns a problem that libpeas would only write to stderr into an error of the plug-in. The module
 * stays loaded: its types are registered. Modules by others are bound at once: a function that this
 * version of the library does not have must not end the program when it is called. */
static gboolean
open_module (TbEnginePlugin *plugin)
{
  g_autofree char *name = g_strdup_printf ("lib%s." G_MODULE_SUFFIX, plugin->module);
  g_autofree char *path = g_build_filename (plugin->info.folder, name, NULL);
  GModuleFlags bind = plugin->info.origin == TB_PLUGIN_BUILT_IN ? G_MODULE_BIND_LAZY : 0;
  gpointer symbol;
  GModule *module;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      tb_engine_plugin_fail (plugin, _ ("its module %s does not exist"), path);
      return FALSE;
    }
  module = g_module_open (path, bind | G_MODULE_BIND_LOCAL);
  if (!module)
    {
      tb_engine_plugin_fail (plugin, _ ("its module cannot be loaded: %s"), g_module_error ());
      return FALSE;
    }
  if (!g_module_symbol (module, "peas_register_types", &symbol))
    {
      tb_engine_plugin_fail (
          plugin, _ ("“%s” is not a plug-in: the function peas_register_types() is missing"), path);
      g_module_close (module);
      return FALSE;
    }
  g_module_make_resident (module);
  return TRUE;
}

static gboolean
load (TbEngine *self, const TbEnginePlugin *plugin, PeasPluginInfo *info, char **message)
{
  return plugin->is_native ? peas_engine_load_plugin (self->peas, info)
                           : tb_engine_load_python (self, info, message);
}

gboolean
tb_engine_load (TbEngine *self, TbEnginePlugin *plugin)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  PeasPluginInfo *info;

  if (plugin->tried || plugin->info.error)
    return plugin->peas_info != NULL;
  plugin->tried = TRUE;

  if (plugin->is_native && !open_module (plugin))
    return FALSE;
  if (!plugin->is_native)
    tb_engine_prepare_python (self);
  peas_engine_add_search_path (self->peas, plugin->info.folder, plugin->info.folder);
  info = peas_engine_get_plugin_info (self->peas, plugin->module);
  if (!info)
    tb_engine_plugin_fail (plugin, _ ("its description in “%s” is invalid"), plugin->info.folder);
  else if (!load (self, plugin, info, &message))
    {
      peas_plugin_info_is_available (info, &error);
      tb_engine_plugin_fail (plugin, _ ("it cannot be loaded: %s"),
                             message != NULL ? message
                             : error != NULL ? error->message
                                             : _ ("unknown reason"));
    }
  else if (!peas_engine_provides_extension (self->peas, info, plugin->kind->get_type ()))
    tb_engine_plugin_fail (plugin,
                           _ ("it is loaded, but does not register an object of the type %s"),
                           g_type_name (plugin->kind->get_type ()));
  else
    plugin->peas_info = info;
  return plugin->peas_info != NULL;
}
