/* tb-perf-import.h: reads the records of a perf.data file into a session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-importer.h"
#include "tb-perf-file.h"

G_BEGIN_DECLS

typedef struct _TbPerfImport TbPerfImport;

/* Feeds all records to the recorder, in order of time. A file that ends too early is no error; FALSE if it was cancelled
 * or the recorder failed. */
gboolean tb_perf_import_run (TbPerfFile *file,
                             TbRecorder *recorder,
                             TbProgressFunc progress,
                             gpointer data,
                             GCancellable *cancellable,
                             GError **error);

G_END_DECLS
