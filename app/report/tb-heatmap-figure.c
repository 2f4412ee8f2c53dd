/* tb-heatmap-figure.c: counts over time and rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/tb-heatmap-figure.h"
#include "report/tb-json-private.h"
#include "report/tb-report.h"
#include "report/tb-text-private.h"

#define COLUMNS_MAX 100000
#define CELLS_MAX 4000000
#define TEXT_WIDTH 120
#define LABEL_MAX 24
#define TEXT_ROWS_MAX 200

/**
 * TbHeatmapFigure:
 *
 * Numbers over equal slices of time and rows: how the values of a histogram move.
 */
struct _TbHeatmapFigure
{
  TbFigure parent_instance;

  char *unit;
  gint64 from;
  gint64 to;
  guint n_columns;
  GPtrArray *items;
  GPtrArray *labels;
  GArray *values; /* guint64, row by row */
  guint64 largest;
};

G_DEFINE_FINAL_TYPE (TbHeatmapFigure, tb_heatmap_figure, TB_TYPE_FIGURE)

static const guint64 *
get_row (TbHeatmapFigure *self, guint row)
{
  return &((const guint64 *) (gpointer) self->values->data)[(gsize) row * self->n_columns];
}

static void
tb_heatmap_figure_freeze (TbFigure *figure)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);

  for (guint i = 0; i < self->values->len; i++)
    self->largest = MAX (self->largest, g_array_index (self->values, guint64, i));
}

static void
tb_heatmap_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);

  json_builder_set_member_name (builder, "unit");
  json_builder_add_string_value (builder, self->unit);
  json_builder_set_member_name (builder, "from_ns");
  json_builder_add_int_value (builder, self->from);
  json_builder_set_member_name (builder, "to_ns");
  json_builder_add_int_value (builder, self->to);
  json_builder_set_member_name (builder, "columns");
  json_builder_add_int_value (builder, self->n_columns);
  json_builder_set_member_name (builder, "rows");
  json_builder_begin_array (builder);
  for (guint row = 0; row < self->items->len; row++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "item");
      json_builder_add_string_value (builder, g_ptr_array_index (self->items, row));
      json_builder_set_member_name (builder, "label");
      json_builder_add_string_value (builder, g_ptr_array_index (self->labels, row));
      json_builder_set_member_name (builder, "values");
      json_builder_begin_array (builder);
      for (guint column = 0; column < self->n_columns; column++)
        tb_json_add_unsigned (builder, get_row (self, row)[column]);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
tb_heatmap_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);
  JsonArray *rows;
  const char *unit;
  gint64 n_columns;

  if (!tb_json_get_string (object, "unit", &unit, error)
      || !tb_json_get_integer (object, "from_ns", G_MININT64 / 4, G_MAXINT64 / 4, &self->from, error)
      || !tb_json_get_integer (object, "to_ns", self->from, G_MAXINT64 / 4, &self->to, error)
      || !tb_json_get_integer (object, "columns", 0, COLUMNS_MAX, &n_columns, error)
      || !tb_json_get_array (object, "rows", CELLS_MAX / (n_columns + 1), &rows, error))
    return FALSE;
  g_set_str (&self->unit, unit);
  self->n_columns = n_columns;
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      g_autofree gint64 *values = NULL;
      JsonObject *row;
      const char *item;
      const char *label;

      if (!tb_json_get_object (json_array_get_element (rows, i), "row", &row, error)
          || !tb_json_get_string (row, "item", &item, error)
          || !tb_json_get_string (row, "label", &label, error)
          || !(values = tb_json_get_integers (row, "values", n_columns, 0, G_MAXINT64, error)))
        return FALSE;
      tb_heatmap_figure_add_row (self, item, label, (const guint64 *) values);
    }
  return TRUE;
}

/* The highest row comes first, as it is drawn. A column of text stands for one or several slices: for the greatest. */
static void
render_row (TbHeatmapFigure *self, guint row, guint label_width, guint n_cells, GString *text)
{
  static const char *const shades[] = { " ", "░", "▒", "▓", "█" };

  tb_text_append_padded (text, g_ptr_array_index (self->labels, row), label_width, TRUE);
  g_string_append (text, " ▏");
  for (guint cell = 0; cell < n_cells; cell++)
    {
      guint first = (guint64) cell * self->n_columns / n_cells;
      guint end = MAX ((guint64) (cell + 1) * self->n_columns / n_cells, first + 1);
      guint64 greatest = 0;

      for (guint column = first; column < MIN (end, self->n_columns); column++)
        greatest = MAX (greatest, get_row (self, row)[column]);
      g_string_append (
          text,
          shades[greatest == 0 ? 0 : 1 + MIN ((guint) ((double) (greatest - 1) / self->largest * 4), 3)]);
    }
  g_string_append (text, "▕\n");
}

static void
tb_heatmap_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);
  guint n_rows = MIN (self->items->len, TEXT_ROWS_MAX);
  g_autofree char *length = tb_format_duration (self->to - self->from);
  g_autofree char *scale
      = g_strdup_printf (_ ("%s; darkest: %" PRIu64 " %s"), length, self->largest, self->unit);
  guint label_width = 0;
  guint n_cells;

  for (guint i = 0; i < self->labels->len; i++)
    label_width = MAX (label_width, tb_text_get_width (g_ptr_array_index (self->labels, i)));
  label_width = MIN (label_width, width ? MIN (LABEL_MAX, width / 3) : LABEL_MAX);
  n_cells
      = MIN (self->n_columns, (guint) MAX (1, (int) (width ? width : TEXT_WIDTH) - (int) label_width - 3));
  for (guint i = 0; i < n_rows && self->n_columns > 0; i++)
    render_row (self, self->items->len - 1 - i, label_width, n_cells, text);
  if (n_rows < self->items->len)
    g_string_append_printf (text,
                            ngettext ("… and %u more row\n", "… and %u more rows\n",
                                      self->items->len - n_rows),
                            self->items->len - n_rows);
  tb_text_append_wrapped (text, scale, width, 2);
}

static void
tb_heatmap_figure_finalize (GObject *object)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (object);

  g_free (self->unit);
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->labels);
  g_array_unref (self->values);
  G_OBJECT_CLASS (tb_heatmap_figure_parent_class)->finalize (object);
}

static void
tb_heatmap_figure_class_init (TbHeatmapFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_heatmap_figure_finalize;
  figure_class->kind = "heatmap";
  figure_class->freeze = tb_heatmap_figure_freeze;
  figure_class->write_json = tb_heatmap_figure_write_json;
  figure_class->read_json = tb_heatmap_figure_read_json;
  figure_class->render_text = tb_heatmap_figure_render_text;
}

static void
tb_heatmap_figure_init (TbHeatmapFigure *self)
{
  self->unit = g_strdup ("");
  self->items = g_ptr_array_new_with_free_func (g_free);
  self->labels = g_ptr_array_new_with_free_func (g_free);
  self->values = g_array_new (FALSE, FALSE, sizeof (guint64));
}

/**
 * tb_heatmap_figure_new:
 * @id: its name in references
 * @title: its title, for people
 * @unit: of what the cells count: "calls", "ns"…
 * @from: start of the time shown, ns
 * @to: end of it
 * @n_columns: into how many equal slices it is cut
 *
 * Returns: (transfer full): a heat map without rows
 */
TbHeatmapFigure *
tb_heatmap_figure_new (const char *id,
                       const char *title,
                       const char *unit,
                       gint64 from,
                       gint64 to,
                       guint n_columns)
{
  TbHeatmapFigure *self = g_object_new (TB_TYPE_HEATMAP_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  g_set_str (&self->unit, unit ? unit : "");
  self->from = from;
  self->to = MAX (from, to);
  self->n_columns = n_columns;
  return self;
}

/**
 * tb_heatmap_figure_add_row:
 * @self: a heat map that is being built
 * @item: names the row in references
 * @label: for people
 * @values: (array): a number for each column
 *
 * Adds a row above those there are.
 *
 * Returns: the row's index
 */
guint
tb_heatmap_figure_add_row (TbHeatmapFigure *self, const char *item, const char *label, const guint64 *values)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  g_ptr_array_add (self->items, g_strdup (item ? item : ""));
  g_ptr_array_add (self->labels, g_strdup (label ? label : ""));
  g_array_append_vals (self->values, values, self->n_columns);
  return self->items->len - 1;
}

/**
 * tb_heatmap_figure_get_unit:
 * @self: a heat map
 *
 * Returns: the unit of its cells
 */
const char *
tb_heatmap_figure_get_unit (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), "");

  return self->unit;
}

/**
 * tb_heatmap_figure_get_range:
 * @self: a heat map
 * @from: (out) (optional): start of the time shown, ns
 * @to: (out) (optional): end of it
 */
void
tb_heatmap_figure_get_range (TbHeatmapFigure *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_HEATMAP_FIGURE (self));

  if (from)
    *from = self->from;
  if (to)
    *to = self->to;
}

/**
 * tb_heatmap_figure_get_n_columns:
 * @self: a heat map
 *
 * Returns: into how many slices its time is cut
 */
guint
tb_heatmap_figure_get_n_columns (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);

  return self->n_columns;
}

/**
 * tb_heatmap_figure_get_n_rows:
 * @self: a heat map
 *
 * Returns: how many rows it has
 */
guint
tb_heatmap_figure_get_n_rows (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);

  return self->items->len;
}

/**
 * tb_heatmap_figure_get_row_item:
 * @self: a heat map
 * @row: index of a row
 *
 * Returns: what names it in references
 */
const char *
tb_heatmap_figure_get_row_item (TbHeatmapFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), "");
  g_return_val_if_fail (row < self->items->len, "");

  return g_ptr_array_index (self->items, row);
}

/**
 * tb_heatmap_figure_get_row_label:
 * @self: a heat map
 * @row: index of a row
 *
 * Returns: its name, for people
 */
const char *
tb_heatmap_figure_get_row_label (TbHeatmapFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), "");
  g_return_val_if_fail (row < self->labels->len, "");

  return g_ptr_array_index (self->labels, row);
}

/**
 * tb_heatmap_figure_get_row: (skip)
 * @self: a heat map
 * @row: index of a row
 *
 * Returns: its numbers, one for each column
 */
const guint64 *
tb_heatmap_figure_get_row (TbHeatmapFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len, NULL);

  return get_row (self, row);
}

/**
 * tb_heatmap_figure_get_largest:
 * @self: a frozen heat map
 *
 * Returns: the greatest of its numbers
 */
guint64
tb_heatmap_figure_get_largest (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);

  return self->largest;
}
