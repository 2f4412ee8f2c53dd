/* tb-graph-figure-private.h: struct of a graph, access to its vertices and edges, and functions
 * that its files share: counts, JSON, aliases, text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure-private.h"
#include "report/graph/tb-graph-figure.h"

G_BEGIN_DECLS

/* The columns are edge, from, to, thread, other. */
#define TB_N_OCCURRENCE_COLUMNS 5

typedef struct
{
  const char *id;
  const char *name;
  gboolean muted;
} TbGraphCluster;

struct _TbGraphFigure
{
  TbFigure parent_instance;

  char *unit;
  char *weight_name;
  TbClusterKind cluster_kind;
  GStringChunk *strings;
  const char *flames[2];
  GArray *clusters;    /* TbGraphCluster */
  GArray *vertices;    /* TbGraphVertex */
  GArray *edges;       /* TbGraphEdge */
  GHashTable *aliases; /* item → index of its edge, + 1; NULL: none */
  guint64 largest;
  guint64 threshold;
  guint64 whole;
  GBytes *occurrences[TB_N_OCCURRENCE_COLUMNS];
  gsize *occurrence_first; /* by edge, and one past the last; NULL: none */
  /* edge → index of the recording of its occurrences, on its side; NULL: 0 for all edges */
  GHashTable *recordings;
};

static inline const TbGraphVertex *
tb_graph_figure_peek_vertex (TbGraphFigure *self, guint vertex)
{
  return &g_array_index (self->vertices, TbGraphVertex, vertex);
}

static inline TbGraphEdge *
tb_graph_figure_peek_edge (TbGraphFigure *self, guint edge)
{
  return &g_array_index (self->edges, TbGraphEdge, edge);
}

/* Appends "41 edges, 13 above the threshold, 5 in knots". n_above: G_MAXUINT: there is no
 * threshold. */
void tb_graph_figure_append_counts (TbGraphFigure *self,
                                    GString *text,
                                    guint n,
                                    guint n_above,
                                    guint n_grouped);
void tb_graph_figure_render_text (TbFigure *figure, GString *text, guint width);
void tb_graph_figure_write_aliases (TbGraphFigure *self, JsonBuilder *builder);
gboolean tb_graph_figure_read_aliases (TbGraphFigure *self, JsonObject *object, GError **error);
void tb_graph_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_graph_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);

G_END_DECLS
