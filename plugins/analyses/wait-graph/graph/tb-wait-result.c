/* tb-wait-result.c: result of the analysis wait-graph: calls other files for all steps, from the
 * trace and options to the bottlenecks (twice where proposals are applied), and keeps what each
 * yields; tests of it (target, causes, load)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "model/tb-wait-forwarding.h"
#include "model/tb-wait-similar-threads.h"
#include "model/tb-wait-named-vertices.h"
#include "model/tb-wait-names.h"
#include "model/tb-wait-new-work.h"
#include "model/tb-wait-program-nodes.h"
#include "model/tb-wait-progress.h"
#include "model/tb-wait-recorder-threads.h"
#include "model/tb-wait-short-lived.h"
#include "model/tb-wait-virtual-nodes.h"
#include "tb-wait-result.h"
#include "tb-wait-cascaded-weights.h"
#include "trace/tb-trace-roles.h"
#include "trace/tb-trace-evidence.h"

/* Nothing is concluded from the absence of waits if the unknown time of threads exceeds this share
 * of the time that they run. The state of a thread is unknown until its first switch. */
#define UNKNOWN_SHARE 0.05

void
tb_wait_options_init (TbWaitOptions *self)
{
  *self = (TbWaitOptions) {
    .threshold = 0.2,
    .light_edge = 0.01,
    .excluded = TB_WAIT_EXCLUSION_ALL,
    .merge_similar = TRUE,
    .merge_short_lived = TB_WAIT_SHORT_LIVED_ON,
  };
}

void
tb_wait_result_free (TbWaitResult *self)
{
  g_clear_pointer (&self->applied, tb_wait_applied_free);
  g_clear_pointer (&self->unmatched_new_work, g_ptr_array_unref);
  g_clear_pointer (&self->proposals, g_array_unref);
  g_clear_pointer (&self->targeted, g_free);
  tb_wait_unmerged_clear (&self->unmerged);
  g_clear_pointer (&self->verdict, g_free);
  g_clear_pointer (&self->heaviest_incoming, g_free);
  g_clear_pointer (&self->is_awaited, g_free);
  g_clear_pointer (&self->workers, g_free);
  g_clear_pointer (&self->background, g_free);
  g_clear_pointer (&self->work, tb_wait_work_free);
  g_clear_pointer (&self->cpu_contention, tb_wait_cpu_contention_free);
  g_clear_pointer (&self->locks, tb_wait_locks_free);
  g_clear_pointer (&self->stacks, tb_wait_stacks_free);
  g_clear_pointer (&self->awaited_activity, g_hash_table_unref);
  g_clear_pointer (&self->knots, tb_wait_knots_free);
  g_clear_pointer (&self->graph, tb_wait_graph_free);
  g_clear_pointer (&self->devices, tb_wait_devices_free);
  g_clear_pointer (&self->model, tb_wait_model_free);
  g_clear_object (&self->trace);
  g_free (self);
}

/* By vertex: whether it has a selected thread. */
static guint8 *
find_chosen (const TbWaitGraph *graph, TbSelection *selection)
{
  guint8 *chosen;

  if (selection == NULL)
    return NULL;
  chosen = g_new0 (guint8, graph->vertices->len + 1);
  for (guint32 i = 0; i < graph->vertices->len; i++)
    {
      g_autoptr (GArray) threads = tb_wait_vertex_list_threads (graph, i);

      for (guint j = 0; j < threads->len; j++)
        chosen[i] |= tb_selection_has_thread (selection, g_array_index (threads, guint32, j));
    }
  return chosen;
}

/* The recorded command with all its descendants; NULL: no command was recorded. */
static TbSelection *
select_command (TbTrace *trace)
{
  TbSelection *selection = tb_selection_new (trace);
  gboolean any = FALSE;
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  for (guint32 i = TB_THREAD_IDLE + 1; i < n_threads; i++)
    if (tb_trace_get_thread_roles (trace, i) & TB_THREAD_ROLE_COMMAND)
      {
        tb_selection_add_thread (selection, i);
        any = TRUE;
      }
  /* A selection without threads stands for all. */
  if (!any)
    g_clear_object (&selection);
  return selection;
}

/* The life of the target, or of the whole recording. What is busy for much less limits nothing. */
static void
find_scope (TbWaitResult *self, TbSelection *target)
{
  TbWaitGraph *graph = self->graph;

  self->targeted = find_chosen (graph, target);
  self->first = G_MAXINT64;
  self->last = G_MININT64;
  for (guint32 i = 0; self->targeted != NULL && i < graph->vertices->len; i++)
    if (self->targeted[i])
      {
        self->first = MIN (self->first, tb_wait_graph_get_vertex (graph, i)->first);
        self->last = MAX (self->last, tb_wait_graph_get_vertex (graph, i)->last);
      }
  if (self->first >= self->last)
    {
      self->first = self->from;
      self->last = self->to;
    }
  graph->least_busy = (gint64) (TB_WAIT_LEAST_BUSY * (double) (self->last - self->first));
}

/* Computed once for all vertices, because vertices and arcs can both be as numerous as threads. */
static void
find_heaviest_incoming (TbWaitResult *self)
{
  gsize n = self->graph->vertices->len;

  self->heaviest_incoming = g_new (guint32, n + 1);
  self->is_awaited = g_new0 (guint8, n + 1);
  for (gsize vertex = 0; vertex < n; vertex++)
    self->heaviest_incoming[vertex] = TB_ID_NONE;
  for (guint32 i = 0; i < self->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (self->graph, i);
      guint32 *heaviest = &self->heaviest_incoming[arc->to];

      if (arc->from == arc->to || tb_wait_arc_is_for_work (arc) || arc->limits == 0)
        continue;
      self->is_awaited[arc->to] |= self->targeted == NULL || self->targeted[arc->from];
      if (*heaviest == TB_ID_NONE
          || arc->limits > tb_wait_graph_get_arc (self->graph, *heaviest)->limits)
        *heaviest = i;
    }
}

gboolean
tb_wait_result_is_often_runnable (const TbWaitResult *self, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (self->graph, vertex);

  return (double) of->wanted
         >= TB_WAIT_OFTEN_RUNNABLE * (double) self->recorded * tb_wait_vertex_count_alike (of);
}

double
tb_wait_result_get_unknown_share (const TbWaitResult *self)
{
  gint64 running = 0, unknown = 0, life = 0;

  for (guint32 i = TB_THREAD_IDLE + 1; i < self->model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (self->model, i);
      guint32 vertex = self->graph->vertex_of_node[i];

      if (node->kind != TB_WAIT_NODE_THREAD || node->running + node->runnable == 0
          || (self->targeted != NULL && (vertex == TB_ID_NONE || !self->targeted[vertex])))
        continue;
      running += node->running + node->runnable;
      unknown += node->unknown;
      life += node->running + node->runnable + node->waiting + node->unknown;
    }
  return (double) unknown > UNKNOWN_SHARE * (double) running ? (double) unknown / (double) life : 0;
}

/* Without wake-ups, it is known what ended the waits if nothing waited. */
static gboolean
is_without_waits (const TbWaitResult *self)
{
  return tb_trace_get_evidence (self->trace)->switches == TB_SWITCHES_SYSTEM
         && self->model->unmatched_waits == 0 && tb_wait_result_get_unknown_share (self) == 0;
}

gboolean
tb_wait_result_has_causes (const TbWaitResult *self)
{
  return tb_evidence_answers (tb_trace_get_evidence (self->trace), TB_QUESTION_CAUSES)
         || is_without_waits (self);
}

gboolean
tb_wait_result_has_cpu_waits (const TbWaitResult *self)
{
  return tb_evidence_answers (tb_trace_get_evidence (self->trace), TB_QUESTION_CPU_WAITS)
         || is_without_waits (self);
}

gboolean
tb_wait_result_has_states (const TbWaitResult *self, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (self->graph, index);

  if (vertex->kind != TB_WAIT_NODE_THREAD && vertex->kind != TB_WAIT_NODE_VIRTUAL)
    return FALSE;
  for (guint i = 0; i < vertex->nodes->len; i++)
    {
      const TbWaitNode *node
          = tb_wait_model_get_node (self->graph->model, g_array_index (vertex->nodes, guint32, i));

      if (node->first != TB_TIME_NONE
          && (node->unknown == 0 || node->running + node->runnable + node->waiting > 0))
        return TRUE;
    }
  return FALSE;
}

guint64
tb_wait_result_count_lost (const TbWaitResult *self, gint64 *ns, double *share)
{
  gint64 waiting = 0;
  guint64 n = 0;

  *ns = 0;
  for (guint32 i = 0; i < self->model->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (self->model, i);
      guint32 vertex = self->graph->vertex_of_node[i];

      if (node->kind != TB_WAIT_NODE_THREAD)
        continue;
      if (self->targeted != NULL && (vertex == TB_ID_NONE || !self->targeted[vertex]))
        continue;
      n += node->n_lost;
      *ns += node->lost;
      waiting += node->waiting;
    }
  *share = waiting > 0 ? (double) *ns / (double) waiting : 0;
  return n;
}

guint64
tb_wait_result_count_cut (const TbWaitResult *self)
{
  guint64 n = 0;

  for (guint32 i = 0; i < self->model->nodes->len; i++)
    {
      guint32 vertex = self->graph->vertex_of_node[i];

      if (self->targeted == NULL || (vertex != TB_ID_NONE && self->targeted[vertex]))
        n += tb_wait_model_get_node (self->model, i)->n_cut;
    }
  return n;
}

gboolean
tb_wait_result_is_arc_in_scope (const TbWaitResult *self, const TbWaitArc *arc)
{
  return self->targeted == NULL || self->targeted[arc->from] || self->targeted[arc->to]
         || (!arc->idle && (arc->limits > 0 || arc->target_delay > 0));
}

gboolean
tb_wait_result_is_targeted (const TbWaitResult *self, const GArray *vertices)
{
  if (self->targeted == NULL)
    return TRUE;
  for (guint i = 0; i < vertices->len; i++)
    if (self->targeted[g_array_index (vertices, guint32, i)])
      return TRUE;
  return FALSE;
}

const TbWaitAwaitedActivity *
tb_wait_result_get_awaited_activity (const TbWaitResult *self, const TbWaitBottleneck *bottleneck)
{
  TbWaitAwaitedActivity *activity;
  guint32 arc;

  if (bottleneck->arcs->len == 0
      || tb_wait_knots_get_component (self->knots, bottleneck->component)->background)
    return NULL;
  arc = g_array_index (bottleneck->arcs, guint32, 0);
  activity = g_hash_table_lookup (self->awaited_activity, GUINT_TO_POINTER (arc));
  if (activity == NULL && (activity = tb_wait_awaited_activity_new (self->graph, arc)) != NULL)
    g_hash_table_insert (self->awaited_activity, GUINT_TO_POINTER (arc), activity);
  return activity;
}

/* By arc: whether it is long enough to matter, and most of it was waited for mutexes. */
static guint8 *
find_for_locks (const TbWaitResult *self)
{
  const TbWaitGraph *graph = self->graph;
  guint8 *for_locks = g_new0 (guint8, (gsize) graph->arcs->len + 1);

  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

      for_locks[i] = !arc->idle && arc->exclusion == TB_WAIT_EXCLUSION_NONE
                     && arc->bound > graph->least_busy
                     && tb_wait_locks_is_for_mutexes (self->locks, i);
    }
  return for_locks;
}

void
tb_wait_result_apply_roles (TbWaitResult *self, const guint8 *roles)
{
  TbWaitKnotOptions options = { .threshold = self->threshold,
                                .workers = self->workers,
                                .background = self->background,
                                .roles = roles,
                                .keeps_ended = self->keeps_ended };
  g_autofree guint8 *for_locks = find_for_locks (self);

  options.for_locks = for_locks;
  g_clear_pointer (&self->knots, tb_wait_knots_free);
  self->knots = tb_wait_knots_new (self->graph, &options);
  g_clear_pointer (&self->verdict, g_free);
}

static gboolean
find_knots (TbWaitResult *self, const TbWaitOptions *options, GError **error)
{
  self->threshold = (gint64) (options->threshold * (double) self->recorded);
  self->keeps_ended = !(options->excluded >> TB_WAIT_EXCLUSION_ENDED & 1);
  if (!tb_wait_find_named_vertices (self->graph, options->workers, &self->workers, error)
      || !tb_wait_find_named_vertices (self->graph, options->background, &self->background, error))
    return FALSE;
  tb_wait_graph_exclude_edges (self->graph, options->excluded,
                               (gint64) (options->light_edge * (double) self->recorded));
  tb_wait_result_apply_roles (self, NULL);
  return TRUE;
}

static gboolean
merge_short_lived (TbWaitModel *model,
                   const TbWaitOptions *options,
                   TbWaitUnmerged *unmerged,
                   GCancellable *cancellable,
                   GError **error)
{
  /* A group waits while none of its threads lives. Without switches no other wait is known to
   * compare that with. */
  gboolean is_merged
      = options->merge_short_lived != TB_WAIT_SHORT_LIVED_OFF
        && tb_evidence_answers (tb_trace_get_evidence (model->trace), TB_QUESTION_WAITING);

  if ((is_merged && !tb_wait_find_short_lived (model, unmerged, cancellable, error))
      || !tb_wait_divide_at_execs (model, error))
    return FALSE;
  return !is_merged
         || tb_wait_add_virtual_nodes (model,
                                       options->merge_short_lived == TB_WAIT_SHORT_LIVED_WPERF,
                                       cancellable, error);
}

/* Finds the delays of the target by edges, also with forwarded waits counted for what they were
 * forwarded to. */
static gboolean
find_delays (TbWaitResult *self, const guint8 *outside, GCancellable *cancellable, GError **error)
{
  TbWaitGraph *graph = self->graph;
  TbWaits waits = self->model->waits;
  g_autofree guint32 *arcs = g_new (guint32, waits.n + 1);
  g_autofree guint8 *is_forwarder = tb_wait_find_forwarders (self->model, outside);
  g_auto (TbWaitDelays) delays = { 0 };
  g_auto (TbWaitDelays) forwarded_delays = { 0 };
  TbWaits pieces = { 0 };
  gboolean done;

  for (gsize i = 0; i < waits.n; i++)
    arcs[i] = graph->arc_of_edge[waits.edge[i]];
  waits.edge = arcs;
  if (!tb_wait_compute_delays (self->model, &waits, outside, graph->arcs->len, &delays, cancellable,
                               error))
    return FALSE;
  if (!tb_wait_forward_waits (graph, outside, is_forwarder, &pieces))
    {
      tb_wait_graph_set_delays (graph, &delays, NULL);
      return TRUE;
    }
  done = tb_wait_compute_delays (self->model, &pieces, outside, graph->arcs->len, &forwarded_delays,
                                 cancellable, error);
  tb_waits_clear (&pieces);
  if (done)
    tb_wait_graph_set_delays (graph, &delays, &forwarded_delays);
  return done;
}

/* The steps of analyze_once(), in their order. Each needs the results of those before. */

static gboolean
make_model (TbWaitResult *self,
            const TbWaitOptions *options,
            TbWaitProgress *progress,
            GCancellable *cancellable,
            GError **error)
{
  g_autofree guint8 *is_recorder = tb_wait_find_recorder_threads (self->trace);
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);
  /* Unless the recorder itself is of interest. */
  for (guint32 i = 0; self->has_target && !self->is_command && i < n_threads; i++)
    is_recorder[i] &= !tb_selection_has_thread (options->target, i);
  tb_wait_progress_report (0.1, _ ("Building the wait graph"), progress);
  self->model
      = tb_wait_model_new (self->trace, self->from, self->to, is_recorder, cancellable, error);
  if (self->model == NULL)
    return FALSE;
  self->devices
      = tb_wait_devices_new (self->model, options->device_idle, options->device_capacity, error);
  if (self->devices == NULL)
    return FALSE;
  tb_wait_unmerged_init (&self->unmerged, options->unmerged, self->model->n_threads);
  tb_wait_progress_report (0.2, _ ("Merging similar threads"), progress);
  if (!merge_short_lived (self->model, options, &self->unmerged, cancellable, error))
    return FALSE;
  tb_wait_progress_report (0.3, _ ("Computing weights"), progress);
  return tb_wait_set_cascaded_weights (self->model, cancellable, error);
}

static gboolean
make_graph (TbWaitResult *self,
            const TbWaitOptions *options,
            TbWaitProgress *progress,
            GCancellable *cancellable,
            GError **error)
{
  g_auto (TbWaitMerges) merges = { 0 };

  tb_wait_progress_report (0.6, _ ("Searching for knots"), progress);
  if (!tb_wait_merges_init (&merges, self->model, options->target, options->merge_similar,
                            &self->unmerged, cancellable, error))
    return FALSE;
  self->graph = tb_wait_graph_new (self->model, merges.group, merges.merged, merges.outside);
  if (options->target != NULL && !find_delays (self, merges.outside, cancellable, error))
    return FALSE;
  tb_wait_graph_name_vertices (self->graph);
  tb_wait_devices_add_arcs (self->devices, self->graph);
  self->light = (gint64) (options->light_edge * (double) self->recorded);
  return TRUE;
}

static gboolean
find_bottlenecks (TbWaitResult *self,
                  const TbWaitOptions *options,
                  GCancellable *cancellable,
                  GError **error)
{
  find_scope (self, options->target);
  self->stacks = tb_wait_stacks_new (self->graph, error);
  if (self->stacks == NULL)
    return FALSE;
  self->locks = tb_wait_locks_new (self->graph, self->stacks);
  tb_wait_find_new_work (self->graph, self->stacks, options->new_work, self->unmatched_new_work);
  find_heaviest_incoming (self);
  if (!find_knots (self, options, error))
    return FALSE;
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* What explains the bottlenecks: CPU contention, units of work, proposed marks. */
static gboolean
add_explanations (TbWaitResult *self,
                  const TbWaitOptions *options,
                  TbWaitProgress *progress,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GError) local = NULL;

  tb_wait_progress_report (0.7, _ ("Computing CPU contention"), progress);
  self->cpu_contention = tb_wait_cpu_contention_new (self->graph, cancellable);
  self->work
      = tb_wait_work_new (self->trace, options->work, self->is_command ? NULL : options->target,
                          self->from, self->to, &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  self->proposals = tb_wait_propose (self->graph, NULL, cancellable, error);
  return self->proposals != NULL;
}

/* Analyzes the trace as it is, without applying proposals. */
static TbWaitResult *
analyze_once (TbTrace *trace,
              gint64 from,
              gint64 to,
              const TbWaitOptions *options,
              TbWaitProgress *progress,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (TbWaitResult) self = g_new0 (TbWaitResult, 1);
  g_autoptr (TbSelection) command
      = options->target == NULL && options->only_command ? select_command (trace) : NULL;
  TbWaitOptions scoped = *options;

  if (command != NULL)
    scoped.target = command;
  self->has_target = scoped.target != NULL;
  self->is_command = command != NULL;
  self->trace = g_object_ref (trace);
  self->from = from;
  self->to = to;
  self->recorded = MAX (to - from, 1);
  self->unmatched_new_work = g_ptr_array_new_with_free_func (g_free);
  self->awaited_activity
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) tb_wait_awaited_activity_free);
  if (!make_model (self, &scoped, progress, cancellable, error)
      || !make_graph (self, &scoped, progress, cancellable, error)
      || !find_bottlenecks (self, &scoped, cancellable, error)
      || !add_explanations (self, options, progress, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Proposals are known only when the analysis is complete. If they are to be applied, the analysis
 * is repeated with them, which doubles the time. */
TbWaitResult *
tb_wait_result_new (TbTrace *trace,
                    gint64 from,
                    gint64 to,
                    const TbWaitOptions *options,
                    TbProgressFunc progress,
                    gpointer data,
                    GCancellable *cancellable,
                    GError **error)
{
  gboolean applies = options->apply != NULL && options->apply[0] != NULL;
  TbWaitProgress only = { progress, data, 0, 1 };
  TbWaitProgress first = { progress, data, 0, 0.5 }, again = { progress, data, 0.35, 0.5 };
  g_autoptr (TbWaitResult) self = NULL;
  g_autoptr (TbWaitApplied) applied = NULL;
  g_autoptr (TbTrace) marked = NULL;

  if (!applies)
    return analyze_once (trace, from, to, options, &only, cancellable, error);
  self = analyze_once (trace, from, to, options, &first, cancellable, error);
  if (self == NULL)
    return NULL;
  marked = tb_wait_apply (self->graph, options->apply, &applied, cancellable, error);
  g_clear_pointer (&self, tb_wait_result_free);
  if (marked == NULL)
    return NULL;
  self = analyze_once (marked, from, to, options, &again, cancellable, error);
  if (self != NULL)
    self->applied = g_steal_pointer (&applied);
  return g_steal_pointer (&self);
}
