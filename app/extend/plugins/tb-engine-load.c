/* tb-engine-load.c: loading of a plug-in, by its language, with every problem as its error; again
 * after a change of its files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <gmodule.h>

#include "extend/plugins/tb-engine-private.h"
#include "extend/tb-plugin-private.h"

static void
fail_without_object (TbEnginePlugin *plugin, const char *message)
{
  const char *type = g_type_name (plugin->kind->get_type ());

  if (message != NULL)
    tb_engine_plugin_fail (plugin,
                           _ ("it is loaded, but does not register an object of the type %s: %s"),
                           type, message);
  else
    tb_engine_plugin_fail (plugin,
                           _ ("it is loaded, but does not register an object of the type %s"),
                           type);
}

static char *
get_library (const TbEnginePlugin *plugin)
{
  g_autofree char *name = g_strdup_printf ("lib%s." G_MODULE_SUFFIX, plugin->module);

  return g_build_filename (plugin->info.folder, name, NULL);
}

/* Turns a problem that libpeas would only write to stderr into an error of the plug-in. The module
 * stays loaded: its types are registered. Modules by others are bound at once: a function that this
 * version of the library does not have must not end the program when it is called. */
static gboolean
open_module (TbEnginePlugin *plugin)
{
  g_autofree char *path = get_library (plugin);
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

/* ---- changes of its files ---- */

static guint64
add_file_state (guint64 state, const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return state;
  /* A sum: a folder is read in any order. */
  return state + (guint64) status.st_mtim.tv_sec * G_USEC_PER_SEC * 1000
         + (guint64) status.st_mtim.tv_nsec + (guint64) status.st_size * 31
         + (guint64) g_str_hash (path);
}

/* All its modules in Python: one may be used by another. */
static guint64
get_state_of_scripts (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint64 state = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".py"))
        state = add_file_state (state, path);
    }
  return state;
}

static guint64
get_state (const TbEnginePlugin *plugin)
{
  g_autofree char *library = NULL;

  if (!plugin->is_native)
    return get_state_of_scripts (plugin->info.folder);
  library = get_library (plugin);
  return add_file_state (0, library);
}

gboolean
tb_engine_plugin_has_changed (const TbEnginePlugin *plugin)
{
  return plugin->tried && plugin->info.origin != TB_PLUGIN_BUILT_IN
         && get_state (plugin) != plugin->state;
}

/* libpeas loads a module once. A type cannot be removed: the new module has types of other
 * names, and objects of the old ones continue to work. */
static void
load_again (TbEnginePlugin *plugin)
{
  g_autofree char *exception = NULL;

  plugin->state = get_state (plugin);
  tb_plugin_set_exception (NULL);
  plugin->type = tb_plugin_import (plugin->module, plugin->info.folder, plugin->kind->get_type ());
  exception = tb_plugin_take_exception ();
  tb_engine_plugin_forgive (plugin);
  if (plugin->type == G_TYPE_INVALID && exception != NULL)
    tb_engine_plugin_fail (plugin, _ ("it cannot be loaded: %s"), exception);
  else if (plugin->type == G_TYPE_INVALID)
    fail_without_object (plugin, NULL);
}

/* ---- loading ---- */

static void
take_message (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  char **text = data;

  /* A message inside a handler would end the program. */
  if (*text == NULL)
    *text = g_strdup (message);
}

gboolean
tb_engine_load_and_listen (TbEngine *self,
                           PeasPluginInfo *info,
                           const char *const *domains,
                           guint n_domains,
                           char **message)
{
  g_autofree guint *handlers = g_new (guint, n_domains);
  gboolean loaded;

  for (guint i = 0; i < n_domains; i++)
    handlers[i] = g_log_set_handler (domains[i],
                                     G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL,
                                     take_message, message);
  loaded = peas_engine_load_plugin (self->peas, info);
  for (guint i = 0; i < n_domains; i++)
    g_log_remove_handler (domains[i], handlers[i]);
  return loaded;
}

/* A type that cannot be registered, because its name is too short or that of another one, is a
 * message of GObject only. */
static gboolean
load (TbEngine *self, const TbEnginePlugin *plugin, PeasPluginInfo *info, char **message)
{
  static const char *const domains[] = { "GLib-GObject", "GLib", "libpeas" };

  return plugin->is_native
             ? tb_engine_load_and_listen (self, info, domains, G_N_ELEMENTS (domains), message)
             : tb_engine_load_python (self, info, message);
}

/* Why libpeas could not load it. */
static void
fail_to_load (TbEnginePlugin *plugin, PeasPluginInfo *info, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *no_python = NULL;

  peas_plugin_info_is_available (info, &error);
  if (!plugin->is_native
      && g_error_matches (error, PEAS_PLUGIN_INFO_ERROR, PEAS_PLUGIN_INFO_ERROR_LOADER_NOT_FOUND))
    message = no_python = tb_engine_describe_missing_python ();
  tb_engine_plugin_fail (plugin, _ ("it cannot be loaded: %s"),
                         message != NULL ? message
                         : error != NULL ? error->message
                                         : _ ("unknown reason"));
}

gboolean
tb_engine_load (TbEngine *self, TbEnginePlugin *plugin)
{
  g_autofree char *message = NULL;
  PeasPluginInfo *info;

  if (!plugin->is_native && tb_plugin_can_import () && tb_engine_plugin_has_changed (plugin))
    load_again (plugin);
  if (plugin->tried || plugin->info.error)
    return plugin->info.error == NULL;
  plugin->tried = TRUE;
  plugin->state = get_state (plugin);

  if (plugin->is_native && !open_module (plugin))
    return FALSE;
  if (!plugin->is_native)
    tb_engine_prepare_python (self);
  peas_engine_add_search_path (self->peas, plugin->info.folder, plugin->info.folder);
  info = peas_engine_get_plugin_info (self->peas, plugin->module);
  if (!info)
    tb_engine_plugin_fail (plugin, _ ("its description in “%s” is invalid"), plugin->info.folder);
  else if (!load (self, plugin, info, &message))
    fail_to_load (plugin, info, message);
  else if (!peas_engine_provides_extension (self->peas, info, plugin->kind->get_type ()))
    fail_without_object (plugin, message);
  else
    {
      plugin->peas_info = info;
      if (message != NULL)
        g_warning ("%s: %s", plugin->info.id, message);
    }
  return plugin->peas_info != NULL;
}
