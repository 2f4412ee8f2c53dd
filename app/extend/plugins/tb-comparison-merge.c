/* tb-comparison-merge.c: report of a comparison of several recordings a side: the first base
 * recording compared with each other one, spread of every difference over the recordings, table and
 * findings of the significant ones
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "extend/plugins/tb-analysis-private.h"
#include "extend/compare/tb-differences.h"
#include "report/table/tb-table-figure.h"

#define MAX_FINDINGS 10
#define FIGURE "recordings"

/* One difference that the analysis reports, over all recordings. Numbers are normalized to the
 * first base. */
typedef struct
{
  char *what;
  char *id;
  double *values[TB_COMPARISON_N_SIDES];
  double below; /* sums over the pairs: uncertainty that the analysis itself reports */
  double above;
  gboolean is_noise_in_all;
  TbSpread spread;
} Difference;

typedef struct
{
  TbAnalysis *analysis;
  TbComparison *comparison;
  guint n[TB_COMPARISON_N_SIDES];
  TbReport *report;    /* of the first pair */
  GHashTable *known;   /* "what\nid" → Difference */
  GPtrArray *all;      /* Difference, in the order in which they were first reported */
  GHashTable *ids;     /* items of the reported differences */
  GPtrArray *warnings; /* warnings of the other pairs */
  GPtrArray *remarks;  /* likewise */
  guint64 lost_events;
  gint64 lost_ns;
} Merge;

static void
difference_free (gpointer data)
{
  Difference *self = data;

  g_free (self->what);
  g_free (self->id);
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    g_free (self->values[side]);
  g_free (self);
}

static void
merge_clear (Merge *self)
{
  g_clear_object (&self->report);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->ids, g_hash_table_unref);
  g_clear_pointer (&self->all, g_ptr_array_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_clear_pointer (&self->remarks, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Merge, merge_clear)

static Difference *
get_difference (Merge *self, const char *what, const char *id)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", what, id);
  Difference *difference = g_hash_table_lookup (self->known, key);

  if (difference != NULL)
    return difference;
  difference = g_new0 (Difference, 1);
  difference->what = g_strdup (what);
  difference->id = g_strdup (id);
  difference->is_noise_in_all = TRUE;
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    difference->values[side] = g_new0 (double, self->n[side]);
  g_hash_table_insert (self->known, g_steal_pointer (&key), difference);
  g_ptr_array_add (self->all, difference);
  return difference;
}

static double
get_number (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : NAN;
}

static const char *
get_string (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

/* Adds one difference between the first base and another recording. */
static void
add_difference (Merge *self, JsonObject *reported, TbComparisonSide side, guint index)
{
  const char *what = get_string (reported, "what"), *id = get_string (reported, "id");
  double base = get_number (reported, "base"), other = get_number (reported, "other");
  double low = get_number (reported, "low"), high = get_number (reported, "high");
  Difference *difference;

  if (what == NULL || id == NULL)
    return;
  difference = get_difference (self, what, id);
  if (isfinite (base))
    difference->values[TB_COMPARISON_BASE][0] = base;
  if (isfinite (other))
    difference->values[side][index] = other;
  if (side == TB_COMPARISON_BASE)
    return;
  difference->is_noise_in_all
      &= json_object_get_boolean_member_with_default (reported, "within_noise", FALSE);
  if (isfinite (low) && isfinite (high))
    {
      double delta = (isfinite (other) ? other : 0) - (isfinite (base) ? base : 0);

      difference->below += fmax (delta - low, 0);
      difference->above += fmax (high - delta, 0);
    }
}

/* Adds texts with the name of the recording that they are about. */
static void
add_named (GPtrArray *list, const char *name, const char *const *texts)
{
  for (guint i = 0; texts[i] != NULL; i++)
    g_ptr_array_add (list, g_strdup_printf ("%s: %s", name, texts[i]));
}

static void
merge_report (Merge *self, TbReport *report, TbComparisonSide side, guint index)
{
  JsonObject *summary = json_node_get_object (tb_report_get_summary (report));
  JsonNode *list = json_object_get_member (summary, "differences");
  guint64 lost_events;
  gint64 lost_ns;

  for (guint i = 0; list != NULL && JSON_NODE_HOLDS_ARRAY (list)
                    && i < json_array_get_length (json_node_get_array (list));
       i++)
    add_difference (self, json_array_get_object_element (json_node_get_array (list), i), side,
                    index);
  tb_report_get_uncertainty (report, &lost_events, &lost_ns);
  self->lost_events += lost_events;
  self->lost_ns += MAX (lost_ns, 0);
  if (self->report != NULL)
    {
      const char *name = tb_comparison_get_name (self->comparison, side, index);

      add_named (self->warnings, name, tb_report_get_warnings (report));
      add_named (self->remarks, name, tb_report_get_remarks (report));
    }
  if (self->report == NULL)
    self->report = g_object_ref (report);
}

/* Progress of one pair among several. */
typedef struct
{
  TbProgressFunc progress;
  gpointer data;
  guint i;
  guint n;
} PairProgress;

static void
report_pair_progress (double share, const char *what, gpointer data)
{
  const PairProgress *pair_progress = data;

  pair_progress->progress ((pair_progress->i + share) / pair_progress->n, what,
                           pair_progress->data);
}

/* Compares the first base with every other recording. The first other recording comes first,
 * because its report is the one shown. */
static gboolean
compare_pairs (Merge *self,
               TbProgressFunc progress,
               gpointer data,
               GCancellable *cancellable,
               GError **error)
{
  PairProgress pair_progress
      = { progress, data, 0, self->n[TB_COMPARISON_BASE] + self->n[TB_COMPARISON_OTHER] - 1 };

  for (pair_progress.i = 0; pair_progress.i < pair_progress.n; pair_progress.i++)
    {
      gboolean is_other = pair_progress.i < self->n[TB_COMPARISON_OTHER];
      TbComparisonSide side = is_other ? TB_COMPARISON_OTHER : TB_COMPARISON_BASE;
      guint index = is_other ? pair_progress.i : pair_progress.i - self->n[TB_COMPARISON_OTHER] + 1;
      g_autoptr (TbReport) report = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      report = TB_ANALYSIS_GET_IFACE (self->analysis)
                   ->compare (self->analysis,
                              tb_comparison_get_trace (self->comparison, TB_COMPARISON_BASE, 0),
                              tb_comparison_get_trace (self->comparison, side, index),
                              tb_comparison_get_selection (self->comparison, side, index),
                              progress != NULL ? report_pair_progress : NULL, &pair_progress,
                              cancellable, error);
      if (report == NULL)
        return FALSE;
      merge_report (self, report, side, index);
    }
  return TRUE;
}

/* --- statistics --- */

static int
compare_differences (gconstpointer a, gconstpointer b)
{
  const Difference *left = *(Difference *const *) a, *right = *(Difference *const *) b;
  double left_size = fabs (left->spread.delta), right_size = fabs (right->spread.delta);
  int order = strcmp (left->what, right->what);

  if (left->spread.within_noise != right->spread.within_noise)
    return left->spread.within_noise ? 1 : -1;
  if (left_size != right_size)
    return left_size > right_size ? -1 : 1;
  return order != 0 ? order : strcmp (left->id, right->id);
}

/* More recordings do not reduce the uncertainty that the analysis itself reports. */
static void
measure_spreads (Merge *self)
{
  guint n = self->n[TB_COMPARISON_OTHER];

  for (guint i = 0; i < self->all->len; i++)
    {
      Difference *difference = g_ptr_array_index (self->all, i);
      TbSpread *spread = &difference->spread;

      tb_spread_measure (difference->values[TB_COMPARISON_BASE], self->n[TB_COMPARISON_BASE],
                         difference->values[TB_COMPARISON_OTHER], n, spread);
      spread->low = fmin (spread->low, spread->delta - difference->below / n);
      spread->high = fmax (spread->high, spread->delta + difference->above / n);
      spread->within_noise
          |= difference->is_noise_in_all || (spread->low <= 0 && spread->high >= 0);
      g_hash_table_add (self->ids, g_strdup (difference->id));
      g_hash_table_add (self->ids, g_strdup_printf ("%s %s", difference->id, difference->what));
    }
  g_ptr_array_sort (self->all, compare_differences);
}

/* --- JSON --- */

static void
add_number (JsonBuilder *builder, const char *member, double value)
{
  json_builder_set_member_name (builder, member);
  if (!isfinite (value))
    json_builder_add_null_value (builder);
  else if (value == rint (value) && fabs (value) < 9e15)
    json_builder_add_int_value (builder, llrint (value));
  else
    json_builder_add_double_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, value);
}

/* Times are whole ns. */
static gboolean
is_length (const Difference *difference)
{
  return g_str_has_suffix (difference->what, "_ns");
}

static double
round_for (const Difference *difference, double value)
{
  return is_length (difference) ? rint (value) : value;
}

static void
add_values (JsonBuilder *builder,
            const Difference *difference,
            const char *member,
            guint side,
            guint n)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    json_builder_add_double_value (builder, round_for (difference, difference->values[side][i]));
  json_builder_end_array (builder);
}

static JsonNode *
make_differences (const Merge *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < self->all->len; i++)
    {
      const Difference *difference = g_ptr_array_index (self->all, i);
      const TbSpread *spread = &difference->spread;

      json_builder_begin_object (builder);
      add_text (builder, "what", difference->what);
      add_text (builder, "id", difference->id);
      add_number (builder, "base", round_for (difference, spread->mean[TB_COMPARISON_BASE]));
      add_number (builder, "other", round_for (difference, spread->mean[TB_COMPARISON_OTHER]));
      add_number (builder, "delta", round_for (difference, spread->delta));
      add_number (builder, "low", round_for (difference, spread->low));
      add_number (builder, "high", round_for (difference, spread->high));
      json_builder_set_member_name (builder, "within_noise");
      json_builder_add_boolean_value (builder, spread->within_noise);
      add_values (builder, difference, "base_values", TB_COMPARISON_BASE,
                  self->n[TB_COMPARISON_BASE]);
      add_values (builder, difference, "other_values", TB_COMPARISON_OTHER,
                  self->n[TB_COMPARISON_OTHER]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

/* The summary of the first pair, with the merged differences. */
static JsonNode *
make_summary (const Merge *self)
{
  static const char *const members[] = { "base", "other" };
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  JsonNode *summary = json_node_copy (tb_report_get_summary (self->report));
  JsonObject *object = json_node_get_object (summary);

  json_object_set_member (object, "differences", make_differences (self));
  json_builder_begin_object (builder);
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    {
      json_builder_set_member_name (builder, members[side]);
      json_builder_begin_array (builder);
      for (guint i = 0; i < self->n[side]; i++)
        json_builder_add_string_value (builder, tb_comparison_get_name (self->comparison, side, i));
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
  json_object_set_member (object, "recordings", json_builder_get_root (builder));
  return summary;
}

/* --- text --- */

static char *
format_value (const Difference *difference, double value)
{
  return is_length (difference) ? tb_format_duration (llrint (value))
                                : g_strdup_printf ("%.4g", value);
}

static char *
format_range (const Difference *difference)
{
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!isfinite (difference->spread.low))
    return NULL;
  low = format_value (difference, difference->spread.low);
  high = format_value (difference, difference->spread.high);
  /* Translators: from … to */
  return g_strdup_printf (_ ("%s to %s"), low, high);
}

/* low, high: the values in the cell */
static void
set_cell (TbTableFigure *table,
          guint row,
          guint column,
          const Difference *difference,
          const char *text,
          double low,
          double high)
{
  if (text == NULL || !isfinite (low) || !isfinite (high))
    return;
  tb_table_figure_set_text (table, row, column, text);
  tb_table_figure_set_measure (table, row, column,
                               is_length (difference) ? TB_CELL_DURATION : TB_CELL_COUNT,
                               round_for (difference, low), round_for (difference, high));
}

static void
set_number (TbTableFigure *table,
            guint row,
            guint column,
            const Difference *difference,
            double value)
{
  g_autofree char *text = isfinite (value) ? format_value (difference, value) : NULL;

  set_cell (table, row, column, difference, text, value, value);
}

static TbFigure *
make_table (const Merge *self)
{
  TbTableFigure *table = tb_table_figure_new (FIGURE, _ ("Differences over All Recordings"));
  guint id = tb_table_figure_add_column (table, "id", _ ("Subject"), TB_CELL_TEXT);
  guint what = tb_table_figure_add_column (table, "what", _ ("Quantity"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base, Mean"), TB_CELL_TEXT);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other, Mean"), TB_CELL_TEXT);
  guint delta = tb_table_figure_add_column (table, "delta", _ ("Difference"), TB_CELL_TEXT);
  guint range = tb_table_figure_add_column (table, "range",
                                            /* xgettext:no-c-format */
                                            _ ("95 % Confidence Interval"), TB_CELL_TEXT);
  guint noise
      = tb_table_figure_add_column (table, "within_noise", _ ("Beyond Noise"), TB_CELL_TEXT);

  for (guint i = 0; i < self->all->len; i++)
    {
      const Difference *difference = g_ptr_array_index (self->all, i);
      const TbSpread *spread = &difference->spread;
      g_autofree char *item = g_strdup_printf ("%u", i);
      g_autofree char *between = format_range (difference);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, id, difference->id);
      tb_table_figure_set_text (table, row, what, difference->what);
      set_number (table, row, base, difference, spread->mean[TB_COMPARISON_BASE]);
      set_number (table, row, other, difference, spread->mean[TB_COMPARISON_OTHER]);
      set_number (table, row, delta, difference, spread->delta);
      set_cell (table, row, range, difference, between, spread->low, spread->high);
      tb_table_figure_set_text (table, row, noise, spread->within_noise ? _ ("no") : _ ("yes"));
    }
  return TB_FIGURE (table);
}

static void
set_values (TbFinding *finding, const Difference *difference)
{
  const TbSpread *spread = &difference->spread;
  const TbDifference values = { .what = difference->what,
                                .id = difference->id,
                                .base = spread->mean[TB_COMPARISON_BASE],
                                .other = spread->mean[TB_COMPARISON_OTHER],
                                .low = spread->low,
                                .high = spread->high };

  tb_finding_set_string (finding, "id", difference->id);
  tb_difference_set_values (&values, finding);
}

static void
add_change (TbReport *report, const Difference *difference, guint row)
{
  g_autofree char *item = g_strdup_printf ("%u", row);
  g_autofree char *before = format_value (difference, difference->spread.mean[TB_COMPARISON_BASE]);
  g_autofree char *after = format_value (difference, difference->spread.mean[TB_COMPARISON_OTHER]);
  g_autofree char *between = format_range (difference);
  g_autofree char *text = NULL;
  TbFinding *finding;

  text = g_strdup_printf (
      /* Translators: subject, quantity, two values of it, a range */
      _ ("%s, %s: %s instead of %s (95 %% confidence interval of the difference: %s)."),
      difference->id, difference->what, after, before, between != NULL ? between : _ ("unknown"));
  finding = tb_finding_new (TB_SEVERITY_MEDIUM, text,
                            is_length (difference) ? llrint (fabs (difference->spread.delta))
                                                   : TB_TIME_NONE,
                            NAN);
  tb_finding_set_code (finding, "significant-difference");
  set_values (finding, difference);
  tb_finding_set_place (finding, FIGURE, item);
  tb_report_add_finding (report, finding);
}

static void
add_counts (const Merge *self, TbReport *report, guint n_changed)
{
  g_autofree char *text = g_strdup_printf (
      _ ("Differences that exceed those between recordings of one side: %u of %u (base recordings: "
         "%u, other recordings: %u). Figures show the first recording of each side."),
      n_changed, self->all->len, self->n[TB_COMPARISON_BASE], self->n[TB_COMPARISON_OTHER]);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, "compared-recordings");
  tb_finding_set_integer (finding, "base_recordings", self->n[TB_COMPARISON_BASE]);
  tb_finding_set_integer (finding, "other_recordings", self->n[TB_COMPARISON_OTHER]);
  tb_finding_set_integer (finding, "significant_differences", n_changed);
  tb_finding_set_integer (finding, "differences", self->all->len);
  tb_report_add_finding (report, finding);
}

/* Adds the findings of the first pair that are not about a difference, then the significant
 * differences. */
static void
add_findings (const Merge *self, TbReport *report)
{
  guint n_changed = 0;

  for (guint i = 0; i < tb_report_get_n_findings (self->report); i++)
    {
      TbFinding *finding = tb_report_get_finding (self->report, i);
      const char *item = tb_finding_get_item (finding);

      /* A finding about a difference is replaced below, or its difference is noise. */
      if (item == NULL || !g_hash_table_contains (self->ids, item))
        tb_report_add_finding (report, g_object_ref (finding));
    }
  for (guint i = 0; i < self->all->len; i++)
    {
      const Difference *difference = g_ptr_array_index (self->all, i);

      if (difference->spread.within_noise)
        break;
      if (n_changed++ < MAX_FINDINGS)
        add_change (report, difference, i);
    }
  add_counts (self, report, n_changed);
}

static void
copy_scope (TbReport *to, TbReport *from)
{
  JsonNode *values = tb_report_get_scope_values (from);

  tb_report_set_scope (to, tb_report_get_scope (from),
                       values != NULL ? json_node_copy (values) : NULL);
}

static TbReport *
make_report (const Merge *self)
{
  gint64 from, to;
  TbReport *report;
  g_autoptr (JsonNode) options = tb_report_get_options (self->report);
  const char *const *warnings = tb_report_get_warnings (self->report);
  const char *const *remarks = tb_report_get_remarks (self->report);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  tb_report_get_range (self->report, &from, &to);
  report = tb_report_new (tb_report_get_analysis (self->report), tb_report_get_title (self->report),
                          from, to);
  tb_report_set_origin (report, tb_report_get_origin (self->report));
  tb_report_set_headline (report, tb_report_get_headline (self->report));
  json_object_iter_init (&iter, json_node_get_object (options));
  while (json_object_iter_next (&iter, &name, &value))
    tb_report_set_option (report, name, json_node_copy (value));
  tb_report_set_uncertainty (report, self->lost_events, self->lost_ns);
  for (guint i = 0; warnings[i] != NULL; i++)
    tb_report_add_warning (report, warnings[i]);
  for (guint i = 0; i < self->warnings->len; i++)
    tb_report_add_warning (report, g_ptr_array_index (self->warnings, i));
  for (guint i = 0; remarks[i] != NULL; i++)
    tb_report_add_remark (report, remarks[i]);
  for (guint i = 0; i < self->remarks->len; i++)
    tb_report_add_remark (report, g_ptr_array_index (self->remarks, i));
  copy_scope (report, self->report);
  tb_report_set_summary (report, make_summary (self));
  add_findings (self, report);
  tb_report_add_figure (report, make_table (self));
  for (guint i = 0; i < tb_report_get_n_figures (self->report); i++)
    tb_report_add_figure (report, g_object_ref (tb_report_get_figure (self->report, i)));
  return report;
}

TbReport *
tb_comparison_merge (TbAnalysis *analysis,
                     TbComparison *comparison,
                     TbProgressFunc progress,
                     gpointer data,
                     GCancellable *cancellable,
                     GError **error)
{
  g_auto (Merge) self = { .analysis = analysis, .comparison = comparison };

  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    self.n[side] = tb_comparison_get_n (comparison, side);
  self.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.all = g_ptr_array_new_with_free_func (difference_free);
  self.warnings = g_ptr_array_new_with_free_func (g_free);
  self.remarks = g_ptr_array_new_with_free_func (g_free);
  if (!compare_pairs (&self, progress, data, cancellable, error))
    return NULL;
  measure_spreads (&self);
  return make_report (&self);
}
