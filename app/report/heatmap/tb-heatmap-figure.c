/* tb-heatmap-figure.c: heat map of numbers, or of signed differences, by row and by column of time
 * or name: building, axis titles, access, items that references use, and sentences about cells
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "report/heatmap/tb-heatmap-figure-private.h"
#include "report/tb-format.h"
#include "report/tb-text-private.h"
#include "report/tb-valid-text-private.h"
#include "base/tb-base.h"

/**
 * TbHeatmapFigure:
 *
 * Numbers by row and column. The columns are equal slices of time, for example to show how the
 * distribution of a histogram changes over time, or other things with names. The numbers can be
 * differences, and negative.
 */
G_DEFINE_FINAL_TYPE (TbHeatmapFigure, tb_heatmap_figure, TB_TYPE_FIGURE)

static void
tb_heatmap_figure_freeze (TbFigure *figure)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);

  for (guint i = 0; i < self->values->len; i++)
    self->largest
        = MAX (self->largest, tb_heatmap_get_size (self, g_array_index (self->values, guint64, i)));
}

guint
tb_heatmap_add_row (TbHeatmapFigure *self,
                    const char *item,
                    const char *label,
                    gconstpointer values)
{
  g_ptr_array_add (self->items, tb_valid_text_dup (item ? item : ""));
  g_ptr_array_add (self->labels, tb_valid_text_dup (label ? label : ""));
  g_array_append_vals (self->values, values, self->n_columns);
  g_array_set_size (self->numberings, self->items->len);
  return self->items->len - 1;
}

static void
tb_heatmap_figure_finalize (GObject *object)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (object);

  g_free (self->unit);
  g_free (self->row_title);
  g_free (self->column_title);
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->labels);
  g_array_unref (self->values);
  g_array_unref (self->numberings);
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_heatmap_figure_parent_class)->finalize (object);
}

static void
tb_heatmap_figure_class_init (TbHeatmapFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_heatmap_figure_finalize;
  figure_class->kind = "heatmap";
  figure_class->freeze = tb_heatmap_figure_freeze;
  figure_class->write_json = tb_heatmap_write_json;
  figure_class->read_json = tb_heatmap_read_json;
  figure_class->render_text = tb_heatmap_render_text;
}

static void
tb_heatmap_figure_init (TbHeatmapFigure *self)
{
  self->unit = g_strdup ("");
  self->items = g_ptr_array_new_with_free_func (g_free);
  self->labels = g_ptr_array_new_with_free_func (g_free);
  self->values = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->numberings = g_array_new (FALSE, TRUE, sizeof (TbHeatmapNumbering));
}

/**
 * tb_heatmap_figure_new:
 * @id: id that references use
 * @title: user-visible title
 * @unit: unit of the cells: "calls", "ns"…
 * @from: start of the time that is shown, ns
 * @to: end of the time, ns
 * @n_columns: number of equal slices of that time
 *
 * Creates a heat map: rows of cells whose colours show numbers. The columns are equal slices of a
 * time unless [method@Tailback.HeatmapFigure.set_columns] names them.
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
  tb_valid_text_set (&self->unit, unit ? unit : "");
  self->from = from;
  self->to = MAX (from, to);
  self->n_columns = n_columns;
  return self;
}

/**
 * tb_heatmap_figure_add_row:
 * @self: a heat map that is being built
 * @item: id of the row that references use
 * @label: user-visible label
 * @values: (array): a number for each column
 *
 * Adds a row above the existing rows.
 *
 * Returns: the row's index
 */
guint
tb_heatmap_figure_add_row (TbHeatmapFigure *self,
                           const char *item,
                           const char *label,
                           const guint64 *values)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  g_return_val_if_fail (!self->is_signed, 0);

  return tb_heatmap_add_row (self, item, label, values);
}

/**
 * tb_heatmap_figure_set_numbering:
 * @self: a heat map that is being built
 * @row: a row
 * @from: the column with the number 0
 * @n: number of columns that are numbered, from the first on
 *
 * Numbers the cells of a row by their distance from one of them, such as the cell with the largest
 * value.
 */
void
tb_heatmap_figure_set_numbering (TbHeatmapFigure *self, guint row, guint from, guint n)
{
  g_return_if_fail (TB_IS_HEATMAP_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (row < self->items->len);
  g_return_if_fail (from < n && n <= self->n_columns);

  g_array_index (self->numberings, TbHeatmapNumbering, row) = (TbHeatmapNumbering) { from, n };
}

/**
 * tb_heatmap_figure_get_number:
 * @self: a heat map
 * @row: a row
 * @column: a column
 *
 * Gets the number of a cell, see [method@Tailback.HeatmapFigure.set_numbering].
 *
 * Returns: distance of the cell from the cell of its row with the number 0; %TB_ID_NONE: not
 *   numbered
 */
guint
tb_heatmap_figure_get_number (TbHeatmapFigure *self, guint row, guint column)
{
  const TbHeatmapNumbering *numberings;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (row < self->items->len && column < self->n_columns, TB_ID_NONE);

  numberings = &g_array_index (self->numberings, TbHeatmapNumbering, row);
  if (column >= numberings->n)
    return TB_ID_NONE;
  return column > numberings->from ? column - numberings->from : numberings->from - column;
}

/**
 * tb_heatmap_figure_add_signed_row:
 * @self: a heat map of differences that is being built
 * @item: id of the row that references use
 * @label: user-visible label
 * @values: (array): a number for each column
 *
 * Adds a row as [method@HeatmapFigure.add_row] does.
 *
 * Returns: the row's index
 */
guint
tb_heatmap_figure_add_signed_row (TbHeatmapFigure *self,
                                  const char *item,
                                  const char *label,
                                  const gint64 *values)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (self->is_signed, 0);

  return tb_heatmap_add_row (self, item, label, values);
}

/**
 * tb_heatmap_figure_set_columns:
 * @self: a heat map that is being built
 * @labels: (array zero-terminated=1): a name for each column
 *
 * Sets names for columns that are not slices of time. The item of a cell in references is then that
 * of its row and the index of its column, "ROW/COLUMN".
 */
void
tb_heatmap_figure_set_columns (TbHeatmapFigure *self, const char *const *labels)
{
  g_return_if_fail (TB_IS_HEATMAP_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (labels != NULL && g_strv_length ((char **) labels) == self->n_columns);

  g_clear_pointer (&self->columns, g_ptr_array_unref);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; labels[i] != NULL; i++)
    g_ptr_array_add (self->columns, tb_valid_text_dup (labels[i]));
}

/**
 * tb_heatmap_figure_set_axis_titles:
 * @self: a heat map that is being built
 * @rows: (nullable): user-visible title of the rows: "Latency", "Path"
 * @columns: (nullable): user-visible title of the columns; %NULL: a default title for slices of
 *   time
 *
 * Sets the titles of the axes. A title includes the unit if the labels have none.
 */
void
tb_heatmap_figure_set_axis_titles (TbHeatmapFigure *self, const char *rows, const char *columns)
{
  g_return_if_fail (TB_IS_HEATMAP_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  tb_valid_text_set (&self->row_title, rows);
  tb_valid_text_set (&self->column_title, columns);
}

/**
 * tb_heatmap_figure_get_row_title:
 * @self: a heat map
 *
 * Gets the title of the rows.
 *
 * Returns: (nullable): the user-visible title of the rows, %NULL if none was set
 */
const char *
tb_heatmap_figure_get_row_title (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);

  return self->row_title;
}

/**
 * tb_heatmap_figure_get_column_title:
 * @self: a heat map
 *
 * Gets the title of the columns.
 *
 * Returns: (nullable): the user-visible title of the columns; %NULL if none was set and they are
 *   not slices of time
 */
const char *
tb_heatmap_figure_get_column_title (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);

  if (self->column_title != NULL)
    return self->column_title;
  /* Translators: title of an axis. */
  return self->columns == NULL ? _ ("Time since the start") : NULL;
}

/**
 * tb_heatmap_figure_describe_axes:
 * @self: a heat map
 *
 * Describes the axes.
 *
 * Returns: (transfer full) (nullable): a sentence: "Rows: Latency. Columns: Time since the start.";
 *   %NULL if there are no titles
 */
char *
tb_heatmap_figure_describe_axes (TbHeatmapFigure *self)
{
  const char *rows, *columns;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);

  rows = tb_heatmap_figure_get_row_title (self);
  columns = tb_heatmap_figure_get_column_title (self);
  if (rows != NULL && columns != NULL)
    /* Translators: of a heat map: the titles of its rows and of its columns. */
    return g_strdup_printf (_ ("Rows: %s. Columns: %s."), rows, columns);
  if (rows != NULL)
    return g_strdup_printf (_ ("Rows: %s."), rows);
  return columns != NULL ? g_strdup_printf (_ ("Columns: %s."), columns) : NULL;
}

/**
 * tb_heatmap_figure_set_signed:
 * @self: a heat map that is being built, without rows
 *
 * Makes the numbers differences: decreases are blue, increases are orange.
 */
void
tb_heatmap_figure_set_signed (TbHeatmapFigure *self)
{
  g_return_if_fail (TB_IS_HEATMAP_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (self->items->len == 0);

  self->is_signed = TRUE;
}

/**
 * tb_heatmap_figure_get_unit:
 * @self: a heat map
 *
 * Gets the unit of the cells.
 *
 * Returns: the unit of the cells
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
 * @from: (out) (optional): start of the time that is shown, ns
 * @to: (out) (optional): end of the time, ns
 *
 * Gets the time that is shown.
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
 * Gets the number of columns.
 *
 * Returns: the number of columns
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
 * Gets the number of rows.
 *
 * Returns: the number of rows
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
 * Gets the item of a row.
 *
 * Returns: the id that references use
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
 * Gets the label of a row.
 *
 * Returns: the user-visible label
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
 * Gets the numbers of a row.
 *
 * Returns: the numbers of the row, one for each column
 */
const guint64 *
tb_heatmap_figure_get_row (TbHeatmapFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len, NULL);

  return tb_heatmap_get_row (self, row);
}

/**
 * tb_heatmap_figure_get_largest:
 * @self: a frozen heat map
 *
 * Gets the largest number, for the scale of the colours.
 *
 * Returns: the largest absolute value of the cells
 */
guint64
tb_heatmap_figure_get_largest (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), 0);

  return self->largest;
}

/**
 * tb_heatmap_figure_get_column_label:
 * @self: a heat map
 * @column: index of a column
 *
 * Gets the label of a column that is not a slice of time.
 *
 * Returns: (nullable): the user-visible label, %NULL if the column is a slice of time
 */
const char *
tb_heatmap_figure_get_column_label (TbHeatmapFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (column < self->n_columns, NULL);

  return self->columns != NULL ? g_ptr_array_index (self->columns, column) : NULL;
}

static gint64
get_start (TbHeatmapFigure *self, guint column)
{
  double length = (double) (self->to - self->from);

  return column >= self->n_columns
             ? self->to
             : self->from + (gint64) (length / (double) self->n_columns * (double) column);
}

/**
 * tb_heatmap_figure_get_column_range:
 * @self: a heat map over time
 * @column: index of a column
 * @from: (out): start of the slice, ns
 * @to: (out): end of the slice, ns
 *
 * Gets the time of a column. It can be empty if there are more columns than nanoseconds.
 */
void
tb_heatmap_figure_get_column_range (TbHeatmapFigure *self, guint column, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_HEATMAP_FIGURE (self));
  g_return_if_fail (column < self->n_columns);

  *from = get_start (self, column);
  *to = get_start (self, column + 1);
}

/**
 * tb_heatmap_figure_is_signed:
 * @self: a heat map
 *
 * Gets whether the numbers are differences.
 *
 * Returns: whether the numbers are differences
 */
gboolean
tb_heatmap_figure_is_signed (TbHeatmapFigure *self)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), FALSE);

  return self->is_signed;
}

/**
 * tb_heatmap_figure_get_signed_row: (skip)
 * @self: a heat map of differences
 * @row: index of a row
 *
 * Gets the numbers of a row of differences.
 *
 * Returns: the numbers of the row, one for each column
 */
const gint64 *
tb_heatmap_figure_get_signed_row (TbHeatmapFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len && self->is_signed, NULL);

  return (const gint64 *) (gconstpointer) tb_heatmap_get_row (self, row);
}

static guint
find_row (TbHeatmapFigure *self, const char *item)
{
  for (guint row = 0; row < self->items->len; row++)
    if (g_str_equal (g_ptr_array_index (self->items, row), item))
      return row;
  return TB_ID_NONE;
}

/**
 * tb_heatmap_figure_find_item:
 * @self: a heat map
 * @item: (nullable): item of a reference
 * @row: (out): the row of the item
 * @column: (out): the column of a cell, %TB_ID_NONE if the item is a row
 *
 * Finds the cell or row of an item.
 *
 * Returns: whether the item was found
 */
gboolean
tb_heatmap_figure_find_item (TbHeatmapFigure *self, const char *item, guint *row, guint *column)
{
  const char *slash = item != NULL ? strrchr (item, '/') : NULL;
  g_autofree char *head = slash != NULL ? g_strndup (item, (gsize) (slash - item)) : NULL;
  guint64 index;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), FALSE);

  *column = TB_ID_NONE;
  *row = item != NULL ? find_row (self, item) : TB_ID_NONE;
  if (*row != TB_ID_NONE || self->columns == NULL || head == NULL || self->n_columns == 0
      || !g_ascii_string_to_unsigned (slash + 1, 10, 0, self->n_columns - 1, &index, NULL))
    return *row != TB_ID_NONE;
  *row = find_row (self, head);
  *column = (guint) index;
  return *row != TB_ID_NONE;
}

/**
 * tb_heatmap_figure_get_item:
 * @self: a heat map
 * @row: index of a row
 * @column: index of a column, or %TB_ID_NONE
 *
 * Gets the item of a cell or a row, by which findings and other figures refer to it.
 *
 * Returns: (transfer full): the item of the cell or row in references. Over time it is always that
 *   of the row: a reference has the time separately
 */
char *
tb_heatmap_figure_get_item (TbHeatmapFigure *self, guint row, guint column)
{
  const char *item;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len, NULL);

  item = g_ptr_array_index (self->items, row);
  return self->columns == NULL || column == TB_ID_NONE ? g_strdup (item)
                                                       : g_strdup_printf ("%s/%u", item, column);
}

/**
 * tb_heatmap_figure_format_value:
 * @self: a heat map
 * @row: index of a row
 * @column: index of a column
 *
 * Formats the number of a cell.
 *
 * Returns: (transfer full): the number of a cell as user-visible text: "14 calls", "+2.5 ms"
 */
char *
tb_heatmap_figure_format_value (TbHeatmapFigure *self, guint row, guint column)
{
  g_autofree char *size = NULL;
  guint64 value;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len && column < self->n_columns, NULL);

  value = tb_heatmap_get_size (self, tb_heatmap_get_row (self, row)[column]);
  size = tb_format_amount (value, self->unit);
  if (!self->is_signed || value == 0)
    return g_steal_pointer (&size);
  return g_strconcat ((gint64) tb_heatmap_get_row (self, row)[column] < 0 ? "−" : "+", size, NULL);
}

/**
 * tb_heatmap_figure_describe:
 * @self: a frozen heat map
 * @row: index of a row
 * @column: index of a column, or %TB_ID_NONE for the whole row
 *
 * Describes a cell or a row for tooltips and screen readers.
 *
 * Returns: (transfer full): a sentence: "2.1 ms, 3 s to 3.5 s: 14 calls". Times are counted from
 *   the origin of the figure if it is known, else from the start of the heat map
 */
char *
tb_heatmap_figure_describe (TbHeatmapFigure *self, guint row, guint column)
{
  g_autofree char *value = NULL;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  const char *label;
  guint largest = 0;
  gint64 origin = tb_figure_get_origin (TB_FIGURE (self)), resolution;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len, NULL);
  g_return_val_if_fail (column == TB_ID_NONE || column < self->n_columns, NULL);

  label = g_ptr_array_index (self->labels, row);
  if (self->n_columns == 0)
    return g_strdup (label);
  if (column == TB_ID_NONE)
    {
      for (guint i = 1; i < self->n_columns; i++)
        if (tb_heatmap_get_size (self, tb_heatmap_get_row (self, row)[i])
            > tb_heatmap_get_size (self, tb_heatmap_get_row (self, row)[largest]))
          largest = i;
      value = tb_heatmap_figure_format_value (self, row, largest);
      /* Translators: of a row of a heat map: its label, and its most extreme number. */
      return g_strdup_printf (_ ("%s: at most %s"), label, value);
    }
  value = tb_heatmap_figure_format_value (self, row, column);
  if (self->columns != NULL)
    return g_strdup_printf ("%s, %s: %s", label,
                            (const char *) g_ptr_array_index (self->columns, column), value);
  if (origin == TB_TIME_NONE)
    origin = self->from;
  resolution = (get_start (self, column + 1) - get_start (self, column)) / 10;
  from = tb_format_time (get_start (self, column) - origin, resolution);
  to = tb_format_time (get_start (self, column + 1) - origin, resolution);
  /* Translators: of a cell of a heat map: its row, its start and end time, and its number. */
  return g_strdup_printf (_ ("%s, %s to %s: %s"), label, from, to, value);
}
