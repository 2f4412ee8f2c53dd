/* tb-load-recording.h: opening of a session file, or import of another tool's file (by a plug-in)
 * into a temporary session, then construction of its trace, all in a thread, with progress; passes
 * on a preliminary timeline (tb-preview-timeline)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-importer.h"
#include "report/timeline/tb-timeline-figure.h"
#include "shell/tb-progress.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbLoadResult:
 * @session: the session
 * @trace: its trace
 * @imported: (nullable): temporary file of an imported session
 * @importer: (nullable): if it is set, nothing was loaded: this importer reads the file, and has
 *   options to set first
 */
typedef struct
{
  TbSession *session;
  TbTrace *trace;
  GFile *imported;
  TbImporter *importer;
} TbLoadResult;

void tb_load_result_free (TbLoadResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLoadResult, tb_load_result_free)

/**
 * TbPreviewFunc:
 * @session: the session being loaded
 * @preview: its preliminary timeline
 * @data: data of the callback
 *
 * Called in the main context, at most once, before the callback.
 */
typedef void (*TbPreviewFunc) (TbSession *session, TbTimelineFigure *preview, gpointer data);

void tb_load_recording_async (GFile *file,
                              TbImporter *importer,
                              TbProgress *progress,
                              TbPreviewFunc previewed,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data);
TbLoadResult *tb_load_recording_finish (GAsyncResult *result, GError **error);

G_END_DECLS
