/* tb-flame-json.c: flame figures written as JSON, limited in size: light siblings are merged into
 * one node
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-figure-private.h"
#include "report/tb-json-private.h"

/* Nodes are columns in which a parent comes before its children, so that deep stacks need no
 * nesting. If there are too many nodes, those lighter than "merged_below" are merged, with all
 * their descendants, into one node "…" beside their siblings. In a chronological figure each run of
 * neighbours has a node of its own, so that it can stand at its time. The weights still add up. */

typedef enum
{
  PARENT,
  NAME,
  MODULE,
  PAINT,
  OWN,
  COUNT,
  N_ALWAYS,
  /* Optional columns: */
  DETAIL = N_ALWAYS,
  THREAD,
  LANE,
  OVERHANG,
  FROM,
  TO,
  ITEM,
  BASE,
  NOTE,
  N_COLUMNS,
} Column;

static const char *const column_names[N_COLUMNS] = {
  "parent", "name",   "module",  "paint", "own",  "count", "detail", "thread",
  "lane",   "beyond", "from_ns", "to_ns", "item", "base",  "note",
};

typedef struct
{
  TbFlameFigure *figure;
  guint64 threshold;
  guint *written;                 /* by node: index in the JSON, TB_ID_NONE if merged */
  GArray *merged_nodes;           /* TbFlameNode */
  guint *merged_index;            /* by node: index in gathered */
  JsonBuilder *column[N_COLUMNS]; /* NULL if the column is empty */
  JsonBuilder *share[3];
  GHashTable *strings;
  GPtrArray *texts;
  guint n;
} Writer;

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *) a;
  guint64 two = *(const guint64 *) b;

  return one > two ? -1 : one < two;
}

static guint64
choose_threshold (TbFlameFigure *self)
{
  guint n = tb_flame_figure_get_n_nodes (self);
  g_autofree guint64 *totals = NULL;

  if (n <= TB_FLAME_JSON_NODES)
    return 0;
  totals = g_new (guint64, n);
  for (guint i = 0; i < n; i++)
    totals[i] = tb_flame_figure_get_node (self, i)->total;
  qsort (totals, n, sizeof (guint64), compare_totals);
  /* One more than the heaviest total that has no place. A node cannot weigh more than its parent,
   * so parents stay. */
  return totals[TB_FLAME_JSON_NODES] + 1;
}

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

static void
write_cell (Writer *writer, Column column, gint64 value)
{
  if (writer->column[column])
    json_builder_add_int_value (writer->column[column], value);
}

static gint64
id_or_none (guint32 id)
{
  return id == TB_ID_NONE ? -1 : (gint64) id;
}

/* Writes a node. Its parent is an index in the JSON. */
static guint
write_node (Writer *writer, const TbFlameNode *node, gint64 item)
{
  write_cell (writer, PARENT, id_or_none (node->parent));
  write_cell (writer, NAME, get_string (writer, node->name));
  write_cell (writer, MODULE, get_string (writer, node->module));
  write_cell (writer, PAINT, node->paint);
  write_cell (writer, OWN, (gint64) MIN (node->own, (guint64) G_MAXINT64));
  write_cell (writer, COUNT, (gint64) MIN (node->count, (guint64) G_MAXINT64));
  if (writer->column[DETAIL])
    write_cell (writer, DETAIL, get_string (writer, node->detail));
  if (writer->column[NOTE])
    write_cell (writer, NOTE, get_string (writer, node->note));
  write_cell (writer, THREAD, id_or_none (node->thread));
  write_cell (writer, LANE, node->lane);
  write_cell (writer, OVERHANG, (gint64) MIN (node->overhang, (guint64) G_MAXINT64));
  write_cell (writer, FROM, node->from);
  write_cell (writer, TO, node->to);
  write_cell (writer, ITEM, item);
  write_cell (writer, BASE, (gint64) MIN (node->base_own, (guint64) G_MAXINT64));
  return writer->n++;
}

static void
merge_node (Writer *writer, guint index, guint target)
{
  const TbFlameNode *node = tb_flame_figure_get_node (writer->figure, index);
  TbFlameNode *all = &g_array_index (writer->merged_nodes, TbFlameNode, target);

  all->own = tb_flame_add_saturated (all->own, node->total);
  all->base_own = tb_flame_add_saturated (all->base_own, node->base_total);
  all->from = all->count == 0 ? node->from : MIN (all->from, node->from);
  all->to = MAX (all->to, node->to);
  all->count++;
  writer->merged_index[index] = target;
}

/* Merges the light siblings, from first on, into one node, in a chronological figure those between
 * two heavy ones. Roots of different lanes are not merged. */
static void
merge_siblings (Writer *writer, guint first)
{
  gboolean chronological = tb_flame_figure_get_chronological (writer->figure, NULL, NULL);
  guint target = TB_ID_NONE;
  const TbFlameNode *node;

  for (guint at = first; at != TB_ID_NONE; at = node->next_sibling)
    {
      node = tb_flame_figure_get_node (writer->figure, at);
      if (node->total >= writer->threshold)
        {
          if (chronological)
            target = TB_ID_NONE;
          continue;
        }
      if (target == TB_ID_NONE
          || g_array_index (writer->merged_nodes, TbFlameNode, target).lane != node->lane)
        {
          TbFlameNode all
              = { .name = "…", .module = "", .detail = "", .note = "", .paint = TB_FLAME_UNKNOWN };

          all.parent = node->parent;
          all.lane = node->lane;
          all.thread = TB_ID_NONE;
          all.from = all.to = TB_TIME_NONE;
          target = writer->merged_nodes->len;
          g_array_append_val (writer->merged_nodes, all);
        }
      merge_node (writer, at, target);
    }
}

static void
write_nodes (Writer *writer)
{
  TbFlameFigure *self = writer->figure;
  guint n = tb_flame_figure_get_n_nodes (self);

  if (writer->threshold > 0)
    merge_siblings (writer, tb_flame_figure_get_first_root (self));
  for (guint i = 0; i < n; i++)
    {
      TbFlameNode node = *tb_flame_figure_get_node (self, i);

      writer->written[i] = TB_ID_NONE;
      if (node.total < writer->threshold)
        {
          /* The descendants of a merged node are merged with it. */
          if (node.parent != TB_ID_NONE && writer->written[node.parent] == TB_ID_NONE)
            writer->merged_index[i] = writer->merged_index[node.parent];
          continue;
        }
      if (node.parent != TB_ID_NONE)
        node.parent = writer->written[node.parent];
      writer->written[i] = write_node (writer, &node, i);
      if (writer->threshold > 0)
        merge_siblings (writer, node.first_child);
    }
  for (guint i = 0; i < writer->merged_nodes->len; i++)
    {
      TbFlameNode *all = &g_array_index (writer->merged_nodes, TbFlameNode, i);

      if (all->parent != TB_ID_NONE)
        all->parent = writer->written[all->parent];
      write_node (writer, all, -1);
    }
}

/* Shares of merged nodes are not summed here but by the reader. */
static void
write_shares (Writer *writer)
{
  guint first_merged = writer->n - writer->merged_nodes->len;

  for (guint i = 0; i < writer->figure->shares->len; i++)
    {
      const TbFlameShare *share = &g_array_index (writer->figure->shares, TbFlameShare, i);
      guint node = writer->written[share->node];

      if (node == TB_ID_NONE)
        node = first_merged + writer->merged_index[share->node];
      json_builder_add_int_value (writer->share[0], node);
      json_builder_add_int_value (writer->share[1], share->category);
      tb_json_add_unsigned (writer->share[2], share->weight);
    }
}

static void
choose_columns (Writer *writer)
{
  gboolean wanted[N_COLUMNS] = { FALSE };

  for (guint i = 0; i < N_ALWAYS; i++)
    wanted[i] = TRUE;
  wanted[FROM] = wanted[TO] = tb_flame_figure_get_chronological (writer->figure, NULL, NULL);
  wanted[LANE] = tb_flame_figure_get_n_lanes (writer->figure) > 1;
  wanted[ITEM] = writer->threshold > 0;
  wanted[BASE] = tb_flame_figure_get_base (writer->figure, NULL);
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (writer->figure); i++)
    {
      const TbFlameNode *node = tb_flame_figure_get_node (writer->figure, i);

      wanted[DETAIL] |= *node->detail != '\0';
      wanted[NOTE] |= *node->note != '\0';
      wanted[THREAD] |= node->thread != TB_ID_NONE;
      wanted[OVERHANG] |= node->overhang > 0;
    }
  for (guint i = 0; i < N_COLUMNS; i++)
    if (wanted[i])
      {
        writer->column[i] = json_builder_new ();
        json_builder_begin_array (writer->column[i]);
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

static void
add_string (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
write_lanes_and_categories (TbFlameFigure *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "lanes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tb_flame_figure_get_n_lanes (self); i++)
    {
      json_builder_begin_object (builder);
      add_string (builder, "id", tb_flame_figure_get_lane_id (self, i));
      add_string (builder, "name", tb_flame_figure_get_lane_name (self, i));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "categories");
  json_builder_begin_array (builder);
  for (guint i = 0; i < tb_flame_figure_get_n_categories (self); i++)
    {
      const TbFlameCategory *category = tb_flame_figure_get_category (self, i);

      json_builder_begin_object (builder);
      add_string (builder, "id", category->id);
      add_string (builder, "name", category->name);
      add_string (builder, "paint", tb_flame_paint_get_name (category->paint));
      json_builder_set_member_name (builder, "own");
      tb_json_add_unsigned (builder, category->own);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
write_head (TbFlameFigure *self, Writer *writer, JsonBuilder *builder)
{
  gint64 from;
  gint64 to;

  add_string (builder, "unit", tb_flame_figure_get_unit (self));
  json_builder_set_member_name (builder, "total");
  tb_json_add_unsigned (builder, tb_flame_figure_get_total (self));
  if (tb_flame_figure_get_chronological (self, &from, &to))
    {
      json_builder_set_member_name (builder, "from_ns");
      json_builder_add_int_value (builder, from);
      json_builder_set_member_name (builder, "to_ns");
      json_builder_add_int_value (builder, to);
    }
  write_lanes_and_categories (self, builder);
  json_builder_set_member_name (builder, "merged_below");
  tb_json_add_unsigned (builder, writer->threshold);
  json_builder_set_member_name (builder, "paints");
  json_builder_begin_array (builder);
  for (guint paint = 0; paint < TB_N_FLAME_PAINTS; paint++)
    json_builder_add_string_value (builder, tb_flame_paint_get_name (paint));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "strings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < writer->texts->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (writer->texts, i));
  json_builder_end_array (builder);
}

void
tb_flame_figure_write_json (TbFigure *figure, JsonBuilder *builder)
{
  static const char *const share_names[] = { "node", "category", "weight" };
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);
  guint n = tb_flame_figure_get_n_nodes (self);
  g_autoptr (GHashTable) strings = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (GArray) merged_nodes = g_array_new (FALSE, TRUE, sizeof (TbFlameNode));
  g_autofree guint *written = g_new (guint, n + 1);
  g_autofree guint *merged_index = g_new (guint, n + 1);
  Writer writer = {
    .figure = self, .written = written, .merged_nodes = merged_nodes, .merged_index = merged_index
  };

  writer.strings = strings;
  writer.texts = texts;
  writer.threshold = choose_threshold (self);
  choose_columns (&writer);
  for (guint i = 0; i < G_N_ELEMENTS (share_names); i++)
    {
      writer.share[i] = json_builder_new ();
      json_builder_begin_array (writer.share[i]);
    }
  write_nodes (&writer);
  write_shares (&writer);

  write_head (self, &writer, builder);
  json_builder_set_member_name (builder, "nodes");
  json_builder_begin_object (builder);
  for (guint i = 0; i < N_COLUMNS; i++)
    if (writer.column[i])
      add_column (builder, column_names[i], writer.column[i]);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "shares");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (share_names); i++)
    add_column (builder, share_names[i], writer.share[i]);
  json_builder_end_object (builder);
}
