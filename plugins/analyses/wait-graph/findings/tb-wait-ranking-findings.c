/* tb-wait-ranking-findings.c: finding that names the edge with the longest plain waiting time and
 * its place in the graph's result (first, in a bottleneck, in the background, excluded); finding
 * that counts excluded edges
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-ranking-findings.h"

#include <glib/gi18n.h>
#include <math.h>

#include "output/tb-wait-figures.h"
#include "tb-wait-finding-values.h"
#include "tb-wait-sentences.h"

/* What other findings report about an edge. */
typedef enum
{
  PLACE_FIRST,      /* it is the first to examine */
  PLACE_PART,       /* it, or the vertex to which it leads, is part of a bottleneck */
  PLACE_BACKGROUND, /* likewise, probably in the background */
  PLACE_EXCLUDED,   /* it is excluded before knots are sought */
  PLACE_NONE,
} Place;

/* The place of an edge in findings about a single vertex, which name the heaviest edge that leads
 * to it. */
static Place
get_place_of_vertex (const TbWaitResult *result, guint32 vertex, guint32 arc)
{
  if (tb_wait_graph_get_arc (result->graph, arc)->to != vertex)
    return PLACE_NONE;
  return result->heaviest_incoming[vertex] == arc ? PLACE_FIRST : PLACE_PART;
}

static Place
get_place_in_bottleneck (const TbWaitResult *result,
                         const TbWaitBottleneck *bottleneck,
                         guint32 arc)
{
  if (bottleneck->arcs->len == 0)
    return get_place_of_vertex (result, g_array_index (bottleneck->vertices, guint32, 0), arc);
  for (guint i = 0; i < bottleneck->arcs->len; i++)
    if (g_array_index (bottleneck->arcs, guint32, i) == arc)
      return i == 0 ? PLACE_FIRST : PLACE_PART;
  return PLACE_NONE;
}

static Place
find_place (const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (result->graph, arc);
  guint32 from = result->knots->component_of[of->from], to = result->knots->component_of[of->to];
  const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, to);
  Place place = PLACE_NONE;

  if (of->exclusion != TB_WAIT_EXCLUSION_NONE)
    return PLACE_EXCLUDED;
  if (component->background && from == to)
    return PLACE_BACKGROUND;
  if (component->kind == TB_WAIT_SINK && !component->outside)
    return get_place_of_vertex (result, of->to, arc);
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);

      if (!tb_wait_knots_get_component (result->knots, bottleneck->component)->background)
        place = MIN (place, get_place_in_bottleneck (result, bottleneck, arc));
    }
  return place;
}

/* Code and sentence of a finding. */
typedef struct
{
  const char *code;
  const char *format;
} Ranked;

/* Also for edges to a vertex that only forwards the wait. */
static Ranked
get_ranked_exclusion (TbWaitExclusion exclusion)
{
  switch (exclusion)
    {
    case TB_WAIT_EXCLUSION_TIMER:
      return (Ranked) { "longest-wait-for-timer",
                        _ ("The longest wait: %s. It does not limit the throughput, because what "
                           "ends it in the end is a timer, not the work of others.") };
    case TB_WAIT_EXCLUSION_INTERRUPT:
      return (Ranked) { "longest-wait-for-interrupt",
                        _ ("The longest wait: %s. It does not limit the throughput, because what "
                           "ends it in the end is an interrupt, not the work of others.") };
    case TB_WAIT_EXCLUSION_ENDED:
      return (Ranked) { "longest-wait-for-ended-thread",
                        _ ("The longest wait: %s. It does not limit the throughput, because the "
                           "thread ended and others went on without it.") };
    case TB_WAIT_EXCLUSION_LIGHT:
      return (Ranked) { "longest-wait-light",
                        _ ("The longest wait: %s. It does not limit the throughput, because it is "
                           "too short.") };
    default:
      return (Ranked) { "longest-wait-for-unknown",
                        _ ("The longest wait: %s. Whether it limits the throughput is unknown, "
                           "because what ends it in the end is.") };
    }
}

static Ranked
get_ranked (const TbWaitResult *result, guint32 arc)
{
  switch (find_place (result, arc))
    {
    case PLACE_FIRST:
      return (Ranked) { "longest-wait-first",
                        _ ("The longest wait is the one to look at first, too: %s.") };
    case PLACE_PART:
      return (Ranked) { "longest-wait-in-bottleneck",
                        _ ("The longest wait: %s. It is part of a bottleneck, too.") };
    case PLACE_BACKGROUND:
      return (
          Ranked) { "longest-wait-in-background",
                    _ ("The longest wait: %s. It probably does not limit the throughput, because "
                       "it is part of a knot in the background.") };
    case PLACE_EXCLUDED:
      return get_ranked_exclusion (tb_wait_graph_get_arc (result->graph, arc)->exclusion);
    default:
      return (Ranked) { "longest-wait-outside-bottleneck",
                        _ ("The longest wait: %s. It does not limit the throughput by itself, "
                           "because it depends on waits of others.") };
    }
}

/* Adds what ranking by waiting time alone would have named. */
void
tb_wait_add_plain_ranking (TbReport *report, const TbWaitResult *result)
{
  guint32 longest = TB_ID_NONE;
  g_autofree char *text = NULL;
  g_autofree char *first = NULL;
  TbFinding *finding;
  Ranked ranked;

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (result->graph, i);

      if (!arc->idle && !tb_wait_graph_get_vertex (result->graph, arc->from)->outside
          && (longest == TB_ID_NONE
              || arc->plain > tb_wait_graph_get_arc (result->graph, longest)->plain))
        longest = i;
    }
  if (longest == TB_ID_NONE)
    return;
  first = tb_wait_describe_arc (result, longest);
  ranked = get_ranked (result, longest);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (ranked.format, first);
#pragma GCC diagnostic pop
  finding
      = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE,
                        tb_wait_get_share (result,
                                           tb_wait_graph_get_arc (result->graph, longest)->bound));
  tb_finding_set_code (finding, ranked.code);
  tb_wait_finding_set_wait (finding, result, longest);
  tb_wait_finding_set_arc (finding, result, longest);
  tb_report_add_finding (report, finding);
}

/* "timer (3)" */
static char *
describe_count (TbWaitExclusion reason, guint n)
{
  switch (reason)
    {
    case TB_WAIT_EXCLUSION_TIMER:
      return g_strdup_printf (_ ("timer (%'u)"), n);
    case TB_WAIT_EXCLUSION_INTERRUPT:
      return g_strdup_printf (_ ("interrupt (%'u)"), n);
    case TB_WAIT_EXCLUSION_IDLE:
      return g_strdup_printf (_ ("idle task (%'u)"), n);
    case TB_WAIT_EXCLUSION_UNKNOWN:
      return g_strdup_printf (_ ("unknown waker (%'u)"), n);
    case TB_WAIT_EXCLUSION_ENDED:
      return g_strdup_printf (_ ("ended thread (%'u)"), n);
    default:
      return g_strdup_printf (_ ("light (%'u)"), n);
    }
}

/* counts: by reason. n: their sum. n_edges: with those that are not excluded. */
static void
set_counts (TbFinding *finding, const guint *counts, guint n, guint n_edges)
{
  tb_finding_set_code (finding, "excluded-edges");
  tb_finding_set_integer (finding, "count", n);
  tb_finding_set_integer (finding, "edges", n_edges);
  for (guint reason = TB_WAIT_EXCLUSION_NONE + 1; reason < TB_N_WAIT_EXCLUSIONS; reason++)
    {
      g_autofree char *name
          = g_strconcat (tb_wait_exclusion_get_name ((TbWaitExclusion) reason), "_count", NULL);

      tb_finding_set_integer (finding, name, counts[reason]);
    }
}

void
tb_wait_add_excluded_edges (TbReport *report, const TbWaitResult *result)
{
  guint counts[TB_N_WAIT_EXCLUSIONS] = { 0 }, n = 0, n_edges;
  g_autoptr (GString) reasons = g_string_new (NULL);
  g_autofree char *text = NULL;
  TbFinding *finding;

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    if (tb_wait_result_is_arc_in_scope (result, tb_wait_graph_get_arc (result->graph, i)))
      counts[tb_wait_graph_get_arc (result->graph, i)->exclusion]++;
  for (guint reason = TB_WAIT_EXCLUSION_NONE + 1; reason < TB_N_WAIT_EXCLUSIONS; reason++)
    {
      g_autofree char *count = NULL;

      if (counts[reason] == 0)
        continue;
      count = describe_count ((TbWaitExclusion) reason, counts[reason]);
      g_string_append_printf (reasons, "%s%s", n > 0 ? ", " : "", count);
      n += counts[reason];
    }
  if (n == 0)
    return;
  n_edges = n + counts[TB_WAIT_EXCLUSION_NONE];
  text = g_strdup_printf (
      /* Translators: the last %s is a list of reasons with numbers: “timer (3), light (1)”. */
      ngettext ("%'u of %'u edges is excluded before knots are searched for: %s.",
                "%'u of %'u edges are excluded before knots are searched for: %s.", n),
      n, n_edges, reasons->str);
  finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);
  set_counts (finding, counts, n, n_edges);
  tb_finding_set_place (finding, TB_WAIT_FIGURE_EDGES, NULL);
  tb_report_add_finding (report, finding);
}
