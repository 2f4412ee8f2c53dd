/* tb-time-axis.h: axis with the times of the visible range, on which a range is selected, for
 * views over time; ticks at round times with their labels (tb-time-ticks.c), also for other
 * widgets
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "widgets/focus/tb-focus-widget.h"

G_BEGIN_DECLS

/**
 * TbTimeTicks:
 * @first: time of the first tick, ns
 * @step: distance between ticks, ns
 * @unit: ns per unit of the labels
 * @decimals: digits after the decimal point
 *
 * The ticks of a time axis.
 */
typedef struct
{
  gint64 first;
  gint64 step;
  gint64 unit;
  guint decimals;
} TbTimeTicks;

TB_EXPORT void tb_time_ticks_init (TbTimeTicks *ticks,
                                   gint64 origin,
                                   gint64 from,
                                   gint64 to,
                                   double width,
                                   double spacing);
TB_EXPORT char *tb_time_ticks_format (const TbTimeTicks *ticks, gint64 time);

#define TB_TYPE_TIME_AXIS (tb_time_axis_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbTimeAxis, tb_time_axis, TB, TIME_AXIS, TbFocusWidget)

TB_EXPORT GtkWidget *tb_time_axis_new (TbFocus *focus);
TB_EXPORT void tb_time_axis_set_margins (TbTimeAxis *self, int start, int end);

G_END_DECLS
