/* tb-perf-switches.h: thread switches of a perf.data file, from the tracepoint and from records,
 * without those that both report; whether switches of all threads were recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/schema/tb-event.h"
#include "tb-perf-import.h"

G_BEGIN_DECLS

/* The kernel reports a switch in up to three ways: by the tracepoint sched_switch, which has both
 * threads and the state of the one that leaves, and by a record each of the thread that leaves and
 * of the one that comes ("perf record --switch-events"). A recording of some threads has these of
 * its own threads alone. */
typedef struct _TbPerfSwitches TbPerfSwitches;

TbPerfSwitches *tb_perf_switches_new (TbPerfImport *import);
void tb_perf_switches_free (TbPerfSwitches *self);

/* Finds whether threads or CPUs were recorded, from the list of the events of both, and from the
 * type of a record. To be called before the first switch is added. */
void tb_perf_switches_read_id_index (TbPerfSwitches *self, const guint8 *record, gsize size);
void tb_perf_switches_find_scope (TbPerfSwitches *self, guint32 record_type);

/* Whether switches were recorded of some threads, which show nothing of other threads. */
gboolean tb_perf_switches_are_of_threads (const TbPerfSwitches *self);
/* Whether the tracepoint was recorded of some threads, and their records were not: it is then not
 * known when they ran. */
gboolean tb_perf_switches_are_incomplete (const TbPerfSwitches *self);

/* Adds a switch of the tracepoint. */
void tb_perf_switches_add_traced (TbPerfSwitches *self, TbEvent *event);
/* Adds the switch of a record, unless another record or the tracepoint reported it before. */
void tb_perf_switches_read (TbPerfSwitches *self, const guint8 *record, gsize size, gint64 time);

/* Adds the facts and warnings about the switches that were added. */
void tb_perf_switches_end (TbPerfSwitches *self);

G_END_DECLS
