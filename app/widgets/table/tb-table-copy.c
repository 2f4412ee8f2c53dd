/* tb-table-copy.c: given rows and columns of a table as text for other programs: fields separated
 * by tabs, or CSV
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "report/tb-figure-table.h"
#include "base/tb-base.h"
#include "widgets/table/tb-table-widgets-private.h"

static void
append_field (GString *text, const char *field)
{
  g_autofree char *clean = g_strdup (field);

  /* A cell must not contain line breaks or tabs. */
  g_string_append (text, g_strdelimit (clean, "\t\r\n", ' '));
}

/* Text as it is shown: a line of headings, then each row, with fields separated by tabs. */
char *
tb_table_part_to_text (TbTableFigure *figure, GArray *rows, GArray *columns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < columns->len; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\t');
      append_field (text,
                    tb_table_figure_get_column_title (figure, g_array_index (columns, guint, i)));
    }
  g_string_append_c (text, '\n');
  for (guint k = 0; k < rows->len; k++)
    {
      for (guint i = 0; i < columns->len; i++)
        {
          g_autofree char *cell
              = tb_table_figure_format_cell (figure, g_array_index (rows, guint, k),
                                             g_array_index (columns, guint, i));

          if (i > 0)
            g_string_append_c (text, '\t');
          append_field (text, cell);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
copy_cell (TbTableFigure *from,
           guint row,
           guint column,
           TbTableFigure *to,
           guint to_row,
           guint to_column)
{
  TbCellType measure;
  double low, high;

  if (!tb_table_figure_is_known (from, row, column))
    return;
  switch (tb_table_figure_get_column_type (from, column))
    {
    case TB_CELL_TEXT:
      tb_table_figure_set_text (to, to_row, to_column,
                                tb_table_figure_get_text (from, row, column));
      measure = tb_table_figure_get_measure (from, row, column, &low, &high);
      if (measure != TB_CELL_TEXT)
        tb_table_figure_set_measure (to, to_row, to_column, measure, low, high);
      break;
    case TB_CELL_SHARE:
      tb_table_figure_set_double (to, to_row, to_column,
                                  tb_table_figure_get_double (from, row, column));
      break;
    default:
      tb_table_figure_set_integer (to, to_row, to_column,
                                   tb_table_figure_get_integer (from, row, column));
    }
}

/* Text for programs: tb_figure_write_csv() of these rows and columns. */
char *
tb_table_part_to_csv (TbTableFigure *figure, GArray *rows, GArray *columns)
{
  g_autoptr (TbTableFigure) part = tb_table_figure_new ("", "");
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  for (guint i = 0; i < columns->len; i++)
    {
      guint column = g_array_index (columns, guint, i);

      tb_table_figure_add_column (part, tb_table_figure_get_column_id (figure, column),
                                  tb_table_figure_get_column_title (figure, column),
                                  tb_table_figure_get_column_type (figure, column));
    }
  for (guint k = 0; k < rows->len; k++)
    {
      guint row = tb_table_figure_add_row (part, "");

      for (guint i = 0; i < columns->len; i++)
        copy_cell (figure, g_array_index (rows, guint, k), g_array_index (columns, guint, i), part,
                   row, i);
    }
  tb_figure_freeze (TB_FIGURE (part));
  /* Writing to memory does not fail. */
  if (!tb_figure_write_csv (TB_FIGURE (part), TB_TIME_NONE, TB_TIME_NONE, stream, NULL, NULL)
      || !g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL)
      || !g_output_stream_close (stream, NULL, NULL))
    return g_strdup ("");
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}
