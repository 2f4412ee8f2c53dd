/* tb-contexts-match.c: the calling contexts of two recordings as one tree, and what differs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-match.h"

#include <math.h>

/* Less than this of a path's cost is no difference. */
#define NOISE_SHARE 0.01
/* Standard deviations on each side that hold 95 % of a sum of many. */
#define DEVIATIONS 1.96

static TbContextsPair *
get_pair (const TbContextsMatch *self, guint32 pair)
{
  return &g_array_index (self->pairs, TbContextsPair, pair);
}

TbContextsSummary *
tb_contexts_match_locate (const TbContextsMatch *self, guint32 pair, guint32 *node)
{
  TbContextsSide side
      = get_pair (self, pair)->of[TB_CONTEXTS_OTHER] != 0 ? TB_CONTEXTS_OTHER : TB_CONTEXTS_BASE;

  *node = get_pair (self, pair)->of[side];
  return self->sides[side];
}

/* --- matching --- */

typedef struct
{
  const char *function;
  const char *module;
  gboolean kernel;
} Function;

static guint
hash_function (gconstpointer data)
{
  const Function *key = data;

  return g_str_hash (key->function) * 31 + g_str_hash (key->module) + key->kernel;
}

static gboolean
equal_functions (gconstpointer a, gconstpointer b)
{
  const Function *left = a, *right = b;

  return left->kernel == right->kernel && g_str_equal (left->function, right->function)
         && g_str_equal (left->module, right->module);
}

/* Keys are a caller and a function. */
static guint
hash_child (gconstpointer key)
{
  return (guint) ((guint64) GPOINTER_TO_SIZE (key) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

static guint32
intern_function (GHashTable *functions, const TbContextNode *node)
{
  Function key = { node->function, node->module, node->kernel };
  gpointer found = g_hash_table_lookup (functions, &key);

  if (found == NULL)
    {
      found = GUINT_TO_POINTER (g_hash_table_size (functions) + 1);
      g_hash_table_insert (functions, g_memdup2 (&key, sizeof key), found);
    }
  return GPOINTER_TO_UINT (found);
}

static void
add_side (TbContextsMatch *self, TbContextsSide side, GHashTable *functions, GHashTable *children)
{
  const TbContextsSummary *summary = self->sides[side];
  g_autofree guint32 *pairs = g_new0 (guint32, summary->tree.n_nodes);

  for (guint32 i = 1; i < summary->tree.n_nodes; i++)
    {
      TbContextsPair pair = { 0 };
      TbContextNode node;
      gpointer key, found;

      if (summary->nodes[i].count == 0)
        continue;
      tb_context_tree_get_node (summary->context_tree, i, &node);
      pair.parent = pairs[node.parent];
      key = GSIZE_TO_POINTER ((gsize) pair.parent << 32 | intern_function (functions, &node));
      found = g_hash_table_lookup (children, key);
      if (found == NULL)
        {
          g_array_append_val (self->pairs, pair);
          found = GUINT_TO_POINTER (self->pairs->len - 1);
          g_hash_table_insert (children, key, found);
        }
      pairs[i] = GPOINTER_TO_UINT (found);
      get_pair (self, pairs[i])->of[side] = i;
    }
}

/* --- differences --- */

/* Of the sum over a node's calls when as many are drawn from them: what resampling them comes to with many of them. */
static gboolean
get_variance (const TbContextsSummary *summary, guint32 node, double scale, double *variance)
{
  const TbContextsTotals *totals = &summary->nodes[node];
  double n = totals->count, own = totals->own[summary->options.estimate], spread;

  if (node == 0 || totals->count < 2)
    return FALSE;
  spread = MAX (totals->own_squares - own * own / n, 0) / (n - 1);
  *variance = (summary->options.by_mean ? spread / n : spread * n) * scale * scale;
  return TRUE;
}

/* Callers come before what they call. */
static void
sum_up (TbContextsMatch *self)
{
  for (guint32 i = 1; i < self->pairs->len; i++)
    {
      TbContextsPair *pair = get_pair (self, i);
      const TbContextsPair *parent = get_pair (self, pair->parent);

      pair->variance = parent->variance;
      pair->is_known = parent->is_known;
      for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
        {
          double scale = side == TB_CONTEXTS_OTHER ? self->scale : 1, variance;

          if (pair->of[side] != 0)
            pair->own[side] = tb_contexts_summary_get_cost (self->sides[side], pair->of[side]) * scale;
          pair->sum[side] = parent->sum[side] + pair->own[side];
          if (get_variance (self->sides[side], pair->of[side], scale, &variance))
            {
              pair->variance += variance;
              pair->is_known = TRUE;
            }
        }
      self->n_common += pair->of[0] != 0 && pair->of[1] != 0;
      self->grown += MAX (pair->own[TB_CONTEXTS_OTHER] - pair->own[TB_CONTEXTS_BASE], 0);
    }
}

static TbContextsDifference
measure (const TbContextsMatch *self, guint32 i)
{
  const TbContextsPair *pair = get_pair (self, i);
  double base = pair->sum[TB_CONTEXTS_BASE], other = pair->sum[TB_CONTEXTS_OTHER];
  double error = DEVIATIONS * sqrt (pair->variance);
  TbContextsDifference path = { .pair = i, .is_equal = pair->of[0] != 0 && pair->of[1] != 0 };

  /* What only one has counts in full, with its callers. */
  path.cost = path.is_equal ? other - base : pair->of[TB_CONTEXTS_OTHER] != 0 ? other : -base;
  path.low = pair->is_known ? path.cost - error : NAN;
  path.high = pair->is_known ? path.cost + error : NAN;
  path.within_noise = (pair->is_known && path.low <= 0 && path.high >= 0)
                      || fabs (path.cost) <= NOISE_SHARE * MAX (base, other);
  return path;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  const TbContextsDifference *left = a, *right = b;

  if (left->within_noise != right->within_noise)
    return left->within_noise ? 1 : -1;
  if (left->cost != right->cost)
    return left->cost > right->cost ? -1 : 1;
  return left->pair < right->pair ? -1 : left->pair > right->pair;
}

static int
compare_gains (gconstpointer a, gconstpointer b)
{
  const TbContextsDifference *left = a, *right = b;

  if (left->cost != right->cost)
    return left->cost < right->cost ? -1 : 1;
  return left->pair < right->pair ? -1 : left->pair > right->pair;
}

static void
settle_path (TbContextsMatch *self, TbContextsDifference *path, guint8 *claimed)
{
  double most = -G_MAXDOUBLE, claim = 0;

  for (guint32 i = path->pair; i != 0; i = get_pair (self, i)->parent)
    {
      double grown = get_pair (self, i)->own[TB_CONTEXTS_OTHER] - get_pair (self, i)->own[TB_CONTEXTS_BASE];

      if (!claimed[i])
        claim += MAX (grown, 0);
      claimed[i] = TRUE;
      if (grown > most)
        {
          most = grown;
          path->hot = i;
        }
    }
  path->share = self->grown > 0 ? claim / self->grown : 0;
}

static void
rank (TbContextsMatch *self)
{
  g_autofree guint8 *is_inner = g_new0 (guint8, self->pairs->len);
  guint top = self->sides[TB_CONTEXTS_OTHER]->options.top;

  /* Bit 0, 1: calls something in the base, in the other. */
  for (guint32 i = 1; i < self->pairs->len; i++)
    for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
      if (get_pair (self, i)->of[side] != 0)
        is_inner[get_pair (self, i)->parent] |= 1 << side;
  for (guint32 i = 1; i < self->pairs->len; i++)
    {
      const TbContextsPair *pair = get_pair (self, i);
      TbContextsDifference path = measure (self, i);

      if (pair->of[TB_CONTEXTS_OTHER] != 0 && !(is_inner[i] & 1 << TB_CONTEXTS_OTHER))
        g_array_append_val (self->paths, path);
      else if (pair->of[TB_CONTEXTS_OTHER] == 0 && !(is_inner[i] & 1 << TB_CONTEXTS_BASE))
        g_array_append_val (self->gains, path);
    }
  g_array_sort (self->paths, compare_paths);
  g_array_sort (self->gains, compare_gains);
  if (top > 0)
    {
      g_array_set_size (self->paths, MIN (self->paths->len, top));
      g_array_set_size (self->gains, MIN (self->gains->len, top));
    }
  memset (is_inner, 0, self->pairs->len);
  for (guint i = 0; i < self->paths->len; i++)
    settle_path (self, &g_array_index (self->paths, TbContextsDifference, i), is_inner);
}

TbContextsMatch *
tb_contexts_match_new (TbContextsSummary *base, TbContextsSummary *other, double scale)
{
  TbContextsMatch *self = g_new0 (TbContextsMatch, 1);
  g_autoptr (GHashTable) functions = g_hash_table_new_full (hash_function, equal_functions, g_free, NULL);
  g_autoptr (GHashTable) children = g_hash_table_new (hash_child, g_direct_equal);
  TbContextsPair root = { 0 };

  self->sides[TB_CONTEXTS_BASE] = base;
  self->sides[TB_CONTEXTS_OTHER] = other;
  self->scale = scale;
  self->pairs = g_array_new (FALSE, FALSE, sizeof (TbContextsPair));
  self->paths = g_array_new (FALSE, FALSE, sizeof (TbContextsDifference));
  self->gains = g_array_new (FALSE, FALSE, sizeof (TbContextsDifference));
  g_array_append_val (self->pairs, root);
  add_side (self, TB_CONTEXTS_BASE, functions, children);
  add_side (self, TB_CONTEXTS_OTHER, functions, children);
  sum_up (self);
  rank (self);
  return self;
}

void
tb_contexts_match_free (TbContextsMatch *self)
{
  g_array_unref (self->pairs);
  g_array_unref (self->paths);
  g_array_unref (self->gains);
  g_free (self);
}
