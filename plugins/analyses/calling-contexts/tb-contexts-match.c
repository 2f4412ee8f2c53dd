/* tb-contexts-match.c: calling contexts of both sides of a comparison as one tree; cost of each
 * path on each side, its difference with a confidence interval, and ranking of the differences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-match.h"

#include <math.h>

/* Least share of a path's cost that counts as a difference. */
#define NOISE_SHARE 0.01
/* Standard deviations on each side of the mean that contain 95 % of a normal distribution. */
#define DEVIATIONS 1.96
/* Least number of equal calls that have the spread of a node's sum. With fewer the sum is hardly
 * normally distributed, and its interval would contain 0 in any case. */
#define MIN_CALLS 4

static TbContextsPair *
get_pair (const TbContextsMatch *self, guint32 pair)
{
  return tb_contexts_match_get_pair (self, pair);
}

static const TbContextsRecording *
get_recording (const TbContextsMatch *self, guint side, guint index)
{
  return &g_array_index (self->recordings[side], TbContextsRecording, index);
}

TbContextsSummary *
tb_contexts_match_locate (const TbContextsMatch *self, guint32 pair, guint32 *node)
{
  const TbContextsPair *at = get_pair (self, pair);
  TbContextsSide side = at->of[TB_CONTEXTS_OTHER] != 0 ? TB_CONTEXTS_OTHER : TB_CONTEXTS_BASE;

  *node = at->of[side];
  return get_recording (self, side, at->in[side])->summary;
}

guint
tb_contexts_match_get_depth (const TbContextsMatch *self, guint32 pair)
{
  guint depth = 0;

  for (; pair != 0; pair = get_pair (self, pair)->parent)
    depth++;
  return depth;
}

guint32 *
tb_contexts_match_get_path (const TbContextsMatch *self, guint32 pair, guint *n)
{
  guint32 *path;
  guint i = 0;

  *n = tb_contexts_match_get_depth (self, pair);
  path = g_new (guint32, MAX (*n, 1));
  for (; pair != 0; pair = get_pair (self, pair)->parent)
    path[*n - 1 - i++] = pair;
  return path;
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

/* Returns the number of a function, which is the same for all recordings. */
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

/* Map from a pair and a function called from it to the pair of the callee. Open addressing. Slots
 * contain pairs, 0 none. */
typedef struct
{
  guint64 *keys;
  guint32 *pairs;
  gsize mask;
  gsize n;
} Children;

static gsize
find_slot (const Children *self, guint64 key)
{
  gsize slot = (key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 24 & self->mask;

  while (self->pairs[slot] != 0 && self->keys[slot] != key)
    slot = (slot + 1) & self->mask;
  return slot;
}

static void
grow (Children *self)
{
  Children larger = { .mask = self->mask * 2 + 1, .n = self->n };

  larger.keys = g_new (guint64, larger.mask + 1);
  larger.pairs = g_new0 (guint32, larger.mask + 1);
  for (gsize i = 0; i <= self->mask; i++)
    if (self->pairs[i] != 0)
      {
        gsize slot = find_slot (&larger, self->keys[i]);

        larger.keys[slot] = self->keys[i];
        larger.pairs[slot] = self->pairs[i];
      }
  g_free (self->keys);
  g_free (self->pairs);
  *self = larger;
}

static guint32
get_child (TbContextsMatch *self, Children *children, guint32 parent, guint32 function)
{
  guint64 key = (guint64) parent << 32 | function;
  gsize slot = find_slot (children, key);

  if (children->pairs[slot] == 0)
    {
      TbContextsPair pair = { .parent = parent };

      if (children->n++ * 2 > children->mask)
        {
          grow (children);
          slot = find_slot (children, key);
        }
      g_array_append_val (self->pairs, pair);
      children->keys[slot] = key;
      children->pairs[slot] = self->pairs->len - 1;
    }
  return children->pairs[slot];
}

/* (transfer full): by node of the summary, its pair, 0 for nodes without calls */
static guint32 *
map_nodes (TbContextsMatch *self,
           const TbContextsSummary *summary,
           GHashTable *functions,
           Children *children)
{
  guint32 *pairs = g_new0 (guint32, summary->tree.n_nodes);
  g_autofree guint32 *interned
      = g_new0 (guint32, tb_context_tree_get_n_functions (summary->context_tree) + 1);

  for (guint32 i = 1; i < summary->tree.n_nodes; i++)
    {
      guint32 function;

      if (summary->nodes[i].count == 0)
        continue;
      function = tb_context_tree_get_function (summary->context_tree, i);
      if (interned[function] == 0)
        {
          TbContextNode node;

          tb_context_tree_get_node (summary->context_tree, i, &node);
          interned[function] = intern_function (functions, &node);
        }
      pairs[i] = get_child (self, children, pairs[summary->parents[i]], interned[function]);
    }
  return pairs;
}

static void
add_recording (TbContextsMatch *self,
               guint side,
               guint index,
               GHashTable *functions,
               Children *children)
{
  const TbContextsRecording *recording = get_recording (self, side, index);
  const TbContextsSummary *summary = recording->summary;
  double part = recording->scale / self->recordings[side]->len;
  g_autofree guint32 *pairs = map_nodes (self, summary, functions, children);

  for (guint32 i = 1; i < summary->tree.n_nodes; i++)
    {
      TbContextsPair *pair = get_pair (self, pairs[i]);

      if (pairs[i] == 0)
        continue;
      if (pair->of[side] == 0)
        {
          pair->of[side] = i;
          pair->in[side] = (guint16) index;
        }
      pair->own[side] += tb_contexts_summary_get_cost (summary, i) * part;
      pair->total[side] += (double) summary->nodes[i].total[summary->options.estimate] * part;
    }
}

/* --- differences --- */

/* Sets the square of the bootstrap's standard error of a node's sum, in closed form: the variance
 * of the sum of as many calls, drawn from its own with replacement (with n − 1, as for a sample).
 * FALSE where one or a few calls make up the sum, because resampling gives no information then. */
static gboolean
get_variance (const TbContextsSummary *summary, guint32 node, double scale, double *variance)
{
  const TbContextsTotals *totals = &summary->nodes[node];
  double n = totals->count,
         own = tb_contexts_summary_get_own (summary, totals)[summary->options.estimate], spread;

  /* The number of samples in a context varies as chance has it (Poisson). */
  if (summary->by_samples)
    {
      *variance = totals->own_squares * scale * scale;
      return node != 0 && summary->events[node] > 0;
    }
  if (node == 0 || totals->count < 2 || own * own < MIN_CALLS * totals->own_squares)
    return FALSE;
  spread = MAX (totals->own_squares - own * own / n, 0) / (n - 1);
  *variance = (summary->options.by_mean ? spread / n : spread * n) * scale * scale;
  return TRUE;
}

/* Callers come before their callees. */
static void
sum_up (TbContextsMatch *self)
{
  for (guint32 i = 1; i < self->pairs->len; i++)
    {
      TbContextsPair *pair = get_pair (self, i);
      const TbContextsPair *parent = get_pair (self, pair->parent);

      for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
        {
          const TbContextsRecording *recording = get_recording (self, side, pair->in[side]);
          double variance;

          pair->sum[side] = parent->sum[side] + pair->own[side];
          pair->variance[side] = parent->variance[side];
          pair->has_variance[side] = parent->has_variance[side];
          if (self->sums == NULL
              && get_variance (recording->summary, pair->of[side], recording->scale, &variance))
            {
              pair->variance[side] += variance;
              pair->has_variance[side] = TRUE;
            }
        }
      self->n_common += pair->of[0] != 0 && pair->of[1] != 0;
      self->growth += MAX (pair->own[TB_CONTEXTS_OTHER] - pair->own[TB_CONTEXTS_BASE], 0);
    }
}

/* Computes the sum of each path in each recording. The trees are walked again, which costs less
 * than storing the pair of each node. */
static void
sum_recordings (TbContextsMatch *self, GHashTable *functions, Children *children)
{
  guint n = self->n_recordings, column = 0;

  self->sums = g_new0 (double, (gsize) self->pairs->len *n);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint index = 0; index < self->recordings[side]->len; index++, column++)
      {
        const TbContextsRecording *recording = get_recording (self, side, index);
        g_autofree guint32 *pairs = map_nodes (self, recording->summary, functions, children);

        for (guint32 i = 1; i < recording->summary->tree.n_nodes; i++)
          if (pairs[i] != 0)
            self->sums[(gsize) pairs[i] * n + column]
                += tb_contexts_summary_get_cost (recording->summary, i) * recording->scale;
      }
  for (guint32 i = 1; i < self->pairs->len; i++)
    for (column = 0; column < n; column++)
      self->sums[(gsize) i * n + column]
          += self->sums[(gsize) get_pair (self, i)->parent * n + column];
}

/* sides: bits of the sides whose sums the cost is computed from */
static void
measure_noise (const TbContextsMatch *self, TbContextsDifference *path, guint sides)
{
  const TbContextsPair *pair = get_pair (self, path->pair);
  guint n_bases = self->recordings[TB_CONTEXTS_BASE]->len;
  double variance = 0, error, offset;
  gboolean has_variance = FALSE;
  TbSpread spread;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    if (sides & 1 << side)
      {
        variance += pair->variance[side];
        has_variance |= pair->has_variance[side];
      }
  error = DEVIATIONS * sqrt (variance);
  path->low = has_variance ? path->cost - error : NAN;
  path->high = has_variance ? path->cost + error : NAN;
  path->within_noise = (has_variance && path->low <= 0 && path->high >= 0)
                       || fabs (path->cost) <= NOISE_SHARE * MAX (path->base, path->other);
  if (self->sums == NULL)
    return;
  tb_spread_measure (&self->sums[(gsize) path->pair * self->n_recordings], n_bases,
                     &self->sums[(gsize) path->pair * self->n_recordings + n_bases],
                     self->n_recordings - n_bases, &spread);
  /* The cost may be larger than the difference of the sums, see measure(). */
  offset = path->cost - spread.delta;
  path->low = spread.low + offset;
  path->high = spread.high + offset;
  path->within_noise |= spread.within_noise;
}

/* With means, as in the paper, a path that only one side has counts in full, with its callers. Then
 * a path in which only the innermost frame is new outranks the real change if its callers were
 * already costly before. With totals, therefore, only the new frames count in full, and frames that
 * both sides have count by their difference. */
static TbContextsDifference
measure (const TbContextsMatch *self, guint32 i)
{
  const TbContextsPair *pair = get_pair (self, i);
  gboolean in_full = self->sides[TB_CONTEXTS_OTHER]->options.by_mean;
  guint sides = 1 << TB_CONTEXTS_BASE | 1 << TB_CONTEXTS_OTHER;
  TbContextsDifference path = { .pair = i,
                                .is_equal = pair->of[0] != 0 && pair->of[1] != 0,
                                .base = pair->sum[TB_CONTEXTS_BASE],
                                .other = pair->sum[TB_CONTEXTS_OTHER] };

  if (in_full && !path.is_equal)
    {
      TbContextsSide missing
          = pair->of[TB_CONTEXTS_OTHER] != 0 ? TB_CONTEXTS_BASE : TB_CONTEXTS_OTHER;

      *(missing == TB_CONTEXTS_BASE ? &path.base : &path.other) = 0;
      sides &= ~(1u << missing);
    }
  path.cost = path.other - path.base;
  measure_noise (self, &path, sides);
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
claim_path (TbContextsMatch *self, TbContextsDifference *path, guint8 *claimed)
{
  double most = -G_MAXDOUBLE, claim = 0;

  for (guint32 i = path->pair; i != 0; i = get_pair (self, i)->parent)
    {
      double growth
          = get_pair (self, i)->own[TB_CONTEXTS_OTHER] - get_pair (self, i)->own[TB_CONTEXTS_BASE];

      if (!claimed[i])
        claim += MAX (growth, 0);
      claimed[i] = TRUE;
      if (growth > most)
        {
          most = growth;
          path->hot = i;
        }
    }
  path->share = self->growth > 0 ? claim / self->growth : 0;
}

/* Keeps the best paths without sorting all of them. */
static void
add_best (GArray *best, const TbContextsDifference *path, guint top, GCompareFunc compare)
{
  g_array_append_vals (best, path, 1);
  if (top > 0 && best->len >= 2 * (gsize) top + 1024)
    {
      g_array_sort (best, compare);
      g_array_set_size (best, top);
    }
}

static void
rank (TbContextsMatch *self)
{
  g_autofree guint8 *is_inner = g_new0 (guint8, self->pairs->len);
  guint top = self->sides[TB_CONTEXTS_OTHER]->options.top;

  /* Bits 0 and 1: has callees in the base, in the other. */
  for (guint32 i = 1; i < self->pairs->len; i++)
    for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
      if (get_pair (self, i)->of[side] != 0)
        is_inner[get_pair (self, i)->parent] |= 1 << side;
  for (guint32 i = 1; i < self->pairs->len; i++)
    {
      const TbContextsPair *pair = get_pair (self, i);
      gboolean in_other = pair->of[TB_CONTEXTS_OTHER] != 0;
      TbContextsDifference path;

      if (is_inner[i] & 1 << (in_other ? TB_CONTEXTS_OTHER : TB_CONTEXTS_BASE))
        continue;
      path = measure (self, i);
      add_best (in_other ? self->paths : self->gains, &path, top,
                in_other ? compare_paths : compare_gains);
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
    claim_path (self, &g_array_index (self->paths, TbContextsDifference, i), is_inner);
}

TbContextsMatch *
tb_contexts_match_new (GArray *const *sides)
{
  TbContextsMatch *self = g_new0 (TbContextsMatch, 1);
  g_autoptr (GHashTable) functions
      = g_hash_table_new_full (hash_function, equal_functions, g_free, NULL);
  Children children = { .mask = 1023 };
  TbContextsPair root = { 0 };

  children.keys = g_new (guint64, children.mask + 1);
  children.pairs = g_new0 (guint32, children.mask + 1);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (TbContextsPair));
  self->paths = g_array_new (FALSE, FALSE, sizeof (TbContextsDifference));
  self->gains = g_array_new (FALSE, FALSE, sizeof (TbContextsDifference));
  g_array_append_val (self->pairs, root);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      self->recordings[side] = g_array_ref (sides[side]);
      self->sides[side] = get_recording (self, side, 0)->summary;
      self->n_recordings += sides[side]->len;
      for (guint i = 0; i < sides[side]->len; i++)
        add_recording (self, side, i, functions, &children);
    }
  if (self->n_recordings > TB_CONTEXTS_N_SIDES)
    sum_recordings (self, functions, &children);
  g_free (children.keys);
  g_free (children.pairs);
  sum_up (self);
  rank (self);
  return self;
}

void
tb_contexts_match_free (TbContextsMatch *self)
{
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    g_array_unref (self->recordings[side]);
  g_free (self->sums);
  g_array_unref (self->pairs);
  g_array_unref (self->paths);
  g_array_unref (self->gains);
  g_free (self);
}
