/* tb-heatmap-figure.h: heat map of numbers, or of signed differences, by row and by column of time
 * or name: building, axis titles, access, items that references use, and sentences about cells
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

#define TB_TYPE_HEATMAP_FIGURE (tb_heatmap_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbHeatmapFigure, tb_heatmap_figure, TB, HEATMAP_FIGURE, TbFigure)

TB_EXPORT TbHeatmapFigure *tb_heatmap_figure_new (const char *id,
                                                  const char *title,
                                                  const char *unit,
                                                  gint64 from,
                                                  gint64 to,
                                                  guint n_columns);
TB_EXPORT guint tb_heatmap_figure_add_row (TbHeatmapFigure *self,
                                           const char *item,
                                           const char *label,
                                           const guint64 *values);
TB_EXPORT void tb_heatmap_figure_set_columns (TbHeatmapFigure *self, const char *const *labels);
TB_EXPORT void
tb_heatmap_figure_set_axis_titles (TbHeatmapFigure *self, const char *rows, const char *columns);
/* Makes the numbers differences, which can be negative. Call before a row is added. Rows are then
 * added by add_signed_row(). */
TB_EXPORT void tb_heatmap_figure_set_signed (TbHeatmapFigure *self);
TB_EXPORT guint tb_heatmap_figure_add_signed_row (TbHeatmapFigure *self,
                                                  const char *item,
                                                  const char *label,
                                                  const gint64 *values);
TB_EXPORT void
tb_heatmap_figure_set_numbering (TbHeatmapFigure *self, guint row, guint from, guint n);

TB_EXPORT const char *tb_heatmap_figure_get_unit (TbHeatmapFigure *self);
TB_EXPORT void tb_heatmap_figure_get_range (TbHeatmapFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_heatmap_figure_get_n_columns (TbHeatmapFigure *self);
TB_EXPORT guint tb_heatmap_figure_get_n_rows (TbHeatmapFigure *self);
TB_EXPORT const char *tb_heatmap_figure_get_row_item (TbHeatmapFigure *self, guint row);
TB_EXPORT const char *tb_heatmap_figure_get_row_label (TbHeatmapFigure *self, guint row);
TB_EXPORT const guint64 *tb_heatmap_figure_get_row (TbHeatmapFigure *self, guint row);
TB_EXPORT guint64 tb_heatmap_figure_get_largest (TbHeatmapFigure *self);

/* The titles of the rows and the columns, NULL if none was set. */
TB_EXPORT const char *tb_heatmap_figure_get_row_title (TbHeatmapFigure *self);
TB_EXPORT const char *tb_heatmap_figure_get_column_title (TbHeatmapFigure *self);
TB_EXPORT char *tb_heatmap_figure_describe_axes (TbHeatmapFigure *self);
/* NULL if the columns are slices of time. */
TB_EXPORT const char *tb_heatmap_figure_get_column_label (TbHeatmapFigure *self, guint column);
TB_EXPORT void
tb_heatmap_figure_get_column_range (TbHeatmapFigure *self, guint column, gint64 *from, gint64 *to);
/* The number of a cell, TB_ID_NONE: not numbered. */
TB_EXPORT guint tb_heatmap_figure_get_number (TbHeatmapFigure *self, guint row, guint column);
TB_EXPORT gboolean tb_heatmap_figure_is_signed (TbHeatmapFigure *self);
TB_EXPORT const gint64 *tb_heatmap_figure_get_signed_row (TbHeatmapFigure *self, guint row);
TB_EXPORT gboolean tb_heatmap_figure_find_item (TbHeatmapFigure *self,
                                                const char *item,
                                                guint *row,
                                                guint *column);
TB_EXPORT char *tb_heatmap_figure_get_item (TbHeatmapFigure *self, guint row, guint column);
TB_EXPORT char *tb_heatmap_figure_format_value (TbHeatmapFigure *self, guint row, guint column);
TB_EXPORT char *tb_heatmap_figure_describe (TbHeatmapFigure *self, guint row, guint column);

G_END_DECLS
