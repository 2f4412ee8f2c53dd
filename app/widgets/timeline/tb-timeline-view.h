/* tb-timeline-view.h: view of a timeline figure: canvas, time axis and menu (sorting, pinning,
 * groups); filter, saved arrangement, interval at a position, selection and zoom
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/timeline/tb-timeline-figure.h"
#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

#define TB_TYPE_TIMELINE_VIEW (tb_timeline_view_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbTimelineView, tb_timeline_view, TB, TIMELINE_VIEW, TbFigureView)

TB_EXPORT GtkWidget *tb_timeline_view_new (TbTimelineFigure *figure, TbFocus *focus);
TB_EXPORT guint tb_timeline_view_get_n_shown (TbTimelineView *self);
TB_EXPORT gboolean tb_timeline_view_get_interval_at (TbTimelineView *self,
                                                     double x,
                                                     double y,
                                                     guint *track,
                                                     gsize *interval);
TB_EXPORT gboolean tb_timeline_view_get_position (TbTimelineView *self,
                                                  guint track,
                                                  gint64 time,
                                                  double *x,
                                                  double *y);
TB_EXPORT void tb_timeline_view_select (TbTimelineView *self, guint track, gsize interval);
TB_EXPORT void tb_timeline_view_zoom_to (TbTimelineView *self, gint64 from, gint64 to);

G_END_DECLS
