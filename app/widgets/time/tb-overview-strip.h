/* tb-overview-strip.h: strip with the activity of threads in the whole recording; mouse and keys
 * select a time range of the document there, or move it, and make it visible
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/timeline/tb-timeline-figure.h"
#include "widgets/focus/tb-focus-widget.h"

G_BEGIN_DECLS

#define TB_TYPE_OVERVIEW_STRIP (tb_overview_strip_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbOverviewStrip, tb_overview_strip, TB, OVERVIEW_STRIP, TbFocusWidget)

TB_EXPORT GtkWidget *tb_overview_strip_new (TbFocus *focus);
TB_EXPORT void
tb_overview_strip_set_activity (TbOverviewStrip *self, const float *activity, gsize n);
TB_EXPORT void tb_overview_strip_set_figure (TbOverviewStrip *self, TbTimelineFigure *figure);

G_END_DECLS
