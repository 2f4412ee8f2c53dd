/* tb-perf-data-importer.c: importer of perf.data files and folders: recognition of them, and import
 * by TbPerfFile and TbPerfImport
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-data-importer.h"

#include "tb-perf-folder.h"
#include "tb-perf-foreign.h"
#include "tb-perf-import.h"

struct _TbPerfDataImporter
{
  GObject parent_instance;
};

static char **
tb_perf_data_importer_get_mime_types (TbImporter *importer)
{
  static const char *const types[] = { "application/x-perf-data", NULL };

  return g_strdupv ((char **) types);
}

static int
tb_perf_data_importer_sniff (TbImporter *importer,
                             const guint8 *head,
                             gsize length,
                             const char *name)
{
  int score
      = MAX (tb_perf_file_sniff (head, length), tb_perf_folder_sniff_part (head, length, name));

  /* Another importer may read such a file; without one, the import fails with an explanation. */
  return score == 0 && tb_perf_foreign_explain (head, length) != NULL ? 1 : score;
}

static int
tb_perf_data_importer_sniff_folder (TbImporter *importer, GFile *folder)
{
  return tb_perf_folder_sniff (folder);
}

static gboolean
tb_perf_data_importer_import (TbImporter *importer,
                              GFile *file,
                              TbRecorder *recorder,
                              TbProgressFunc progress,
                              gpointer data,
                              GCancellable *cancellable,
                              GError **error)
{
  g_autoptr (TbPerfFile) input = tb_perf_file_open (file, cancellable, error);

  if (input == NULL)
    return FALSE;
  return tb_perf_import_run (input, recorder, progress, data, cancellable, error);
}

static void
importer_interface_init (TbImporterInterface *interface)
{
  interface->get_mime_types = tb_perf_data_importer_get_mime_types;
  interface->sniff = tb_perf_data_importer_sniff;
  interface->sniff_folder = tb_perf_data_importer_sniff_folder;
  interface->import_file = tb_perf_data_importer_import;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TbPerfDataImporter,
                               tb_perf_data_importer,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_IMPORTER, importer_interface_init))

static void
tb_perf_data_importer_class_init (TbPerfDataImporterClass *klass)
{
}

static void
tb_perf_data_importer_init (TbPerfDataImporter *self)
{
}
