/* tb-contexts-json.c: JSON summary of the calling contexts of one recording: paths, functions,
 * modules, coverage and accuracy; parts of it also serve comparisons
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-contexts-json.h"
#include "tb-contexts-samples.h"
#include "tb-contexts-accuracy.h"

const char *
tb_contexts_estimate_get_name (TbContextsEstimate estimate)
{
  static const char *const names[TB_CONTEXTS_N_ESTIMATES]
      = { "conservative", "aggressive", "refined" };

  return names[estimate];
}

/* Adds an integer, or null where it is not known. */
static void
add_known (JsonBuilder *builder, const char *member, gboolean is_known, gint64 value)
{
  if (is_known)
    tb_contexts_json_add_integer (builder, member, value);
  else
    tb_contexts_json_add_null (builder, member);
}

void
tb_contexts_json_add_counts (JsonBuilder *builder,
                             gboolean by_samples,
                             gboolean is_known,
                             guint64 count)
{
  add_known (builder, "count", is_known && !by_samples, (gint64) count);
  add_known (builder, "samples", is_known && by_samples, (gint64) count);
}

/* Adds a time as NAME_ns. A number of events is NAME_count, and there is no time. */
static void
add_cost (JsonBuilder *builder, gboolean is_count, const char *name, gint64 cost)
{
  g_autofree char *ns = g_strconcat (name, "_ns", NULL);
  g_autofree char *count = g_strconcat (name, "_count", NULL);

  add_known (builder, ns, !is_count, cost);
  if (is_count)
    tb_contexts_json_add_integer (builder, count, cost);
}

static void
add_estimates (JsonBuilder *builder, gboolean is_known, const char *member, const gint64 *values)
{
  if (!is_known)
    {
      tb_contexts_json_add_null (builder, member);
      return;
    }
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    tb_contexts_json_add_integer (builder, tb_contexts_estimate_get_name (i), values[i]);
  json_builder_end_object (builder);
}

void
tb_contexts_json_add_frame (JsonBuilder *builder,
                            const TbContextsSummary *self,
                            guint32 node,
                            gboolean hot)
{
  const TbContextsTotals *totals = &self->nodes[node];
  const gboolean is_count = tb_contexts_summary_is_count (self);
  TbContextNode context;

  tb_context_tree_get_node (self->context_tree, node, &context);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "function");
  json_builder_add_string_value (builder, context.function);
  tb_contexts_json_add_string (builder, "module", context.module);
  add_cost (builder, is_count, "own",
            tb_contexts_summary_get_own (self, totals)[self->options.estimate]);
  add_cost (builder, is_count, "total", totals->total[self->options.estimate]);
  tb_contexts_json_add_counts (builder, self->by_samples, TRUE, totals->count);
  json_builder_set_member_name (builder, "hot");
  json_builder_add_boolean_value (builder, hot);
  add_known (builder, "longest_ns", !self->by_samples, totals->longest[self->options.estimate]);
  json_builder_set_member_name (builder, "kernel");
  json_builder_add_boolean_value (builder, context.kernel);
  add_estimates (builder, !is_count, "own", tb_contexts_summary_get_own (self, totals));
  add_estimates (builder, !is_count, "total", totals->total);
  if (self->by_samples)
    tb_contexts_json_add_integer (builder, "own_samples", self->events[node]);
  add_estimates (builder, !self->by_samples, "longest", totals->longest);
  json_builder_end_object (builder);
}

static void
add_path (JsonBuilder *builder, const TbContextsSummary *self, guint rank)
{
  const TbContextsPath *path = &g_array_index (self->paths, TbContextsPath, rank);
  gint64 cost = llround (path->cost);
  guint n;
  g_autofree guint32 *nodes = tb_contexts_summary_get_path (self, path->node, &n);

  json_builder_begin_object (builder);
  tb_contexts_json_add_integer (builder, "rank", rank + 1);
  add_cost (builder, tb_contexts_summary_is_count (self), "cost", cost);
  tb_contexts_json_add_double (builder, "share", path->share);
  tb_contexts_json_add_null (builder, "base_ns");
  add_known (builder, "other_ns", !tb_contexts_summary_is_count (self), cost);
  tb_contexts_json_add_null (builder, "low_ns");
  tb_contexts_json_add_null (builder, "high_ns");
  json_builder_set_member_name (builder, "within_noise");
  json_builder_add_boolean_value (builder, FALSE);
  json_builder_set_member_name (builder, "frames");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    tb_contexts_json_add_frame (builder, self, nodes[i], nodes[i] == path->hot);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_coverage (JsonBuilder *builder, const TbContextsSummary *self)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  json_builder_set_member_name (builder, "coverage");
  json_builder_begin_object (builder);
  tb_contexts_json_add_double (builder, "wall_share", tb_contexts_summary_get_wall_share (self));
  tb_contexts_json_add_double (builder, "context_share",
                               tb_contexts_summary_get_context_share (self));
  json_builder_set_member_name (builder, "estimated");
  json_builder_add_boolean_value (builder, TRUE);
  json_builder_set_member_name (builder, "threads");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->threads->len; i++)
    {
      const TbContextsThread *thread = &g_array_index (self->threads, TbContextsThread, i);
      g_autofree char *id = g_strdup_printf ("%u", thread->thread);

      json_builder_begin_object (builder);
      tb_contexts_json_add_string (builder, "id", id);
      tb_contexts_json_add_integer (builder, "tid", threads[thread->thread].tid);
      tb_contexts_json_add_string (builder, "name", threads[thread->thread].name);
      add_known (builder, "covered_ns", !self->by_samples, thread->covered);
      tb_contexts_json_add_integer (builder, "life_ns", thread->life);
      tb_contexts_json_add_double (builder, "wall_share",
                                   thread->life > 0 && !self->by_samples
                                       ? (double) thread->covered / thread->life
                                       : NAN);
      if (self->by_samples)
        tb_contexts_json_add_integer (builder, "samples", (gint64) thread->samples);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_rollup (JsonBuilder *builder, const TbContextsSummary *self, const TbContextsRollup *rollup)
{
  gboolean by_samples = self->by_samples;

  json_builder_begin_object (builder);
  if (rollup->function != NULL)
    {
      json_builder_set_member_name (builder, "function");
      json_builder_add_string_value (builder, rollup->function);
    }
  tb_contexts_json_add_string (builder, "module", rollup->module);
  json_builder_set_member_name (builder, "unverified");
  json_builder_add_boolean_value (builder, rollup->module != NULL
                                               && tb_trace_has_unverified_names (self->trace,
                                                                                 rollup->module));
  add_cost (builder, tb_contexts_summary_is_count (self), "own", rollup->own);
  if (rollup->function == NULL)
    tb_contexts_json_add_null (builder, "base_ns");
  tb_contexts_json_add_counts (builder, by_samples, TRUE, rollup->count);
  if (rollup->function != NULL)
    add_known (builder, "mean_ns", !by_samples,
               llround ((double) rollup->total / MAX (rollup->count, 1)));
  json_builder_set_member_name (builder, "kernel");
  json_builder_add_boolean_value (builder, rollup->kernel);
  json_builder_end_object (builder);
}

static void
add_rollups (JsonBuilder *builder,
             const TbContextsSummary *self,
             const char *member,
             const GArray *rollups,
             guint top)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < rollups->len && (top == 0 || i < top); i++)
    add_rollup (builder, self, &g_array_index (rollups, TbContextsRollup, i));
  json_builder_end_array (builder);
}

void
tb_contexts_json_add_facts (JsonBuilder *builder, const TbContextsSummary *self)
{
  const TbContextsCounts *counts = &self->counts;
  const gboolean is_count = tb_contexts_summary_is_count (self);

  tb_contexts_json_add_integer (builder, "contexts", (gint64) self->n_contexts);
  tb_contexts_json_add_integer (builder, "functions", self->n_functions);
  add_known (builder, "instances", !self->by_samples, (gint64) self->n_instances);
  add_known (builder, "samples", self->by_samples, (gint64) self->n_samples);
  tb_contexts_json_add_string (builder, "sample_time",
                               self->by_samples
                                   ? tb_contexts_sample_time_get_name (self->sample_time)
                                   : NULL);
  tb_contexts_json_add_string (builder, "counter", self->by_samples ? self->counter.name : NULL);
  tb_contexts_counters_to_json (self->counters, self->by_samples ? self->counter.name : NULL,
                                builder);
  add_coverage (builder, self);
  add_cost (builder, is_count, "own", self->all);
  json_builder_set_member_name (builder, "layers");
  json_builder_begin_object (builder);
  add_cost (builder, is_count, "user", self->layers[0]);
  add_cost (builder, is_count, "kernel", self->layers[1]);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "events");
  json_builder_begin_object (builder);
  tb_contexts_json_add_integer (builder, "with_stack", (gint64) counts->used);
  tb_contexts_json_add_integer (builder, "without_stack", (gint64) counts->without_stack);
  tb_contexts_json_add_integer (builder, "broken_used", (gint64) counts->broken);
  tb_contexts_json_add_integer (builder, "broken_set_aside", (gint64) counts->excluded);
  add_known (builder, "cut", self->by_samples, (gint64) self->n_cut);
  tb_contexts_json_add_integer (builder, "losses_met", (gint64) counts->losses);
  tb_contexts_json_add_integer (builder, "closed_by_losses", (gint64) counts->closed_by_loss);
  json_builder_end_object (builder);
  tb_contexts_json_add_integer (builder, "n_paths", (gint64) self->n_paths);
}

static void
add_covered (JsonBuilder *builder, const char *member, const TbContextsCoverage *coverage)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
  tb_contexts_json_add_integer (builder, "all", (gint64) coverage->all);
  tb_contexts_json_add_integer (builder, "seen", (gint64) coverage->observed);
  tb_contexts_json_add_integer (builder, "slowest", (gint64) coverage->slowest);
  tb_contexts_json_add_integer (builder, "slowest_seen", (gint64) coverage->slowest_observed);
  json_builder_end_object (builder);
}

static void
add_thread_accuracy (JsonBuilder *builder,
                     const TbContextsSummary *self,
                     const TbContextsThreadAccuracy *found)
{
  tb_contexts_json_add_integer (builder, "syscalls", (gint64) found->syscalls);
  add_covered (builder, "contexts", &found->contexts);
  add_covered (builder, "calls", &found->calls);
}

static void
add_errors (JsonBuilder *builder, const TbContextsAccuracy *accuracy, TbContextsLevel level)
{
  json_builder_set_member_name (builder, tb_contexts_level_get_name (level));
  json_builder_begin_object (builder);
  tb_contexts_json_add_integer (builder, "n", (gint64) accuracy->n[level]);
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    {
      json_builder_set_member_name (builder, tb_contexts_estimate_get_name (i));
      json_builder_begin_object (builder);
      tb_contexts_json_add_double (builder, "median_ns", accuracy->errors[level][i].ns);
      tb_contexts_json_add_double (builder, "median_share", accuracy->errors[level][i].relative);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
}

static void
add_medians (JsonBuilder *builder, const char *member, const double *values)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    tb_contexts_json_add_double (builder, tb_contexts_estimate_get_name (i), values[i]);
  json_builder_end_object (builder);
}

/* Adds the medians of each function's errors. */
static void
add_functions_accuracy (JsonBuilder *builder, const TbContextsSummary *self)
{
  json_builder_set_member_name (builder, "of_functions");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->accuracy->functions->len; i++)
    {
      const TbContextsFunctionAccuracy *found
          = &g_array_index (self->accuracy->functions, TbContextsFunctionAccuracy, i);
      TbContextNode node;

      tb_context_tree_get_node (self->context_tree, found->node, &node);
      json_builder_begin_object (builder);
      tb_contexts_json_add_string (builder, "function", node.function);
      tb_contexts_json_add_integer (builder, "n", found->n);
      tb_contexts_json_add_double (builder, "truth_ns", found->truth);
      add_medians (builder, "begin_ns", found->begin);
      add_medians (builder, "end_ns", found->end);
      add_medians (builder, "error_ns", found->error);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_accuracy (JsonBuilder *builder, const TbContextsSummary *self)
{
  const TbContextsAccuracy *accuracy = self->accuracy;
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  json_builder_set_member_name (builder, "truth");
  if (accuracy == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  tb_contexts_json_add_integer (builder, "functions", accuracy->n_functions);
  tb_contexts_json_add_integer (builder, "open", (gint64) accuracy->n_open);
  tb_contexts_json_add_integer (builder, "without_context", (gint64) accuracy->n_incomplete);
  tb_contexts_json_add_integer (builder, "merged", (gint64) accuracy->n_merged);
  tb_contexts_json_add_double (builder, "between_ns", accuracy->gap_ns);
  tb_contexts_json_add_integer (builder, "split", (gint64) accuracy->n_split);
  tb_contexts_json_add_integer (builder, "unmatched", (gint64) accuracy->n_unmatched);
  add_thread_accuracy (builder, self, &accuracy->all);
  json_builder_set_member_name (builder, "errors");
  json_builder_begin_object (builder);
  for (guint level = 0; level < TB_CONTEXTS_N_LEVELS; level++)
    add_errors (builder, accuracy, level);
  json_builder_end_object (builder);
  add_functions_accuracy (builder, self);
  json_builder_set_member_name (builder, "threads");
  json_builder_begin_array (builder);
  for (guint i = 0; i < accuracy->threads->len; i++)
    {
      const TbContextsThreadAccuracy *found
          = &g_array_index (accuracy->threads, TbContextsThreadAccuracy, i);
      g_autofree char *id = g_strdup_printf ("%u", found->thread);

      json_builder_begin_object (builder);
      tb_contexts_json_add_string (builder, "id", id);
      tb_contexts_json_add_integer (builder, "tid", threads[found->thread].tid);
      tb_contexts_json_add_string (builder, "name", threads[found->thread].name);
      add_thread_accuracy (builder, self, found);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

JsonNode *
tb_contexts_summary_to_json (TbContextsSummary *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  tb_contexts_json_add_facts (builder, self);
  json_builder_set_member_name (builder, "paths");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->paths->len; i++)
    add_path (builder, self, i);
  json_builder_end_array (builder);
  add_rollups (builder, self, "modules", self->modules, 0);
  add_rollups (builder, self, "functions_top", self->functions, self->options.top);
  add_accuracy (builder, self);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
