/* tb-wait-ranking.c: what ranking by waiting time alone names beside what the graph does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-ranking.h"

#include <glib/gi18n.h>
#include <math.h>

#include "tb-wait-words.h"

/* What ranking by waiting time alone would have named. */
void
tb_wait_add_plain_ranking (TbReport *report, const TbWaitResult *result)
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
  first = tb_wait_describe_arc (result, longest);
  text = g_strdup_printf (
      named ? _ ("Ranked by waiting time alone this comes first, too: %s.")
            : _ ("Ranked by waiting time alone this would come first: %s. It is no part of a "
                 "bottleneck: who waits there waits because of others."),
      first);
  finding
      = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE,
                        tb_wait_get_share (result, tb_wait_graph_get_arc (result->graph, longest)->bound));
  tb_wait_finding_set_arc (finding, result, longest);
  tb_report_add_finding (report, finding);
}
