/* tb-flame-nodes.c: addition of nodes to a flame figure, and their hash table, by which equal
 * siblings become one node
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure-private.h"

#define SLOTS_MIN 256

/* Each name is stored once, so that equal names have the same address. */
static guint
hash_node (const TbFlameNode *node)
{
  guint64 hash = (guint64) node->lane << 32 | node->parent;

  hash = (hash ^ (gsize) node->name) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29 ^ (gsize) node->module) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (hash >> 32) ^ (guint) node->paint;
}

static gboolean
nodes_equal (const TbFlameNode *one, const TbFlameNode *two)
{
  return one->parent == two->parent && one->lane == two->lane && one->name == two->name
         && one->module == two->module && one->paint == two->paint;
}

/* The slot of a node: its index + 1, or 0 if there is no such node. */
static guint *
find_slot (TbFlameFigure *self, const TbFlameNode *template_node)
{
  const TbFlameNode *nodes = (const TbFlameNode *) (gconstpointer) self->nodes->data;
  guint mask = self->n_slots - 1;
  guint at = hash_node (template_node) & mask;

  while (self->slots[at] != 0 && !nodes_equal (&nodes[self->slots[at] - 1], template_node))
    at = (at + 1) & mask;
  return &self->slots[at];
}

/* Half of the slots stay free. */
static void
grow_slots (TbFlameFigure *self)
{
  if ((gsize) self->nodes->len * 2 < self->n_slots)
    return;
  g_free (self->slots);
  self->n_slots = MAX (SLOTS_MIN, self->n_slots * 2);
  self->slots = g_new0 (guint, self->n_slots);
  for (guint i = 0; i < self->nodes->len; i++)
    *find_slot (self, &g_array_index (self->nodes, TbFlameNode, i)) = i + 1;
}

guint
tb_flame_figure_append (TbFlameFigure *self, const TbFlameNode *template_node)
{
  g_array_append_vals (self->nodes, template_node, 1);
  return self->nodes->len - 1;
}

guint
tb_flame_figure_append_unique (TbFlameFigure *self, const TbFlameNode *template_node)
{
  guint *slot;

  grow_slots (self);
  slot = find_slot (self, template_node);
  if (*slot == 0)
    *slot = tb_flame_figure_append (self, template_node) + 1;
  return *slot - 1;
}

void
tb_flame_figure_clear_slots (TbFlameFigure *self)
{
  g_clear_pointer (&self->slots, g_free);
  self->n_slots = 0;
}
