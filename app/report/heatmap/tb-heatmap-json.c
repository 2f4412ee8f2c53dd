/* tb-heatmap-json.c: heat map to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/heatmap/tb-heatmap-figure-private.h"
#include "report/tb-json-private.h"
#include "report/tb-report.h"
#include "base/tb-base.h"

#define COLUMNS_MAX 100000
#define CELLS_MAX 4000000

static void
write_numbering (const TbHeatmapNumbering *numberings, JsonBuilder *builder)
{
  if (numberings->n == 0)
    return;
  json_builder_set_member_name (builder, "numbered");
  json_builder_add_int_value (builder, numberings->n);
  json_builder_set_member_name (builder, "numbered_from");
  json_builder_add_int_value (builder, numberings->from);
}

static void
write_title (JsonBuilder *builder, const char *name, const char *title)
{
  if (title == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, title);
}

void
tb_heatmap_write_json (TbFigure *figure, JsonBuilder *builder)
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
  json_builder_set_member_name (builder, "signed");
  json_builder_add_boolean_value (builder, self->is_signed);
  write_title (builder, "row_title", self->row_title);
  write_title (builder, "column_title", self->column_title);
  if (self->columns != NULL)
    {
      json_builder_set_member_name (builder, "column_labels");
      json_builder_begin_array (builder);
      for (guint column = 0; column < self->n_columns; column++)
        json_builder_add_string_value (builder, g_ptr_array_index (self->columns, column));
      json_builder_end_array (builder);
    }
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
        if (self->is_signed)
          json_builder_add_int_value (builder, (gint64) tb_heatmap_get_row (self, row)[column]);
        else
          tb_json_add_unsigned (builder, tb_heatmap_get_row (self, row)[column]);
      json_builder_end_array (builder);
      write_numbering (&g_array_index (self->numberings, TbHeatmapNumbering, row), builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
read_numbering (TbHeatmapFigure *self, guint i, JsonObject *row, GError **error)
{
  gint64 n, from;

  if (!json_object_has_member (row, "numbered"))
    return TRUE;
  if (!tb_json_get_integer (row, "numbered", 1, self->n_columns, &n, error)
      || !tb_json_get_integer (row, "numbered_from", 0, n - 1, &from, error))
    return FALSE;
  tb_heatmap_figure_set_numbering (self, i, (guint) from, (guint) n);
  return TRUE;
}

static gboolean
read_row (TbHeatmapFigure *self, JsonNode *node, GError **error)
{
  gint64 least = self->is_signed ? -G_MAXINT64 : 0;
  g_autofree gint64 *values = NULL;
  JsonObject *row;
  const char *item;
  const char *label;

  if (!tb_json_get_object (node, "row", &row, error)
      || !tb_json_get_string (row, "item", &item, error)
      || !tb_json_get_string (row, "label", &label, error)
      || !(values
           = tb_json_get_integers (row, "values", self->n_columns, least, G_MAXINT64, error)))
    return FALSE;
  return read_numbering (self, tb_heatmap_add_row (self, item, label, values), row, error);
}

/* Absent if no title was set. */
static gboolean
read_title (JsonObject *object, const char *name, char **out, GError **error)
{
  const char *title;

  if (!json_object_has_member (object, name))
    return TRUE;
  if (!tb_json_get_string (object, name, &title, error))
    return FALSE;
  g_set_str (out, title);
  return TRUE;
}

/* Files of earlier versions have neither member. */
static gboolean
read_columns (TbHeatmapFigure *self, JsonObject *object, GError **error)
{
  g_auto (GStrv) labels = NULL;

  if (json_object_has_member (object, "signed")
      && !tb_json_get_boolean (object, "signed", &self->is_signed, error))
    return FALSE;
  if (!json_object_has_member (object, "column_labels"))
    return TRUE;
  labels = tb_json_get_strings (object, "column_labels", self->n_columns, error);
  if (labels == NULL)
    return FALSE;
  if (g_strv_length (labels) != self->n_columns)
    return tb_json_fail (error, _ ("“%s” has %u elements instead of %u"), "column_labels",
                         g_strv_length (labels), self->n_columns);
  tb_heatmap_figure_set_columns (self, (const char *const *) labels);
  return TRUE;
}

gboolean
tb_heatmap_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbHeatmapFigure *self = TB_HEATMAP_FIGURE (figure);
  JsonArray *rows;
  const char *unit;
  gint64 n_columns;

  if (!tb_json_get_string (object, "unit", &unit, error)
      || !tb_json_get_integer (object, "from_ns", G_MININT64 / 4, G_MAXINT64 / 4, &self->from,
                               error)
      || !tb_json_get_integer (object, "to_ns", self->from, G_MAXINT64 / 4, &self->to, error)
      || !tb_json_get_integer (object, "columns", 0, COLUMNS_MAX, &n_columns, error)
      || !tb_json_get_array (object, "rows", CELLS_MAX / (n_columns + 1), &rows, error))
    return FALSE;
  g_set_str (&self->unit, unit);
  self->n_columns = n_columns;
  if (!read_columns (self, object, error)
      || !read_title (object, "row_title", &self->row_title, error)
      || !read_title (object, "column_title", &self->column_title, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (rows); i++)
    if (!read_row (self, json_array_get_element (rows, i), error))
      return FALSE;
  return TRUE;
}
