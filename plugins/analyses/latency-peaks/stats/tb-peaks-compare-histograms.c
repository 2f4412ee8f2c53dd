/* tb-peaks-compare-histograms.c: comparison of latencies in two recordings, added to a report: of
 * one operation, its histograms, their distance, and peaks that only one has; or a table of all
 * operations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "report/histogram/tb-histogram-distance.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-peaks-compare-histograms.h"
#include "latency-state/tb-peaks-detection.h"
#include "drill/tb-peaks-result.h"
#include "output/tb-peaks-finding-values.h"

typedef struct
{
  double bins;
  double limit; /* distance that chance does not exceed in 95 of 100 cases */
  gboolean is_same;
} Distance;

/* The distance from the base to the other; both are samples. */
static Distance
measure (const TbPeaksCalls *calls, const TbPeaksOperation *base, const TbPeaksOperation *other)
{
  Distance distance;

  distance.bins = tb_histogram_get_distance (base->histogram->counts, other->histogram->counts,
                                             calls->bins.n);
  distance.limit
      = tb_histogram_get_chance_distance (base->histogram->counts, calls->bins.n,
                                          base->histogram->calls, other->histogram->calls);
  distance.is_same = distance.bins <= distance.limit;
  return distance;
}

/* If the other recording has only the foot of a peak there, the share of calls in the bins must be
 * higher by this factor for a peak to count as its own. */
#define LEAST_RATIO 3

/* An operation of one recording and its peaks. */
typedef struct
{
  const TbPeaksHistogram *histogram;
  const GArray *peaks;
} Side;

static double
get_share (const Side *side, const TbPeakRange *range)
{
  guint64 n = 0;

  for (guint bin = range->first; bin <= range->last; bin++)
    n += side->histogram->counts[bin];
  return (double) n / (double) MAX (side->histogram->calls, 1);
}

/* Whether the other recording has no peak in these bins, or only the foot of a peak with its top
 * elsewhere. */
static gboolean
is_unmatched (const TbPeakRange *peak, const Side *own, const Side *other)
{
  gboolean is_foot = FALSE;

  for (guint i = 0; i < other->peaks->len; i++)
    {
      const TbPeakRange *of = &g_array_index (other->peaks, TbPeakRange, i);

      if (peak->first > of->last || of->first > peak->last)
        continue;
      if (of->top >= peak->first && of->top <= peak->last)
        return FALSE;
      is_foot = TRUE;
    }
  return !is_foot || get_share (own, peak) >= LEAST_RATIO * get_share (other, peak);
}

static char *
describe_range (const TbPeaksBins *bins, const TbPeakRange *range)
{
  g_autofree char *from = tb_format_duration (bins->edges[range->first]);
  g_autofree char *to = tb_format_duration (bins->edges[range->last + 1]);

  return g_strdup_printf ("%s–%s", from, to);
}

/* --- JSON --- */

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

static void
add_side (JsonBuilder *builder,
          const char *prefix,
          const TbPeaksOperation *operation,
          const GArray *peaks)
{
  const struct
  {
    const char *name;
    gint64 value;
  } members[] = { { "calls", operation != NULL ? (gint64) operation->calls : 0 },
                  { "total_ns", operation != NULL ? operation->histogram->total_ns : 0 },
                  { "peaks", peaks != NULL ? peaks->len : 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *name = g_strconcat (prefix, members[i].name, NULL);

      add_integer (builder, name, members[i].value);
    }
}

static void
add_distance (JsonBuilder *builder, const Distance *distance)
{
  json_builder_set_member_name (builder, "distance");
  if (distance == NULL || isnan (distance->bins))
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "emd_bins");
  json_builder_add_double_value (builder, distance->bins);
  json_builder_set_member_name (builder, "limit_bins");
  json_builder_add_double_value (builder, distance->limit);
  json_builder_set_member_name (builder, "same");
  json_builder_add_boolean_value (builder, distance->is_same);
  json_builder_end_object (builder);
}

static void
add_unmatched (JsonBuilder *builder,
               const char *member,
               const TbPeaksBins *bins,
               const Side *own,
               const Side *other)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < own->peaks->len; i++)
    {
      const TbPeakRange *peak = &g_array_index (own->peaks, TbPeakRange, i);

      if (!is_unmatched (peak, own, other))
        continue;
      json_builder_begin_object (builder);
      add_integer (builder, "id", i + 1);
      add_integer (builder, "from_ns", bins->edges[peak->first]);
      add_integer (builder, "to_ns", bins->edges[peak->last + 1]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* --- one operation --- */

static void
add_unmatched_findings (TbReport *report,
                        const TbPeaksCalls *calls,
                        const TbPeaksOperation *operation,
                        const Side *own,
                        const Side *other,
                        gboolean is_other)
{
  for (guint i = 0; i < own->peaks->len; i++)
    {
      const TbPeakRange *peak = &g_array_index (own->peaks, TbPeakRange, i);
      g_autofree char *range = describe_range (&calls->bins, peak);
      g_autofree char *text = NULL;
      gint64 ns = 0;
      TbFinding *finding;

      if (!is_unmatched (peak, own, other))
        continue;
      for (guint bin = peak->first; bin <= peak->last; bin++)
        ns += operation->histogram->totals[bin];
      text = g_strdup_printf (is_other ? _ ("%s has a peak at %s only in the second recording.")
                                       : _ ("%s has a peak at %s only in the first recording."),
                              operation->id, range);
      finding = tb_finding_new (is_other ? TB_SEVERITY_HIGH : TB_SEVERITY_MEDIUM, text, ns,
                                (double) ns / (double) MAX (operation->histogram->total_ns, 1));
      tb_finding_set_code (finding, is_other ? "new-peak" : "gone-peak");
      tb_finding_set_string (finding, "operation", operation->id);
      tb_peaks_finding_set_range (finding, "", &calls->bins, peak);
      tb_report_add_finding (report, finding);
    }
}

static void
add_histogram (TbReport *report,
               const TbPeaksCalls *calls,
               const TbPeaksOperation *base,
               const TbPeaksOperation *other,
               const GArray *peaks)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new (TB_PEAKS_FIGURE_HISTOGRAM, _ ("Latencies"), "ns");
  const TbPeaksOperation *const sides[] = { base, other };
  const char *const names[] = { _ ("First recording"), _ ("Second recording") };
  guint first[2] = { G_MAXUINT, G_MAXUINT }, last[2] = { 0, 0 }, from, to;

  for (guint i = 0; i < 2; i++)
    tb_peaks_histogram_get_extent (sides[i]->histogram, &calls->bins, &first[i], &last[i]);
  from = MIN (first[0], first[1]);
  to = MAX (last[0], last[1]);
  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = from; bin <= to; bin++)
    if (calls->bins.edges[bin] < calls->bins.edges[bin + 1])
      tb_histogram_figure_add_bin (figure, calls->bins.edges[bin], calls->bins.edges[bin + 1]);
  for (guint i = 0; i < 2; i++)
    {
      guint series = tb_histogram_figure_add_series (figure, i == 0 ? "base" : "other", names[i]);

      for (guint bin = from, at = 0; bin <= to; bin++)
        if (calls->bins.edges[bin] < calls->bins.edges[bin + 1])
          tb_histogram_figure_set_count (figure, series, at++, sides[i]->histogram->counts[bin],
                                         (guint64) sides[i]->histogram->totals[bin]);
    }
  for (guint i = 0; i < peaks->len; i++)
    {
      const TbPeakRange *peak = &g_array_index (peaks, TbPeakRange, i);
      g_autofree char *item = tb_peaks_result_get_item (i);
      g_autofree char *range = describe_range (&calls->bins, peak);
      g_autofree char *name = g_strdup_printf (_ ("Peak %u (%s)"), i + 1, range);

      tb_histogram_figure_add_mark (figure, item, name, calls->bins.edges[peak->first],
                                    calls->bins.edges[peak->last + 1]);
    }
  tb_report_add_figure (report, TB_FIGURE (figure));
}

static void
add_head (TbReport *report, const TbPeaksOperation *operation, const Distance *distance)
{
  g_autofree char *text
      = isnan (distance->bins)
            ? g_strdup_printf (_ ("%s was called in one of the recordings only."), operation->id)
        : distance->is_same
            ? g_strdup_printf (
                  _ ("Calls of %s took as long in both recordings: their latencies differ by %.2f "
                     "bins, no more than by chance (%.2f)."),
                  operation->id, distance->bins, distance->limit)
            : g_strdup_printf (
                  _ ("Calls of %s did not take as long in both recordings: their latencies differ "
                     "by %.2f bins, more than by chance (%.2f)."),
                  operation->id, distance->bins, distance->limit);

  tb_report_set_headline (report, text);
}

void
tb_peaks_compare_one (TbReport *report,
                      const TbPeaksCalls *base,
                      const TbPeaksOperation *of_base,
                      const TbPeaksCalls *other,
                      const TbPeaksOperation *of_other)
{
  g_autoptr (GArray) base_peaks = tb_peaks_calls_find_peaks (base, of_base);
  g_autoptr (GArray) other_peaks = tb_peaks_calls_find_peaks (other, of_other);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const Side base_side = { of_base->histogram, base_peaks },
             other_side = { of_other->histogram, other_peaks };
  Distance distance = measure (base, of_base, of_other);

  add_head (report, of_other, &distance);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "operation");
  json_builder_add_string_value (builder, of_other->id);
  add_side (builder, "base_", of_base, base_peaks);
  add_side (builder, "", of_other, other_peaks);
  add_distance (builder, &distance);
  add_unmatched (builder, "base_only", &base->bins, &base_side, &other_side);
  add_unmatched (builder, "other_only", &other->bins, &other_side, &base_side);
  json_builder_end_object (builder);
  tb_report_set_summary (report, json_builder_get_root (builder));
  if (of_base->histogram->calls > 0 || of_other->histogram->calls > 0)
    add_histogram (report, other, of_base, of_other, other_peaks);
  add_unmatched_findings (report, other, of_other, &other_side, &base_side, TRUE);
  add_unmatched_findings (report, base, of_base, &base_side, &other_side, FALSE);
}

/* --- all operations --- */

static const TbPeaksOperation *
find_same (const TbPeaksCalls *calls, const TbPeaksOperation *operation)
{
  for (guint i = 0; i < calls->operations->len; i++)
    {
      const TbPeaksOperation *other = g_ptr_array_index (calls->operations, i);

      if (other->kind == operation->kind && g_str_equal (other->id, operation->id))
        return other;
    }
  return NULL;
}

typedef struct
{
  TbTableFigure *table;
  guint name, base_calls, calls, base_time, time, base_peaks, peaks, distance, limit;
  JsonBuilder *builder;
} Rows;

static void
begin_rows (Rows *self)
{
  self->table = tb_table_figure_new (TB_PEAKS_FIGURE_OPERATIONS, _ ("Operations"));
  self->name = tb_table_figure_add_column (self->table, "operation", _ ("Operation"), TB_CELL_TEXT);
  self->base_time
      = tb_table_figure_add_column (self->table, "base_total", _ ("Time, First"), TB_CELL_DURATION);
  self->time
      = tb_table_figure_add_column (self->table, "total", _ ("Time, Second"), TB_CELL_DURATION);
  self->base_calls
      = tb_table_figure_add_column (self->table, "base_calls", _ ("Calls, First"), TB_CELL_COUNT);
  self->calls
      = tb_table_figure_add_column (self->table, "calls", _ ("Calls, Second"), TB_CELL_COUNT);
  self->base_peaks
      = tb_table_figure_add_column (self->table, "base_peaks", _ ("Peaks, First"), TB_CELL_COUNT);
  self->peaks
      = tb_table_figure_add_column (self->table, "peaks", _ ("Peaks, Second"), TB_CELL_COUNT);
  self->distance
      = tb_table_figure_add_column (self->table, "distance", _ ("Distance (Bins)"), TB_CELL_TEXT);
  self->limit
      = tb_table_figure_add_column (self->table, "limit", _ ("By Chance (Bins)"), TB_CELL_TEXT);
}

static void
add_row (Rows *self,
         const TbPeaksCalls *base,
         const TbPeaksOperation *of_base,
         const TbPeaksCalls *other,
         const TbPeaksOperation *of_other)
{
  const TbPeaksOperation *any = of_other != NULL ? of_other : of_base;
  g_autoptr (GArray) base_peaks
      = of_base != NULL ? tb_peaks_calls_find_peaks (base, of_base) : NULL;
  g_autoptr (GArray) peaks = of_other != NULL ? tb_peaks_calls_find_peaks (other, of_other) : NULL;
  guint row = tb_table_figure_add_row (self->table, any->id);
  Distance distance = { NAN, NAN, FALSE };

  tb_table_figure_set_text (self->table, row, self->name, any->id);
  if (of_base != NULL)
    {
      tb_table_figure_set_integer (self->table, row, self->base_time, of_base->histogram->total_ns);
      tb_table_figure_set_integer (self->table, row, self->base_calls, (gint64) of_base->calls);
      tb_table_figure_set_integer (self->table, row, self->base_peaks, base_peaks->len);
    }
  if (of_other != NULL)
    {
      tb_table_figure_set_integer (self->table, row, self->time, of_other->histogram->total_ns);
      tb_table_figure_set_integer (self->table, row, self->calls, (gint64) of_other->calls);
      tb_table_figure_set_integer (self->table, row, self->peaks, peaks->len);
    }
  if (of_base != NULL && of_other != NULL)
    distance = measure (base, of_base, of_other);
  if (!isnan (distance.bins))
    {
      g_autofree char *bins
          = g_strdup_printf (distance.is_same ? _ ("%.2f (by chance)") : _ ("%.2f"), distance.bins);
      g_autofree char *limit = g_strdup_printf ("%.2f", distance.limit);

      tb_table_figure_set_text (self->table, row, self->distance, bins);
      tb_table_figure_set_measure (self->table, row, self->distance, TB_CELL_COUNT, distance.bins,
                                   distance.bins);
      tb_table_figure_set_text (self->table, row, self->limit, limit);
      tb_table_figure_set_measure (self->table, row, self->limit, TB_CELL_COUNT, distance.limit,
                                   distance.limit);
    }
  json_builder_begin_object (self->builder);
  json_builder_set_member_name (self->builder, "operation");
  json_builder_add_string_value (self->builder, any->id);
  add_side (self->builder, "base_", of_base, base_peaks);
  add_side (self->builder, "", of_other, peaks);
  add_distance (self->builder, &distance);
  json_builder_end_object (self->builder);
}

/* Operations with the same name are one row: an inferred function is not shown if it was also
 * probed. */
static gboolean
is_new (GHashTable *seen, const TbPeaksOperation *operation)
{
  return g_hash_table_add (seen, operation->id);
}

void
tb_peaks_compare_all (TbReport *report, const TbPeaksCalls *base, const TbPeaksCalls *other)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *headline = NULL;
  Rows rows = { .builder = builder };
  guint n;

  begin_rows (&rows);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "operations");
  json_builder_begin_array (builder);
  for (guint i = 0; i < other->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (other->operations, i);

      if (is_new (seen, operation))
        add_row (&rows, base, find_same (base, operation), other, operation);
    }
  for (guint i = 0; i < base->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (base->operations, i);

      if (is_new (seen, operation))
        add_row (&rows, base, operation, other, NULL);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  n = g_hash_table_size (seen);
  headline = g_strdup_printf (
      ngettext ("%u operation was recorded: choose it to see how its latencies differ.",
                "%u operations were recorded: choose one to see how its latencies "
                "differ.",
                n),
      n);
  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, json_builder_get_root (builder));
  tb_report_add_figure (report, TB_FIGURE (rows.table));
}
