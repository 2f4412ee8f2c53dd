/* tb-flame-invert.c: a flame from functions to their callers
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/flame/tb-flame-shape-private.h"

/* Callers of up to so many nodes are shown one by one; of more, only where they weigh this part of all. */
#define MOST_STEPS 6000000
#define LEAST_PART 50000

/* A weight and the node that it has come to on its way to the root; TB_ID_NONE: it is there. */
typedef struct
{
  guint at;
  guint function;
  guint64 weight;
  guint64 base;
  guint64 count;
} Item;

/* Items [first, end) whose callers are to be added to a node of the new figure. */
typedef struct
{
  guint parent;
  guint first;
  guint end;
} Group;

typedef struct
{
  TbFlameFigure *of;
  TbFlameReshaped *to;
  guint *functions; /* by node */
  GArray *items;
  GArray *groups;
  guint64 least; /* what is lighter is not followed */
} Inversion;

static const TbFlameNode *
get_node (const Inversion *self, guint node)
{
  return &g_array_index (self->of->nodes, TbFlameNode, node);
}

/* Names are kept once each: their addresses tell them apart. */
static guint
hash_function (gconstpointer data)
{
  const TbFlameNode *node = data;

  return g_direct_hash (node->name) * 31 + g_direct_hash (node->module);
}

static gboolean
is_same_function (gconstpointer a, gconstpointer b)
{
  const TbFlameNode *one = a, *two = b;

  return one->name == two->name && one->module == two->module;
}

static void
number_functions (Inversion *self)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (hash_function, is_same_function);

  self->functions = g_new (guint, self->of->nodes->len + 1);
  for (guint i = 0; i < self->of->nodes->len; i++)
    {
      gpointer key = (gpointer) get_node (self, i);
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, key));

      if (number == 0)
        {
          number = g_hash_table_size (numbers) + 1;
          g_hash_table_insert (numbers, key, GUINT_TO_POINTER (number));
        }
      self->functions[i] = number;
    }
}

/* All own weights, or those of the outermost calls of one function with all they call. */
static void
collect_items (Inversion *self, const TbFlameShape *shape)
{
  g_autofree guint8 *inside = g_new0 (guint8, self->of->nodes->len + 1);
  guint64 n_steps = 0;

  for (guint i = 0; i < self->of->nodes->len; i++)
    {
      const TbFlameNode *node = get_node (self, i);
      Item item = { i, self->functions[i], node->own, node->base_own, node->count };

      if (shape->function != NULL)
        {
          gboolean within = node->parent != TB_ID_NONE && inside[node->parent];

          inside[i] = within || tb_flame_is_function (node, shape);
          if (within || !inside[i])
            continue;
          item.weight = node->total;
          item.base = node->base_total;
        }
      else if (node->own == 0 && node->base_own == 0)
        continue;
      g_array_append_val (self->items, item);
      n_steps += node->depth + 1;
    }
  if (n_steps > MOST_STEPS)
    self->least = self->of->total / LEAST_PART + 1;
}

static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  const Item *one = a, *two = b;

  if (one->function != two->function)
    return one->function < two->function ? -1 : 1;
  return one->at < two->at ? -1 : one->at > two->at;
}

static void
add_more (Inversion *self, guint parent, const TbFlameNode *weights)
{
  guint before = self->to->figure->nodes->len;
  guint node = tb_flame_figure_add_node (self->to->figure, parent, _ ("(callers too light to follow)"), "",
                                         TB_FLAME_UNKNOWN, weights->own, 0);

  g_array_index (self->to->figure->nodes, TbFlameNode, node).base_own += weights->base_own;
  if (node == before)
    {
      self->to->origin = g_renew (guint, self->to->origin, (gsize) (node + 1) * 2);
      self->to->origin[node] = TB_ID_NONE;
    }
}

/* What all items of a group that are at one function weigh. */
static guint
sum_items (Inversion *self, guint first, guint end, TbFlameNode *weights, guint *heaviest)
{
  Item *items = (Item *) (gpointer) self->items->data;
  guint i;

  *weights = (TbFlameNode) { .own = 0 };
  *heaviest = first;
  for (i = first; i < end && items[i].function == items[first].function; i++)
    {
      weights->own = tb_flame_add_saturated (weights->own, items[i].weight);
      weights->base_own = tb_flame_add_saturated (weights->base_own, items[i].base);
      weights->count = tb_flame_add_saturated (weights->count, items[i].count);
      if (items[i].weight > items[*heaviest].weight)
        *heaviest = i;
    }
  return i;
}

/* One step towards the root. What is at its end was in nothing else: it is the node's own. */
static void
step (Inversion *self, guint node, guint first, guint end)
{
  Item *items = (Item *) (gpointer) self->items->data;
  TbFlameNode *now = &g_array_index (self->to->figure->nodes, TbFlameNode, node);
  Group group = { node, first, end };
  guint n_left = first;

  for (guint i = first; i < end; i++)
    {
      Item item = items[i];

      item.at = get_node (self, item.at)->parent;
      if (item.at == TB_ID_NONE)
        {
          now->own = tb_flame_add_saturated (now->own, item.weight);
          now->base_own = tb_flame_add_saturated (now->base_own, item.base);
          continue;
        }
      item.function = self->functions[item.at];
      items[n_left++] = item;
    }
  group.end = n_left;
  if (group.first < group.end)
    g_array_append_val (self->groups, group);
}

static void
follow (Inversion *self, const Group *group)
{
  Item *items = (Item *) (gpointer) self->items->data;

  if (group->end - group->first > 1)
    g_sort_array (&items[group->first], group->end - group->first, sizeof (Item), compare_items, NULL);
  for (guint first = group->first; first < group->end;)
    {
      TbFlameNode weights, none = { .own = 0 };
      guint heaviest, end, node;

      end = sum_items (self, first, group->end, &weights, &heaviest);
      if (group->parent != TB_ID_NONE && weights.own < self->least && weights.base_own < self->least)
        add_more (self, group->parent, &weights);
      else
        {
          none.count = weights.count;
          node = tb_flame_reshaped_add (self->to, self->of, group->parent, items[heaviest].at, &none);
          step (self, node, first, end);
        }
      first = end;
    }
}

/* Each function is found where it begins. */
static void
find_places (Inversion *self)
{
  g_autoptr (GHashTable) roots = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->to->figure->nodes->len; i++)
    {
      guint origin = self->to->origin[i];

      if (g_array_index (self->to->figure->nodes, TbFlameNode, i).parent == TB_ID_NONE
          && origin != TB_ID_NONE)
        g_hash_table_insert (roots, GUINT_TO_POINTER (self->functions[origin]), GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < self->of->nodes->len; i++)
    self->to->place[i]
        = GPOINTER_TO_UINT (g_hash_table_lookup (roots, GUINT_TO_POINTER (self->functions[i]))) - 1;
}

/* Functions of one name are one, whatever their paint: that of the heaviest is taken. */
TbFlameReshaped *
tb_flame_invert (TbFlameFigure *of, const TbFlameShape *shape, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbFlameReshaped) to = tb_flame_reshaped_new (of, shape->by_name);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_autofree guint *functions = NULL;
  Inversion self = { .of = of, .to = to, .items = items, .groups = groups };
  Group all = { TB_ID_NONE, 0, 0 };

  number_functions (&self);
  functions = self.functions;
  collect_items (&self, shape);
  all.end = items->len;
  g_array_append_val (groups, all);
  for (guint i = 0; i < groups->len; i++)
    {
      Group group = g_array_index (groups, Group, i);

      if (i % 1024 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      follow (&self, &group);
    }
  find_places (&self);
  return g_steal_pointer (&to);
}
