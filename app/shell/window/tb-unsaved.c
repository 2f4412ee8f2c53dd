/* tb-unsaved.c: recordings that were made and not yet kept or discarded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/window/tb-unsaved.h"

/* A list in the settings rather than a folder: they are not moved while they are open, and the list outlives a crash, as the
 * recordings do. */
#define KEY "unsaved-recordings"

static void
set (GSettings *settings, GPtrArray *uris)
{
  g_ptr_array_add (uris, NULL);
  g_settings_set_strv (settings, KEY, (const char *const *) uris->pdata);
}

/* Without that of file; whether that was among them. */
static GPtrArray *
list_others (GSettings *settings, GFile *file, gboolean *found)
{
  g_auto (GStrv) uris = g_settings_get_strv (settings, KEY);
  g_autofree char *uri = g_file_get_uri (file);
  GPtrArray *others = g_ptr_array_new_with_free_func (g_free);

  *found = g_strv_contains ((const char *const *) uris, uri);
  for (guint i = 0; uris[i] != NULL; i++)
    if (!g_str_equal (uris[i], uri))
      g_ptr_array_add (others, g_strdup (uris[i]));
  return others;
}

/**
 * tb_unsaved_add:
 * @file: that is about to be recorded
 *
 * Remembers that nobody has said yet whether it is to be kept.
 */
void
tb_unsaved_add (GSettings *settings, GFile *file)
{
  gboolean found;
  g_autoptr (GPtrArray) uris = list_others (settings, file, &found);

  g_ptr_array_add (uris, g_file_get_uri (file));
  set (settings, uris);
}

gboolean
tb_unsaved_contains (GSettings *settings, GFile *file)
{
  gboolean found;
  g_autoptr (GPtrArray) others = list_others (settings, file, &found);

  return found;
}

/**
 * tb_unsaved_keep:
 *
 * It stays where it is, and is not asked about any more.
 */
void
tb_unsaved_keep (GSettings *settings, GFile *file)
{
  gboolean found;
  g_autoptr (GPtrArray) others = list_others (settings, file, &found);

  if (found)
    set (settings, others);
}

/**
 * tb_unsaved_discard:
 *
 * Deletes it, with what SQLite has beside it.
 *
 * Returns: whether it is gone
 */
gboolean
tb_unsaved_discard (GSettings *settings, GFile *file, GError **error)
{
  static const char *const beside[] = { "-wal", "-shm" };
  g_autofree char *uri = g_file_get_uri (file);

  if (!tb_unsaved_contains (settings, file))
    return TRUE;
  if (!g_file_delete (file, NULL, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      g_autofree char *other_uri = g_strconcat (uri, beside[i], NULL);
      g_autoptr (GFile) other = g_file_new_for_uri (other_uri);

      g_file_delete (other, NULL, NULL);
    }
  tb_unsaved_keep (settings, file);
  return TRUE;
}

/**
 * tb_unsaved_list:
 *
 * Returns: (transfer full) (element-type GFile): those that are there; what has gone is forgotten
 */
GPtrArray *
tb_unsaved_list (GSettings *settings)
{
  g_auto (GStrv) uris = g_settings_get_strv (settings, KEY);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; uris[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_uri (uris[i]);

      if (g_file_query_exists (file, NULL))
        g_ptr_array_add (files, g_steal_pointer (&file));
      else
        tb_unsaved_keep (settings, file);
    }
  return files;
}
