/* tb-graph-json.c: graph to and from JSON, with its clusters, vertices, edges and their longest
 * occurrences
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/graph/tb-graph-figure-private.h"
#include "report/graph/tb-graph-occurrences.h"
#include "report/tb-json-private.h"
#include "base/tb-base.h"

#define CLUSTERS_MAX 100000
#define VERTICES_MAX 1000000
#define EDGES_MAX 2000000
/* For each edge; the longest are kept. */
#define OCCURRENCES_MAX 8
#define KNOT "knot"

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
  write_string (builder, "vertex_kind", tb_vertex_kind_get_name (vertex->kind));
  json_builder_set_member_name (builder, "cluster");
  if (vertex->cluster == TB_ID_NONE)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, vertex->cluster);
  write_unsigned (builder, "weight", vertex->weight);
  json_builder_end_object (builder);
}

/* Writes the longest few, sorted by time: "occurrences": [[from, to, thread, other], …]. */
static void
write_occurrences (TbGraphFigure *self, guint edge, JsonBuilder *builder)
{
  TbGraphOccurrences all;
  gsize kept[OCCURRENCES_MAX];
  guint n = 0;

  tb_graph_figure_get_occurrences (self, edge, &all);
  for (gsize i = 0; i < all.n; i++)
    {
      guint shortest = 0;

      if (n < OCCURRENCES_MAX)
        {
          kept[n++] = i;
          continue;
        }
      for (guint j = 1; j < n; j++)
        if (all.to[kept[j]] - all.from[kept[j]]
            <= all.to[kept[shortest]] - all.from[kept[shortest]])
          shortest = j;
      if (all.to[i] - all.from[i] <= all.to[kept[shortest]] - all.from[kept[shortest]])
        continue;
      memmove (&kept[shortest], &kept[shortest + 1], (n - 1 - shortest) * sizeof *kept);
      kept[n - 1] = i;
    }
  json_builder_set_member_name (builder, "occurrences");
  json_builder_begin_array (builder);
  for (guint j = 0; j < n; j++)
    {
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, all.from[kept[j]]);
      json_builder_add_int_value (builder, all.to[kept[j]]);
      json_builder_add_int_value (builder, all.thread[kept[j]] == TB_ID_NONE
                                               ? -1
                                               : (gint64) all.thread[kept[j]]);
      json_builder_add_int_value (builder, all.other[kept[j]] == TB_ID_NONE
                                               ? -1
                                               : (gint64) all.other[kept[j]]);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

static void
write_edge (TbGraphFigure *self, guint index, JsonBuilder *builder)
{
  const TbGraphEdge *edge = tb_graph_figure_peek_edge (self, index);

  json_builder_begin_object (builder);
  write_string (builder, "id", edge->id);
  write_unsigned (builder, "from", edge->from);
  write_unsigned (builder, "to", edge->to);
  write_unsigned (builder, "weight", edge->weight);
  write_string (builder, "label", edge->label);
  if (*edge->detail != '\0')
    write_string (builder, "detail", edge->detail);
  write_string (builder, "from_item", edge->from_item);
  write_string (builder, "to_item", edge->to_item);
  json_builder_set_member_name (builder, "plain");
  if (edge->plain == G_MAXUINT64)
    json_builder_add_null_value (builder);
  else
    tb_json_add_unsigned (builder, edge->plain);
  write_unsigned (builder, "count", edge->count);
  write_unsigned (builder, "longest", edge->longest);
  json_builder_set_member_name (builder, "strong");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_STRONG) != 0);
  json_builder_set_member_name (builder, "faint");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_EXCLUDED) != 0);
  json_builder_set_member_name (builder, "cut");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_CUT) != 0);
  json_builder_set_member_name (builder, "idle");
  json_builder_add_boolean_value (builder, (edge->flags & TB_EDGE_IDLE) != 0);
  if (edge->flags & TB_EDGE_BASE)
    {
      json_builder_set_member_name (builder, "base");
      json_builder_add_boolean_value (builder, TRUE);
    }
  if (edge->flags & TB_EDGE_OUTSIDE)
    {
      json_builder_set_member_name (builder, "outside");
      json_builder_add_boolean_value (builder, TRUE);
    }
  if (tb_graph_figure_get_edge_recording (self, index) > 0)
    write_unsigned (builder, "recording", tb_graph_figure_get_edge_recording (self, index));
  write_occurrences (self, index, builder);
  json_builder_end_object (builder);
}

void
tb_graph_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);

  write_string (builder, "unit", self->unit);
  write_string (builder, "from_flame", self->flames[0]);
  write_string (builder, "to_flame", self->flames[1]);
  if (strcmp (self->weight_name, "weight") != 0)
    write_string (builder, "weight_name", self->weight_name);
  if (self->cluster_kind == TB_CLUSTER_KNOT)
    write_string (builder, "cluster_kind", KNOT);
  write_unsigned (builder, "threshold", self->threshold);
  write_unsigned (builder, "whole", self->whole);
  json_builder_set_member_name (builder, "clusters");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->clusters->len; i++)
    {
      const TbGraphCluster *cluster = &g_array_index (self->clusters, TbGraphCluster, i);

      json_builder_begin_object (builder);
      write_string (builder, "id", cluster->id);
      write_string (builder, "name", cluster->name);
      json_builder_set_member_name (builder, "muted");
      json_builder_add_boolean_value (builder, cluster->muted);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "vertices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->vertices->len; i++)
    write_vertex (tb_graph_figure_peek_vertex (self, i), builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "edges");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->edges->len; i++)
    write_edge (self, i, builder);
  json_builder_end_array (builder);
  tb_graph_figure_write_aliases (self, builder);
}

/* FALSE if it is absent, as in files of earlier versions. */
static gboolean
get_optional_boolean (JsonObject *object, const char *name, gboolean *value, GError **error)
{
  *value = FALSE;
  return !json_object_has_member (object, name) || tb_json_get_boolean (object, name, value, error);
}

static gboolean
read_cluster (TbGraphFigure *self, JsonNode *node, GError **error)
{
  JsonObject *object;
  const char *id;
  const char *name;
  gboolean is_muted;
  guint cluster;

  if (!tb_json_get_object (node, "cluster", &object, error)
      || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "name", &name, error)
      || !get_optional_boolean (object, "muted", &is_muted, error))
    return FALSE;
  cluster = tb_graph_figure_add_cluster (self, id, name);
  if (is_muted)
    tb_graph_figure_set_cluster_muted (self, cluster);
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

  if (!tb_json_get_object (node, "vertex", &object, error)
      || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_string (object, "name", &name, error)
      || !tb_json_get_optional_string (object, "detail", &detail, error)
      || !tb_json_get_string (object, "vertex_kind", &kind_name, error)
      || !tb_json_get_optional_integer (object, "cluster", 0, (gint64) self->clusters->len - 1,
                                        TB_ID_NONE, &cluster, error)
      || !tb_json_get_integer (object, "weight", 0, G_MAXINT64, &weight, error))
    return FALSE;
  while (kind < TB_VERTEX_OTHER && strcmp (kind_name, tb_vertex_kind_get_name (kind)) != 0)
    kind++;
  tb_graph_figure_add_vertex (self, id, name, detail, kind, cluster, weight);
  return TRUE;
}

typedef struct
{
  GArray *columns[TB_N_OCCURRENCE_COLUMNS];
} Occurrences;

static gboolean
read_occurrence (Occurrences *to, guint32 edge, JsonNode *node, GError **error)
{
  static const gint64 least[] = { 0, 0, -1, -1 };
  static const gint64 greatest[] = { G_MAXINT64, G_MAXINT64, TB_ID_NONE - 1, TB_ID_NONE - 1 };
  JsonArray *array
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  gint64 values[4];
  guint32 thread, other;
  GArray *from = to->columns[1];

  if (array == NULL || json_array_get_length (array) != 4)
    return tb_json_fail (error, _ ("an occurrence is not an array of four numbers"));
  for (guint i = 0; i < 4; i++)
    if (!tb_json_node_get_integer (json_array_get_element (array, i), &values[i])
        || values[i] < least[i] || values[i] > greatest[i])
      return tb_json_fail (error, _ ("an occurrence has a number out of range"));
  if (values[1] < values[0]
      || (from->len > 0 && g_array_index (to->columns[0], guint32, from->len - 1) == edge
          && g_array_index (from, gint64, from->len - 1) > values[0]))
    return tb_json_fail (error, _ ("occurrences are not in order of time"));
  thread = values[2] < 0 ? TB_ID_NONE : values[2];
  other = values[3] < 0 ? TB_ID_NONE : values[3];
  g_array_append_val (to->columns[0], edge);
  g_array_append_val (to->columns[1], values[0]);
  g_array_append_val (to->columns[2], values[1]);
  g_array_append_val (to->columns[3], thread);
  g_array_append_val (to->columns[4], other);
  return TRUE;
}

static gboolean
read_edge_occurrences (Occurrences *to, guint32 edge, JsonObject *object, GError **error)
{
  JsonArray *array;

  if (!json_object_has_member (object, "occurrences"))
    return TRUE;
  if (!tb_json_get_array (object, "occurrences", OCCURRENCES_MAX, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!read_occurrence (to, edge, json_array_get_element (array, i), error))
      return FALSE;
  return TRUE;
}

static GBytes *
take_bytes (GArray *array)
{
  gsize size = (gsize) array->len * g_array_get_element_size (array);

  return g_bytes_new_take (g_array_free (array, FALSE), size);
}

/* Call after all edges are parsed. */
static gboolean
read_occurrences (TbGraphFigure *self, JsonObject *object, GError **error)
{
  static const guint sizes[]
      = { sizeof (guint32), sizeof (gint64), sizeof (gint64), sizeof (guint32), sizeof (guint32) };
  JsonArray *edges = json_object_get_array_member (object, "edges");
  Occurrences read;
  GBytes *columns[TB_N_OCCURRENCE_COLUMNS];
  gboolean is_good = TRUE;

  for (guint i = 0; i < TB_N_OCCURRENCE_COLUMNS; i++)
    read.columns[i] = g_array_new (FALSE, FALSE, sizes[i]);
  for (guint i = 0; is_good && i < json_array_get_length (edges); i++)
    {
      is_good = read_edge_occurrences (&read, i, json_array_get_object_element (edges, i), error);
      if (!is_good)
        g_prefix_error (error, "“edges” %u: ", i);
    }
  for (guint i = 0; i < TB_N_OCCURRENCE_COLUMNS; i++)
    columns[i] = take_bytes (read.columns[i]);
  if (is_good)
    tb_graph_figure_set_occurrences (self, columns[0], columns[1], columns[2], columns[3],
                                     columns[4]);
  for (guint i = 0; i < TB_N_OCCURRENCE_COLUMNS; i++)
    g_bytes_unref (columns[i]);
  return is_good;
}

static gboolean
read_edge_flags (JsonObject *object, guint *flags, GError **error)
{
  gboolean is_strong, is_excluded, is_cut, is_idle, is_base, is_outside;

  if (!tb_json_get_boolean (object, "strong", &is_strong, error)
      || !tb_json_get_boolean (object, "faint", &is_excluded, error)
      || !tb_json_get_boolean (object, "cut", &is_cut, error)
      || !get_optional_boolean (object, "idle", &is_idle, error)
      || !get_optional_boolean (object, "base", &is_base, error)
      || !get_optional_boolean (object, "outside", &is_outside, error))
    return FALSE;
  *flags = (is_strong ? TB_EDGE_STRONG : 0) | (is_excluded ? TB_EDGE_EXCLUDED : 0)
           | (is_cut ? TB_EDGE_CUT : 0) | (is_idle ? TB_EDGE_IDLE : 0)
           | (is_base ? TB_EDGE_BASE : 0) | (is_outside ? TB_EDGE_OUTSIDE : 0);
  return TRUE;
}

static gboolean
read_edge (TbGraphFigure *self, JsonNode *node, GError **error)
{
  gint64 last = (gint64) self->vertices->len - 1;
  JsonObject *object;
  const char *id;
  const char *label;
  const char *detail;
  gint64 from;
  gint64 to;
  const char *from_item;
  const char *to_item;
  gint64 weight;
  gint64 plain;
  gint64 count;
  gint64 longest;
  gint64 recording;
  guint flags;
  guint edge;

  if (!tb_json_get_object (node, "edge", &object, error)
      || !tb_json_get_string (object, "id", &id, error)
      || !tb_json_get_integer (object, "from", 0, last, &from, error)
      || !tb_json_get_integer (object, "to", 0, last, &to, error)
      || !tb_json_get_integer (object, "weight", 0, G_MAXINT64, &weight, error)
      || !tb_json_get_optional_string (object, "label", &label, error)
      || !tb_json_get_optional_string (object, "detail", &detail, error)
      || !tb_json_get_optional_string (object, "from_item", &from_item, error)
      || !tb_json_get_optional_string (object, "to_item", &to_item, error)
      || !tb_json_get_optional_integer (object, "plain", 0, G_MAXINT64, -1, &plain, error)
      || !tb_json_get_optional_integer (object, "count", 0, G_MAXINT64, 0, &count, error)
      || !tb_json_get_optional_integer (object, "longest", 0, G_MAXINT64, 0, &longest, error)
      || !tb_json_get_optional_integer (object, "recording", 0, G_MAXUINT16, 0, &recording, error)
      || !read_edge_flags (object, &flags, error))
    return FALSE;
  edge = tb_graph_figure_add_edge (self, id, from, to, weight, flags, label);
  tb_graph_figure_set_edge_values (self, edge, plain < 0 ? G_MAXUINT64 : (guint64) plain, count,
                                   longest);
  tb_graph_figure_set_edge_items (self, edge, from_item, to_item);
  tb_graph_figure_set_edge_detail (self, edge, detail);
  if (recording > 0)
    tb_graph_figure_set_edge_recording (self, edge, (guint) recording);
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
        g_prefix_error (error, "“%s” %u: ", name, i);
        return FALSE;
      }
  return TRUE;
}

gboolean
tb_graph_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbGraphFigure *self = TB_GRAPH_FIGURE (figure);
  const char *unit;
  const char *from_flame;
  const char *to_flame;
  const char *weight_name;
  const char *cluster_kind;
  gint64 threshold;
  gint64 whole;

  if (!tb_json_get_string (object, "unit", &unit, error)
      || !tb_json_get_optional_string (object, "from_flame", &from_flame, error)
      || !tb_json_get_optional_string (object, "to_flame", &to_flame, error)
      || !tb_json_get_optional_string (object, "weight_name", &weight_name, error)
      || !tb_json_get_optional_string (object, "cluster_kind", &cluster_kind, error)
      || !tb_json_get_optional_integer (object, "threshold", 0, G_MAXINT64, 0, &threshold, error)
      || !tb_json_get_optional_integer (object, "whole", 0, G_MAXINT64, 0, &whole, error))
    return FALSE;
  g_set_str (&self->unit, unit);
  tb_graph_figure_set_flames (self, from_flame, to_flame);
  if (weight_name != NULL && *weight_name != '\0')
    tb_graph_figure_set_weight_name (self, weight_name);
  tb_graph_figure_set_cluster_kind (self, g_strcmp0 (cluster_kind, KNOT) == 0 ? TB_CLUSTER_KNOT
                                                                              : TB_CLUSTER_GROUP);
  tb_graph_figure_set_threshold (self, threshold, whole);
  return read_all (self, object, "clusters", CLUSTERS_MAX, read_cluster, error)
         && read_all (self, object, "vertices", VERTICES_MAX, read_vertex, error)
         && read_all (self, object, "edges", EDGES_MAX, read_edge, error)
         && tb_graph_figure_read_aliases (self, object, error)
         && read_occurrences (self, object, error);
}
