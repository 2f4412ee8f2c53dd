/* tb-importer.h: interface of plug-ins that convert files of other tools to sessions: options, MIME
 * types, recognition of a file or folder, import
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"
#include "session/recorder/tb-recorder.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

#define TB_TYPE_IMPORTER (tb_importer_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbImporter, tb_importer, TB, IMPORTER, GObject)

struct _TbImporterInterface
{
  GTypeInterface parent;

  char **(*get_options) (TbImporter *self);
  /* (transfer full): MIME types that it reads */
  char **(*get_mime_types) (TbImporter *self);
  /* Certainty, from the first bytes (at most 64 KiB), that the file has this importer's format: 0
   * (no) to 100 (certain). */
  int (*sniff) (TbImporter *self, const guint8 *head, gsize length, const char *name);
  /* Records into the recorder; the caller finishes it, also if the input was cut short, which is no
   * error. */
  gboolean (*import_file) (TbImporter *self,
                           GFile *file,
                           TbRecorder *recorder,
                           TbProgressFunc progress,
                           gpointer data,
                           GCancellable *cancellable,
                           GError **error);
  /* Likewise for a folder, which is then passed to import_file(). NULL: it reads no folders. */
  int (*sniff_folder) (TbImporter *self, GFile *folder);
};

TB_EXPORT char **tb_importer_get_options (TbImporter *self);
TB_EXPORT char **tb_importer_get_mime_types (TbImporter *self);
TB_EXPORT int
tb_importer_sniff (TbImporter *self, const guint8 *head, gsize length, const char *name);
TB_EXPORT int tb_importer_sniff_folder (TbImporter *self, GFile *folder);
TB_EXPORT gboolean tb_importer_import_file (TbImporter *self,
                                            GFile *file,
                                            TbRecorder *recorder,
                                            TbProgressFunc progress,
                                            gpointer data,
                                            GCancellable *cancellable,
                                            GError **error);

G_END_DECLS
