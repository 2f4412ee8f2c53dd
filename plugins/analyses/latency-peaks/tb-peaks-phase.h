/* tb-peaks-phase.h: when processes were in a phase of their work, as they told
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

typedef struct _TbPeaksPhases TbPeaksPhases;

/* A process is in a phase from when one of its threads begins it until all that did have ended it. Who begins
 * again without an end is in it but once; ends of what nobody saw begin are none; what is not ended lasts to the end. NULL with error: no process ever was, or the recording is damaged. */
TbPeaksPhases *tb_peaks_phases_new (TbTrace *trace, const char *name, GError **error);
void tb_peaks_phases_free (TbPeaksPhases *self);

/* Whether the process of a thread is in it; of what is of no thread, whether any is. */
gboolean tb_peaks_phases_has (const TbPeaksPhases *self, guint32 thread, gint64 time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksPhases, tb_peaks_phases_free)

G_END_DECLS
