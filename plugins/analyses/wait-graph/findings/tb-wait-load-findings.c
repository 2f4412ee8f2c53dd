/* tb-wait-load-findings.c: findings about threads that limit by their own execution or often lack a
 * CPU, saturated devices, idle threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-load-findings.h"

#include <glib/gi18n.h>
#include <math.h>

#include "graph/tb-wait-verdict.h"
#include "output/tb-wait-figures.h"
#include "model/tb-wait-names.h"
#include "tb-wait-finding-values.h"
#include "tb-wait-sentences.h"

/* A life of at least this share of the recording is that of the recording, in sentences. */
#define WHOLE_SHARE 0.95

/* How long a vertex that would be in a knot waits for others of the knot. */
static gint64
sum_cut_arcs (const TbWaitResult *result, const TbWaitComponent *component)
{
  gint64 ns = 0;

  for (guint i = 0; component->cut_arcs != NULL && i < component->cut_arcs->len; i++)
    ns += tb_wait_graph_get_arc (result->graph, g_array_index (component->cut_arcs, guint32, i))
              ->plain;
  return ns;
}

/* That it waits for nothing, or how long a vertex that would be in a knot waits for others of the
 * knot. */
static char *
describe_rest (const TbWaitResult *result, const TbWaitComponent *component)
{
  g_autofree char *share = NULL;

  if (component->cut_arcs == NULL)
    return g_strdup (_ ("It waits for nothing except what is excluded: its execution is a "
                        "bottleneck. Look at what it runs."));
  share = tb_format_share (tb_wait_get_share (result, sum_cut_arcs (result, component)));
  return g_strdup_printf (_ ("It waits at most %s of the time for others that wait for it: its "
                             "execution is a bottleneck. Look at what it runs."),
                          share);
}

/* "A runs 90 % of the time and is runnable without a CPU for 2 % of it." */
static char *
describe_busy_one (const char *name, const char *running, const char *runnable, const char *life)
{
  if (life != NULL)
    return g_strdup_printf (_ ("%s lives for %s: it runs %s of that time and is runnable without a "
                               "CPU for %s of it."),
                            name, life, running, runnable);
  /* Translators: thread, share that it runs, share that it is runnable. */
  return g_strdup_printf (
      _ ("%s runs %s of the time and is runnable without a CPU for %s of the time."), name, running,
      runnable);
}

static char *
describe_busy_each (const char *name,
                    guint n,
                    const char *running,
                    const char *runnable,
                    const char *life)
{
  if (life != NULL)
    return g_strdup_printf (
        /* Translators: name, number of threads, how long they live, share that they run, share that
         * they are runnable. */
        ngettext (
            "%s: its %'u thread lives for %s, runs %s of that time, and is runnable without a "
            "CPU for %s of it.",
            "%s: on average, each of its %'u threads lives for %s, runs %s of that time, and "
            "is runnable without a CPU for %s of it.",
            n),
        name, n, life, running, runnable);
  return g_strdup_printf (
      /* Translators: name, number of threads, share that they run, share that they are
       * runnable. */
      ngettext ("%s: on average, its %'u thread runs %s of the time, and is runnable without a "
                "CPU for %s of the time.",
                "%s: on average, each of its %'u threads runs %s of the time, and is runnable "
                "without a CPU for %s of the time.",
                n),
      name, n, running, runnable);
}

static char *
describe_busy_together (const char *name,
                        guint n,
                        const char *running,
                        const char *runnable,
                        const char *life)
{
  if (life != NULL)
    return g_strdup_printf (
        /* Translators: name, from the beginning of the first to the end of the last, number of
         * threads, share that they run, share that they are runnable. */
        ngettext (
            "%s: in the %s of its %'u thread, it runs %s of the time, and is runnable without "
            "a CPU for %s of the time.",
            "%s: in the %s from the first to the last of its %'u threads, they together run "
            "%s of the time, and are runnable without a CPU for %s of the time.",
            n),
        name, life, n, running, runnable);
  return g_strdup_printf (
      /* Translators: name, number of threads, share that they run, share that they are
       * runnable. */
      ngettext ("%s: its %'u thread runs %s of the time, and is runnable without a CPU for %s of "
                "the time.",
                "%s: its %'u threads together run %s of the time, and are runnable without a CPU "
                "for %s of the time.",
                n),
      name, n, running, runnable);
}

/* The mean life of similar threads, else that of the vertex. */
static gint64
get_life (const TbWaitVertex *vertex)
{
  return MAX (vertex->life / tb_wait_vertex_count_alike (vertex), 1);
}

/* How long the threads run and are runnable: the mean of similar threads, else the sum. */
static char *
describe_busy (const TbWaitResult *result, const TbWaitVertex *vertex, const char *name, guint n)
{
  guint n_alike = tb_wait_vertex_count_alike (vertex);
  gboolean is_shorter = (double) get_life (vertex) < WHOLE_SHARE * (double) result->recorded;
  double life = is_shorter ? (double) get_life (vertex) : (double) result->recorded;
  g_autofree char *life_text = is_shorter ? tb_format_duration (get_life (vertex)) : NULL;
  g_autofree char *running = tb_format_share ((double) vertex->running / life / n_alike);
  g_autofree char *runnable = tb_format_share ((double) vertex->runnable / life / n_alike);

  if (n <= 1)
    return describe_busy_one (name, running, runnable, life_text);
  return n_alike > 1 ? describe_busy_each (name, n, running, runnable, life_text)
                     : describe_busy_together (name, n, running, runnable, life_text);
}

static char *
describe_sink (const TbWaitResult *result, const TbWaitComponent *component, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (result->graph, index);
  g_autofree char *name = tb_wait_vertex_describe_translated (result->graph, index);
  g_autofree char *share = tb_format_share (tb_wait_get_share (result, vertex->running));
  g_autofree char *waiting = tb_wait_describe_heaviest_incoming (result, index);
  g_autofree char *busy = NULL;
  g_autofree char *rest = NULL;

  if (vertex->kind == TB_WAIT_NODE_DEVICE)
    return g_strdup_printf (
        _ ("The disk %s is busy %s of the time and waits for nothing: it is saturated.%s"), name,
        share, waiting);
  if (vertex->kind == TB_WAIT_NODE_NETWORK)
    return g_strdup_printf (
        _ ("%s is busy %s of the time and waits for nothing: it is saturated.%s"), name, share,
        waiting);
  busy = describe_busy (result, vertex, name, threads->len);
  rest = describe_rest (result, component);
  return g_strconcat (busy, " ", rest, waiting, NULL);
}

static const char *
get_sink_code (const TbWaitVertex *vertex, guint n_threads)
{
  if (vertex->kind == TB_WAIT_NODE_DEVICE)
    return "device-saturation";
  if (vertex->kind == TB_WAIT_NODE_NETWORK)
    return "network-saturation";
  return n_threads <= 1 || tb_wait_vertex_count_alike (vertex) > 1 ? "execution-bottleneck"
                                                                   : "joint-execution-bottleneck";
}

/* The values of describe_sink(). */
static void
set_sink (TbFinding *finding,
          const TbWaitResult *result,
          const TbWaitComponent *component,
          guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  guint n_alike = tb_wait_vertex_count_alike (vertex);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (result->graph, index);
  const char *code = get_sink_code (vertex, threads->len);
  /* A sum can exceed the recorded time. */
  gboolean is_joint = g_str_equal (code, "joint-execution-bottleneck");

  tb_finding_set_code (finding, code);
  tb_wait_finding_set_vertex (finding, result, index);
  tb_finding_set_number (finding, is_joint ? "running_cpus" : "running_share",
                         tb_wait_get_share (result, vertex->running) / n_alike);
  if (vertex->kind != TB_WAIT_NODE_DEVICE && vertex->kind != TB_WAIT_NODE_NETWORK)
    {
      tb_finding_set_integer (finding, "threads", threads->len);
      tb_finding_set_time (finding, "life_ns", get_life (vertex));
      tb_finding_set_number (finding, is_joint ? "runnable_cpus" : "runnable_share",
                             tb_wait_get_share (result, vertex->runnable) / n_alike);
      tb_finding_set_number (finding, "knot_wait_share",
                             tb_wait_get_share (result, sum_cut_arcs (result, component)));
    }
  tb_wait_finding_set_wait (finding, result, result->heaviest_incoming[index]);
}

/* The mean time of similar threads. The times of other threads are sums, which are limited to the
 * recorded time. */
static gint64
get_time_of_each (const TbWaitResult *result, const TbWaitVertex *vertex, gint64 ns)
{
  return MIN (ns / tb_wait_vertex_count_alike (vertex), result->recorded);
}

static void
add_sink (TbReport *report, const TbWaitResult *result, const TbWaitComponent *component)
{
  guint32 index = g_array_index (component->vertices, guint32, 0);
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  gint64 ns = get_time_of_each (result, vertex, vertex->running);
  double share = tb_wait_get_share (result, ns);
  g_autofree char *text = describe_sink (result, component, index);
  TbFinding *finding = tb_finding_new (tb_wait_get_severity (share), text, ns, share);

  set_sink (finding, result, component, index);
  tb_wait_finding_add_threads (finding, result, component->vertices);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, vertex->id);
  tb_report_add_finding (report, finding);
}

/* By descending waiting time. */
static int
compare_sleep (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;
  gint64 left_ns = tb_wait_graph_get_vertex (data, left)->waiting;
  gint64 right_ns = tb_wait_graph_get_vertex (data, right)->waiting;

  if (left_ns != right_ns)
    return left_ns > right_ns ? -1 : 1;
  return left < right ? -1 : left > right;
}

void
tb_wait_add_idle (TbReport *report, const TbWaitResult *result)
{
  g_autoptr (GArray) vertices = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *names = NULL;
  g_autofree char *text = NULL;
  TbFinding *finding;

  /* What the threads wait for may be anything. */
  if (!tb_wait_result_has_causes (result))
    return;
  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);
      guint32 vertex = g_array_index (component->vertices, guint32, 0);
      TbWaitNodeKind kind = tb_wait_graph_get_vertex (result->graph, vertex)->kind;

      if (component->kind == TB_WAIT_IDLE
          && !tb_wait_graph_get_vertex (result->graph, vertex)->outside
          && (kind == TB_WAIT_NODE_THREAD || kind == TB_WAIT_NODE_VIRTUAL)
          && !tb_wait_vertex_may_be_saturated (result->graph, vertex)
          && tb_wait_result_is_targeted (result, component->vertices))
        g_array_append_val (vertices, vertex);
    }
  if (vertices->len == 0)
    return;
  g_array_sort_with_data (vertices, compare_sleep, result->graph);
  names = tb_wait_join_names (result, vertices);
  text = g_strdup_printf (
      ngettext ("%s is idle: it is running or runnable for at most half of the time, and otherwise "
                "waits for what is excluded or was not recorded.",
                "%s are idle: none is running or runnable for more than half of the time, and "
                "otherwise they wait for what is excluded or was not recorded.",
                vertices->len),
      names);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  tb_finding_set_code (finding, "idle-threads");
  tb_wait_finding_set_names (finding, result, vertices);
  tb_finding_set_place (
      finding, TB_WAIT_FIGURE_GRAPH,
      tb_wait_graph_get_vertex (result->graph, g_array_index (vertices, guint32, 0))->id);
  tb_report_add_finding (report, finding);
}

/* "B was runnable without a CPU for 3 ms; cc1 had the CPU for 2.5 ms of that." */
static char *
describe_runnable (const TbWaitResult *result, guint32 index, const TbWaitCpuHolder *cpu_holder)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  guint n_alike = tb_wait_vertex_count_alike (vertex);
  g_autofree char *name = tb_wait_vertex_describe_translated (result->graph, index);
  g_autofree char *all = tb_format_duration (vertex->wanted);
  g_autofree char *each = tb_format_duration (vertex->wanted / n_alike);
  g_autofree char *first = NULL;
  g_autofree char *held = NULL;

  if (cpu_holder != NULL)
    {
      first = tb_wait_thread_describe (result->graph, cpu_holder->thread);
      held = tb_format_duration (cpu_holder->ns);
    }
  if (n_alike == 1 && first != NULL)
    return g_strdup_printf (
        _ ("%s was runnable without a CPU for %s; %s had the CPU for %s of that. It is part of a "
           "bottleneck: give it more CPUs or a higher priority."),
        name, all, first, held);
  if (n_alike == 1)
    return g_strdup_printf (_ ("%s was runnable without a CPU for %s. It is part of a bottleneck: "
                               "give it more CPUs or a higher priority."),
                            name, all);
  if (first != NULL)
    return g_strdup_printf (
        /* Translators: name, number of threads, time of each, time of all, a thread that had the
         * CPU, for how long. */
        ngettext ("%s: its %'u thread was runnable without a CPU for %s on average, %s in all; %s "
                  "had the CPU for %s of that. It is part of a bottleneck: give it more CPUs or a "
                  "higher priority.",
                  "%s: its %'u threads were runnable without a CPU for %s each, on average, %s in "
                  "all; %s had the CPU for %s of that. It is part of a bottleneck: give it more "
                  "CPUs or a higher priority.",
                  n_alike),
        name, n_alike, each, all, first, held);
  return g_strdup_printf (
      ngettext ("%s: its %'u thread was runnable without a CPU for %s on average, %s in all. It is "
                "part of a bottleneck: give it more CPUs or a higher priority.",
                "%s: its %'u threads were runnable without a CPU for %s each, on average, %s in "
                "all. It is part of a bottleneck: give it more CPUs or a higher priority.",
                n_alike),
      name, n_alike, each, all);
}

/* The values of describe_runnable(). */
static void
set_runnable (TbFinding *finding,
              const TbWaitResult *result,
              guint32 index,
              const TbWaitCpuHolder *cpu_holder)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  guint n_alike = tb_wait_vertex_count_alike (vertex);

  tb_finding_set_code (finding, "cpu-contention");
  tb_wait_finding_set_vertex (finding, result, index);
  tb_finding_set_integer (finding, "threads", n_alike);
  tb_finding_set_time (finding, "runnable_ns", vertex->wanted);
  tb_finding_set_time (finding, "mean_runnable_ns", vertex->wanted / n_alike);
  tb_wait_finding_set_thread (finding, "holder_", result,
                              cpu_holder != NULL ? cpu_holder->thread : TB_ID_NONE);
  tb_finding_set_time (finding, "holder_ns", cpu_holder != NULL ? cpu_holder->ns : TB_TIME_NONE);
}

static void
add_runnable_vertex (TbReport *report, const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  gint64 ns = get_time_of_each (result, vertex, vertex->wanted);
  double share = tb_wait_get_share (result, ns);
  g_autoptr (GArray) cpu_contention = NULL;
  const TbWaitCpuHolder *first;
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (!tb_wait_result_is_often_runnable (result, index))
    return;
  cpu_contention = tb_wait_cpu_contention_find (result->cpu_contention, index);
  first = cpu_contention->len > 0 ? &g_array_index (cpu_contention, TbWaitCpuHolder, 0) : NULL;
  text = describe_runnable (result, index, first);
  /* It explains the bottleneck, and comes after it. */
  if (tb_wait_verdict_get (result)->bottleneck != TB_ID_NONE)
    ns = MIN (ns,
              tb_wait_knots_get_bottleneck (result->knots, tb_wait_verdict_get (result)->bottleneck)
                  ->bound);
  finding = tb_finding_new (tb_wait_get_severity (share), text, ns, share);
  set_runnable (finding, result, index, first);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, vertex->id);
  tb_report_add_finding (report, finding);
}

void
tb_wait_add_runnable (TbReport *report, const TbWaitResult *result)
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

void
tb_wait_add_sinks (TbReport *report, const TbWaitResult *result)
{
  guint n_left_out = 0;

  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);
      guint32 vertex = g_array_index (component->vertices, guint32, 0);

      if (component->kind != TB_WAIT_SINK || component->outside)
        continue;
      /* With a target, components that it does not wait for are outside. */
      if (result->has_target || tb_wait_result_is_targeted (result, component->vertices)
          || result->is_awaited[vertex])
        add_sink (report, result, component);
      else
        n_left_out++;
    }
  tb_wait_add_count (report, "more-busy-threads", n_left_out,
                     ngettext ("%u thread outside of the processes of interest is running or "
                               "runnable for more than half of the time.",
                               "%u threads outside of the processes of interest are running or "
                               "runnable for more than half of the time.",
                               n_left_out));
}
