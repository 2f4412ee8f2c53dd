/* tb-flame-json.c: flame figures as JSON, bounded in size
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-flame-private.h"
#include "report/tb-json-private.h"

/* Nodes are columns, a parent before its children: no nesting however deep the stacks. Where there are too
 * many, nodes lighter than "merged_below" are gathered, with all that stands on them, in one node "…" beside
 * their siblings; weights still add up. */

typedef struct
{
  guint parent;
  guint64 own;
  guint64 count;
} Gathered;

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *) a;
  guint64 two = *(const guint64 *) b;

  return one > two ? -1 : one < two;
}

static guint64
choose_merging (TbFlameFigure *self)
{
  guint n = tb_flame_figure_get_n_nodes (self);
  g_autofree guint64 *totals = NULL;

  if (n <= TB_FLAME_JSON_NODES)
    return 0;
  totals = g_new (guint64, n);
  for (guint i = 0; i < n; i++)
    totals[i] = tb_flame_figure_get_node (self, i)->total;
  qsort (totals, n, sizeof (guint64), compare_totals);
  /* above what the first that has no place weighs; a node cannot weigh more than its parent, so parents stay
   */
  return totals[TB_FLAME_JSON_NODES] + 1;
}

typedef struct
{
  JsonBuilder *builder[6]; /* parent, name, module, paint, own, count */
  GHashTable *strings;
  GPtrArray *texts;
  guint n;
} Writer;

static gint64
get_string (Writer *writer, const char *text)
{
  gpointer index = g_hash_table_lookup (writer->strings, text);

  if (!index)
    {
      g_ptr_array_add (writer->texts, (gpointer) text);
      index = GUINT_TO_POINTER (writer->texts->len);
      g_hash_table_insert (writer->strings, (gpointer) text, index);
    }
  return (gint64) GPOINTER_TO_UINT (index) - 1;
}

static guint
write_node (Writer *writer,
            guint parent,
            const char *name,
            const char *module,
            TbFlamePaint paint,
            guint64 own,
            guint64 count)
{
  json_builder_add_int_value (writer->builder[0], parent == TB_ID_NONE ? -1 : (gint64) parent);
  json_builder_add_int_value (writer->builder[1], get_string (writer, name));
  json_builder_add_int_value (writer->builder[2], get_string (writer, module));
  json_builder_add_int_value (writer->builder[3], paint);
  tb_json_add_unsigned (writer->builder[4], own);
  tb_json_add_unsigned (writer->builder[5], count);
  return writer->n++;
}

/* Written where its parent is, TB_ID_NONE where it is gathered. */
static guint
write_or_gather (TbFlameFigure *self,
                 Writer *writer,
                 const TbFlameNode *node,
                 const guint *written,
                 guint64 below,
                 GArray *gathered,
                 GHashTable *gathered_at)
{
  guint parent = node->parent == TB_ID_NONE ? TB_ID_NONE : written[node->parent];
  Gathered *into;
  gpointer place;

  if (node->total >= below)
    return write_node (writer, parent, node->name, node->module, node->paint, node->own, node->count);
  if (node->parent != TB_ID_NONE && parent == TB_ID_NONE)
    return TB_ID_NONE; /* its root is gathered with all that stands on it */
  place = g_hash_table_lookup (gathered_at, GUINT_TO_POINTER (parent));
  if (!place)
    {
      g_array_set_size (gathered, gathered->len + 1);
      g_array_index (gathered, Gathered, gathered->len - 1).parent = parent;
      place = GUINT_TO_POINTER (gathered->len);
      g_hash_table_insert (gathered_at, GUINT_TO_POINTER (parent), place);
    }
  into = &g_array_index (gathered, Gathered, GPOINTER_TO_UINT (place) - 1);
  into->own += MIN (node->total, G_MAXUINT64 - into->own);
  into->count++;
  return TB_ID_NONE;
}

static void
write_nodes (TbFlameFigure *self, Writer *writer, guint64 below)
{
  guint n = tb_flame_figure_get_n_nodes (self);
  g_autofree guint *written = g_new (guint, n + 1);
  g_autoptr (GArray) gathered = g_array_new (FALSE, TRUE, sizeof (Gathered));
  g_autoptr (GHashTable) gathered_at = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    written[i] = write_or_gather (self, writer, tb_flame_figure_get_node (self, i), written, below, gathered,
                                  gathered_at);
  for (guint i = 0; i < gathered->len; i++)
    {
      const Gathered *all = &g_array_index (gathered, Gathered, i);

      write_node (writer, all->parent, "…", "", TB_FLAME_UNKNOWN, all->own, all->count);
    }
}

static void
add_column (JsonBuilder *builder, const char *name, JsonBuilder *column)
{
  json_builder_end_array (column);
  json_builder_set_member_name (builder, name);
  json_builder_add_value (builder, json_builder_get_root (column));
  g_object_unref (column);
}

void
tb_flame_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  static const char *const columns[] = { "parent", "name", "module", "paint", "own", "count" };
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);
  g_autoptr (GHashTable) strings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  Writer writer = { .strings = strings, .texts = texts };
  guint64 below = choose_merging (self);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      writer.builder[i] = json_builder_new ();
      json_builder_begin_array (writer.builder[i]);
    }
  write_nodes (self, &writer, below);

  json_builder_set_member_name (builder, "unit");
  json_builder_add_string_value (builder, tb_flame_figure_get_unit (self));
  json_builder_set_member_name (builder, "total");
  tb_json_add_unsigned (builder, tb_flame_figure_get_total (self));
  json_builder_set_member_name (builder, "merged_below");
  tb_json_add_unsigned (builder, below);
  json_builder_set_member_name (builder, "paints");
  json_builder_begin_array (builder);
  for (guint paint = 0; paint < TB_N_FLAME_PAINTS; paint++)
    json_builder_add_string_value (builder, tb_flame_paint_get_name (paint));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "strings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < texts->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (texts, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "nodes");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_column (builder, columns[i], writer.builder[i]);
  json_builder_end_object (builder);
}

static gboolean
read_nodes (TbFlameFigure *self, JsonObject *nodes, char **paints, char **strings, GError **error)
{
  gint64 last_paint = (gint64) g_strv_length (paints) - 1;
  gint64 last_string = (gint64) g_strv_length (strings) - 1;
  g_autofree gint64 *parent = NULL;
  g_autofree gint64 *name = NULL;
  g_autofree gint64 *module = NULL;
  g_autofree gint64 *paint = NULL;
  g_autofree gint64 *own = NULL;
  g_autofree gint64 *count = NULL;
  g_autofree guint *added = NULL;
  JsonArray *parents;
  guint n;

  if (!tb_json_get_array (nodes, "parent", TB_FLAME_NODES_MAX, &parents, error))
    return FALSE;
  n = json_array_get_length (parents);
  if (!(parent = tb_json_get_integers (nodes, "parent", n, -1, G_MAXUINT32, error))
      || !(name = tb_json_get_integers (nodes, "name", n, 0, last_string, error))
      || !(module = tb_json_get_integers (nodes, "module", n, 0, last_string, error))
      || !(paint = tb_json_get_integers (nodes, "paint", n, 0, last_paint, error))
      || !(own = tb_json_get_integers (nodes, "own", n, 0, G_MAXINT64, error))
      || !(count = tb_json_get_integers (nodes, "count", n, 0, G_MAXINT64, error)))
    return FALSE;
  added = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      TbFlamePaint look = TB_FLAME_UNKNOWN;

      if (parent[i] >= (gint64) i)
        return tb_json_fail (error, _ ("node %u does not stand behind its parent"), i);
      for (guint known = 0; known < TB_N_FLAME_PAINTS; known++)
        if (strcmp (paints[paint[i]], tb_flame_paint_get_name (known)) == 0)
          look = known;
      added[i] = tb_flame_figure_add_node (self, parent[i] < 0 ? TB_ID_NONE : added[parent[i]],
                                           strings[name[i]], strings[module[i]], look, own[i], count[i]);
    }
  return TRUE;
}

gboolean
tb_flame_figure_read_json (TbFigure *figure, JsonObject *object, GError **error)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);
  g_auto (GStrv) strings = NULL;
  g_auto (GStrv) paints = NULL;
  JsonObject *nodes;
  const char *unit;

  if (!tb_json_get_string (object, "unit", &unit, error)
      || !(paints = tb_json_get_strings (object, "paints", 255, error))
      || !(strings = tb_json_get_strings (object, "strings", 2 * TB_FLAME_NODES_MAX, error))
      || !tb_json_get_object (json_object_get_member (object, "nodes"), "nodes", &nodes, error))
    return FALSE;
  tb_flame_figure_set_unit (self, unit);
  return read_nodes (self, nodes, paints, strings, error);
}
