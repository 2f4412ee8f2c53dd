/* tb-flame-invert.c: inversion of a flame: tree from its functions, or from one of them, to their
 * callers, of which the lightest are merged if there are too many
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The new figure is a trie of the call paths from all nodes with a weight of their own, or from the
 * outermost calls of one function, to their roots. It is built breadth-first, a group at a time:
 * items with the same path so far. Each item is a weight and the ancestor that its path has
 * reached. A counting sort orders the items of a group by function. Those of one function become a
 * node of the new figure, move one step to their callers, and form the group below that node.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-shape-private.h"

/* If all paths together have more than STEPS_MAX steps, callers lighter than 1/LIGHT_FRACTION of
 * the total are merged. */
#define STEPS_MAX 6000000
#define LIGHT_FRACTION 50000

/* A weight, and the ancestor that its path to the root has reached. */
typedef struct
{
  guint node;
  guint function; /* of the node */
  guint64 weight;
  guint64 base;
  guint64 count;
} Item;

/* Items [first, end) whose nodes are the callers of a node of the new figure. */
typedef struct
{
  guint parent; /* TB_ID_NONE: none, because their paths begin there */
  guint first;
  guint end;
} Group;

/* The last group in which a function occurred, and its number in that group. */
typedef struct
{
  guint group;
  guint number;
} LastSeen;

typedef struct
{
  TbFlameFigure *source;
  TbFlameReshapeResult *result;
  const TbFlameShape *shape;
  guint *functions; /* by node: number of its function, from 0 */
  guint n_functions;
  GArray *items;
  GArray *groups; /* Group; those to be added are behind the current one */
  struct
  {
    LastSeen *last_seen; /* by function */
    guint *starts;       /* by function of a group: its first item */
    Item *items;         /* room for the items of a group, in their new order */
  } sort;
  struct
  {
    guint64 min_weight; /* items lighter than this are not followed */
    const char *name;   /* name of the node for them; NULL: not made yet */
  } light;
  struct
  {
    guint64 n_steps; /* steps of all paths */
    guint64 n_done;
    guint64 next_check;
  } progress;
  GCancellable *cancellable;
} Inversion;

static const TbFlameNode *
get_node (const Inversion *self, guint node)
{
  return &g_array_index (self->source->nodes, TbFlameNode, node);
}

/* Each name is stored once, so that addresses identify names. */
static guint
hash_function (const TbFlameNode *node)
{
  guint64 hash = (gsize) node->name * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash = (hash ^ hash >> 29 ^ (gsize) node->module) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (hash >> 32);
}

/* Updates the progress, and returns whether the work is cancelled. Both happen only now and
 * then. */
static gboolean
update_progress (Inversion *self, guint64 n_more)
{
  double done;

  self->progress.n_done += n_more;
  if (self->progress.n_done < self->progress.next_check)
    return FALSE;
  self->progress.next_check = self->progress.n_done + TB_FLAME_CANCEL_EVERY;
  done = 600 * (double) self->progress.n_done / (double) self->progress.n_steps;
  tb_flame_shape_set_progress (self->shape, 100 + done);
  return g_cancellable_is_cancelled (self->cancellable);
}

static gboolean
number_functions (Inversion *self)
{
  guint n = self->source->nodes->len, n_slots = 256;
  g_autofree guint *slots = NULL; /* index of a node of the function, + 1 */

  while (n_slots < n * 2)
    n_slots *= 2;
  slots = g_new0 (guint, n_slots);
  self->functions = g_new (guint, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    {
      const TbFlameNode *node = get_node (self, i), *other = NULL;
      guint at = hash_function (node) & (n_slots - 1);

      if (i % TB_FLAME_CANCEL_EVERY == 0 && g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      for (; slots[at] != 0; at = (at + 1) & (n_slots - 1))
        {
          other = get_node (self, slots[at] - 1);
          if (other->name == node->name && other->module == node->module)
            break;
        }
      self->functions[i] = slots[at] != 0 ? self->functions[slots[at] - 1] : self->n_functions++;
      if (slots[at] == 0)
        slots[at] = i + 1;
    }
  return TRUE;
}

/* Collects the own weights of all nodes, or the totals of the outermost calls of one function. */
static gboolean
collect_items (Inversion *self)
{
  const TbFlameShape *shape = self->shape;
  g_autofree guint8 *inside = g_new0 (guint8, (gsize) self->source->nodes->len + 1);

  for (guint i = 0; i < self->source->nodes->len; i++)
    {
      const TbFlameNode *node = get_node (self, i);
      Item item = { i, self->functions[i], node->own, node->base_own, node->count };

      if (i % TB_FLAME_CANCEL_EVERY == 0 && g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      if (shape->function != NULL)
        {
          gboolean is_inside = node->parent != TB_ID_NONE && inside[node->parent];

          inside[i] = is_inside || tb_flame_is_function (node, shape);
          if (is_inside || !inside[i])
            continue;
          item.weight = node->total;
          item.base = node->base_total;
        }
      else if (node->own == 0 && node->base_own == 0)
        continue;
      g_array_append_val (self->items, item);
      self->progress.n_steps += node->depth + 1;
    }
  if (self->progress.n_steps > STEPS_MAX)
    self->light.min_weight = self->source->total / LIGHT_FRACTION + 1;
  self->progress.n_steps = MAX (self->progress.n_steps, 1);
  return TRUE;
}

/* In a group each function occurs once, so that no search for an equal node is needed. */
static guint
add_node (Inversion *self, guint parent, guint origin, guint64 count)
{
  const TbFlameNode *old = get_node (self, origin);
  TbFlameNode node = tb_flame_node_init (parent, 0, old->name, old->module, old->paint);

  node.detail = old->detail;
  node.thread = old->thread;
  node.count = count;
  return tb_flame_reshape_result_append (self->result, &node, origin);
}

/* Adds the weight of callers that are too light to be followed. Each group has one node for
 * them. */
static void
add_light_callers (Inversion *self, guint parent, const TbFlameNode *weights, guint *light_callers)
{
  TbFlameNode *node;

  if (*light_callers == TB_ID_NONE)
    {
      TbFlameNode fresh;

      if (self->light.name == NULL)
        self->light.name
            = tb_flame_figure_intern (self->result->figure, _ ("(callers with little weight)"));
      fresh = tb_flame_node_init (parent, 0, self->light.name,
                                  tb_flame_figure_intern (self->result->figure, ""),
                                  TB_FLAME_UNKNOWN);
      fresh.detail = fresh.module;
      *light_callers = tb_flame_reshape_result_append (self->result, &fresh, TB_ID_NONE);
    }
  node = &g_array_index (self->result->figure->nodes, TbFlameNode, *light_callers);
  node->own = tb_flame_add_saturated (node->own, weights->own);
  node->base_own = tb_flame_add_saturated (node->base_own, weights->base_own);
}

/* The sum of the items of one function. Returns the node of the heaviest item. */
static guint
sum_items (const Item *items, guint first, guint end, TbFlameNode *weights)
{
  guint heaviest = first;

  *weights = (TbFlameNode) { .own = 0 };
  for (guint i = first; i < end; i++)
    {
      weights->own = tb_flame_add_saturated (weights->own, items[i].weight);
      weights->base_own = tb_flame_add_saturated (weights->base_own, items[i].base);
      weights->count = tb_flame_add_saturated (weights->count, items[i].count);
      if (items[i].weight > items[heaviest].weight)
        heaviest = i;
    }
  return items[heaviest].node;
}

/* Moves the items of a node of the new figure one step towards their roots, to their callers. The
 * weight of an item that has reached its root is the node's own. The others form a group. */
static void
move_to_callers (Inversion *self, guint node, guint first, guint end)
{
  Item *items = (Item *) (gpointer) self->items->data;
  TbFlameNode *callee = &g_array_index (self->result->figure->nodes, TbFlameNode, node);
  Group callers = { node, first, first };

  for (guint i = first; i < end; i++)
    {
      Item item = items[i];

      item.node = get_node (self, item.node)->parent;
      if (item.node == TB_ID_NONE)
        {
          callee->own = tb_flame_add_saturated (callee->own, item.weight);
          callee->base_own = tb_flame_add_saturated (callee->base_own, item.base);
          continue;
        }
      item.function = self->functions[item.node];
      items[callers.end++] = item;
    }
  if (callers.first < callers.end)
    g_array_append_val (self->groups, callers);
}

/* The first group has all items, so that the cancellable is checked within a group too. */
static gboolean
is_cancelled_at (Inversion *self, guint i)
{
  return i % TB_FLAME_CANCEL_EVERY == TB_FLAME_CANCEL_EVERY - 1
         && g_cancellable_is_cancelled (self->cancellable);
}

/* Counts the items of a group by function. Sets starts[i + 1] to the count of the function with the
 * number i. Returns the number of functions, 0 if cancelled. */
static guint
count_by_function (Inversion *self, guint number, const Group *group)
{
  const Item *items = (const Item *) (gconstpointer) self->items->data;
  guint n = 0;

  for (guint i = group->first; i < group->end; i++)
    {
      LastSeen *last_seen = &self->sort.last_seen[items[i].function];

      if (is_cancelled_at (self, i))
        return 0;
      if (last_seen->group != number)
        {
          *last_seen = (LastSeen) { number, n++ };
          self->sort.starts[n] = 0;
        }
      self->sort.starts[last_seen->number + 1]++;
    }
  return n;
}

/* Sorts the items of a group by function, in the order in which functions first occur: a counting
 * sort. number: of the group, from 1. Returns the number of functions, 0 if cancelled. */
static guint
sort_by_function (Inversion *self, guint number, const Group *group)
{
  Item *items = (Item *) (gpointer) self->items->data;
  guint *starts = self->sort.starts;
  guint n = count_by_function (self, number, group);

  starts[0] = group->first;
  if (n <= 1)
    {
      starts[n] = group->end;
      return n;
    }
  for (guint i = 0; i < n; i++)
    starts[i + 1] += starts[i];
  for (guint i = group->first; i < group->end; i++)
    {
      if (is_cancelled_at (self, i))
        return 0;
      self->sort.items[starts[self->sort.last_seen[items[i].function].number]++] = items[i];
    }
  memcpy (&items[group->first], &self->sort.items[group->first],
          (group->end - group->first) * sizeof (Item));
  /* Each start has advanced to the next one. */
  memmove (&starts[1], starts, n * sizeof *starts);
  starts[0] = group->first;
  return n;
}

/* The number of steps that are saved if these items are not followed. */
static guint64
count_remaining_steps (Inversion *self, guint first, guint end)
{
  guint64 n = 0;

  for (guint i = first; i < end; i++)
    n += get_node (self, g_array_index (self->items, Item, i).node)->depth + 1;
  return n;
}

/* Whether the items of one function are too light to be followed. Those of the first group never
 * are. */
static gboolean
is_light (const Inversion *self, const Group *group, const TbFlameNode *weights)
{
  return group->parent != TB_ID_NONE && weights->own < self->light.min_weight
         && weights->base_own < self->light.min_weight;
}

/* Adds a node for each function of a group. Returns FALSE if cancelled. */
static gboolean
add_functions (Inversion *self, guint number, Group group)
{
  guint n = sort_by_function (self, number, &group), light_callers = TB_ID_NONE;

  for (guint i = 0; i < n; i++)
    {
      guint first = self->sort.starts[i], end = self->sort.starts[i + 1], heaviest;
      guint64 n_steps = end - first;
      TbFlameNode weights;

      heaviest = sum_items ((const Item *) (gconstpointer) self->items->data, first, end, &weights);
      if (is_light (self, &group, &weights))
        {
          add_light_callers (self, group.parent, &weights, &light_callers);
          n_steps = count_remaining_steps (self, first, end);
        }
      else
        move_to_callers (self, add_node (self, group.parent, heaviest, weights.count), first, end);
      if (update_progress (self, n_steps))
        return FALSE;
    }
  return n > 0 || group.first == group.end || !g_cancellable_is_cancelled (self->cancellable);
}

/* The place of a node is the root of its function. */
static void
find_places (Inversion *self)
{
  g_autofree guint *roots = g_new (guint, (gsize) self->n_functions + 1);

  for (guint i = 0; i < self->n_functions; i++)
    roots[i] = TB_ID_NONE;
  for (guint i = 0; i < self->result->figure->nodes->len; i++)
    {
      guint origin = self->result->origin[i];

      if (g_array_index (self->result->figure->nodes, TbFlameNode, i).parent == TB_ID_NONE
          && origin != TB_ID_NONE)
        roots[self->functions[origin]] = i;
    }
  for (guint i = 0; i < self->source->nodes->len; i++)
    self->result->place[i] = roots[self->functions[i]];
}

static gboolean
invert (Inversion *self)
{
  Group all = { TB_ID_NONE, 0, 0 };

  if (!number_functions (self) || !collect_items (self))
    return FALSE;
  all.end = self->items->len;
  g_array_append_val (self->groups, all);
  self->sort.last_seen = g_new0 (LastSeen, (gsize) self->n_functions + 1);
  self->sort.starts = g_new (guint, (gsize) self->items->len + 2);
  self->sort.items = g_new (Item, (gsize) self->items->len + 1);
  for (guint i = 0; i < self->groups->len; i++)
    if (!add_functions (self, i + 1, g_array_index (self->groups, Group, i)))
      return FALSE;
  find_places (self);
  return TRUE;
}

/* Functions with the same name are one node, whatever their paint. The node has the paint of the
 * heaviest. */
TbFlameReshapeResult *
tb_flame_invert (TbFlameFigure *source,
                 const TbFlameShape *shape,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (TbFlameReshapeResult) result = tb_flame_reshape_result_new (source, shape->by_name);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));
  Inversion self = { .source = source,
                     .result = result,
                     .items = items,
                     .groups = groups,
                     .cancellable = cancellable,
                     .shape = shape };
  gboolean done;

  tb_flame_figure_begin_lane (result->figure, NULL, NULL);
  done = invert (&self);
  g_free (self.functions);
  g_free (self.sort.last_seen);
  g_free (self.sort.starts);
  g_free (self.sort.items);
  if (!done)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  return g_steal_pointer (&result);
}
