/* tb-histogram-json.c: JSON of a histogram, written and read with checks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/histogram/tb-histogram-figure-private.h"
#include "report/tb-json-private.h"

#define BINS_MAX 1000000
#define SERIES_MAX 1000
#define CELLS_MAX 4000000
#define MARKS_MAX 10000

static void
write_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
write_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
write_series (const TbHistogramSeries *series, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  write_string (builder, "id", series->id);
  write_string (builder, "name", series->name);
  json_builder_set_member_name (builder, "counts");
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < series->counts->len; bin++)
    tb_json_add_unsigned (builder, g_array_index (series->counts, guint64, bin));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "totals");
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < series->totals->len; bin++)
    if (g_array_index (series->totals, guint64, bin) == G_MAXUINT64)
      json_builder_add_int_value (builder, -1);
    else
      tb_json_add_unsigned (builder, g_array_index (series->totals, guint64, bin));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

void
tb_histogram_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbHistogramFigure *self = TB_HISTOGRAM_FIGURE (figure);

  write_string (builder, "unit", self->unit);
  json_builder_set_member_name (builder, "logarithmic");
  json_builder_add_boolean_value (builder, self->is_logarithmic);
  json_builder_set_member_name (builder, "from");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->bins->len; i++)
    json_builder_add_int_value (builder, g_array_index (self->bins, TbHistogramBin, i).from);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "to");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->bins->len; i++)
    json_builder_add_int_value (builder, g_array_index (self->bins, TbHistogramBin, i).to);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "series");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->series->len; i++)
    write_series (tb_histogram_get_series (self, i), builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "uncertain");
  if (self->uncertain_below == G_MININT64)
    json_builder_add_null_value (builder);
  else
    {
      json_builder_begin_object (builder);
      write_integer (builder, "below", self->uncertain_below);
      write_string (builder, "why", self->reason);
      json_builder_end_object (builder);
    }
  json_builder_set_member_name (builder, "marks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->marks->len; i++)
    {
      const TbHistogramMark *mark = &g_array_index (self->marks, TbHistogramMark, i);

      json_builder_begin_object (builder);
      write_string (builder, "item", mark->item);
      write_string (builder, "label", mark->label);
      write_integer (builder, "from", mark->from);
      write_integer (builder, "to", mark->to);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
read_bins (TbHistogramFigure *self, JsonObject *object, GError **error)
{
  g_autofree gint64 *from = NULL;
  g_autofree gint64 *to = NULL;
  JsonArray *array;
  guint n;

  if (!tb_json_get_array (object, "from", BINS_MAX, &array, error))
    return FALSE;
  n = json_array_get_length (array);
  if (!(from = tb_json_get_integers (object, "from", n, G_MININT64, G_MAXINT64, error))
      || !(to = tb_json_get_integers (object, "to", n, G_MININT64, G_MAXINT64, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (to[i] <= from[i] || (i > 0 && from[i] < to[i - 1]))
        return tb_json_fail (error, _ ("bin %u overlaps the one before or is empty"), i);
      tb_histogram_figure_add_bin (self, from[i], to[i]);
    }
  return TRUE;
}

static gboolean
read_series (TbHistogramFigure *self, JsonNode *node, GError **error)
{
  g_autofree gint64 *counts = NULL;
  g_autofree gint64 *totals = NULL;
  JsonObject *object;
  const char *id;
  const char *name;
  guint series;

  if (!tb_json_get_object (node, "series", &object, error)
      || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "name", &name, error)
      || !(counts = tb_json_get_integers (object, "counts", self->bins->len, 0, G_MAXINT64, error))
      || !(totals
           = tb_json_get_integers (object, "totals", self->bins->len, -1, G_MAXINT64, error)))
    return FALSE;
  series = tb_histogram_figure_add_series (self, id, name);
  for (guint bin = 0; bin < self->bins->len; bin++)
    tb_histogram_figure_set_count (self, series, bin, counts[bin],
                                   totals[bin] < 0 ? G_MAXUINT64 : (guint64) totals[bin]);
  return TRUE;
}

static gboolean
read_mark (TbHistogramFigure *self, JsonNode *node, GError **error)
{
  JsonObject *object;
  const char *item;
  const char *label;
  gint64 from;
  gint64 to;

  if (!tb_json_get_object (node, "mark", &object, error)
      || !tb_json_get_string (object, "item", &item, error)
      || !tb_json_get_string (object, "label", &label, error)
      || !tb_json_get_integer (object, "from", G_MININT64, G_MAXINT64, &from, error)
      || !tb_json_get_integer (object, "to", from, G_MAXINT64, &to, error))
    return FALSE;
  tb_histogram_figure_add_mark (self, item, label, from, to);
  return TRUE;
}

/* Files of earlier versions do not have it. */
static gboolean
read_uncertain (TbHistogramFigure *self, JsonObject *object, GError **error)
{
  JsonNode *node = json_object_get_member (object, "uncertain");
  JsonObject *uncertain;
  const char *reason;
  gint64 below;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!tb_json_get_object (node, "uncertain", &uncertain, error)
      || !tb_json_get_integer (uncertain, "below", G_MININT64, G_MAXINT64, &below, error)
      || !tb_json_get_string (uncertain, "why", &reason, error))
    return FALSE;
  tb_histogram_figure_set_uncertain (self, below, reason);
  return TRUE;
}

gboolean
tb_histogram_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbHistogramFigure *self = TB_HISTOGRAM_FIGURE (figure);
  JsonArray *array;
  const char *unit;

  if (!tb_json_get_string (object, "unit", &unit, error)
      || !tb_json_get_boolean (object, "logarithmic", &self->is_logarithmic, error)
      || !read_bins (self, object, error) || !read_uncertain (self, object, error)
      || !tb_json_get_array (object, "series", MIN (SERIES_MAX, CELLS_MAX / (self->bins->len + 1)),
                             &array, error))
    return FALSE;
  g_set_str (&self->unit, unit);
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_series (self, json_array_get_element (array, i), error))
      return FALSE;
  if (!tb_json_get_array (object, "marks", MARKS_MAX, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_mark (self, json_array_get_element (array, i), error))
      return FALSE;
  return TRUE;
}
