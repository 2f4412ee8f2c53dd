/* tb-importer.h: the interface of plug-ins that read other tools' files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-option.h"
#include "session/tb-recorder.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

#define TB_TYPE_IMPORTER (tb_importer_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbImporter, tb_importer, TB, IMPORTER, GObject)

struct _TbImporterInterface
{
  GTypeInterface parent;

  char **(*get_options) (TbImporter *self);
  /* (transfer full): MIME types it reads */
  char **(*get_mime_types) (TbImporter *self);
  /* How sure it is from the first bytes (at most 64 KiB) that the file is its own: 0 no … 100 certain. */
  int (*sniff) (TbImporter *self, const guint8 *head, gsize length, const char *name);
  /* Feeds the recorder; the caller finishes it (also when the input was cut short, which is no error). */
  gboolean (*import) (TbImporter *self,
                      GFile *file,
                      TbRecorder *recorder,
                      TbProgressFunc progress,
                      gpointer data,
                      GCancellable *cancellable,
                      GError **error);
};

TB_EXPORT char **tb_importer_get_options (TbImporter *self);
TB_EXPORT char **tb_importer_get_mime_types (TbImporter *self);
TB_EXPORT int tb_importer_sniff (TbImporter *self, const guint8 *head, gsize length, const char *name);
TB_EXPORT gboolean tb_importer_import (TbImporter *self,
                                       GFile *file,
                                       TbRecorder *recorder,
                                       TbProgressFunc progress,
                                       gpointer data,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
