/* tb-wait-refinement.c: refinement of strongly connected vertices: removal of the lightest edges
 * until single vertices, simple cycles or heavy parts are left, with its steps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-refinement.h"

#include <string.h>

#define NONE G_MAXUINT32

/* A set that is yet to be refined. */
typedef struct
{
  guint32 set;
  guint32 step; /* the step that led to it */
} Pending;

typedef struct
{
  TbWaitHierarchy hierarchy;
  const TbWaitLink *links;
  guint32 n_links;
  gint64 threshold;
  /* by set: edges within it when it became connected, including the edge that connected it */
  guint32 *n_within;
  guint32 *leaf_of;       /* by vertex: its leaf; NONE: none */
  guint8 *has_exit;       /* by set: an edge leads from it to another part of its parent */
  guint32 *between_first; /* by set: list of the edges between its parts */
  guint32 *between_next;
  TbWaitRefined *refined;
} Refiner;

static void
leaf_clear (gpointer data)
{
  TbWaitLeaf *leaf = data;

  g_array_unref (leaf->vertices);
  g_array_unref (leaf->links);
}

static void
step_clear (gpointer data)
{
  g_array_unref (((TbWaitStep *) data)->removed);
}

void
tb_wait_refined_free (TbWaitRefined *self)
{
  g_array_unref (self->leaves);
  g_array_unref (self->steps);
  g_free (self);
}

/* Parts come before their parents. */
static void
count_within (Refiner *self)
{
  for (guint32 i = 0; i < self->hierarchy.sets->len; i++)
    {
      const TbWaitSet *set = tb_wait_hierarchy_get (&self->hierarchy, i);
      guint32 n = set->time == TB_WAIT_NO_TIME ? 0 : set->n_between + 1;

      for (guint32 part = set->first_part; part != NONE;
           part = tb_wait_hierarchy_get (&self->hierarchy, part)->next_part)
        n += self->n_within[part] + tb_wait_hierarchy_get (&self->hierarchy, part)->n_later;
      self->n_within[i] = n;
    }
}

static void
list_between (Refiner *self)
{
  memset (self->between_first, 0xff, sizeof (guint32) * self->hierarchy.sets->len);
  for (guint32 i = 0; i < self->n_links; i++)
    {
      guint32 part = self->hierarchy.between_from[i];
      guint32 set;

      if (part == NONE)
        continue;
      set = tb_wait_hierarchy_get (&self->hierarchy, part)->parent;
      self->between_next[i] = self->between_first[set];
      self->between_first[set] = i;
    }
}

static void
list_vertices (Refiner *self, guint32 set, GArray *vertices)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (stack, set);
  while (stack->len > 0)
    {
      guint32 at = g_array_index (stack, guint32, stack->len - 1);
      guint32 part = tb_wait_hierarchy_get (&self->hierarchy, at)->first_part;

      g_array_set_size (stack, stack->len - 1);
      if (tb_wait_hierarchy_get (&self->hierarchy, at)->time == TB_WAIT_NO_TIME)
        g_array_append_val (vertices, at);
      for (; part != NONE; part = tb_wait_hierarchy_get (&self->hierarchy, part)->next_part)
        g_array_append_val (stack, part);
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

static void
add_leaf (Refiner *self, guint32 set, guint32 step, TbWaitLeafKind kind)
{
  TbWaitLeaf leaf = { .kind = kind, .parent = step };
  guint32 index = self->refined->leaves->len;

  leaf.vertices = g_array_new (FALSE, FALSE, sizeof (guint32));
  leaf.links = g_array_new (FALSE, FALSE, sizeof (guint32));
  list_vertices (self, set, leaf.vertices);
  g_array_sort (leaf.vertices, compare_numbers);
  for (guint i = 0; i < leaf.vertices->len; i++)
    self->leaf_of[g_array_index (leaf.vertices, guint32, i)] = index;
  g_array_append_val (self->refined->leaves, leaf);
}

/* Removes the later edges of a set, the latest (lightest) first, up to the threshold. Returns
 * whether all of them were removed. */
static gboolean
take_later (Refiner *self, guint32 set, GArray *removed)
{
  const TbWaitSet *of = tb_wait_hierarchy_get (&self->hierarchy, set);

  for (guint32 edge = of->first_later; edge != NONE; edge = self->hierarchy.next_later[edge])
    {
      if (self->links[edge].weight > self->threshold)
        return FALSE;
      g_array_append_val (removed, edge);
    }
  return TRUE;
}

static guint32
add_step (Refiner *self, guint32 parent, GArray *removed)
{
  TbWaitStep step = { .parent = parent, .removed = removed };

  g_array_append_val (self->refined->steps, step);
  return self->refined->steps->len - 1;
}

/* Continues with the parts of a set that fell apart, as far as they have no edge to another
 * part. */
static void
push_parts (Refiner *self, const TbWaitSet *of, guint32 set, guint32 step, GArray *pending)
{
  guint32 part;

  for (guint32 edge = self->between_first[set]; edge != NONE; edge = self->between_next[edge])
    if (edge != of->time)
      self->has_exit[self->hierarchy.between_from[edge]] = TRUE;
  for (part = of->first_part; part != NONE;
       part = tb_wait_hierarchy_get (&self->hierarchy, part)->next_part)
    if (!self->has_exit[part])
      {
        Pending next = { part, step };

        g_array_append_val (pending, next);
      }
}

static void
refine_set (Refiner *self, const Pending *at, GArray *pending)
{
  const TbWaitSet *of = tb_wait_hierarchy_get (&self->hierarchy, at->set);
  GArray *removed;
  guint32 step = at->step;
  gboolean all;

  if (of->time == TB_WAIT_NO_TIME)
    {
      add_leaf (self, at->set, step, TB_WAIT_LEAF_VERTEX);
      return;
    }
  removed = g_array_new (FALSE, FALSE, sizeof (guint32));
  all = take_later (self, at->set, removed);
  if (all && self->n_within[at->set] > of->n_vertices
      && self->links[of->time].weight <= self->threshold)
    {
      guint32 last = of->time;

      g_array_append_val (removed, last);
      push_parts (self, of, at->set, add_step (self, step, removed), pending);
      return;
    }
  if (removed->len > 0)
    step = add_step (self, step, g_array_ref (removed));
  g_array_unref (removed);
  add_leaf (self, at->set, step,
            all && self->n_within[at->set] == of->n_vertices ? TB_WAIT_LEAF_CYCLE
                                                             : TB_WAIT_LEAF_HEAVY);
}

/* Lists the links that are left within each leaf. */
static void
list_links (Refiner *self)
{
  g_autofree guint8 *taken = g_new0 (guint8, self->n_links + 1);

  for (guint i = 0; i < self->refined->steps->len; i++)
    {
      const GArray *removed = g_array_index (self->refined->steps, TbWaitStep, i).removed;

      for (guint j = 0; j < removed->len; j++)
        taken[g_array_index (removed, guint32, j)] = TRUE;
    }
  for (guint32 i = 0; i < self->n_links; i++)
    {
      guint32 leaf = self->leaf_of[self->links[i].from];

      if (!taken[i] && leaf != NONE && leaf == self->leaf_of[self->links[i].to])
        g_array_append_val (g_array_index (self->refined->leaves, TbWaitLeaf, leaf).links, i);
    }
}

static void
refine (Refiner *self, guint32 n_vertices)
{
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  Pending whole = { self->hierarchy.sets->len - 1, NONE };

  g_assert (tb_wait_hierarchy_get (&self->hierarchy, whole.set)->n_vertices == n_vertices);
  memset (self->leaf_of, 0xff, sizeof (guint32) * n_vertices);
  count_within (self);
  list_between (self);
  g_array_append_val (pending, whole);
  while (pending->len > 0)
    {
      Pending at = g_array_index (pending, Pending, pending->len - 1);

      g_array_set_size (pending, pending->len - 1);
      refine_set (self, &at, pending);
    }
  list_links (self);
}

TbWaitRefined *
tb_wait_refine (guint32 n_vertices, const TbWaitLink *links, guint32 n_links, gint64 threshold)
{
  Refiner self = { .links = links, .n_links = n_links, .threshold = threshold };
  TbWaitRefined *refined = g_new0 (TbWaitRefined, 1);

  refined->leaves = g_array_new (FALSE, FALSE, sizeof (TbWaitLeaf));
  refined->steps = g_array_new (FALSE, FALSE, sizeof (TbWaitStep));
  g_array_set_clear_func (refined->leaves, leaf_clear);
  g_array_set_clear_func (refined->steps, step_clear);
  self.refined = refined;
  tb_wait_hierarchy_init (&self.hierarchy, n_vertices, links, n_links);
  self.n_within = g_new0 (guint32, self.hierarchy.sets->len);
  self.leaf_of = g_new (guint32, n_vertices);
  self.has_exit = g_new0 (guint8, self.hierarchy.sets->len);
  self.between_first = g_new (guint32, self.hierarchy.sets->len);
  self.between_next = g_new (guint32, n_links + 1);
  refine (&self, n_vertices);
  tb_wait_hierarchy_clear (&self.hierarchy);
  g_free (self.n_within);
  g_free (self.leaf_of);
  g_free (self.has_exit);
  g_free (self.between_first);
  g_free (self.between_next);
  return refined;
}
