/* tb-symbolization.h: run of the symbolizer for all addresses of a recording, in a thread, with
 * progress; inlined functions as the preferences request
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/file/tb-session.h"
#include "shell/tb-progress.h"

G_BEGIN_DECLS

void tb_symbolization_run_async (TbSession *session,
                                 gboolean again,
                                 TbProgress *progress,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data);
gboolean tb_symbolization_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
