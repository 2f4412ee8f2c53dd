/* tb-unsaved.c: list, stored in the settings, of new recordings that the user has neither kept nor
 * discarded; deletion of the files of a discarded one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/window/tb-unsaved.h"

/* A list in the settings is used instead of a folder, so that no open file has to be moved. The
 * list survives a crash, as the recordings do. */
#define KEY "unsaved-recordings"

static void
store (GSettings *settings, GPtrArray *uris)
{
  g_ptr_array_add (uris, NULL);
  g_settings_set_strv (settings, KEY, (const char *const *) uris->pdata);
}

/* Returns the list without the file, and whether the file was in it. */
static GPtrArray *
list_without (GSettings *settings, GFile *file, gboolean *found)
{
  g_auto (GStrv) uris = g_settings_get_strv (settings, KEY);
  g_autofree char *uri = g_file_get_uri (file);
  GPtrArray *remaining = g_ptr_array_new_with_free_func (g_free);

  *found = g_strv_contains ((const char *const *) uris, uri);
  for (guint i = 0; uris[i] != NULL; i++)
    if (!g_str_equal (uris[i], uri))
      g_ptr_array_add (remaining, g_strdup (uris[i]));
  return remaining;
}

/**
 * tb_unsaved_add:
 * @file: file of a recording that is about to start
 *
 * Adds the file to the list.
 */
void
tb_unsaved_add (GSettings *settings, GFile *file)
{
  gboolean found;
  g_autoptr (GPtrArray) uris = list_without (settings, file, &found);

  g_ptr_array_add (uris, g_file_get_uri (file));
  store (settings, uris);
}

gboolean
tb_unsaved_contains (GSettings *settings, GFile *file)
{
  gboolean found;
  g_autoptr (GPtrArray) remaining = list_without (settings, file, &found);

  return found;
}

/**
 * tb_unsaved_keep:
 *
 * Removes the file from the list; the file itself stays in its place.
 */
void
tb_unsaved_keep (GSettings *settings, GFile *file)
{
  gboolean found;
  g_autoptr (GPtrArray) remaining = list_without (settings, file, &found);

  if (found)
    store (settings, remaining);
}

/**
 * tb_unsaved_discard:
 *
 * Deletes a file of the list, together with its SQLite files.
 *
 * Returns: whether the file was deleted; also %TRUE if it is not in the list
 */
gboolean
tb_unsaved_discard (GSettings *settings, GFile *file, GError **error)
{
  static const char *const suffixes[] = { "-wal", "-shm" };
  g_autofree char *uri = g_file_get_uri (file);

  if (!tb_unsaved_contains (settings, file))
    return TRUE;
  if (!g_file_delete (file, NULL, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *other_uri = g_strconcat (uri, suffixes[i], NULL);
      g_autoptr (GFile) other = g_file_new_for_uri (other_uri);

      g_file_delete (other, NULL, NULL);
    }
  tb_unsaved_keep (settings, file);
  return TRUE;
}

/**
 * tb_unsaved_list:
 *
 * Returns: (transfer full) (element-type GFile): the existing files; missing ones are removed from
 *   the list
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
