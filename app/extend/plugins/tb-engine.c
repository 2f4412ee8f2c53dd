/* tb-engine.c: engine that finds plug-ins in their folders, loads, lists and disables them, and
 * creates their objects
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <gmodule.h>
#include <libpeas.h>

#include "extend/plugins/tb-engine-private.h"
#include "extend/tb-plugin-private.h"

/**
 * TbEngine:
 *
 * Finds plug-ins, loads them when they are first used, and creates their objects. A plug-in that
 * cannot be loaded is listed with its error and does not affect the others.
 */
G_DEFINE_FINAL_TYPE (TbEngine, tb_engine, G_TYPE_OBJECT)

/* Whole sentences for each kind: in many languages its word determines the form of others. */
typedef struct
{
  const char *kind;
  const char *folder;
  GType (*get_type) (void);
  const char *unknown;
  const char *none;
  const char *disabled;
  const char *unusable;
} Kind;

static const Kind kinds[] = {
  { "analysis", "analyses", tb_analysis_get_type, N_ ("unknown analysis “%s”: use one of %s"),
    N_ ("unknown analysis “%s”: no analyses were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the analysis %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the analysis %s: %s") },
  { "collector", "collectors", tb_collector_get_type, N_ ("unknown collector “%s”: use one of %s"),
    N_ ("unknown collector “%s”: no collectors were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the collector %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the collector %s: %s") },
  { "exporter", "exporters", tb_exporter_get_type, N_ ("unknown exporter “%s”: use one of %s"),
    N_ ("unknown exporter “%s”: no exporters were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the exporter %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the exporter %s: %s") },
  { "importer", "importers", tb_importer_get_type, N_ ("unknown importer “%s”: use one of %s"),
    N_ ("unknown importer “%s”: no importers were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the importer %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the importer %s: %s") },
};

static const Kind *
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].kind, name) == 0)
      return &kinds[i];
  g_assert_not_reached ();
}

static GType
plugin_get_extension_type (const TbEnginePlugin *plugin)
{
  return find_kind (plugin->info.kind)->get_type ();
}

static gboolean
is_plain_name (const char *name)
{
  return name[0] != '\0' && name[0] != '.' && g_utf8_validate (name, -1, NULL)
         && !strpbrk (name, " \t\n");
}

static TbEnginePlugin *
find_plugin (TbEngine *self, const char *kind, const char *id)
{
  for (guint i = 0; i < self->plugins->len; i++)
    {
      TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (strcmp (plugin->info.kind, kind) == 0 && strcmp (plugin->info.id, id) == 0)
        return plugin;
    }
  return NULL;
}

static const TbEnginePlugin *
find_module (TbEngine *self, const TbEnginePlugin *except)
{
  for (guint i = 0; i < self->plugins->len; i++)
    {
      const TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (plugin != except && g_strcmp0 (plugin->module, except->module) == 0)
        return plugin;
    }
  return NULL;
}

static void
add_plugin (TbEngine *self, const char *kind, const char *id, const char *folder)
{
  g_autofree char *description_name = g_strconcat (id, ".plugin", NULL);
  g_autofree char *path = g_build_filename (folder, description_name, NULL);
  const TbEnginePlugin *same;
  TbEnginePlugin *plugin;

  /* A folder without a description is not a plug-in; of two with the same id the first found is
   * used. */
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || find_plugin (self, kind, id))
    return;

  plugin = g_new0 (TbEnginePlugin, 1);
  plugin->info.id = g_strdup (id);
  plugin->info.kind = kind;
  plugin->folder = g_strdup (folder);
  tb_engine_plugin_read_description (plugin, path);
  if (!plugin->info.name || !*plugin->info.name)
    {
      g_free ((char *) plugin->info.name);
      plugin->info.name = g_strdup (id);
    }
  if (!plugin->info.description)
    plugin->info.description = g_strdup ("");
  if (plugin->module && (same = find_module (self, plugin)))
    tb_engine_plugin_fail (plugin, _ ("its module has the same name “%s” as that of %s/%s"),
                           plugin->module, same->info.kind, same->info.id);
  g_ptr_array_add (self->plugins, plugin);
}

static void
scan_folder (TbEngine *self, const char *top)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_build_filename (top, kinds[i].folder, NULL);
      g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
      const char *id;

      while (folder && (id = g_dir_read_name (folder)))
        {
          g_autofree char *plugin_folder = g_build_filename (path, id, NULL);

          if (is_plain_name (id))
            add_plugin (self, kinds[i].kind, id, plugin_folder);
        }
    }
}

static int
compare_plugins (gconstpointer a, gconstpointer b)
{
  const TbEnginePlugin *one = *(TbEnginePlugin *const *) a;
  const TbEnginePlugin *two = *(TbEnginePlugin *const *) b;
  int order = strcmp (one->info.kind, two->info.kind);

  return order ? order : strcmp (one->info.id, two->info.id);
}

static void
tb_engine_finalize (GObject *object)
{
  TbEngine *self = TB_ENGINE (object);

  g_clear_pointer (&self->plugins, g_ptr_array_unref);
  g_clear_object (&self->peas);
  g_rec_mutex_clear (&self->lock);
  G_OBJECT_CLASS (tb_engine_parent_class)->finalize (object);
}

static void
tb_engine_class_init (TbEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_engine_finalize;
}

static void
tb_engine_init (TbEngine *self)
{
  const char *path = g_getenv ("TAILBACK_PLUGIN_PATH");
  g_autofree char *user = g_build_filename (g_get_user_data_dir (), "tailback", "plugins", NULL);
  g_auto (GStrv) folders = g_strsplit (path ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);

  g_rec_mutex_init (&self->lock);
  self->peas = peas_engine_new ();
  self->plugins = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_engine_plugin_free);
  for (guint i = 0; folders[i]; i++)
    if (*folders[i])
      scan_folder (self, folders[i]);
  scan_folder (self, user);
  scan_folder (self, TAILBACK_PLUGIN_DIR);
  if (TAILBACK_EXTENSION_DIR[0] != '\0')
    scan_folder (self, TAILBACK_EXTENSION_DIR);
  g_ptr_array_sort (self->plugins, compare_plugins);
}

/**
 * tb_engine_get_default:
 *
 * The engine of this process. It searches the folders of `TAILBACK_PLUGIN_PATH` (colon-separated),
 * the user's data folder and the installed one for folders KIND/ID with a description ID.plugin.
 * KIND is `analyses`, `collectors`, `exporters` or `importers`. The first plug-in of a kind and id
 * is used.
 *
 * Returns: (transfer none): the engine; its functions may be called from any thread
 */
TbEngine *
tb_engine_get_default (void)
{
  static gsize engine;

  if (g_once_init_enter (&engine))
    g_once_init_leave (&engine, (gsize) g_object_new (TB_TYPE_ENGINE, NULL));
  return (TbEngine *) engine;
}

/* Turns a problem that libpeas would only write to stderr into an error of the plug-in. The module
 * stays loaded: its types are registered. */
static gboolean
open_module (TbEnginePlugin *plugin)
{
  g_autofree char *name = g_strdup_printf ("lib%s." G_MODULE_SUFFIX, plugin->module);
  g_autofree char *path = g_build_filename (plugin->folder, name, NULL);
  gpointer symbol;
  GModule *module;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      tb_engine_plugin_fail (plugin, _ ("its module %s does not exist"), path);
      return FALSE;
    }
  module = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
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
load_plugin (TbEngine *self, TbEnginePlugin *plugin)
{
  g_autoptr (GError) error = NULL;
  PeasPluginInfo *info;

  if (plugin->tried || plugin->info.error)
    return plugin->peas_info != NULL;
  plugin->tried = TRUE;

  if (plugin->is_native && !open_module (plugin))
    return FALSE;
  if (!plugin->is_native)
    peas_engine_enable_loader (self->peas, "python");
  peas_engine_add_search_path (self->peas, plugin->folder, plugin->folder);
  info = peas_engine_get_plugin_info (self->peas, plugin->module);
  if (!info)
    tb_engine_plugin_fail (plugin, _ ("its description in “%s” is invalid"), plugin->folder);
  else if (!peas_engine_load_plugin (self->peas, info))
    {
      peas_plugin_info_is_available (info, &error);
      tb_engine_plugin_fail (plugin, _ ("it cannot be loaded: %s"),
                             error ? error->message : _ ("unknown reason"));
    }
  else if (!peas_engine_provides_extension (self->peas, info, plugin_get_extension_type (plugin)))
    tb_engine_plugin_fail (plugin,
                           _ ("it is loaded, but does not register an object of the type %s"),
                           g_type_name (plugin_get_extension_type (plugin)));
  else
    plugin->peas_info = info;
  return plugin->peas_info != NULL;
}

/**
 * tb_engine_set_disabled:
 * @self: the engine
 * @names: (nullable) (array zero-terminated=1): the plug-ins to disable, each as "KIND/ID", such as
 *   "analysis/threads"; an unknown name is no error, as the plug-in may be installed again
 *
 * Disables the named plug-ins and enables all others. A disabled plug-in is listed, but it is not
 * loaded and no new objects of it are created; existing objects continue to work.
 */
void
tb_engine_set_disabled (TbEngine *self, const char *const *names)
{
  g_autoptr (GRecMutexLocker) locker = NULL;

  g_return_if_fail (TB_IS_ENGINE (self));

  locker = g_rec_mutex_locker_new (&self->lock);
  for (guint i = 0; i < self->plugins->len; i++)
    {
      TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);
      g_autofree char *name = g_strconcat (plugin->info.kind, "/", plugin->info.id, NULL);

      plugin->info.disabled = names != NULL && g_strv_contains (names, name);
    }
}

/**
 * tb_engine_list:
 * @self: the engine
 *
 * Loads every plug-in that is not disabled.
 *
 * Returns: (transfer container) (element-type TbPluginInfo): all plug-ins found, sorted by kind and
 *   id. The elements belong to the engine.
 */
GPtrArray *
tb_engine_list (TbEngine *self)
{
  g_autoptr (GRecMutexLocker) locker = NULL;
  GPtrArray *list;

  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);

  locker = g_rec_mutex_locker_new (&self->lock);
  list = g_ptr_array_new ();
  for (guint i = 0; i < self->plugins->len; i++)
    {
      TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (!plugin->info.disabled)
        load_plugin (self, plugin);
      g_ptr_array_add (list, &plugin->info);
    }
  return list;
}

static int
compare_preferences (gconstpointer a, gconstpointer b)
{
  const TbPluginInfo *one = *(TbPluginInfo *const *) a, *two = *(TbPluginInfo *const *) b;

  if (one->preference != two->preference)
    return one->preference > two->preference ? -1 : 1;
  return strcmp (one->id, two->id);
}

/**
 * tb_engine_list_collectors:
 * @self: the engine
 *
 * Loads every plug-in that is not disabled.
 *
 * Returns: (transfer container) (element-type TbPluginInfo): the collectors, the preferred one
 *   first, including those that do not load, which have an error. The elements belong to the
 *   engine.
 */
GPtrArray *
tb_engine_list_collectors (TbEngine *self)
{
  g_autoptr (GPtrArray) all = NULL;
  GPtrArray *collectors;

  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);

  all = tb_engine_list (self);
  collectors = g_ptr_array_new ();
  for (guint i = 0; i < all->len; i++)
    {
      TbPluginInfo *info = g_ptr_array_index (all, i);

      if (strcmp (info->kind, "collector") == 0)
        g_ptr_array_add (collectors, info);
    }
  g_ptr_array_sort (collectors, compare_preferences);
  return collectors;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
set_unknown_error (TbEngine *self, const char *kind, const char *id, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < self->plugins->len; i++)
    {
      const TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (strcmp (plugin->info.kind, kind) == 0 && !plugin->info.error)
        g_string_append_printf (names, "%s%s", names->len ? ", " : "", plugin->info.id);
    }
  if (names->len)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ (find_kind (kind)->unknown), id,
                 names->str);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ (find_kind (kind)->none), id,
                 TAILBACK_PLUGIN_DIR);
}

GObject *
tb_engine_create_extension (TbEngine *self, TbEnginePlugin *plugin, GError **error)
{
  GObject *extension = NULL;

  if (plugin->info.disabled)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   _ (find_kind (plugin->info.kind)->disabled), plugin->info.id);
      return NULL;
    }
  if (load_plugin (self, plugin))
    extension = peas_engine_create_extension (self->peas, plugin->peas_info,
                                              plugin_get_extension_type (plugin), NULL);
  if (!extension)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   _ (find_kind (plugin->info.kind)->unusable), plugin->info.id,
                   plugin->info.error ? plugin->info.error : _ ("it creates no object"));
      return NULL;
    }
  tb_plugin_set_id (extension, plugin->info.id);
  return extension;
}

#pragma GCC diagnostic pop

static GObject *
create (TbEngine *self, const char *kind, const char *id, GError **error)
{
  g_autoptr (GRecMutexLocker) locker = NULL;
  TbEnginePlugin *plugin;

  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);

  locker = g_rec_mutex_locker_new (&self->lock);
  plugin = find_plugin (self, kind, id);
  if (!plugin)
    {
      set_unknown_error (self, kind, id, error);
      return NULL;
    }
  return tb_engine_create_extension (self, plugin, error);
}

/**
 * tb_engine_create_analysis:
 * @self: the engine
 * @id: id of the plug-in
 * @error: return location
 *
 * Creates an analysis. The plug-in is loaded at the first call.
 *
 * Returns: (transfer full) (nullable): a new object for one run. An unknown @id is
 *   %TB_EXTEND_ERROR_USAGE, which lists the known ids; a plug-in that does not load is
 *   %TB_EXTEND_ERROR_FAILED.
 */
TbAnalysis *
tb_engine_create_analysis (TbEngine *self, const char *id, GError **error)
{
  return (TbAnalysis *) create (self, "analysis", id, error);
}

/**
 * tb_engine_create_collector:
 * @self: the engine
 * @id: id of the plug-in
 * @error: return location
 *
 * Creates a collector.
 *
 * Returns: (transfer full) (nullable): a new object for one recording; errors as in
 *   [method@Engine.create_analysis]
 */
TbCollector *
tb_engine_create_collector (TbEngine *self, const char *id, GError **error)
{
  return (TbCollector *) create (self, "collector", id, error);
}

/**
 * tb_engine_create_importer:
 * @self: the engine
 * @id: id of the plug-in
 * @error: return location
 *
 * Creates an importer.
 *
 * Returns: (transfer full) (nullable): a new object for one file; errors as in
 *   [method@Engine.create_analysis]
 */
TbImporter *
tb_engine_create_importer (TbEngine *self, const char *id, GError **error)
{
  return (TbImporter *) create (self, "importer", id, error);
}

/**
 * tb_engine_create_exporter:
 * @self: the engine
 * @id: id of the plug-in
 * @error: return location
 *
 * Creates an exporter.
 *
 * Returns: (transfer full) (nullable): a new object for one run; errors as in
 *   [method@Engine.create_analysis]
 */
TbExporter *
tb_engine_create_exporter (TbEngine *self, const char *id, GError **error)
{
  return (TbExporter *) create (self, "exporter", id, error);
}
