/* tb-threads-compare.c: comparison of the threads of two recordings, matched by name: differences
 * of the time running, waiting for a CPU and waiting, as table, findings and JSON summary
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/compare/tb-differences.h"
#include "report/table/tb-table-figure.h"
#include "tb-threads-compare.h"
#include "tb-threads-programs.h"

/* Usual differences between two recordings of the same load: a share, a time for each switch (ns),
 * and a minimum (ns). */
#define NOISE_SHARE 0.01
#define NOISE_PER_SWITCH 2000
#define NOISE_LEAST 200000
#define MAX_FINDINGS 10

/* Durations that are compared. */
typedef enum
{
  RUNNING,
  RUNNABLE,
  WAITING,
  N_MEASURES,
} Measure;

static const char *const measure_names[N_MEASURES] = { "running_ns", "runnable_ns", "waiting_ns" };

/* Threads with one name in processes with one name, on both sides. */
typedef struct
{
  char *id; /* "process/thread" */
  const char *process;
  const char *thread;
  gint64 ns[2][N_MEASURES];
  gint64 unknown[2];
  guint64 switches[2];
  guint n[2];
} Pair;

typedef struct
{
  const Pair *pair;
  Measure measure;
  gint64 base;
  gint64 other; /* scaled to the duration of the base */
  gint64 delta;
  gint64 low;
  gint64 high;
  gboolean within_noise;
} Difference;

static const char *
get_label (Measure measure)
{
  const char *const labels[N_MEASURES]
      = { C_ ("quantity", "running"), C_ ("quantity", "waiting for a CPU"),
          C_ ("quantity", "waiting") };

  return labels[measure];
}

static void
pair_free (Pair *self)
{
  g_free (self->id);
  g_free (self);
}

static void
gather (GHashTable *pairs, TbThreadsSummary *summary, guint side)
{
  for (guint i = 0; i < summary->rows->len; i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (summary->rows, i);
      const char *process = tb_threads_get_process_name (summary, thread);
      const char *name = tb_threads_get_name (summary, thread);
      g_autofree char *id = g_strdup_printf ("%s/%s", process, name);
      Pair *pair = g_hash_table_lookup (pairs, id);

      if (pair == NULL)
        {
          pair = g_new0 (Pair, 1);
          pair->id = g_steal_pointer (&id);
          pair->process = process;
          pair->thread = name;
          g_hash_table_insert (pairs, pair->id, pair);
        }
      pair->n[side]++;
      pair->ns[side][RUNNING] += thread->ns[TB_STATE_RUNNING];
      pair->ns[side][RUNNABLE] += thread->ns[TB_STATE_RUNNABLE];
      pair->ns[side][WAITING] += tb_thread_summary_get_waiting (thread);
      pair->unknown[side] += thread->ns[TB_STATE_UNKNOWN];
      pair->switches[side] += thread->switches;
    }
}

/* Gets a difference and its range. Any time in an unknown state could belong to this measure. */
static void
measure_difference (const Pair *pair, Measure measure, double scale, Difference *out)
{
  gint64 base = pair->ns[0][measure], other = llround (pair->ns[1][measure] * scale);
  gint64 base_unknown = pair->unknown[0], other_unknown = llround (pair->unknown[1] * scale);
  gint64 noise = MAX (NOISE_LEAST, (gint64) (NOISE_SHARE * MAX (base, other)));

  noise = MAX (noise, (gint64) (NOISE_PER_SWITCH * MAX (pair->switches[0], pair->switches[1])));
  *out = (Difference) {
    .pair = pair,
    .measure = measure,
    .base = base,
    .other = other,
    .delta = other - base,
    .low = other - base - base_unknown,
    .high = other - base + other_unknown,
  };
  out->within_noise = (out->low <= noise && out->high >= -noise);
}

static int
compare_differences (gconstpointer a, gconstpointer b)
{
  const Difference *left = a, *right = b;
  gint64 left_size = ABS (left->delta), right_size = ABS (right->delta);
  int order;

  if (left_size != right_size)
    return left_size > right_size ? -1 : 1;
  order = strcmp (left->pair->id, right->pair->id);
  return order != 0 ? order : (int) left->measure - (int) right->measure;
}

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static JsonNode *
make_summary (TbThreadsSummary *base,
              TbThreadsSummary *other,
              const GArray *differences,
              const char *normalized_by)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "base");
  json_builder_add_value (builder, tb_threads_summary_to_json (base));
  json_builder_set_member_name (builder, "other");
  json_builder_add_value (builder, tb_threads_summary_to_json (other));
  json_builder_set_member_name (builder, "normalized_by");
  if (*normalized_by != '\0')
    json_builder_add_string_value (builder, normalized_by);
  else
    json_builder_add_null_value (builder);
  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint i = 0; i < differences->len; i++)
    {
      const Difference *difference = &g_array_index (differences, Difference, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "what");
      json_builder_add_string_value (builder, measure_names[difference->measure]);
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, difference->pair->id);
      add_integer (builder, "base", difference->base);
      add_integer (builder, "other", difference->other);
      add_integer (builder, "delta", difference->delta);
      add_integer (builder, "low", difference->low);
      add_integer (builder, "high", difference->high);
      json_builder_set_member_name (builder, "within_noise");
      json_builder_add_boolean_value (builder, difference->within_noise);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static TbFigure *
make_table (const GArray *differences)
{
  TbTableFigure *table = tb_table_figure_new ("differences", _ ("Differences"));
  guint thread = tb_table_figure_add_column (table, "thread", _ ("Process/Thread"), TB_CELL_TEXT);
  guint what = tb_table_figure_add_column (table, "what", _ ("What"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base"), TB_CELL_DURATION);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other"), TB_CELL_DURATION);
  guint delta = tb_table_figure_add_column (table, "delta", _ ("Difference"), TB_CELL_DURATION);
  guint noise
      = tb_table_figure_add_column (table, "within_noise", _ ("More than Noise"), TB_CELL_TEXT);

  for (guint i = 0; i < differences->len; i++)
    {
      const Difference *difference = &g_array_index (differences, Difference, i);
      guint row = tb_table_figure_add_row (table, difference->pair->id);

      tb_table_figure_set_text (table, row, thread, difference->pair->id);
      tb_table_figure_set_text (table, row, what, get_label (difference->measure));
      tb_table_figure_set_integer (table, row, base, difference->base);
      tb_table_figure_set_integer (table, row, other, difference->other);
      tb_table_figure_set_integer (table, row, delta, difference->delta);
      tb_table_figure_set_text (table, row, noise, difference->within_noise ? _ ("no") : _ ("yes"));
    }
  return TB_FIGURE (table);
}

static char *
describe (const Difference *difference)
{
  g_autofree char *base = tb_format_duration (difference->base);
  g_autofree char *other = tb_format_duration (difference->other);
  g_autofree char *delta = tb_format_duration (ABS (difference->delta));
  const char *id = difference->pair->id;
  gboolean more = difference->delta > 0;

  if (difference->pair->n[0] == 0)
    return g_strdup_printf (_ ("%s is in the other recording only: %s %s."), id,
                            get_label (difference->measure), other);
  if (difference->pair->n[1] == 0)
    return g_strdup_printf (_ ("%s is in the base recording only: %s %s."), id,
                            get_label (difference->measure), base);
  switch (difference->measure)
    {
    case RUNNING:
      return g_strdup_printf (more ? _ ("%s ran %s longer: %s instead of %s.")
                                   : _ ("%s ran %s less: %s instead of %s."),
                              id, delta, other, base);
    case RUNNABLE:
      return g_strdup_printf (more ? _ ("%s waited %s longer for a CPU: %s instead of %s.")
                                   : _ ("%s waited %s less for a CPU: %s instead of %s."),
                              id, delta, other, base);
    case WAITING:
    case N_MEASURES:
    default:
      return g_strdup_printf (more ? _ ("%s waited %s longer: %s instead of %s.")
                                   : _ ("%s waited %s less: %s instead of %s."),
                              id, delta, other, base);
    }
}

static const char *
get_code (const Difference *difference)
{
  static const char *const codes[N_MEASURES]
      = { "running-time-change", "cpu-wait-change", "wait-time-change" };

  if (difference->pair->n[0] == 0)
    return "thread-only-in-other";
  return difference->pair->n[1] == 0 ? "thread-only-in-base" : codes[difference->measure];
}

static void
set_values (TbFinding *finding, const Difference *difference)
{
  const TbDifference values = { .what = (char *) measure_names[difference->measure],
                                .base = difference->base,
                                .other = difference->other,
                                .low = difference->low,
                                .high = difference->high };

  tb_finding_set_string (finding, "process", difference->pair->process);
  tb_finding_set_string (finding, "thread", difference->pair->thread);
  tb_difference_set_values (&values, finding);
}

static void
add_no_difference (TbReport *report)
{
  TbFinding *finding
      = tb_finding_new (TB_SEVERITY_INFO, _ ("No thread differs by more than noise."), 0, 0);

  tb_finding_set_code (finding, "no-difference");
  tb_report_add_finding (report, finding);
}

static void
add_findings (TbReport *report, const GArray *differences, gint64 range)
{
  guint n_reported = 0;

  for (guint i = 0; i < differences->len && n_reported < MAX_FINDINGS; i++)
    {
      const Difference *difference = &g_array_index (differences, Difference, i);
      gint64 size = ABS (difference->delta);
      double share = range > 0 ? (double) size / range : NAN;
      g_autofree char *text = NULL;
      TbFinding *finding;

      if (difference->within_noise)
        continue;
      text = describe (difference);
      finding = tb_finding_new (share >= 0.1 ? TB_SEVERITY_MEDIUM : TB_SEVERITY_LOW, text, size,
                                share > 1 ? 1 : share);
      tb_finding_set_code (finding, get_code (difference));
      set_values (finding, difference);
      tb_finding_set_place (finding, "differences", difference->pair->id);
      tb_report_add_finding (report, finding);
      n_reported++;
    }
  if (n_reported == 0)
    add_no_difference (report);
}

/* Matches threads by their names and the names of their processes, and reports the differences. */
void
tb_threads_compare (TbReport *report,
                    TbThreadsSummary *base,
                    TbThreadsSummary *other,
                    double scale,
                    const char *normalized_by)
{
  g_autoptr (GHashTable) pairs
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) pair_free);
  g_autoptr (GArray) differences = g_array_new (FALSE, FALSE, sizeof (Difference));
  gint64 base_range = base->to - base->from, other_range = other->to - other->from;
  gboolean has_ends;
  GHashTableIter iter;
  gpointer value;

  if (normalized_by == NULL)
    {
      /* If the durations of the recordings differ, times are normalized, so that "longer" means a
       * larger share of the time. */
      gboolean differs = other_range > 0 && ABS (base_range - other_range) * 100 > base_range;

      scale = differs ? (double) base_range / other_range : 1;
      normalized_by = differs ? "recorded_ns" : "";
    }

  gather (pairs, base, 0);
  gather (pairs, other, 1);
  has_ends = tb_threads_summary_has_wait_ends (base) && tb_threads_summary_has_wait_ends (other);
  g_hash_table_iter_init (&iter, pairs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (guint measure = 0; measure < N_MEASURES; measure++)
      {
        Difference difference;

        /* A part of a wait is not compared with a whole one. */
        if (measure != RUNNING && !has_ends)
          continue;
        measure_difference (value, measure, scale, &difference);
        if (difference.base != 0 || difference.other != 0)
          g_array_append_val (differences, difference);
      }
  g_array_sort (differences, compare_differences);
  tb_report_set_summary (report, make_summary (base, other, differences, normalized_by));
  add_findings (report, differences, base_range);
  tb_report_add_figure (report, make_table (differences));
}
