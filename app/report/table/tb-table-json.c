/* tb-table-json.c: table to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-json-private.h"
#include "report/table/tb-table-figure-private.h"

const char *const tb_cell_type_names[TB_N_CELL_TYPES] = {
  [TB_CELL_TEXT] = "text",     [TB_CELL_COUNT] = "count", [TB_CELL_DURATION] = "duration",
  [TB_CELL_TIME] = "time",     [TB_CELL_SHARE] = "share", [TB_CELL_BYTES] = "bytes",
  [TB_CELL_NUMBER] = "number",
};

static void
write_place (TbTableFigure *self, guint row, JsonBuilder *builder)
{
  guint32 thread;
  gint64 from, to;

  if (!tb_table_figure_get_place (self, row, &thread, &from, &to))
    return;
  json_builder_set_member_name (builder, "thread");
  json_builder_add_int_value (builder, thread != TB_ID_NONE ? (gint64) thread : -1);
  json_builder_set_member_name (builder, "from_ns");
  json_builder_add_int_value (builder, from);
  json_builder_set_member_name (builder, "to_ns");
  json_builder_add_int_value (builder, to);
}

static void
write_cell (TbTableFigure *self, guint row, guint column, JsonBuilder *builder)
{
  const TbTableCell *cell = tb_table_get_cell (self, row, column);

  if (!cell->is_known)
    json_builder_add_null_value (builder);
  else if (tb_table_get_column (self, column)->type == TB_CELL_TEXT)
    json_builder_add_string_value (builder, cell->text);
  else if (tb_table_get_column (self, column)->type == TB_CELL_SHARE)
    json_builder_add_double_value (builder, cell->number);
  else
    json_builder_add_int_value (builder, cell->integer);
}

/* In addition to the texts, by column: null, or the type and the number, or both ends of the range,
 * that a text stands for. */
static void
write_measures (TbTableFigure *self, guint row, JsonBuilder *builder)
{
  gboolean any = FALSE;

  for (guint column = 0; column < self->columns->len; column++)
    any |= tb_table_get_cell (self, row, column)->measure != TB_CELL_TEXT;
  if (!any)
    return;
  json_builder_set_member_name (builder, "measures");
  json_builder_begin_array (builder);
  for (guint column = 0; column < self->columns->len; column++)
    {
      double low, high;
      TbCellType type = tb_table_figure_get_measure (self, row, column, &low, &high);

      if (type == TB_CELL_TEXT)
        {
          json_builder_add_null_value (builder);
          continue;
        }
      json_builder_begin_array (builder);
      json_builder_add_string_value (builder, tb_cell_type_names[type]);
      json_builder_add_double_value (builder, low);
      if (high != low)
        json_builder_add_double_value (builder, high);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

/* Writes a row; parent is TB_ID_NONE unless it is a child row. */
static void
write_row (TbTableFigure *self, guint row, guint parent, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "item");
  json_builder_add_string_value (builder, g_ptr_array_index (self->items, row));
  if (parent != TB_ID_NONE)
    {
      json_builder_set_member_name (builder, "parent");
      json_builder_add_int_value (builder, parent);
    }
  if (self->paints->data[row] < TB_N_FLAME_PAINTS)
    {
      json_builder_set_member_name (builder, "paint");
      json_builder_add_string_value (builder, tb_flame_paint_get_name (self->paints->data[row]));
    }
  write_place (self, row, builder);
  json_builder_set_member_name (builder, "cells");
  json_builder_begin_array (builder);
  for (guint column = 0; column < self->columns->len; column++)
    write_cell (self, row, column, builder);
  json_builder_end_array (builder);
  write_measures (self, row, builder);
  json_builder_end_object (builder);
}

static void
write_rows (TbTableFigure *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "rows");
  json_builder_begin_array (builder);
  for (guint row = 0; row < self->n_rows; row++)
    write_row (self, row, TB_ID_NONE, builder);
  json_builder_end_array (builder);
  if (self->parents == NULL)
    return;
  json_builder_set_member_name (builder, "children");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->parents->len; i++)
    write_row (self, self->n_rows + i, g_array_index (self->parents, guint, i), builder);
  json_builder_end_array (builder);
}

void
tb_table_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbTableFigure *self = TB_TABLE_FIGURE (figure);

  json_builder_set_member_name (builder, "columns");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->columns->len; i++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, tb_table_get_column (self, i)->id);
      json_builder_set_member_name (builder, "title");
      json_builder_add_string_value (builder, tb_table_get_column (self, i)->title);
      json_builder_set_member_name (builder, "type");
      json_builder_add_string_value (builder,
                                     tb_cell_type_names[tb_table_get_column (self, i)->type]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  if (self->bar != TB_ID_NONE)
    {
      json_builder_set_member_name (builder, "bar");
      json_builder_add_string_value (builder, tb_table_get_column (self, self->bar)->id);
    }
  if (self->histogram_column != TB_ID_NONE)
    {
      json_builder_set_member_name (builder, "counted");
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "column");
      json_builder_add_string_value (builder,
                                     tb_table_get_column (self, self->histogram_column)->id);
      json_builder_set_member_name (builder, "by");
      json_builder_add_string_value (builder, self->histogram_id);
      json_builder_end_object (builder);
    }
  write_rows (self, builder);
}

static guint
find_type (const char *name)
{
  guint type = 0;

  while (type < TB_N_CELL_TYPES && strcmp (name, tb_cell_type_names[type]) != 0)
    type++;
  return type;
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
      guint type;

      if (!tb_json_get_object (json_array_get_element (columns, i), "column", &column, error)
          || !tb_json_get_string (column, "id", &id, error)
          || !tb_json_get_string (column, "title", &title, error)
          || !tb_json_get_string (column, "type", &name, error))
        return FALSE;
      type = find_type (name);
      if (type == TB_N_CELL_TYPES)
        return tb_json_fail (error, _ ("unknown column type “%s”"), name);
      tb_table_figure_add_column (self, id, title, type);
    }
  return TRUE;
}

static gboolean
read_bar (TbTableFigure *self, JsonObject *object, GError **error)
{
  const char *id;

  if (!tb_json_get_optional_string (object, "bar", &id, error))
    return FALSE;
  for (guint column = 0; id && column < self->columns->len; column++)
    if (strcmp (tb_table_get_column (self, column)->id, id) == 0
        && tb_table_get_column (self, column)->type != TB_CELL_TEXT)
      {
        tb_table_figure_set_bar (self, column);
        return TRUE;
      }
  return !id || tb_json_fail (error, _ ("no column of numbers has the ID “%s”"), id);
}

static gboolean
read_histogram (TbTableFigure *self, JsonObject *object, GError **error)
{
  JsonObject *histogram_column;
  const char *id, *by;

  if (!json_object_has_member (object, "counted"))
    return TRUE;
  if (!tb_json_get_object (json_object_get_member (object, "counted"), "counted", &histogram_column,
                           error)
      || !tb_json_get_string (histogram_column, "column", &id, error)
      || !tb_json_get_string (histogram_column, "by", &by, error))
    return FALSE;
  for (guint column = 0; column < self->columns->len; column++)
    if (strcmp (tb_table_get_column (self, column)->id, id) == 0
        && tb_table_get_column (self, column)->type != TB_CELL_TEXT
        && tb_table_get_column (self, column)->type != TB_CELL_SHARE)
      {
        tb_table_figure_set_histogram (self, column, by);
        return TRUE;
      }
  return tb_json_fail (error, _ ("no column of integers has the ID “%s”"), id);
}

static gboolean
read_cell (TbTableFigure *self, guint row, guint column, JsonNode *node)
{
  const char *text = tb_json_node_get_string (node);
  gint64 integer;

  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  switch (tb_table_get_column (self, column)->type)
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
is_number (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_DOUBLE
             || json_node_get_value_type (node) == G_TYPE_INT64)
         && isfinite (json_node_get_double (node));
}

static gboolean
read_measure (TbTableFigure *self, guint row, guint column, JsonNode *node)
{
  JsonArray *measure = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = measure != NULL ? json_array_get_length (measure) : 0;
  const char *name
      = n == 2 || n == 3 ? tb_json_node_get_string (json_array_get_element (measure, 0)) : NULL;
  guint type = name != NULL ? find_type (name) : TB_N_CELL_TYPES;
  double low, high;

  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (type == TB_CELL_TEXT || type == TB_N_CELL_TYPES
      || tb_table_get_column (self, column)->type != TB_CELL_TEXT
      || !tb_table_figure_is_known (self, row, column)
      || !is_number (json_array_get_element (measure, 1))
      || !is_number (json_array_get_element (measure, n - 1)))
    return FALSE;
  low = json_array_get_double_element (measure, 1);
  high = json_array_get_double_element (measure, n - 1);
  if (low > high)
    return FALSE;
  tb_table_figure_set_measure (self, row, column, type, low, high);
  return TRUE;
}

static gboolean
read_measures (TbTableFigure *self, guint i, JsonObject *row, GError **error)
{
  JsonArray *measures;

  if (!json_object_has_member (row, "measures"))
    return TRUE;
  if (!tb_json_get_array (row, "measures", self->columns->len, &measures, error))
    return FALSE;
  for (guint column = 0; column < json_array_get_length (measures); column++)
    if (!read_measure (self, i, column, json_array_get_element (measures, column)))
      return tb_json_fail (error, _ ("row %u, column “%s”: the number is not valid for the text"),
                           i, tb_table_get_column (self, column)->id);
  return TRUE;
}

/* A row without a place has only its item. */
static gboolean
read_place (TbTableFigure *self, guint i, JsonObject *row, GError **error)
{
  gint64 thread = -1, from = TB_TIME_NONE, to = TB_TIME_NONE;

  if (!json_object_has_member (row, "from_ns"))
    return TRUE;
  if (!tb_json_get_integer (row, "thread", -1, (gint64) TB_ID_NONE - 1, &thread, error)
      || !tb_json_get_integer (row, "from_ns", TB_TIME_NONE, G_MAXINT64, &from, error)
      || !tb_json_get_integer (row, "to_ns", from, G_MAXINT64, &to, error))
    return FALSE;
  tb_table_figure_set_place (self, i, thread >= 0 ? (guint32) thread : TB_ID_NONE, from, to);
  return TRUE;
}

/* Reads the number of a child row's parent; children are in the order of their parents. */
static gboolean
read_parent (TbTableFigure *self, JsonObject *row, guint *parent, GError **error)
{
  gint64 number = 0, last = 0;

  if (self->parents != NULL && self->parents->len > 0)
    last = g_array_index (self->parents, guint, self->parents->len - 1);
  if (!tb_json_get_integer (row, "parent", last, (gint64) self->n_rows - 1, &number, error))
    return FALSE;
  *parent = (guint) number;
  return TRUE;
}

static gboolean
read_row (TbTableFigure *self, JsonNode *node, gboolean is_child, GError **error)
{
  JsonObject *row;
  JsonArray *cells;
  const char *item;
  const char *paint;
  guint i = self->items->len, parent;

  if (!tb_json_get_object (node, "row", &row, error)
      || !tb_json_get_optional_string (row, "item", &item, error)
      || !tb_json_get_optional_string (row, "paint", &paint, error)
      || !tb_json_get_array (row, "cells", self->columns->len, &cells, error)
      || (is_child && !read_parent (self, row, &parent, error)))
    return FALSE;
  if (json_array_get_length (cells) != self->columns->len)
    return tb_json_fail (error, _ ("row %u has %u cells instead of %u"), i,
                         json_array_get_length (cells), self->columns->len);
  if (is_child)
    tb_table_figure_add_child (self, parent, item);
  else
    tb_table_figure_add_row (self, item);
  if (!read_place (self, i, row, error))
    return FALSE;
  if (paint)
    tb_table_figure_set_paint (self, i, tb_flame_paint_find (paint));
  for (guint column = 0; column < self->columns->len; column++)
    if (!read_cell (self, i, column, json_array_get_element (cells, column)))
      return tb_json_fail (
          error, _ ("row %u, column “%s”: the value does not have the type of the column"), i,
          tb_table_get_column (self, column)->id);
  return read_measures (self, i, row, error);
}

static gboolean
read_rows (TbTableFigure *self,
           JsonObject *object,
           const char *member,
           gboolean are_children,
           GError **error)
{
  guint most = TB_TABLE_CELLS_MAX / MAX (self->columns->len, 4);
  JsonArray *rows;

  if (!tb_json_get_array (object, member, most - MIN (most, self->items->len), &rows, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (rows); i++)
    if (!read_row (self, json_array_get_element (rows, i), are_children, error))
      return FALSE;
  return TRUE;
}

gboolean
tb_table_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbTableFigure *self = TB_TABLE_FIGURE (figure);

  return read_columns (self, object, error) && read_bar (self, object, error)
         && read_histogram (self, object, error) && read_rows (self, object, "rows", FALSE, error)
         && (!json_object_has_member (object, "children")
             || read_rows (self, object, "children", TRUE, error));
}
