/* tb-trace-units.h: count of one unit of work (marks, calls, system calls, or messages of a
 * process), given as text, in a trace: number and rate in a range, all times, name for display;
 * list of the units that a trace contains
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

#define TB_TYPE_TRACE_UNITS (tb_trace_units_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbTraceUnits, tb_trace_units, TB, TRACE_UNITS, GObject)

TB_EXPORT TbTraceUnits *tb_trace_units_new (TbTrace *trace, const char *unit, GError **error);
TB_EXPORT const char *tb_trace_units_get_unit (TbTraceUnits *self);
TB_EXPORT char *tb_trace_units_describe (TbTraceUnits *self);
TB_EXPORT guint64 tb_trace_units_count (TbTraceUnits *self, gint64 from, gint64 to);
TB_EXPORT double tb_trace_units_get_rate (TbTraceUnits *self, gint64 from, gint64 to);
TB_EXPORT void
tb_trace_units_get_rates (TbTraceUnits *self, gint64 from, gint64 to, double *rates, gsize n_rates);
TB_EXPORT const gint64 *
tb_trace_units_get_times (TbTraceUnits *self, const guint64 **totals, gsize *n_times);

TB_EXPORT char **tb_trace_units_list (TbTrace *trace);

G_END_DECLS
