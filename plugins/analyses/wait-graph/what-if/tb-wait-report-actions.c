/* tb-wait-report-actions.c: report actions on vertices and edges (try a change, expand or contract,
 * assert a wait for new work, apply an annotation), and results of the tried changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "what-if/tb-wait-report-actions.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "report/tb-report-action.h"
#include "trace/tb-track.h"
#include "output/tb-wait-figures.h"
#include "model/tb-wait-names.h"

/* The most edges that get actions. A change for any other edge can still be written by hand. */
#define EDGES_WITH_ACTIONS_MAX 1000
#define FACTOR_MOST 100
#define SPEED_LEAST 0.1
#define SPEED_MOST 1000
#define THREADS_MOST 64
#define CPUS_MOST 4096

static void
add_action (TbReport *report,
            const char *item,
            const char *text,
            const char *label,
            double least,
            double most,
            double standard,
            guint digits)
{
  TbReportAction action = { .figure = item != NULL ? TB_WAIT_FIGURE_GRAPH : "",
                            .item = item != NULL ? item : "",
                            .option = TB_WAIT_OPTION_WHAT_IF,
                            .text = text,
                            .label = label,
                            .least = least,
                            .most = most,
                            .standard = standard,
                            .digits = digits };

  tb_report_add_action (report, &action);
}

/* Adds "the lock is free" where one lock accounts for most of the edge's waits. */
static void
add_lock_action (TbReport *report, const TbWaitResult *result, guint32 arc, const char *item)
{
  const TbWaitLock *lock = tb_wait_locks_find (result->locks, arc);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;

  if (lock == NULL || lock->lock == TB_ID_NONE || !lock->is_most)
    return;
  name = tb_trace_describe_lock (result->trace, lock->lock);
  if (strchr (name, ';') != NULL)
    return;
  text = g_strdup_printf ("lock:%s=free", name);
  label = g_strdup_printf (_ ("No thread waits for the lock %s"), name);
  add_action (report, item, text, label, 0, 0, 0, 0);
}

/* The recording cannot distinguish a wait for a queue's next element from a wait for an answer.
 * Only a person who knows the program can. An assertion made by a function name cannot be retracted
 * edge by edge. */
static void
add_new_work_action (TbReport *report, const TbWaitArc *arc, const char *item)
{
  g_autofree char *text = g_strdup_printf ("edge:%s", item);
  const TbReportAction action
      = { .kind = arc->assertion != NULL ? TB_REPORT_ACTION_RETRACT : TB_REPORT_ACTION_ASSERT,
          .figure = TB_WAIT_FIGURE_GRAPH,
          .item = item,
          .option = TB_WAIT_OPTION_IDLE_IN,
          .text = arc->assertion != NULL ? arc->assertion : text,
          .label = arc->assertion != NULL ? _ ("This Wait Is Not for New Work")
                                          : _ ("This Wait Is for New Work") };

  if (arc->assertion != NULL || !arc->new_work)
    tb_report_add_action (report, &action);
}

static void
add_edge_actions (TbReport *report, const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (result->graph, arc);
  const char *from = tb_wait_graph_get_vertex (result->graph, of->from)->name;
  const char *to = tb_wait_graph_get_vertex (result->graph, of->to)->name;
  g_autofree char *item = tb_wait_arc_get_item (result->graph, arc);
  g_autofree char *factor = g_strdup_printf ("edge:%s*{}", item);
  g_autofree char *ahead = g_strdup_printf ("edge:%s=ahead", item);
  g_autofree char *shared = g_strdup_printf ("edge:%s=shared", item);
  g_autofree char *factor_label = g_strdup_printf (_ ("Waits of %s for %s take × {}"), from, to);
  g_autofree char *ahead_label
      = g_strdup_printf (_ ("%s continues while %s works for it"), from, to);
  g_autofree char *shared_label
      = g_strdup_printf (_ ("%s does its part of the work of %s during the wait"), from, to);

  add_action (report, item, factor, factor_label, 0, FACTOR_MOST, 0.5, 2);
  add_action (report, item, ahead, ahead_label, 0, 0, 0, 0);
  if (tb_wait_graph_get_vertex (result->graph, of->to)->kind == TB_WAIT_NODE_THREAD)
    add_action (report, item, shared, shared_label, 0, 0, 0, 0);
  add_lock_action (report, result, arc, item);
  add_new_work_action (report, of, item);
}

static void
add_vertex_actions (TbReport *report, const TbWaitVertex *vertex)
{
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;

  if (vertex->kind == TB_WAIT_NODE_DEVICE && g_str_has_prefix (vertex->id, "device:"))
    {
      text = g_strdup_printf ("device:%s*{}", vertex->id);
      label = g_strdup_printf (_ ("%s is {} times as fast"), vertex->name);
      add_action (report, vertex->id, text, label, SPEED_LEAST, SPEED_MOST, 2, 1);
    }
  else if (vertex->kind == TB_WAIT_NODE_THREAD && !vertex->outside && vertex->running > 0)
    {
      text = g_strdup_printf ("threads:%s*{}", vertex->id);
      label = g_strdup_printf (_ ("{} threads do the work of one of %s"), vertex->name);
      add_action (report, vertex->id, text, label, 1, THREADS_MOST, 2, 0);
    }
}

/* Adds "expand" to a merged vertex, and "contract" to a thread that the user expanded. */
static void
add_merge_actions (TbReport *report, const TbWaitResult *result, const TbWaitVertex *vertex)
{
  guint32 node = g_array_index (vertex->nodes, guint32, 0);
  guint32 thread = tb_wait_model_get_node (result->model, node)->id;
  TbReportAction action
      = { .figure = TB_WAIT_FIGURE_GRAPH, .item = vertex->id, .option = TB_WAIT_OPTION_UNMERGE };
  g_autofree char *label = NULL;

  if (vertex->merged == TB_WAIT_MERGED_SIMILAR || vertex->merged == TB_WAIT_MERGED_VIRTUAL
      || vertex->merged == TB_WAIT_MERGED_POOL || vertex->kind == TB_WAIT_NODE_VIRTUAL)
    {
      action.kind = TB_REPORT_ACTION_ADD;
      action.text = vertex->id;
      label = g_strdup_printf (_ ("Expand %s"), vertex->name);
    }
  else if (vertex->kind == TB_WAIT_NODE_THREAD && vertex->nodes->len == 1
           && result->unmerged.by_thread[thread] != TB_ID_NONE)
    {
      action.kind = TB_REPORT_ACTION_REMOVE;
      action.text = result->unmerged.texts[result->unmerged.by_thread[thread]];
      label = g_strdup_printf (_ ("Contract %s and similar threads"), vertex->name);
    }
  else
    return;
  action.label = label;
  tb_report_add_action (report, &action);
}

static void
add_apply_action (TbReport *report,
                  TbReportActionKind kind,
                  const char *item,
                  const char *text,
                  char *label)
{
  const TbReportAction action = { .kind = kind,
                                  .figure = TB_WAIT_FIGURE_PROPOSALS,
                                  .item = item,
                                  .option = TB_WAIT_OPTION_APPLY,
                                  .text = text,
                                  .label = label };

  tb_report_add_action (report, &action);
  g_free (label);
}

/* Adds "apply" to each proposed annotation, and "no longer apply" to each one that is applied. */
static void
add_apply_actions (TbReport *report, const TbWaitResult *result)
{
  for (guint i = 0; i < result->proposals->len; i++)
    {
      const TbWaitProposal *proposal = &g_array_index (result->proposals, TbWaitProposal, i);
      g_autofree char *text = tb_wait_proposal_get_text (result->graph, proposal);
      const char *name = tb_wait_graph_get_vertex (result->graph, proposal->vertex)->name;

      add_apply_action (report, TB_REPORT_ACTION_ADD, text, text,
                        proposal->kind == TB_WAIT_PROPOSE_SPIN
                            ? g_strdup_printf (_ ("Apply: %s was busy waiting there"), name)
                            : g_strdup_printf (_ ("Apply: %s was woken in vain there"), name));
    }
  for (guint i = 0; result->applied != NULL && i < result->applied->taken->len; i++)
    {
      const TbWaitAppliedProposal *taken
          = &g_array_index (result->applied->taken, TbWaitAppliedProposal, i);

      add_apply_action (report, TB_REPORT_ACTION_REMOVE, taken->text, taken->option,
                        g_strdup_printf (_ ("No longer apply “%s”"), taken->option));
    }
}

static int
compare_weights (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitGraph *graph = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;
  gint64 left_weight = tb_wait_graph_get_arc (graph, left)->weight;
  gint64 right_weight = tb_wait_graph_get_arc (graph, right)->weight;

  if (left_weight != right_weight)
    return left_weight > right_weight ? -1 : 1;
  return left < right ? -1 : left > right;
}

void
tb_wait_add_actions (TbReport *report, const TbWaitResult *result)
{
  g_autoptr (GArray) arcs = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_cpus = tb_trace_get_n_cpus (result->trace);

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (result->graph, i);
      TbWaitNodeKind waiter = tb_wait_graph_get_vertex (result->graph, arc->from)->kind;

      if (!arc->idle && arc->weight >= result->light
          && (waiter == TB_WAIT_NODE_THREAD || waiter == TB_WAIT_NODE_VIRTUAL))
        g_array_append_val (arcs, i);
    }
  g_array_sort_with_data (arcs, compare_weights, result->graph);
  for (guint i = 0; i < MIN (arcs->len, EDGES_WITH_ACTIONS_MAX); i++)
    add_edge_actions (report, result, g_array_index (arcs, guint32, i));
  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    {
      add_vertex_actions (report, tb_wait_graph_get_vertex (result->graph, i));
      add_merge_actions (report, result, tb_wait_graph_get_vertex (result->graph, i));
    }
  add_apply_actions (report, result);
  add_action (report, NULL, "cpus={}", _ ("There are {} CPUs"), 1, CPUS_MOST, 2 * MAX (n_cpus, 1),
              0);
}

/* --- results --- */

static char *
make_sentence (const TbWaitPrediction *of)
{
  g_autofree char *before = tb_wait_prediction_format (of, of->before);
  g_autofree char *after = tb_wait_prediction_format (of, of->after);
  g_autofree char *low = tb_wait_prediction_format (of, of->low);
  g_autofree char *high = tb_wait_prediction_format (of, of->high);

  if (tb_wait_prediction_is_vague (of))
    return g_strdup_printf (_ ("%s instead of %s, very uncertain: too little was recorded"), after,
                            before);
  /* Translators: the predicted value, the recorded value, and the range in which the measured value
   * lies in 9 of 10 cases. */
  return g_strdup_printf (_ ("%s instead of %s; in 9 of 10 cases between %s and %s"), after, before,
                          low, high);
}

/* The text of the report's findings about a change. */
static char *
find_detail (TbReport *report, const char *change)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);

      if (g_strcmp0 (tb_finding_get_figure (finding), TB_WAIT_FIGURE_WHAT_IF) != 0
          || g_strcmp0 (tb_finding_get_item (finding), change) != 0)
        continue;
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                              tb_finding_get_text (finding));
    }
  return g_string_free (text, FALSE);
}

void
tb_wait_add_change_results (TbReport *report, const TbWaitWhatIf *what_if)
{
  for (guint i = 0; i < what_if->predictions->len; i++)
    {
      const TbWaitPrediction *of = &g_array_index (what_if->predictions, TbWaitPrediction, i);
      g_autofree char *sentence = make_sentence (of);
      g_autofree char *detail = find_detail (report, of->change);
      TbScenarioOutcome outcome = { .option = TB_WAIT_OPTION_WHAT_IF,
                                    .text = of->change,
                                    .sentence = sentence,
                                    .detail = detail,
                                    .before = of->before,
                                    .after = of->after,
                                    .low = of->low,
                                    .high = of->high,
                                    .more_is_better = of->is_throughput };

      tb_report_add_outcome (report, &outcome);
    }
}
