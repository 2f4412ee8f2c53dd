/* tb-histogram-figure.c: histogram of one or more series, numbers of values by bin, with marked
 * and uncertain ranges: building and access
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/histogram/tb-histogram-figure-private.h"
#include "report/tb-valid-text-private.h"

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
 * Creates a histogram of one or several series of values. Add the bins first, then the series, then
 * the counts.
 *
 * Returns: (transfer full): a histogram without bins
 */
TbHistogramFigure *
tb_histogram_figure_new (const char *id, const char *title, const char *unit)
{
  TbHistogramFigure *self = g_object_new (TB_TYPE_HISTOGRAM_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  tb_valid_text_set (&self->unit, unit ? unit : "");
  return self;
}

/**
 * tb_histogram_figure_set_logarithmic:
 * @self: a histogram that is being built
 * @logarithmic: whether the axis of values is logarithmic
 *
 * Sets whether the axis of values is logarithmic. By default it is linear.
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
 * Adds a bin above those that were added before. Bins can have any widths.
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
  tb_figure_return_val_if_fault_at (
      self,
      to > from
          && (self->bins->len == 0
              || from >= g_array_index (self->bins, TbHistogramBin, self->bins->len - 1).to),
      0, _ ("a bin overlaps the one before or is empty"), _ ("bin %u"), self->bins->len);

  g_array_append_val (self->bins, bin);
  return self->bins->len - 1;
}

/**
 * tb_histogram_figure_add_series:
 * @self: a histogram that is being built, with all its bins
 * @id: id that references use
 * @name: user-visible name
 *
 * Adds a series of values.
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
  series->id = tb_valid_text_dup (id ? id : "");
  series->name = tb_valid_text_dup (name ? name : "");
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
 *
 * Sets how many values of a series are in a bin.
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
  tb_figure_return_if_fault_at (self, series < self->series->len && bin < self->bins->len,
                                _ ("a count is given for a bin that does not exist"),
                                _ ("bin %u, series %u"), bin, series);

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
 *
 * Marks a range of values of interest, such as a peak.
 */
void
tb_histogram_figure_add_mark (TbHistogramFigure *self,
                              const char *item,
                              const char *label,
                              gint64 from,
                              gint64 to)
{
  const TbHistogramMark mark = { tb_valid_text_dup (item ? item : ""),
                                 tb_valid_text_dup (label ? label : ""), from, MAX (from, to) };

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
  tb_valid_text_set (&self->reason, reason ? reason : "");
}

/**
 * tb_histogram_figure_get_uncertain_reason:
 * @self: a histogram
 *
 * Gets why the first bins are uncertain.
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
 * Gets whether the values of a bin are not reliable, see
 * [method@Tailback.HistogramFigure.set_uncertain].
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
 * Gets the unit of the values.
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
 * Gets whether the axis of values is logarithmic.
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
 * Gets the number of bins.
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
 * Gets the range of a bin.
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
 * Gets the number of series.
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
 * Gets the id of a series.
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
 * Gets the user-visible name of a series.
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
 * Gets how many values of a series are in a bin.
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
 * Gets the sum of the values of a series in a bin.
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
 * Gets the largest count, for the scale of the axis.
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
 * Gets the number of marks.
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
 * Gets a mark.
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
