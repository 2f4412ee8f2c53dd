/* tb-heatmap-view.h: widget that shows a heat map figure, with its selected cells, search matches,
 * and linear or logarithmic scale of colours
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/heatmap/tb-heatmap-figure.h"
#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

#define TB_TYPE_HEATMAP_VIEW (tb_heatmap_view_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbHeatmapView, tb_heatmap_view, TB, HEATMAP_VIEW, TbFigureView)

TB_EXPORT GtkWidget *tb_heatmap_view_new (TbHeatmapFigure *figure, TbFocus *focus);
/* Columns [first, end) of a row, or the whole row where they are equal. TB_ID_NONE: nothing. */
TB_EXPORT void tb_heatmap_view_select (TbHeatmapView *self, guint row, guint first, guint end);
TB_EXPORT gboolean tb_heatmap_view_get_selected (TbHeatmapView *self,
                                                 guint *row,
                                                 guint *first,
                                                 guint *end);
TB_EXPORT gboolean tb_heatmap_view_is_found (TbHeatmapView *self, guint row);
TB_EXPORT void tb_heatmap_view_set_logarithmic (TbHeatmapView *self, gboolean logarithmic);

G_END_DECLS
