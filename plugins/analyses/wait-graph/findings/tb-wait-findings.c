/* tb-wait-findings.c: findings of a wait-graph report: bottlenecks, what they delay, activity of
 * the awaited thread, possible gain; units of work, merged cycles; calls the files with the other
 * findings; headline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Waits" is used only with plain time, "delays others by" with the cascaded weight, and a share
 * with the upper bound.
 */

#include "config.h"

#include "tb-wait-findings.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "extend/plugins/tb-polling-findings.h"
#include "output/tb-wait-figures.h"
#include "tb-wait-load-findings.h"
#include "model/tb-wait-names.h"
#include "tb-wait-proposal-findings.h"
#include "tb-wait-ranking-findings.h"
#include "tb-wait-finding-values.h"
#include "tb-wait-sentences.h"
#include "tb-wait-verdict-findings.h"
#include "graph/tb-wait-verdict.h"
#include "trace/tb-trace-sleep-polls.h"

#define BACKGROUND_SHOWN 3

/* The bound of one edge is the time during which at least one of its waits was open. */
static char *
describe_gain (const TbWaitResult *result, gint64 bound)
{
  g_autofree char *share = tb_format_share (tb_wait_get_share (result, bound));

  if (bound >= result->recorded)
    return g_strdup_printf (
        _ ("Removing the waits of one of these edges, with all else as recorded, would gain at "
           "most %s of the time; a change that saves other waits or work as well can gain more."),
        share);
  return g_strdup_printf (
      _ ("Removing the waits of one of these edges, with all else as recorded, would gain at most "
         "%s of the time (%.2f times the throughput); a change that saves other waits or work as "
         "well can gain more."),
      share, (double) result->recorded / (double) (result->recorded - bound));
}

static void
set_gain (TbFinding *finding, const TbWaitResult *result, gint64 bound)
{
  gint64 left = result->recorded - bound;

  tb_finding_set_time (finding, "gain_high_ns", bound);
  tb_finding_set_number (finding, "gain_high_share", tb_wait_get_share (result, bound));
  tb_finding_set_number (finding, "throughput_high",
                         left > 0 ? (double) result->recorded / (double) left : NAN);
}

/* The mean over its threads. */
static double
get_busy_share (const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);

  return tb_wait_get_share (result, vertex->running + vertex->runnable)
         / tb_wait_vertex_count_alike (vertex);
}

/* " In its knot (A, B and vda), A waits 4 s for B, which waits 3 s for vda."; "" where nothing of
 * the knot waits for what is left of it. */
static char *
describe_knot (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *chain = tb_wait_describe_chain (result, bottleneck);
  g_autofree char *names = NULL;

  if (chain == NULL)
    return g_strdup ("");
  names = tb_wait_join_names (result, component->vertices);
  /* Translators: names of a knot, and what waits for what in it. */
  return g_strdup_printf (_ (" In its knot (%s), %s."), names, chain);
}

/* A knot of which one vertex is left. It waits for no other vertex as much as others wait for
 * it. */
static char *
describe_alone (const TbWaitResult *result, const TbWaitBottleneck *bottleneck, const char *name)
{
  guint32 index = g_array_index (bottleneck->vertices, guint32, 0);
  TbWaitNodeKind kind = tb_wait_graph_get_vertex (result->graph, index)->kind;
  double busy = get_busy_share (result, index);
  g_autofree char *share = tb_format_share (busy);
  g_autofree char *delayed = tb_wait_describe_heaviest_incoming (result, index);
  g_autofree char *knot = describe_knot (result, bottleneck);

  if (kind == TB_WAIT_NODE_DEVICE)
    return g_strdup_printf (_ ("The disk %s is the end of the chain: others wait for it, it waits "
                               "for nothing.%s%s"),
                            name, delayed, knot);
  if (kind == TB_WAIT_NODE_NETWORK)
    return g_strdup_printf (
        _ ("%s is the end of the chain: others wait for it, it waits for nothing.%s%s"), name,
        delayed, knot);
  if (busy >= TB_WAIT_NEGLIGIBLE_SHARE)
    return g_strdup_printf (_ ("Others wait longer for %s than it waits for them: its own "
                               "execution limits its knot.%s%s"),
                            name, delayed, knot);
  return g_strdup_printf (
      _ ("Others wait longer for %s than it waits for them, but it is running or runnable for only "
         "%s of the time, too little to limit them: what it waits for most is excluded or was not "
         "recorded.%s%s"),
      name, share, delayed, knot);
}

/* "; the awaited thread runs 40 % of that time, is runnable without a CPU for 20 %, and waits 35 %
 * of it for vda"; "" where no thread is waited for. */
static char *
describe_awaited_activity (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitAwaitedActivity *activity = tb_wait_result_get_awaited_activity (result, bottleneck);
  const TbWaitAwaitedWait *wait;
  g_autofree char *running = NULL;
  g_autofree char *runnable = NULL;
  g_autofree char *waiting = NULL;
  g_autofree char *name = NULL;

  if (activity == NULL || activity->all == 0)
    return g_strdup ("");
  running = tb_format_share ((double) activity->running / (double) activity->all);
  runnable = tb_format_share ((double) activity->runnable / (double) activity->all);
  if (activity->waits->len == 0)
    return g_strdup_printf (
        _ ("; the awaited thread runs %s of that time and is runnable without a CPU for %s"),
        running, runnable);
  wait = &g_array_index (activity->waits, TbWaitAwaitedWait, 0);
  waiting = tb_format_share ((double) wait->ns / (double) activity->all);
  name = tb_wait_vertex_describe_translated (result->graph, wait->vertex);
  return g_strdup_printf (_ ("; the awaited thread runs %s of that time, is runnable without a CPU "
                             "for %s, and waits %s of it for %s"),
                          running, runnable, waiting, name);
}

/* Unknown where no thread is waited for. */
static void
set_awaited_activity (TbFinding *finding,
                      const TbWaitResult *result,
                      const TbWaitBottleneck *bottleneck)
{
  const TbWaitAwaitedActivity *of = tb_wait_result_get_awaited_activity (result, bottleneck);
  double all = of != NULL && of->all > 0 ? (double) of->all : NAN;
  const TbWaitAwaitedWait *wait = !isnan (all) && of->waits->len > 0
                                      ? &g_array_index (of->waits, TbWaitAwaitedWait, 0)
                                      : NULL;
  g_autofree char *name
      = wait != NULL ? tb_wait_vertex_describe (result->graph, wait->vertex) : NULL;

  tb_finding_set_number (finding, "awaited_running_share",
                         isnan (all) ? NAN : (double) of->running / all);
  tb_finding_set_number (finding, "awaited_runnable_share",
                         isnan (all) ? NAN : (double) of->runnable / all);
  tb_finding_set_number (finding, "awaited_waiting_share",
                         wait != NULL ? (double) wait->ns / all : NAN);
  tb_finding_set_string (finding, "awaited_waits_for", name);
}

static TbFinding *
make_alone (const TbWaitResult *result,
            const TbWaitBottleneck *bottleneck,
            const char *name,
            TbSeverity severity)
{
  guint32 index = g_array_index (bottleneck->vertices, guint32, 0);
  double busy = get_busy_share (result, index);
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *text = describe_alone (result, bottleneck, name);
  TbFinding *finding = tb_finding_new (severity, text, bottleneck->bound,
                                       tb_wait_get_share (result, bottleneck->bound));

  tb_finding_set_code (finding,
                       busy >= TB_WAIT_NEGLIGIBLE_SHARE ? "knot-execution" : "knot-unexplained");
  tb_wait_finding_set_vertex (finding, result, index);
  tb_wait_finding_set_names_as (finding, "knot_names", "knot_count", result, component->vertices);
  tb_finding_set_number (finding, "busy_cpus", busy);
  tb_wait_finding_set_wait (finding, result, result->heaviest_incoming[index]);
  return finding;
}

static TbFinding *
make_background (const TbWaitResult *result,
                 const TbWaitBottleneck *bottleneck,
                 const char *names,
                 const char *first)
{
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *running = tb_format_duration (component->running);
  g_autofree char *runnable = tb_format_duration (component->runnable);
  g_autofree char *text = g_strdup_printf (
      bottleneck->vertices->len == 1
          ? _ ("The threads of %s wait for one another, but use less than one CPU (running for %s, "
               "and runnable for %s more) and no device: probably in the background. %s.")
          : _ ("%s wait for one another, but use less than one CPU (running for %s, and runnable "
               "for %s more) and no device: probably in the background. %s."),
      names, running, runnable, first);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, bottleneck->bound,
                                       tb_wait_get_share (result, bottleneck->bound));

  tb_finding_set_code (finding, "background-knot");
  tb_finding_set_time (finding, "running_ns", component->running);
  tb_finding_set_time (finding, "runnable_ns", component->runnable);
  return finding;
}

static TbFinding *
make_foreground (const TbWaitResult *result,
                 const TbWaitBottleneck *bottleneck,
                 const char *names,
                 const char *first)
{
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);
  double share = tb_wait_get_share (result, bottleneck->bound);
  g_autofree char *gain_text = describe_gain (result, bottleneck->bound);
  g_autofree char *knot = describe_knot (result, bottleneck);
  g_autofree char *gain = g_strconcat (gain_text, knot, NULL);
  g_autofree char *text = NULL;
  const char *code;
  TbFinding *finding;

  if (bottleneck->vertices->len > 1)
    {
      code = "bottleneck-knot";
      text = g_strdup_printf (_ ("%s form a knot: they wait for one another, and nothing outside "
                                 "of it makes them faster. Look at this first: %s. %s"),
                              names, first, gain);
    }
  else if (component->vertices->len > 1)
    {
      code = "bottleneck-group-in-knot";
      text = g_strdup_printf (
          _ ("The threads of %s wait for one another, more than for any other of their knot. %s. "
             "%s"),
          names, first, gain);
    }
  else
    {
      code = "bottleneck-group";
      text = g_strdup_printf (_ ("The threads of %s wait for one another, and for nothing else. "
                                 "%s. %s"),
                              names, first, gain);
    }
  finding = tb_finding_new (tb_wait_get_severity (share), text, bottleneck->bound, share);
  tb_finding_set_code (finding, code);
  if (*knot != '\0')
    tb_wait_finding_set_names_as (finding, "knot_names", "knot_count", result, component->vertices);
  set_gain (finding, result, bottleneck->bound);
  set_awaited_activity (finding, result, bottleneck);
  return finding;
}

static TbFinding *
make_waiting (const TbWaitResult *result,
              const TbWaitBottleneck *bottleneck,
              const char *names,
              guint32 arc)
{
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *waits = tb_wait_describe_arc (result, arc);
  g_autofree char *awaited_activity = describe_awaited_activity (result, bottleneck);
  g_autofree char *first = g_strconcat (waits, awaited_activity, NULL);
  TbFinding *finding = component->background ? make_background (result, bottleneck, names, first)
                                             : make_foreground (result, bottleneck, names, first);

  tb_wait_finding_set_names (finding, result, bottleneck->vertices);
  tb_wait_finding_set_wait (finding, result, arc);
  return finding;
}

static TbFinding *
make_bottleneck (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *names = tb_wait_join_names (result, bottleneck->vertices);
  guint32 arc
      = bottleneck->arcs->len > 0 ? g_array_index (bottleneck->arcs, guint32, 0) : TB_ID_NONE;
  TbSeverity severity = component->background
                            ? TB_SEVERITY_INFO
                            : tb_wait_get_severity (tb_wait_get_share (result, bottleneck->bound));
  TbFinding *finding = arc == TB_ID_NONE ? make_alone (result, bottleneck, names, severity)
                                         : make_waiting (result, bottleneck, names, arc);

  tb_wait_finding_add_threads (finding, result, bottleneck->vertices);
  if (arc != TB_ID_NONE)
    tb_wait_finding_set_arc (finding, result, arc);
  return finding;
}

/* A device left over from a knot belongs to the target if other vertices of the knot do. */
static gboolean
is_targeted (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitComponent *component
      = tb_wait_knots_get_component (result->knots, bottleneck->component);

  return tb_wait_result_is_targeted (result, component->vertices);
}

static void
add_work (TbReport *report, const TbWaitResult *result)
{
  g_autofree char *text
      = g_strdup_printf (ngettext ("%'" PRIu64 " unit of work (%s): %.4g a second.",
                                   "%'" PRIu64 " units of work (%s): %.4g a second.",
                                   (gulong) result->work->count),
                         result->work->count, result->work->unit, result->work->per_second);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, "work-rate");
  tb_finding_set_integer (finding, "count", (gint64) result->work->count);
  tb_finding_set_string (finding, "unit", result->work->unit);
  tb_finding_set_number (finding, "per_second", result->work->per_second);
  tb_finding_set_place (finding, "work", NULL);
  tb_report_add_finding (report, finding);
}

/* A busy machine has many background knots. Only the heaviest ones of the target are reported. */
static void
add_bottlenecks (TbReport *report, const TbWaitResult *result)
{
  guint n_background = 0, n_left_out = 0;

  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);

      if (tb_wait_bottleneck_is_negligible (result, bottleneck))
        n_left_out++;
      else if (tb_wait_knots_get_component (result->knots, bottleneck->component)->background
               && (!is_targeted (result, bottleneck) || n_background++ >= BACKGROUND_SHOWN))
        n_left_out++;
      else
        tb_report_add_finding (report, make_bottleneck (result, bottleneck));
    }
  tb_wait_add_count (report, "more-background-knots", n_left_out,
                     ngettext ("%u more knot, probably in the background, is lighter or outside of "
                               "the processes of interest.",
                               "%u more knots, probably in the background, are lighter or outside "
                               "of the processes of interest.",
                               n_left_out));
}

static gint64
weigh_poll (const TbSleepPoll *poll, gpointer data)
{
  const TbWaitGraph *graph = data;
  guint32 vertex = poll->thread < graph->model->n_threads
                       ? tb_wait_graph_find_vertex (graph, poll->thread, poll->from)
                       : TB_ID_NONE;
  gboolean is_of_target
      = vertex < graph->vertices->len && !tb_wait_graph_get_vertex (graph, vertex)->outside;

  return is_of_target ? poll->sleep_ns : -1;
}

/* Where no holder is known, the sleeps are waits for a timer, which the graph leaves out. */
static void
add_polling (TbReport *report, const TbWaitResult *result)
{
  const TbWaitModel *model = result->graph->model;
  g_autoptr (GArray) polls = tb_trace_find_sleep_polls (model->trace, model->from, model->to, NULL);

  tb_report_add_polling_findings (report, model->trace, polls, model->from, model->to, weigh_poll,
                                  (gpointer) result->graph);
}

/* Where nothing is known of most of the time, or of what ended the waits, nothing is concluded. */
void
tb_wait_add_findings (TbReport *report, const TbWaitResult *result)
{
  gboolean is_open = tb_wait_verdict_is_open (tb_wait_verdict_get (result));

  /* Placed before findings of the same weight. */
  tb_wait_add_verdict (report, result);
  if (!is_open)
    {
      add_bottlenecks (report, result);
      add_polling (report, result);
      tb_wait_add_sinks (report, result);
      tb_wait_add_idle (report, result);
    }
  if (result->work != NULL)
    add_work (report, result);
  if (!is_open)
    tb_wait_add_runnable (report, result);
  tb_wait_add_proposals (report, result);
  if (!is_open)
    tb_wait_add_plain_ranking (report, result);
  tb_wait_add_excluded_edges (report, result);
}

static char *
make_knot_headline (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  guint32 first = g_array_index (bottleneck->vertices, guint32, 0);
  g_autofree char *names = tb_wait_join_names (result, bottleneck->vertices);
  g_autofree char *share = tb_format_share (tb_wait_get_share (result, bottleneck->bound));

  if (bottleneck->vertices->len > 1)
    return g_strdup_printf (_ ("%s limit the throughput: removing the waits of one edge there, "
                               "with all else as recorded, gains at most %s of the time."),
                            names, share);
  if (tb_wait_graph_get_vertex (result->graph, first)->kind == TB_WAIT_NODE_DEVICE)
    return g_strdup_printf (_ ("The disk %s limits the throughput: removing the waits for it, with "
                               "all else as recorded, gains at most %s of the time."),
                            names, share);
  return g_strdup_printf (_ ("%s limits the throughput: removing the waits of one edge there, with "
                             "all else as recorded, gains at most %s of the time."),
                          names, share);
}

static char *
make_execution_headline (const TbWaitResult *result, guint32 component)
{
  guint32 index = g_array_index (tb_wait_knots_get_component (result->knots, component)->vertices,
                                 guint32, 0);
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  g_autofree char *name = tb_wait_vertex_describe_translated (result->graph, index);
  g_autofree char *share = tb_format_share (tb_wait_get_share (result, vertex->running));

  if (vertex->kind == TB_WAIT_NODE_DEVICE)
    return g_strdup_printf (_ ("The disk %s limits the throughput: it is busy for %s of the time."),
                            name, share);
  if (vertex->kind == TB_WAIT_NODE_NETWORK)
    return g_strdup_printf (_ ("%s limits the throughput: it is busy for %s of the time."), name,
                            share);
  return g_strdup_printf (_ ("No waiting limits the throughput: the execution of %s does."), name);
}

char *
tb_wait_make_headline (const TbWaitResult *result)
{
  const TbWaitVerdict *verdict = tb_wait_verdict_get (result);

  switch (verdict->kind)
    {
    case TB_WAIT_VERDICT_NO_SWITCHES:
      return g_strdup (
          _ ("What limits the throughput is unknown: no thread switches were recorded."));
    case TB_WAIT_VERDICT_NO_CAUSES:
      return g_strdup (
          _ ("What limits the throughput is unknown: what ended the waits of threads was "
             "not recorded."));
    case TB_WAIT_VERDICT_KNOT:
      return make_knot_headline (result,
                                 tb_wait_knots_get_bottleneck (result->knots, verdict->bottleneck));
    case TB_WAIT_VERDICT_EXECUTION:
      return make_execution_headline (result, verdict->component);
    default:
      return tb_wait_describe_verdict (result);
    }
}
