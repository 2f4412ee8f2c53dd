/* tb-wait-loads.c: who is busy, wants to be, or is idle, in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-loads.h"

#include <glib/gi18n.h>
#include <math.h>

#include "tb-wait-figures.h"
#include "tb-wait-names.h"
#include "tb-wait-words.h"

gboolean
tb_wait_has_foreground (const TbWaitResult *result)
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
  share = tb_format_share (tb_wait_get_share (result, ns));
  return g_strdup_printf (_ ("waits for no more than %s of it for those that wait for it"), share);
}

static void
add_sink (TbReport *report, const TbWaitResult *result, const TbWaitComponent *component)
{
  guint32 index = g_array_index (component->vertices, guint32, 0);
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  g_autofree char *name = tb_wait_vertex_describe (result->graph, index);
  g_autofree char *running = tb_format_share (tb_wait_get_share (result, vertex->running));
  g_autofree char *runnable = tb_format_share (tb_wait_get_share (result, vertex->runnable));
  g_autofree char *waiting = tb_wait_describe_heaviest_into (result, index);
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
  finding = tb_finding_new (tb_wait_get_severity (tb_wait_get_share (result, vertex->running)), text,
                            vertex->running, tb_wait_get_share (result, vertex->running));
  tb_wait_finding_add_threads (finding, result, component->vertices);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_GRAPH, vertex->id);
  tb_report_add_finding (report, finding);
}

/* Who is asked about and is or wants to be busy for more than half of the time, though only in a knot in the background. */
gboolean
tb_wait_is_busy_behind (const TbWaitResult *result)
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
void
tb_wait_add_not_saturated (TbReport *report, const TbWaitResult *result)
{
  if (result->graph->vertices->len == 0)
    return;
  if (tb_wait_is_busy_behind (result))
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

/* "B could run for 3 ms but had no cpu; cc1 held it for 2.5 ms of that." */
static void
add_runnable_vertex (TbReport *report, const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  double share = tb_wait_get_share (result, vertex->wanted);
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
  ns = tb_format_duration (vertex->wanted);
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
  finding = tb_finding_new (tb_wait_get_severity (share), text, vertex->wanted, share);
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
      /* Components that a target does not wait for are outside. */
      if (result->has_target || tb_wait_result_is_asked (result, component->vertices)
          || result->heaviest_into[vertex] != TB_ID_NONE)
        add_sink (report, result, component);
      else
        n_left_out++;
    }
  tb_wait_add_count (
      report, n_left_out,
      ngettext ("%u thread that is not asked about runs or wants a cpu for more than half of the time.",
                "%u threads that are not asked about run or want a cpu for more than half of the time.",
                n_left_out));
}
