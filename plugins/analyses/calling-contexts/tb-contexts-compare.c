/* tb-contexts-compare.c: report of a comparison of calling contexts: pairs of the functions,
 * modules and layers of both sides (of paths: tb-contexts-match.c), JSON summary of what differs,
 * findings, warning of different builds; figures are in tb-contexts-compare-figures.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-compare.h"

#include <glib/gi18n.h>
#include <math.h>

#include "tb-contexts-compare-figures.h"
#include "tb-contexts-figures.h"
#include "tb-contexts-findings.h"
#include "tb-contexts-json.h"

#define MAX_FINDINGS 5
#define HIGH_SHARE 0.3
#define MIN_SHARE 0.01

static const TbContextsPair *
get_pair (const TbContextsMatch *self, guint32 pair)
{
  return tb_contexts_match_get_pair (self, pair);
}

/* --- roll-ups --- */

static char *
name_rollup (const TbContextsRollup *rollup)
{
  return rollup->function != NULL ? tb_contexts_name_function (rollup->function, rollup->module)
                                  : g_strdup (rollup->module);
}

static int
compare_rollups (gconstpointer a, gconstpointer b)
{
  const TbContextsRollupPair *left = a, *right = b;
  double left_delta = left->own[1] - left->own[0], right_delta = right->own[1] - right->own[0];

  if (left_delta != right_delta)
    return left_delta > right_delta ? -1 : 1;
  return 0;
}

typedef struct
{
  GArray *rollups; /* TbContextsRollupPair */
  GHashTable *known;
  guint n_recordings;
  GArray *values; /* double: own time of each roll-up in every recording */
} Rollups;

static TbContextsRollupPair *
get_rollup (Rollups *self, const TbContextsRollup *rollup)
{
  char *name = name_rollup (rollup);
  gpointer found = g_hash_table_lookup (self->known, name);

  if (found == NULL)
    {
      TbContextsRollupPair both = { .index = self->rollups->len };

      g_array_append_val (self->rollups, both);
      g_array_set_size (self->values, self->rollups->len * self->n_recordings);
      found = GUINT_TO_POINTER (self->rollups->len);
      g_hash_table_insert (self->known, name, found);
    }
  else
    g_free (name);
  return &g_array_index (self->rollups, TbContextsRollupPair, GPOINTER_TO_UINT (found) - 1);
}

static void
measure_rollup (TbContextsRollupPair *both, const double *values, guint n_bases, guint n_recordings)
{
  TbSpread spread;

  tb_spread_measure (values, n_bases, values + n_bases, n_recordings - n_bases, &spread);
  both->low = spread.low;
  both->high = spread.high;
  both->within_noise = spread.within_noise;
}

static const GArray *
get_functions (const TbContextsSummary *summary)
{
  return summary->functions;
}

static const GArray *
get_modules (const TbContextsSummary *summary)
{
  return summary->modules;
}

static const GArray *
get_layers (const TbContextsSummary *summary)
{
  return summary->by_layer;
}

static GArray *
match_rollups (const TbContextsMatch *match, const GArray *(*get_list) (const TbContextsSummary *) )
{
  Rollups self = { .rollups = g_array_new (FALSE, TRUE, sizeof (TbContextsRollupPair)),
                   .n_recordings = match->n_recordings };
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) values = g_array_new (FALSE, TRUE, sizeof (double));
  guint n_bases = match->recordings[TB_CONTEXTS_BASE]->len, column = 0;

  self.known = known;
  self.values = values;
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint r = 0; r < match->recordings[side]->len; r++, column++)
      {
        const TbContextsRecording *recording
            = &g_array_index (match->recordings[side], TbContextsRecording, r);
        const GArray *list = get_list (recording->summary);

        for (guint i = 0; i < list->len; i++)
          {
            const TbContextsRollup *rollup = &g_array_index (list, TbContextsRollup, i);
            TbContextsRollupPair *both = get_rollup (&self, rollup);
            double own = (double) rollup->own * recording->scale;

            if (both->of[side] == NULL)
              both->of[side] = rollup;
            both->own[side] += own / match->recordings[side]->len;
            g_array_index (values, double, (gsize) both->index *self.n_recordings + column) += own;
          }
      }
  for (guint i = 0; i < self.rollups->len; i++)
    measure_rollup (&g_array_index (self.rollups, TbContextsRollupPair, i),
                    &g_array_index (values, double, (gsize) i *self.n_recordings), n_bases,
                    self.n_recordings);
  g_array_sort (self.rollups, compare_rollups);
  return self.rollups;
}

static const TbContextsRollup *
get_any (const TbContextsRollupPair *rollup)
{
  return rollup->of[1] != NULL ? rollup->of[1] : rollup->of[0];
}

/* --- JSON --- */

static void
add_optional (JsonBuilder *builder, const char *member, gboolean is_known, double value)
{
  if (is_known && !isnan (value))
    tb_contexts_json_add_integer (builder, member, llround (value));
  else
    tb_contexts_json_add_null (builder, member);
}

static void
add_frame (JsonBuilder *builder, const TbContextsMatch *self, guint32 pair, gboolean hot)
{
  const TbContextsPair *at = get_pair (self, pair);
  gboolean there = at->of[TB_CONTEXTS_OTHER] != 0;
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (self, pair, &node);
  TbContextNode context;

  tb_context_tree_get_node (summary->context_tree, node, &context);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "function");
  json_builder_add_string_value (builder, context.function);
  tb_contexts_json_add_string (builder, "module", context.module);
  add_optional (builder, "own_ns", there, at->own[TB_CONTEXTS_OTHER]);
  add_optional (builder, "total_ns", there, at->total[TB_CONTEXTS_OTHER]);
  tb_contexts_json_add_counts (builder, summary->by_samples, there, summary->nodes[node].count);
  json_builder_set_member_name (builder, "hot");
  json_builder_add_boolean_value (builder, hot);
  add_optional (builder, "base_own_ns", at->of[TB_CONTEXTS_BASE] != 0, at->own[TB_CONTEXTS_BASE]);
  json_builder_end_object (builder);
}

static void
add_paths (JsonBuilder *builder,
           const TbContextsMatch *self,
           const char *member,
           const GArray *paths)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (paths, TbContextsDifference, i);
      const TbContextsPair *pair = get_pair (self, path->pair);
      guint n;
      g_autofree guint32 *pairs = tb_contexts_match_get_path (self, path->pair, &n);

      json_builder_begin_object (builder);
      tb_contexts_json_add_integer (builder, "rank", i + 1);
      tb_contexts_json_add_integer (builder, "cost_ns", llround (path->cost));
      tb_contexts_json_add_double (builder, "share", path->share);
      add_optional (builder, "base_ns", pair->of[TB_CONTEXTS_BASE] != 0,
                    pair->sum[TB_CONTEXTS_BASE]);
      add_optional (builder, "other_ns", pair->of[TB_CONTEXTS_OTHER] != 0,
                    pair->sum[TB_CONTEXTS_OTHER]);
      add_optional (builder, "low_ns", TRUE, path->low);
      add_optional (builder, "high_ns", TRUE, path->high);
      json_builder_set_member_name (builder, "within_noise");
      json_builder_add_boolean_value (builder, path->within_noise);
      json_builder_set_member_name (builder, "frames");
      json_builder_begin_array (builder);
      for (guint k = 0; k < n; k++)
        add_frame (builder, self, pairs[k], pairs[k] == path->hot);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_rollups (JsonBuilder *builder,
             const TbContextsSummary *summary,
             const char *member,
             const GArray *rollups,
             guint top)
{
  gboolean by_samples = summary->by_samples;

  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < rollups->len && (top == 0 || i < top); i++)
    {
      const TbContextsRollupPair *rollup = &g_array_index (rollups, TbContextsRollupPair, i);
      const TbContextsRollup *any = get_any (rollup), *there = rollup->of[TB_CONTEXTS_OTHER];

      json_builder_begin_object (builder);
      if (any->function != NULL)
        tb_contexts_json_add_string (builder, "function", any->function);
      tb_contexts_json_add_string (builder, "module", any->module);
      add_optional (builder, "own_ns", there != NULL, rollup->own[TB_CONTEXTS_OTHER]);
      add_optional (builder, "base_ns", rollup->of[TB_CONTEXTS_BASE] != NULL,
                    rollup->own[TB_CONTEXTS_BASE]);
      tb_contexts_json_add_counts (builder, by_samples, there != NULL,
                                   there != NULL ? there->count : 0);
      if (any->function != NULL)
        add_optional (builder, "mean_ns", !by_samples && there != NULL && there->count > 0,
                      there != NULL && there->count > 0 ? (double) there->total / there->count : 0);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Adds a path or module in the form that the JSON of every comparison has. */
static void
add_difference (JsonBuilder *builder,
                const char *what,
                const char *id,
                double base,
                double other,
                double low,
                double high,
                gboolean within_noise)
{
  json_builder_begin_object (builder);
  tb_contexts_json_add_string (builder, "what", what);
  json_builder_set_member_name (builder, "id");
  json_builder_add_string_value (builder, id);
  tb_contexts_json_add_integer (builder, "base", llround (base));
  tb_contexts_json_add_integer (builder, "other", llround (other));
  tb_contexts_json_add_integer (builder, "delta", llround (other) - llround (base));
  add_optional (builder, "low", TRUE, low);
  add_optional (builder, "high", TRUE, high);
  json_builder_set_member_name (builder, "within_noise");
  json_builder_add_boolean_value (builder, within_noise);
  json_builder_end_object (builder);
}

static char *
join_path (const TbContextsMatch *self, guint32 pair)
{
  guint n;
  g_autofree guint32 *pairs = tb_contexts_match_get_path (self, pair, &n);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      guint32 node;
      const TbContextsSummary *summary = tb_contexts_match_locate (self, pairs[i], &node);
      TbContextNode context;

      tb_context_tree_get_node (summary->context_tree, node, &context);
      g_string_append_printf (text, "%s%s", i > 0 ? ";" : "", context.function);
    }
  return g_string_free (text, FALSE);
}

static void
add_rollup_differences (JsonBuilder *builder, const char *what, const GArray *rollups)
{
  for (guint i = 0; i < rollups->len; i++)
    {
      const TbContextsRollupPair *rollup = &g_array_index (rollups, TbContextsRollupPair, i);

      add_difference (builder, what, get_any (rollup)->module, rollup->own[0], rollup->own[1],
                      rollup->low, rollup->high, rollup->within_noise);
    }
}

static void
add_differences (JsonBuilder *builder,
                 const TbContextsMatch *self,
                 const GArray *modules,
                 const GArray *layers)
{
  const GArray *const lists[] = { self->paths, self->gains };

  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint i = 0; i < lists[list]->len; i++)
      {
        const TbContextsDifference *path = &g_array_index (lists[list], TbContextsDifference, i);
        g_autofree char *id = join_path (self, path->pair);

        add_difference (builder, "path_ns", id, path->base, path->other, path->low, path->high,
                        path->within_noise);
      }
  add_rollup_differences (builder, "module_ns", modules);
  add_rollup_differences (builder, "layer_ns", layers);
  json_builder_end_array (builder);
}

static void
add_recordings (JsonBuilder *builder, const TbContextsMatch *self, TbComparison *comparison)
{
  static const char *const members[TB_CONTEXTS_N_SIDES] = { "base", "other" };

  json_builder_set_member_name (builder, "recordings");
  json_builder_begin_object (builder);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      json_builder_set_member_name (builder, members[side]);
      json_builder_begin_array (builder);
      for (guint i = 0; i < self->recordings[side]->len; i++)
        json_builder_add_string_value (builder, tb_comparison_get_name (comparison, side, i));
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

static JsonNode *
make_summary (const TbContextsMatch *self,
              TbComparison *comparison,
              const GArray *functions,
              const GArray *modules,
              const GArray *layers,
              const char *normalized_by)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  TbContextsSummary *other = self->sides[TB_CONTEXTS_OTHER];

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "base");
  json_builder_add_value (builder, tb_contexts_summary_to_json (self->sides[TB_CONTEXTS_BASE]));
  json_builder_set_member_name (builder, "other");
  json_builder_add_value (builder, tb_contexts_summary_to_json (other));
  tb_contexts_json_add_string (builder, "normalized_by",
                               *normalized_by != '\0' ? normalized_by : NULL);
  if (self->n_recordings > TB_CONTEXTS_N_SIDES)
    add_recordings (builder, self, comparison);
  add_differences (builder, self, modules, layers);
  tb_contexts_json_add_facts (builder, other);
  add_paths (builder, self, "paths", self->paths);
  add_paths (builder, self, "gains", self->gains);
  add_rollups (builder, other, "modules", modules, 0);
  add_rollups (builder, other, "functions_top", functions, other->options.top);
  tb_contexts_json_add_integer (builder, "nodes_in_both", (gint64) self->n_common);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- findings --- */

/* The name of the recording that findings compare with. NULL where there are several, or it has no
 * name. */
static const char *
get_base (TbComparison *comparison)
{
  const char *name = tb_comparison_get_name (comparison, TB_COMPARISON_BASE, 0);

  return tb_comparison_get_n (comparison, TB_COMPARISON_BASE) > 1 || name == NULL || *name == '\0'
             ? NULL
             : name;
}

static const char *
describe_base (TbComparison *comparison)
{
  const char *name = get_base (comparison);

  if (name != NULL)
    return name;
  return tb_comparison_get_n (comparison, TB_COMPARISON_BASE) > 1
             ? C_ ("more than in", "the base recordings")
             : C_ ("more than in", "the base recording");
}

/* Sets how much more something costs, and the recording that it is compared with. */
static void
set_growth (TbFinding *finding, TbComparison *comparison, double growth, double share)
{
  tb_finding_set_integer (finding, "delta_ns", llround (growth));
  tb_finding_set_number (finding, "share", share);
  tb_finding_set_string (finding, "base_recording", get_base (comparison));
  tb_finding_set_integer (finding, "base_recordings",
                          tb_comparison_get_n (comparison, TB_COMPARISON_BASE));
}

static void
add_finding (TbReport *report,
             const TbContextsMatch *self,
             TbComparison *comparison,
             const TbContextsDifference *path,
             guint rank)
{
  const TbContextsPair *hot = get_pair (self, path->hot);
  double growth = hot->own[TB_CONTEXTS_OTHER] - hot->own[TB_CONTEXTS_BASE],
         share = growth / self->growth;
  g_autofree char *item = tb_contexts_name_path (rank);
  g_autofree char *frame
      = g_strdup_printf ("%u/%u", rank + 1, tb_contexts_match_get_depth (self, path->hot) - 1);
  g_autofree char *more = tb_format_duration (llround (growth));
  g_autofree char *share_text = tb_format_share (share);
  g_autofree char *place = NULL;
  g_autofree char *text = NULL;
  TbContextsSummary *summary;
  TbFinding *finding;
  guint32 node;

  summary = tb_contexts_match_locate (self, path->hot, &node);
  place = tb_contexts_describe_place (summary, node);
  text = g_strdup_printf (
      /* Translators: a function, a time, a file or “the base recordings”, a share */
      _ ("%s costs %s more than in %s (%s of all growth)."), place, more,
      describe_base (comparison), share_text);
  finding = tb_finding_new (share >= HIGH_SHARE ? TB_SEVERITY_HIGH : TB_SEVERITY_MEDIUM, text,
                            llround (growth), share);
  tb_finding_set_code (finding, "context-growth");
  tb_contexts_set_place (finding, summary, node);
  set_growth (finding, comparison, growth, share);
  if (summary == self->sides[TB_CONTEXTS_OTHER] && !summary->by_samples)
    {
      tb_finding_set_range (finding, summary->longest[node].from, summary->longest[node].to);
      tb_finding_add_thread (finding, summary->longest[node].thread);
    }
  tb_finding_set_place (finding, "paths", item);
  tb_finding_add_place (finding, "frames", frame);
  tb_report_add_finding (report, finding);
}

/* modules: sorted by growth, largest first */
static void
add_module (TbReport *report,
            const TbContextsMatch *self,
            TbComparison *comparison,
            const GArray *modules)
{
  for (guint i = 0; i < modules->len; i++)
    {
      const TbContextsRollupPair *module = &g_array_index (modules, TbContextsRollupPair, i);
      const char *name = get_any (module)->module;
      double growth = module->own[1] - module->own[0], share = growth / self->growth;
      g_autofree char *more = NULL;
      g_autofree char *share_text = NULL;
      g_autofree char *text = NULL;
      TbFinding *finding;

      if (growth <= self->growth * MIN_SHARE)
        return;
      if (module->within_noise || *name == '\0')
        continue;
      more = tb_format_duration (llround (growth));
      share_text = tb_format_share (share);
      text = g_strdup_printf (
          /* Translators: a module, a time, a file or “the base recordings”, a share */
          _ ("%s is the module that grew most: its own functions cost %s more than in %s (%s of "
             "all growth)."),
          name, more, describe_base (comparison), share_text);
      finding = tb_finding_new (TB_SEVERITY_INFO, text, llround (growth), share);
      tb_finding_set_code (finding, "module-growth");
      tb_finding_set_string (finding, "module", name);
      set_growth (finding, comparison, growth, share);
      tb_finding_set_place (finding, "modules", name);
      tb_report_add_finding (report, finding);
      return;
    }
}

static void
add_no_difference (TbReport *report)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO,
                                       _ ("No path costs more than in the base by more than "
                                          "noise."),
                                       0, 0);

  tb_finding_set_code (finding, "no-difference");
  tb_report_add_finding (report, finding);
}

/* A word of a broken stack is no finding. */
static gboolean
is_place (const TbContextsMatch *self, guint32 pair)
{
  guint32 node;
  TbContextsSummary *summary = tb_contexts_match_locate (self, pair, &node);

  return tb_contexts_is_function (summary, node);
}

static void
add_findings (TbReport *report,
              const TbContextsMatch *self,
              TbComparison *comparison,
              const GArray *modules)
{
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->paths->len && g_hash_table_size (reported) < MAX_FINDINGS; i++)
    {
      const TbContextsDifference *path = &g_array_index (self->paths, TbContextsDifference, i);
      const TbContextsPair *hot = get_pair (self, path->hot);

      if (path->within_noise || path->cost <= 0
          || hot->own[TB_CONTEXTS_OTHER] - hot->own[TB_CONTEXTS_BASE] <= self->growth * MIN_SHARE
          || !is_place (self, path->hot)
          || !g_hash_table_add (reported, GUINT_TO_POINTER (path->hot)))
        continue;
      add_finding (report, self, comparison, path, i);
    }
  if (g_hash_table_size (reported) == 0)
    add_no_difference (report);
  else
    add_module (report, self, comparison, modules);
}

/* Different builds have other offsets and perhaps other functions of the same name. A recording may
 * have several builds of one name, for instance in containers. Only builds that no base recording
 * has are reported. */
static void
warn_of_builds (TbReport *report, const TbContextsMatch *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) reported = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint r = 0; r < self->recordings[side]->len; r++)
      {
        guint n;
        const TbContextsSummary *of
            = g_array_index (self->recordings[side], TbContextsRecording, r).summary;
        const TbModule *modules = tb_session_get_modules (tb_trace_get_session (of->trace), &n);

        for (guint i = 0; i < n; i++)
          {
            g_autofree char *name = g_path_get_basename (modules[i].path);
            g_autofree char *build = g_strdup_printf ("%s/%s", name, modules[i].build_id);

            if (modules[i].build_id[0] == '\0')
              continue;
            if (side == TB_CONTEXTS_BASE)
              {
                g_hash_table_add (known, g_steal_pointer (&name));
                g_hash_table_add (known, g_steal_pointer (&build));
              }
            else if (g_hash_table_contains (known, name) && !g_hash_table_contains (known, build)
                     && g_hash_table_add (reported, g_strdup (name)))
              {
                g_autofree char *warning
                    = g_strdup_printf (_ ("The recordings have different builds of %s: its "
                                          "functions are matched by name."),
                                       name);

                tb_report_add_warning (report, warning);
              }
          }
      }
  if (self->n_common == 0)
    tb_report_add_warning (
        report, _ ("The recordings have no calling context in common: everything counts in full."));
}

gboolean
tb_contexts_compare (TbReport *report,
                     TbComparison *comparison,
                     GArray *const *sides,
                     const char *normalized_by,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbContextsMatch) match = tb_contexts_match_new (sides);
  g_autoptr (GArray) functions = match_rollups (match, get_functions);
  g_autoptr (GArray) modules = match_rollups (match, get_modules);
  g_autoptr (GArray) layers = match_rollups (match, get_layers);

  tb_report_set_summary (report, make_summary (match, comparison, functions, modules, layers,
                                               normalized_by));
  warn_of_builds (report, match);
  add_findings (report, match, comparison, modules);
  return tb_contexts_add_compared_figures (report, match, functions, modules, layers, cancellable,
                                           error);
}
