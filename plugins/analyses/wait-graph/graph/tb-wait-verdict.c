/* tb-wait-verdict.c: what limits the throughput, as far as it is known; the headline and the first
 * findings of the report are made from it, so that none of them contradicts another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-verdict.h"

#include "model/tb-wait-names.h"
#include "trace/tb-trace-evidence.h"

/* CPUs that are busy for more than this share of the time have no room for more load. */
#define FULL_SHARE 0.9

static gboolean
is_in_scope (const TbWaitResult *result, guint32 vertex)
{
  return result->targeted == NULL || result->targeted[vertex];
}

/* --- what is not known --- */

static gint64
get_possible (const TbWaitGraph *graph, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, index);

  return vertex->possible / tb_wait_vertex_count_alike (vertex);
}

/* Threads without any event do not count: they had no CPU, as all switches were recorded. */
static void
find_unknown (TbWaitVerdict *self, const TbWaitResult *result)
{
  const TbWaitGraph *graph = result->graph;
  gint64 life = 0, possible = 0;

  for (guint32 i = 0; i < graph->vertices->len; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);

      if (!is_in_scope (result, i) || !tb_wait_result_has_states (result, i))
        continue;
      life += vertex->life;
      possible += vertex->possible;
      if (tb_wait_vertex_is_saturated (graph, i) || !tb_wait_vertex_may_be_saturated (graph, i))
        continue;
      self->n_unknown++;
      if (self->unknown == TB_ID_NONE || get_possible (graph, i) > self->unknown_ns)
        {
          self->unknown = i;
          self->unknown_ns = get_possible (graph, i);
        }
    }
  self->unknown_share = life > 0 ? (double) possible / (double) life : 0;
}

/* --- knots and busy threads --- */

/* Components in the foreground that the target has, or waits for. */
static gboolean
limits (const TbWaitResult *result, const TbWaitComponent *component)
{
  if (component->background || component->outside)
    return FALSE;
  /* With a target, what it does not wait for, directly or through others, is outside. */
  if (result->has_target || tb_wait_result_is_targeted (result, component->vertices))
    return TRUE;
  for (guint i = 0; i < component->vertices->len; i++)
    if (result->is_awaited[g_array_index (component->vertices, guint32, i)])
      return TRUE;
  return FALSE;
}

gboolean
tb_wait_bottleneck_is_negligible (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  return (double) bottleneck->bound
         < TB_WAIT_NEGLIGIBLE_SHARE * (double) (result->last - result->first);
}

static void
find_bottleneck (TbWaitVerdict *self, const TbWaitResult *result)
{
  for (guint32 i = 0; i < result->knots->bottlenecks->len && self->bottleneck == TB_ID_NONE; i++)
    if (!tb_wait_bottleneck_is_negligible (result, tb_wait_knots_get_bottleneck (result->knots, i))
        && limits (result,
                   tb_wait_knots_get_component (
                       result->knots, tb_wait_knots_get_bottleneck (result->knots, i)->component)))
      self->bottleneck = i;
}

/* The vertex that is busy for longest. */
static void
find_execution (TbWaitVerdict *self, const TbWaitResult *result)
{
  gint64 most = -1;

  for (guint32 i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);
      guint32 index = g_array_index (component->vertices, guint32, 0);
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
      gint64 busy = tb_wait_vertex_get_busy (vertex) / tb_wait_vertex_count_alike (vertex);

      if (component->kind != TB_WAIT_SINK || !limits (result, component) || busy <= most)
        continue;
      most = busy;
      self->component = i;
    }
}

/* Whether a knot in the background waits in a circle for more than half of its life, or has a busy
 * thread, which only the user or a comparison of two loads can have put there. */
static gboolean
has_background (const TbWaitResult *result)
{
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);
      const TbWaitComponent *component
          = tb_wait_knots_get_component (result->knots, bottleneck->component);

      if (!component->background || component->outside
          || !tb_wait_result_is_targeted (result, component->vertices))
        continue;
      if (bottleneck->bound > (component->last - component->first) / 2)
        return TRUE;
      for (guint j = 0; j < component->vertices->len; j++)
        if (tb_wait_vertex_is_saturated (result->graph,
                                         g_array_index (component->vertices, guint32, j)))
          return TRUE;
    }
  return FALSE;
}

/* --- no thread is busy --- */

/* Whether no CPU has room, whoever uses them. */
static gboolean
is_full (const TbWaitResult *result)
{
  const TbWaitModel *model = result->model;
  double available = (double) result->recorded * MAX (tb_trace_get_n_cpus (result->trace), 1);
  double running = (double) model->recorder_running;

  for (guint32 i = TB_THREAD_IDLE + 1; i < model->nodes->len; i++)
    if (tb_wait_model_get_node (model, i)->kind == TB_WAIT_NODE_THREAD)
      running += (double) tb_wait_model_get_node (model, i)->running;
  return running > FULL_SHARE * available;
}

static TbWaitVerdictKind
judge_sleep (const TbWaitResult *result, const TbWaitScopeLoad *load)
{
  if (load->asleep[TB_WAIT_END_REQUEST] > load->life / 2)
    return is_full (result) ? TB_WAIT_VERDICT_ASLEEP : TB_WAIT_VERDICT_REQUESTS;
  if (load->asleep[TB_WAIT_END_TIMER] > load->life / 2)
    return TB_WAIT_VERDICT_TIMERS;
  /* Neither of them for most of the time, but both of them together. */
  return load->asleep[TB_WAIT_END_REQUEST] + load->asleep[TB_WAIT_END_TIMER] > load->life / 2
                 && !is_full (result)
                 && load->asleep[TB_WAIT_END_REQUEST] > load->asleep[TB_WAIT_END_TIMER]
             ? TB_WAIT_VERDICT_REQUESTS
             : TB_WAIT_VERDICT_ASLEEP;
}

/* Whether no thread is known to have waited, but any may have waited while its state is unknown. */
static gboolean
may_have_waited (const TbWaitResult *result)
{
  return tb_trace_get_evidence (result->trace)->switches == TB_SWITCHES_SYSTEM
         && result->model->unmatched_waits == 0;
}

static TbWaitVerdictKind
judge (TbWaitVerdict *self, const TbWaitResult *result)
{
  const TbEvidence *evidence = tb_trace_get_evidence (result->trace);

  if (!tb_evidence_answers (evidence, TB_QUESTION_WAITING))
    return TB_WAIT_VERDICT_NO_SWITCHES;
  if (!tb_wait_result_has_causes (result) && may_have_waited (result))
    {
      self->unknown_share = tb_wait_result_get_unknown_share (result);
      return TB_WAIT_VERDICT_LOST;
    }
  if (!tb_wait_result_has_causes (result))
    return TB_WAIT_VERDICT_NO_CAUSES;
  if (self->unknown_share > 0.5)
    return TB_WAIT_VERDICT_LOST;
  if (self->bottleneck != TB_ID_NONE)
    return TB_WAIT_VERDICT_KNOT;
  if (self->component != TB_ID_NONE)
    return TB_WAIT_VERDICT_EXECUTION;
  if (self->n_unknown > 0)
    return TB_WAIT_VERDICT_UNKNOWN_LOAD;
  tb_wait_scope_load_init (&self->load, result);
  if (self->load.busy > self->load.life / 2)
    return TB_WAIT_VERDICT_TURNS;
  return has_background (result) ? TB_WAIT_VERDICT_BACKGROUND : judge_sleep (result, &self->load);
}

static TbWaitVerdict *
make_verdict (const TbWaitResult *result)
{
  TbWaitVerdict *self = g_new (TbWaitVerdict, 1);

  *self = (TbWaitVerdict) { .bottleneck = TB_ID_NONE,
                            .component = TB_ID_NONE,
                            .unknown = TB_ID_NONE };
  find_unknown (self, result);
  find_bottleneck (self, result);
  find_execution (self, result);
  self->kind = judge (self, result);
  return self;
}

const TbWaitVerdict *
tb_wait_verdict_get (const TbWaitResult *result)
{
  if (result->verdict == NULL)
    ((TbWaitResult *) result)->verdict = make_verdict (result);
  return result->verdict;
}
