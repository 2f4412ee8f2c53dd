/* tb-html-figures.c: figures in an HTML page: a table as it is, any other figure as an SVG drawing
 * (by tb-drawing) and as a table that can be unfolded
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-figure-table.h"
#include "report/html/tb-html-private.h"

#define ROWS_MAX 300

static void
append_cells (GString *page, TbTableFigure *table, guint row, gboolean heading)
{
  const char *name = heading ? "th" : "td";

  g_string_append (page, "<tr>");
  for (guint column = 0; column < tb_table_figure_get_n_columns (table); column++)
    {
      gboolean is_text = !tb_table_figure_is_numeric (table, column);
      g_autofree char *cell = heading ? g_strdup (tb_table_figure_get_column_title (table, column))
                                      : tb_table_figure_format_cell (table, row, column);

      g_string_append_printf (page, "<%s%s%s>", name, heading ? " scope=\"col\"" : "",
                              is_text ? "" : " class=\"n\"");
      tb_html_append_text (page, cell);
      g_string_append_printf (page, "</%s>", name);
    }
  g_string_append (page, "</tr>\n");
}

static void
append_table (GString *page, TbTableFigure *table)
{
  guint n_all = tb_table_figure_get_n_rows (table), n = MIN (n_all, ROWS_MAX);

  g_string_append (page, "<div class=\"wide\"><table><thead>");
  append_cells (page, table, 0, TRUE);
  g_string_append (page, "</thead><tbody>\n");
  for (guint row = 0; row < n; row++)
    append_cells (page, table, row, FALSE);
  g_string_append (page, "</tbody></table></div>\n");
  if (n < n_all)
    {
      g_autofree char *text
          = g_strdup_printf (ngettext ("… and %'u more row", "… and %'u more rows", n_all - n),
                             n_all - n);

      tb_html_append_element (page, "<p class=\"note\">", text, "</p>\n");
    }
}

static void
append_drawing (GString *page, TbFigure *figure)
{
  g_autoptr (TbDrawing) drawing
      = tb_drawing_new (figure, TB_DRAWING_FIGURE, TB_TIME_NONE, TB_TIME_NONE);
  g_autoptr (GString) attributes = g_string_new (" role=\"img\" aria-label=\"");
  double width, height;

  tb_html_append_text (attributes, tb_figure_get_title (figure));
  tb_drawing_get_size (drawing, &width, &height);
  /* A small figure is not enlarged to the width of the page. A large figure is not shrunk so far
   * that it is hard to read. */
  g_string_append_printf (attributes, "\" style=\"max-width:%dpx;min-width:%dpx\"",
                          (int) (width * 1.2), (int) (width * .6));
  g_string_append (page, "<div class=\"wide\">");
  tb_drawing_append_svg (drawing, page, attributes->str);
  g_string_append (page, "</div>");
}

void
tb_html_append_figure (GString *page, TbFigure *figure)
{
  g_autoptr (TbTableFigure) table = tb_figure_to_table (figure);

  tb_html_append_element (page, "<figure><h3>", tb_figure_get_title (figure), "</h3>\n");
  if (TB_IS_TABLE_FIGURE (figure))
    append_table (page, table);
  else
    {
      append_drawing (page, figure);
      tb_html_append_element (page, "<details><summary>", _ ("As a Table"), "</summary>");
      append_table (page, table);
      g_string_append (page, "</details>");
    }
  g_string_append (page, "</figure>\n");
}
