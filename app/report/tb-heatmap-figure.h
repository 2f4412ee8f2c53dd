/* tb-heatmap-figure.h: counts over time and rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

#define TB_TYPE_HEATMAP_FIGURE (tb_heatmap_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbHeatmapFigure, tb_heatmap_figure, TB, HEATMAP_FIGURE, TbFigure)

/* n_columns equal slices of the time from … to; unit: of what the cells count, "calls", "ns", … */
TB_EXPORT TbHeatmapFigure *tb_heatmap_figure_new (const char *id,
                                                  const char *title,
                                                  const char *unit,
                                                  gint64 from,
                                                  gint64 to,
                                                  guint n_columns);
/* The lowest row first; values: n_columns numbers. Returns its index. */
TB_EXPORT guint tb_heatmap_figure_add_row (TbHeatmapFigure *self,
                                           const char *item,
                                           const char *label,
                                           const guint64 *values);

TB_EXPORT const char *tb_heatmap_figure_get_unit (TbHeatmapFigure *self);
TB_EXPORT void tb_heatmap_figure_get_range (TbHeatmapFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_heatmap_figure_get_n_columns (TbHeatmapFigure *self);
TB_EXPORT guint tb_heatmap_figure_get_n_rows (TbHeatmapFigure *self);
TB_EXPORT const char *tb_heatmap_figure_get_row_item (TbHeatmapFigure *self, guint row);
TB_EXPORT const char *tb_heatmap_figure_get_row_label (TbHeatmapFigure *self, guint row);
TB_EXPORT const guint64 *tb_heatmap_figure_get_row (TbHeatmapFigure *self, guint row);
TB_EXPORT guint64 tb_heatmap_figure_get_largest (TbHeatmapFigure *self);

G_END_DECLS
