/* tb-flame-figure.c: a tree of boxes, wider = more
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/tb-flame-private.h"

/**
 * TbFlameFigure:
 *
 * A tree of boxes, each as wide as its weight with all that stands on it. Siblings of one name, module and
 * paint are one node, however often they are added; totals are made when the figure is frozen.
 */
struct _TbFlameFigure
{
  TbFigure parent_instance;

  char *unit;
  GStringChunk *strings;
  GHashTable *names;  /* of strings: text → itself */
  GArray *nodes;      /* TbFlameNode */
  GHashTable *by_key; /* index + 1 → itself, while building */
  guint first_root;
  guint depth;
  guint64 total;
};

G_DEFINE_FINAL_TYPE (TbFlameFigure, tb_flame_figure, TB_TYPE_FIGURE)

static const char *const paint_names[TB_N_FLAME_PAINTS] = {
  [TB_FLAME_USER] = "user",       [TB_FLAME_KERNEL] = "kernel", [TB_FLAME_WAITING] = "waiting",
  [TB_FLAME_PROCESS] = "process", [TB_FLAME_DISK] = "disk",     [TB_FLAME_NETWORK] = "network",
  [TB_FLAME_UNKNOWN] = "unknown",
};

const char *
tb_flame_paint_get_name (TbFlamePaint paint)
{
  return paint < TB_N_FLAME_PAINTS ? paint_names[paint] : "unknown";
}

static guint64
add_saturated (guint64 a, guint64 b)
{
  return b > G_MAXUINT64 - a ? G_MAXUINT64 : a + b;
}

static void
sum_totals (TbFlameFigure *self)
{
  self->total = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      TbFlameNode *node = &g_array_index (self->nodes, TbFlameNode, i);

      node->total = node->own;
      node->depth
          = node->parent == TB_ID_NONE ? 0 : g_array_index (self->nodes, TbFlameNode, node->parent).depth + 1;
      self->depth = MAX (self->depth, node->depth + 1);
    }
  /* A parent stands before its children: from the last to the first, all children are complete. */
  for (guint i = self->nodes->len; i-- > 0;)
    {
      const TbFlameNode *node = &g_array_index (self->nodes, TbFlameNode, i);
      guint64 *into = node->parent == TB_ID_NONE
                          ? &self->total
                          : &g_array_index (self->nodes, TbFlameNode, node->parent).total;

      *into = add_saturated (*into, node->total);
    }
}

static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbFlameNode *nodes = data;
  guint one = *(const guint *) a;
  guint two = *(const guint *) b;

  if (nodes[one].parent != nodes[two].parent)
    return nodes[one].parent < nodes[two].parent ? -1 : 1;
  if (nodes[one].total != nodes[two].total)
    return nodes[one].total > nodes[two].total ? -1 : 1;
  return one < two ? -1 : one > two;
}

static void
link_siblings (TbFlameFigure *self)
{
  TbFlameNode *nodes = (TbFlameNode *) (gpointer) self->nodes->data;
  guint n = self->nodes->len;
  g_autofree guint *order = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_sort_array (order, n, sizeof (guint), compare_siblings, nodes);
  for (guint i = n; i-- > 0;)
    {
      TbFlameNode *node = &nodes[order[i]];
      guint *first = node->parent == TB_ID_NONE ? &self->first_root : &nodes[node->parent].first_child;

      node->next_sibling = *first;
      *first = order[i];
    }
}

static void
tb_flame_figure_freeze (TbFigure *figure)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);

  sum_totals (self);
  link_siblings (self);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
}

static void
tb_flame_figure_finalize (GObject *object)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (object);

  g_free (self->unit);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_array_unref (self->nodes);
  g_string_chunk_free (self->strings);
  G_OBJECT_CLASS (tb_flame_figure_parent_class)->finalize (object);
}

static void
tb_flame_figure_class_init (TbFlameFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_flame_figure_finalize;
  figure_class->kind = "flame";
  figure_class->freeze = tb_flame_figure_freeze;
  figure_class->write_json = tb_flame_figure_write_json;
  figure_class->read_json = tb_flame_figure_read_json;
  figure_class->render_text = tb_flame_figure_render_text;
}

/* Names are kept once each, so that equal ones have one address. */
static guint
hash_node (gconstpointer key)
{
  const TbFlameNode *node = key;
  guint64 hash = node->parent;

  hash = (hash ^ (gsize) node->name) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29 ^ (gsize) node->module) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (hash >> 32) ^ node->paint;
}

static gboolean
are_nodes_equal (gconstpointer a, gconstpointer b)
{
  const TbFlameNode *one = a;
  const TbFlameNode *two = b;

  return one->parent == two->parent && one->name == two->name && one->module == two->module
         && one->paint == two->paint;
}

static void
tb_flame_figure_init (TbFlameFigure *self)
{
  self->unit = g_strdup ("");
  self->strings = g_string_chunk_new (4096);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (TbFlameNode));
  self->by_key = g_hash_table_new_full (hash_node, are_nodes_equal, g_free, NULL);
  self->first_root = TB_ID_NONE;
}

/**
 * tb_flame_figure_new:
 * @id: its name in references
 * @title: its title, for people
 * @unit: of the weights: "ns", "samples"…
 *
 * Returns: (transfer full): a flame figure without nodes
 */
TbFlameFigure *
tb_flame_figure_new (const char *id, const char *title, const char *unit)
{
  TbFlameFigure *self = g_object_new (TB_TYPE_FLAME_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  tb_flame_figure_set_unit (self, unit);
  return self;
}

void
tb_flame_figure_set_unit (TbFlameFigure *self, const char *unit)
{
  g_set_str (&self->unit, unit ? unit : "");
}

static const char *
intern (TbFlameFigure *self, const char *text)
{
  char *kept;

  if (!text)
    text = "";
  kept = g_hash_table_lookup (self->names, text);
  if (!kept)
    {
      kept = g_string_chunk_insert (self->strings, text);
      g_hash_table_add (self->names, kept);
    }
  return kept;
}

/**
 * tb_flame_figure_add_node:
 * @self: a figure that is being built
 * @parent: index of the node it stands on, or %TB_ID_NONE for a root
 * @name: the function or whatever it is
 * @module: (nullable): where that is from
 * @paint: its colour
 * @own: its weight without its children's
 * @count: how many times
 *
 * Adds a node, or its weight and count to the sibling of this name, module and paint.
 *
 * Returns: the node's index, which is what references name as its item
 */
guint
tb_flame_figure_add_node (TbFlameFigure *self,
                          guint parent,
                          const char *name,
                          const char *module,
                          TbFlamePaint paint,
                          guint64 own,
                          guint64 count)
{
  TbFlameNode key = { 0 };
  gpointer found;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), TB_ID_NONE);
  g_return_val_if_fail (parent == TB_ID_NONE || parent < self->nodes->len, TB_ID_NONE);
  g_return_val_if_fail (paint < TB_N_FLAME_PAINTS, TB_ID_NONE);

  key.parent = parent;
  key.name = intern (self, name);
  key.module = intern (self, module);
  key.paint = paint;
  key.first_child = TB_ID_NONE;
  key.next_sibling = TB_ID_NONE;
  found = g_hash_table_lookup (self->by_key, &key);
  if (!found)
    {
      found = GUINT_TO_POINTER (self->nodes->len + 1);
      g_array_append_val (self->nodes, key);
      g_hash_table_insert (self->by_key, g_memdup2 (&key, sizeof key), found);
    }
  {
    TbFlameNode *node = &g_array_index (self->nodes, TbFlameNode, GPOINTER_TO_UINT (found) - 1);

    node->own = add_saturated (node->own, own);
    node->count = add_saturated (node->count, count);
  }
  return GPOINTER_TO_UINT (found) - 1;
}

/**
 * tb_flame_figure_get_unit:
 * @self: a figure
 *
 * Returns: the unit of its weights
 */
const char *
tb_flame_figure_get_unit (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), "");

  return self->unit;
}

/**
 * tb_flame_figure_get_n_nodes:
 * @self: a figure
 *
 * Returns: how many nodes it has
 */
guint
tb_flame_figure_get_n_nodes (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);

  return self->nodes->len;
}

/**
 * tb_flame_figure_get_depth:
 * @self: a frozen figure
 *
 * Returns: how many nodes stand on one another at most
 */
guint
tb_flame_figure_get_depth (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);

  return self->depth;
}

/**
 * tb_flame_figure_get_total:
 * @self: a frozen figure
 *
 * Returns: the weight of all
 */
guint64
tb_flame_figure_get_total (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);

  return self->total;
}

/**
 * tb_flame_figure_get_first_root:
 * @self: a frozen figure
 *
 * Returns: the largest root, or %TB_ID_NONE
 */
guint
tb_flame_figure_get_first_root (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);

  return self->first_root;
}

/**
 * tb_flame_figure_get_node:
 * @self: a frozen figure
 * @node: index of a node
 *
 * Returns: (transfer none): the node; it belongs to @self
 */
const TbFlameNode *
tb_flame_figure_get_node (TbFlameFigure *self, guint node)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (node < self->nodes->len, NULL);

  return &g_array_index (self->nodes, TbFlameNode, node);
}
