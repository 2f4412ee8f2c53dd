/* tb-graph-text.c: graph as text: number of edges, a line for each edge (the heaviest first),
 * clusters, and vertices without edges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/graph/tb-graph-figure-private.h"
#include "report/graph/tb-graph-scene.h"
#include "report/tb-text-private.h"
#include "base/tb-base.h"

#define EDGES_MAX 200
#define WEIGHT_WIDTH 10

void
tb_graph_figure_append_counts (TbGraphFigure *self,
                               GString *text,
                               guint n,
                               guint n_above,
                               guint n_grouped)
{
  g_string_append_printf (text, ngettext ("%'u edge", "%'u edges", n), n);
  if (n_above != G_MAXUINT)
    g_string_append_printf (text,
                            ngettext (", %'u above the threshold", ", %'u above the threshold",
                                      n_above),
                            n_above);
  if (self->clusters->len == 0)
    return;
  g_string_append_printf (text,
                          self->cluster_kind == TB_CLUSTER_KNOT
                              ? ngettext (", %'u in knots", ", %'u in knots", n_grouped)
                              : ngettext (", %'u in groups", ", %'u in groups", n_grouped),
                          n_grouped);
}

/* The reasons why an edge would be dashed, and other properties. */
static void
append_marks (const TbGraphFigure *self, const TbGraphEdge *edge, GString *line)
{
  const char *marks[] = { edge->flags & TB_EDGE_CUT         ? _ ("cut")
                          : edge->flags & TB_EDGE_EXCLUDED  ? _ ("excluded")
                          : edge->weight <= self->threshold ? _ ("not above the threshold")
                                                            : NULL,
                          edge->flags & TB_EDGE_IDLE ? _ ("waiting for new work") : NULL };
  const char *separator = " (";

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (marks[i] != NULL)
      {
        g_string_append_printf (line, "%s%s", separator, marks[i]);
        separator = ", ";
      }
  if (*separator == ',')
    g_string_append_c (line, ')');
}

static void
append_edge (TbGraphFigure *self, const TbGraphEdge *edge, GString *text, guint width)
{
  g_autofree char *weight = tb_graph_figure_format_weight (self, edge->weight);
  g_autoptr (GString) line = g_string_new (NULL);

  tb_text_append_padded (line, weight, WEIGHT_WIDTH, TRUE);
  g_string_append_printf (line, "  %s → %s", tb_graph_figure_peek_vertex (self, edge->from)->name,
                          tb_graph_figure_peek_vertex (self, edge->to)->name);
  /* Most often the label is the weight. */
  if (*edge->label != '\0' && strcmp (edge->label, weight) != 0)
    g_string_append_printf (line, ": %s", edge->label);
  append_marks (self, edge, line);
  if (*edge->detail != '\0')
    g_string_append_printf (line, ", %s", edge->detail);
  tb_text_append_cut (text, line->str, width ? width : G_MAXUINT);
  g_string_append_c (text, '\n');
}

static void
append_summary (TbGraphFigure *self, const TbGraphRanking *ranking, GString *text, guint width)
{
  g_autoptr (GString) line = g_string_new (NULL);

  tb_graph_figure_append_counts (self, line, ranking->n,
                                 self->threshold > 0
                                     ? tb_graph_ranking_count_above (ranking, self, self->threshold)
                                     : G_MAXUINT,
                                 ranking->n_grouped);
  tb_text_append_wrapped (text, line->str, width, 2);
}

/* Lines such as "Knot 1: B, disk". */
static void
append_clusters (TbGraphFigure *self, GString *text, guint width)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();

  for (guint i = 0; i < self->clusters->len; i++)
    g_ptr_array_add (lines, g_string_new (NULL));
  for (guint i = 0; i < self->vertices->len; i++)
    {
      const TbGraphVertex *vertex = tb_graph_figure_peek_vertex (self, i);
      GString *line
          = vertex->cluster != TB_ID_NONE ? g_ptr_array_index (lines, vertex->cluster) : NULL;

      if (line != NULL)
        g_string_append_printf (line, "%s%s", line->len > 0 ? ", " : "", vertex->name);
    }
  for (guint i = 0; i < self->clusters->len; i++)
    {
      GString *line = g_ptr_array_index (lines, i);

      g_string_prepend (line, ": ");
      g_string_prepend (line, tb_graph_figure_get_cluster_name (self, i));
      tb_text_append_wrapped (text, line->str, width, 2);
      g_string_free (line, TRUE);
    }
}

static void
append_isolated (TbGraphFigure *self, GString *text, guint width)
{
  g_autofree guint8 *has_edge = g_new0 (guint8, self->vertices->len + 1);
  g_autoptr (GString) isolated = g_string_new (NULL);

  for (guint i = 0; i < self->edges->len; i++)
    has_edge[tb_graph_figure_peek_edge (self, i)->from]
        = has_edge[tb_graph_figure_peek_edge (self, i)->to] = TRUE;
  for (guint i = 0; i < self->vertices->len; i++)
    if (!has_edge[i])
      g_string_append_printf (isolated, "%s%s", isolated->len ? ", " : "",
                              tb_graph_figure_peek_vertex (self, i)->name);
  if (isolated->len == 0)
    return;
  g_string_prepend (isolated, _ ("Vertices without edges: "));
  tb_text_append_wrapped (text, isolated->str, width, 2);
}

/* Renders the number of edges, one line for each edge (heaviest first), the clusters, then the
 * vertices without edges. */
void
tb_graph_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);
  g_autoptr (TbGraphRanking) ranking = tb_graph_ranking_new (self);

  if (ranking->n > 0)
    append_summary (self, ranking, text, width);
  for (guint i = 0; i < MIN (ranking->n, EDGES_MAX); i++)
    append_edge (self, tb_graph_figure_peek_edge (self, ranking->order[i]), text, width);
  if (ranking->n > EDGES_MAX)
    g_string_append_printf (text,
                            ngettext ("… and %'u more edge\n", "… and %'u more edges\n",
                                      ranking->n - EDGES_MAX),
                            ranking->n - EDGES_MAX);
  append_clusters (self, text, width);
  append_isolated (self, text, width);
}
