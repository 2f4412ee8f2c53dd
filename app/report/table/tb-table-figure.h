/* tb-table-figure.h: table of typed cells: building, access, cells as text; numbers that texts
 * stand for, comparison of rows; thread, time and paint of a row; stacked bar of a column, and its
 * link to a histogram that counts its values
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"
#include "report/flame/tb-flame-figure.h"
#include "report/histogram/tb-histogram-figure.h"

G_BEGIN_DECLS

/**
 * TbCellType:
 * @TB_CELL_TEXT: text
 * @TB_CELL_COUNT: a count, an integer
 * @TB_CELL_DURATION: a duration, an integer of ns
 * @TB_CELL_TIME: a time of the session clock, an integer of ns
 * @TB_CELL_SHARE: a share, a double of 0…1
 * @TB_CELL_BYTES: a size in bytes, an integer
 * @TB_CELL_NUMBER: an integer that is an identifier, not an amount, such as a PID
 *
 * The types of columns of a table.
 */
typedef enum
{
  TB_CELL_TEXT,
  TB_CELL_COUNT,
  TB_CELL_DURATION,
  TB_CELL_TIME,
  TB_CELL_SHARE,
  TB_CELL_BYTES,
  TB_CELL_NUMBER,
} TbCellType;

#define TB_TYPE_TABLE_FIGURE (tb_table_figure_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbTableFigure, tb_table_figure, TB, TABLE_FIGURE, TbFigure)

TB_EXPORT TbTableFigure *tb_table_figure_new (const char *id, const char *title);
TB_EXPORT guint tb_table_figure_add_column (TbTableFigure *self,
                                            const char *id,
                                            const char *title,
                                            TbCellType type);
TB_EXPORT guint tb_table_figure_add_row (TbTableFigure *self, const char *item);
/* A row that is a part of another row, and that a window shows below it on request. Call after all
 * rows are added, in their order. Its index is not counted by tb_table_figure_get_n_rows(). */
TB_EXPORT guint tb_table_figure_add_child (TbTableFigure *self, guint parent, const char *item);
TB_EXPORT void
tb_table_figure_set_text (TbTableFigure *self, guint row, guint column, const char *text);
TB_EXPORT void
tb_table_figure_set_integer (TbTableFigure *self, guint row, guint column, gint64 value);
TB_EXPORT void
tb_table_figure_set_double (TbTableFigure *self, guint row, guint column, double value);
TB_EXPORT void tb_table_figure_set_measure (TbTableFigure *self,
                                            guint row,
                                            guint column,
                                            TbCellType type,
                                            double low,
                                            double high);
/* Sets a thread (TB_ID_NONE: none) and a time that are selected together with the row. */
TB_EXPORT void
tb_table_figure_set_place (TbTableFigure *self, guint row, guint32 thread, gint64 from, gint64 to);
TB_EXPORT gboolean tb_table_figure_get_place (TbTableFigure *self,
                                              guint row,
                                              guint32 *thread,
                                              gint64 *from,
                                              gint64 *to);
TB_EXPORT void tb_table_figure_set_bar (TbTableFigure *self, guint column);
/* Links a column to a histogram of the same report that counts its values: selecting bins selects
 * the rows. */
TB_EXPORT void
tb_table_figure_set_histogram (TbTableFigure *self, guint column, const char *histogram);
TB_EXPORT void tb_table_figure_set_paint (TbTableFigure *self, guint row, TbFlamePaint paint);

TB_EXPORT guint tb_table_figure_get_n_columns (TbTableFigure *self);
TB_EXPORT guint tb_table_figure_get_n_rows (TbTableFigure *self);
/* Number and first index of the child rows of a row. */
TB_EXPORT guint tb_table_figure_get_children (TbTableFigure *self, guint row, guint *first);
TB_EXPORT guint tb_table_figure_get_n_children (TbTableFigure *self);
TB_EXPORT const char *tb_table_figure_get_column_id (TbTableFigure *self, guint column);
TB_EXPORT const char *tb_table_figure_get_column_title (TbTableFigure *self, guint column);
TB_EXPORT TbCellType tb_table_figure_get_column_type (TbTableFigure *self, guint column);
TB_EXPORT gboolean tb_table_figure_is_numeric (TbTableFigure *self, guint column);
/* Whether any of its columns can have durations. */
TB_EXPORT gboolean tb_table_figure_has_durations (TbTableFigure *self);
TB_EXPORT const char *tb_table_figure_get_row_item (TbTableFigure *self, guint row);
TB_EXPORT gboolean tb_table_figure_is_known (TbTableFigure *self, guint row, guint column);
TB_EXPORT const char *tb_table_figure_get_text (TbTableFigure *self, guint row, guint column);
TB_EXPORT gint64 tb_table_figure_get_integer (TbTableFigure *self, guint row, guint column);
TB_EXPORT double tb_table_figure_get_double (TbTableFigure *self, guint row, guint column);
TB_EXPORT TbCellType tb_table_figure_get_measure (TbTableFigure *self,
                                                  guint row,
                                                  guint column,
                                                  double *low,
                                                  double *high);
TB_EXPORT int tb_table_figure_compare (TbTableFigure *self, guint column, guint row, guint other);
TB_EXPORT guint tb_table_figure_get_bar (TbTableFigure *self);
TB_EXPORT TbHistogramFigure *tb_table_figure_get_histogram (TbTableFigure *self, guint *column);
TB_EXPORT double tb_table_figure_get_part (TbTableFigure *self, guint row);
TB_EXPORT TbFlamePaint tb_table_figure_get_paint (TbTableFigure *self, guint row);
TB_EXPORT char *tb_table_figure_format_cell (TbTableFigure *self, guint row, guint column);

G_END_DECLS
