/* tb-histogram-view.h: widget that shows a histogram figure, with its selected bins, linear or
 * logarithmic scales and percentiles
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/histogram/tb-histogram-figure.h"
#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

#define TB_TYPE_HISTOGRAM_VIEW (tb_histogram_view_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbHistogramView, tb_histogram_view, TB, HISTOGRAM_VIEW, TbFigureView)

TB_EXPORT GtkWidget *tb_histogram_view_new (TbHistogramFigure *figure, TbFocus *focus);
/* Bins [first, end). None where they are equal. */
TB_EXPORT void tb_histogram_view_select (TbHistogramView *self, guint first, guint end);
TB_EXPORT gboolean tb_histogram_view_get_selected (TbHistogramView *self, guint *first, guint *end);
/* Logarithmic scales of values and of counts; percentile lines. */
TB_EXPORT void
tb_histogram_view_set_logarithmic (TbHistogramView *self, gboolean values, gboolean counts);
TB_EXPORT void tb_histogram_view_set_percentiles (TbHistogramView *self, gboolean shown);

G_END_DECLS
