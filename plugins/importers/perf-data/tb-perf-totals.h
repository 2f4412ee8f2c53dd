/* tb-perf-totals.h: totals of counters, as "perf stat record" writes them: read, summed up by
 * event, reported as facts and a warning
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "tb-perf-file.h"

G_BEGIN_DECLS

typedef struct _TbPerfTotals TbPerfTotals;

TbPerfTotals *tb_perf_totals_new (const TbPerfFile *file);
void tb_perf_totals_free (TbPerfTotals *self);

/* Reads a record of the types STAT and EVENT_UPDATE. */
void tb_perf_totals_read (TbPerfTotals *self, const guint8 *record, gsize size);
gboolean tb_perf_totals_is_empty (const TbPerfTotals *self);
/* Adds the totals of all events to the session, as facts and in one warning. */
void tb_perf_totals_report (TbPerfTotals *self, TbRecorder *recorder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPerfTotals, tb_perf_totals_free)

G_END_DECLS
