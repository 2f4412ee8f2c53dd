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

/* The delay that an edge causes beyond its waiter or, with a target, to the target; NULL: none. */
static char *
describe_delay (const TbWaitResult *result, const TbWaitArc *arc)
{
  g_autofree char *ns = tb_format_duration (result->has_target ? arc->limits : arc->weight);

  if (!result->has_target)
    return arc->weight != arc->plain
               ? g_strdup_printf (_ ("this wait and all that depend on it delay others by %s"), ns)
               : NULL;
  if (tb_wait_graph_get_vertex (result->graph, arc->from)->outside)
    return g_strdup_printf (_ ("this wait delays the target by %s"), ns);
  return arc->limits > arc->plain + arc->forwarded
             ? g_strdup_printf (_ ("this wait and all that depend on it delay the target by %s"),
                                ns)
             : NULL;
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
