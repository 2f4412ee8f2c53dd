/* tb-engine-folders.c: search for plug-ins in the folders of the user, of the system and of
 * Flatpak extensions, by their descriptions; descriptions in a place where none is searched
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-engine-private.h"

#define DESCRIPTION_SUFFIX ".plugin"
#define MISPLACED_MAX 100

static gboolean
is_plain_name (const char *name)
{
  return name[0] != '\0' && name[0] != '.' && g_utf8_validate (name, -1, NULL)
         && !strpbrk (name, " \t\n");
}

static TbEnginePlugin *
find_plugin (TbEngine *self, const TbEngineKind *kind, const char *id)
{
  for (guint i = 0; i < self->plugins->len; i++)
    {
      TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);

      if (plugin->kind == kind && strcmp (plugin->info.id, id) == 0)
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

/* A plug-in with a known name in a further folder is not used, but the first one must not pass for
 * it. */
static void
note_replaced (TbEnginePlugin *plugin, const char *path, const char *folder, TbPluginOrigin origin)
{
  TbEnginePlugin hidden = { .info.origin = origin };

  if (strcmp (folder, plugin->info.folder) == 0)
    return; /* one folder is searched twice */
  if (plugin->info.replaces == NULL)
    plugin->info.replaces = g_strdup (folder);
  tb_engine_plugin_read_description (&hidden, path);
  if (hidden.info.origin == TB_PLUGIN_BUILT_IN && plugin->info.origin != TB_PLUGIN_BUILT_IN)
    plugin->info.replaces_built_in = TRUE;
  tb_engine_plugin_clear (&hidden);
}

static void
add_plugin (TbEngine *self,
            const TbEngineKind *kind,
            const char *id,
            const char *folder,
            TbPluginOrigin origin)
{
  g_autofree char *description_name = g_strconcat (id, DESCRIPTION_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (folder, description_name, NULL);
  const TbEnginePlugin *same;
  TbEnginePlugin *plugin = find_plugin (self, kind, id);

  /* A folder without a description is not a plug-in; of two with the same id the first found is
   * used. */
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  if (plugin != NULL)
    {
      note_replaced (plugin, path, folder, origin);
      return;
    }
  plugin = g_new0 (TbEnginePlugin, 1);
  plugin->info.id = g_strdup (id);
  plugin->info.kind = kind->kind;
  plugin->info.origin = origin;
  plugin->info.folder = g_strdup (folder);
  plugin->kind = kind;
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

/* ---- descriptions in wrong places ---- */

/* kind: NULL if it is not known. */
static void
add_misplaced (TbEngine *self,
               const char *top,
               const char *path,
               const char *name,
               const TbEngineKind *kind)
{
  g_autofree char *valid = g_utf8_make_valid (path, -1);
  g_autofree char *id = g_strndup (name, strlen (name) - strlen (DESCRIPTION_SUFFIX));
  g_autofree char *target
      = g_build_filename (top, kind != NULL ? kind->folder : "KIND", id, name, NULL);
  const char *format
      = kind != NULL ? _ ("“%s” is not used: plug-ins are not searched there. Move it, with its "
                          "module, to “%s”.")
                     : _ ("“%s” is not used: plug-ins are not searched there. Move it, with its "
                          "module, to “%s”, where KIND is analyses, collectors, exporters or "
                          "importers.");

  if (self->misplaced->len >= MISPLACED_MAX)
    return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_ptr_array_add (self->misplaced, g_strdup_printf (format, valid, target));
#pragma GCC diagnostic pop
}

/* Descriptions in a folder that is none of a plug-in. kind is NULL if it is not known. */
static void
find_misplaced (TbEngine *self, const char *top, const char *path, const TbEngineKind *kind)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_str_has_suffix (name, DESCRIPTION_SUFFIX) && g_utf8_validate (name, -1, NULL)
          && !g_file_test (file, G_FILE_TEST_IS_DIR))
        add_misplaced (self, top, file, name, kind);
    }
}

/* A folder beside those of the kinds: a plug-in, or a kind under another name, with plug-ins. */
static void
find_misplaced_below (TbEngine *self, const char *top, const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  find_misplaced (self, top, path, NULL);
  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      if (is_plain_name (name) && g_file_test (below, G_FILE_TEST_IS_DIR))
        find_misplaced (self, top, below, NULL);
    }
}

static const TbEngineKind *
find_kind_of_folder (const char *name)
{
  for (guint i = 0; i < TB_ENGINE_N_KINDS; i++)
    if (strcmp (tb_engine_kinds[i].folder, name) == 0)
      return &tb_engine_kinds[i];
  return NULL;
}

/* ---- folders ---- */

static void
scan_kind (TbEngine *self,
           const char *top,
           const char *path,
           const TbEngineKind *kind,
           TbPluginOrigin origin)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *id;

  find_misplaced (self, top, path, kind);
  while (folder && (id = g_dir_read_name (folder)))
    {
      g_autofree char *plugin_folder = g_build_filename (path, id, NULL);
      g_autofree char *description_name = g_strconcat (id, DESCRIPTION_SUFFIX, NULL);
      g_autofree char *description = g_build_filename (plugin_folder, description_name, NULL);

      if (!is_plain_name (id) || !g_file_test (plugin_folder, G_FILE_TEST_IS_DIR))
        continue;
      if (g_file_test (description, G_FILE_TEST_EXISTS))
        add_plugin (self, kind, id, plugin_folder, origin);
      else
        find_misplaced (self, top, plugin_folder, kind);
    }
}

static void
scan_folder (TbEngine *self, const char *top, TbPluginOrigin origin)
{
  g_autoptr (GDir) folder = g_dir_open (top, 0, NULL);
  const char *name;

  find_misplaced (self, top, top, NULL);
  while (folder && (name = g_dir_read_name (folder)))
    {
      const TbEngineKind *kind = find_kind_of_folder (name);
      g_autofree char *path = g_build_filename (top, name, NULL);

      if (kind != NULL)
        scan_kind (self, top, path, kind, origin);
      else if (is_plain_name (name) && g_file_test (path, G_FILE_TEST_IS_DIR))
        find_misplaced_below (self, top, path);
    }
}

/* The user's plug-ins are in a folder "plugins": one that lies beside it is not found. */
static void
scan_user (TbEngine *self)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "tailback", NULL);
  g_autofree char *top = g_build_filename (data, "plugins", NULL);

  scan_folder (self, top, TB_PLUGIN_USER);
  find_misplaced (self, top, data, NULL);
  for (guint i = 0; i < TB_ENGINE_N_KINDS; i++)
    {
      g_autofree char *path = g_build_filename (data, tb_engine_kinds[i].folder, NULL);
      g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
      const char *name;

      find_misplaced (self, top, path, &tb_engine_kinds[i]);
      while (folder && (name = g_dir_read_name (folder)))
        {
          g_autofree char *below = g_build_filename (path, name, NULL);

          find_misplaced (self, top, below, &tb_engine_kinds[i]);
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

static int
compare_sentences (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
tb_engine_scan (TbEngine *self)
{
  const char *path = g_getenv ("TAILBACK_PLUGIN_PATH");
  g_auto (GStrv) folders = g_strsplit (path ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);

  for (guint i = 0; folders[i]; i++)
    if (*folders[i])
      scan_folder (self, folders[i], TB_PLUGIN_PATH);
  scan_user (self);
  if (TAILBACK_EXTENSION_DIR[0] != '\0')
    scan_folder (self, TAILBACK_EXTENSION_DIR, TB_PLUGIN_FLATPAK);
  scan_folder (self, TAILBACK_PLUGIN_DIR, TB_PLUGIN_SYSTEM);
  g_ptr_array_sort (self->plugins, compare_plugins);
  g_ptr_array_sort (self->misplaced, compare_sentences);
}
