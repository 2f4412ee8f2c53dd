/* tb-wait-compare.c: comparison of the wait graphs of two recordings, added to a report as JSON,
 * table and findings: difference of each edge's waits, of the work rate, of workers and background
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/table/tb-table-figure.h"
#include "tb-wait-compare.h"
#include "tb-wait-json.h"
#include "graph/tb-wait-roles.h"

/* Smaller differences are due to chance. */
#define NOISE_SHARE 0.05
#define NOISE_LEAST (G_GINT64_CONSTANT (1000000))
#define NAMES_SHOWN 6
#define NAMES_MAX 100

typedef struct
{
  char *id; /* "A > B", by the names that both recordings share */
  gint64 weight[2];
  gint64 plain[2];
  gboolean in_knot[2];
} Pair;

typedef struct
{
  const TbWaitResult *results[2];
  double scale; /* of the other recording */
  const char *normalized_by;
  double unmatched_share[2]; /* share of waiting without a known end */
  GHashTable *pairs;
  GPtrArray *sorted;
  const TbWaitVertexMatch *same;
  const TbWaitRoles *roles;
} Comparison;

static void
pair_free (gpointer data)
{
  Pair *pair = data;

  g_free (pair->id);
  g_free (pair);
}

static Pair *
get_pair (Comparison *self, const TbWaitResult *result, const TbWaitArc *arc)
{
  const TbWaitVertex *from = tb_wait_graph_get_vertex (result->graph, arc->from);
  const TbWaitVertex *to = tb_wait_graph_get_vertex (result->graph, arc->to);
  g_autofree char *id
      = g_strdup_printf ("%s > %s", tb_wait_vertex_match_get_name (self->same, from),
                         tb_wait_vertex_match_get_name (self->same, to));
  Pair *pair = g_hash_table_lookup (self->pairs, id);

  if (pair != NULL)
    return pair;
  pair = g_new0 (Pair, 1);
  pair->id = g_steal_pointer (&id);
  g_hash_table_insert (self->pairs, pair->id, pair);
  g_ptr_array_add (self->sorted, pair);
  return pair;
}

static void
gather (Comparison *self, guint side)
{
  const TbWaitResult *result = self->results[side];
  double scale = side == 1 ? self->scale : 1;
  gint64 lost;

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (result->graph, i);
      Pair *pair = get_pair (self, result, arc);

      pair->weight[side] += (gint64) ((double) arc->weight * scale + 0.5);
      pair->plain[side] += (gint64) ((double) arc->plain * scale + 0.5);
    }
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const GArray *arcs = tb_wait_knots_get_bottleneck (result->knots, i)->arcs;

      for (guint j = 0; j < arcs->len; j++)
        get_pair (self, result,
                  tb_wait_graph_get_arc (result->graph, g_array_index (arcs, guint32, j)))
            ->in_knot[side]
            = TRUE;
    }
  tb_wait_result_count_lost (result, &lost, &self->unmatched_share[side]);
}

static void
find_scale (Comparison *self)
{
  const TbWaitWork *base = self->results[0]->work, *other = self->results[1]->work;

  if (self->normalized_by != NULL)
    return;
  if (base != NULL && other != NULL && g_str_equal (base->unit, other->unit) && base->count > 0
      && other->count > 0)
    {
      self->scale = (double) base->count / (double) other->count;
      self->normalized_by = "work";
      return;
    }
  self->scale = (double) self->results[0]->recorded / (double) self->results[1]->recorded;
  self->normalized_by = "recorded_ns";
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *left = *(const Pair *const *) a, *right = *(const Pair *const *) b;
  gint64 left_delta = ABS (left->weight[1] - left->weight[0]);
  gint64 right_delta = ABS (right->weight[1] - right->weight[0]);

  if (left_delta != right_delta)
    return left_delta > right_delta ? -1 : 1;
  return g_strcmp0 (left->id, right->id);
}

/* --- JSON --- */

static void
add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

/* Gets the range of a difference. Any waiting without a known end could belong to this edge. */
static gboolean
find_range (const Comparison *self, const gint64 *values, gint64 *low, gint64 *high)
{
  gint64 delta = values[1] - values[0];
  gint64 noise = MAX (NOISE_LEAST, (gint64) (NOISE_SHARE * (double) MAX (values[0], values[1])));

  *low = delta - (gint64) (self->unmatched_share[0] * (double) values[0]);
  *high = delta + (gint64) (self->unmatched_share[1] * (double) values[1]);
  return *low <= noise && *high >= -noise;
}

static void
add_difference (const Comparison *self,
                JsonBuilder *builder,
                const char *what,
                const char *id,
                const gint64 *values)
{
  gint64 low, high;
  gboolean within_noise = find_range (self, values, &low, &high);

  json_builder_begin_object (builder);
  add_string (builder, "what", what);
  add_string (builder, "id", id);
  add_integer (builder, "base", values[0]);
  add_integer (builder, "other", values[1]);
  add_integer (builder, "delta", values[1] - values[0]);
  add_integer (builder, "low", low);
  add_integer (builder, "high", high);
  json_builder_set_member_name (builder, "within_noise");
  json_builder_add_boolean_value (builder, within_noise);
  json_builder_end_object (builder);
}

static void
add_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

/* null where the throughputs are not known or differ too little. */
static void
add_roles (const Comparison *self, JsonBuilder *builder)
{
  static const char *const names[] = { "unknown", "worker", "background" };

  json_builder_set_member_name (builder, "roles");
  if (!self->roles->is_known)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->roles->all->len; i++)
    {
      const TbWaitVertexRole *of = g_ptr_array_index (self->roles->all, i);

      json_builder_begin_object (builder);
      add_string (builder, "name", of->name);
      add_string (builder, "role", names[of->role]);
      add_double (builder, "growth", of->growth);
      add_integer (builder, "rounds_base", (gint64) of->rounds[0]);
      add_integer (builder, "rounds_other", (gint64) of->rounds[1]);
      add_integer (builder, "running_base_ns", of->running[0]);
      add_integer (builder, "running_other_ns", of->running[1]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static JsonNode *
make_summary (const Comparison *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "base");
  json_builder_add_value (builder, tb_wait_result_to_json (self->results[0]));
  json_builder_set_member_name (builder, "other");
  json_builder_add_value (builder, tb_wait_result_to_json (self->results[1]));
  json_builder_set_member_name (builder, "normalized_by");
  if (*self->normalized_by != '\0')
    json_builder_add_string_value (builder, self->normalized_by);
  else
    json_builder_add_null_value (builder);
  add_roles (self, builder);
  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->sorted->len; i++)
    {
      const Pair *pair = g_ptr_array_index (self->sorted, i);

      add_difference (self, builder, "weight_ns", pair->id, pair->weight);
      add_difference (self, builder, "plain_ns", pair->id, pair->plain);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* --- table and findings --- */

static TbFigure *
make_table (const Comparison *self)
{
  TbTableFigure *table = tb_table_figure_new ("differences", _ ("Waits Before and After"));
  guint edge = tb_table_figure_add_column (table, "edge", _ ("Edge"), TB_CELL_TEXT);
  guint before
      = tb_table_figure_add_column (table, "base", _ ("Delay of Others, Before"), TB_CELL_DURATION);
  guint after
      = tb_table_figure_add_column (table, "other", _ ("Delay of Others, After"), TB_CELL_DURATION);
  guint plain_before
      = tb_table_figure_add_column (table, "plain_base", _ ("Waited, Before"), TB_CELL_DURATION);
  guint plain_after
      = tb_table_figure_add_column (table, "plain_other", _ ("Waited, After"), TB_CELL_DURATION);
  guint knot = tb_table_figure_add_column (table, "bottleneck", _ ("Bottleneck"), TB_CELL_TEXT);

  for (guint i = 0; i < self->sorted->len; i++)
    {
      const Pair *pair = g_ptr_array_index (self->sorted, i);
      guint row = tb_table_figure_add_row (table, pair->id);

      tb_table_figure_set_text (table, row, edge, pair->id);
      tb_table_figure_set_integer (table, row, before, pair->weight[0]);
      tb_table_figure_set_integer (table, row, after, pair->weight[1]);
      tb_table_figure_set_integer (table, row, plain_before, pair->plain[0]);
      tb_table_figure_set_integer (table, row, plain_after, pair->plain[1]);
      if (pair->in_knot[0] || pair->in_knot[1])
        tb_table_figure_set_text (table, row, knot,
                                  pair->in_knot[0] && pair->in_knot[1] ? _ ("before and after")
                                  : pair->in_knot[0]                   ? _ ("before only")
                                                                       : _ ("after only"));
    }
  return TB_FIGURE (table);
}

static void
add_work_finding (const Comparison *self, TbReport *report)
{
  const TbWaitWork *base = self->results[0]->work, *other = self->results[1]->work;
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (base == NULL || other == NULL || !g_str_equal (base->unit, other->unit)
      || base->per_second <= 0)
    return;
  text = g_strdup_printf (
      _ ("%.4g units of work a second (%s) instead of %.4g: %.2f times as many."),
      other->per_second, base->unit, base->per_second, other->per_second / base->per_second);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, self->results[0]->recorded, NAN);
  tb_finding_set_code (finding, "work-rate-change");
  tb_finding_set_string (finding, "unit", base->unit);
  tb_finding_set_number (finding, "base_per_second", base->per_second);
  tb_finding_set_number (finding, "other_per_second", other->per_second);
  tb_finding_set_number (finding, "factor", other->per_second / base->per_second);
  tb_report_add_finding (report, finding);
}

static void
set_roles (const Comparison *self, TbFinding *finding, guint n_workers)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint n;

  for (guint i = 0; i < self->roles->all->len; i++)
    {
      const TbWaitVertexRole *of = g_ptr_array_index (self->roles->all, i);

      if (of->role == TB_WAIT_ROLE_BACKGROUND)
        g_ptr_array_add (names, of->name);
    }
  n = names->len;
  g_ptr_array_set_size (names, (int) MIN (n, NAMES_MAX));
  g_ptr_array_add (names, NULL);
  tb_finding_set_code (finding, n > 0 ? "background-threads" : "no-background-threads");
  tb_finding_set_number (finding, "factor", self->roles->growth);
  tb_finding_set_integer (finding, "workers", n_workers);
  tb_finding_set_strings (finding, "names", (const char *const *) names->pdata);
  tb_finding_set_integer (finding, "count", n);
}

/* Adds which vertices are in the background and which are workers. This overrides the rule for one
 * recording. */
static void
add_roles_finding (const Comparison *self, TbReport *report)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *text = NULL;
  guint n = 0, n_workers = 0;
  TbFinding *finding;

  if (!self->roles->is_known)
    return;
  for (guint i = 0; i < self->roles->all->len; i++)
    {
      const TbWaitVertexRole *of = g_ptr_array_index (self->roles->all, i);

      n_workers += of->role == TB_WAIT_ROLE_WORKER;
      if (of->role != TB_WAIT_ROLE_BACKGROUND)
        continue;
      if (n < NAMES_SHOWN)
        g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", of->name);
      n++;
    }
  if (n > NAMES_SHOWN)
    g_string_append_printf (names,
                            ngettext (" and %'u more vertex", " and %'u more vertices",
                                      n - NAMES_SHOWN),
                            n - NAMES_SHOWN);
  text = n > 0 ? g_strdup_printf (
                     _ ("The throughput differs by a factor of %.2f, which distinguishes workers "
                        "from the "
                        "background. Workers, which do more at the higher throughput: %'u. In the "
                        "background, with no need to be improved: %s. This overrules what each "
                        "recording "
                        "by itself suggests."),
                     self->roles->growth, n_workers, names->str)
               : g_strdup_printf (
                     _ ("The throughput differs by a factor of %.2f, which distinguishes workers "
                        "from the background. Workers, which do more at the higher throughput: "
                        "%'u. In the background: none."),
                     self->roles->growth, n_workers);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  set_roles (self, finding, n_workers);
  tb_report_add_finding (report, finding);
}

static TbFinding *
make_pair_finding (const Pair *pair)
{
  g_autofree char *before = tb_format_duration (pair->weight[0]);
  g_autofree char *after = tb_format_duration (pair->weight[1]);
  g_autofree char *text = NULL;
  const char *code;
  TbFinding *finding;

  if (pair->in_knot[0] && !pair->in_knot[1])
    {
      code = "bottleneck-edge-gone";
      text = g_strdup_printf (
          _ ("%s is no longer part of a bottleneck: it delays others by %s instead of %s."),
          pair->id, after, before);
    }
  else if (pair->in_knot[1] && !pair->in_knot[0])
    {
      code = "bottleneck-edge-new";
      text = g_strdup_printf (
          _ ("%s has become part of a bottleneck: it delays others by %s instead of %s."), pair->id,
          after, before);
    }
  else
    {
      code = "bottleneck-edge-kept";
      text = g_strdup_printf (
          _ ("%s is still part of a bottleneck: it delays others by %s instead of %s."), pair->id,
          after, before);
    }
  finding = tb_finding_new (TB_SEVERITY_MEDIUM, text, ABS (pair->weight[1] - pair->weight[0]), NAN);
  tb_finding_set_code (finding, code);
  tb_finding_set_string (finding, "edge", pair->id);
  tb_finding_set_time (finding, "base_delay_ns", pair->weight[0]);
  tb_finding_set_time (finding, "other_delay_ns", pair->weight[1]);
  tb_finding_set_place (finding, "differences", pair->id);
  return finding;
}

static void
add_findings (const Comparison *self, TbReport *report)
{
  add_work_finding (self, report);
  add_roles_finding (self, report);
  for (guint i = 0; i < self->sorted->len; i++)
    {
      const Pair *pair = g_ptr_array_index (self->sorted, i);
      gint64 low, high;

      if ((pair->in_knot[0] || pair->in_knot[1]) && !find_range (self, pair->weight, &low, &high))
        tb_report_add_finding (report, make_pair_finding (pair));
    }
}

static void
apply_roles (const TbWaitRoles *roles, const TbWaitVertexMatch *same, TbWaitResult *result)
{
  g_autofree guint8 *of_vertices
      = roles->is_known ? tb_wait_roles_find (roles, same, result) : NULL;

  if (of_vertices != NULL)
    tb_wait_result_apply_roles (result, of_vertices);
}

void
tb_wait_compare (TbReport *report,
                 TbWaitResult *base,
                 TbWaitResult *other,
                 double scale,
                 const char *normalized_by)
{
  g_autoptr (TbWaitVertexMatch) same = tb_wait_vertex_match_new (base->graph, other->graph);
  g_autoptr (TbWaitRoles) roles = tb_wait_roles_new (base, other, same);
  Comparison self = { .results = { base, other },
                      .scale = scale,
                      .normalized_by = normalized_by,
                      .same = same,
                      .roles = roles };
  g_autoptr (GHashTable) pairs = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new_with_free_func (pair_free);

  self.pairs = pairs;
  self.sorted = sorted;
  apply_roles (roles, same, base);
  apply_roles (roles, same, other);
  find_scale (&self);
  gather (&self, 0);
  gather (&self, 1);
  g_ptr_array_sort (sorted, compare_pairs);
  tb_report_set_summary (report, make_summary (&self));
  tb_report_add_figure (report, make_table (&self));
  add_findings (&self, report);
}
