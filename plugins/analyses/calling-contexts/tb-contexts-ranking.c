/* tb-contexts-ranking.c: ranking of the calling contexts of a recording: paths from the root to a
 * leaf by cost; sums by function, module and layer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-summary.h"

/* Paths are sorted, and the worst dropped, each time there are eight times this many, or eight
 * times the wanted number. */
#define MIN_KEPT 128

double
tb_contexts_summary_get_cost (const TbContextsSummary *self, guint32 node)
{
  const TbContextsTotals *totals = &self->nodes[node];
  double own = tb_contexts_summary_get_own (self, totals)[self->options.estimate];

  return self->options.by_mean && totals->count > 0 ? own / totals->count : own;
}

guint32 *
tb_contexts_summary_get_path (const TbContextsSummary *self, guint32 node, guint *n_nodes)
{
  guint32 *path = g_new (guint32, MAX (self->depths[node], 1));

  *n_nodes = self->depths[node];
  for (; node != 0; node = self->parents[node])
    path[self->depths[node] - 1] = node;
  return path;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  const TbContextsPath *left = a, *right = b;

  if (left->cost != right->cost)
    return left->cost > right->cost ? -1 : 1;
  return left->node < right->node ? -1 : left->node > right->node;
}

/* The share of a path is the own time that no path before it has claimed. Each node counts once. */
static void
claim_path (TbContextsSummary *self, TbContextsPath *path, guint8 *claimed)
{
  double best = -1;
  gint64 claim = 0;

  for (guint32 node = path->node; node != 0; node = self->parents[node])
    {
      double cost = tb_contexts_summary_get_cost (self, node);

      if (!claimed[node])
        claim += self->owns[node].own[self->options.estimate];
      claimed[node] = TRUE;
      /* Of equal costs, the innermost function is the hottest. */
      if (cost > best)
        {
          best = cost;
          path->hot = node;
        }
    }
  path->share = self->all > 0 ? (double) claim / self->all : 0;
}

/* Drops all but the best of a list, in the order of the comparison. */
static void
keep_best (GArray *list, GCompareFunc compare, guint top)
{
  g_array_sort (list, compare);
  if (top > 0 && list->len > top)
    g_array_set_size (list, top);
}

/* Whether enough were appended to a list to drop all but the best. */
static gboolean
is_overfull (const GArray *list, guint top)
{
  return top > 0 && list->len / 8 >= MAX (top, MIN_KEPT);
}

/* Algorithm 3: ranks the paths from the root to a leaf by the sum of their functions' own costs. */
void
tb_contexts_summary_rank (TbContextsSummary *self)
{
  guint32 n = self->tree.n_nodes;
  g_autofree double *costs = g_new0 (double, n);
  g_autofree guint8 *is_inner = g_new0 (guint8, n);

  for (guint32 i = 1; i < n; i++)
    {
      costs[i] = costs[self->parents[i]] + tb_contexts_summary_get_cost (self, i);
      if (self->nodes[i].count > 0)
        is_inner[self->parents[i]] = TRUE;
    }
  for (guint32 i = 1; i < n; i++)
    if (self->nodes[i].count > 0 && !is_inner[i])
      {
        TbContextsPath path = { .node = i, .cost = costs[i] };

        g_array_append_val (self->paths, path);
        self->n_paths++;
        if (is_overfull (self->paths, self->options.top))
          keep_best (self->paths, compare_paths, self->options.top);
      }
  keep_best (self->paths, compare_paths, self->options.top);
  memset (is_inner, 0, n);
  for (guint i = 0; i < self->paths->len; i++)
    claim_path (self, &g_array_index (self->paths, TbContextsPath, i), is_inner);
}

/* --- roll-ups --- */

static int
compare_rollups (gconstpointer a, gconstpointer b)
{
  const TbContextsRollup *left = a, *right = b;
  int order;

  if (left->own != right->own)
    return left->own > right->own ? -1 : 1;
  order = g_strcmp0 (left->function, right->function);
  return order != 0 ? order : g_strcmp0 (left->module, right->module);
}

/* By the number of the function. */
static TbContextsRollup *
sum_up (TbContextsSummary *self)
{
  guint n = tb_context_tree_get_n_functions (self->context_tree) + 1;
  TbContextsRollup *sums = g_new0 (TbContextsRollup, n);
  guint estimate = self->options.estimate;

  for (guint32 i = 1; i < self->tree.n_nodes; i++)
    {
      const TbContextsTotals *totals = &self->nodes[i];
      TbContextsRollup *sum = &sums[self->function_of[i]];

      if (totals->count == 0 || tb_contexts_summary_is_cut (self, i))
        continue;
      if (sum->function == NULL)
        {
          TbContextNode node;

          tb_context_tree_get_node (self->context_tree, i, &node);
          sum->function = node.function;
          sum->module = node.module;
          sum->kernel = node.kernel;
        }
      sum->count += self->by_samples ? self->events[i] : totals->count;
      sum->own += self->owns[i].own[estimate];
      sum->total += totals->total[estimate];
    }
  return sums;
}

static void
add_up (TbContextsRollup *sum, const TbContextsRollup *part)
{
  sum->count += part->count;
  sum->own += part->own;
  sum->total += part->total;
}

/* Adds a function to the roll-up of its module. known: by the module's name, of which the tree has
 * one pointer; modules of the kernel and of programs differ. */
static void
add_to_module (GArray *modules, GHashTable *known[2], const TbContextsRollup *sum)
{
  GHashTable *ids = known[sum->kernel != FALSE];
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (ids, sum->module));

  if (id == 0)
    {
      TbContextsRollup module = *sum;

      module.function = NULL;
      g_array_append_val (modules, module);
      g_hash_table_insert (ids, (gpointer) sum->module, GUINT_TO_POINTER (modules->len));
    }
  else
    add_up (&g_array_index (modules, TbContextsRollup, id - 1), sum);
}

static void
add_to_layer (GArray *layers, const TbContextsRollup *sum)
{
  TbContextsRollup layer = *sum;

  for (guint i = 0; i < layers->len; i++)
    if (g_array_index (layers, TbContextsRollup, i).kernel == sum->kernel)
      {
        add_up (&g_array_index (layers, TbContextsRollup, i), sum);
        return;
      }
  layer.function = NULL;
  layer.module = layer.kernel ? "kernel" : "user";
  g_array_append_val (layers, layer);
}

/* Sums by function. The functions of the tree differ in name, module or layer. */
static void
list_functions (TbContextsSummary *self, const TbContextsRollup *sums, guint n)
{
  guint top = self->options.keep_all ? 0 : self->options.top;
  gint64 least = G_MININT64;

  for (guint i = 1; i <= n; i++)
    {
      if (sums[i].function == NULL)
        continue;
      self->n_functions++;
      if (sums[i].own < least)
        continue;
      g_array_append_val (self->functions, sums[i]);
      if (is_overfull (self->functions, top))
        {
          keep_best (self->functions, compare_rollups, top);
          least = g_array_index (self->functions, TbContextsRollup, top - 1).own;
        }
    }
  keep_best (self->functions, compare_rollups, top);
}

void
tb_contexts_summary_roll_up (TbContextsSummary *self)
{
  guint n = tb_context_tree_get_n_functions (self->context_tree);
  g_autofree TbContextsRollup *sums = sum_up (self);
  g_autoptr (GHashTable) user = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) kernel = g_hash_table_new (NULL, NULL);

  list_functions (self, sums, n);
  for (guint i = 1; i <= n; i++)
    if (sums[i].function != NULL)
      {
        add_to_module (self->modules, (GHashTable *[]) { user, kernel }, &sums[i]);
        add_to_layer (self->by_layer, &sums[i]);
      }
  g_array_sort (self->modules, compare_rollups);
  g_array_sort (self->by_layer, compare_rollups);
}
