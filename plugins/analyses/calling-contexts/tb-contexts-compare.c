/* tb-contexts-compare.c: the calling contexts of two recordings beside each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-compare.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/flame/tb-flame-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-contexts-figures.h"
#include "tb-contexts-findings.h"
#include "tb-contexts-json.h"
#include "tb-contexts-match.h"

#define MAX_FINDINGS 5
#define HIGH_SHARE 0.3
#define LEAST_SHARE 0.01
/* Of what differs: less is drawn nowhere. */
#define LEAST_DRAWN 0.00005

static const TbContextsPair *
get_pair (const TbContextsMatch *self, guint32 pair)
{
  return &g_array_index (self->pairs, TbContextsPair, pair);
}

/* --- roll-ups of both --- */

typedef struct
{
  const TbContextsRollup *of[TB_CONTEXTS_N_SIDES];
  gint64 own[TB_CONTEXTS_N_SIDES];
} Rollup;

static char *
name_rollup (const TbContextsRollup *rollup)
{
  return rollup->function != NULL ? tb_contexts_name_function (rollup->function, rollup->module)
                                  : g_strdup (rollup->module);
}

static int
compare_rollups (gconstpointer a, gconstpointer b)
{
  const Rollup *left = a, *right = b;
  gint64 left_delta = left->own[1] - left->own[0], right_delta = right->own[1] - right->own[0];

  if (left_delta != right_delta)
    return left_delta > right_delta ? -1 : 1;
  return 0;
}

static GArray *
match_rollups (const GArray *base, const GArray *other, double scale)
{
  GArray *rollups = g_array_new (FALSE, FALSE, sizeof (Rollup));
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const GArray *const sides[] = { base, other };

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < sides[side]->len; i++)
      {
        const TbContextsRollup *rollup = &g_array_index (sides[side], TbContextsRollup, i);
        char *name = name_rollup (rollup);
        gpointer found = g_hash_table_lookup (known, name);
        Rollup *both;

        if (found == NULL)
          {
            g_array_set_size (rollups, rollups->len + 1);
            both = &g_array_index (rollups, Rollup, rollups->len - 1);
            *both = (Rollup) { 0 };
            g_hash_table_insert (known, name, GUINT_TO_POINTER (rollups->len));
          }
        else
          {
            both = &g_array_index (rollups, Rollup, GPOINTER_TO_UINT (found) - 1);
            g_free (name);
          }
        both->of[side] = rollup;
        both->own[side] += llround (rollup->own * (side == TB_CONTEXTS_OTHER ? scale : 1));
      }
  g_array_sort (rollups, compare_rollups);
  return rollups;
}

static const TbContextsRollup *
get_any (const Rollup *rollup)
{
  return rollup->of[1] != NULL ? rollup->of[1] : rollup->of[0];
}

/* --- JSON --- */

static guint32 *
get_path (const TbContextsMatch *self, guint32 pair, guint *n)
{
  guint32 *path;
  guint i = 0;

  *n = 0;
  for (guint32 at = pair; at != 0; at = get_pair (self, at)->parent)
    ++*n;
  path = g_new (guint32, MAX (*n, 1));
  for (; pair != 0; pair = get_pair (self, pair)->parent)
    path[*n - 1 - i++] = pair;
  return path;
}

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
  const TbContextsSummary *other = self->sides[TB_CONTEXTS_OTHER];
  guint32 there = at->of[TB_CONTEXTS_OTHER], node;
  const TbContextsSummary *summary = tb_contexts_match_locate (self, pair, &node);
  TbContextNode context;

  tb_context_tree_get_node (summary->context_tree, node, &context);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "function");
  json_builder_add_string_value (builder, context.function);
  tb_contexts_json_add_string (builder, "module", context.module);
  add_optional (builder, "own_ns", there != 0, at->own[TB_CONTEXTS_OTHER]);
  add_optional (builder, "total_ns", there != 0,
                there != 0 ? other->nodes[there].total[other->options.estimate] * self->scale : 0);
  add_optional (builder, "count", there != 0, there != 0 ? (double) other->nodes[there].count : 0);
  json_builder_set_member_name (builder, "hot");
  json_builder_add_boolean_value (builder, hot);
  add_optional (builder, "base_own_ns", at->of[TB_CONTEXTS_BASE] != 0, at->own[TB_CONTEXTS_BASE]);
  json_builder_end_object (builder);
}

static void
add_paths (JsonBuilder *builder, const TbContextsMatch *self, const char *member, const GArray *paths)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (paths, TbContextsDifference, i);
      const TbContextsPair *pair = get_pair (self, path->pair);
      guint n;
      g_autofree guint32 *pairs = get_path (self, path->pair, &n);

      json_builder_begin_object (builder);
      tb_contexts_json_add_integer (builder, "rank", i + 1);
      tb_contexts_json_add_integer (builder, "cost_ns", llround (path->cost));
      tb_contexts_json_add_double (builder, "share", path->share);
      add_optional (builder, "base_ns", pair->of[TB_CONTEXTS_BASE] != 0, pair->sum[TB_CONTEXTS_BASE]);
      add_optional (builder, "other_ns", pair->of[TB_CONTEXTS_OTHER] != 0, pair->sum[TB_CONTEXTS_OTHER]);
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
add_rollups (JsonBuilder *builder, const char *member, const GArray *rollups, guint top)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < rollups->len && (top == 0 || i < top); i++)
    {
      const Rollup *rollup = &g_array_index (rollups, Rollup, i);
      const TbContextsRollup *any = get_any (rollup), *there = rollup->of[TB_CONTEXTS_OTHER];

      json_builder_begin_object (builder);
      if (any->function != NULL)
        tb_contexts_json_add_string (builder, "function", any->function);
      tb_contexts_json_add_string (builder, "module", any->module);
      add_optional (builder, "own_ns", there != NULL, rollup->own[TB_CONTEXTS_OTHER]);
      add_optional (builder, "base_ns", rollup->of[TB_CONTEXTS_BASE] != NULL, rollup->own[TB_CONTEXTS_BASE]);
      add_optional (builder, "count", there != NULL, there != NULL ? (double) there->count : 0);
      if (any->function != NULL)
        add_optional (builder, "mean_ns", there != NULL && there->count > 0,
                      there != NULL && there->count > 0 ? (double) there->total / there->count : 0);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The paths and the modules, in the words of every comparison. */
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
  g_autofree guint32 *pairs = get_path (self, pair, &n);
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
add_differences (JsonBuilder *builder, const TbContextsMatch *self, const GArray *modules)
{
  const GArray *const lists[] = { self->paths, self->gains };

  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint i = 0; i < lists[list]->len; i++)
      {
        const TbContextsDifference *path = &g_array_index (lists[list], TbContextsDifference, i);
        const TbContextsPair *pair = get_pair (self, path->pair);
        g_autofree char *id = join_path (self, path->pair);

        add_difference (builder, "path_ns", id, path->cost > 0 && !path->is_equal ? 0 : pair->sum[0],
                        path->cost < 0 && !path->is_equal ? 0 : pair->sum[1], path->low, path->high,
                        path->within_noise);
      }
  for (guint i = 0; i < modules->len; i++)
    {
      const Rollup *rollup = &g_array_index (modules, Rollup, i);

      add_difference (builder, "module_ns", get_any (rollup)->module, rollup->own[0], rollup->own[1], NAN,
                      NAN, rollup->own[0] == rollup->own[1]);
    }
  json_builder_end_array (builder);
}

static JsonNode *
make_summary (const TbContextsMatch *self,
              const GArray *modules,
              const GArray *functions,
              const char *normalized_by)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "base");
  json_builder_add_value (builder, tb_contexts_summary_to_json (self->sides[TB_CONTEXTS_BASE]));
  json_builder_set_member_name (builder, "other");
  json_builder_add_value (builder, tb_contexts_summary_to_json (self->sides[TB_CONTEXTS_OTHER]));
  tb_contexts_json_add_string (builder, "normalized_by", normalized_by);
  add_differences (builder, self, modules);
  tb_contexts_json_add_facts (builder, self->sides[TB_CONTEXTS_OTHER]);
  add_paths (builder, self, "paths", self->paths);
  add_paths (builder, self, "gains", self->gains);
  add_rollups (builder, "modules", modules, 0);
  add_rollups (builder, "functions_top", functions, self->sides[TB_CONTEXTS_OTHER]->options.top);
  tb_contexts_json_add_integer (builder, "nodes_in_both", (gint64) self->n_common);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- figures --- */

static char *
label_pair (const TbContextsMatch *self, guint32 pair)
{
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (self, pair, &node);
  TbContextNode context;

  tb_context_tree_get_node (summary->context_tree, node, &context);
  return tb_contexts_name_function (context.function, context.module);
}

static TbFigure *
make_paths (const TbContextsMatch *self)
{
  TbTableFigure *table = tb_table_figure_new ("paths", _ ("Paths that Differ"));
  guint rank = tb_table_figure_add_column (table, "rank", _ ("Rank"), TB_CELL_COUNT);
  guint hot = tb_table_figure_add_column (table, "hot", _ ("Grew Most"), TB_CELL_TEXT);
  guint leaf = tb_table_figure_add_column (table, "leaf", _ ("Innermost"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base"), TB_CELL_DURATION);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other"), TB_CELL_DURATION);
  guint cost = tb_table_figure_add_column (table, "cost", _ ("Difference"), TB_CELL_DURATION);
  guint share = tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);
  guint noise = tb_table_figure_add_column (table, "within_noise", _ ("More than Noise"), TB_CELL_TEXT);

  for (guint i = 0; i < self->paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (self->paths, TbContextsDifference, i);
      const TbContextsPair *pair = get_pair (self, path->pair);
      g_autofree char *item = tb_contexts_name_path (i);
      g_autofree char *hot_name = label_pair (self, path->hot);
      g_autofree char *leaf_name = label_pair (self, path->pair);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_integer (table, row, rank, i + 1);
      tb_table_figure_set_text (table, row, hot, hot_name);
      tb_table_figure_set_text (table, row, leaf, leaf_name);
      if (pair->of[TB_CONTEXTS_BASE] != 0)
        tb_table_figure_set_integer (table, row, base, llround (pair->sum[TB_CONTEXTS_BASE]));
      tb_table_figure_set_integer (table, row, other, llround (pair->sum[TB_CONTEXTS_OTHER]));
      tb_table_figure_set_integer (table, row, cost, llround (path->cost));
      tb_table_figure_set_double (table, row, share, path->share);
      tb_table_figure_set_text (table, row, noise, path->within_noise ? _ ("no") : _ ("yes"));
    }
  return TB_FIGURE (table);
}

static TbFigure *
make_rollup (const GArray *rollups, const char *id, const char *title, guint top)
{
  TbTableFigure *table = tb_table_figure_new (id, title);
  guint name = tb_table_figure_add_column (table, "name", _ ("Name"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base"), TB_CELL_DURATION);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other"), TB_CELL_DURATION);
  guint delta = tb_table_figure_add_column (table, "delta", _ ("Difference"), TB_CELL_DURATION);

  for (guint i = 0; i < rollups->len && (top == 0 || i < top); i++)
    {
      const Rollup *rollup = &g_array_index (rollups, Rollup, i);
      g_autofree char *item = name_rollup (get_any (rollup));
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, name, *item != '\0' ? item : _ ("unknown module"));
      tb_table_figure_set_integer (table, row, base, rollup->own[0]);
      tb_table_figure_set_integer (table, row, other, rollup->own[1]);
      tb_table_figure_set_integer (table, row, delta, rollup->own[1] - rollup->own[0]);
    }
  return TB_FIGURE (table);
}

/* What one side takes itself beyond the other, on the callers of it. */
static TbFigure *
make_flame (const TbContextsMatch *self, TbContextsSide side, const char *id, const char *title)
{
  TbFlameFigure *figure = tb_flame_figure_new (id, title, "ns");
  guint n = self->pairs->len;
  g_autofree double *more = g_new0 (double, n);
  g_autofree guint32 *place = g_new (guint32, n);

  for (guint32 i = n; i-- > 1;)
    {
      const TbContextsPair *pair = get_pair (self, i);

      more[i] += MAX (pair->own[side] - pair->own[!side], 0);
      more[pair->parent] += more[i];
    }
  place[0] = TB_ID_NONE;
  for (guint32 i = 1; i < n; i++)
    {
      const TbContextsPair *pair = get_pair (self, i);
      double own = MAX (pair->own[side] - pair->own[!side], 0);
      const TbContextsSummary *summary;
      TbContextNode context;
      guint32 node;

      place[i] = TB_ID_NONE;
      if (more[i] <= more[0] * LEAST_DRAWN || (pair->parent != 0 && place[pair->parent] == TB_ID_NONE))
        continue;
      summary = tb_contexts_match_locate (self, i, &node);
      tb_context_tree_get_node (summary->context_tree, node, &context);
      place[i]
          = tb_flame_figure_add_node (figure, place[pair->parent], context.function, context.module,
                                      context.kernel ? TB_FLAME_KERNEL : TB_FLAME_USER,
                                      (guint64) llround (own),
                                      pair->of[side] != 0 ? self->sides[side]->nodes[pair->of[side]].count
                                                          : 0);
    }
  return TB_FIGURE (figure);
}

/* --- findings --- */

static void
add_finding (TbReport *report, const TbContextsMatch *self, const TbContextsDifference *path, guint rank)
{
  const TbContextsPair *hot = get_pair (self, path->hot);
  double grown = hot->own[TB_CONTEXTS_OTHER] - hot->own[TB_CONTEXTS_BASE], share = grown / self->grown;
  g_autofree char *item = tb_contexts_name_path (rank);
  g_autofree char *more = tb_format_duration (llround (grown));
  g_autofree char *share_text = tb_format_share (share);
  g_autofree char *place = NULL;
  g_autofree char *text = NULL;
  TbContextsSummary *summary;
  TbFinding *finding;
  guint32 node;

  summary = tb_contexts_match_locate (self, path->hot, &node);
  place = tb_contexts_describe_place (summary, node);
  text = g_strdup_printf (_ ("%s costs %s more than in the base recording (%s of what grew)."), place, more,
                          share_text);
  finding = tb_finding_new (share >= HIGH_SHARE ? TB_SEVERITY_HIGH : TB_SEVERITY_MEDIUM, text,
                            llround (grown), share);
  if (summary == self->sides[TB_CONTEXTS_OTHER])
    {
      tb_finding_set_range (finding, summary->nodes[node].longest_from, summary->nodes[node].longest_to);
      tb_finding_add_thread (finding, summary->nodes[node].longest_thread);
    }
  tb_finding_set_place (finding, "paths", item);
  tb_report_add_finding (report, finding);
}

static void
add_findings (TbReport *report, const TbContextsMatch *self)
{
  g_autoptr (GHashTable) told = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->paths->len && g_hash_table_size (told) < MAX_FINDINGS; i++)
    {
      const TbContextsDifference *path = &g_array_index (self->paths, TbContextsDifference, i);
      const TbContextsPair *hot = get_pair (self, path->hot);

      if (path->within_noise || path->cost <= 0
          || hot->own[TB_CONTEXTS_OTHER] - hot->own[TB_CONTEXTS_BASE] <= self->grown * LEAST_SHARE
          || !g_hash_table_add (told, GUINT_TO_POINTER (path->hot)))
        continue;
      add_finding (report, self, path, i);
    }
  if (g_hash_table_size (told) == 0)
    tb_report_add_finding (report, tb_finding_new (TB_SEVERITY_INFO,
                                                   _ ("No path costs more by more than noise."), 0, 0));
}

/* Builds that differ have other offsets, and maybe other functions, of the same names. Either recording may have several
 * of one name, of a container for instance: told is of those that the base does not have at all. */
static void
warn_of_builds (TbReport *report, const TbContextsMatch *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      guint n;
      const TbModule *modules = tb_session_get_modules (tb_trace_get_session (self->sides[side]->trace), &n);

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
                   && g_hash_table_add (told, g_strdup (name)))
            {
              g_autofree char *warning = g_strdup_printf (
                  _ ("The recordings have different builds of %s: its functions are matched by name."), name);

              tb_report_add_warning (report, warning);
            }
        }
    }
  if (self->n_common == 0)
    tb_report_add_warning (
        report, _ ("The recordings have no calling context in common: everything counts in full."));
}

void
tb_contexts_compare (TbReport *report,
                     TbContextsSummary *base,
                     TbContextsSummary *other,
                     double scale,
                     const char *normalized_by)
{
  g_autoptr (TbContextsMatch) match = tb_contexts_match_new (base, other, scale);
  g_autoptr (GArray) modules = match_rollups (base->modules, other->modules, scale);
  g_autoptr (GArray) functions = match_rollups (base->functions, other->functions, scale);

  tb_report_set_summary (report, make_summary (match, modules, functions, normalized_by));
  warn_of_builds (report, match);
  add_findings (report, match);
  tb_report_add_figure (report, make_paths (match));
  tb_report_add_figure (report, make_flame (match, TB_CONTEXTS_OTHER, "slower", _ ("What grew")));
  tb_report_add_figure (report, make_flame (match, TB_CONTEXTS_BASE, "faster", _ ("What shrank")));
  tb_report_add_figure (report, make_rollup (functions, "functions", _ ("Functions"), other->options.top));
  tb_report_add_figure (report, make_rollup (modules, "modules", _ ("Modules"), other->options.top));
}
