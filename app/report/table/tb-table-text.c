/* tb-table-text.c: table as text, in aligned columns shrunk to the width, or one cell a line if it
 * is too narrow
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/table/tb-table-figure-private.h"
#include "report/tb-text-private.h"

#define ROWS_MAX 500
#define COLUMN_MIN 8
#define COLUMN_MAX 60
#define GAP 2

static guint *
measure_columns (TbTableFigure *self, guint n_rows)
{
  guint n_columns = tb_table_figure_get_n_columns (self);
  guint *widths = g_new0 (guint, n_columns + 1);

  for (guint column = 0; column < n_columns; column++)
    {
      widths[column] = tb_text_get_width (tb_table_figure_get_column_title (self, column));
      for (guint row = 0; row < n_rows; row++)
        {
          g_autofree char *cell = tb_table_figure_format_cell (self, row, column);

          widths[column] = MAX (widths[column], tb_text_get_width (cell));
        }
      widths[column] = MIN (widths[column], COLUMN_MAX);
    }
  return widths;
}

/* Shrinks the widest column of text until a line fits. Numbers are never cut. FALSE if that is not
 * sufficient. */
static gboolean
shrink_columns (TbTableFigure *self, guint *widths, guint width)
{
  guint n_columns = tb_table_figure_get_n_columns (self);
  guint line = 0;

  for (guint column = 0; column < n_columns; column++)
    line += widths[column] + (column ? GAP : 0);
  while (width && line > width)
    {
      guint widest = G_MAXUINT;

      for (guint column = 0; column < n_columns; column++)
        if (!tb_table_figure_is_numeric (self, column) && widths[column] > COLUMN_MIN
            && (widest == G_MAXUINT || widths[column] > widths[widest]))
          widest = column;
      if (widest == G_MAXUINT)
        return FALSE;
      widths[widest]--;
      line--;
    }
  return TRUE;
}

static void
trim_line (GString *text)
{
  while (text->len > 0 && text->str[text->len - 1] == ' ')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, '\n');
}

static void
render_lines (TbTableFigure *self, const guint *widths, guint n_rows, GString *text)
{
  guint n_columns = tb_table_figure_get_n_columns (self);

  for (guint column = 0; column < n_columns; column++)
    {
      g_string_append_printf (text, "%*s", column ? GAP : 0, "");
      tb_text_append_padded (text, tb_table_figure_get_column_title (self, column), widths[column],
                             tb_table_figure_is_numeric (self, column));
    }
  trim_line (text);
  for (guint row = 0; row < n_rows; row++)
    {
      for (guint column = 0; column < n_columns; column++)
        {
          g_autofree char *cell = tb_table_figure_format_cell (self, row, column);

          g_string_append_printf (text, "%*s", column ? GAP : 0, "");
          tb_text_append_padded (text, cell, widths[column],
                                 tb_table_figure_is_numeric (self, column));
        }
      trim_line (text);
    }
}

/* One cell a line, for lines that are too narrow for the columns. */
static void
render_records (TbTableFigure *self, guint n_rows, guint width, GString *text)
{
  for (guint row = 0; row < n_rows; row++)
    for (guint column = 0; column < tb_table_figure_get_n_columns (self); column++)
      {
        g_autofree char *cell = tb_table_figure_format_cell (self, row, column);
        g_autofree char *line
            = g_strdup_printf ("%s%s: %s", column ? "  " : "",
                               tb_table_figure_get_column_title (self, column), cell);

        tb_text_append_wrapped (text, line, width, 4);
      }
}

void
tb_table_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbTableFigure *self = TB_TABLE_FIGURE (figure);
  guint n_all = tb_table_figure_get_n_rows (self);
  guint n_rows = MIN (n_all, ROWS_MAX);
  g_autofree guint *widths = measure_columns (self, n_rows);

  if (shrink_columns (self, widths, width))
    render_lines (self, widths, n_rows, text);
  else
    render_records (self, n_rows, width, text);
  if (n_rows < n_all)
    g_string_append_printf (text,
                            ngettext ("… and %'u more row\n", "… and %'u more rows\n",
                                      n_all - n_rows),
                            n_all - n_rows);
}
