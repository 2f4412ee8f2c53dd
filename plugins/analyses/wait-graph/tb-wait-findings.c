/* tb-wait-findings.c: what the analysis says in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Waits" only ever goes with plain time, "delays others by" with the cascaded weight, a share with the upper bound.
 */

#include "config.h"

#include "tb-wait-findings.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "tb-wait-figures.h"
#include "tb-wait-loads.h"
#include "tb-wait-names.h"
#include "tb-wait-ranking.h"
#include "tb-wait-words.h"

#define PROPOSALS_SHOWN 6
#define BACKGROUND_SHOWN 3

/* The bound is that of one edge: how long at least one of its waits was open. */
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

  tb_finding_set_integer (finding, "gain_high_ns", bound);
  tb_finding_set_number (finding, "gain_high_share", tb_wait_get_share (result, bound));
  tb_finding_set_number (finding, "throughput_high",
                         left > 0 ? (double) result->recorded / (double) left : NAN);
}

/* Of each thread, on average. */
static double
get_busy_share (const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);

  return tb_wait_get_share (result, vertex->running + vertex->runnable)
         / tb_wait_vertex_count_alike (vertex);
}

/* A knot of which one vertex is left: it waits for nobody that counts as much as those that wait for it. */
static char *
describe_alone (const TbWaitResult *result, guint32 index, const char *name)
{
  double busy = get_busy_share (result, index);
  g_autofree char *share = tb_format_share (busy);
  g_autofree char *who = tb_wait_describe_heaviest_into (result, index);

  if (busy >= TB_WAIT_NEXT_TO_NOTHING)
    return g_strdup_printf (_ ("What %s waits for is lighter than anything that waits for it: what it does "
                               "itself limits its knot.%s"),
                            name, who);
  return g_strdup_printf (_ ("What %s waits for in its knot is lighter than anything that waits for it, but "
                             "it runs or wants a cpu "
                             "for only %s of the time, too little to limit the others: what it waits for "
                             "most is set aside or was "
                             "not recorded.%s"),
                          name, share, who);
}

/* "; meanwhile B runs 40 %, wants a cpu for 20 %, and waits 35 % for vda"; "" where no thread is waited for. */
static char *
describe_meanwhile (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitMeanwhile *told = tb_wait_result_get_meanwhile (result, bottleneck);
  const TbWaitMeanwhileWait *wait;
  g_autofree char *running = NULL;
  g_autofree char *runnable = NULL;
  g_autofree char *waiting = NULL;
  g_autofree char *name = NULL;

  if (told == NULL || told->all == 0)
    return g_strdup ("");
  running = tb_format_share ((double) told->running / (double) told->all);
  runnable = tb_format_share ((double) told->runnable / (double) told->all);
  if (told->waits->len == 0)
    return g_strdup_printf (_ ("; who is waited for runs %s of that time and wants a cpu for %s"), running,
                            runnable);
  wait = &g_array_index (told->waits, TbWaitMeanwhileWait, 0);
  waiting = tb_format_share ((double) wait->ns / (double) told->all);
  name = tb_wait_vertex_describe (result->graph, wait->vertex);
  return g_strdup_printf (
      _ ("; who is waited for runs %s of that time, wants a cpu for %s, and waits %s of it for %s"), running,
      runnable, waiting, name);
}

/* Unknown where no thread is waited for. */
static void
set_meanwhile (TbFinding *finding, const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitMeanwhile *of = tb_wait_result_get_meanwhile (result, bottleneck);
  double all = of != NULL && of->all > 0 ? (double) of->all : NAN;
  const TbWaitMeanwhileWait *wait = !isnan (all) && of->waits->len > 0
                                        ? &g_array_index (of->waits, TbWaitMeanwhileWait, 0)
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
  g_autofree char *text = describe_alone (result, index, name);
  TbFinding *finding = tb_finding_new (severity, text, bottleneck->bound,
                                       tb_wait_get_share (result, bottleneck->bound));

  tb_finding_set_code (finding,
                       busy >= TB_WAIT_NEXT_TO_NOTHING ? "knot-execution" : "knot-unexplained");
  tb_wait_finding_set_vertex (finding, result, index);
  tb_finding_set_number (finding, "busy_cpus", busy);
  tb_wait_finding_set_wait (finding, result, result->heaviest_into[index]);
  return finding;
}

static TbFinding *
make_background (const TbWaitResult *result,
                 const TbWaitBottleneck *bottleneck,
                 const char *names,
                 const char *first)
{
  const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *running = tb_format_duration (component->running);
  g_autofree char *runnable = tb_format_duration (component->runnable);
  g_autofree char *text = g_strdup_printf (
      _ ("%s wait for one another, but use less than one cpu (%s, and wanted one "
         "for %s more) and no device: probably in the background. %s."),
      names, running, runnable, first);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, bottleneck->bound,
                                       tb_wait_get_share (result, bottleneck->bound));

  tb_finding_set_code (finding, "background-knot");
  tb_finding_set_integer (finding, "running_ns", component->running);
  tb_finding_set_integer (finding, "runnable_ns", component->runnable);
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
  g_autofree char *gain = describe_gain (result, bottleneck->bound);
  g_autofree char *text = NULL;
  const char *code;
  TbFinding *finding;

  if (bottleneck->vertices->len > 1)
    {
      code = "bottleneck-knot";
      text = g_strdup_printf (
          _ ("%s form a knot: they wait for one another, and nothing outside of it makes them "
             "faster. Look first at this: %s. %s"),
          names, first, gain);
    }
  else if (component->vertices->len > 1)
    {
      code = "bottleneck-group-in-knot";
      text = g_strdup_printf (
          _ ("%s wait for one another, and for no other of their knot as much. %s. %s"), names,
          first, gain);
    }
  else
    {
      code = "bottleneck-group";
      text = g_strdup_printf (_ ("%s wait for one another, and for nothing else. %s. %s"), names,
                              first, gain);
    }
  finding = tb_finding_new (tb_wait_get_severity (share), text, bottleneck->bound, share);
  tb_finding_set_code (finding, code);
  set_gain (finding, result, bottleneck->bound);
  set_meanwhile (finding, result, bottleneck);
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
  g_autofree char *meanwhile = describe_meanwhile (result, bottleneck);
  g_autofree char *first = g_strconcat (waits, meanwhile, NULL);
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

/* A device that is left of a knot is what was asked about if others of the knot are. */
static gboolean
is_asked (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, bottleneck->component);

  return tb_wait_result_is_asked (result, component->vertices);
}

static void
add_work (TbReport *report, const TbWaitResult *result)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%'" PRIu64 " unit of work (%s): %.4g a second.",
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

/* "A looks busy waiting in spin, 3 times, probably for B. …" */
static char *
describe_spin (const TbWaitProposal *proposal,
               const char *name,
               const char *function,
               const char *waker)
{
  g_autofree char *ns = tb_format_duration (proposal->ns);
  g_autofree char *text = NULL;

  if (waker != NULL)
    text = g_strdup_printf (
        ngettext ("%s looks busy waiting in %s, %'" PRIu64
                  " time, probably for %s. If so, mark where "
                  "it begins and ends: %s of running would count as waiting. Nothing was changed.",
                  "%s looks busy waiting in %s, %'" PRIu64
                  " times, probably for %s. If so, mark where "
                  "it begins and ends: %s of running would count as waiting. Nothing was changed.",
                  proposal->count),
        name, function, proposal->count, waker, ns);
  else
    text = g_strdup_printf (
        ngettext ("%s looks busy waiting in %s, %'" PRIu64 " time. If so, mark where it begins and "
                  "ends: %s of running would count as waiting. Nothing was changed.",
                  "%s looks busy waiting in %s, %'" PRIu64
                  " times. If so, mark where it begins and "
                  "ends: %s of running would count as waiting. Nothing was changed.",
                  proposal->count),
        name, function, proposal->count, ns);
  return g_strconcat (text, _ (" No other thread that shares its memory ran each time it ended."),
                      NULL);
}

static char *
describe_false_wakeup (const TbWaitProposal *proposal, const char *name, const char *function)
{
  g_autofree char *ns = tb_format_duration (proposal->ns);

  return g_strdup_printf (
      ngettext ("%s looks woken for nothing %'" PRIu64
                " time: it sleeps again at once in %s. If so, mark that as a "
                "false wake-up: %s of waiting would count for whoever wakes it in the "
                "end. Nothing was changed.",
                "%s looks woken for nothing %'" PRIu64
                " times: it sleeps again at once in %s. If so, mark that as a "
                "false wake-up: %s of waiting would count for whoever wakes it in the "
                "end. Nothing was changed.",
                proposal->count),
      name, proposal->count, function, ns);
}

/* What counts otherwise: waiting of a false wake-up, running of a busy wait. */
static void
set_candidate (TbFinding *finding,
               TbWaitProposalKind kind,
               const char *function,
               guint64 count,
               gint64 ns)
{
  tb_finding_set_string (finding, "function", function);
  tb_finding_set_integer (finding, "count", (gint64) count);
  tb_finding_set_integer (finding, kind == TB_WAIT_PROPOSE_FALSE_WAKEUP ? "wait_ns" : "running_ns",
                          ns);
}

static void
add_proposal (TbReport *report, const TbWaitResult *result, const TbWaitProposal *proposal)
{
  gboolean is_false_wakeup = proposal->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP;
  g_autofree char *item = tb_wait_proposal_get_text (result->graph, proposal);
  g_autofree char *name = tb_wait_vertex_describe (result->graph, proposal->vertex);
  g_autofree char *function = tb_trace_get_stack_label (result->trace, proposal->stack);
  g_autofree char *waker = proposal->waker != TB_ID_NONE
                               ? tb_wait_vertex_describe (result->graph, proposal->waker)
                               : NULL;
  const char *shown = function != NULL ? function : "?";
  g_autofree char *text = is_false_wakeup ? describe_false_wakeup (proposal, name, shown)
                                          : describe_spin (proposal, name, shown, waker);
  /* That of several threads is a sum. */
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE,
                                       MIN (tb_wait_get_share (result, proposal->ns), 1));

  tb_finding_set_code (finding, is_false_wakeup ? "false-wakeup-candidate" : "busy-wait-candidate");
  set_candidate (finding, proposal->kind, function, proposal->count, proposal->ns);
  tb_wait_finding_set_vertex (finding, result, proposal->vertex);
  if (!is_false_wakeup)
    tb_finding_set_string (finding, "waker", waker);
  tb_finding_set_range (finding, proposal->from, proposal->to);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_PROPOSALS, item);
  tb_report_add_finding (report, finding);
}

/* What is not as it was recorded is told. */
static void
add_taken (TbReport *report, const TbWaitTaken *taken)
{
  g_autofree char *ns = tb_format_duration (taken->ns);
  const char *function = taken->function != NULL ? taken->function : "?";
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (taken->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP)
    text = g_strdup_printf (ngettext ("Applied: %s counts as woken for nothing %'" PRIu64
                                      " time in %s; %s of waiting count for whoever woke it in the end.",
                                      "Applied: %s counts as woken for nothing %'" PRIu64
                                      " times in %s; %s of waiting count for whoever woke it in the end.",
                                      taken->count),
                            taken->name, taken->count, function, ns);
  else
    text = g_strdup_printf (ngettext ("Applied: %s counts as busy waiting %'" PRIu64
                                      " time in %s; %s of running count as waiting.",
                                      "Applied: %s counts as busy waiting %'" PRIu64
                                      " times in %s; %s of running count as waiting.",
                                      taken->count),
                            taken->name, taken->count, function, ns);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, taken->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP ? "applied-false-wakeup"
                                                                            : "applied-busy-wait");
  set_candidate (finding, taken->kind, taken->function, taken->count, taken->ns);
  tb_finding_set_string (finding, "name", taken->name);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_PROPOSALS, taken->text);
  tb_report_add_finding (report, finding);
}

/* What would have to be annotated for the graph to tell more: never taken for granted. */
static void
add_proposals (TbReport *report, const TbWaitResult *result)
{
  guint n_shown = 0;

  for (guint i = 0; result->applied != NULL && i < result->applied->taken->len; i++)
    add_taken (report, &g_array_index (result->applied->taken, TbWaitTaken, i));
  for (guint i = 0; i < result->proposals->len; i++)
    {
      const TbWaitProposal *proposal = &g_array_index (result->proposals, TbWaitProposal, i);

      if (n_shown < PROPOSALS_SHOWN && proposal->ns >= result->light
          && (result->asked == NULL || result->asked[proposal->vertex]))
        {
          add_proposal (report, result, proposal);
          n_shown++;
        }
    }
  tb_wait_add_count (
      report, "more-candidates", result->proposals->len - n_shown,
      ngettext ("%u more place looks like waking for nothing or busy waiting, of little effect or "
                "not in what is asked about.",
                "%u more places look like waking for nothing or busy waiting, of little effect or "
                "not in what is asked about.",
                result->proposals->len - n_shown));
}

/* No damage: what hangs on the one of them is not followed on to what the other waits for. */
static void
add_merged_cycles (TbReport *report, const TbWaitResult *result)
{
  guint64 n = result->model->merged_cycles;
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (n == 0)
    return;
  text = g_strdup_printf (
      ngettext ("%'" PRIu64 " wait of short-lived threads that are one vertex is for somebody who waited for "
                "another of them: its delay is not followed further. Each stands by itself with "
                "merge-short-lived=off.",
                "%'" PRIu64
                " waits of short-lived threads that are one vertex are for somebody who waited for "
                "another of them: their delay is not followed further. Each stands by itself with "
                "merge-short-lived=off.",
                (gulong) n),
      n);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, "merged-wait-cycles");
  tb_finding_set_integer (finding, "waits", (gint64) n);
  tb_report_add_finding (report, finding);
}

/* Those in the background are many on a busy machine: the heaviest of what is asked about are told. */
static void
add_bottlenecks (TbReport *report, const TbWaitResult *result)
{
  guint n_background = 0, n_left_out = 0;

  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);

      if (tb_wait_knots_get_component (result->knots, bottleneck->component)->background
          && (!is_asked (result, bottleneck) || n_background++ >= BACKGROUND_SHOWN))
        n_left_out++;
      else
        tb_report_add_finding (report, make_bottleneck (result, bottleneck));
    }
  tb_wait_add_count (
      report, "more-background-knots", n_left_out,
      ngettext (
          "%u more knot, probably in the background, is lighter or not of what is asked about.",
          "%u more knots, probably in the background, are lighter or not of what is asked about.",
          n_left_out));
}

void
tb_wait_add_findings (TbReport *report, const TbWaitResult *result)
{
  /* First also of what weighs as much. */
  if (!tb_wait_has_foreground (result))
    tb_wait_add_not_saturated (report, result);
  add_bottlenecks (report, result);
  tb_wait_add_sinks (report, result);
  tb_wait_add_idle (report, result);
  if (result->work != NULL)
    add_work (report, result);
  tb_wait_add_runnable (report, result);
  add_proposals (report, result);
  tb_wait_add_plain_ranking (report, result);
  tb_wait_add_set_aside (report, result);
  add_merged_cycles (report, result);
}

/* The first that is not in the background; NULL none. */
static const TbWaitBottleneck *
find_first (const TbWaitResult *result, gboolean asked)
{
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);

      if (!tb_wait_knots_get_component (result->knots, bottleneck->component)->background
          && (!asked || is_asked (result, bottleneck)))
        return bottleneck;
    }
  return NULL;
}

/* The graph is that of the whole system, unless there is a target; but who recorded a command asks about that first. */
char *
tb_wait_make_headline (const TbWaitResult *result)
{
  const TbWaitBottleneck *bottleneck = find_first (result, TRUE);
  g_autofree char *names = NULL;
  g_autofree char *share = NULL;

  if (bottleneck == NULL && tb_wait_has_foreground (result))
    return g_strdup (_ ("No waiting limits the throughput: execution does."));
  if (bottleneck == NULL)
    bottleneck = find_first (result, FALSE);
  if (bottleneck == NULL && tb_wait_is_busy_behind (result))
    return g_strdup (
        _ ("No waiting limits the throughput, unless that of threads probably in the background does."));
  if (bottleneck == NULL)
    return g_strdup (_ ("No waiting limits the throughput: it is not saturated."));
  names = tb_wait_join_names (result, bottleneck->vertices);
  share = tb_format_share (tb_wait_get_share (result, bottleneck->bound));
  return g_strdup_printf (
      _ ("%s limit the throughput: removing the waits of one edge there, with all else as recorded, "
         "gains at most %s of the time."),
      names, share);
}
