/* tb-draw-table.c: drawing of a table as shapes: cells in columns as wide as their contents, up to
 * a limit of rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-text-private.h"

#define ROWS_MAX 300
#define ROWS_MEASURED 100
#define ROW 18.
#define GAP 18.
#define COLUMN_MAX 60 /* characters */

static gboolean
is_right (TbTableFigure *figure, guint column)
{
  return tb_table_figure_is_numeric (figure, column);
}

/* The width of each column is that of the widest of its first cells. */
static double *
measure (TbTableFigure *figure, guint n_columns)
{
  guint n_rows = MIN (tb_table_figure_get_n_rows (figure), ROWS_MEASURED);
  double *widths = g_new0 (double, n_columns);

  for (guint column = 0; column < n_columns; column++)
    {
      guint most = tb_text_get_width (tb_table_figure_get_column_title (figure, column));

      for (guint row = 0; row < n_rows; row++)
        {
          g_autofree char *cell = tb_table_figure_format_cell (figure, row, column);

          most = MAX (most, tb_text_get_width (cell));
        }
      widths[column] = (MIN (most, COLUMN_MAX) + 1) * CHARACTER_WIDTH;
    }
  return widths;
}

static void
add_row (TbDrawing *self,
         TbTableFigure *figure,
         const double *widths,
         double y,
         guint row,
         gboolean heading)
{
  guint n_columns = tb_table_figure_get_n_columns (figure);
  double x = 0;

  for (guint column = 0; column < n_columns; column++)
    {
      g_autofree char *cell = heading ? g_strdup (tb_table_figure_get_column_title (figure, column))
                                      : tb_table_figure_format_cell (figure, row, column);
      gboolean right = is_right (figure, column);
      TbShape look = { .fill = heading ? TB_INK_DIM : TB_INK_TEXT,
                       .flags = (right ? TB_SHAPE_RIGHT : 0) | (heading ? TB_SHAPE_BOLD : 0) };

      tb_drawing_add_text (self, right ? x + widths[column] : x, y + 13, widths[column], &look,
                           cell);
      x += widths[column] + GAP;
    }
  tb_drawing_add_line (self, 0, y + ROW, MAX (x - GAP, 1), y + ROW,
                       heading ? TB_INK_DIM : TB_INK_GRID);
}

void
tb_drawing_draw_table (TbDrawing *self, TbTableFigure *figure)
{
  guint n_columns = tb_table_figure_get_n_columns (figure);
  guint n_all = tb_table_figure_get_n_rows (figure), n_rows = MIN (n_all, ROWS_MAX);
  double y = tb_drawing_get_bottom (self), width = 0;
  g_autofree double *widths = NULL;

  if (n_columns == 0)
    return;
  widths = measure (figure, n_columns);
  for (guint column = 0; column < n_columns; column++)
    width += widths[column] + GAP;
  tb_drawing_set_size (self, width, y);
  add_row (self, figure, widths, y, 0, TRUE);
  tb_drawing_set_heading (self, y, y + ROW);
  for (guint row = 0; row < n_rows; row++)
    add_row (self, figure, widths, y + (row + 1) * ROW, row, FALSE);
  if (n_rows < n_all)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("… and %'u more row", "… and %'u more rows", n_all - n_rows),
                             n_all - n_rows);

      tb_drawing_add_note (self, text);
    }
}
