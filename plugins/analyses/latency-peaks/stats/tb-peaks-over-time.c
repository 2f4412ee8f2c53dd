/* tb-peaks-over-time.c: calls counted by time and latency, as heat map and JSON; correlation over
 * time of an operation's slow calls with those of another (by tb-peaks-coincidence.c), as figure,
 * finding and JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "report/heatmap/tb-heatmap-figure.h"
#include "tb-peaks-over-time.h"
#include "output/tb-peaks-finding-values.h"

/* --- time slices --- */

static double
get_width (const TbPeaksCalls *calls)
{
  return (double) MAX (calls->to - calls->from, 1) / TB_PEAKS_SLICES;
}

guint64 *
tb_peaks_count_slices (const TbPeaksCalls *calls,
                       const TbPeaksOperation *operation,
                       const GArray *rows,
                       guint first,
                       guint last)
{
  const TbPeaksTable *table = &calls->tables[operation->kind];
  guint n_bins = last - first + 1;
  double width = get_width (calls);
  guint64 *slices = g_new0 (guint64, (gsize) TB_PEAKS_SLICES * n_bins);

  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      guint slice
          = (guint) MIN ((double) (table->exit[row] - calls->from) / width, TB_PEAKS_SLICES - 1);
      guint bin = tb_peaks_bins_find (&calls->bins, tb_peaks_table_get_latency (table, row));

      slices[(gsize) slice * n_bins + bin - first]++;
    }
  return slices;
}

/* prefix: prefix of the labels */
static void
add_rows (TbHeatmapFigure *figure,
          const TbPeaksBins *bins,
          const char *item_prefix,
          const char *prefix,
          guint first,
          guint last,
          const guint64 *slices)
{
  guint n_bins = last - first + 1;

  for (guint bin = first; bin <= last; bin++)
    {
      guint64 values[TB_PEAKS_SLICES];
      g_autofree char *item = g_strdup_printf ("%s%u", item_prefix, bin);
      g_autofree char *length = tb_format_duration (bins->edges[bin]);
      g_autofree char *label = g_strconcat (prefix, length, NULL);

      if (bins->edges[bin] == bins->edges[bin + 1])
        continue;
      for (guint slice = 0; slice < TB_PEAKS_SLICES; slice++)
        values[slice] = slices[(gsize) slice * n_bins + bin - first];
      tb_heatmap_figure_add_row (figure, item, label, values);
    }
}

TbFigure *
tb_peaks_draw_slices (const TbPeaksResult *result)
{
  const TbPeaksCalls *calls = result->calls;
  TbHeatmapFigure *figure
      = tb_heatmap_figure_new (TB_PEAKS_FIGURE_OVER_TIME, _ ("Latencies Over Time"), "calls",
                               calls->from, calls->to, TB_PEAKS_SLICES);

  tb_heatmap_figure_set_axis_titles (figure, _ ("Latency, at least"), NULL);
  add_rows (figure, &calls->bins, "", "", result->first, result->last, result->slices);
  return TB_FIGURE (figure);
}

void
tb_peaks_slices_to_json (JsonBuilder *builder,
                         const TbPeaksCalls *calls,
                         guint first,
                         guint last,
                         const guint64 *slices)
{
  const TbPeaksBins *bins = &calls->bins;
  guint n_bins = last - first + 1;
  double width = get_width (calls);

  json_builder_set_member_name (builder, "slices");
  json_builder_begin_array (builder);
  for (guint slice = 0; slices != NULL && slice < TB_PEAKS_SLICES; slice++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "from_ns");
      json_builder_add_int_value (builder, calls->from + (gint64) (slice * width));
      json_builder_set_member_name (builder, "counts");
      json_builder_begin_array (builder);
      for (guint i = 0; i < n_bins; i++)
        if (bins->edges[first + i] < bins->edges[first + i + 1])
          json_builder_add_int_value (builder, (gint64) slices[(gsize) slice * n_bins + i]);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* --- two operations --- */

static TbPeakRange
choose_slowest (const TbPeaksCalls *calls, const GArray *ranges)
{
  return ranges->len > 1 ? g_array_index (ranges, TbPeakRange, ranges->len - 1)
                         : (TbPeakRange) { 0, calls->bins.n - 1, 0 };
}

static TbPeakRange
choose_slow (const TbPeaksResult *result)
{
  guint peak = result->options.peak;

  if (result->is_drawn && result->ranges->len > 0)
    return g_array_index (result->ranges, TbPeakRange, 0);
  if (peak > 0 && peak <= result->ranges->len)
    return g_array_index (result->ranges, TbPeakRange, peak - 1);
  return choose_slowest (result->calls, result->ranges);
}

static GArray *
list_slow (const TbPeaksCalls *calls,
           const TbPeaksOperation *operation,
           const GArray *rows,
           const TbPeakRange *slow)
{
  const TbPeaksTable *table = &calls->tables[operation->kind];
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (TbPeaksSpan));

  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      TbPeaksSpan span = { table->enter[row], table->exit[row] };
      guint bin = tb_peaks_bins_find (&calls->bins, tb_peaks_table_get_latency (table, row));

      if (bin >= slow->first && bin <= slow->last)
        g_array_append_val (spans, span);
    }
  return spans;
}

TbPeaksCorrelation *
tb_peaks_correlation_new (TbPeaksResult *result,
                          const char *name,
                          GCancellable *cancellable,
                          GError **error)
{
  TbPeaksCalls *calls = result->calls;
  const TbPeaksOperation *operation = tb_peaks_calls_find (calls, name, cancellable, error);
  g_autoptr (TbPeaksCorrelation) self = NULL;
  g_autoptr (GArray) rows = NULL, peaks = NULL, one = NULL, other = NULL;

  if (operation == NULL)
    return NULL;
  self = g_new0 (TbPeaksCorrelation, 1);
  self->operation = operation;
  rows = tb_peaks_calls_list (calls, operation);
  peaks = tb_peaks_calls_find_peaks (calls, operation);
  self->slow[0] = choose_slow (result);
  self->slow[1] = choose_slowest (calls, peaks);
  if (tb_peaks_histogram_get_extent (operation->histogram, &calls->bins, &self->first, &self->last))
    self->slices = tb_peaks_count_slices (calls, operation, rows, self->first, self->last);
  one = list_slow (calls, result->operation, result->rows, &self->slow[0]);
  other = list_slow (calls, operation, rows, &self->slow[1]);
  self->coincidence
      = tb_peaks_measure_coincidence ((const TbPeaksSpan *) (gconstpointer) one->data, one->len,
                                      (const TbPeaksSpan *) (gconstpointer) other->data, other->len,
                                      calls->from, calls->to);
  return g_steal_pointer (&self);
}

void
tb_peaks_correlation_free (TbPeaksCorrelation *self)
{
  g_free (self->slices);
  g_free (self);
}

/* "read " of "syscall:read", "f0 " of "function:f0@module" */
static char *
make_prefix (const TbPeaksOperation *operation)
{
  const char *name = strchr (operation->id, ':') + 1;

  return g_strdup_printf ("%.*s ", (int) strcspn (name, "@"), name);
}

/* Draws both operations one above the other, on a common time axis. */
void
tb_peaks_correlation_add_figure (TbReport *report, const TbPeaksResult *result)
{
  static const guint64 zeros[TB_PEAKS_SLICES] = { 0 };
  const TbPeaksCorrelation *self = result->correlated;
  const TbPeaksCalls *calls = result->calls;
  g_autofree char *title = NULL, *one = NULL, *other = NULL;
  TbHeatmapFigure *figure;

  if (self == NULL || self->slices == NULL)
    return;
  title = g_strdup_printf (_ ("%s and %s Over Time"), result->operation->id, self->operation->id);
  one = make_prefix (result->operation);
  other = make_prefix (self->operation);
  figure = tb_heatmap_figure_new (TB_PEAKS_FIGURE_CORRELATION, title, "calls", calls->from,
                                  calls->to, TB_PEAKS_SLICES);
  tb_heatmap_figure_set_axis_titles (figure, _ ("Operation, latency at least"), NULL);
  add_rows (figure, &calls->bins, "one-", one, result->first, result->last, result->slices);
  tb_heatmap_figure_add_row (figure, "between", "", zeros);
  add_rows (figure, &calls->bins, "other-", other, self->first, self->last, self->slices);
  tb_report_add_figure (report, TB_FIGURE (figure));
}

/* "of syscall:read (1.05 ms–4.19 ms)" */
static char *
describe_slow (const TbPeaksCalls *calls,
               const TbPeaksOperation *operation,
               const TbPeakRange *slow)
{
  g_autofree char *from = tb_format_duration (calls->bins.edges[slow->first]);
  g_autofree char *to = tb_format_duration (calls->bins.edges[slow->last + 1]);

  if (slow->first == 0 && slow->last + 1 == calls->bins.n)
    return g_strdup (operation->id);
  if (calls->bins.edges[slow->last + 1] == G_MAXINT64)
    return g_strdup_printf (_ ("%s (%s and more)"), operation->id, from);
  return g_strdup_printf ("%s (%s–%s)", operation->id, from, to);
}

static double
get_share (guint part, guint of)
{
  return (double) part / MAX (of, 1);
}

/* null for calls of any length */
static void
set_slow (TbFinding *finding, const char *prefix, const TbPeaksBins *bins, const TbPeakRange *slow)
{
  g_autofree char *from = g_strconcat (prefix, "from_ns", NULL);
  g_autofree char *to = g_strconcat (prefix, "to_ns", NULL);

  tb_finding_set_time (finding, from, TB_TIME_NONE);
  tb_finding_set_time (finding, to, TB_TIME_NONE);
  if (slow->first > 0 || slow->last + 1 < bins->n)
    tb_peaks_finding_set_range (finding, prefix, bins, slow);
}

static void
set_coincidence (TbFinding *finding, const TbPeaksResult *result)
{
  const TbPeaksCorrelation *self = result->correlated;
  const TbPeaksCoincidence *of = &self->coincidence;

  tb_finding_set_code (finding, of->is_significant ? "coincident-calls" : "no-coincident-calls");
  tb_finding_set_string (finding, "operation", result->operation->id);
  set_slow (finding, "", &result->calls->bins, &self->slow[0]);
  tb_finding_set_string (finding, "other_operation", self->operation->id);
  set_slow (finding, "other_", &result->calls->bins, &self->slow[1]);
  tb_finding_set_number (finding, "share", get_share (of->both, of->one));
  tb_finding_set_number (finding, "expected_share", get_share (of->other, of->n));
  tb_finding_set_number (finding, "probability", of->probability);
}

void
tb_peaks_correlation_add_finding (TbReport *report, const TbPeaksResult *result)
{
  const TbPeaksCorrelation *self = result->correlated;
  const TbPeaksCoincidence *coincidence;
  g_autofree char *one = NULL, *other = NULL, *share = NULL, *expected = NULL, *text = NULL;
  TbFinding *finding;

  if (self == NULL)
    return;
  coincidence = &self->coincidence;
  one = describe_slow (result->calls, result->operation, &self->slow[0]);
  other = describe_slow (result->calls, self->operation, &self->slow[1]);
  share = tb_format_share (get_share (coincidence->both, coincidence->one));
  expected = tb_format_share (get_share (coincidence->other, coincidence->n));
  text = g_strdup_printf (coincidence->is_significant
                              ? _ ("While there are calls of %s, there are calls of %s too in %s "
                                   "of the time; by chance, %s would be expected, and as much or "
                                   "more with a probability of %.2g.")
                              : _ ("While there are calls of %s, there are calls of %s too in %s "
                                   "of the time, which is no more than by chance: %s would be "
                                   "expected, and as much or more with a probability of %.2g."),
                          one, other, share, expected, coincidence->probability);
  finding = tb_finding_new (coincidence->is_significant ? TB_SEVERITY_MEDIUM : TB_SEVERITY_INFO,
                            text, TB_TIME_NONE, NAN);
  set_coincidence (finding, result);
  tb_report_add_finding (report, finding);
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

static void
add_coincidence (JsonBuilder *builder, const TbPeaksCoincidence *coincidence)
{
  json_builder_set_member_name (builder, "coincidence");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "coincident");
  json_builder_add_boolean_value (builder, coincidence->is_significant);
  json_builder_set_member_name (builder, "probability");
  json_builder_add_double_value (builder, coincidence->probability);
  json_builder_set_member_name (builder, "share");
  json_builder_add_double_value (builder, get_share (coincidence->both, coincidence->one));
  json_builder_set_member_name (builder, "share_by_chance");
  json_builder_add_double_value (builder, get_share (coincidence->other, coincidence->n));
  add_integer (builder, "bursts", coincidence->bursts);
  json_builder_end_object (builder);
}

static void
add_range (JsonBuilder *builder,
           const char *member,
           const TbPeaksCalls *calls,
           const TbPeakRange *range)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
  add_integer (builder, "from_ns", calls->bins.edges[range->first]);
  add_integer (builder, "to_ns", calls->bins.edges[range->last + 1]);
  json_builder_end_object (builder);
}

void
tb_peaks_correlation_to_json (JsonBuilder *builder, const TbPeaksResult *result)
{
  const TbPeaksCorrelation *self = result->correlated;

  json_builder_set_member_name (builder, "beside");
  if (self == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "operation");
  json_builder_add_string_value (builder, self->operation->id);
  add_integer (builder, "calls", (gint64) self->operation->calls);
  add_integer (builder, "total_ns", self->operation->histogram->total_ns);
  add_integer (builder, "from_bin", self->first);
  add_integer (builder, "to_bin", self->last);
  add_range (builder, "slow", result->calls, &self->slow[0]);
  add_range (builder, "slow_beside", result->calls, &self->slow[1]);
  add_coincidence (builder, &self->coincidence);
  tb_peaks_slices_to_json (builder, result->calls, self->first, self->last, self->slices);
  json_builder_end_object (builder);
}
