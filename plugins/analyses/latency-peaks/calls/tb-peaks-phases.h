/* tb-peaks-phases.h: times at which each process was in the phase of a given name, from its begin
 * and end marks; test whether a thread's process was in it at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct _TbPeaksPhases TbPeaksPhases;

/* A process is in a phase from the first begin mark of one of its threads until all threads that
 * began the phase have ended it. A second begin without an end in between is ignored, as is an end
 * without a begin. A phase without an end lasts to the end of the recording. NULL with error: no
 * process was ever in the phase, or the recording is damaged. */
TbPeaksPhases *tb_peaks_phases_new (TbTrace *trace, const char *name, GError **error);
void tb_peaks_phases_free (TbPeaksPhases *self);

/* Whether the process of a thread is in the phase; without a known thread, whether any process
 * is. */
gboolean tb_peaks_phases_has (const TbPeaksPhases *self, guint32 thread, gint64 time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksPhases, tb_peaks_phases_free)

G_END_DECLS
