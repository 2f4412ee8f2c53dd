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

/* Drops all but the best paths. */
static void
keep_best (TbContextsSummary *self)
{
  g_array_sort (self->paths, compare_paths);
  if (self->options.top > 0 && self->paths->len > self->options.top)
    g_array_set_size (self->paths, self->options.top);
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
        if (self->options.top > 0 && self->paths->len / 8 >= MAX (self->options.top, MIN_KEPT))
          keep_best (self);
      }
  keep_best (self);
  memset (is_inner, 0, n);
  for (guint i = 0; i < self->paths->len; i++)
    claim_path (self, &g_array_index (self->paths, TbContextsPath, i), is_inner);
}

/* --- roll-ups --- */

static guint
hash_rollup (gconstpointer data)
{
  const TbContextsRollup *key = data;

  return (key->function != NULL ? g_str_hash (key->function) * 31 : 0) + g_str_hash (key->module)
         + key->kernel;
}

static gboolean
equal_rollups (gconstpointer a, gconstpointer b)
{
  const TbContextsRollup *left = a, *right = b;

  return left->kernel == right->kernel && g_strcmp0 (left->function, right->function) == 0
         && g_str_equal (left->module, right->module);
}

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

typedef enum
{
  BY_FUNCTION,
  BY_MODULE,
  BY_LAYER,
  N_ROLLUPS,
} RollupBy;

/* Adds a function to its roll-up: functions of one name in a module, the module, or the layer. */
static void
add_to_rollup (GHashTable *known, const TbContextsRollup *rollup, RollupBy by)
{
  TbContextsRollup key = *rollup, *found;

  if (by != BY_FUNCTION)
    key.function = NULL;
  if (by == BY_LAYER)
    key.module = key.kernel ? "kernel" : "user";
  found = g_hash_table_lookup (known, &key);
  if (found == NULL)
    {
      g_hash_table_add (known, g_memdup2 (&key, sizeof key));
      return;
    }
  found->count += key.count;
  found->own += key.own;
  found->total += key.total;
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
      TbContextsRollup *sum = &sums[tb_context_tree_get_function (self->context_tree, i)];

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
take_sorted (GHashTable *known, GArray *out)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_vals (out, key, 1);
  g_array_sort (out, compare_rollups);
}

void
tb_contexts_summary_roll_up (TbContextsSummary *self)
{
  GArray *const lists[N_ROLLUPS] = { self->functions, self->modules, self->by_layer };
  g_autofree TbContextsRollup *sums = sum_up (self);

  for (RollupBy by = 0; by < N_ROLLUPS; by++)
    {
      g_autoptr (GHashTable) known
          = g_hash_table_new_full (hash_rollup, equal_rollups, g_free, NULL);

      for (guint i = 1; i <= tb_context_tree_get_n_functions (self->context_tree); i++)
        if (sums[i].function != NULL)
          add_to_rollup (known, &sums[i], by);
      take_sorted (known, lists[by]);
    }
  self->n_functions = self->functions->len;
}
