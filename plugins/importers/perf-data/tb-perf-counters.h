/* tb-perf-counters.h: role of each event of a perf.data file (clock that measures CPU time,
 * counter, waits), and conversion of samples of clocks and counters into events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-perf-import-private.h"

G_BEGIN_DECLS

/* Finds the role of each event. */
void tb_perf_counters_prepare (TbPerfImport *self);

/* Adds the rows of a sample of a counter. event: thread, time and stack */
void tb_perf_counters_add (TbPerfImport *self, TbPerfAttr *attr, guint64 weight, TbEvent *event);

/* Counts the event of a mark. */
void tb_perf_counters_add_mark (TbPerfImport *self, guint64 weight, const TbEvent *mark);

/* Adds the rows of a sample with the counts of its group: what each counter has counted since the
 * sample before it. Returns FALSE if the sample has no counts by event. */
gboolean tb_perf_counters_add_group (TbPerfImport *self,
                                     const TbPerfAttr *attr,
                                     const TbPerfSample *sample,
                                     TbEvent *event);

/* Reads the fields of a sample of perf record --off-cpu. Newer versions of perf write them into the
 * data of a BPF program. Returns FALSE if they are damaged. */
gboolean tb_perf_counters_read_wait (TbPerfImport *self,
                                     const TbPerfAttr *attr,
                                     TbPerfSample *sample,
                                     gboolean is_sum,
                                     TbEvent *event,
                                     guint64 *waited_ns);

/* Whether the time of the record is one that perf made up to put sums of waits last. */
static inline gboolean
tb_perf_counters_is_sum (const TbPerfAttr *attr, guint64 time)
{
  return attr != NULL && attr->role == TB_PERF_ROLE_WAITS && time >> 32 == G_MAXUINT32;
}

G_END_DECLS
