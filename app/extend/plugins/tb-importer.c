/* tb-importer.c: interface of plug-ins that convert files of other tools to sessions: options, MIME
 * types, recognition of a file or folder, import
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-private.h"
#include "extend/tb-plugin-private.h"
#include "extend/plugins/tb-importer.h"

/**
 * TbImporter:
 *
 * A plug-in that reads the file of another tool into a session.
 */
G_DEFINE_INTERFACE (TbImporter, tb_importer, G_TYPE_OBJECT)

static void
tb_importer_default_init (TbImporterInterface *iface)
{
  tb_plugin_set_options_func (TB_TYPE_IMPORTER, (TbPluginOptionsFunc) tb_importer_get_options);
}

/**
 * tb_importer_get_options:
 * @self: an importer
 *
 * The names of the properties that are its options.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): property names, or %NULL for none
 */
char **
tb_importer_get_options (TbImporter *self)
{
  TbImporterInterface *iface;

  g_return_val_if_fail (TB_IS_IMPORTER (self), NULL);

  iface = TB_IMPORTER_GET_IFACE (self);
  return iface->get_options ? iface->get_options (self) : tb_option_object_list (G_OBJECT (self));
}

/**
 * tb_importer_get_mime_types:
 * @self: an importer
 *
 * Gets the MIME types of the files that the importer reads.
 *
 * Returns: (transfer full) (array zero-terminated=1): the MIME types it reads
 */
char **
tb_importer_get_mime_types (TbImporter *self)
{
  TbImporterInterface *iface;
  char **types = NULL;

  g_return_val_if_fail (TB_IS_IMPORTER (self), NULL);

  iface = TB_IMPORTER_GET_IFACE (self);
  if (iface->get_mime_types)
    types = iface->get_mime_types (self);
  return types ? types : g_new0 (char *, 1);
}

/**
 * tb_importer_sniff:
 * @self: an importer
 * @head: (array length=length): the first bytes of a file
 * @length: number of bytes, at most 65536
 * @name: the file's name
 *
 * Recognizes the format of a file by its first bytes. The importer with the highest certainty reads
 * the file.
 *
 * Returns: how certain the importer is that the file has its format: 0 (no, also where it cannot
 *   import) to 100 (certain)
 */
int
tb_importer_sniff (TbImporter *self, const guint8 *head, gsize length, const char *name)
{
  TbImporterInterface *iface;

  g_return_val_if_fail (TB_IS_IMPORTER (self), 0);

  iface = TB_IMPORTER_GET_IFACE (self);
  return iface->sniff && iface->import_file
             ? CLAMP (iface->sniff (self, head, length, name), 0, 100)
             : 0;
}

/**
 * tb_importer_sniff_folder:
 * @self: an importer
 * @folder: a folder
 *
 * Recognizes a recording that is a folder. An importer that reads no folders does not implement it.
 *
 * Returns: how certain the importer is that the folder is a recording that it reads: 0 (no) to 100
 *   (certain)
 */
int
tb_importer_sniff_folder (TbImporter *self, GFile *folder)
{
  TbImporterInterface *iface;

  g_return_val_if_fail (TB_IS_IMPORTER (self), 0);
  g_return_val_if_fail (G_IS_FILE (folder), 0);

  iface = TB_IMPORTER_GET_IFACE (self);
  return iface->sniff_folder && iface->import_file
             ? CLAMP (iface->sniff_folder (self, folder), 0, 100)
             : 0;
}

/**
 * tb_importer_import_file:
 * @self: an importer, made for this one file
 * @file: the file to read, or the folder that its sniffer recognized
 * @recorder: receives the events; the caller finishes it
 * @progress: (nullable) (scope call) (closure data): receives the progress of the work, in the
 *   calling thread
 * @data: for @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Reads @file. A file that was cut short is no error: its events are recorded, with a warning and
 * the fact "cut-short". The options cannot be set afterwards.
 *
 * Returns: %TRUE, else %FALSE with @error set
 */
gboolean
tb_importer_import_file (TbImporter *self,
                         GFile *file,
                         TbRecorder *recorder,
                         TbProgressFunc progress,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error)
{
  TbPluginProgress checked = { G_OBJECT (self), progress, data, FALSE };
  gboolean imported;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_IMPORTER (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  if (!tb_plugin_check_function (G_OBJECT (self), TB_IMPORTER_GET_IFACE (self)->import_file != NULL,
                                 "import_file", error))
    return FALSE;
  tb_plugin_freeze_options (G_OBJECT (self));
  imported = TB_IMPORTER_GET_IFACE (self)->import_file (self, file, recorder,
                                                        progress != NULL ? tb_plugin_report_progress
                                                                         : NULL,
                                                        &checked, cancellable, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "import_file", imported, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return imported;
}
