/* tb-table-sort.c: numbers or ranges that text cells of a table stand for, as the analysis sets
 * them; whether a column has numbers or durations; comparison of two rows by a column, for sorting
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/table/tb-table-figure-private.h"

/**
 * tb_table_figure_set_measure:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of text; the text of the cell must be set
 * @type: type of the number: any but %TB_CELL_TEXT
 * @low: the number that the text stands for, in the unit of @type
 * @high: the same number, or the end of the range
 *
 * For columns in which the numbers of the rows have different types, such as durations and counts.
 * Rows are sorted by the numbers, CSV has the numbers instead of the texts, and the cells are
 * aligned like numbers.
 */
void
tb_table_figure_set_measure (TbTableFigure *self,
                             guint row,
                             guint column,
                             TbCellType type,
                             double low,
                             double high)
{
  const TbTableMeasure measure = { low, high };
  TbTableCell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (type > TB_CELL_TEXT && type < TB_N_CELL_TYPES);
  cell = tb_table_find_cell (self, row, column, TB_TABLE_TYPE (TB_CELL_TEXT),
                             N_ ("a number is given for a text that does not exist"));
  if (cell == NULL)
    return;
  if (!cell->is_known || cell->measure != TB_CELL_TEXT || !isfinite (low) || !isfinite (high)
      || low > high)
    {
      tb_table_add_fault (self, row, column,
                          _ ("a number is given for a text that does not exist"));
      return;
    }
  cell->measure = (guint8) type;
  cell->measured_index = self->measured->len;
  g_array_append_val (self->measured, measure);
  g_array_index (self->columns, TbTableColumn, column).measures |= 1u << type;
}

/**
 * tb_table_figure_get_measure:
 * @self: a table
 * @row: a row
 * @column: a column
 * @low: (out): the number that the text stands for, or the start of the range; NaN: none
 * @high: (out): the same number, or the end of the range
 *
 * Gets the number that the text of a cell stands for.
 *
 * Returns: the type of the number, %TB_CELL_TEXT if the cell is not a text that stands for one
 */
TbCellType
tb_table_figure_get_measure (TbTableFigure *self,
                             guint row,
                             guint column,
                             double *low,
                             double *high)
{
  const TbTableCell *cell;

  *low = *high = NAN;
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), TB_CELL_TEXT);
  g_return_val_if_fail (row < self->items->len && column < self->columns->len, TB_CELL_TEXT);

  cell = tb_table_get_cell (self, row, column);
  if (!cell->is_known || cell->measure == TB_CELL_TEXT)
    return TB_CELL_TEXT;
  *low = g_array_index (self->measured, TbTableMeasure, cell->measured_index).low;
  *high = g_array_index (self->measured, TbTableMeasure, cell->measured_index).high;
  return cell->measure;
}

/**
 * tb_table_figure_is_numeric:
 * @self: a table
 * @column: a column
 *
 * Gets whether a column has numbers, or texts that stand for numbers.
 *
 * Returns: whether the cells are numbers, or texts that stand for numbers
 */
gboolean
tb_table_figure_is_numeric (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), FALSE);
  g_return_val_if_fail (column < self->columns->len, FALSE);

  return tb_table_get_column (self, column)->type != TB_CELL_TEXT
         || tb_table_get_column (self, column)->measures != 0;
}

/**
 * tb_table_figure_has_durations:
 * @self: a table
 *
 * Gets whether any cell can be a duration.
 *
 * Returns: whether any cell can be a duration
 */
gboolean
tb_table_figure_has_durations (TbTableFigure *self)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), FALSE);

  for (guint i = 0; i < self->columns->len; i++)
    if (tb_table_get_column (self, i)->type == TB_CELL_DURATION
        || (tb_table_get_column (self, i)->measures & 1u << TB_CELL_DURATION))
      return TRUE;
  return FALSE;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int
compare_texts (TbTableFigure *self, const TbTableCell *cell, const TbTableCell *other)
{
  const TbTableMeasure *one, *two;

  if (cell->measure != other->measure)
    return COMPARE (cell->measure, other->measure);
  if (cell->measure == TB_CELL_TEXT)
    return g_utf8_collate (cell->text, other->text);
  one = &g_array_index (self->measured, TbTableMeasure, cell->measured_index);
  two = &g_array_index (self->measured, TbTableMeasure, other->measured_index);
  return one->low != two->low ? COMPARE (one->low, two->low) : COMPARE (one->high, two->high);
}

/**
 * tb_table_figure_compare:
 * @self: a table
 * @column: a column
 * @row: a row
 * @other: another row
 *
 * Compares two rows by a column, as strcmp() does: unknown cells first, text in the collation order
 * of the locale, numbers by value. Numbers of different types are sorted by type first.
 *
 * Returns: a value less than, equal to or greater than 0 if @row sorts before, equal to or after
 *   @other
 */
int
tb_table_figure_compare (TbTableFigure *self, guint column, guint row, guint other)
{
  const TbTableCell *one, *two;

  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (column < self->columns->len, 0);
  g_return_val_if_fail (row < self->items->len && other < self->items->len, 0);

  one = tb_table_get_cell (self, row, column);
  two = tb_table_get_cell (self, other, column);
  if (!one->is_known || !two->is_known)
    return COMPARE (one->is_known, two->is_known);
  switch (tb_table_get_column (self, column)->type)
    {
    case TB_CELL_TEXT:
      return compare_texts (self, one, two);
    case TB_CELL_SHARE:
      return COMPARE (one->number, two->number);
    default:
      return COMPARE (one->integer, two->integer);
    }
}
