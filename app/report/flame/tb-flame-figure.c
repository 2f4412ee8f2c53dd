/* tb-flame-figure.c: flame figure, a tree of boxes as wide as their weight or time: building,
 * details of boxes, base weights of a comparison, access, and items that references use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/flame/tb-flame-figure-private.h"
#include "report/tb-valid-text-private.h"

#define N_TEXTS 1024

/**
 * TbFlameFigure:
 *
 * A tree of boxes, each as wide as its weight and that of all its descendants. Siblings with the
 * same name, module and paint are one node, however often they are added. Totals are computed when
 * the figure is frozen.
 *
 * In a chronological figure boxes stand at their times instead, and equal boxes stay separate.
 *
 * Roots stand in lanes, one above the other, such as the control paths of a task. The own weight of
 * nodes can be divided into categories.
 */
G_DEFINE_FINAL_TYPE (TbFlameFigure, tb_flame_figure, TB_TYPE_FIGURE)

static void
tb_flame_figure_freeze (TbFigure *figure)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (figure);

  if (!self->ordered)
    tb_flame_figure_sort_nodes (self, NULL);
  tb_flame_figure_clear_slots (self);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->texts, g_free);
}

static void
tb_flame_figure_finalize (GObject *object)
{
  TbFlameFigure *self = TB_FLAME_FIGURE (object);

  g_free (self->unit);
  tb_flame_figure_clear_slots (self);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_free (self->texts);
  g_clear_pointer (&self->items, g_array_unref);
  g_array_unref (self->nodes);
  g_array_unref (self->lanes);
  g_array_unref (self->categories);
  g_array_unref (self->shares);
  g_free (self->share_starts);
  g_free (self->row_starts);
  g_free (self->row_nodes);
  g_free (self->row_reach);
  g_free (self->thread_boxes);
  g_clear_object (&self->string_owner);
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

static void
tb_flame_figure_init (TbFlameFigure *self)
{
  self->unit = g_strdup ("");
  self->strings = g_string_chunk_new (4096);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_new0 (TbFlameText, N_TEXTS);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (TbFlameNode));
  self->lanes = g_array_new (FALSE, FALSE, sizeof (TbFlameLane));
  self->categories = g_array_new (FALSE, FALSE, sizeof (TbFlameCategory));
  self->shares = g_array_new (FALSE, FALSE, sizeof (TbFlameShare));
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->first_root = TB_ID_NONE;
}

/**
 * tb_flame_figure_new:
 * @id: id that references use
 * @title: user-visible title
 * @unit: unit of the weights: "ns", "samples"…
 *
 * Creates a flame figure: a tree of weights, such as calling contexts, of which each node is a box.
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
  tb_valid_text_set (&self->unit, unit ? unit : "");
}

/* The place of a text. A caller adds the same functions again and again, from the same memory. */
static TbFlameText *
get_recent (TbFlameFigure *self, const char *text)
{
  return &self->texts[((guint64) (gsize) text * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 40)
                      % N_TEXTS];
}

const char *
tb_flame_figure_intern (TbFlameFigure *self, const char *text)
{
  TbFlameText *recent;
  char *kept;

  if (!text)
    text = "";
  recent = get_recent (self, text);
  /* Another text may be at this address now. */
  if (recent->text == text && g_str_equal (recent->kept, text))
    return recent->kept;
  kept = g_hash_table_lookup (self->names, text);
  if (!kept)
    {
      g_autofree char *copy = NULL;

      kept = g_string_chunk_insert (self->strings, tb_valid_text (text, &copy));
      g_hash_table_add (self->names, kept);
    }
  *recent = (TbFlameText) { text, kept };
  return kept;
}

/**
 * tb_flame_figure_set_chronological:
 * @self: a figure without nodes
 * @from: left end of the figure, ns of the session's clock
 * @to: right end of the figure, later than @from
 *
 * Makes the figure chronological: boxes stand at their times. The unit becomes "ns", and boxes are
 * added by [method@FlameFigure.add_box]. A child can begin before its parent or end after it.
 */
void
tb_flame_figure_set_chronological (TbFlameFigure *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_FLAME_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (self->nodes->len == 0);
  g_return_if_fail (from >= 0 && from < to);

  self->chronological = TRUE;
  self->from = from;
  self->to = to;
}

TbFlameNode
tb_flame_node_init (guint parent,
                    guint lane,
                    const char *name,
                    const char *module,
                    TbFlamePaint paint)
{
  return (TbFlameNode) {
    .name = name,
    .module = module,
    .note = "",
    .paint = paint,
    .parent = parent,
    .first_child = TB_ID_NONE,
    .next_sibling = TB_ID_NONE,
    .lane = lane,
    .thread = TB_ID_NONE,
    .from = TB_TIME_NONE,
    .to = TB_TIME_NONE,
  };
}

static TbFlameNode
make_node (TbFlameFigure *self,
           guint parent,
           const char *name,
           const char *module,
           TbFlamePaint paint)
{
  TbFlameNode node;
  guint lane;

  if (parent == TB_ID_NONE && self->lanes->len == 0)
    tb_flame_figure_begin_lane (self, NULL, NULL);
  lane = parent == TB_ID_NONE ? self->lane : g_array_index (self->nodes, TbFlameNode, parent).lane;
  node = tb_flame_node_init (parent, lane, tb_flame_figure_intern (self, name),
                             tb_flame_figure_intern (self, module), paint);
  node.detail = node.note = tb_flame_figure_intern (self, NULL);
  return node;
}

/**
 * tb_flame_figure_add_node:
 * @self: a figure that is being built and is not chronological
 * @parent: index of the parent node, %TB_ID_NONE: a root
 * @name: name of the function or of another thing
 * @module: (nullable): module of the function
 * @paint: kind of box
 * @own: own weight, without that of the children
 * @count: number of occurrences
 *
 * Adds a node, or adds its weight and count to the sibling with the same name, module and paint. A
 * parent has a smaller index than its children.
 *
 * Returns: the node's index, which is its item in references
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
  TbFlameNode *node, like;
  guint index;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), TB_ID_NONE);
  g_return_val_if_fail (!self->chronological, TB_ID_NONE);
  tb_figure_return_val_if_fault_at (self, parent == TB_ID_NONE || parent < self->nodes->len,
                                    TB_ID_NONE, _ ("the parent of a box does not exist"),
                                    _ ("box %u, parent %u"), self->nodes->len, parent);
  tb_figure_return_val_if_fault_at (self, (guint) paint < TB_N_FLAME_PAINTS, TB_ID_NONE,
                                    _ ("a box has an unknown kind"), _ ("box %u"),
                                    self->nodes->len);

  like = make_node (self, parent, name, module, paint);
  index = tb_flame_figure_append_unique (self, &like);
  node = &g_array_index (self->nodes, TbFlameNode, index);
  node->own = tb_flame_add_saturated (node->own, own);
  node->count = tb_flame_add_saturated (node->count, count);
  return index;
}

/**
 * tb_flame_figure_add_box:
 * @self: a chronological figure that is being built
 * @parent: index of the parent node, %TB_ID_NONE: a root
 * @name: name of the function or of another thing
 * @module: (nullable): module of the function
 * @paint: kind of box
 * @from: start, ns of the session's clock
 * @to: end, not before @from
 * @own: the time of the box that no child covers
 *
 * Adds a node at its time. Boxes can be added in any order.
 *
 * Returns: the node's index, which is its item in references
 */
guint
tb_flame_figure_add_box (TbFlameFigure *self,
                         guint parent,
                         const char *name,
                         const char *module,
                         TbFlamePaint paint,
                         gint64 from,
                         gint64 to,
                         guint64 own)
{
  TbFlameNode node;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), TB_ID_NONE);
  g_return_val_if_fail (self->chronological, TB_ID_NONE);
  tb_figure_return_val_if_fault_at (self, parent == TB_ID_NONE || parent < self->nodes->len,
                                    TB_ID_NONE, _ ("the parent of a box does not exist"),
                                    _ ("box %u, parent %u"), self->nodes->len, parent);
  tb_figure_return_val_if_fault_at (self, (guint) paint < TB_N_FLAME_PAINTS, TB_ID_NONE,
                                    _ ("a box has an unknown kind"), _ ("box %u"),
                                    self->nodes->len);
  tb_figure_return_val_if_fault_at (self, 0 <= from && from <= to, TB_ID_NONE,
                                    _ ("a box ends before it begins"), _ ("box %u"),
                                    self->nodes->len);

  node = make_node (self, parent, name, module, paint);
  node.from = from;
  node.to = to;
  node.own = own;
  node.count = 1;
  return tb_flame_figure_append (self, &node);
}

static TbFlameNode *
get_mutable_node (TbFlameFigure *self, guint node)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), NULL);
  g_return_val_if_fail (node < self->nodes->len, NULL);

  return &g_array_index (self->nodes, TbFlameNode, node);
}

/**
 * tb_flame_figure_set_detail:
 * @self: a figure that is being built
 * @node: index of a node
 * @detail: (nullable): one line, such as a command line or a full path
 *
 * Sets text about a node for which its box has no room.
 */
void
tb_flame_figure_set_detail (TbFlameFigure *self, guint node, const char *detail)
{
  TbFlameNode *info = get_mutable_node (self, node);

  if (info)
    info->detail = tb_flame_figure_intern (self, detail);
}

/**
 * tb_flame_figure_set_note:
 * @self: a figure that is being built
 * @node: index of a node
 * @note: (nullable): a number or a few words
 *
 * Sets text after a node's name, which a box shows if it has room. The detail of the node should
 * contain it too.
 */
void
tb_flame_figure_set_note (TbFlameFigure *self, guint node, const char *note)
{
  TbFlameNode *info = get_mutable_node (self, node);

  if (info)
    info->note = tb_flame_figure_intern (self, note);
}

/**
 * tb_flame_figure_set_thread:
 * @self: a figure that is being built
 * @node: index of a node
 * @thread: id of a thread in the session, or %TB_ID_NONE
 *
 * Sets the thread of a node. Selecting the node selects the thread.
 */
void
tb_flame_figure_set_thread (TbFlameFigure *self, guint node, guint32 thread)
{
  TbFlameNode *info = get_mutable_node (self, node);

  if (info)
    info->thread = thread;
}

/**
 * tb_flame_figure_add_overhang:
 * @self: a figure that is being built
 * @node: index of a node
 * @weight: in the figure's unit
 *
 * Adds weight of the children that does not lie within the node, because they last longer than the
 * node. The total of the node includes it, so that there is room for the children. The node itself
 * is drawn narrower by this weight.
 */
void
tb_flame_figure_add_overhang (TbFlameFigure *self, guint node, guint64 weight)
{
  TbFlameNode *info = get_mutable_node (self, node);

  if (info)
    info->overhang = tb_flame_add_saturated (info->overhang, weight);
}

void
tb_flame_figure_set_item (TbFlameFigure *self, guint node, guint64 item)
{
  if (!self->items)
    self->items = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_assert (node == self->items->len);
  g_array_append_val (self->items, item);
}

/**
 * tb_flame_figure_get_unit:
 * @self: a figure
 *
 * Gets the unit of the weights.
 *
 * Returns: the unit of the weights
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
 * Gets the number of nodes.
 *
 * Returns: the number of nodes
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
 * Gets the depth of the deepest lane, in nodes.
 *
 * Returns: the depth of the deepest lane, in nodes
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
 * Gets the weight of the whole figure.
 *
 * Returns: the weight of all nodes
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
 * Gets the largest root, from which all nodes are reached by their first child and next sibling.
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
 * Gets a node.
 *
 * Returns: (transfer none): the node, owned by @self
 */
const TbFlameNode *
tb_flame_figure_get_node (TbFlameFigure *self, guint node)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (node < self->nodes->len, NULL);

  return &g_array_index (self->nodes, TbFlameNode, node);
}

/**
 * tb_flame_figure_get_nodes:
 * @self: a frozen figure
 * @n_nodes: (out): number of nodes
 *
 * Gets all nodes at once.
 *
 * Returns: (transfer none) (array length=n_nodes): the nodes, by index, owned by @self
 */
const TbFlameNode *
tb_flame_figure_get_nodes (TbFlameFigure *self, guint *n_nodes)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (n_nodes != NULL, NULL);

  *n_nodes = self->nodes->len;
  return (const TbFlameNode *) (gconstpointer) self->nodes->data;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *) a;
  guint64 two = *(const guint64 *) b;

  return one < two ? -1 : one > two;
}

/**
 * tb_flame_figure_find_item:
 * @self: a figure
 * @item: (nullable): item of a reference
 *
 * Finds the node of an item.
 *
 * Returns: index of the node, %TB_ID_NONE if there is none or if it was merged into another node
 *   for saving
 */
guint
tb_flame_figure_find_item (TbFlameFigure *self, const char *item)
{
  guint64 wanted;
  guint place;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), TB_ID_NONE);

  if (!item || !g_ascii_string_to_unsigned (item, 10, 0, G_MAXUINT32 - 1, &wanted, NULL))
    return TB_ID_NONE;
  if (!self->items)
    return wanted < self->nodes->len ? (guint) wanted : TB_ID_NONE;
  return g_array_binary_search (self->items, &wanted, compare_items, &place) ? place : TB_ID_NONE;
}

/**
 * tb_flame_figure_get_item:
 * @self: a figure
 * @node: index of a node
 *
 * Gets the item of a node, by which findings and other figures refer to it.
 *
 * Returns: (transfer full) (nullable): the item of the node in references, %NULL for one into which
 *   others were merged
 */
char *
tb_flame_figure_get_item (TbFlameFigure *self, guint node)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), NULL);
  g_return_val_if_fail (node < self->nodes->len, NULL);

  if (!self->items)
    return g_strdup_printf ("%u", node);
  if (node >= self->items->len)
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT, g_array_index (self->items, guint64, node));
}

/**
 * tb_flame_figure_get_chronological:
 * @self: a figure
 * @from: (out) (optional): left end of the figure, ns of the session's clock
 * @to: (out) (optional): right end of the figure, ns
 *
 * Gets whether boxes stand at their times, and the time that is shown.
 *
 * Returns: whether boxes stand at their times
 */
gboolean
tb_flame_figure_get_chronological (TbFlameFigure *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), FALSE);

  if (from)
    *from = self->chronological ? self->from : TB_TIME_NONE;
  if (to)
    *to = self->chronological ? self->to : TB_TIME_NONE;
  return self->chronological;
}

/**
 * tb_flame_figure_add_base:
 * @self: a figure that is being built
 * @node: index of a node
 * @own: in the figure's unit
 *
 * Adds to the base of a node, which is its own weight in an earlier recording. A node can have a
 * base and no weight. If any node has a base, the whole figure is a comparison, and a node without
 * a base is new.
 */
void
tb_flame_figure_add_base (TbFlameFigure *self, guint node, guint64 own)
{
  TbFlameNode *info = get_mutable_node (self, node);

  if (info == NULL)
    return;
  info->base_own = tb_flame_add_saturated (info->base_own, own);
  self->has_base = TRUE;
}

/**
 * tb_flame_figure_get_base:
 * @self: a frozen figure
 * @total: (out) (optional): weight of all nodes in the base
 *
 * Gets whether the figure compares two recordings, and the total weight in the base.
 *
 * Returns: whether the figure is a comparison with a base
 */
gboolean
tb_flame_figure_get_base (TbFlameFigure *self, guint64 *total)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), FALSE);

  if (total != NULL)
    *total = self->base_total;
  return self->has_base;
}

/**
 * tb_flame_figure_get_difference:
 * @self: a frozen figure with a base
 * @node: index of a node
 *
 * Compares a node's share of the total with its share in the base. Shares are used because the
 * recordings differ in length.
 *
 * Returns: −1 (gone) to 1 (new), 0: unchanged
 */
double
tb_flame_figure_get_difference (TbFlameFigure *self, guint node)
{
  const TbFlameNode *info;
  double now, before;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), 0);
  g_return_val_if_fail (node < self->nodes->len, 0);

  info = &g_array_index (self->nodes, TbFlameNode, node);
  now = self->total > 0 ? (double) info->total / (double) self->total : 0;
  before = self->base_total > 0 ? (double) info->base_total / (double) self->base_total : 0;
  if (MAX (now, before) <= 0)
    return 0;
  return (self->swapped ? before - now : now - before) / MAX (now, before);
}

/**
 * tb_flame_figure_is_sorted_by_name:
 * @self: a figure
 *
 * Gets whether siblings are sorted by name.
 *
 * Returns: whether siblings are sorted by name
 */
gboolean
tb_flame_figure_is_sorted_by_name (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), FALSE);

  return self->by_name;
}

/**
 * tb_flame_figure_is_swapped:
 * @self: a figure
 *
 * Gets whether the sides of a comparison are swapped.
 *
 * Returns: whether the two sides of a comparison are swapped: the weights are those of the base
 *   recording, and the base is the other recording
 */
gboolean
tb_flame_figure_is_swapped (TbFlameFigure *self)
{
  g_return_val_if_fail (TB_IS_FLAME_FIGURE (self), FALSE);

  return self->swapped;
}
