/* tb-peaks-tree.c: trees of functions and waits below the calls of each peak; by node, the number
 * of calls in which it was among its caller's largest contributors; the rule that finds root
 * causes from these
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "session/schema/tb-schema.h"
#include "tb-peaks-tree.h"

#define FIRST_SLOTS 256

TbPeaksTree *
tb_peaks_tree_new (void)
{
  TbPeaksTree *self = g_new0 (TbPeaksTree, 1);

  self->nodes = g_array_new (FALSE, FALSE, sizeof (TbPeaksNode));
  self->touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->n_slots = FIRST_SLOTS;
  self->slots = g_new (guint32, self->n_slots);
  memset (self->slots, 0xff, self->n_slots * sizeof *self->slots);
  return self;
}

void
tb_peaks_tree_free (TbPeaksTree *self)
{
  g_array_unref (self->nodes);
  g_array_unref (self->touched);
  g_free (self->slots);
  g_free (self);
}

static gsize
find_slot (const TbPeaksTree *self, guint32 parent, TbPeaksNodeKind kind, guint64 key, guint64 site)
{
  guint64 hash = (key ^ ((guint64) parent << 29) ^ ((guint64) kind << 59))
                 * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  gsize slot;

  hash ^= site * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
  hash = (hash ^ (hash >> 32)) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  slot = (hash ^ (hash >> 32)) & (self->n_slots - 1);
  for (;; slot = (slot + 1) & (self->n_slots - 1))
    {
      const TbPeaksNode *node;

      if (self->slots[slot] == TB_ID_NONE)
        return slot;
      node = tb_peaks_tree_node (self, self->slots[slot]);
      if (node->parent == parent && node->kind == kind && node->key == key && node->site == site)
        return slot;
    }
}

static void
grow (TbPeaksTree *self)
{
  self->n_slots *= 2;
  self->slots = g_renew (guint32, self->slots, self->n_slots);
  memset (self->slots, 0xff, self->n_slots * sizeof *self->slots);
  for (guint32 i = 0; i < self->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (self, i);

      self->slots[find_slot (self, node->parent, node->kind, node->key, node->site)] = i;
    }
}

guint32
tb_peaks_tree_get_called (TbPeaksTree *self,
                          guint32 parent,
                          TbPeaksNodeKind kind,
                          guint64 key,
                          guint64 site)
{
  gsize slot = find_slot (self, parent, kind, key, site);
  TbPeaksNode node = {
    .parent = parent, .kind = kind, .key = key, .site = site, .target = TB_ID_NONE, .expected = -1
  };

  if (self->slots[slot] != TB_ID_NONE)
    return self->slots[slot];
  if (self->nodes->len >= self->n_slots / 2)
    {
      grow (self);
      slot = find_slot (self, parent, kind, key, site);
    }
  node.depth = parent != TB_ID_NONE ? tb_peaks_tree_node (self, parent)->depth + 1 : 0;
  self->slots[slot] = self->nodes->len;
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

guint32
tb_peaks_tree_get (TbPeaksTree *self, guint32 parent, TbPeaksNodeKind kind, guint64 key)
{
  return tb_peaks_tree_get_called (self, parent, kind, key, 0);
}

guint32
tb_peaks_tree_find_like (const TbPeaksTree *self, guint32 parent, const TbPeaksNode *node)
{
  return self->slots[find_slot (self, parent, node->kind, node->key, node->site)];
}

void
tb_peaks_tree_touch (TbPeaksTree *self, guint32 node)
{
  TbPeaksNode *of = tb_peaks_tree_node (self, node);

  if (of->is_touched)
    return;
  of->is_touched = TRUE;
  of->is_unsampled = of->is_undecided = FALSE;
  of->latency = of->open_ns = of->part_ns = of->served_ns = of->children_ns = of->largest = 0;
  of->calls++;
  g_array_append_val (self->touched, node);
}

static gint64
get_self (const TbPeaksNode *node)
{
  return MAX (node->latency - node->children_ns, 0);
}

/* Functions, waits and the servers that end them have contributors. A node whose only contributor
 * is itself has no counter to raise. */
static gboolean
is_caller (const TbPeaksNode *node)
{
  return node->kind <= TB_PEAKS_NODE_SERVED;
}

void
tb_peaks_tree_decide (TbPeaksTree *self, const TbPeaksBins *bins)
{
  const guint32 *touched = (const guint32 *) self->touched->data;

  for (guint i = 0; i < self->touched->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (self, touched[i]);
      TbPeaksNode *parent
          = node->parent != TB_ID_NONE ? tb_peaks_tree_node (self, node->parent) : NULL;

      if (parent == NULL)
        continue;
      parent->largest = MAX (parent->largest, node->latency);
      if (!tb_peaks_node_is_disturbance (node))
        parent->children_ns += node->latency;
    }
  for (guint i = 0; i < self->touched->len; i++)
    {
      TbPeaksNode *node = tb_peaks_tree_node (self, touched[i]);

      node->largest = MAX (node->largest, get_self (node));
      node->self_ns += get_self (node);
      node->is_undecided = node->is_unsampled
                           && tb_peaks_bins_find (bins, get_self (node))
                                  == tb_peaks_bins_find (bins, node->largest);
      node->unsampled_maxcount += node->is_undecided;
    }
  for (guint i = 0; i < self->touched->len; i++)
    {
      TbPeaksNode *node = tb_peaks_tree_node (self, touched[i]);
      const TbPeaksNode *parent
          = node->parent != TB_ID_NONE ? tb_peaks_tree_node (self, node->parent) : NULL;

      if (is_caller (node) && !node->is_undecided
          && tb_peaks_bins_find (bins, get_self (node)) == tb_peaks_bins_find (bins, node->largest))
        node->self_maxcount++;
      if (parent != NULL && !parent->is_undecided
          && tb_peaks_bins_find (bins, node->latency) == tb_peaks_bins_find (bins, parent->largest))
        node->maxcount++;
    }
  for (guint i = 0; i < self->touched->len; i++)
    tb_peaks_tree_node (self, touched[i])->is_touched = FALSE;
  g_array_set_size (self->touched, 0);
}

/* If no call decided what is largest in a function, it is what the function ran, unsampled. */
static void
use_unsampled (TbPeaksTree *self, guint64 *highest)
{
  for (guint32 i = 0; i < self->nodes->len; i++)
    {
      TbPeaksNode *node = tb_peaks_tree_node (self, i);

      if (highest[i] > 0 || node->unsampled_maxcount == 0)
        continue;
      node->self_maxcount = highest[i] = node->unsampled_maxcount;
      node->is_unsampled_cause = TRUE;
    }
}

void
tb_peaks_tree_finish (TbPeaksTree *self, double percentage)
{
  g_autofree guint64 *highest = g_new0 (guint64, self->nodes->len + 1);

  for (guint32 i = self->nodes->len; i > 0; i--)
    {
      TbPeaksNode *node = tb_peaks_tree_node (self, i - 1);

      node->total_ns += node->own_ns;
      highest[i - 1] = MAX (highest[i - 1], node->self_maxcount);
      if (node->parent == TB_ID_NONE)
        continue;
      tb_peaks_tree_node (self, node->parent)->total_ns += node->total_ns;
      highest[node->parent] = MAX (highest[node->parent], node->maxcount);
    }
  use_unsampled (self, highest);
  for (guint32 i = 0; i < self->nodes->len; i++)
    {
      TbPeaksNode *node = tb_peaks_tree_node (self, i);
      const TbPeaksNode *parent
          = node->parent != TB_ID_NONE ? tb_peaks_tree_node (self, node->parent) : NULL;

      node->is_root_cause
          = parent == NULL
            || (parent->is_root_cause && node->maxcount > 0
                && (double) node->maxcount >= percentage * (double) highest[node->parent]);
      node->is_self_cause = node->is_root_cause && node->self_maxcount > 0
                            && (double) node->self_maxcount >= percentage * (double) highest[i];
    }
}
