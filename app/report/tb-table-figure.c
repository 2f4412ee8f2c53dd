/* tb-table-figure.c: rows of typed cells
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/tb-json-private.h"
#include "report/tb-report.h"
#include "report/tb-table-private.h"
#include "session/tb-schema.h"

/**
 * TbTableFigure:
 *
 * Rows of typed cells. A cell that was never set is unknown, which is not the same as 0 or "".
 */
struct _TbTableFigure
{
  TbFigure parent_instance;

  GArray *columns; /* Column */
  GPtrArray *items;
  GArray *cells; /* Cell, row by row */
  GStringChunk *strings;
};

G_DEFINE_FINAL_TYPE (TbTableFigure, tb_table_figure, TB_TYPE_FIGURE)

typedef struct
{
  char *id;
  char *title;
  TbCellType type;
} Column;

typedef struct
{
  gboolean is_known;
  union
  {
    const char *text;
    gint64 integer;
    double number;
  };
} Cell;

static const char *const type_names[] = {
  [TB_CELL_TEXT] = "text", [TB_CELL_COUNT] = "count", [TB_CELL_DURATION] = "duration",
  [TB_CELL_TIME] = "time", [TB_CELL_SHARE] = "share", [TB_CELL_BYTES] = "bytes",
};

static void
column_clear (Column *column)
{
  g_free (column->id);
  g_free (column->title);
}

static const Column *
get_column (TbTableFigure *self, guint column)
{
  return &g_array_index (self->columns, Column, column);
}

static Cell *
get_cell (TbTableFigure *self, guint row, guint column)
{
  return &g_array_index (self->cells, Cell, (gsize) row * self->columns->len + column);
}

static void
write_cell (TbTableFigure *self, guint row, guint column, JsonBuilder *builder)
{
  const Cell *cell = get_cell (self, row, column);

  if (!cell->is_known)
    json_builder_add_null_value (builder);
  else if (get_column (self, column)->type == TB_CELL_TEXT)
    json_builder_add_string_value (builder, cell->text);
  else if (get_column (self, column)->type == TB_CELL_SHARE)
    json_builder_add_double_value (builder, cell->number);
  else
    json_builder_add_int_value (builder, cell->integer);
}

static void
tb_table_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbTableFigure *self = TB_TABLE_FIGURE (figure);

  json_builder_set_member_name (builder, "columns");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->columns->len; i++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, get_column (self, i)->id);
      json_builder_set_member_name (builder, "title");
      json_builder_add_string_value (builder, get_column (self, i)->title);
      json_builder_set_member_name (builder, "type");
      json_builder_add_string_value (builder, type_names[get_column (self, i)->type]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "rows");
  json_builder_begin_array (builder);
  for (guint row = 0; row < self->items->len; row++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "item");
      json_builder_add_string_value (builder, g_ptr_array_index (self->items, row));
      json_builder_set_member_name (builder, "cells");
      json_builder_begin_array (builder);
      for (guint column = 0; column < self->columns->len; column++)
        write_cell (self, row, column, builder);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
read_columns (TbTableFigure *self, JsonObject *object, GError **error)
{
  JsonArray *columns;

  if (!tb_json_get_array (object, "columns", TB_TABLE_COLUMNS_MAX, &columns, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (columns); i++)
    {
      JsonObject *column;
      const char *id;
      const char *title;
      const char *name;
      guint type = 0;

      if (!tb_json_get_object (json_array_get_element (columns, i), "column", &column, error)
          || !tb_json_get_string (column, "id", &id, error)
          || !tb_json_get_string (column, "title", &title, error)
          || !tb_json_get_string (column, "type", &name, error))
        return FALSE;
      while (type < G_N_ELEMENTS (type_names) && strcmp (name, type_names[type]) != 0)
        type++;
      if (type == G_N_ELEMENTS (type_names))
        return tb_json_fail (error, _ ("there is no type of column called \"%s\""), name);
      tb_table_figure_add_column (self, id, title, type);
    }
  return TRUE;
}

static gboolean
read_cell (TbTableFigure *self, guint row, guint column, JsonNode *node)
{
  const char *text = tb_json_node_get_string (node);
  gint64 integer;

  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  switch (get_column (self, column)->type)
    {
    case TB_CELL_TEXT:
      if (!text || !g_utf8_validate (text, -1, NULL))
        return FALSE;
      tb_table_figure_set_text (self, row, column, text);
      return TRUE;
    case TB_CELL_SHARE:
      if (!JSON_NODE_HOLDS_VALUE (node)
          || (json_node_get_value_type (node) != G_TYPE_DOUBLE
              && json_node_get_value_type (node) != G_TYPE_INT64))
        return FALSE;
      tb_table_figure_set_double (self, row, column, json_node_get_double (node));
      return TRUE;
    default:
      if (!tb_json_node_get_integer (node, &integer))
        return FALSE;
      tb_table_figure_set_integer (self, row, column, integer);
      return TRUE;
    }
}

static gboolean
tb_table_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbTableFigure *self = TB_TABLE_FIGURE (figure);
  JsonArray *rows;

  if (!read_columns (self, object, error)
      || !tb_json_get_array (object, "rows", TB_TABLE_CELLS_MAX / MAX (self->columns->len, 4), &rows, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row;
      JsonArray *cells;
      const char *item;

      if (!tb_json_get_object (json_array_get_element (rows, i), "row", &row, error)
          || !tb_json_get_optional_string (row, "item", &item, error)
          || !tb_json_get_array (row, "cells", self->columns->len, &cells, error))
        return FALSE;
      if (json_array_get_length (cells) != self->columns->len)
        return tb_json_fail (error, _ ("row %u has %u cells instead of %u"), i, json_array_get_length (cells),
                             self->columns->len);
      tb_table_figure_add_row (self, item);
      for (guint column = 0; column < self->columns->len; column++)
        if (!read_cell (self, i, column, json_array_get_element (cells, column)))
          return tb_json_fail (error, _ ("row %u, column \"%s\": not the type of the column"), i,
                               get_column (self, column)->id);
    }
  return TRUE;
}

static void
tb_table_figure_finalize (GObject *object)
{
  TbTableFigure *self = TB_TABLE_FIGURE (object);

  g_array_unref (self->columns);
  g_array_unref (self->cells);
  g_ptr_array_unref (self->items);
  g_string_chunk_free (self->strings);
  G_OBJECT_CLASS (tb_table_figure_parent_class)->finalize (object);
}

static void
tb_table_figure_class_init (TbTableFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_table_figure_finalize;
  figure_class->kind = "table";
  figure_class->write_json = tb_table_figure_write_json;
  figure_class->read_json = tb_table_figure_read_json;
  figure_class->render_text = tb_table_figure_render_text;
}

static void
tb_table_figure_init (TbTableFigure *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, (GDestroyNotify) column_clear);
  self->cells = g_array_new (FALSE, TRUE, sizeof (Cell));
  self->items = g_ptr_array_new ();
  self->strings = g_string_chunk_new (4096);
}

/**
 * tb_table_figure_new:
 * @id: its name in references
 * @title: its title, for people
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
 * @id: its name in JSON
 * @title: its heading, translated
 * @type: of its cells
 *
 * Returns: the column's index
 */
guint
tb_table_figure_add_column (TbTableFigure *self, const char *id, const char *title, TbCellType type)
{
  Column column = { 0 };

  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (self->items->len == 0, 0);
  g_return_val_if_fail (type < G_N_ELEMENTS (type_names), 0);

  column.id = g_strdup (id ? id : "");
  column.title = g_strdup (title ? title : "");
  column.type = type;
  g_array_append_val (self->columns, column);
  return self->columns->len - 1;
}

/**
 * tb_table_figure_add_row:
 * @self: a table that is being built
 * @item: (nullable): names the row in references (a thread's id, an edge…)
 *
 * Adds a row whose cells are all unknown.
 *
 * Returns: the row's index
 */
guint
tb_table_figure_add_row (TbTableFigure *self, const char *item)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  g_ptr_array_add (self->items, g_string_chunk_insert (self->strings, item ? item : ""));
  g_array_set_size (self->cells, self->items->len * self->columns->len);
  return self->items->len - 1;
}

static Cell *
begin_cell (TbTableFigure *self, guint row, guint column)
{
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), NULL);
  g_return_val_if_fail (row < self->items->len && column < self->columns->len, NULL);

  return get_cell (self, row, column);
}

/**
 * tb_table_figure_set_text:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of text
 * @text: (nullable): what it holds, %NULL where that is unknown
 */
void
tb_table_figure_set_text (TbTableFigure *self, guint row, guint column, const char *text)
{
  Cell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));

  cell = begin_cell (self, row, column);
  g_return_if_fail (cell && get_column (self, column)->type == TB_CELL_TEXT);
  cell->text = text ? g_string_chunk_insert_const (self->strings, text) : NULL;
  cell->is_known = text != NULL;
}

/**
 * tb_table_figure_set_integer:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of counts, durations, times or bytes
 * @value: what it holds
 */
void
tb_table_figure_set_integer (TbTableFigure *self, guint row, guint column, gint64 value)
{
  Cell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));

  cell = begin_cell (self, row, column);
  g_return_if_fail (cell && get_column (self, column)->type != TB_CELL_TEXT
                    && get_column (self, column)->type != TB_CELL_SHARE);
  cell->integer = value;
  cell->is_known = TRUE;
}

/**
 * tb_table_figure_set_double:
 * @self: a table that is being built
 * @row: a row
 * @column: a column of shares
 * @value: what it holds, 0…1; NaN where that is unknown
 */
void
tb_table_figure_set_double (TbTableFigure *self, guint row, guint column, double value)
{
  Cell *cell;

  g_return_if_fail (TB_IS_TABLE_FIGURE (self));

  cell = begin_cell (self, row, column);
  g_return_if_fail (cell && get_column (self, column)->type == TB_CELL_SHARE);
  cell->number = value;
  cell->is_known = isfinite (value);
}

/**
 * tb_table_figure_get_n_columns:
 * @self: a table
 *
 * Returns: how many columns it has
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
 * Returns: how many rows it has
 */
guint
tb_table_figure_get_n_rows (TbTableFigure *self)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), 0);

  return self->items->len;
}

/**
 * tb_table_figure_get_column_id:
 * @self: a table
 * @column: a column
 *
 * Returns: its name in JSON
 */
const char *
tb_table_figure_get_column_id (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), "");
  g_return_val_if_fail (column < self->columns->len, "");

  return get_column (self, column)->id;
}

/**
 * tb_table_figure_get_column_title:
 * @self: a table
 * @column: a column
 *
 * Returns: its heading
 */
const char *
tb_table_figure_get_column_title (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), "");
  g_return_val_if_fail (column < self->columns->len, "");

  return get_column (self, column)->title;
}

/**
 * tb_table_figure_get_column_type:
 * @self: a table
 * @column: a column
 *
 * Returns: the type of its cells
 */
TbCellType
tb_table_figure_get_column_type (TbTableFigure *self, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), TB_CELL_TEXT);
  g_return_val_if_fail (column < self->columns->len, TB_CELL_TEXT);

  return get_column (self, column)->type;
}

/**
 * tb_table_figure_get_row_item:
 * @self: a table
 * @row: a row
 *
 * Returns: what names it in references, "" for nothing
 */
const char *
tb_table_figure_get_row_item (TbTableFigure *self, guint row)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), "");
  g_return_val_if_fail (row < self->items->len, "");

  return g_ptr_array_index (self->items, row);
}

static const Cell *
read_only_cell (TbTableFigure *self, guint row, guint column)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (self), NULL);
  g_return_val_if_fail (row < self->items->len && column < self->columns->len, NULL);

  return get_cell (self, row, column);
}

/**
 * tb_table_figure_is_known:
 * @self: a table
 * @row: a row
 * @column: a column
 *
 * Returns: whether the cell was set
 */
gboolean
tb_table_figure_is_known (TbTableFigure *self, guint row, guint column)
{
  const Cell *cell = read_only_cell (self, row, column);

  return cell && cell->is_known;
}

/**
 * tb_table_figure_get_text:
 * @self: a table
 * @row: a row
 * @column: a column of text
 *
 * Returns: what the cell holds, "" where that is unknown
 */
const char *
tb_table_figure_get_text (TbTableFigure *self, guint row, guint column)
{
  const Cell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell && get_column (self, column)->type == TB_CELL_TEXT, "");
  return cell->is_known ? cell->text : "";
}

/**
 * tb_table_figure_get_integer:
 * @self: a table
 * @row: a row
 * @column: a column of counts, durations, times or bytes
 *
 * Returns: what the cell holds, 0 where that is unknown
 */
gint64
tb_table_figure_get_integer (TbTableFigure *self, guint row, guint column)
{
  const Cell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell && get_column (self, column)->type != TB_CELL_TEXT
                            && get_column (self, column)->type != TB_CELL_SHARE,
                        0);
  return cell->is_known ? cell->integer : 0;
}

/**
 * tb_table_figure_get_double:
 * @self: a table
 * @row: a row
 * @column: a column of shares
 *
 * Returns: what the cell holds, NaN where that is unknown
 */
double
tb_table_figure_get_double (TbTableFigure *self, guint row, guint column)
{
  const Cell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell && get_column (self, column)->type == TB_CELL_SHARE, NAN);
  return cell->is_known ? cell->number : NAN;
}

/**
 * tb_table_figure_format_cell:
 * @self: a table
 * @row: a row
 * @column: a column
 *
 * Returns: (transfer full): the cell as it is shown: "12.5 ms", "31 %", "—" where it is unknown
 */
char *
tb_table_figure_format_cell (TbTableFigure *self, guint row, guint column)
{
  const Cell *cell = read_only_cell (self, row, column);

  g_return_val_if_fail (cell != NULL, g_strdup (""));

  if (!cell->is_known)
    return g_strdup ("—");
  switch (get_column (self, column)->type)
    {
    case TB_CELL_TEXT:
      return g_strdup (cell->text);
    case TB_CELL_DURATION:
      return tb_format_duration (cell->integer);
    case TB_CELL_TIME:
      return g_strdup_printf ("%" G_GINT64_FORMAT ".%06u", cell->integer / 1000000000,
                              (guint) (ABS (cell->integer % 1000000000) / 1000));
    case TB_CELL_SHARE:
      return tb_format_share (cell->number);
    case TB_CELL_BYTES:
      return cell->integer < 0 ? g_strdup_printf ("%" G_GINT64_FORMAT " B", cell->integer)
                               : tb_format_bytes (cell->integer);
    default:
      return g_strdup_printf ("%" G_GINT64_FORMAT, cell->integer);
    }
}
