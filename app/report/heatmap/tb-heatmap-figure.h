/* tb-heatmap-figure.h: numbers over columns and rows
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
/* Its columns are these things, not slices of time: n_columns of them. Before it is frozen. */
TB_EXPORT void tb_heatmap_figure_set_columns (TbHeatmapFigure *self, const char *const *labels);
/* What its rows and its columns are, with their unit where they have one: "Latency", "Path". Before it is frozen. */
TB_EXPORT void
tb_heatmap_figure_set_axis_titles (TbHeatmapFigure *self, const char *rows, const char *columns);
/* Its numbers may be negative: differences. Before any row; rows are then added by add_signed_row(). */
TB_EXPORT void tb_heatmap_figure_set_signed (TbHeatmapFigure *self);
TB_EXPORT guint tb_heatmap_figure_add_signed_row (TbHeatmapFigure *self,
                                                  const char *item,
                                                  const char *label,
                                                  const gint64 *values);
/* The first n cells of a row are numbered by how far they are from one of them, which is 0. */
TB_EXPORT void tb_heatmap_figure_set_numbered (TbHeatmapFigure *self, guint row, guint from, guint n);

TB_EXPORT const char *tb_heatmap_figure_get_unit (TbHeatmapFigure *self);
TB_EXPORT void tb_heatmap_figure_get_range (TbHeatmapFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_heatmap_figure_get_n_columns (TbHeatmapFigure *self);
TB_EXPORT guint tb_heatmap_figure_get_n_rows (TbHeatmapFigure *self);
TB_EXPORT const char *tb_heatmap_figure_get_row_item (TbHeatmapFigure *self, guint row);
TB_EXPORT const char *tb_heatmap_figure_get_row_label (TbHeatmapFigure *self, guint row);
TB_EXPORT const guint64 *tb_heatmap_figure_get_row (TbHeatmapFigure *self, guint row);
TB_EXPORT guint64 tb_heatmap_figure_get_largest (TbHeatmapFigure *self);

/* What the rows and the columns are; NULL where nobody said so. */
TB_EXPORT const char *tb_heatmap_figure_get_row_title (TbHeatmapFigure *self);
TB_EXPORT const char *tb_heatmap_figure_get_column_title (TbHeatmapFigure *self);
/* A sentence that says so; NULL where there is nothing to say. */
TB_EXPORT char *tb_heatmap_figure_describe_axes (TbHeatmapFigure *self);
/* NULL where the columns are slices of time. */
TB_EXPORT const char *tb_heatmap_figure_get_column_label (TbHeatmapFigure *self, guint column);
/* How far its slice goes; what there is of it, where there are more than nanoseconds. */
TB_EXPORT void
tb_heatmap_figure_get_column_range (TbHeatmapFigure *self, guint column, gint64 *from, gint64 *to);
/* The number of a cell, TB_ID_NONE: it has none. */
TB_EXPORT guint tb_heatmap_figure_get_number (TbHeatmapFigure *self, guint row, guint column);
TB_EXPORT gboolean tb_heatmap_figure_is_signed (TbHeatmapFigure *self);
TB_EXPORT const gint64 *tb_heatmap_figure_get_signed_row (TbHeatmapFigure *self, guint row);
/* The cell a reference means by its item; column: TB_ID_NONE where it means the row. */
TB_EXPORT gboolean tb_heatmap_figure_find_item (TbHeatmapFigure *self,
                                                const char *item,
                                                guint *row,
                                                guint *column);
TB_EXPORT char *tb_heatmap_figure_get_item (TbHeatmapFigure *self, guint row, guint column);
TB_EXPORT char *tb_heatmap_figure_format_value (TbHeatmapFigure *self, guint row, guint column);
TB_EXPORT char *tb_heatmap_figure_describe (TbHeatmapFigure *self, guint row, guint column);

G_END_DECLS
