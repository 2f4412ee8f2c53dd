/* tb-latency-tree.c: tree of examined calls of a drill-down, the rule that decides which parts of a
 * call are root causes, and the status of the search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-latency-tree.h"

TbLatencyTree *
tb_latency_tree_new (void)
{
  return g_new0 (TbLatencyTree, 1);
}

void
tb_latency_tree_free (TbLatencyTree *self)
{
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      g_free (self->nodes[i].name);
      g_free (self->nodes[i].place);
      g_clear_pointer (&self->nodes[i].places, g_array_unref);
    }
  g_free (self);
}

guint32
tb_latency_tree_reserve (TbLatencyTree *self, guint n)
{
  guint32 first = self->n_nodes;

  if (n > G_N_ELEMENTS (self->nodes) - first)
    return G_MAXUINT32;
  self->n_nodes += n;
  return first;
}

TbLatencyNode *
tb_latency_tree_add (TbLatencyTree *self,
                     guint32 id,
                     guint32 parent,
                     TbLatencyKind kind,
                     const char *name)
{
  TbLatencyNode *node = &self->nodes[id];

  g_assert (id < self->n_nodes && !node->is_used);
  node->is_used = TRUE;
  node->parent = parent;
  node->kind = kind;
  node->name = g_strdup (name);
  node->site = G_MAXUINT;
  node->depth = parent != G_MAXUINT32 ? self->nodes[parent].depth + 1 : 0;
  return node;
}

void
tb_latency_tree_decide (TbLatencyTree *self, guint32 id, double percentage)
{
  TbLatencyNode *node = &self->nodes[id];
  guint64 highest = node->counter.self_maxcount;

  for (guint32 i = 0; i < self->n_nodes; i++)
    if (self->nodes[i].is_used && self->nodes[i].parent == id)
      highest = MAX (highest, self->nodes[i].counter.maxcount);
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      TbLatencyNode *child = &self->nodes[i];

      if (!child->is_used || child->parent != id)
        continue;
      child->callee_counter = child->counter;
      child->is_root_cause = child->counter.maxcount > 0
                             && (double) child->counter.maxcount >= percentage * (double) highest;
    }
  node->is_self_cause = node->counter.self_maxcount > 0
                        && (double) node->counter.self_maxcount >= percentage * (double) highest;
  node->phase = TB_LATENCY_DECIDED;
}

const char *
tb_latency_tree_get_status (const TbLatencyTree *self)
{
  gboolean is_cut = FALSE;

  if (self->n_nodes == 0 || !self->nodes[0].is_used || self->nodes[0].phase != TB_LATENCY_DECIDED)
    return "in-progress";
  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      const TbLatencyNode *node = &self->nodes[i];

      if (!node->is_used)
        continue;
      if (node->phase == TB_LATENCY_ATTACHING || node->phase == TB_LATENCY_DECIDING
          || node->is_abandoned)
        return "in-progress";
      is_cut = is_cut || (node->is_root_cause && node->is_cut);
    }
  return is_cut ? "depth-reached" : "found";
}

guint32
tb_latency_tree_find_stop (const TbLatencyTree *self)
{
  guint32 found = G_MAXUINT32;

  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      const TbLatencyNode *node = &self->nodes[i];
      gboolean is_open = node->phase == TB_LATENCY_ATTACHING || node->phase == TB_LATENCY_DECIDING
                         || node->is_abandoned;

      if (node->is_used && is_open
          && (found == G_MAXUINT32 || node->depth > self->nodes[found].depth))
        found = i;
    }
  return found;
}

const char *
tb_latency_tree_get_limit (const TbLatencyTree *self)
{
  const char *limit = NULL;

  for (guint32 i = 0; i < self->n_nodes; i++)
    {
      const TbLatencyNode *node = &self->nodes[i];

      if (!node->is_used)
        continue;
      if (node->is_abandoned)
        return "calls";
      if (node->is_too_short)
        limit = "probes";
      else if (limit == NULL && node->is_root_cause && node->is_cut)
        limit = "depth";
    }
  return limit;
}
