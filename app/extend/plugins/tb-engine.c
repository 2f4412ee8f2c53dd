/* tb-engine.c: engine that lists plug-ins, disables them and creates their objects
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-engine-private.h"
#include "extend/tb-plugin-private.h"

/**
 * TbEngine:
 *
 * Finds plug-ins, loads them when they are first used, and creates their objects. A plug-in that
 * cannot be loaded is listed with its error and does not affect the others.
 */
G_DEFINE_FINAL_TYPE (TbEngine, tb_engine, G_TYPE_OBJECT)

const TbEngineKind tb_engine_kinds[TB_ENGINE_N_KINDS] = {
  { "analysis", "analyses", tb_analysis_get_type, N_ ("no analysis was named: use one of %s"),
    N_ ("unknown analysis “%s”: use one of %s"),
    N_ ("unknown analysis “%s”: no analyses were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the analysis %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the analysis %s: %s") },
  { "collector", "collectors", tb_collector_get_type, N_ ("no collector was named: use one of %s"),
    N_ ("unknown collector “%s”: use one of %s"),
    N_ ("unknown collector “%s”: no collectors were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the collector %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the collector %s: %s") },
  { "exporter", "exporters", tb_exporter_get_type, N_ ("no exporter was named: use one of %s"),
    N_ ("unknown exporter “%s”: use one of %s"),
    N_ ("unknown exporter “%s”: no exporters were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the exporter %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the exporter %s: %s") },
  { "importer", "importers", tb_importer_get_type, N_ ("no importer was named: use one of %s"),
    N_ ("unknown importer “%s”: use one of %s"),
    N_ ("unknown importer “%s”: no importers were found in TAILBACK_PLUGIN_PATH or %s"),
    N_ ("the importer %s is switched off: switch it on in Preferences, under Plug-Ins"),
    N_ ("cannot use the importer %s: %s") },
};

static const TbEngineKind *
find_kind (const char *name)
{
  for (guint i = 0; i < TB_ENGINE_N_KINDS; i++)
    if (strcmp (tb_engine_kinds[i].kind, name) == 0)
      return &tb_engine_kinds[i];
  g_assert_not_reached ();
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

static void
tb_engine_finalize (GObject *object)
{
  TbEngine *self = TB_ENGINE (object);

  g_clear_pointer (&self->plugins, g_ptr_array_unref);
  g_clear_pointer (&self->misplaced, g_ptr_array_unref);
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
  g_rec_mutex_init (&self->lock);
  self->peas = peas_engine_new ();
  self->plugins = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_engine_plugin_free);
  self->misplaced = g_ptr_array_new_null_terminated (1, g_free, TRUE);
  tb_engine_scan (self);
}

/**
 * tb_engine_get_default:
 *
 * The engine of this process. It searches the folders of `TAILBACK_PLUGIN_PATH` (colon-separated),
 * the user's data folder, those of Flatpak extensions and the installed one for folders KIND/ID
 * with a description ID.plugin. KIND is `analyses`, `collectors`, `exporters` or `importers`. The
 * first plug-in of a kind and id is used.
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
        tb_engine_load (self, plugin);
      g_ptr_array_add (list, &plugin->info);
    }
  return list;
}

/**
 * tb_engine_list_misplaced:
 * @self: the engine
 *
 * Lists descriptions of plug-ins that are in a wrong folder.
 *
 * Returns: (transfer none) (array zero-terminated=1): a sentence for each description of a plug-in
 *   that lies in a place where none is searched, with the place where it belongs
 */
const char *const *
tb_engine_list_misplaced (TbEngine *self)
{
  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);

  return (const char *const *) self->misplaced->pdata;
}

static int
compare_preferences (gconstpointer a, gconstpointer b)
{
  const TbPluginInfo *one = *(TbPluginInfo *const *) a, *two = *(TbPluginInfo *const *) b;

  if (one->preference != two->preference)
    return one->preference > two->preference ? -1 : 1;
  return strcmp (one->id, two->id);
}

static GPtrArray *
list_sorted (TbEngine *self, const char *kind, GCompareFunc compare)
{
  g_autoptr (GPtrArray) all = tb_engine_list (self);
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    {
      TbPluginInfo *info = g_ptr_array_index (all, i);

      if (strcmp (info->kind, kind) == 0)
        g_ptr_array_add (list, info);
    }
  g_ptr_array_sort (list, compare);
  return list;
}

/**
 * tb_engine_list_collectors:
 * @self: the engine
 *
 * Lists the collectors. Loads every plug-in that is not disabled.
 *
 * Returns: (transfer container) (element-type TbPluginInfo): the collectors, the preferred one
 *   first, including those that do not load, which have an error. The elements belong to the
 *   engine.
 */
GPtrArray *
tb_engine_list_collectors (TbEngine *self)
{
  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);

  return list_sorted (self, "collector", compare_preferences);
}

/* Ours come in the order in which they are explained; those of others by what people read. */
static int
compare_analyses (gconstpointer a, gconstpointer b)
{
  const TbPluginInfo *one = *(TbPluginInfo *const *) a, *two = *(TbPluginInfo *const *) b;
  gboolean ours[] = { one->origin == TB_PLUGIN_BUILT_IN, two->origin == TB_PLUGIN_BUILT_IN };
  int order;

  if (ours[0] != ours[1])
    return ours[0] ? -1 : 1;
  if (ours[0] && one->preference != two->preference)
    return one->preference > two->preference ? -1 : 1;
  order = g_utf8_collate (one->name, two->name);
  return order != 0 ? order : strcmp (one->id, two->id);
}

/**
 * tb_engine_list_analyses:
 * @self: the engine
 *
 * Lists the analyses for people. Loads every plug-in that is not disabled.
 *
 * Returns: (transfer container) (element-type TbPluginInfo): the analyses, the built-in ones first,
 *   by their preference, then the others by their names, including those that do not load, which
 *   have an error. The elements belong to the engine.
 */
GPtrArray *
tb_engine_list_analyses (TbEngine *self)
{
  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);

  return list_sorted (self, "analysis", compare_analyses);
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
  if (names->len && *id == '\0')
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ (find_kind (kind)->unnamed),
                 names->str);
  else if (names->len)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ (find_kind (kind)->unknown), id,
                 names->str);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ (find_kind (kind)->none), id,
                 TAILBACK_PLUGIN_DIR);
}

GObject *
tb_engine_create_extension (TbEngine *self, TbEnginePlugin *plugin, GError **error)
{
  g_autofree char *exception = NULL;
  GObject *extension = NULL;

  if (plugin->info.disabled)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ (plugin->kind->disabled),
                   plugin->info.id);
      return NULL;
    }
  tb_plugin_set_exception (NULL);
  if (tb_engine_load (self, plugin))
    extension = plugin->type != 0 ? g_object_new (plugin->type, NULL)
                                  : peas_engine_create_extension (self->peas, plugin->peas_info,
                                                                  plugin->kind->get_type (), NULL);
  /* An exception in a constructor in Python leaves an object that is not complete. */
  exception = tb_plugin_take_exception ();
  if (exception != NULL)
    g_clear_object (&extension);
  if (!extension)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, _ (plugin->kind->unusable),
                   plugin->info.id,
                   plugin->info.error  ? plugin->info.error
                   : exception != NULL ? exception
                                       : _ ("it creates no object"));
      return NULL;
    }
  tb_plugin_set_id (extension, plugin->info.id);
  if (tb_engine_plugin_has_changed (plugin))
    tb_plugin_set_outdated (extension);
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
