/* tb-histogram-figure.c: histogram of one or more series, numbers of values by bin, with marked and
 * uncertain ranges: building, access, to and from JSON, and as text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/histogram/tb-histogram-figure-private.h"
#include "report/tb-json-private.h"
#include "report/tb-format.h"
#include "report/tb-text-private.h"

#define BINS_MAX 1000000
#define SERIES_MAX 1000
#define CELLS_MAX 4000000
#define MARKS_MAX 10000
#define TEXT_BINS_MAX 100
#define BAR_WIDTH 40

/**
 * TbHistogramFigure:
 *
 * The distribution of values: bins, one or several series of counts, and marks on ranges of
 * interest.
 */
G_DEFINE_FINAL_TYPE (TbHistogramFigure, tb_histogram_figure, TB_TYPE_FIGURE)

static void
series_free (TbHistogramSeries *series)
{
  g_free (series->id);
  g_free (series->name);
  g_array_unref (series->counts);
  g_array_unref (series->totals);
  g_free (series);
}

static void
mark_clear (TbHistogramMark *mark)
{
  g_free ((char *) mark->item);
  g_free ((char *) mark->label);
}

static void
tb_histogram_figure_freeze (TbFigure *figure)
{
  TbHistogramFigure *self = TB_HISTOGRAM_FIGURE (figure);

  for (guint i = 0; i < self->series->len; i++)
    {
      TbHistogramSeries *series = g_ptr_array_index (self->series, i);

      for (guint bin = 0; bin < self->bins->len; bin++)
        self->largest = MAX (self->largest, g_array_index (series->counts, guint64, bin));
      tb_histogram_figure_get_sum (self, i, 0, self->bins->len, &series->count, &series->total);
    }
}

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

static void
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

static gboolean
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

static const TbHistogramMark *
find_mark (TbHistogramFigure *self, const TbHistogramBin *bin)
{
  for (guint i = 0; i < self->marks->len; i++)
    {
      const TbHistogramMark *mark = &g_array_index (self->marks, TbHistogramMark, i);

      if (mark->from < bin->to && mark->to > bin->from)
        return mark;
    }
  return NULL;
}

static void
render_bin (TbHistogramFigure *self, guint index, guint bar, guint width, GString *text)
{
  static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  const TbHistogramBin *bin = &g_array_index (self->bins, TbHistogramBin, index);
  const TbHistogramMark *mark = find_mark (self, bin);

  for (guint i = 0; i < self->series->len; i++)
    {
      guint64 count = g_array_index (tb_histogram_get_series (self, i)->counts, guint64, index);
      g_autofree char *from
          = i == 0 ? tb_histogram_figure_format_value (self, bin->from) : g_strdup ("");
      g_autofree char *number = tb_format_count (count);
      guint steps = self->largest ? (guint) ((double) count / self->largest * bar * 8) : 0;
      g_autoptr (GString) line = g_string_new (NULL);

      if (count > 0 && steps == 0)
        steps = 1; /* a small count stays visible */
      tb_text_append_padded (line, from, 12, TRUE);
      g_string_append (line, " ");
      tb_text_append_repeated (line, "█", steps / 8);
      g_string_append (line, eighths[steps % 8]);
      g_string_append_printf (line, "%s%s%s", steps ? " " : "",
                              tb_histogram_figure_is_uncertain (self, index) ? "~" : "", number);
      if (self->series->len > 1)
        g_string_append_printf (line, " %s", tb_histogram_get_series (self, i)->name);
      if (mark && i == 0)
        g_string_append_printf (line, "  ← %s", mark->label);
      tb_text_append_cut (text, line->str, width ? width : G_MAXUINT);
      g_string_append_c (text, '\n');
    }
}

static gboolean
is_empty (TbHistogramFigure *self, guint bin)
{
  for (guint i = 0; i < self->series->len; i++)
    if (g_array_index (tb_histogram_get_series (self, i)->counts, guint64, bin) > 0)
      return FALSE;
  return TRUE;
}

static void
tb_histogram_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbHistogramFigure *self = TB_HISTOGRAM_FIGURE (figure);
  guint bar = width ? CLAMP ((int) width - 30, 4, BAR_WIDTH) : BAR_WIDTH;
  guint n_shown = 0;
  guint n_more = 0;
  gboolean was_empty = FALSE;

  for (guint bin = 0; bin < self->bins->len; bin++)
    {
      gboolean now_empty = is_empty (self, bin);

      /* consecutive empty bins take one line */
      if (now_empty && was_empty)
        continue;
      was_empty = now_empty;
      if (n_shown >= TEXT_BINS_MAX)
        n_more += !now_empty;
      else if (now_empty)
        g_string_append (text, "           …\n");
      else
        {
          render_bin (self, bin, bar, width, text);
          n_shown++;
        }
    }
  if (n_more > 0)
    g_string_append_printf (text,
                            ngettext ("… and %'u more bin\n", "… and %'u more bins\n", n_more),
                            n_more);
  if (self->bins->len > 0 && tb_histogram_figure_is_uncertain (self, 0))
    {
      g_autofree char *line = g_strdup_printf (_ ("~ uncertain: %s"), self->reason);

      tb_text_append_cut (text, line, width ? width : G_MAXUINT);
      g_string_append_c (text, '\n');
    }
}

static void
tb_histogram_figure_finalize (GObject *object)
{
  TbHistogramFigure *self = TB_HISTOGRAM_FIGURE (object);

  g_free (self->unit);
  g_free (self->reason);
  g_array_unref (self->bins);
  g_array_unref (self->marks);
  g_ptr_array_unref (self->series);
  G_OBJECT_CLASS (tb_histogram_figure_parent_class)->finalize (object);
}

static void
tb_histogram_figure_class_init (TbHistogramFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_histogram_figure_finalize;
  figure_class->kind = "histogram";
  figure_class->freeze = tb_histogram_figure_freeze;
  figure_class->write_json = tb_histogram_figure_write_json;
  figure_class->read_json = tb_histogram_figure_read_json;
  figure_class->render_text = tb_histogram_figure_render_text;
}

static void
tb_histogram_figure_init (TbHistogramFigure *self)
{
  self->unit = g_strdup ("");
  self->reason = g_strdup ("");
  self->uncertain_below = G_MININT64;
  self->bins = g_array_new (FALSE, FALSE, sizeof (TbHistogramBin));
  self->series = g_ptr_array_new_with_free_func ((GDestroyNotify) series_free);
  self->marks = g_array_new (FALSE, FALSE, sizeof (TbHistogramMark));
  g_array_set_clear_func (self->marks, (GDestroyNotify) mark_clear);
}

/**
 * tb_histogram_figure_new:
 * @id: id that references use
 * @title: user-visible title
 * @unit: unit of the values: "ns", "bytes"…
 *
 * Returns: (transfer full): a histogram without bins
 */
TbHistogramFigure *
tb_histogram_figure_new (const char *id, const char *title, const char *unit)
{
  TbHistogramFigure *self = g_object_new (TB_TYPE_HISTOGRAM_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  g_set_str (&self->unit, unit ? unit : "");
  return self;
}

/**
 * tb_histogram_figure_set_logarithmic:
 * @self: a histogram that is being built
 * @logarithmic: whether the axis of values is logarithmic
 */
void
tb_histogram_figure_set_logarithmic (TbHistogramFigure *self, gboolean logarithmic)
{
  g_return_if_fail (TB_IS_HISTOGRAM_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  self->is_logarithmic = logarithmic;
}

/**
 * tb_histogram_figure_add_bin:
 * @self: a histogram that is being built, without series yet
 * @from: smallest value of the bin, not less than the end of the bin before
 * @to: end of the bin, exclusive
 *
 * Returns: the bin's index. References name a range of bins by its values, see
 *   tb_histogram_figure_find_item()
 */
guint
tb_histogram_figure_add_bin (TbHistogramFigure *self, gint64 from, gint64 to)
{
  const TbHistogramBin bin = { from, to };

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (self->series->len == 0, 0);
  tb_figure_return_val_if_fault (
      self,
      to > from
          && (self->bins->len == 0
              || from >= g_array_index (self->bins, TbHistogramBin, self->bins->len - 1).to),
      _ ("a bin overlaps the one before or is empty"), 0);

  g_array_append_val (self->bins, bin);
  return self->bins->len - 1;
}

/**
 * tb_histogram_figure_add_series:
 * @self: a histogram that is being built, with all its bins
 * @id: id that references use
 * @name: user-visible name
 *
 * Returns: the series' index; its counts are initially 0
 */
guint
tb_histogram_figure_add_series (TbHistogramFigure *self, const char *id, const char *name)
{
  TbHistogramSeries *series;

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  series = g_new0 (TbHistogramSeries, 1);
  series->id = g_strdup (id ? id : "");
  series->name = g_strdup (name ? name : "");
  series->counts = g_array_new (FALSE, TRUE, sizeof (guint64));
  series->totals = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_array_set_size (series->counts, self->bins->len);
  g_array_set_size (series->totals, self->bins->len);
  g_ptr_array_add (self->series, series);
  return self->series->len - 1;
}

/**
 * tb_histogram_figure_set_count:
 * @self: a histogram that is being built
 * @series: a series
 * @bin: a bin
 * @count: number of values in the bin
 * @total: sum of these values, %G_MAXUINT64: unknown
 */
void
tb_histogram_figure_set_count (TbHistogramFigure *self,
                               guint series,
                               guint bin,
                               guint64 count,
                               guint64 total)
{
  g_return_if_fail (TB_IS_HISTOGRAM_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault (self, series < self->series->len && bin < self->bins->len,
                             _ ("a count is given for a bin that does not exist"));

  g_array_index (tb_histogram_get_series (self, series)->counts, guint64, bin) = count;
  g_array_index (tb_histogram_get_series (self, series)->totals, guint64, bin) = total;
}

/**
 * tb_histogram_figure_add_mark:
 * @self: a histogram that is being built
 * @item: id that references use
 * @label: user-visible label
 * @from: smallest marked value
 * @to: end of the marked range, exclusive
 */
void
tb_histogram_figure_add_mark (TbHistogramFigure *self,
                              const char *item,
                              const char *label,
                              gint64 from,
                              gint64 to)
{
  const TbHistogramMark mark
      = { g_strdup (item ? item : ""), g_strdup (label ? label : ""), from, MAX (from, to) };

  g_return_if_fail (TB_IS_HISTOGRAM_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  g_array_append_val (self->marks, mark);
}

/**
 * tb_histogram_figure_set_uncertain:
 * @self: a histogram that is being built
 * @below: bins that begin below this value are uncertain
 * @reason: user-visible reason
 *
 * Marks small values as unreliable or incomplete: their bins are hatched, and the legend shows the
 * reason.
 */
void
tb_histogram_figure_set_uncertain (TbHistogramFigure *self, gint64 below, const char *reason)
{
  g_return_if_fail (TB_IS_HISTOGRAM_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  self->uncertain_below = below;
  g_set_str (&self->reason, reason ? reason : "");
}

/**
 * tb_histogram_figure_get_uncertain_reason:
 * @self: a histogram
 *
 * Returns: (transfer none): the reason why the first bins are uncertain, "" if none is
 */
const char *
tb_histogram_figure_get_uncertain_reason (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);

  return self->bins->len > 0 && tb_histogram_figure_is_uncertain (self, 0) ? self->reason : "";
}

/**
 * tb_histogram_figure_is_uncertain:
 * @self: a histogram
 * @bin: index of a bin
 *
 * Returns: whether the bin is uncertain
 */
gboolean
tb_histogram_figure_is_uncertain (TbHistogramFigure *self, guint bin)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), FALSE);
  g_return_val_if_fail (bin < self->bins->len, FALSE);

  return g_array_index (self->bins, TbHistogramBin, bin).from < self->uncertain_below;
}

/**
 * tb_histogram_figure_get_unit:
 * @self: a histogram
 *
 * Returns: the unit of the values
 */
const char *
tb_histogram_figure_get_unit (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), "");

  return self->unit;
}

/**
 * tb_histogram_figure_is_logarithmic:
 * @self: a histogram
 *
 * Returns: whether the axis of values is logarithmic
 */
gboolean
tb_histogram_figure_is_logarithmic (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), FALSE);

  return self->is_logarithmic;
}

/**
 * tb_histogram_figure_get_n_bins:
 * @self: a histogram
 *
 * Returns: the number of bins
 */
guint
tb_histogram_figure_get_n_bins (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);

  return self->bins->len;
}

/**
 * tb_histogram_figure_get_bin:
 * @self: a histogram
 * @bin: index of a bin
 *
 * Returns: (transfer none): the bin
 */
const TbHistogramBin *
tb_histogram_figure_get_bin (TbHistogramFigure *self, guint bin)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);
  g_return_val_if_fail (bin < self->bins->len, NULL);

  return &g_array_index (self->bins, TbHistogramBin, bin);
}

/**
 * tb_histogram_figure_get_n_series:
 * @self: a histogram
 *
 * Returns: the number of series
 */
guint
tb_histogram_figure_get_n_series (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);

  return self->series->len;
}

/**
 * tb_histogram_figure_get_series_id:
 * @self: a histogram
 * @series: index of a series
 *
 * Returns: the id that references use
 */
const char *
tb_histogram_figure_get_series_id (TbHistogramFigure *self, guint series)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), "");
  g_return_val_if_fail (series < self->series->len, "");

  return tb_histogram_get_series (self, series)->id;
}

/**
 * tb_histogram_figure_get_series_name:
 * @self: a histogram
 * @series: index of a series
 *
 * Returns: the user-visible name
 */
const char *
tb_histogram_figure_get_series_name (TbHistogramFigure *self, guint series)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), "");
  g_return_val_if_fail (series < self->series->len, "");

  return tb_histogram_get_series (self, series)->name;
}

/**
 * tb_histogram_figure_get_count:
 * @self: a histogram
 * @series: index of a series
 * @bin: index of a bin
 *
 * Returns: the number of values of the series in the bin
 */
guint64
tb_histogram_figure_get_count (TbHistogramFigure *self, guint series, guint bin)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);
  g_return_val_if_fail (series < self->series->len && bin < self->bins->len, 0);

  return g_array_index (tb_histogram_get_series (self, series)->counts, guint64, bin);
}

/**
 * tb_histogram_figure_get_total:
 * @self: a histogram
 * @series: index of a series
 * @bin: index of a bin
 *
 * Returns: the sum of the values of the series in the bin, %G_MAXUINT64: unknown
 */
guint64
tb_histogram_figure_get_total (TbHistogramFigure *self, guint series, guint bin)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);
  g_return_val_if_fail (series < self->series->len && bin < self->bins->len, 0);

  return g_array_index (tb_histogram_get_series (self, series)->totals, guint64, bin);
}

/**
 * tb_histogram_figure_get_largest_count:
 * @self: a frozen histogram
 *
 * Returns: the largest count of all bins and series
 */
guint64
tb_histogram_figure_get_largest_count (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);

  return self->largest;
}

/**
 * tb_histogram_figure_get_n_marks:
 * @self: a histogram
 *
 * Returns: the number of marks
 */
guint
tb_histogram_figure_get_n_marks (TbHistogramFigure *self)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), 0);

  return self->marks->len;
}

/**
 * tb_histogram_figure_get_mark:
 * @self: a histogram
 * @mark: index of a mark
 *
 * Returns: (transfer none): the mark
 */
const TbHistogramMark *
tb_histogram_figure_get_mark (TbHistogramFigure *self, guint mark)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);
  g_return_val_if_fail (mark < self->marks->len, NULL);

  return &g_array_index (self->marks, TbHistogramMark, mark);
}
