/* tb-graph-scene.c: part of a graph that is drawn: heaviest edges, their vertices, collapsed
 * clusters; ranking of edges; layout (by tb-graph-layout) across or down, as it fits; line widths;
 * descriptions of the part, its vertices and its edges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/graph/tb-graph-figure-private.h"
#include "report/graph/tb-graph-scene.h"
#include "report/tb-report.h"
#include "base/tb-base.h"

/* Edges below the threshold are drawn too, until this many edges are drawn. */
#define EDGES_MIN 40
#define ISOLATED_MAX 60
#define RADIUS_MIN 11.0
#define RADIUS_SPREAD 19.0
#define DASHED_WIDTH 1.1 /* width of a dashed line */
#define LINE_WIDTH_MIN 1.3
#define LINE_WIDTH_MAX 6.5
#define LOOP_WIDTH_MAX 4.0
/* A graph that points across and has to be scaled down is still preferred, unless one that points
 * down is larger by more than this factor. */
#define ACROSS_PREFERENCE 1.15
#define SCALE_MAX 1.3 /* maximum useful scale */
/* Total horizontal space around the label of an edge. */
#define LABEL_PADDING 8.0

static int
compare_edges (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbGraphEdge *one = tb_graph_figure_get_edge (data, *(const guint *) a);
  const TbGraphEdge *two = tb_graph_figure_get_edge (data, *(const guint *) b);

  if (one->weight != two->weight)
    return one->weight > two->weight ? -1 : 1;
  return *(const guint *) a < *(const guint *) b ? -1 : 1;
}

/**
 * tb_graph_ranking_new: (skip)
 * @figure: a frozen graph
 *
 * Sorts the edges of a graph by their weight, without those that it is not about.
 *
 * Returns: (transfer full): the edges by weight
 */
TbGraphRanking *
tb_graph_ranking_new (TbGraphFigure *figure)
{
  TbGraphRanking *self;

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (figure), NULL);

  self = g_new0 (TbGraphRanking, 1);
  self->order = g_new (guint, tb_graph_figure_get_n_edges (figure) + 1);
  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    {
      if (tb_graph_figure_get_edge (figure, i)->flags & TB_EDGE_OUTSIDE)
        continue;
      self->order[self->n++] = i;
      self->n_grouped += tb_graph_figure_is_grouped (figure, i);
    }
  g_sort_array (self->order, self->n, sizeof (guint), compare_edges, figure);
  return self;
}

/**
 * tb_graph_ranking_free: (skip)
 * @self: (nullable): a ranking
 *
 * Frees the ranking.
 */
void
tb_graph_ranking_free (TbGraphRanking *self)
{
  if (self == NULL)
    return;
  g_free (self->order);
  g_free (self);
}

/**
 * tb_graph_ranking_count_above: (skip)
 * @self: a ranking
 * @figure: the graph of the ranking
 * @threshold: a weight
 *
 * Counts the edges that exceed a threshold.
 *
 * Returns: the number of edges with a larger weight
 */
guint
tb_graph_ranking_count_above (const TbGraphRanking *self, TbGraphFigure *figure, guint64 threshold)
{
  guint low = 0, high;

  g_return_val_if_fail (self != NULL, 0);

  high = self->n;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (tb_graph_figure_get_edge (figure, self->order[middle])->weight > threshold)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * tb_graph_figure_is_grouped: (skip)
 * @figure: a graph
 * @edge: index of an edge
 *
 * Gets whether both ends of an edge are in the same cluster.
 *
 * Returns: whether both its vertices are in the same cluster
 */
gboolean
tb_graph_figure_is_grouped (TbGraphFigure *figure, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (figure, edge);
  guint32 cluster = tb_graph_figure_get_vertex (figure, info->from)->cluster;

  return cluster != TB_ID_NONE && cluster == tb_graph_figure_get_vertex (figure, info->to)->cluster;
}

typedef struct
{
  TbGraphScene *scene;
  const guint8 *collapsed;
  guint *node_of_cluster;
  guint64 largest; /* largest weight of a node */
  GArray *shown;
} Builder;

static gboolean
is_collapsed (const Builder *builder, guint vertex)
{
  guint32 cluster = tb_graph_figure_get_vertex (builder->scene->figure, vertex)->cluster;

  return cluster != TB_ID_NONE && builder->collapsed != NULL && builder->collapsed[cluster];
}

static guint
add_cluster (Builder *builder, guint32 cluster)
{
  TbGraphFigure *figure = builder->scene->figure;
  TbGraphSceneNode shown = { .vertex = TB_ID_NONE, .cluster = cluster, .kind = TB_VERTEX_MERGED };
  guint n = 0;

  if (builder->node_of_cluster[cluster] != TB_ID_NONE)
    return builder->node_of_cluster[cluster];
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    n += tb_graph_figure_get_vertex (figure, i)->cluster == cluster;
  shown.name = g_strdup_printf ("%s ×%u", tb_graph_figure_get_cluster_name (figure, cluster), n);
  shown.detail = g_strdup ("");
  builder->node_of_cluster[cluster] = builder->shown->len;
  g_array_append_val (builder->shown, shown);
  return builder->shown->len - 1;
}

static guint
add_vertex (Builder *builder, guint vertex)
{
  TbGraphScene *scene = builder->scene;
  const TbGraphVertex *info = tb_graph_figure_get_vertex (scene->figure, vertex);
  TbGraphSceneNode shown = { .vertex = vertex, .cluster = TB_ID_NONE, .kind = info->kind };

  if (scene->node_of_vertex[vertex] != TB_ID_NONE)
    return scene->node_of_vertex[vertex];
  if (is_collapsed (builder, vertex))
    return scene->node_of_vertex[vertex] = add_cluster (builder, info->cluster);
  shown.name = g_utf8_make_valid (info->name, -1);
  shown.detail = g_utf8_make_valid (info->detail, -1);
  scene->node_of_vertex[vertex] = builder->shown->len;
  g_array_append_val (builder->shown, shown);
  return builder->shown->len - 1;
}

/* An edge within a collapsed cluster is not drawn. */
static gboolean
is_hidden (const Builder *builder, guint edge)
{
  return tb_graph_figure_is_grouped (builder->scene->figure, edge)
         && is_collapsed (builder, tb_graph_figure_get_edge (builder->scene->figure, edge)->from);
}

static void
count_hidden (const Builder *builder, const TbGraphRanking *ranking)
{
  for (guint i = 0; i < ranking->n; i++)
    if (is_hidden (builder, ranking->order[i]))
      {
        builder->scene->n_hidden++;
        builder->scene->n_hidden_above += i < builder->scene->n_above;
      }
}

static void
add_edge (Builder *builder, guint edge, TbGraphMeasure measure, gpointer data)
{
  TbGraphScene *scene = builder->scene;
  const TbGraphEdge *info = tb_graph_figure_get_edge (scene->figure, edge);
  TbGraphArc *arc = &scene->arcs[scene->n_arcs];

  if (is_hidden (builder, edge))
    {
      add_vertex (builder, info->from);
      add_vertex (builder, info->to);
      return;
    }
  scene->edges[scene->n_arcs++] = edge;
  arc->from = add_vertex (builder, info->from);
  arc->to = add_vertex (builder, info->to);
  arc->weight = (double) info->weight;
  if (tb_graph_scene_is_dashed (scene, edge))
    return;
  measure (info->label, NULL, &arc->label_width, &arc->label_height, data);
  arc->label_width += arc->label_width > 0 ? LABEL_PADDING : 0;
}

/* Vertices without any edge in the figure are drawn too. */
static void
add_isolated (Builder *builder)
{
  TbGraphFigure *figure = builder->scene->figure;
  guint n_vertices = tb_graph_figure_get_n_vertices (figure), n = 0;
  g_autofree guint8 *has_edge = g_new0 (guint8, n_vertices + 1);

  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    {
      has_edge[tb_graph_figure_get_edge (figure, i)->from] = TRUE;
      has_edge[tb_graph_figure_get_edge (figure, i)->to] = TRUE;
    }
  for (guint i = 0; i < n_vertices && n < ISOLATED_MAX; i++)
    if (!has_edge[i])
      {
        add_vertex (builder, i);
        n++;
      }
}

static guint64
get_weight (TbGraphFigure *figure, const TbGraphSceneNode *shown)
{
  guint64 weight = 0;

  if (shown->vertex != TB_ID_NONE)
    return tb_graph_figure_get_vertex (figure, shown->vertex)->weight;
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    if (tb_graph_figure_get_vertex (figure, i)->cluster == shown->cluster)
      weight += tb_graph_figure_get_vertex (figure, i)->weight;
  return weight;
}

static void
make_nodes (Builder *builder, TbGraphMeasure measure, gpointer data)
{
  TbGraphScene *scene = builder->scene;
  guint64 largest = 1;

  scene->n_nodes = builder->shown->len;
  scene->shown = (TbGraphSceneNode *) (gpointer) g_array_free (builder->shown, FALSE);
  scene->nodes = g_new0 (TbGraphNode, scene->n_nodes + 1);
  scene->short_names = g_new0 (TbGraphSize, scene->n_nodes + 1);
  for (guint i = 0; i < scene->n_nodes; i++)
    largest = MAX (largest, get_weight (scene->figure, &scene->shown[i]));
  for (guint i = 0; i < scene->n_nodes; i++)
    {
      const TbGraphSceneNode *shown = &scene->shown[i];
      TbGraphNode *node = &scene->nodes[i];

      node->radius
          = RADIUS_MIN
            + RADIUS_SPREAD * sqrt ((double) get_weight (scene->figure, shown) / (double) largest);
      node->square = shown->kind == TB_VERTEX_DEVICE || shown->kind == TB_VERTEX_NETWORK
                     || shown->kind == TB_VERTEX_TIMER || shown->kind == TB_VERTEX_INTERRUPT;
      node->group = shown->vertex != TB_ID_NONE
                        ? tb_graph_figure_get_vertex (scene->figure, shown->vertex)->cluster
                        : TB_ID_NONE;
      measure (shown->name, shown->detail, &node->label_width, &node->label_height, data);
      measure (shown->name, "", &scene->short_names[i].width, &scene->short_names[i].height, data);
    }
}

static void
measure_frames (TbGraphScene *scene, TbGraphMeasure measure, gpointer data)
{
  guint n = tb_graph_figure_get_n_clusters (scene->figure);

  scene->frame_names = g_new0 (TbGraphSize, n + 1);
  for (guint i = 0; i < n; i++)
    measure (tb_graph_figure_get_cluster_name (scene->figure, i), NULL,
             &scene->frame_names[i].width, &scene->frame_names[i].height, data);
}

/**
 * tb_graph_scene_new: (skip)
 * @figure: a frozen graph
 * @ranking: ranking of its edges
 * @threshold: edges that do not exceed this are dashed, and are drawn only if there are few others
 * @most_edges: maximum number of edges
 * @extra_edge: index of an edge that is always drawn, or %TB_ID_NONE
 * @collapsed: (nullable): by cluster, whether it is drawn as one vertex
 * @measure: (scope call): measures texts
 * @data: data for @measure
 *
 * Selects what is drawn of a graph: the heaviest edges and their vertices.
 *
 * Returns: (transfer full): a scene without a layout
 */
TbGraphScene *
tb_graph_scene_new (TbGraphFigure *figure,
                    const TbGraphRanking *ranking,
                    guint64 threshold,
                    guint most_edges,
                    guint extra_edge,
                    const guint8 *collapsed,
                    TbGraphMeasure measure,
                    gpointer data)
{
  TbGraphScene *self = g_new0 (TbGraphScene, 1);
  Builder builder = { .scene = self, .collapsed = collapsed };
  guint n_clusters = tb_graph_figure_get_n_clusters (figure);
  guint n_vertices = tb_graph_figure_get_n_vertices (figure);
  gboolean has_extra = extra_edge == TB_ID_NONE;
  guint n_wanted, n_examined;

  self->figure = g_object_ref (figure);
  self->threshold = threshold;
  self->n_above = tb_graph_ranking_count_above (ranking, figure, threshold);
  count_hidden (&builder, ranking);
  n_examined = MIN (most_edges, MIN (ranking->n, MAX (self->n_above, EDGES_MIN)));
  n_wanted = MIN (most_edges, MIN (ranking->n - self->n_hidden,
                                   MAX (self->n_above - self->n_hidden_above, EDGES_MIN)));
  self->edges = g_new (guint, n_wanted + 2);
  self->arcs = g_new0 (TbGraphArc, n_wanted + 2);
  self->node_of_vertex = g_new (guint, n_vertices + 1);
  builder.node_of_cluster = g_new (guint, n_clusters + 1);
  builder.shown = g_array_new (FALSE, TRUE, sizeof (TbGraphSceneNode));
  memset (self->node_of_vertex, 0xff, sizeof (guint) * (n_vertices + 1));
  memset (builder.node_of_cluster, 0xff, sizeof (guint) * (n_clusters + 1));
  for (guint i = 0; i < ranking->n && (i < n_examined || self->n_arcs < n_wanted); i++)
    {
      add_edge (&builder, ranking->order[i], measure, data);
      has_extra |= ranking->order[i] == extra_edge;
    }
  if (!has_extra && extra_edge < tb_graph_figure_get_n_edges (figure))
    add_edge (&builder, extra_edge, measure, data);
  add_isolated (&builder);
  make_nodes (&builder, measure, data);
  measure_frames (self, measure, data);
  g_free (builder.node_of_cluster);
  return self;
}

/**
 * tb_graph_scene_lay_out: (skip)
 * @self: a scene that no other thread uses at the same time
 * @flow: direction of the edges
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Lays out the scene, see tb_graph_layout_new(). Can be called from any thread.
 *
 * Returns: whether it was not cancelled
 */
gboolean
tb_graph_scene_lay_out (TbGraphScene *self,
                        TbGraphFlow flow,
                        GCancellable *cancellable,
                        GError **error)
{
  guint n_groups;
  double name_height = 0;

  g_return_val_if_fail (self != NULL, FALSE);

  n_groups = tb_graph_figure_get_n_clusters (self->figure);
  for (guint i = 0; i < n_groups; i++)
    name_height = MAX (name_height, self->frame_names[i].height);
  g_clear_pointer (&self->layout, tb_graph_layout_free);
  self->layout = tb_graph_layout_new (self->nodes, self->n_nodes, self->arcs, self->n_arcs,
                                      n_groups, name_height, flow, cancellable, error);
  return self->layout != NULL;
}

static double
get_fit (const TbGraphLayout *layout, double width, double height)
{
  return MIN (MIN (width / layout->width, height / layout->height), SCALE_MAX);
}

/**
 * tb_graph_scene_lay_out_to_fit: (skip)
 * @self: a scene that no other thread uses at the same time
 * @width: width of the view
 * @height: height of the view
 * @is_mirrored: whether to mirror the layout, for right-to-left languages
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Lays out the scene as tb_graph_scene_lay_out() does, in the direction (across or down) in which
 * the whole graph fits into the view at the larger scale.
 *
 * Returns: whether it was not cancelled
 */
gboolean
tb_graph_scene_lay_out_to_fit (TbGraphScene *self,
                               double width,
                               double height,
                               gboolean is_mirrored,
                               GCancellable *cancellable,
                               GError **error)
{
  g_autoptr (TbGraphLayout) across = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  if (!tb_graph_scene_lay_out (self, TB_GRAPH_FLOW_HORIZONTAL, cancellable, error))
    return FALSE;
  if (get_fit (self->layout, width, height) < 1)
    {
      across = g_steal_pointer (&self->layout);
      if (!tb_graph_scene_lay_out (self, TB_GRAPH_FLOW_VERTICAL, cancellable, error))
        return FALSE;
      if (get_fit (self->layout, width, height)
          <= ACROSS_PREFERENCE * get_fit (across, width, height))
        {
          tb_graph_layout_free (self->layout);
          self->layout = g_steal_pointer (&across);
        }
    }
  if (is_mirrored)
    tb_graph_layout_mirror (self->layout);
  return TRUE;
}

/**
 * tb_graph_scene_free: (skip)
 * @self: (nullable): a scene
 *
 * Frees the scene.
 */
void
tb_graph_scene_free (TbGraphScene *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_nodes; i++)
    {
      g_free (self->shown[i].name);
      g_free (self->shown[i].detail);
    }
  g_free (self->shown);
  g_free (self->nodes);
  g_free (self->short_names);
  g_free (self->frame_names);
  g_free (self->edges);
  g_free (self->arcs);
  g_free (self->node_of_vertex);
  tb_graph_layout_free (self->layout);
  g_object_unref (self->figure);
  g_free (self);
}

/**
 * tb_graph_scene_is_dashed: (skip)
 * @self: a scene
 * @edge: index of an edge of the figure
 *
 * Gets whether an edge is drawn dashed.
 *
 * Returns: whether the edge does not exceed the threshold, is excluded or is cut
 */
gboolean
tb_graph_scene_is_dashed (const TbGraphScene *self, guint edge)
{
  return tb_graph_figure_is_dashed (self->figure, edge, self->threshold);
}

/**
 * tb_graph_scene_get_width: (skip)
 * @self: a scene
 * @edge: index of an edge of the figure
 *
 * Gets the weight of an edge as a share of the largest weight.
 *
 * Returns: the edge's weight as a share of the largest weight
 */
double
tb_graph_scene_get_width (const TbGraphScene *self, guint edge)
{
  guint64 largest = MAX (1, tb_graph_figure_get_largest_weight (self->figure));

  return (double) tb_graph_figure_get_edge (self->figure, edge)->weight / (double) largest;
}

/**
 * tb_graph_scene_get_line_width: (skip)
 * @self: a scene
 * @edge: index of an edge of the figure
 *
 * Gets the width of the line of an edge.
 *
 * Returns: the width of the edge's line
 */
double
tb_graph_scene_get_line_width (const TbGraphScene *self, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (self->figure, edge);
  double most = info->from == info->to ? LOOP_WIDTH_MAX : LINE_WIDTH_MAX;

  if (tb_graph_scene_is_dashed (self, edge))
    return DASHED_WIDTH;
  return LINE_WIDTH_MIN + (most - LINE_WIDTH_MIN) * tb_graph_scene_get_width (self, edge);
}

/**
 * tb_graph_scene_describe: (skip)
 * @self: a scene
 * @ranking: ranking of the edges of its figure
 *
 * Describes how much of the graph is drawn.
 *
 * Returns: (transfer full): the numbers of edges in all, above the threshold, within clusters, and
 *   drawn
 */
char *
tb_graph_scene_describe (const TbGraphScene *self, const TbGraphRanking *ranking)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_visible = ranking->n - self->n_hidden;

  tb_graph_figure_append_counts (self->figure, text, ranking->n, self->n_above, ranking->n_grouped);
  if (self->n_hidden > 0)
    g_string_append_printf (text,
                            ngettext (", %'u of these collapsed", ", %'u of these collapsed",
                                      self->n_hidden),
                            self->n_hidden);
  if (self->n_above - self->n_hidden_above > self->n_arcs)
    g_string_append_printf (text,
                            self->n_hidden > 0
                                ? ngettext ("; of the others only the heaviest is drawn",
                                            "; of the others only the %'u heaviest are drawn",
                                            self->n_arcs)
                                : ngettext ("; only the heaviest is drawn",
                                            "; only the %'u heaviest are drawn", self->n_arcs),
                            self->n_arcs);
  else if (self->n_arcs < n_visible)
    g_string_append_printf (text, ngettext ("; %'u drawn", "; %'u drawn", self->n_arcs),
                            self->n_arcs);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * tb_graph_figure_format_weight: (skip)
 * @self: a graph
 * @weight: a weight
 *
 * Formats a weight of the graph.
 *
 * Returns: (transfer full): the weight with its unit
 */
char *
tb_graph_figure_format_weight (TbGraphFigure *self, guint64 weight)
{
  return tb_format_amount (weight, tb_graph_figure_get_unit (self));
}

/**
 * tb_graph_figure_describe_vertex: (skip)
 * @self: a graph
 * @vertex: index of a vertex
 *
 * Describes a vertex for tooltips and screen readers.
 *
 * Returns: (transfer full): one line: name, detail, weight and cluster of the vertex
 */
char *
tb_graph_figure_describe_vertex (TbGraphFigure *self, guint vertex)
{
  const TbGraphVertex *info = tb_graph_figure_get_vertex (self, vertex);
  g_autofree char *weight = tb_graph_figure_format_weight (self, info->weight);
  GString *text = g_string_new (info->name);

  g_string_append_printf (text, ": %s", weight);
  if (*info->detail)
    g_string_append_printf (text, ", %s", info->detail);
  if (info->cluster != TB_ID_NONE)
    g_string_append_printf (text, _ (", in %s"),
                            tb_graph_figure_get_cluster_name (self, info->cluster));
  return g_string_free (text, FALSE);
}

static void
append_flags (GString *text, guint flags)
{
  if (flags & TB_EDGE_CUT)
    g_string_append (text, _ (", cut"));
  else if (flags & TB_EDGE_EXCLUDED)
    g_string_append (text, _ (", excluded"));
  if (flags & TB_EDGE_IDLE)
    g_string_append (text, _ (", waiting for new work"));
}

/**
 * tb_graph_figure_describe_edge: (skip)
 * @self: a graph
 * @edge: index of an edge
 *
 * Describes an edge for tooltips and screen readers.
 *
 * Returns: (transfer full): one line: vertices, weights and occurrences of the edge
 */
char *
tb_graph_figure_describe_edge (TbGraphFigure *self, guint edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (self, edge);
  g_autofree char *weight = tb_graph_figure_format_weight (self, info->weight);
  g_autofree char *longest = tb_graph_figure_format_weight (self, info->longest);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s → %s: %s", tb_graph_figure_get_vertex (self, info->from)->name,
                          tb_graph_figure_get_vertex (self, info->to)->name, weight);
  if (*info->label && strcmp (info->label, weight) != 0)
    g_string_append_printf (text, ", %s", info->label);
  if (info->plain != G_MAXUINT64)
    {
      g_autofree char *plain = tb_graph_figure_format_weight (self, info->plain);

      /* Translators: a weight without the amounts that are added to it. */
      g_string_append_printf (text, _ (", %s without added amounts"), plain);
    }
  if (info->count > 0)
    {
      g_autofree char *count = tb_format_count (info->count);

      g_string_append_printf (text, ngettext (", %s time", ", %s times", info->count), count);
    }
  if (info->longest > 0)
    g_string_append_printf (text, _ (", the longest %s"), longest);
  if (*info->detail != '\0')
    g_string_append_printf (text, ", %s", info->detail);
  append_flags (text, info->flags);
  return g_string_free (text, FALSE);
}
