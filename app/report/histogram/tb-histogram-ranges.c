/* tb-histogram-ranges.c: sums, percentiles and sentences for ranges of bins of a histogram, and
 * the items by which references name such ranges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/histogram/tb-histogram-figure-private.h"
#include "report/tb-report.h"

static guint64
add_saturated (guint64 a, guint64 b)
{
  return b > G_MAXUINT64 - a ? G_MAXUINT64 : a + b;
}

static const TbHistogramBin *
get_bin (TbHistogramFigure *self, guint bin)
{
  return &g_array_index (self->bins, TbHistogramBin, bin);
}

/**
 * tb_histogram_figure_format_value:
 * @self: a histogram
 * @value: one of its values
 *
 * Formats a value of the axis.
 *
 * Returns: (transfer full): the value as user-visible text, with its unit: "1.1 ms"
 */
char *
tb_histogram_figure_format_value (TbHistogramFigure *self, gint64 value)
{
  g_autofree char *amount = NULL;

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);

  if (strcmp (self->unit, "ns") == 0)
    return value == -1 ? g_strdup ("−1 ns") : tb_format_duration (value);
  amount = tb_format_amount (value < 0 ? -(guint64) value : (guint64) value, self->unit);
  return value < 0 ? g_strconcat ("-", amount, NULL) : g_steal_pointer (&amount);
}

/**
 * tb_histogram_figure_get_counts: (skip)
 * @self: a histogram
 * @series: index of a series
 *
 * Gets how many values of a series are in each bin.
 *
 * Returns: the number of values in each bin
 */
const guint64 *
tb_histogram_figure_get_counts (TbHistogramFigure *self, guint series)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);
  g_return_val_if_fail (series < self->series->len, NULL);

  return (const guint64 *) (gpointer) tb_histogram_get_series (self, series)->counts->data;
}

/**
 * tb_histogram_figure_get_sum:
 * @self: a histogram
 * @series: index of a series
 * @first: index of a bin
 * @end: index of the bin after the last
 * @count: (out): number of values in these bins
 * @total: (out): sum of these values, %G_MAXUINT64 if that of one bin is unknown
 *
 * Gets the number and the sum of the values in some bins.
 */
void
tb_histogram_figure_get_sum (TbHistogramFigure *self,
                             guint series,
                             guint first,
                             guint end,
                             guint64 *count,
                             guint64 *total)
{
  const TbHistogramSeries *sums;

  g_return_if_fail (TB_IS_HISTOGRAM_FIGURE (self));
  g_return_if_fail (series < self->series->len && first <= end && end <= self->bins->len);

  sums = tb_histogram_get_series (self, series);
  *count = 0;
  *total = 0;
  for (guint bin = first; bin < end; bin++)
    {
      *count = add_saturated (*count, g_array_index (sums->counts, guint64, bin));
      *total = add_saturated (*total, g_array_index (sums->totals, guint64, bin));
    }
}

/**
 * tb_histogram_figure_get_percentile:
 * @self: a frozen histogram
 * @series: index of a series
 * @share: 0…1
 * @value: (out): the value below which this share of the series lies, approximately: the values of
 *   a bin are taken to be spread evenly over it
 *
 * Estimates a percentile of a series from its bins.
 *
 * Returns: %FALSE if the series is empty
 */
gboolean
tb_histogram_figure_get_percentile (TbHistogramFigure *self,
                                    guint series,
                                    double share,
                                    gint64 *value)
{
  const TbHistogramSeries *sums;
  double wanted, before = 0;

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), FALSE);
  g_return_val_if_fail (series < self->series->len, FALSE);

  sums = tb_histogram_get_series (self, series);
  if (sums->count == 0)
    return FALSE;
  wanted = CLAMP (share, 0, 1) * (double) sums->count;
  for (guint bin = 0; bin < self->bins->len; bin++)
    {
      double count = (double) g_array_index (sums->counts, guint64, bin);
      const TbHistogramBin *range = get_bin (self, bin);

      if (count > 0)
        {
          double part = CLAMP ((wanted - before) / count, 0, 1);

          *value = (gint64) CLAMP ((double) range->from
                                       + part * ((double) range->to - (double) range->from),
                                   (double) range->from, (double) range->to - 1);
        }
      before += count;
      if (count > 0 && before >= wanted)
        break;
    }
  return TRUE;
}

/* The bins that overlap the values [from, to). */
static void
find_bins (TbHistogramFigure *self, gint64 from, gint64 to, guint *first, guint *end)
{
  guint low = 0, high = self->bins->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_bin (self, middle)->to <= from)
        low = middle + 1;
      else
        high = middle;
    }
  *first = low;
  high = self->bins->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_bin (self, middle)->from < to)
        low = middle + 1;
      else
        high = middle;
    }
  *end = low;
}

/**
 * tb_histogram_figure_get_mark_bins:
 * @self: a histogram
 * @mark: index of a mark
 * @first: (out): first bin that the mark overlaps
 * @end: (out): index of the bin after the last; equals @first if the mark overlaps no bin
 *
 * Gets the bins of a mark.
 */
void
tb_histogram_figure_get_mark_bins (TbHistogramFigure *self, guint mark, guint *first, guint *end)
{
  const TbHistogramMark *info;

  g_return_if_fail (TB_IS_HISTOGRAM_FIGURE (self));
  g_return_if_fail (mark < self->marks->len);

  info = &g_array_index (self->marks, TbHistogramMark, mark);
  find_bins (self, info->from, info->to, first, end);
}

/**
 * tb_histogram_figure_get_item:
 * @self: a histogram
 * @first: index of a bin
 * @end: index of the bin after the last, greater than @first
 *
 * Gets the item of bins, by which findings and other figures refer to them.
 *
 * Returns: (transfer full): the item of these bins in references: that of the mark on exactly these
 *   bins, "bin-3" for one bin, else their values, "1024..4096"
 */
char *
tb_histogram_figure_get_item (TbHistogramFigure *self, guint first, guint end)
{
  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);
  g_return_val_if_fail (first < end && end <= self->bins->len, NULL);

  for (guint i = 0; i < self->marks->len; i++)
    {
      guint mark_first, mark_end;

      tb_histogram_figure_get_mark_bins (self, i, &mark_first, &mark_end);
      if (mark_first == first && mark_end == end)
        return g_strdup (g_array_index (self->marks, TbHistogramMark, i).item);
    }
  if (end == first + 1)
    return g_strdup_printf ("bin-%u", first);
  return g_strdup_printf ("%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT, get_bin (self, first)->from,
                          get_bin (self, end - 1)->to);
}

static gboolean
parse_range (const char *item, gint64 *from, gint64 *to)
{
  const char *dots = strstr (item, "..");
  g_autofree char *head = dots != NULL ? g_strndup (item, (gsize) (dots - item)) : NULL;

  return dots != NULL && g_ascii_string_to_signed (head, 10, G_MININT64, G_MAXINT64, from, NULL)
         && g_ascii_string_to_signed (dots + 2, 10, G_MININT64, G_MAXINT64, to, NULL)
         && *from < *to;
}

/**
 * tb_histogram_figure_find_item:
 * @self: a histogram
 * @item: (nullable): item of a reference: a mark, a bin as "bin-3", or values as "1024..4096"
 * @first: (out): first bin of the item
 * @end: (out): index of the bin after the last
 *
 * Finds the bins of an item.
 *
 * Returns: whether the item has any bin
 */
gboolean
tb_histogram_figure_find_item (TbHistogramFigure *self, const char *item, guint *first, guint *end)
{
  gint64 from, to;
  guint64 bin;

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), FALSE);

  *first = *end = 0;
  if (item == NULL)
    return FALSE;
  for (guint i = 0; i < self->marks->len; i++)
    if (g_str_equal (g_array_index (self->marks, TbHistogramMark, i).item, item))
      {
        tb_histogram_figure_get_mark_bins (self, i, first, end);
        return *first < *end;
      }
  if (g_str_has_prefix (item, "bin-") && self->bins->len > 0
      && g_ascii_string_to_unsigned (item + 4, 10, 0, self->bins->len - 1, &bin, NULL))
    {
      *first = (guint) bin;
      *end = *first + 1;
    }
  else if (parse_range (item, &from, &to))
    find_bins (self, from, to, first, end);
  return *first < *end;
}

static void
append_series (TbHistogramFigure *self, guint series, guint first, guint end, GString *text)
{
  const TbHistogramSeries *sums = tb_histogram_get_series (self, series);
  g_autofree char *share = NULL;
  g_autofree char *number = NULL;
  guint64 count, total;

  tb_histogram_figure_get_sum (self, series, first, end, &count, &total);
  number = tb_format_count (count);
  share = tb_format_share (sums->count > 0 ? (double) count / (double) sums->count : 0);
  if (self->series->len > 1)
    g_string_append_printf (text, "%s: ", sums->name);
  g_string_append_printf (text,
                          /* Translators: number of values in a range, their share of all values */
                          g_dngettext (GETTEXT_PACKAGE, "%s time, %s of all", "%s times, %s of all",
                                       (gulong) MIN (count, G_MAXINT)),
                          number, share);
  if (total < G_MAXUINT64 && sums->total < G_MAXUINT64 && sums->total > 0)
    {
      g_autofree char *sum
          = tb_histogram_figure_format_value (self, (gint64) MIN (total, G_MAXINT64));
      g_autofree char *part = tb_format_share ((double) total / (double) sums->total);

      g_string_append_printf (text,
                              /* Translators: the sum of these values, its share of all values' */
                              _ ("; %s in total, %s of the sum"), sum, part);
    }
}

/**
 * tb_histogram_figure_describe:
 * @self: a frozen histogram
 * @first: index of a bin
 * @end: index of the bin after the last, greater than @first
 *
 * Describes bins for tooltips and screen readers.
 *
 * Returns: (transfer full): a sentence: "Peak 2 (1.1 ms–4.2 ms): 48 times, 5 % of all; 105 ms in
 *   total, 61 % of the sum"
 */
char *
tb_histogram_figure_describe (TbHistogramFigure *self, guint first, guint end)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *item = NULL;
  GString *text;

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (self), NULL);
  g_return_val_if_fail (first < end && end <= self->bins->len, NULL);

  from = tb_histogram_figure_format_value (self, get_bin (self, first)->from);
  to = tb_histogram_figure_format_value (self, get_bin (self, end - 1)->to);
  item = tb_histogram_figure_get_item (self, first, end);
  text = g_string_new (NULL);
  for (guint i = 0; i < self->marks->len && text->len == 0; i++)
    if (g_str_equal (g_array_index (self->marks, TbHistogramMark, i).item, item))
      g_string_append_printf (text, "%s: ", g_array_index (self->marks, TbHistogramMark, i).label);
  if (text->len == 0)
    g_string_append_printf (text, "%s–%s: ", from, to);
  for (guint i = 0; i < self->series->len; i++)
    {
      if (i > 0)
        g_string_append (text, " · ");
      append_series (self, i, first, end, text);
    }
  if (tb_histogram_figure_is_uncertain (self, first))
    g_string_append_printf (text, _ (" · uncertain: %s"), self->reason);
  return g_string_free (text, FALSE);
}
