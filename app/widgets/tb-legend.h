/* tb-legend.h: legend of the colours of a figure: samples with meanings for a timeline, flame or
 * histogram, scale of shades for a heat map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "widgets/tb-palette.h"

G_BEGIN_DECLS

#define TB_TYPE_LEGEND (tb_legend_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbLegend, tb_legend, TB, LEGEND, GtkWidget)

TB_EXPORT GtkWidget *tb_legend_new (void);
TB_EXPORT GtkWidget *tb_legend_new_for_timeline (TbTimelineFigure *figure);
TB_EXPORT GtkWidget *tb_legend_new_for_flame (TbFlameFigure *figure);
/* NULL where there is nothing to distinguish. */
TB_EXPORT GtkWidget *tb_legend_new_for_heatmap (TbHeatmapFigure *figure);
TB_EXPORT GtkWidget *tb_legend_new_for_histogram (TbHistogramFigure *figure);
TB_EXPORT void tb_legend_add_paint (TbLegend *self, TbPaint paint);
TB_EXPORT void tb_legend_add_flame_paint (TbLegend *self, TbFlamePaint paint);

G_END_DECLS
