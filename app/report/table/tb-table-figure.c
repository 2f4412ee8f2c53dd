/* tb-table-figure.c: table of typed cells: building, access, cells as text; thread, time and paint
 * of a row; a column also shown as one stacked bar; link of a column to the histogram that counts
 * its values
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#include "report/tb-figure-private.h"
#include "report/tb-format.h"
#include "report/table/tb-table-figure-private.h"
#include "report/tb-valid-text-private.h"
#include "base/tb-base.h"

/**
 * TbTableFigure:
 *
 * Rows of typed cells. A cell that was not set is unknown, which is not the same as 0 or "".
 */
G_DEFINE_FINAL_TYPE (TbTableFigure, tb_table_figure, TB_TYPE_FIGURE)

static void
column_clear (TbTableColumn *column)
{
  g_free (column->id);
  g_free (column->title);
}

/* The width of a row's part of the bar. An unknown or negative number has no width. */
static double
get_weight (TbTableFigure *self, guint row)
{
  const TbTableCell *cell = tb_table_get_cell (self, row, self->bar);
  double weight;

  if (!cell->is_known)
    return 0;
  weight = tb_table_get_column (self, self->bar)->type == TB_CELL_SHARE ? cell->number
                                                                        : (double) cell->integer;
  return MAX (weight, 0);
}

static void
tb_table_figure_freeze (TbFigure *figure)
{
  TbTableFigure *self = TB_TABLE_FIGURE (figure);

  for (guint row = 0; self->bar != TB_ID_NONE && row < self->n_rows; row++)
    self->whole += get_weight (self, row);
}

static void
tb_table_figure_finalize (GObject *object)
{
  TbTableFigure *self = TB_TABLE_FIGURE (object);

  g_array_unref (self->columns);
  g_array_unref (self->cells);
  g_array_unref (self->measured);
  g_ptr_array_unref (self->items);
  g_byte_array_unref (self->paints);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->parents, g_array_unref);
  g_free (self->histogram_id);
  g_clear_object (&self->histogram);
  g_string_chunk_free (self->strings);
  G_OBJECT_CLASS (tb_table_figure_parent_class)->finalize (object);
}

static void
tb_table_figure_class_init (TbTableFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_table_figure_finalize;
  figure_class->kind = "table";
  figure_class->freeze = tb_table_figure_freeze;
  figure_class->write_json = tb_table_figure_write_json;
  figure_class->read_json = tb_table_figure_read_json;
  figure_class->render_text = tb_table_figure_render_text;
}

static void
tb_table_figure_init (TbTableFigure *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (TbTableColumn));
  g_array_set_clear_func (self->columns, (GDestroyNotify) column_clear);
  self->cells = g_array_new (FALSE, TRUE, sizeof (TbTableCell));
  self->measured = g_array_new (FALSE, FALSE, sizeof (TbTableMeasure));
  self->items = g_ptr_array_new ();
  self->paints = g_byte_array_new ();
  self->bar = TB_ID_NONE;
  self->histogram_column = TB_ID_NONE;
  self->strings = g_string_chunk_new (4096);
}

/**
 * tb_table_figure_new:
 * @id: id that references use
 * @title: user-visible title
 *
 * Creates a table.
 *
 * Returns: (transfer full): a table without columns and rows
 */
TbTableFigure *
tb_table_figure_new (const char *id, const char *title)
{
  TbTableFigure *self = g_object_new (TB_TYPE_TABLE_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  return self;
}

/**
 * tb_table_figure_add_column:
 * @self: a table that is being built, without rows yet
 * @id: name in JSON
 * @title: translated heading
 * @type: type of the cells
 *
 * Adds a column. Call before a row is added.
 *
 * Returns: the column's index
 */
guint
tb_table_figure_add_column (TbTableFigure *self, const char *id, const char *title, TbCellType type)
{
  TbTableColumn column = { 0 };

  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (self->items->len == 0, 0);
  g_return_val_if_fail (type < TB_N_CELL_TYPES, 0);

  for (guint i = 0; id != NULL && i < self->columns->len; i++)
    if (strcmp (tb_table_get_column (self, i)->id, id) == 0)
      tb_figure_add_fault (TB_FIGURE (self), _ ("two columns have the same ID"));
  column.id = tb_valid_text_dup (id ? id : "");
  column.title = tb_valid_text_dup (title ? title : "");
  column.type = type;
  g_array_append_val (self->columns, column);
  return self->columns->len - 1;
}

static guint
append_row (TbTableFigure *self, const char *item)
{
  const guint8 no_paint = TB_N_FLAME_PAINTS;
  g_autofree char *copy = NULL;
  const char *valid = tb_valid_text (item ? item : "", &copy);

  g_ptr_array_add (self->items, g_string_chunk_insert (self->strings, valid));
  g_byte_array_append (self->paints, &no_paint, 1);
  g_array_set_size (self->cells, self->items->len * self->columns->len);
  return self->items->len - 1;
}

/**
 * tb_table_figure_add_row:
 * @self: a table that is being built
 * @item: (nullable): item of the row in references (a thread's id, an edge…)
 *
 * Adds a row in which all cells are unknown.
 *
 * Returns: the row's index
 */
guint
tb_table_figure_add_row (TbTableFigure *self, const char *item)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (self->parents == NULL, 0);

  self->n_rows++;
  return append_row (self, item);
}

/**
 * tb_table_figure_add_child:
 * @self: a table that is being built, with all of its rows
 * @parent: a row; not before that of the last child row
 * @item: (nullable): item of the child row in references
 *
 * Adds a child row, in which all cells are unknown: a part of what its parent row sums up. A window
 * shows it when the user opens the parent row; text, CSV and pictures have only the parent row.
 *
 * Returns: the child row's index, for the functions of cells
 */
guint
tb_table_figure_add_child (TbTableFigure *self, guint parent, const char *item)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (parent < self->n_rows, 0);
  g_return_val_if_fail (self->parents == NULL || self->parents->len == 0
                            || g_array_index (self->parents, guint, self->parents->len - 1)
                                   <= parent,
                        0);

  if (self->parents == NULL)
    self->parents = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (self->parents, parent);
  return append_row (self, item);
}

/* The number of child rows of the rows before this one. */
static guint
find_child (TbTableFigure *self, guint row)
{
  guint low = 0, high = self->parents != NULL ? self->parents->len : 0;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->parents, guint, middle) < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * tb_table_figure_get_children:
 * @self: a table
 * @row: a row
 * @first: (out): index of its first child row
 *
 * Gets the child rows of a row, which have consecutive indices.
 *
 * Returns: their number; 0: none, as for a child row
 */
guint
tb_table_figure_get_children (TbTableFigure *self, guint row, guint *first)
{
  guint at;

  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (row < self->items->len && first != NULL, 0);

  at = find_child (self, row);
  *first = self->n_rows + at;
  return row < self->n_rows ? find_child (self, row + 1) - at : 0;
}

/**
 * tb_table_figure_get_n_children:
 * @self: a table
 *
 * Gets the number of child rows of all rows.
 *
 * Returns: the number of child rows of all rows
 */
guint
tb_table_figure_get_n_children (TbTableFigure *self)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);

  return self->parents != NULL ? self->parents->len : 0;
}

static gboolean
has_cell (TbTableFigure *self, guint row, guint column)
{
  return row < self->items->len && column < self->columns->len;
}

void
tb_table_add_fault (TbTableFigure *self, guint row, guint column, const char *fault)
{
  if (has_cell (self, row, column))
    tb_figure_add_fault_at (TB_FIGURE (self), fault, _ ("row %u, column “%s”"), row,
                            tb_table_get_column (self, column)->id);
  else
    tb_figure_add_fault_at (TB_FIGURE (self), fault, _ ("row %u of %u, column %u of %u"), row,
                            self->items->len, column, self->columns->len);
}

TbTableCell *
tb_table_find_cell (TbTableFigure *self, guint row, guint column, guint types, const char *fault)
{
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), NULL);

  if (!has_cell (self, row, column))
    tb_table_add_fault (self, row, column, _ ("a value is given for a cell that does not exist"));
  else if (!(types & TB_TABLE_TYPE (tb_table_get_column (self, column)->type)))
    tb_table_add_fault (self, row, column, _ (fault));
  else
    return tb_table_get_cell (self, row, column);
  return NULL;
}

/**
 * tb_table_figure_set_text:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of text
 * @text: (nullable): value of the cell, %NULL: unknown
 *
 * Sets a text in a column of type %TB_CELL_TEXT.
 */
void
tb_table_figure_set_text (TbTableFigure *self, guint row, guint column, const char *text)
{
  g_autofree char *copy = NULL;
  const char *valid = tb_valid_text (text, &copy);
  TbTableCell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));

  cell = tb_table_find_cell (self, row, column, TB_TABLE_TYPE (TB_CELL_TEXT),
                             N_ ("a text is in a column of numbers"));
  if (cell == NULL)
    return;
  cell->text = valid ? g_string_chunk_insert_const (self->strings, valid) : NULL;
  cell->is_known = text != NULL;
}

/**
 * tb_table_figure_set_integer:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of counts, durations, times or bytes
 * @value: value of the cell
 *
 * Sets a number in a column of any type but %TB_CELL_TEXT and %TB_CELL_SHARE. A cell that is not
 * set is unknown, and shown as "—".
 */
void
tb_table_figure_set_integer (TbTableFigure *self, guint row, guint column, gint64 value)
{
  TbTableCell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));

  cell = tb_table_find_cell (self, row, column,
                             ~(TB_TABLE_TYPE (TB_CELL_TEXT) | TB_TABLE_TYPE (TB_CELL_SHARE)),
                             N_ ("a number is in a column of another type"));
  if (cell == NULL)
    return;
  cell->integer = value;
  cell->is_known = TRUE;
}

/**
 * tb_table_figure_set_double:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of shares
 * @value: value of the cell, 0…1; NaN: unknown
 *
 * Sets a number in a column of type %TB_CELL_SHARE.
 */
void
tb_table_figure_set_double (TbTableFigure *self, guint row, guint column, double value)
{
  TbTableCell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));

  cell = tb_table_find_cell (self, row, column, TB_TABLE_TYPE (TB_CELL_SHARE),
                             N_ ("a number is in a column of another type"));
  if (cell == NULL)
    return;
  cell->number = value;
  cell->is_known = isfinite (value);
}

/**
 * tb_table_figure_set_bar:
 * @self: a table that is being built
 * @column: a column of numbers that are parts of one whole
 *
 * Shows these parts also as one stacked bar above the rows, in the order of the rows. Each part has
 * the colour of its row.
 */
void
tb_table_figure_set_bar (TbTableFigure *self, guint column)
{
  g_return_if_fail (TB_IS_TABLE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (column < self->columns->len);
  g_return_if_fail (tb_table_get_column (self, column)->type != TB_CELL_TEXT);

  self->bar = column;
}

/**
 * tb_table_figure_set_histogram:
 * @self: a table that is being built
 * @column: a column of integers: durations, bytes, counts
 * @histogram: id of a histogram of the same report that counts such values
 *
 * Links a column to a histogram: selecting bins of the histogram selects the rows with a value of
 * these bins in @column.
 */
void
tb_table_figure_set_histogram (TbTableFigure *self, guint column, const char *histogram)
{
  g_return_if_fail (TB_IS_TABLE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (column < self->columns->len);
  g_return_if_fail (tb_table_get_column (self, column)->type != TB_CELL_TEXT
                    && tb_table_get_column (self, column)->type != TB_CELL_SHARE);
  g_return_if_fail (histogram != NULL);

  self->histogram_column = column;
  tb_valid_text_set (&self->histogram_id, histogram);
}

void
tb_table_figure_link (TbTableFigure *self, TbFigure *other)
{
  if (self->histogram == NULL && self->histogram_id != NULL && TB_IS_HISTOGRAM_FIGURE (other)
      && g_str_equal (tb_figure_get_id (other), self->histogram_id))
    self->histogram = g_object_ref (TB_HISTOGRAM_FIGURE (other));
}

/**
 * tb_table_figure_set_paint:
 * @self: a table that is being built
 * @row: a row
 * @paint: a kind of box of a flame
 *
 * Gives a row the colour of that kind of box: in the bar, and beside the row.
 */
void
tb_table_figure_set_paint (TbTableFigure *self, guint row, TbFlamePaint paint)
{
  g_return_if_fail (TB_IS_TABLE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (row < self->items->len);
  g_return_if_fail (paint < TB_N_FLAME_PAINTS);

  self->paints->data[row] = paint;
}

/**
 * tb_table_figure_set_place:
 * @self: a table that is being built
 * @row: a row; rows must be given in ascending order
 * @thread: thread of the row, %TB_ID_NONE: none
 * @from: start of the time of the row, ns; %TB_TIME_NONE: none
 * @to: end of the time, ns
 *
 * Sets the thread and the time that are selected together with a row, in addition to its item.
 */
void
tb_table_figure_set_place (TbTableFigure *self, guint row, guint32 thread, gint64 from, gint64 to)
{
  const TbTablePlace place = { row, thread, from, to };

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (row < self->items->len);

  if (self->places == NULL)
    self->places = g_array_new (FALSE, FALSE, sizeof (TbTablePlace));
  g_return_if_fail (self->places->len == 0
                    || g_array_index (self->places, TbTablePlace, self->places->len - 1).row < row);
  g_array_append_val (self->places, place);
}

/**
 * tb_table_figure_get_place:
 * @self: a table
 * @row: a row
 * @thread: (out): a thread or %TB_ID_NONE
 * @from: (out): ns or %TB_TIME_NONE
 * @to: (out): ns or %TB_TIME_NONE
 *
 * Gets the thread and the time that are selected together with a row.
 *
 * Returns: whether the row has a thread or a time in addition to its item; if not, nothing is set
 */
gboolean
tb_table_figure_get_place (TbTableFigure *self,
                           guint row,
                           guint32 *thread,
                           gint64 *from,
                           gint64 *to)
{
  guint low = 0, high;

  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), FALSE);

  high = self->places != NULL ? self->places->len : 0;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TbTablePlace *place = &g_array_index (self->places, TbTablePlace, middle);

      if (place->row == row)
        {
          *thread = place->thread;
          *from = place->from;
          *to = place->to;
          return TRUE;
        }
      if (place->row < row)
        low = middle + 1;
      else
        high = middle;
    }
  return FALSE;
}

/**
 * tb_table_figure_get_bar:
 * @self: a table
 *
 * Gets the column that is also shown as one stacked bar above the rows.
 *
 * Returns: the column that is also shown as a bar, or %TB_ID_NONE
 */
guint
tb_table_figure_get_bar (TbTableFigure *self)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), TB_ID_NONE);

  return self->bar;
}

/**
 * tb_table_figure_get_histogram:
 * @self: a table
 * @column: (out): the column whose values are counted, %TB_ID_NONE: none
 *
 * Gets the histogram that counts the values of a column, if both are in the same report.
 *
 * Returns: (transfer none) (nullable): the histogram in the report of the table that counts the
 *   values, see [method@Tailback.TableFigure.set_histogram]
 */
TbHistogramFigure *
tb_table_figure_get_histogram (TbTableFigure *self, guint *column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), NULL);
  g_return_val_if_fail (column != NULL, NULL);

  *column = self->histogram != NULL ? self->histogram_column : TB_ID_NONE;
  return self->histogram;
}

/**
 * tb_table_figure_get_paint:
 * @self: a table
 * @row: a row
 *
 * Gets the colour of a row.
 *
 * Returns: the colour of the row, %TB_N_FLAME_PAINTS: none
 */
TbFlamePaint
tb_table_figure_get_paint (TbTableFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), TB_N_FLAME_PAINTS);
  g_return_val_if_fail (row < self->items->len, TB_N_FLAME_PAINTS);

  return self->paints->data[row];
}

/**
 * tb_table_figure_get_part:
 * @self: a table with a bar
 * @row: a row
 *
 * Gets the share of a row in the bar.
 *
 * Returns: the row's share of the bar, 0…1
 */
double
tb_table_figure_get_part (TbTableFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (row < self->items->len && self->bar != TB_ID_NONE, 0);

  return self->whole > 0 ? get_weight (self, row) / self->whole : 0;
}

/**
 * tb_table_figure_get_n_columns:
 * @self: a table
 *
 * Gets the number of columns.
 *
 * Returns: the number of columns
 */
guint
tb_table_figure_get_n_columns (TbTableFigure *self)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);

  return self->columns->len;
}

/**
 * tb_table_figure_get_n_rows:
 * @self: a table
 *
 * Gets the number of rows without child rows.
 *
 * Returns: the number of rows
 */
guint
tb_table_figure_get_n_rows (TbTableFigure *self)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);

  return self->n_rows;
}

/**
 * tb_table_figure_get_column_id:
 * @self: a table
 * @column: a column
 *
 * Gets the name of a column in JSON.
 *
 * Returns: the name that is used in JSON
 */
const char *
tb_table_figure_get_column_id (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), "");
  g_return_val_if_fail (column < self->columns->len, "");

  return tb_table_get_column (self, column)->id;
}

/**
 * tb_table_figure_get_column_title:
 * @self: a table
 * @column: a column
 *
 * Gets the heading of a column.
 *
 * Returns: the heading
 */
const char *
tb_table_figure_get_column_title (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), "");
  g_return_val_if_fail (column < self->columns->len, "");

  return tb_table_get_column (self, column)->title;
}

/**
 * tb_table_figure_get_column_type:
 * @self: a table
 * @column: a column
 *
 * Gets the type of the cells of a column.
 *
 * Returns: the type of the cells
 */
TbCellType
tb_table_figure_get_column_type (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), TB_CELL_TEXT);
  g_return_val_if_fail (column < self->columns->len, TB_CELL_TEXT);

  return tb_table_get_column (self, column)->type;
}

/**
 * tb_table_figure_get_row_item:
 * @self: a table
 * @row: a row
 *
 * Gets the item of a row.
 *
 * Returns: the item of the row in references, "": none
 */
const char *
tb_table_figure_get_row_item (TbTableFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), "");
  g_return_val_if_fail (row < self->items->len, "");

  return g_ptr_array_index (self->items, row);
}

static const TbTableCell *
read_only_cell (TbTableFigure *self, guint row, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len && column < self->columns->len, NULL);

  return tb_table_get_cell (self, row, column);
}

/**
 * tb_table_figure_is_known:
 * @self: a table
 * @row: a row
 * @column: a column
 *
 * Gets whether the value of a cell is known.
 *
 * Returns: whether the cell was set
 */
gboolean
tb_table_figure_is_known (TbTableFigure *self, guint row, guint column)
{
  const TbTableCell *cell = read_only_cell (self, row, column);

  return cell && cell->is_known;
}

/**
 * tb_table_figure_get_text:
 * @self: a table
 * @row: a row
 * @column: a column of text
 *
 * Gets a text of a column of type %TB_CELL_TEXT.
 *
 * Returns: value of the cell, "": unknown
 */
const char *
tb_table_figure_get_text (TbTableFigure *self, guint row, guint column)
{
  const TbTableCell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell && tb_table_get_column (self, column)->type == TB_CELL_TEXT, "");
  return cell->is_known ? cell->text : "";
}

/**
 * tb_table_figure_get_integer:
 * @self: a table
 * @row: a row
 * @column: a column of counts, durations, times or bytes
 *
 * Gets a number of a column of any type but %TB_CELL_TEXT and %TB_CELL_SHARE.
 *
 * Returns: value of the cell, 0 if it is unknown
 */
gint64
tb_table_figure_get_integer (TbTableFigure *self, guint row, guint column)
{
  const TbTableCell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell && tb_table_get_column (self, column)->type != TB_CELL_TEXT
                            && tb_table_get_column (self, column)->type != TB_CELL_SHARE,
                        0);
  return cell->is_known ? cell->integer : 0;
}

/**
 * tb_table_figure_get_double:
 * @self: a table
 * @row: a row
 * @column: a column of shares
 *
 * Gets a number of a column of type %TB_CELL_SHARE.
 *
 * Returns: value of the cell, NaN: unknown
 */
double
tb_table_figure_get_double (TbTableFigure *self, guint row, guint column)
{
  const TbTableCell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell && tb_table_get_column (self, column)->type == TB_CELL_SHARE, NAN);
  return cell->is_known ? cell->number : NAN;
}

#define TIME_RESOLUTION 1000 /* ns */

static char *
format_time (TbTableFigure *self, gint64 time)
{
  gint64 origin = tb_figure_get_origin (TB_FIGURE (self));

  if (time == TB_TIME_NONE)
    return g_strdup ("—");
  return tb_format_time (origin == TB_TIME_NONE ? time : time - origin, TIME_RESOLUTION);
}

static char *
format_count (gint64 count)
{
  g_autofree char *size = tb_format_count (count < 0 ? -(guint64) count : (guint64) count);

  return count < 0 ? g_strconcat ("-", size, NULL) : g_steal_pointer (&size);
}

/**
 * tb_table_figure_format_cell:
 * @self: a table
 * @row: a row
 * @column: a column
 *
 * Formats a cell. Times are counted from the start of the recording if that is known, as on the
 * axes; see [method@Tailback.Figure.set_origin].
 *
 * Returns: (transfer full): the cell as user-visible text: "12.5 ms", "31 %"; "—" if it is unknown
 */
char *
tb_table_figure_format_cell (TbTableFigure *self, guint row, guint column)
{
  const TbTableCell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell != NULL, g_strdup (""));

  if (!cell->is_known)
    return g_strdup ("—");
  switch (tb_table_get_column (self, column)->type)
    {
    case TB_CELL_TEXT:
      return g_strdup (cell->text);
    case TB_CELL_DURATION:
      return tb_format_duration (cell->integer);
    case TB_CELL_TIME:
      return format_time (self, cell->integer);
    case TB_CELL_SHARE:
      return tb_format_share (cell->number);
    case TB_CELL_BYTES:
      return cell->integer < 0 ? g_strdup_printf ("%" G_GINT64_FORMAT " B", cell->integer)
                               : tb_format_bytes (cell->integer);
    case TB_CELL_COUNT:
      return format_count (cell->integer);
    default:
      return g_strdup_printf ("%" G_GINT64_FORMAT, cell->integer);
    }
}
