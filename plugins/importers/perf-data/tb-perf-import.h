/* tb-perf-import.h: import of the records of a perf.data file into a session, in the order of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-importer.h"
#include "tb-perf-file.h"

G_BEGIN_DECLS

typedef struct _TbPerfImport TbPerfImport;

/* Passes all records to the recorder, in order of time. A truncated file is not an error; returns
 * FALSE if the import was cancelled or the recorder failed. */
gboolean tb_perf_import_run (TbPerfFile *file,
                             TbRecorder *recorder,
                             TbProgressFunc progress,
                             gpointer data,
                             GCancellable *cancellable,
                             GError **error);

G_END_DECLS
