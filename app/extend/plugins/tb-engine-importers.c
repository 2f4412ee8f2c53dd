/* tb-engine-importers.c: search for the importer that is most certain to recognize a file, by its
 * first bytes, or a folder; error with the importers tried and those disabled
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-engine-private.h"
#include "extend/tb-plugin-private.h"

#define SNIFF_LENGTH 65536

/* The first bytes of a file, at most SNIFF_LENGTH. */
static guint8 *
read_head (GFile *file, gsize *length, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (file);
  g_autofree guint8 *head = g_malloc (SNIFF_LENGTH);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GError) local_error = NULL;
  GFileType type = g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL);

  if (type != G_FILE_TYPE_REGULAR && type != G_FILE_TYPE_UNKNOWN)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                   _ ("“%s” is not a regular file: save the data to a regular file first"), name);
      return NULL;
    }
  stream = g_file_read (file, NULL, &local_error);
  if (!stream
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, SNIFF_LENGTH, length, NULL,
                                   &local_error))
    {
      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT, _ ("“%s” does not exist"),
                     name);
      else if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
        g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                     _ ("“%s” cannot be read: this user has no permission"), name);
      else
        g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT, _ ("“%s” cannot be read: %s"),
                     name, local_error->message);
      return NULL;
    }
  if (*length == 0)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                   _ ("“%s” is empty: it has no recorded events"), name);
      return NULL;
    }
  return g_steal_pointer (&head);
}

static void
set_unread_error (const char *name,
                  gboolean is_folder,
                  const char *asked,
                  const char *off,
                  GError **error)
{
  if (is_folder)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
                   _ ("“%s” is a folder, not a recording"), name);
      return;
    }
  if (!*asked)
    asked = _ ("no importers were found");
  if (*off)
    g_set_error (
        error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
        _ ("“%s” cannot be opened: it is neither a session nor a file that an importer reads (%s). "
           "These importers are switched off in Preferences and were not tried: %s"),
        name, asked, off);
  else
    g_set_error (
        error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
        _ ("“%s” cannot be opened: it is neither a session nor a file that an importer reads (%s)"),
        name, asked);
}

/* An importer that failed to look at the file may be the one that reads it. */
static void
append_asked (GString *asked, const char *id)
{
  g_autofree char *exception = tb_plugin_take_exception ();

  g_string_append_printf (asked, "%s%s", asked->len ? ", " : "", id);
  if (exception != NULL)
    g_string_append_printf (asked, " (%s)", exception);
}

/**
 * tb_engine_find_importer:
 * @self: the engine
 * @file: the file or folder to import
 * @error: return location
 *
 * Passes the first bytes of @file, or the folder, to the sniffer of every importer.
 *
 * Returns: (transfer full) (nullable): the importer that is most certain of it;
 *   %TB_EXTEND_ERROR_INPUT if none recognizes it
 */
TbImporter *
tb_engine_find_importer (TbEngine *self, GFile *file, GError **error)
{
  g_autoptr (GRecMutexLocker) locker = NULL;
  g_autoptr (TbImporter) best = NULL;
  g_autoptr (GString) asked = g_string_new (NULL);
  g_autoptr (GString) off = g_string_new (NULL);
  g_autofree char *base_name = NULL;
  g_autofree char *parse_name = NULL;
  g_autofree guint8 *head = NULL;
  gsize length = 0;
  gboolean is_folder;
  int best_score = 0;

  g_return_val_if_fail (TB_IS_ENGINE (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  is_folder = g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
  head = is_folder ? NULL : read_head (file, &length, error);
  if (!head && !is_folder)
    return NULL;
  base_name = g_file_get_basename (file);
  parse_name = g_file_get_parse_name (file);
  locker = g_rec_mutex_locker_new (&self->lock);
  for (guint i = 0; i < self->plugins->len; i++)
    {
      TbEnginePlugin *plugin = g_ptr_array_index (self->plugins, i);
      g_autoptr (GObject) importer = NULL;
      int score;

      if (strcmp (plugin->info.kind, "importer") == 0 && plugin->info.disabled)
        g_string_append_printf (off, "%s%s", off->len ? ", " : "", plugin->info.id);
      if (strcmp (plugin->info.kind, "importer") != 0
          || !(importer = tb_engine_create_extension (self, plugin, NULL)))
        continue;
      tb_plugin_set_exception (NULL);
      score = head != NULL ? tb_importer_sniff (TB_IMPORTER (importer), head, length,
                                                base_name ? base_name : "")
                           : tb_importer_sniff_folder (TB_IMPORTER (importer), file);
      append_asked (asked, plugin->info.id);
      if (score > best_score)
        {
          best_score = score;
          g_set_object (&best, TB_IMPORTER (importer));
        }
    }
  if (!best)
    set_unread_error (parse_name, is_folder, asked->str, off->str, error);
  return g_steal_pointer (&best);
}
