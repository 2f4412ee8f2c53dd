/* tb-wait-sentences.c: parts of the sentences of findings: names of vertices, the waits and delays
 * of an edge
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-sentences.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "model/tb-wait-names.h"
#include "report/tb-report.h"

#define NAMES_SHOWN 4
#define LINKS_SHOWN 3

char *
tb_wait_join_names (const TbWaitResult *result, const GArray *vertices)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < vertices->len && i < NAMES_SHOWN; i++)
    {
      g_autofree char *name
          = tb_wait_vertex_describe_translated (result->graph,
                                                g_array_index (vertices, guint32, i));

      g_string_append_printf (text, "%s%s",
                              i == 0                   ? ""
                              : i + 1 == vertices->len ? _ (" and ")
                                                       : ", ",
                              name);
    }
  if (vertices->len > NAMES_SHOWN)
    g_string_append_printf (text,
                            ngettext (" and %'u more vertex", " and %'u more vertices",
                                      vertices->len - NAMES_SHOWN),
                            vertices->len - NAMES_SHOWN);
  return g_string_free (text, FALSE);
}

/* ", most of it for the lock heap 0x5500"; "" where there is none. */
static char *
describe_lock (const TbWaitResult *result, guint32 arc)
{
  g_autofree char *lock = tb_wait_locks_describe (result->locks, arc);

  return lock != NULL ? g_strconcat (", ", lock, NULL) : g_strdup ("");
}

/* ", and 40 ms more through kworker/u8 ×2"; "" where nothing is forwarded. */
static char *
describe_forwarding (const TbWaitResult *result, const TbWaitArc *arc)
{
  g_autofree char *name = NULL;
  g_autofree char *ns = NULL;

  if (arc->forwarded == 0 || arc->forwarder == TB_ID_NONE)
    return g_strdup ("");
  name = tb_wait_vertex_describe_translated (result->graph, arc->forwarder);
  ns = tb_format_duration (arc->forwarded);
  return g_strdup_printf (_ (", and %s more through %s"), ns, name);
}

/* A sum of delays that is longer than the recording is one of several threads, each of which is
 * delayed for a part of it. */
static char *
describe_sum (const TbWaitResult *result, gint64 sum, gint64 plain)
{
  g_autofree char *ns = tb_format_duration (sum);
  double n = (double) sum / (double) MAX (plain, 1);

  if (sum <= result->recorded || plain <= 0)
    return NULL;
  return g_strdup_printf (_ ("this wait and all that depend on it delay %.3g threads at a time on "
                             "average, by %s counted once for each of them"),
                          n, ns);
}

/* The delay that an edge causes beyond its waiter, or, with a target, to the target; NULL: none. */
static char *
describe_delay (const TbWaitResult *result, const TbWaitArc *arc)
{
  gint64 sum = result->has_target ? arc->limits : arc->weight;
  g_autofree char *ns = tb_format_duration (sum);
  gboolean is_outside = tb_wait_graph_get_vertex (result->graph, arc->from)->outside;
  char *text;

  if (!result->has_target && arc->weight == arc->plain)
    return NULL;
  if (result->has_target && !is_outside && arc->limits <= arc->plain + arc->forwarded)
    return NULL;
  text = describe_sum (result, sum, arc->plain);
  if (text != NULL)
    return text;
  if (!result->has_target)
    return g_strdup_printf (_ ("this wait and all that depend on it delay others by %s"), ns);
  if (result->is_command)
    return is_outside ? g_strdup_printf (_ ("this wait delays the recorded command by %s"), ns)
                      : g_strdup_printf (_ ("this wait and all that depend on it delay the "
                                            "recorded command by %s"),
                                         ns);
  return is_outside
             ? g_strdup_printf (_ ("this wait delays the target by %s"), ns)
             : g_strdup_printf (_ ("this wait and all that depend on it delay the target by %s"),
                                ns);
}

char *
tb_wait_describe_arc (const TbWaitResult *result, guint32 arc)
{
  const TbWaitArc *of = tb_wait_graph_get_arc (result->graph, arc);
  g_autofree char *from = tb_wait_vertex_describe_translated (result->graph, of->from);
  g_autofree char *to = tb_wait_vertex_describe_translated (result->graph, of->to);
  g_autofree char *plain = tb_format_duration (of->plain);
  g_autofree char *longest = tb_format_duration (of->longest);
  g_autofree char *delay = describe_delay (result, of);
  g_autofree char *lock = describe_lock (result, arc);
  g_autofree char *forwarder = describe_forwarding (result, of);
  g_autofree char *first
      = g_strdup_printf (ngettext ("%s waits %s for %s, %'" PRIu64 " time (%s at the longest)%s%s",
                                   "%s waits %s for %s, %'" PRIu64 " times (%s at the longest)%s%s",
                                   (gulong) of->waits),
                         from, plain, to, of->waits, longest, lock, forwarder);

  /* Translators: what waits for what, and the delay that this causes. */
  return delay != NULL ? g_strdup_printf (_ ("%s; %s"), first, delay) : g_steal_pointer (&first);
}

char *
tb_wait_describe_heaviest_incoming (const TbWaitResult *result, guint32 vertex)
{
  guint32 arc = result->heaviest_incoming[vertex];
  g_autofree char *edge_text = arc != TB_ID_NONE ? tb_wait_describe_arc (result, arc) : NULL;

  return edge_text != NULL ? g_strdup_printf (_ (" Most delayed by it: %s."), edge_text)
                           : g_strdup ("");
}

/* --- the chain to what is left of a knot --- */

static gboolean
contains (const GArray *vertices, guint32 vertex)
{
  for (guint i = 0; i < vertices->len; i++)
    if (g_array_index (vertices, guint32, i) == vertex)
      return TRUE;
  return FALSE;
}

/* The heaviest edge of the knot into one of some vertices, from one that is not done yet. */
static guint32
find_link (const TbWaitResult *result, guint32 component, const GArray *into, const GArray *done)
{
  guint32 heaviest = TB_ID_NONE;

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (result->graph, i);

      if (result->knots->component_of[arc->from] == component && !tb_wait_arc_is_for_work (arc)
          && arc->exclusion == TB_WAIT_EXCLUSION_NONE
          && (heaviest == TB_ID_NONE
              || arc->limits > tb_wait_graph_get_arc (result->graph, heaviest)->limits)
          && contains (into, arc->to) && !contains (done, arc->from))
        heaviest = i;
    }
  return heaviest;
}

/* The heaviest edges that lead to what is left of a knot, the last one first. */
static GArray *
find_chain (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  GArray *chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) done = g_array_copy (bottleneck->vertices);
  g_autoptr (GArray) into = g_array_copy (bottleneck->vertices);
  guint32 link;

  while (chain->len < LINKS_SHOWN
         && (link = find_link (result, bottleneck->component, into, done)) != TB_ID_NONE)
    {
      guint32 from = tb_wait_graph_get_arc (result->graph, link)->from;

      g_array_append_val (chain, link);
      g_array_append_val (done, from);
      g_array_set_size (into, 0);
      g_array_append_val (into, from);
    }
  return chain;
}

char *
tb_wait_describe_chain (const TbWaitResult *result, const TbWaitBottleneck *bottleneck)
{
  g_autoptr (GArray) chain = find_chain (result, bottleneck);
  char *text = NULL;

  for (guint i = chain->len; i > 0; i--)
    {
      const TbWaitArc *arc
          = tb_wait_graph_get_arc (result->graph, g_array_index (chain, guint32, i - 1));
      g_autofree char *before = text;
      g_autofree char *from = tb_wait_vertex_describe_translated (result->graph, arc->from);
      g_autofree char *to = tb_wait_vertex_describe_translated (result->graph, arc->to);
      g_autofree char *ns = tb_format_duration (arc->plain);

      text = before == NULL ? g_strdup_printf (_ ("%s waits %s for %s"), from, ns, to)
                            /* Translators: “A waits 4 s for B”, how long B waits, for whom. */
                            : g_strdup_printf (_ ("%s, which waits %s for %s"), before, ns, to);
    }
  return text;
}
