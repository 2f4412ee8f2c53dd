/* tb-graph-figure.c: vertices and edges with weights
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/tb-graph-figure.h"
#include "report/tb-json-private.h"
#include "report/tb-report.h"
#include "report/tb-text-private.h"
#include "session/tb-schema.h"

#define CLUSTERS_MAX 100000
#define VERTICES_MAX 1000000
#define EDGES_MAX 2000000
#define TEXT_EDGES_MAX 200
#define FLAGS_ALL (TB_EDGE_STRONG | TB_EDGE_FAINT | TB_EDGE_CUT)

/**
 * TbGraphFigure:
 *
 * Vertices, possibly in clusters, and edges from one to another, each with a weight.
 */
struct _TbGraphFigure
{
  TbFigure parent_instance;

  char *unit;
  GStringChunk *strings;
  GPtrArray *cluster_ids;
  GPtrArray *cluster_names;
  GArray *vertices; /* TbGraphVertex */
  GArray *edges;    /* TbGraphEdge */
  guint64 largest;
};

G_DEFINE_FINAL_TYPE (TbGraphFigure, tb_graph_figure, TB_TYPE_FIGURE)

static const char *const kind_names[TB_N_VERTEX_KINDS] = {
  [TB_VERTEX_THREAD] = "thread",   [TB_VERTEX_PROCESS] = "process",   [TB_VERTEX_DEVICE] = "device",
  [TB_VERTEX_NETWORK] = "network", [TB_VERTEX_TIMER] = "timer",       [TB_VERTEX_INTERRUPT] = "interrupt",
  [TB_VERTEX_MERGED] = "merged",   [TB_VERTEX_FUNCTION] = "function", [TB_VERTEX_OTHER] = "other",
};

/**
 * tb_vertex_kind_get_name:
 * @kind: what a vertex is
 *
 * Returns: its stable name, as in JSON
 */
const char *
tb_vertex_kind_get_name (TbVertexKind kind)
{
  g_return_val_if_fail (kind < TB_N_VERTEX_KINDS, "other");

  return kind_names[kind];
}

static const TbGraphVertex *
get_vertex (TbGraphFigure *self, guint vertex)
{
  return &g_array_index (self->vertices, TbGraphVertex, vertex);
}

static const TbGraphEdge *
get_edge (TbGraphFigure *self, guint edge)
{
  return &g_array_index (self->edges, TbGraphEdge, edge);
}

static void
tb_graph_figure_freeze (TbFigure *figure)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);

  for (guint i = 0; i < self->edges->len; i++)
    self->largest = MAX (self->largest, get_edge (self, i)->weight);
}

static void
write_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
write_unsigned (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  tb_json_add_unsigned (builder, value);
}

static void
write_vertex (const TbGraphVertex *vertex, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  write_string (builder, "id", vertex->id);
  write_string (builder, "name", vertex->name);
  write_string (builder, "detail", vertex->detail);
  write_string (builder, "vertex_kind", kind_names[vertex->kind]);
  json_builder_set_member_name (builder, "cluster");
  if (vertex->cluster == TB_ID_NONE)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, vertex->cluster);
  write_unsigned (builder, "weight", vertex->weight);
  json_builder_end_object (builder);
}

static void
write_edge (const TbGraphEdge *edge, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  write_string (builder, "id", edge->id);
  write_unsigned (builder, "from", edge->from);
  write_unsigned (builder, "to", edge->to);
  write_unsigned (builder, "weight", edge->weight);
  write_string (builder, "label", edge->label);
  json_builder_set_member_name (builder, "strong");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_STRONG) != 0);
  json_builder_set_member_name (builder, "faint");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_FAINT) != 0);
  json_builder_set_member_name (builder, "cut");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_CUT) != 0);
  json_builder_end_object (builder);
}

static void
tb_graph_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);

  write_string (builder, "unit", self->unit);
  json_builder_set_member_name (builder, "clusters");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->cluster_ids->len; i++)
    {
      json_builder_begin_object (builder);
      write_string (builder, "id", g_ptr_array_index (self->cluster_ids, i));
      write_string (builder, "name", g_ptr_array_index (self->cluster_names, i));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "vertices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->vertices->len; i++)
    write_vertex (get_vertex (self, i), builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "edges");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->edges->len; i++)
    write_edge (get_edge (self, i), builder);
  json_builder_end_array (builder);
}

static gboolean
read_cluster (TbGraphFigure *self, JsonNode *node, GError **error)
{
  JsonObject *object;
  const char *id;
  const char *name;

  if (!tb_json_get_object (node, "cluster", &object, error) || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "name", &name, error))
    return FALSE;
  tb_graph_figure_add_cluster (self, id, name);
  return TRUE;
}

static gboolean
read_vertex (TbGraphFigure *self, JsonNode *node, GError **error)
{
  JsonObject *object;
  const char *id;
  const char *name;
  const char *detail;
  const char *kind_name;
  gint64 cluster;
  gint64 weight;
  guint kind = 0;

  if (!tb_json_get_object (node, "vertex", &object, error) || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "name", &name, error)
      || !tb_json_get_optional_string (object, "detail", &detail, error)
      || !tb_json_get_string (object, "vertex_kind", &kind_name, error)
      || !tb_json_get_optional_integer (object, "cluster", 0, (gint64) self->cluster_ids->len - 1, TB_ID_NONE,
                                        &cluster, error)
      || !tb_json_get_integer (object, "weight", 0, G_MAXINT64, &weight, error))
    return FALSE;
  while (kind < TB_VERTEX_OTHER && strcmp (kind_name, kind_names[kind]) != 0)
    kind++;
  tb_graph_figure_add_vertex (self, id, name, detail, kind, cluster, weight);
  return TRUE;
}

static gboolean
read_edge (TbGraphFigure *self, JsonNode *node, GError **error)
{
  gint64 last = (gint64) self->vertices->len - 1;
  JsonObject *object;
  const char *id;
  const char *label;
  gint64 from;
  gint64 to;
  gint64 weight;
  gboolean is_strong;
  gboolean is_faint;
  gboolean is_cut;

  if (!tb_json_get_object (node, "edge", &object, error) || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_integer (object, "from", 0, last, &from, error)
      || !tb_json_get_integer (object, "to", 0, last, &to, error)
      || !tb_json_get_integer (object, "weight", 0, G_MAXINT64, &weight, error)
      || !tb_json_get_optional_string (object, "label", &label, error)
      || !tb_json_get_boolean (object, "strong", &is_strong, error)
      || !tb_json_get_boolean (object, "faint", &is_faint, error)
      || !tb_json_get_boolean (object, "cut", &is_cut, error))
    return FALSE;
  tb_graph_figure_add_edge (self, id, from, to, weight,
                            (is_strong ? TB_EDGE_STRONG : 0) | (is_faint ? TB_EDGE_FAINT : 0)
                                | (is_cut ? TB_EDGE_CUT : 0),
                            label);
  return TRUE;
}

static gboolean
read_all (TbGraphFigure *self,
          JsonObject *object,
          const char *name,
          guint greatest_length,
          gboolean (*read) (TbGraphFigure *self, JsonNode *node, GError **error),
          GError **error)
{
  JsonArray *array;

  if (!tb_json_get_array (object, name, greatest_length, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read (self, json_array_get_element (array, i), error))
      {
        g_prefix_error (error, "\"%s\" %u: ", name, i);
        return FALSE;
      }
  return TRUE;
}

static gboolean
tb_graph_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);
  const char *unit;

  if (!tb_json_get_string (object, "unit", &unit, error))
    return FALSE;
  g_set_str (&self->unit, unit);
  return read_all (self, object, "clusters", CLUSTERS_MAX, read_cluster, error)
         && read_all (self, object, "vertices", VERTICES_MAX, read_vertex, error)
         && read_all (self, object, "edges", EDGES_MAX, read_edge, error);
}

static char *
format_weight (TbGraphFigure *self, guint64 weight)
{
  if (strcmp (self->unit, "ns") == 0)
    return tb_format_duration ((gint64) MIN (weight, (guint64) G_MAXINT64));
  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s%s", weight, *self->unit ? " " : "", self->unit);
}

static int
compare_edges (gconstpointer a, gconstpointer b, gpointer data)
{
  TbGraphFigure *self = data;
  const TbGraphEdge *one = get_edge (self, *(const guint *) a);
  const TbGraphEdge *two = get_edge (self, *(const guint *) b);

  if (one->weight != two->weight)
    return one->weight > two->weight ? -1 : 1;
  return one < two ? -1 : one > two;
}

/* The heaviest edge first, a line each; then the vertices that have none. */
static void
tb_graph_figure_render_text (TbFigure *figure, GString *text, guint width)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);
  guint n = self->edges->len;
  g_autofree guint *order = g_new (guint, n + 1);
  g_autofree guint8 *has_edge = g_new0 (guint8, self->vertices->len + 1);
  g_autoptr (GString) alone = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      order[i] = i;
      has_edge[get_edge (self, i)->from] = has_edge[get_edge (self, i)->to] = TRUE;
    }
  g_sort_array (order, n, sizeof (guint), compare_edges, self);
  for (guint i = 0; i < MIN (n, TEXT_EDGES_MAX); i++)
    {
      const TbGraphEdge *edge = get_edge (self, order[i]);
      g_autofree char *weight = format_weight (self, edge->weight);
      g_autoptr (GString) line = g_string_new (NULL);

      tb_text_append_padded (line, weight, 10, TRUE);
      g_string_append_printf (line, "  %s → %s", get_vertex (self, edge->from)->name,
                              get_vertex (self, edge->to)->name);
      if (*edge->label)
        g_string_append_printf (line, ": %s", edge->label);
      if (edge->flags & TB_EDGE_CUT)
        g_string_append (line, _ (" (cut)"));
      tb_text_append_cut (text, line->str, width ? width : G_MAXUINT);
      g_string_append_c (text, '\n');
    }
  if (n > TEXT_EDGES_MAX)
    g_string_append_printf (text,
                            ngettext ("… and %u more edge\n", "… and %u more edges\n", n - TEXT_EDGES_MAX),
                            n - TEXT_EDGES_MAX);
  for (guint i = 0; i < self->vertices->len; i++)
    if (!has_edge[i])
      g_string_append_printf (alone, "%s%s", alone->len ? ", " : "", get_vertex (self, i)->name);
  if (alone->len > 0)
    {
      g_string_prepend (alone, _ ("Without edges: "));
      tb_text_append_wrapped (text, alone->str, width, 2);
    }
}

static void
tb_graph_figure_finalize (GObject *object)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (object);

  g_free (self->unit);
  g_ptr_array_unref (self->cluster_ids);
  g_ptr_array_unref (self->cluster_names);
  g_array_unref (self->vertices);
  g_array_unref (self->edges);
  g_string_chunk_free (self->strings);
  G_OBJECT_CLASS (tb_graph_figure_parent_class)->finalize (object);
}

static void
tb_graph_figure_class_init (TbGraphFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_graph_figure_finalize;
  figure_class->kind = "graph";
  figure_class->freeze = tb_graph_figure_freeze;
  figure_class->write_json = tb_graph_figure_write_json;
  figure_class->read_json = tb_graph_figure_read_json;
  figure_class->render_text = tb_graph_figure_render_text;
}

static void
tb_graph_figure_init (TbGraphFigure *self)
{
  self->unit = g_strdup ("");
  self->strings = g_string_chunk_new (4096);
  self->cluster_ids = g_ptr_array_new ();
  self->cluster_names = g_ptr_array_new ();
  self->vertices = g_array_new (FALSE, FALSE, sizeof (TbGraphVertex));
  self->edges = g_array_new (FALSE, FALSE, sizeof (TbGraphEdge));
}

/**
 * tb_graph_figure_new:
 * @id: its name in references
 * @title: its title, for people
 * @unit: of the weights: "ns"…
 *
 * Returns: (transfer full): a graph without vertices
 */
TbGraphFigure *
tb_graph_figure_new (const char *id, const char *title, const char *unit)
{
  TbGraphFigure *self = g_object_new (TB_TYPE_GRAPH_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  g_set_str (&self->unit, unit ? unit : "");
  return self;
}

static const char *
keep (TbGraphFigure *self, const char *text)
{
  return g_string_chunk_insert_const (self->strings, text ? text : "");
}

/**
 * tb_graph_figure_add_cluster:
 * @self: a graph that is being built
 * @id: its name in references
 * @name: for people
 *
 * Returns: the cluster's index
 */
guint
tb_graph_figure_add_cluster (TbGraphFigure *self, const char *id, const char *name)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  g_ptr_array_add (self->cluster_ids, (gpointer) keep (self, id));
  g_ptr_array_add (self->cluster_names, (gpointer) keep (self, name));
  return self->cluster_ids->len - 1;
}

/**
 * tb_graph_figure_add_vertex:
 * @self: a graph that is being built
 * @id: its name in references
 * @name: for people
 * @detail: (nullable): a second line
 * @kind: what it is
 * @cluster: a cluster, or %TB_ID_NONE
 * @weight: how much it is
 *
 * Returns: the vertex's index
 */
guint
tb_graph_figure_add_vertex (TbGraphFigure *self,
                            const char *id,
                            const char *name,
                            const char *detail,
                            TbVertexKind kind,
                            guint32 cluster,
                            guint64 weight)
{
  TbGraphVertex vertex = { .kind = kind, .cluster = cluster, .weight = weight };

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (kind < TB_N_VERTEX_KINDS, 0);
  g_return_val_if_fail (cluster == TB_ID_NONE || cluster < self->cluster_ids->len, 0);

  vertex.id = keep (self, id);
  vertex.name = keep (self, name);
  vertex.detail = keep (self, detail);
  g_array_append_val (self->vertices, vertex);
  return self->vertices->len - 1;
}

/**
 * tb_graph_figure_add_edge:
 * @self: a graph that is being built
 * @id: its name in references
 * @from: the vertex it starts at
 * @to: the vertex it points to
 * @weight: how much it is
 * @flags: #TbEdgeFlags
 * @label: (nullable): for people
 *
 * Returns: the edge's index
 */
guint
tb_graph_figure_add_edge (TbGraphFigure *self,
                          const char *id,
                          guint from,
                          guint to,
                          guint64 weight,
                          guint flags,
                          const char *label)
{
  TbGraphEdge edge = { .from = from, .to = to, .weight = weight, .flags = flags & FLAGS_ALL };

  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);
  g_return_val_if_fail (from < self->vertices->len && to < self->vertices->len, 0);

  edge.id = keep (self, id);
  edge.label = keep (self, label);
  g_array_append_val (self->edges, edge);
  return self->edges->len - 1;
}

/**
 * tb_graph_figure_get_unit:
 * @self: a graph
 *
 * Returns: the unit of its weights
 */
const char *
tb_graph_figure_get_unit (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");

  return self->unit;
}

/**
 * tb_graph_figure_get_n_clusters:
 * @self: a graph
 *
 * Returns: how many clusters it has
 */
guint
tb_graph_figure_get_n_clusters (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->cluster_ids->len;
}

/**
 * tb_graph_figure_get_cluster_id:
 * @self: a graph
 * @cluster: index of a cluster
 *
 * Returns: its name in references
 */
const char *
tb_graph_figure_get_cluster_id (TbGraphFigure *self, guint cluster)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");
  g_return_val_if_fail (cluster < self->cluster_ids->len, "");

  return g_ptr_array_index (self->cluster_ids, cluster);
}

/**
 * tb_graph_figure_get_cluster_name:
 * @self: a graph
 * @cluster: index of a cluster
 *
 * Returns: its name, for people
 */
const char *
tb_graph_figure_get_cluster_name (TbGraphFigure *self, guint cluster)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), "");
  g_return_val_if_fail (cluster < self->cluster_names->len, "");

  return g_ptr_array_index (self->cluster_names, cluster);
}

/**
 * tb_graph_figure_get_n_vertices:
 * @self: a graph
 *
 * Returns: how many vertices it has
 */
guint
tb_graph_figure_get_n_vertices (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->vertices->len;
}

/**
 * tb_graph_figure_get_vertex:
 * @self: a graph
 * @vertex: index of a vertex
 *
 * Returns: (transfer none): the vertex
 */
const TbGraphVertex *
tb_graph_figure_get_vertex (TbGraphFigure *self, guint vertex)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), NULL);
  g_return_val_if_fail (vertex < self->vertices->len, NULL);

  return get_vertex (self, vertex);
}

/**
 * tb_graph_figure_get_n_edges:
 * @self: a graph
 *
 * Returns: how many edges it has
 */
guint
tb_graph_figure_get_n_edges (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->edges->len;
}

/**
 * tb_graph_figure_get_edge:
 * @self: a graph
 * @edge: index of an edge
 *
 * Returns: (transfer none): the edge
 */
const TbGraphEdge *
tb_graph_figure_get_edge (TbGraphFigure *self, guint edge)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), NULL);
  g_return_val_if_fail (edge < self->edges->len, NULL);

  return get_edge (self, edge);
}

/**
 * tb_graph_figure_get_largest_weight:
 * @self: a frozen graph
 *
 * Returns: the greatest weight of an edge
 */
guint64
tb_graph_figure_get_largest_weight (TbGraphFigure *self)
{
  g_return_val_if_fail (TB_IS_GRAPH_FIGURE (self), 0);

  return self->largest;
}
