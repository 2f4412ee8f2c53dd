/* tb-peaks-figures.c: figures of a latency-peaks report: table of all operations; or for one,
 * histogram and table of its peaks, then the figures of other files; report actions that examine an
 * operation or peak, or record it anew
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n.h>

#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "live/tb-peaks-accuracy.h"
#include "report/tb-report-action.h"
#include "tb-peaks-flame.h"
#include "stats/tb-peaks-over-time.h"
#include "calls/tb-peaks-layers.h"
#include "live/tb-peaks-live-slow-calls.h"
#include "latency-state/tb-peaks-function-names.h"
#include "drill/tb-peaks-composition.h"
#include "drill/tb-peaks-result.h"

/* --- all operations --- */

/* Upper bound of missing calls as text; NULL: none are missing. */
static char *
describe_missing (const TbPeaksCalls *calls, const TbPeaksOperation *operation)
{
  g_autofree char *visible_from = tb_format_duration (operation->visible_from);

  if (operation->kind == TB_PEAKS_INFERRED && operation->visible_from > 0)
    return g_strdup_printf (_ ("most shorter than %s"), visible_from);
  if (operation->kind == TB_PEAKS_INFERRED)
    return g_strdup (_ ("calls that no stack shows"));
  if (operation->kind == TB_PEAKS_HOLD)
    return g_strdup (_ ("holds that no thread waited for"));
  return calls->n_lost > 0 ? g_strdup_printf (_ ("at most %'" PRIu64), calls->n_lost) : NULL;
}

static void
add_operation_offer (TbReport *report, const TbPeaksOperation *operation)
{
  g_autofree char *label = g_strdup_printf (_ ("Peaks of %s"), operation->id);
  const TbReportAction offer = { .kind = TB_REPORT_ACTION_SET,
                                 .figure = TB_PEAKS_FIGURE_OPERATIONS,
                                 .item = operation->id,
                                 .option = "operation",
                                 .text = operation->id,
                                 .label = label };

  if (operation->histogram->calls > 0)
    tb_report_add_action (report, &offer);
}

/* Offers a recording of all calls of an inferred function. The collector asks for the peak during
 * the recording. */
static void
add_recording_offer (TbReport *report,
                     const TbPeaksOperation *operation,
                     const char *figure,
                     const char *item)
{
  const char *name = strchr (operation->id, ':') + 1;
  g_autofree char *module = NULL;
  g_autofree char *function = tb_peaks_split_function (name, &module);
  g_autofree char *label = g_strdup_printf (_ ("Record All Calls of %s…"), function);
  const TbReportAction offer = { .kind = TB_REPORT_ACTION_RECORD,
                                 .figure = figure,
                                 .item = item,
                                 .option = "latency",
                                 .text = function,
                                 .label = label };

  tb_report_add_action (report, &offer);
}

void
tb_peaks_add_operations (TbReport *report, const TbPeaksCalls *calls)
{
  TbTableFigure *table = tb_table_figure_new (TB_PEAKS_FIGURE_OPERATIONS, _ ("Operations"));
  guint name = tb_table_figure_add_column (table, "operation", _ ("Operation"), TB_CELL_TEXT);
  guint time = tb_table_figure_add_column (table, "total", _ ("Time"), TB_CELL_DURATION);
  guint count = tb_table_figure_add_column (table, "calls", _ ("Calls"), TB_CELL_COUNT);
  guint mean = tb_table_figure_add_column (table, "mean", _ ("Mean"), TB_CELL_DURATION);
  guint n_peaks = tb_table_figure_add_column (table, "peaks", _ ("Peaks"), TB_CELL_COUNT);
  guint uncertain
      = tb_table_figure_add_column (table, "uncertain", _ ("Overlap Lost Events"), TB_CELL_COUNT);
  guint missing = tb_table_figure_add_column (table, "missing", _ ("Missing"), TB_CELL_TEXT);

  for (guint i = 0; i < calls->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (calls->operations, i);
      guint row = tb_table_figure_add_row (table, operation->id);
      g_autoptr (GArray) peaks = tb_peaks_calls_find_peaks (calls, operation);
      g_autofree char *bound = describe_missing (calls, operation);
      guint64 measured = operation->calls - operation->without_latency;

      tb_table_figure_set_text (table, row, name, operation->id);
      tb_table_figure_set_integer (table, row, count, (gint64) operation->calls);
      tb_table_figure_set_integer (table, row, uncertain, (gint64) operation->uncertain);
      if (bound != NULL)
        tb_table_figure_set_text (table, row, missing, bound);
      add_operation_offer (report, operation);
      if (operation->kind == TB_PEAKS_INFERRED)
        add_recording_offer (report, operation, TB_PEAKS_FIGURE_OPERATIONS, operation->id);
      if (measured == 0)
        continue;
      tb_table_figure_set_integer (table, row, time, operation->histogram->total_ns);
      tb_table_figure_set_integer (table, row, mean,
                                   operation->histogram->total_ns / (gint64) measured);
      tb_table_figure_set_integer (table, row, n_peaks, peaks->len);
    }
  tb_report_add_figure (report, TB_FIGURE (table));
}

/* --- one operation --- */

static TbFigure *
make_histogram (const TbPeaksResult *self)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new (TB_PEAKS_FIGURE_HISTOGRAM, _ ("Latencies"), "ns");
  const TbPeaksBins *bins = &self->calls->bins;
  guint series;

  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = self->first; bin <= self->last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_add_bin (figure, bins->edges[bin], bins->edges[bin + 1]);
  series = tb_histogram_figure_add_series (figure, self->operation->id, self->operation->id);
  for (guint bin = self->first, i = 0; bin <= self->last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_set_count (figure, series, i++, self->operation->histogram->counts[bin],
                                     (guint64) self->operation->histogram->totals[bin]);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, i);
      g_autofree char *item = tb_peaks_result_get_item (i);
      g_autofree char *name = tb_peaks_result_name_peak (self, i);

      tb_histogram_figure_add_mark (figure, item, name, bins->edges[range->first],
                                    bins->edges[range->last + 1]);
    }
  if (tb_peaks_accuracy_get_reach (self) > 0)
    tb_histogram_figure_set_uncertain (figure, tb_peaks_accuracy_get_reach (self),
                                       _ ("no longer than the probes"));
  if (self->operation->visible_from > bins->edges[self->first])
    tb_histogram_figure_set_uncertain (
        figure, bins->edges[tb_peaks_bins_find (bins, self->operation->visible_from) + 1],
        _ ("shorter than the time between events, mostly missing"));
  if (self->operation->visible_from > bins->edges[self->first])
    tb_histogram_figure_add_mark (
        figure, "hidden", _ ("Mostly missing"), bins->edges[self->first],
        bins->edges[tb_peaks_bins_find (bins, self->operation->visible_from) + 1]);
  return TB_FIGURE (figure);
}

/* The place of a peak is its longest call, which can then be explained. */
static void
set_place (TbTableFigure *table, guint row, const TbPeaksResult *self, guint64 longest)
{
  const TbPeaksTable *calls = &self->calls->tables[self->operation->kind];
  guint32 thread;
  gint64 from, to;

  if (longest == G_MAXUINT64 && tb_peaks_get_longest (self, &thread, &from, &to))
    tb_table_figure_set_place (table, row, thread, from, to);
  if (longest < calls->n)
    tb_table_figure_set_place (table, row,
                               calls->thread[longest] < self->calls->n_threads
                                   ? calls->thread[longest]
                                   : TB_ID_NONE,
                               calls->enter[longest], calls->exit[longest]);
}

static TbFigure *
make_table (const TbPeaksResult *self)
{
  TbTableFigure *table = tb_table_figure_new (TB_PEAKS_FIGURE_PEAKS, _ ("Peaks"));
  guint name = tb_table_figure_add_column (table, "peak", _ ("Peak"), TB_CELL_TEXT);
  guint calls = tb_table_figure_add_column (table, "calls", _ ("Calls"), TB_CELL_COUNT);
  guint total = tb_table_figure_add_column (table, "total", _ ("Time"), TB_CELL_DURATION);
  guint share = tb_table_figure_add_column (table, "share", _ ("Share of Time"), TB_CELL_SHARE);
  guint cause = tb_table_figure_add_column (table, "cause", _ ("Root Cause"), TB_CELL_TEXT);
  guint attribute_column
      = tb_table_figure_add_column (table, "apart", _ ("Distinguished By"), TB_CELL_TEXT);
  guint period = tb_table_figure_add_column (table, "period", _ ("Period"), TB_CELL_DURATION);

  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakDrill *drill = tb_peaks_result_get_drill (self, i);
      const GArray *causes = g_ptr_array_index (self->causes, i);
      g_autofree char *item = tb_peaks_result_get_item (i);
      g_autofree char *peak_name = tb_peaks_result_name_peak (self, i);
      guint row = tb_table_figure_add_row (table, item);

      if (drill->calls > 0 && (self->state == NULL || i == self->live_peak))
        set_place (table, row, self, drill->longest);
      tb_table_figure_set_text (table, row, name, peak_name);
      tb_table_figure_set_integer (table, row, calls, (gint64) drill->calls);
      tb_table_figure_set_integer (table, row, total, drill->total_ns);
      tb_table_figure_set_double (table, row, share,
                                  (double) drill->total_ns
                                      / (double) MAX (self->operation->histogram->total_ns, 1));
      if (causes->len > 0)
        {
          g_autofree char *text
              = tb_peaks_result_describe_place (self, g_array_index (causes, TbPeakCause, 0).node);

          tb_table_figure_set_text (table, row, cause, text);
        }
      if (tb_peaks_result_get_attribute (self, i) != NULL)
        {
          const TbPeakAttribute *attribute = tb_peaks_result_get_attribute (self, i);
          g_autofree char *text = g_strdup_printf (_ ("%s %s"), attribute->label, attribute->text);

          tb_table_figure_set_text (table, row, attribute_column, text);
        }
      if (tb_peaks_result_is_periodic (self, i))
        tb_table_figure_set_integer (
            table, row, period,
            g_array_index (self->periodicities, TbPeakPeriodicity, i).period.period_ns);
    }
  tb_figure_set_item_owner (TB_FIGURE (table), TB_PEAKS_FIGURE_HISTOGRAM);
  return TB_FIGURE (table);
}

static void
add_range_offer (TbReport *report, const char *item, const char *text, const char *label)
{
  const TbReportAction offer = { .kind = TB_REPORT_ACTION_SET,
                                 .figure = TB_PEAKS_FIGURE_HISTOGRAM,
                                 .item = item,
                                 .option = "latencies",
                                 .text = text,
                                 .label = label };

  tb_report_add_action (report, &offer);
}

/* Offers to examine chosen bins instead of peaks. */
static void
add_range_offers (TbReport *report, const TbPeaksResult *self)
{
  const TbPeaksBins *bins = &self->calls->bins;

  for (guint bin = self->first, i = 0; bin <= self->last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      {
        g_autofree char *item = g_strdup_printf ("bin-%u", i++);
        g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
                                                 bins->edges[bin], bins->edges[bin + 1]);

        add_range_offer (report, item, text, _ ("Only These Bins"));
      }
  add_range_offer (report, TB_REPORT_ACTION_ANY, TB_REPORT_ACTION_ANY, _ ("Only These Bins"));
  if (self->is_drawn && self->options.call == 0)
    add_range_offer (report, "peak-1", "", _ ("All Peaks"));
}

/* Offers to examine a peak alone, and then all peaks again. */
static void
add_offers (TbReport *report, const TbPeaksResult *self)
{
  for (guint i = 0; i < self->ranges->len; i++)
    {
      g_autofree char *item = tb_peaks_result_get_item (i);
      g_autofree char *range = tb_peaks_result_describe_range (self, i);
      g_autofree char *label = self->options.peak == i + 1 ? g_strdup (_ ("All Peaks"))
                               : tb_peaks_result_is_single_call (self, i)
                                   ? g_strdup (_ ("Only This Call"))
                                   : g_strdup_printf (_ ("Only Peak %u (%s)"), i + 1, range);
      g_autofree char *text = g_strdup_printf ("%u", self->options.peak == i + 1 ? 0 : i + 1);
      const TbReportAction offer = { .kind = TB_REPORT_ACTION_SET,
                                     .figure = TB_PEAKS_FIGURE_HISTOGRAM,
                                     .item = item,
                                     .option = "peak",
                                     .text = text,
                                     .label = label };

      tb_report_add_action (report, &offer);
    }
}

void
tb_peaks_add_figures (TbReport *report, const TbPeaksResult *result)
{
  if (!result->has_bins)
    return;
  tb_report_add_figure (report, make_histogram (result));
  if (result->operation->visible_from > result->calls->bins.edges[result->first])
    add_recording_offer (report, result->operation, TB_PEAKS_FIGURE_HISTOGRAM, "hidden");
  tb_report_add_figure (report, tb_peaks_draw_slices (result));
  tb_peaks_correlation_add_figure (report, result);
  tb_peaks_layers_add_figure (report, result);
  if (result->rows != NULL && result->resumed == NULL)
    add_range_offers (report, result);
  if (result->ranges->len == 0)
    return;
  tb_report_add_figure (report, make_table (result));
  if (result->drill->tree->nodes->len > 0)
    tb_peaks_add_tree (report, result);
  if (result->rows == NULL)
    {
      tb_peaks_add_longest (report, result);
      return;
    }
  tb_peaks_add_calls (report, result);
  if (result->operation->kind != TB_PEAKS_BLOCK && result->resumed == NULL)
    tb_peaks_add_parts (report, result);
  if (!result->is_drawn)
    add_offers (report, result);
}
