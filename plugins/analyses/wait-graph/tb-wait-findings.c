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
#include "tb-wait-names.h"

#define HIGH_SHARE 0.2
#define MEDIUM_SHARE 0.05
#define NAMES_SHOWN 4
#define PROPOSALS_SHOWN 6
#define BACKGROUND_SHOWN 3

static TbSeverity
get_severity (double share)
{
  return share >= HIGH_SHARE     ? TB_SEVERITY_HIGH
         : share >= MEDIUM_SHARE ? TB_SEVERITY_MEDIUM
                                 : TB_SEVERITY_LOW;
}

static double
get_share (const TbWaitResult *result, gint64 ns)
{
  return (double) ns / (double) result->recorded;
}

static char *
join_names (const TbWaitResult *result, const GArray *vertices)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < vertices->len && i < NAMES_SHOWN; i++)
    {
      g_autofree char *name = tb_wait_vertex_describe (result->graph, g_array_index (vertices, guint32, i));

      g_string_append_printf (text, "%s%s", i == 0 ? "" : i + 1 == vertices->len ? _ (" and ") : ", ", name);
    }
  if (vertices->len > NAMES_SHOWN)
    g_string_append_printf (text, ngettext (" and %u more", " and %u more", vertices->len - NAMES_SHOWN),
                            vertices->len - NAMES_SHOWN);
  return g_string_free (text, FALSE);
}

static void
add_threads (TbFinding *finding, const TbWaitResult *result, const GArray *vertices)
{
  for (guint i = 0; i < vertices->len; i++)
    {
      g_autoptr (GArray) threads
          = tb_wait_vertex_list_threads (result->graph, g_array_index (vertices, guint32, i));

      for (guint j = 0; j < threads->len; j++)
        tb_finding_add_thread (finding, g_array_index (threads, guint32, j));
    }
}

/* Where the longest wait of an edge is, and the stack that waited longest. */
static void
set_place_of_arc (TbFinding *finding, const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (result->graph, arc);
  const TbWaits *waits = &result->model->waits;
  g_autoptr (GArray) stacks = tb_wait_stacks_sum (result->stacks, arc, TB_WAIT_WAITER);
  g_autofree char *item = tb_wait_arc_get_item (result->graph, arc);
  gsize longest = G_MAXSIZE;

  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, item);
  for (gsize i = of->first; i < of->first + of->n; i++)
    {
      gsize wait = result->graph->order[i];

      if (longest == G_MAXSIZE
          || waits->end[wait] - waits->start[wait] > waits->end[longest] - waits->start[longest])
        longest = wait;
    }
  if (longest != G_MAXSIZE)
    tb_finding_set_range (finding, waits->start[longest], waits->end[longest]);
  if (stacks->len > 0)
    {
      g_auto (GStrv) functions
          = tb_trace_get_stack_functions (result->trace, g_array_index (stacks, TbWaitStack, 0).stack);

      tb_finding_set_stack (finding, (const char *const *) functions);
    }
}

/* ", most of it for the lock heap 0x5500"; "" where it is none. */
static char *
describe_lock (const TbWaitResult *result, guint32 arc)
{
  gint64 ns;
  guint32 lock = tb_wait_find_lock (result->graph, arc, &ns);
  g_autofree char *name = NULL;

  if (lock == TB_ID_NONE || ns < tb_wait_graph_get_arc (result->graph, arc)->plain / 2)
    return g_strdup ("");
  name = tb_trace_describe_lock (result->trace, lock);
  return g_strdup_printf (_ (", most of it for the lock %s"), name);
}

/* ", and 40 ms more by way of kworker/u8 ×2"; "" where nothing is handed on. */
static char *
describe_way (const TbWaitResult *result, const TbWaitArc *arc)
{
  g_autofree char *name = NULL;
  g_autofree char *ns = NULL;

  if (arc->by_way == 0 || arc->way == TB_ID_NONE)
    return g_strdup ("");
  name = tb_wait_vertex_describe (result->graph, arc->way);
  ns = tb_format_duration (arc->by_way);
  return g_strdup_printf (_ (", and %s more by way of %s"), ns, name);
}

/* What an edge does to others than its waiter, or, with a target, to that; NULL: nothing else. */
static char *
describe_delay (const TbWaitResult *result, const TbWaitArc *arc)
{
  g_autofree char *ns = tb_format_duration (result->has_target ? arc->limits : arc->weight);

  if (!result->has_target)
    return arc->weight != arc->plain
               ? g_strdup_printf (_ ("with itself and all that hang on it, it delays others by %s"), ns)
               : NULL;
  if (tb_wait_graph_get_vertex (result->graph, arc->from)->outside)
    return g_strdup_printf (_ ("that delays what is asked about by %s"), ns);
  return arc->limits > arc->plain + arc->by_way
             ? g_strdup_printf (_ ("with all that hang on it, that delays what is asked about by %s"), ns)
             : NULL;
}

/* "A waits 80 ms for B, 10 times; with all who wait for A in turn this delays others by 90 ms." */
static char *
describe_arc (const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (result->graph, arc);
  g_autofree char *from = tb_wait_vertex_describe (result->graph, of->from);
  g_autofree char *to = tb_wait_vertex_describe (result->graph, of->to);
  g_autofree char *plain = tb_format_duration (of->plain);
  g_autofree char *longest = tb_format_duration (of->longest);
  g_autofree char *delay = describe_delay (result, of);
  g_autofree char *lock = describe_lock (result, arc);
  g_autofree char *way = describe_way (result, of);
  g_autofree char *first
      = g_strdup_printf (ngettext ("%s waits %s for %s, %'" PRIu64 " time (%s at the longest)%s%s",
                                   "%s waits %s for %s, %'" PRIu64 " times (%s at the longest)%s%s",
                                   (gulong) of->waits),
                         from, plain, to, of->waits, longest, lock, way);

  /* Translators: what waits for what, and what that does to others. */
  return delay != NULL ? g_strdup_printf (_ ("%s; %s"), first, delay) : g_steal_pointer (&first);
}

/* The bound is that of one edge: how long at least one of its waits was open. */
static char *
describe_gain (const TbWaitResult *result, gint64 bound)
{
  g_autofree char *share = tb_format_share (get_share (result, bound));

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

/* " Most delayed by it: …"; "" where it delays nobody. */
static char *
describe_heaviest_into (const TbWaitResult *result, guint32 vertex)
{
  guint32 arc = result->heaviest_into[vertex];
  g_autofree char *who = arc != TB_ID_NONE ? describe_arc (result, arc) : NULL;

  return who != NULL ? g_strdup_printf (_ (" Most delayed by it: %s."), who) : g_strdup ("");
}

/* A knot of which one vertex is left: it waits for nobody that counts as much as those that wait for it. */
static char *
describe_alone (const TbWaitResult *result, guint32 index, const char *name)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  double busy = get_share (result, vertex->running + vertex->runnable);
  g_autofree char *share = tb_format_share (busy);
  g_autofree char *who = describe_heaviest_into (result, index);

  if (busy >= MEDIUM_SHARE)
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

static TbFinding *
make_bottleneck (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, bottleneck->component);
  g_autofree char *names = join_names (result, bottleneck->vertices);
  g_autofree char *gain = describe_gain (result, bottleneck->bound);
  g_autofree char *running = tb_format_duration (component->running);
  g_autofree char *runnable = tb_format_duration (component->runnable);
  g_autofree char *first = NULL;
  g_autofree char *text = NULL;
  guint32 arc = bottleneck->arcs->len > 0 ? g_array_index (bottleneck->arcs, guint32, 0) : TB_ID_NONE;
  double share = get_share (result, bottleneck->bound);
  TbFinding *finding;

  if (arc == TB_ID_NONE)
    text = describe_alone (result, g_array_index (bottleneck->vertices, guint32, 0), names);
  else
    {
      g_autofree char *waits = describe_arc (result, arc);
      g_autofree char *meanwhile = describe_meanwhile (result, bottleneck);

      first = g_strconcat (waits, meanwhile, NULL);
      if (component->background)
        text = g_strdup_printf (_ ("%s wait for one another, but use less than one cpu (%s, and wanted one "
                                   "for %s more) and no device: probably in the background. %s."),
                                names, running, runnable, first);
      else if (bottleneck->vertices->len > 1)
        text = g_strdup_printf (
            _ ("%s form a knot: they wait for one another, and nothing outside of it makes them "
               "faster. Look first at this: %s. %s"),
            names, first, gain);
      else
        text = g_strdup_printf (component->vertices->len > 1
                                    ? _ ("%s wait for one another, and for no other of their knot as much. "
                                         "%s. %s")
                                    : _ ("%s wait for one another, and for nothing else. %s. %s"),
                                names, first, gain);
    }
  finding = tb_finding_new (component->background ? TB_SEVERITY_INFO : get_severity (share), text,
                            bottleneck->bound, share);
  add_threads (finding, result, bottleneck->vertices);
  if (arc != TB_ID_NONE)
    set_place_of_arc (finding, result, arc);
  return finding;
}

/* A device that is left of a knot is what was asked about if others of the knot are. */
static gboolean
is_asked (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, bottleneck->component);

  return tb_wait_result_is_asked (result, component->vertices);
}

static gboolean
has_foreground (const TbWaitResult *result)
{
  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);

      if (!component->outside && !component->background
          && (component->kind == TB_WAIT_KNOT || component->kind == TB_WAIT_SINK)
          && tb_wait_result_is_asked (result, component->vertices))
        return TRUE;
    }
  return FALSE;
}

/* "waits for nothing that counts", or, of who would be in a knot, how long for others of it. */
static char *
describe_rest (const TbWaitResult *result, const TbWaitComponent *component)
{
  g_autofree char *share = NULL;
  gint64 ns = 0;

  if (component->let_go == NULL)
    return g_strdup (_ ("waits for nothing that counts"));
  for (guint i = 0; i < component->let_go->len; i++)
    ns += tb_wait_graph_get_arc (result->graph, g_array_index (component->let_go, guint32, i))->plain;
  share = tb_format_share (get_share (result, ns));
  return g_strdup_printf (_ ("waits for no more than %s of it for those that wait for it"), share);
}

static void
add_sink (TbReport *report, const TbWaitResult *result, const TbWaitComponent *component)
{
  guint32 index = g_array_index (component->vertices, guint32, 0);
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  g_autofree char *name = tb_wait_vertex_describe (result->graph, index);
  g_autofree char *running = tb_format_share (get_share (result, vertex->running));
  g_autofree char *runnable = tb_format_share (get_share (result, vertex->runnable));
  g_autofree char *waiting = describe_heaviest_into (result, index);
  g_autofree char *rest = describe_rest (result, component);
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (vertex->kind == TB_WAIT_NODE_DEVICE || vertex->kind == TB_WAIT_NODE_NETWORK)
    text = g_strdup_printf (_ ("%s is busy %s of the time and waits for nobody: it is saturated.%s"), name,
                            running, waiting);
  else
    /* Translators: who, how much it runs, how much it wants to, what it waits for, who is delayed. */
    text = g_strdup_printf (_ ("%s runs %s of the time, wants a cpu for %s of it, and %s: its execution is a "
                               "bottleneck. Look at what it runs.%s"),
                            name, running, runnable, rest, waiting);
  finding = tb_finding_new (get_severity (get_share (result, vertex->running)), text, vertex->running,
                            get_share (result, vertex->running));
  add_threads (finding, result, component->vertices);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, vertex->id);
  tb_report_add_finding (report, finding);
}

/* Who is asked about and is or wants to be busy for more than half of the time, though only in a knot in the background. */
static gboolean
is_busy_behind (const TbWaitResult *result)
{
  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);

      for (guint j = 0; component->background && !component->outside && j < component->vertices->len; j++)
        {
          guint32 vertex = g_array_index (component->vertices, guint32, j);

          if ((result->asked == NULL || result->asked[vertex])
              && !tb_wait_graph_get_vertex (result->graph, vertex)->outside
              && tb_wait_vertex_is_saturated (result->graph, vertex))
            return TRUE;
        }
    }
  return FALSE;
}

/* No knot and nobody busy: the load is what limits it. */
static void
add_not_saturated (TbReport *report, const TbWaitResult *result)
{
  if (result->graph->vertices->len == 0)
    return;
  if (is_busy_behind (result))
    {
      tb_report_add_finding (
          report,
          tb_finding_new (TB_SEVERITY_INFO,
                          _ ("Whoever is busy, or wants a cpu, for more than half of the time is in a knot "
                             "that is probably in the background. If that is what counts, name its "
                             "processes or threads with workers=…."),
                          result->recorded, 1));
      return;
    }
  tb_report_add_finding (
      report,
      tb_finding_new (TB_SEVERITY_INFO,
                      _ ("Not saturated: it waits for requests. No thread is busy for more than half of the "
                         "time, and none wait for one another in a circle: more load is what "
                         "raises the throughput."),
                      result->recorded, 1));
}

/* What ranking by waiting time alone would have named. */
static void
add_plain_ranking (TbReport *report, const TbWaitResult *result)
{
  guint32 longest = TB_ID_NONE;
  g_autofree char *text = NULL;
  g_autofree char *first = NULL;
  gboolean named = FALSE;
  TbFinding *finding;

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (result->graph, i);

      if (!arc->idle && !tb_wait_graph_get_vertex (result->graph, arc->from)->outside
          && (longest == TB_ID_NONE || arc->plain > tb_wait_graph_get_arc (result->graph, longest)->plain))
        longest = i;
    }
  if (longest == TB_ID_NONE)
    return;
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const GArray *arcs = tb_wait_knots_get_bottleneck (result->knots, i)->arcs;

      for (guint j = 0; j < arcs->len; j++)
        named |= g_array_index (arcs, guint32, j) == longest;
    }
  first = describe_arc (result, longest);
  text = g_strdup_printf (
      named ? _ ("Ranked by waiting time alone this comes first, too: %s.")
            : _ ("Ranked by waiting time alone this would come first: %s. It is no part of a "
                 "bottleneck: who waits there waits because of others."),
      first);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE,
                            get_share (result, tb_wait_graph_get_arc (result->graph, longest)->bound));
  set_place_of_arc (finding, result, longest);
  tb_report_add_finding (report, finding);
}

/* "B could run for 3 ms but had no cpu; cc1 held it for 2.5 ms of that." */
static void
add_runnable_vertex (TbReport *report, const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  double share = get_share (result, vertex->runnable);
  g_autoptr (GArray) culprits = NULL;
  g_autofree char *name = NULL;
  g_autofree char *ns = NULL;
  g_autofree char *first = NULL;
  g_autofree char *held = NULL;
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (share < TB_WAIT_OFTEN_RUNNABLE)
    return;
  culprits = tb_wait_culprits_find (result->culprits, index);
  name = tb_wait_vertex_describe (result->graph, index);
  ns = tb_format_duration (vertex->runnable);
  if (culprits->len > 0)
    {
      first = tb_trace_describe_thread (result->trace, g_array_index (culprits, TbWaitCulprit, 0).thread);
      held = tb_format_duration (g_array_index (culprits, TbWaitCulprit, 0).ns);
    }
  text = first != NULL
             ? g_strdup_printf (_ ("%s wanted a cpu for %s without getting one; for %s of that %s held it. "
                                   "It is part of a bottleneck: give it more cpus or a higher priority."),
                                name, ns, held, first)
             : g_strdup_printf (_ ("%s wanted a cpu for %s without getting one. It is part of a "
                                   "bottleneck: give it more cpus or a higher priority."),
                                name, ns);
  finding = tb_finding_new (get_severity (share), text, vertex->runnable, share);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, vertex->id);
  tb_report_add_finding (report, finding);
}

static void
add_runnable (TbReport *report, const TbWaitResult *result)
{
  g_autofree guint8 *done = g_new0 (guint8, result->graph->vertices->len + 1);

  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);

      for (guint j = 0; j < bottleneck->vertices->len; j++)
        done[g_array_index (bottleneck->vertices, guint32, j)] = TRUE;
    }
  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);

      if (component->kind == TB_WAIT_SINK && !component->outside)
        done[g_array_index (component->vertices, guint32, 0)] = TRUE;
    }
  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    if (done[i])
      add_runnable_vertex (report, result, i);
}

static void
add_work (TbReport *report, const TbWaitResult *result)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%'" PRIu64 " unit of work (%s): %.4g a second.",
                                                     "%'" PRIu64 " units of work (%s): %.4g a second.",
                                                     (gulong) result->work->count),
                                           result->work->count, result->work->unit, result->work->per_second);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_place (finding, "work", NULL);
  tb_report_add_finding (report, finding);
}

static void
add_count (TbReport *report, guint n, const char *format)
{
  g_autofree char *text = NULL;

  if (n == 0)
    return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (format, n);
#pragma GCC diagnostic pop
  tb_report_add_finding (report, tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN));
}

/* Who may have ended the busy waiting. */
static const char *
tell_ended (TbWaitEnded ended)
{
  switch (ended)
    {
    case TB_WAIT_ENDED_BY_ONE:
      return _ (" No other thread that shares its memory ran each time it ended.");
    case TB_WAIT_ENDED_BY_SOME:
      return _ (" More than one thread ran each time it ended: which one ended it is not known.");
    case TB_WAIT_ENDED_UNKNOWN:
    default:
      return _ (" Whether one thread ended it each time is not known.");
    }
}

static void
add_proposal (TbReport *report, const TbWaitResult *result, const TbWaitProposal *proposal)
{
  g_autofree char *item = NULL;
  g_autofree char *name = tb_wait_vertex_describe (result->graph, proposal->vertex);
  g_autofree char *function = tb_trace_get_stack_label (result->trace, proposal->stack);
  g_autofree char *ns = tb_format_duration (proposal->ns);
  g_autofree char *waker
      = proposal->waker != TB_ID_NONE ? tb_wait_vertex_describe (result->graph, proposal->waker) : NULL;
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (proposal->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP)
    text = g_strdup_printf (ngettext ("%s looks woken for nothing %'" PRIu64
                                      " time: it sleeps again at once in %s. If so, mark that as a "
                                      "false wake-up: %s of waiting would count for whoever wakes it in the "
                                      "end. Nothing was changed.",
                                      "%s looks woken for nothing %'" PRIu64
                                      " times: it sleeps again at once in %s. If so, mark that as a "
                                      "false wake-up: %s of waiting would count for whoever wakes it in the "
                                      "end. Nothing was changed.",
                                      proposal->count),
                            name, proposal->count, function != NULL ? function : "?", ns);
  else if (waker != NULL)
    text = g_strdup_printf (
        ngettext ("%s looks busy waiting in %s, %'" PRIu64 " time, probably for %s. If so, mark where "
                  "it begins and ends: %s of running would count as waiting. Nothing was changed.",
                  "%s looks busy waiting in %s, %'" PRIu64 " times, probably for %s. If so, mark where "
                  "it begins and ends: %s of running would count as waiting. Nothing was changed.",
                  proposal->count),
        name, function != NULL ? function : "?", proposal->count, waker, ns);
  else
    text = g_strdup_printf (ngettext ("%s looks busy waiting in %s, %'" PRIu64
                                      " time. If so, mark where it begins and "
                                      "ends: %s of running would count as waiting. Nothing was changed.",
                                      "%s looks busy waiting in %s, %'" PRIu64
                                      " times. If so, mark where it begins and "
                                      "ends: %s of running would count as waiting. Nothing was changed.",
                                      proposal->count),
                            name, function != NULL ? function : "?", proposal->count, ns);
  if (proposal->kind == TB_WAIT_PROPOSE_SPIN)
    {
      char *more = g_strconcat (text, tell_ended (proposal->ended), NULL);

      g_free (text);
      text = more;
    }
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, get_share (result, proposal->ns));
  tb_finding_set_range (finding, proposal->from, proposal->to);
  item = tb_wait_proposal_get_text (result->graph, proposal);
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
  add_count (report, result->proposals->len - n_shown,
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
  tb_report_add_finding (report, tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN));
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
  add_count (
      report, n_left_out,
      ngettext ("%u more knot, probably in the background, is lighter or not of what is asked about.",
                "%u more knots, probably in the background, are lighter or not of what is asked about.",
                n_left_out));
}

static void
add_sinks (TbReport *report, const TbWaitResult *result)
{
  guint n_left_out = 0;

  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);
      guint32 vertex = g_array_index (component->vertices, guint32, 0);

      if (component->kind != TB_WAIT_SINK || component->outside)
        continue;
      /* Components that a target does not wait for are outside. */
      if (result->has_target || tb_wait_result_is_asked (result, component->vertices)
          || result->heaviest_into[vertex] != TB_ID_NONE)
        add_sink (report, result, component);
      else
        n_left_out++;
    }
  add_count (
      report, n_left_out,
      ngettext ("%u thread that is not asked about runs or wants a cpu for more than half of the time.",
                "%u threads that are not asked about run or want a cpu for more than half of the time.",
                n_left_out));
}

void
tb_wait_add_findings (TbReport *report, const TbWaitResult *result)
{
  add_bottlenecks (report, result);
  add_sinks (report, result);
  if (!has_foreground (result))
    add_not_saturated (report, result);
  if (result->work != NULL)
    add_work (report, result);
  add_runnable (report, result);
  add_proposals (report, result);
  add_plain_ranking (report, result);
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

  if (bottleneck == NULL && has_foreground (result))
    return g_strdup (_ ("No waiting limits the throughput: execution does."));
  if (bottleneck == NULL)
    bottleneck = find_first (result, FALSE);
  if (bottleneck == NULL && is_busy_behind (result))
    return g_strdup (
        _ ("No waiting limits the throughput, unless that of threads probably in the background does."));
  if (bottleneck == NULL)
    return g_strdup (_ ("No waiting limits the throughput: it is not saturated."));
  names = join_names (result, bottleneck->vertices);
  share = tb_format_share (get_share (result, bottleneck->bound));
  return g_strdup_printf (
      _ ("%s limit the throughput: removing the waits of one edge there, with all else as recorded, "
         "gains at most %s of the time."),
      names, share);
}
