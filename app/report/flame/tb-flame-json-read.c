/* tb-flame-json-read.c: parser of flame figures from untrusted JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-figure-private.h"
#include "report/tb-json-private.h"

typedef struct
{
  guint n;
  gint64 *parent;
  gint64 *name;
  gint64 *module;
  gint64 *paint;
  gint64 *own;
  gint64 *count;
  /* NULL if absent: */
  gint64 *detail;
  gint64 *thread;
  gint64 *lane;
  gint64 *overhang;
  gint64 *from;
  gint64 *to;
  gint64 *item;
  gint64 *base;
  gint64 *note;
} Columns;

static void
clear_columns (Columns *columns)
{
  gint64 *all[]
      = { columns->parent, columns->name,   columns->module, columns->paint, columns->own,
          columns->count,  columns->detail, columns->thread, columns->lane,  columns->overhang,
          columns->from,   columns->to,     columns->item,   columns->base,  columns->note };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_free (all[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, clear_columns)

static gboolean
read_optional (JsonObject *nodes,
               const char *name,
               guint n,
               gint64 least,
               gint64 greatest,
               gint64 **column,
               GError **error)
{
  if (!json_object_has_member (nodes, name))
    return TRUE;
  *column = tb_json_get_integers (nodes, name, n, least, greatest, error);
  return *column != NULL;
}

static gboolean
read_columns (TbFlameFigure *self,
              JsonObject *nodes,
              gint64 last_paint,
              gint64 last_string,
              Columns *columns,
              GError **error)
{
  gint64 last_lane = (gint64) tb_flame_figure_get_n_lanes (self) - 1;
  JsonArray *parents;
  guint n;

  if (!tb_json_get_array (nodes, "parent", TB_FLAME_NODES_MAX, &parents, error))
    return FALSE;
  n = columns->n = json_array_get_length (parents);
  if (!(columns->parent = tb_json_get_integers (nodes, "parent", n, -1, G_MAXUINT32, error))
      || !(columns->name = tb_json_get_integers (nodes, "name", n, 0, last_string, error))
      || !(columns->module = tb_json_get_integers (nodes, "module", n, 0, last_string, error))
      || !(columns->paint = tb_json_get_integers (nodes, "paint", n, 0, last_paint, error))
      || !(columns->own = tb_json_get_integers (nodes, "own", n, 0, G_MAXINT64, error))
      || !(columns->count = tb_json_get_integers (nodes, "count", n, 0, G_MAXINT64, error))
      || !read_optional (nodes, "detail", n, 0, last_string, &columns->detail, error)
      || !read_optional (nodes, "note", n, 0, last_string, &columns->note, error)
      || !read_optional (nodes, "thread", n, -1, G_MAXUINT32, &columns->thread, error)
      || !read_optional (nodes, "lane", n, 0, last_lane, &columns->lane, error)
      || !read_optional (nodes, "beyond", n, 0, G_MAXINT64, &columns->overhang, error)
      || !read_optional (nodes, "base", n, 0, G_MAXINT64, &columns->base, error)
      || !read_optional (nodes, "item", n, -1, G_MAXUINT32 - 1, &columns->item, error))
    return FALSE;
  if (!self->chronological)
    return TRUE;
  return (columns->from = tb_json_get_integers (nodes, "from_ns", n, 0, G_MAXINT64, error))
         && (columns->to = tb_json_get_integers (nodes, "to_ns", n, 0, G_MAXINT64, error));
}

/* Parses the items that references use: they ascend, and the nodes after the last item are those
 * into which others were merged. */
static gboolean
read_item (TbFlameFigure *self, const Columns *columns, guint i, guint node, GError **error)
{
  if (!columns->item)
    return TRUE;
  if (i > 0 && (columns->item[i] >= 0 ? columns->item[i] <= columns->item[i - 1] : FALSE))
    return tb_json_fail (error, _ ("node %u: its item does not follow that of the node before"), i);
  if (columns->item[i] >= 0 && node != (self->items ? self->items->len : 0))
    return tb_json_fail (error, _ ("node %u has an item although a node before it has none"), i);
  if (columns->item[i] >= 0)
    tb_flame_figure_set_item (self, node, (guint64) columns->item[i]);
  return TRUE;
}

static gboolean
add_nodes (TbFlameFigure *self,
           const Columns *columns,
           char **paints,
           char **strings,
           guint *added,
           GError **error)
{
  for (guint i = 0; i < columns->n; i++)
    {
      const char *name = strings[columns->name[i]];
      const char *module = strings[columns->module[i]];
      TbFlamePaint paint = tb_flame_paint_find (paints[columns->paint[i]]);
      guint parent;

      if (columns->parent[i] >= (gint64) i)
        return tb_json_fail (error, _ ("node %u does not follow its parent"), i);
      if (self->chronological && columns->from[i] > columns->to[i])
        return tb_json_fail (error, _ ("node %u ends before it begins"), i);
      parent = columns->parent[i] < 0 ? TB_ID_NONE : added[columns->parent[i]];
      if (parent == TB_ID_NONE && columns->lane)
        self->lane = (guint) columns->lane[i];
      if (self->chronological)
        added[i] = tb_flame_figure_add_box (self, parent, name, module, paint, columns->from[i],
                                            columns->to[i], columns->own[i]);
      else
        added[i] = tb_flame_figure_add_node (self, parent, name, module, paint, columns->own[i],
                                             columns->count[i]);
      if (self->chronological)
        g_array_index (self->nodes, TbFlameNode, added[i]).count = columns->count[i];
      if (columns->detail)
        tb_flame_figure_set_detail (self, added[i], strings[columns->detail[i]]);
      if (columns->note)
        tb_flame_figure_set_note (self, added[i], strings[columns->note[i]]);
      if (columns->thread && columns->thread[i] >= 0)
        tb_flame_figure_set_thread (self, added[i], (guint32) columns->thread[i]);
      if (columns->overhang)
        tb_flame_figure_add_overhang (self, added[i], columns->overhang[i]);
      if (columns->base)
        tb_flame_figure_add_base (self, added[i], (guint64) columns->base[i]);
      if (!read_item (self, columns, i, added[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_shares (TbFlameFigure *self,
             JsonObject *object,
             const guint *added,
             guint n_nodes,
             GError **error)
{
  gint64 last_category = (gint64) tb_flame_figure_get_n_categories (self) - 1;
  g_autofree gint64 *node = NULL;
  g_autofree gint64 *category = NULL;
  g_autofree gint64 *weight = NULL;
  JsonObject *shares;
  JsonArray *all;
  guint n;

  if (!json_object_has_member (object, "shares"))
    return TRUE;
  if (!tb_json_get_object (json_object_get_member (object, "shares"), "shares", &shares, error)
      || !tb_json_get_array (shares, "node", 4 * TB_FLAME_NODES_MAX, &all, error))
    return FALSE;
  n = json_array_get_length (all);
  if (!(node = tb_json_get_integers (shares, "node", n, 0, (gint64) n_nodes - 1, error))
      || !(category = tb_json_get_integers (shares, "category", n, 0, last_category, error))
      || !(weight = tb_json_get_integers (shares, "weight", n, 0, G_MAXINT64, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    tb_flame_figure_add_to_category (self, added[node[i]], (guint) category[i], weight[i]);
  return TRUE;
}

static gboolean
read_lanes (TbFlameFigure *self, JsonObject *object, GError **error)
{
  JsonArray *lanes;

  if (!json_object_has_member (object, "lanes"))
    return TRUE;
  if (!tb_json_get_array (object, "lanes", TB_FLAME_LANES_MAX, &lanes, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (lanes); i++)
    {
      JsonObject *lane;
      const char *id;
      const char *name;

      if (!tb_json_get_object (json_array_get_element (lanes, i), "lane", &lane, error)
          || !tb_json_get_string (lane, "id", &id, error)
          || !tb_json_get_string (lane, "name", &name, error))
        return FALSE;
      if (tb_flame_figure_begin_lane (self, id, name) != i)
        return tb_json_fail (error, _ ("two lanes have the name “%s”"), id);
    }
  self->lane = 0;
  return TRUE;
}

static gboolean
read_categories (TbFlameFigure *self, JsonObject *object, GError **error)
{
  JsonArray *categories;

  if (!json_object_has_member (object, "categories"))
    return TRUE;
  if (!tb_json_get_array (object, "categories", TB_FLAME_CATEGORIES_MAX, &categories, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (categories); i++)
    {
      JsonObject *category;
      const char *id;
      const char *name;
      const char *paint;

      if (!tb_json_get_object (json_array_get_element (categories, i), "category", &category, error)
          || !tb_json_get_string (category, "id", &id, error)
          || !tb_json_get_string (category, "name", &name, error)
          || !tb_json_get_string (category, "paint", &paint, error))
        return FALSE;
      tb_flame_figure_add_category (self, id, name, tb_flame_paint_find (paint));
    }
  return TRUE;
}

static gboolean
read_times (TbFlameFigure *self, JsonObject *object, GError **error)
{
  gint64 from;
  gint64 to;

  if (!json_object_has_member (object, "from_ns"))
    return TRUE;
  if (!tb_json_get_integer (object, "from_ns", 0, G_MAXINT64, &from, error)
      || !tb_json_get_integer (object, "to_ns", 0, G_MAXINT64, &to, error))
    return FALSE;
  if (from >= to)
    return tb_json_fail (error, _ ("“to_ns” is not after “from_ns”"));
  tb_flame_figure_set_chronological (self, from, to);
  return TRUE;
}

gboolean
tb_flame_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);
  g_auto (Columns) columns = { 0 };
  g_auto (GStrv) strings = NULL;
  g_auto (GStrv) paints = NULL;
  g_autofree guint *added = NULL;
  JsonObject *nodes;
  const char *unit;

  if (!tb_json_get_string (object, "unit", &unit, error) || !read_times (self, object, error)
      || !read_lanes (self, object, error) || !read_categories (self, object, error)
      || !(paints = tb_json_get_strings (object, "paints", 255, error))
      || !(strings = tb_json_get_strings (object, "strings", 3 * TB_FLAME_NODES_MAX, error))
      || !tb_json_get_object (json_object_get_member (object, "nodes"), "nodes", &nodes, error)
      || !read_columns (self, nodes, (gint64) g_strv_length (paints) - 1,
                        (gint64) g_strv_length (strings) - 1, &columns, error))
    return FALSE;
  tb_flame_figure_set_unit (self, unit);
  added = g_new (guint, columns.n + 1);
  return add_nodes (self, &columns, paints, strings, added, error)
         && read_shares (self, object, added, columns.n, error);
}
