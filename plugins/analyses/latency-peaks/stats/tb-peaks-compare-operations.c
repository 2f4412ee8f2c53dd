/* tb-peaks-compare-operations.c: differences between the operations of two recordings in total
 * time, number and latencies of calls, as summary members, findings and a heat map of more and
 * fewer calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/compare/tb-differences.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-distance.h"
#include "tb-peaks-compare-operations.h"
#include "drill/tb-peaks-result.h"

/* Typical differences between two recordings of the same work: this share of the calls and time,
 * and this many doublings of the latency. */
#define NOISE_SHARE 0.05
#define NOISE_LEAST_NS 200000
#define NOISE_DOUBLINGS 0.5
#define MAX_FINDINGS 10
#define ROWS_DRAWN 40

typedef enum
{
  BASE,
  OTHER,
  N_SIDES,
} Side;

/* The operations with one name. */
typedef struct
{
  const char *id;
  const TbPeaksOperation *of[N_SIDES]; /* NULL if the recording does not have it */
} Pair;

typedef struct
{
  const TbPeaksCalls *sides[N_SIDES];
  double scale;
  GArray *pairs; /* Pair */
} Comparison;

static double
get_total (const Comparison *self, const Pair *pair, Side side)
{
  return pair->of[side] != NULL
             ? (side == OTHER ? self->scale : 1) * (double) pair->of[side]->histogram->total_ns
             : 0;
}

static double
get_calls (const Comparison *self, const Pair *pair, Side side)
{
  return pair->of[side] != NULL ? (side == OTHER ? self->scale : 1) * (double) pair->of[side]->calls
                                : 0;
}

/* Pairs the first operations of each name: an inferred function is left out if it was also
 * probed. */
static void
match (Comparison *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint side = 0; side < N_SIDES; side++)
    for (guint i = 0; i < self->sides[side]->operations->len; i++)
      {
        const TbPeaksOperation *operation = g_ptr_array_index (self->sides[side]->operations, i);
        gpointer found = g_hash_table_lookup (known, operation->id);
        Pair *pair;

        if (operation->histogram == NULL)
          continue;
        if (found == NULL)
          {
            Pair derived = { .id = operation->id };

            g_array_append_val (self->pairs, derived);
            found = GUINT_TO_POINTER (self->pairs->len);
            g_hash_table_insert (known, (gpointer) operation->id, found);
          }
        pair = &g_array_index (self->pairs, Pair, GPOINTER_TO_UINT (found) - 1);
        if (pair->of[side] == NULL)
          pair->of[side] = operation;
      }
}

static void
add (TbDifferences *differences,
     const char *what,
     const char *label,
     const Pair *pair,
     double base,
     double other,
     gboolean within_noise)
{
  tb_differences_add (differences, &(TbDifference) { (char *) what, label, (char *) pair->id, base,
                                                     other, NAN, NAN, within_noise });
}

static TbDifferences *
make_differences (const Comparison *self)
{
  TbDifferences *differences = tb_differences_new ();
  const TbPeaksBins *bins = &self->sides[BASE]->bins;

  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);
      double total[] = { get_total (self, pair, BASE), get_total (self, pair, OTHER) };
      double calls[] = { get_calls (self, pair, BASE), get_calls (self, pair, OTHER) };
      double more = fabs (total[OTHER] - total[BASE]), distance, limit;

      add (differences, "total_ns", _ ("time"), pair, total[BASE], total[OTHER],
           more <= fmax (NOISE_LEAST_NS, NOISE_SHARE * fmax (total[BASE], total[OTHER])));
      add (differences, "calls", _ ("calls"), pair, calls[BASE], calls[OTHER],
           fabs (calls[OTHER] - calls[BASE]) <= NOISE_SHARE * fmax (calls[BASE], calls[OTHER]));
      if (pair->of[BASE] == NULL || pair->of[OTHER] == NULL)
        continue;
      distance = tb_histogram_get_distance (pair->of[BASE]->histogram->counts,
                                            pair->of[OTHER]->histogram->counts, bins->n);
      if (!isfinite (distance))
        continue;
      limit = tb_histogram_get_chance_distance (pair->of[BASE]->histogram->counts, bins->n,
                                                pair->of[BASE]->histogram->calls,
                                                pair->of[OTHER]->histogram->calls);
      add (differences, "distance_bins", _ ("shift of latencies (bins)"), pair, 0, distance,
           distance <= fmax (limit, NOISE_DOUBLINGS * bins->resolution));
    }
  tb_differences_sort (differences);
  return differences;
}

static void
complete_summary (TbReport *report,
                  const Comparison *self,
                  const TbDifferences *differences,
                  const char *normalized_by)
{
  JsonNode *summary = json_node_copy (tb_report_get_summary (report));
  JsonObject *object = json_node_get_object (summary);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) reported = NULL;

  json_builder_begin_object (builder);
  tb_differences_write (differences, builder);
  json_builder_end_object (builder);
  reported = json_builder_get_root (builder);
  json_object_set_member (object, "base", tb_peaks_operations_to_json (self->sides[BASE]));
  json_object_set_member (object, "other", tb_peaks_operations_to_json (self->sides[OTHER]));
  if (*normalized_by != '\0')
    json_object_set_string_member (object, "normalized_by", normalized_by);
  else
    json_object_set_null_member (object, "normalized_by");
  json_object_set_member (object, "differences",
                          json_node_copy (json_object_get_member (json_node_get_object (reported),
                                                                  "differences")));
  tb_report_set_summary (report, summary);
}

/* (transfer none) */
static TbFinding *
add_finding (TbReport *report,
             const char *code,
             const TbDifference *difference,
             const char *text,
             gint64 weight)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_MEDIUM, text, weight, NAN);

  tb_finding_set_code (finding, code);
  tb_finding_set_string (finding, "operation", difference->id);
  tb_finding_set_place (finding, TB_PEAKS_FIGURE_OPERATIONS, difference->id);
  tb_report_add_finding (report, finding);
  return finding;
}

/* Adds findings about operations with more or less total time. reported: ids with a finding. */
static void
add_times (TbReport *report, const TbDifferences *differences, GHashTable *reported)
{
  for (guint i = 0;
       i < tb_differences_get_n (differences) && g_hash_table_size (reported) < MAX_FINDINGS; i++)
    {
      const TbDifference *difference = tb_differences_get (differences, i);
      double delta = difference->other - difference->base;
      g_autofree char *before = tb_difference_format (difference, difference->base);
      g_autofree char *after = tb_difference_format (difference, difference->other);
      g_autofree char *size = tb_difference_format (difference, fabs (delta));
      g_autofree char *text = NULL;
      TbFinding *finding;

      if (difference->within_noise || !g_str_equal (difference->what, "total_ns"))
        continue;
      text = g_strdup_printf (delta > 0 ? _ ("%s took %s more: %s instead of %s.")
                                        : _ ("%s took %s less: %s instead of %s."),
                              difference->id, size, after, before);
      finding = add_finding (report, delta > 0 ? "more-time" : "less-time", difference, text,
                             llrint (fabs (delta)));
      tb_finding_set_integer (finding, "delta_ns", llrint (delta));
      tb_finding_set_time (finding, "base_ns", llrint (difference->base));
      tb_finding_set_time (finding, "other_ns", llrint (difference->other));
      g_hash_table_add (reported, difference->id);
    }
}

/* Adds findings about operations with about the same total time but other latencies: some calls are
 * longer, others shorter. */
static guint
add_moves (TbReport *report, const TbDifferences *differences, GHashTable *reported)
{
  guint n = 0;

  for (guint i = 0; i < tb_differences_get_n (differences) && n < MAX_FINDINGS; i++)
    {
      const TbDifference *difference = tb_differences_get (differences, i);
      g_autofree char *text = NULL;
      TbFinding *finding;

      if (difference->within_noise || !g_str_equal (difference->what, "distance_bins")
          || g_hash_table_contains (reported, difference->id))
        continue;
      /* Translators: an operation; by how many bins of the histogram its calls moved, on average */
      text = g_strdup_printf (
          _ ("%s took about as long in total, but its single calls did not: their latencies "
             "shifted by %.2f bins."),
          difference->id, difference->other);
      finding = add_finding (report, "moved-latencies", difference, text, TB_TIME_NONE);
      tb_finding_set_number (finding, "distance_bins", difference->other);
      n++;
    }
  return n;
}

static void
add_findings (TbReport *report, const TbDifferences *differences)
{
  g_autoptr (GHashTable) reported = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_moved;
  TbFinding *finding;

  add_times (report, differences, reported);
  n_moved = add_moves (report, differences, reported);
  if (g_hash_table_size (reported) > 0 || n_moved > 0)
    return;
  finding = tb_finding_new (TB_SEVERITY_INFO,
                            _ ("No operation differs in its time or latencies by more than "
                               "noise."),
                            0, 0);
  tb_finding_set_code (finding, "no-difference");
  tb_report_add_finding (report, finding);
}

/* --- all histograms --- */

static gboolean
find_extent (const Comparison *self, guint n, guint *first, guint *last)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    for (guint side = 0; side < N_SIDES; side++)
      {
        const TbPeaksOperation *operation = g_array_index (self->pairs, Pair, i).of[side];
        guint one_first, one_last;

        if (operation == NULL
            || !tb_peaks_histogram_get_extent (operation->histogram, &self->sides[side]->bins,
                                               &one_first, &one_last))
          continue;
        *first = any ? MIN (*first, one_first) : one_first;
        *last = any ? MAX (*last, one_last) : one_last;
        any = TRUE;
      }
  return any;
}

/* For each operation, the bins with more calls than in the base, and those with fewer. */
static void
add_histograms (TbReport *report, const Comparison *self)
{
  const TbPeaksBins *bins = &self->sides[BASE]->bins;
  guint n = MIN (self->pairs->len, ROWS_DRAWN), first, last;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) labels = NULL;
  g_autofree gint64 *values = NULL;
  TbHeatmapFigure *figure;

  if (!find_extent (self, n, &first, &last))
    return;
  values = g_new (gint64, last - first + 1);
  figure = tb_heatmap_figure_new ("histograms", _ ("More and Fewer Calls"), "calls", 0,
                                  last - first + 1, last - first + 1);
  for (guint bin = first; bin <= last; bin++)
    g_strv_builder_take (builder, tb_format_duration (bins->edges[bin]));
  labels = g_strv_builder_end (builder);
  tb_heatmap_figure_set_columns (figure, (const char *const *) labels);
  tb_heatmap_figure_set_axis_titles (figure, _ ("Operation"), _ ("Latency, at least"));
  tb_heatmap_figure_set_signed (figure);
  for (guint i = n; i-- > 0;)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      for (guint bin = first; bin <= last; bin++)
        {
          double base
              = pair->of[BASE] != NULL ? (double) pair->of[BASE]->histogram->counts[bin] : 0;
          double other
              = pair->of[OTHER] != NULL ? (double) pair->of[OTHER]->histogram->counts[bin] : 0;

          values[bin - first] = llrint (other * self->scale - base);
        }
      tb_heatmap_figure_add_signed_row (figure, pair->id, pair->id, values);
    }
  tb_report_add_figure (report, TB_FIGURE (figure));
}

void
tb_peaks_add_differences (TbReport *report,
                          const TbPeaksCalls *base,
                          const TbPeaksCalls *other,
                          double scale,
                          const char *normalized_by)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autoptr (TbDifferences) differences = NULL;
  Comparison self = { .sides = { base, other }, .scale = scale, .pairs = pairs };

  match (&self);
  differences = make_differences (&self);
  complete_summary (report, &self, differences, normalized_by);
  add_findings (report, differences);
  add_histograms (report, &self);
}
