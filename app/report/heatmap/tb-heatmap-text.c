/* tb-heatmap-text.c: heat map as text: a line of shades for each row, and the scale
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "report/heatmap/tb-heatmap-figure-private.h"
#include "report/tb-report.h"
#include "report/tb-text-private.h"

#define TEXT_WIDTH 120
#define LABEL_MAX 24
#define TEXT_ROWS_MAX 200

/* The top row comes first, as in the drawing. A text column covers one or several slices and shows
 * the largest value. */
static void
render_row (TbHeatmapFigure *self, guint row, guint label_width, guint n_cells, GString *text)
{
  static const char *const shades[] = { " ", "░", "▒", "▓", "█" };
  static const char *const less[] = { " ", "·", "−", "=", "≡" };

  tb_text_append_padded (text, g_ptr_array_index (self->labels, row), label_width, TRUE);
  g_string_append (text, " ▏");
  for (guint cell = 0; cell < n_cells; cell++)
    {
      guint first = (guint64) cell * self->n_columns / n_cells;
      guint end = MAX ((guint64) (cell + 1) * self->n_columns / n_cells, first + 1);
      guint64 greatest = 0;
      gboolean negative = FALSE;
      guint shade;

      for (guint column = first; column < MIN (end, self->n_columns); column++)
        if (tb_heatmap_get_size (self, tb_heatmap_get_row (self, row)[column]) > greatest)
          {
            greatest = tb_heatmap_get_size (self, tb_heatmap_get_row (self, row)[column]);
            negative = self->is_signed && (gint64) tb_heatmap_get_row (self, row)[column] < 0;
          }
      shade
          = greatest == 0 ? 0 : 1 + MIN ((guint) ((double) (greatest - 1) / self->largest * 4), 3);
      g_string_append (text, negative ? less[shade] : shades[shade]);
    }
  g_string_append (text, "▕\n");
}

/* The value of the darkest cell, and the time that the columns cover. */
static char *
describe_scale (TbHeatmapFigure *self)
{
  g_autofree char *length = tb_format_duration (self->to - self->from);
  g_autofree char *darkest = tb_format_amount (self->largest, self->unit);

  if (self->is_signed)
    return g_strdup_printf (_ ("%s; darkest: %s more; ≡: the same amount less"),
                            self->columns != NULL ? _ ("differences") : length, darkest);
  if (self->columns == NULL)
    return g_strdup_printf (_ ("%s; darkest: %s"), length, darkest);
  return g_strdup_printf (_ ("darkest: %s"), darkest);
}

void
tb_heatmap_render_text (TbFigure *figure, GString *text, guint width)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);
  guint n_rows = MIN (self->items->len, TEXT_ROWS_MAX);
  g_autofree char *scale = describe_scale (self);
  /* Without titles the length of the time in the scale shows that the columns are times. */
  g_autofree char *axes = self->row_title != NULL || self->column_title != NULL
                              ? tb_heatmap_figure_describe_axes (self)
                              : NULL;
  guint label_width = 0;
  guint n_cells;

  for (guint i = 0; i < self->labels->len; i++)
    label_width = MAX (label_width, tb_text_get_width (g_ptr_array_index (self->labels, i)));
  label_width = MIN (label_width, width ? MIN (LABEL_MAX, width / 3) : LABEL_MAX);
  n_cells = MIN (self->n_columns,
                 (guint) MAX (1, (int) (width ? width : TEXT_WIDTH) - (int) label_width - 3));
  for (guint i = 0; i < n_rows && self->n_columns > 0; i++)
    render_row (self, self->items->len - 1 - i, label_width, n_cells, text);
  if (n_rows < self->items->len)
    g_string_append_printf (text,
                            ngettext ("… and %'u more row\n", "… and %'u more rows\n",
                                      self->items->len - n_rows),
                            self->items->len - n_rows);
  if (axes != NULL)
    tb_text_append_wrapped (text, axes, width, 2);
  tb_text_append_wrapped (text, scale, width, 2);
}
