/* test-calling-contexts-ranking.c: paths, functions and differences ranked beside the same written down plainly
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "calling-contexts-random.h"
#include "tb-contexts-match.h"

#define N_RECORDINGS 3
#define N_THREADS 40

/* --- one recording --- */

/* All calls of a function in one context. */
typedef struct
{
  double count;
  double total;
  double own;
  gint64 longest;
  gint64 longest_from; /* of the first that is so long */
  GArray *owns;        /* double: of each call */
} Calls;

static void
calls_free (gpointer data)
{
  Calls *self = data;

  g_array_unref (self->owns);
  g_free (self);
}

static gboolean
calls_in (const char *caller, const char *path)
{
  gsize length = strlen (caller);

  return g_str_has_prefix (path, caller) && path[length] == ';';
}

/* Calls by path. Own is what they take without what they call, by totals. */
static GHashTable *
add_up (const RandomRecording *recording, guint thread, TbContextsEstimate estimate)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, calls_free);
  g_autoptr (GArray) instances = random_recording_infer (recording, thread);
  GHashTableIter iter, other;
  gpointer path, calls, path_of_other, other_calls;

  for (guint i = 0; i < instances->len; i++)
    {
      const TbContextsInstance *instance = &g_array_index (instances, TbContextsInstance, i);
      g_autofree char *name = random_recording_name (recording, instance->node);
      double own = (double) instance->own[estimate];
      Calls *of = g_hash_table_lookup (all, name);

      if (of == NULL)
        {
          of = g_new0 (Calls, 1);
          of->owns = g_array_new (FALSE, FALSE, sizeof (double));
          g_hash_table_insert (all, g_steal_pointer (&name), of);
        }
      if (of->count++ == 0 || instance->latency[estimate] > of->longest)
        {
          of->longest = instance->latency[estimate];
          of->longest_from = estimate == TB_CONTEXTS_REFINED ? instance->from : instance->first;
        }
      of->total += (double) instance->latency[estimate];
      g_array_append_val (of->owns, own);
    }
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &path, &calls))
    {
      ((Calls *) calls)->own = ((Calls *) calls)->total;
      g_hash_table_iter_init (&other, all);
      while (g_hash_table_iter_next (&other, &path_of_other, &other_calls))
        if (calls_in (path, path_of_other)
            && strchr ((char *) path_of_other + strlen (path) + 1, ';') == NULL)
          ((Calls *) calls)->own -= ((Calls *) other_calls)->total;
    }
  return all;
}

static double
get_cost (GHashTable *all, const char *path, gboolean by_mean)
{
  const Calls *calls = g_hash_table_lookup (all, path);

  if (calls == NULL)
    return 0;
  return by_mean ? calls->own / calls->count : calls->own;
}

/* From a path to that of its caller; "" at last. */
static gboolean
go_out (char *path)
{
  char *end = strrchr (path, ';');

  if (end != NULL)
    *end = '\0';
  return end != NULL;
}

static gboolean
is_leaf (GHashTable *all, const char *path)
{
  GHashTableIter iter;
  gpointer other;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &other, NULL))
    if (calls_in (path, other))
      return FALSE;
  return g_hash_table_contains (all, path);
}

static double
get_path_cost (GHashTable *all, const char *path, gboolean by_mean)
{
  g_autofree char *at = g_strdup (path);
  double sum = 0;

  do
    sum += get_cost (all, at, by_mean);
  while (go_out (at));
  return sum;
}

static double
get_own_of_all (GHashTable *all)
{
  GHashTableIter iter;
  gpointer calls;
  double sum = 0;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, NULL, &calls))
    sum += ((Calls *) calls)->own;
  return sum;
}

static char *
get_name (TbContextTree *tree, guint32 node)
{
  TbContextNode context;
  g_autofree char *callers = NULL;

  tb_context_tree_get_node (tree, node, &context);
  if (context.parent == 0)
    return g_strdup (context.function);
  callers = get_name (tree, context.parent);
  return g_strdup_printf ("%s;%s", callers, context.function);
}

static void
assert_close (double found, double expected)
{
  g_assert_cmpfloat_with_epsilon (found, expected, 1e-6 + 1e-9 * fabs (expected));
}

/* What no path before it has; of equally hot functions the inner one is the hottest. */
static void
assert_path (const TbContextsSummary *summary,
             const TbContextsPath *path,
             GHashTable *all,
             GHashTable *claimed)
{
  gboolean by_mean = summary->options.by_mean;
  g_autofree char *name = get_name (summary->context_tree, path->node);
  g_autofree char *hot = get_name (summary->context_tree, path->hot);
  g_autofree char *at = g_strdup (name);
  double claim = 0, whole = get_own_of_all (all);

  g_assert_true (is_leaf (all, name));
  assert_close (path->cost, get_path_cost (all, name, by_mean));
  do
    {
      if (g_hash_table_add (claimed, g_strdup (at)))
        claim += get_cost (all, at, FALSE);
      g_assert_cmpfloat (get_cost (all, at, by_mean), <=, get_cost (all, hot, by_mean));
      g_assert_true (!calls_in (hot, at) || get_cost (all, at, by_mean) < get_cost (all, hot, by_mean));
    }
  while (go_out (at));
  g_assert_true (g_str_equal (hot, name) || calls_in (hot, name));
  assert_close (path->share, whole > 0 ? claim / whole : 0);
}

static void
assert_paths (const TbContextsSummary *summary, GHashTable *all)
{
  g_autoptr (GHashTable) claimed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer path;
  guint n = 0;
  double shares = 0, least = INFINITY;

  for (guint i = 0; i < summary->paths->len; i++)
    {
      const TbContextsPath *found = &g_array_index (summary->paths, TbContextsPath, i);

      assert_path (summary, found, all, claimed);
      g_assert_cmpfloat (found->cost, <=, least);
      g_assert_true (g_hash_table_add (listed, get_name (summary->context_tree, found->node)));
      least = found->cost;
      shares += found->share;
    }
  g_assert_cmpfloat (shares, <=, 1 + 1e-9);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    if (is_leaf (all, path))
      {
        n++;
        g_assert_true (g_hash_table_contains (listed, path)
                       || get_path_cost (all, path, summary->options.by_mean) <= least + 1e-6);
      }
  g_assert_cmpuint (summary->n_paths, ==, n);
  g_assert_cmpuint (summary->paths->len, ==, summary->options.top > 0 ? MIN (n, summary->options.top) : n);
  if (summary->options.top == 0 && get_own_of_all (all) > 0)
    assert_close (shares, 1);
}

/* Functions, modules and layers by what they take themselves, wherever they are called from. */
static double
get_own_of (GHashTable *all, const TbContextsRollup *rollup, gboolean by_module, gboolean by_layer)
{
  GHashTableIter iter;
  gpointer path, calls;
  double sum = 0;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &path, &calls))
    {
      const char *last = strrchr (path, ';') != NULL ? strrchr (path, ';') + 1 : path;
      guint function = (guint) (last[1] - '0');
      gboolean kernel = function >= RANDOM_FIRST_KERNEL;
      const char *module = kernel ? "[kernel]" : function % 2 ? "lib" : "app";

      if (by_layer    ? kernel == rollup->kernel
          : by_module ? g_str_equal (module, rollup->module)
                      : g_str_equal (last, rollup->function))
        sum += ((Calls *) calls)->own;
    }
  return sum;
}

static void
assert_rollups (const TbContextsSummary *summary, GHashTable *all)
{
  GArray *const lists[] = { summary->functions, summary->modules, summary->by_layer };

  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    {
      double sum = 0, before = INFINITY;

      for (guint i = 0; i < lists[k]->len; i++)
        {
          const TbContextsRollup *rollup = &g_array_index (lists[k], TbContextsRollup, i);

          assert_close ((double) rollup->own, get_own_of (all, rollup, k == 1, k == 2));
          g_assert_cmpfloat ((double) rollup->own, <=, before);
          before = (double) rollup->own;
          sum += before;
        }
      assert_close (sum, get_own_of_all (all));
    }
}

/* Of the chosen estimate it is known which call was the longest. */
static void
assert_node (const TbContextsSummary *summary,
             guint32 node,
             TbContextsEstimate estimate,
             const Calls *calls,
             guint32 thread)
{
  const TbContextsTotals *totals = &summary->nodes[node];
  const TbContextsLongest *longest = &summary->longest[node];

  g_assert_cmpuint (totals->count, ==, calls != NULL ? (guint64) calls->count : 0);
  g_assert_cmpint (totals->longest[estimate], ==, calls != NULL ? calls->longest : 0);
  assert_close ((double) totals->total[estimate], calls != NULL ? calls->total : 0);
  assert_close ((double) summary->owns[node].own[estimate], calls != NULL ? calls->own : 0);
  if (calls == NULL || estimate != summary->options.estimate)
    return;
  g_assert_cmpint (longest->from, ==, calls->longest_from);
  g_assert_cmpint (longest->to, ==, calls->longest_from + calls->longest);
  g_assert_cmpuint (longest->thread, ==, thread);
}

/* Every node by every estimate, whichever is chosen. */
static void
assert_nodes (const TbContextsSummary *summary, const RandomRecording *recording, guint thread)
{
  for (TbContextsEstimate estimate = 0; estimate < TB_CONTEXTS_N_ESTIMATES; estimate++)
    {
      g_autoptr (GHashTable) all = add_up (recording, thread, estimate);
      guint n_found = 0;

      for (guint32 node = 1; node < summary->tree.n_nodes; node++)
        {
          g_autofree char *name = get_name (summary->context_tree, node);
          const Calls *calls = g_hash_table_lookup (all, name);

          assert_node (summary, node, estimate, calls, random_recording_find_thread (recording, thread));
          n_found += calls != NULL;
        }
      g_assert_cmpuint (n_found, ==, g_hash_table_size (all));
    }
}

static TbContextsSummary *
summarize (const RandomRecording *recording, guint thread, const TbContextsOptions *options)
{
  g_autoptr (TbSelection) selection = tb_selection_new (recording->trace);
  g_autoptr (GError) error = NULL;
  TbContextsSummary *summary;

  tb_selection_add_thread (selection, random_recording_find_thread (recording, thread));
  summary = tb_contexts_summary_new (recording->trace, selection, NULL, options, NULL, &error);
  g_assert_no_error (error);
  return summary;
}

static TbContextsOptions
draw_options (GRand *rand)
{
  return (TbContextsOptions) { .events = TB_CONTEXTS_ALL_EVENTS,
                               .estimate = g_rand_int_range (rand, 0, TB_CONTEXTS_N_ESTIMATES),
                               .by_mean = g_rand_boolean (rand),
                               .top = g_rand_boolean (rand) ? 0 : (guint) g_rand_int_range (rand, 1, 5) };
}

static void
test_paths (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (RandomRecording) recording
          = random_recording_new (rand, round % 2 ? RANDOM_ALL : RANDOM_SAMPLES, 100,
                                  (guint) g_rand_int_range (rand, 1, 30), 40);

      for (guint i = 0; i < recording->threads->len; i++)
        {
          const TbContextsOptions options = draw_options (rand);
          g_autoptr (TbContextsSummary) summary = summarize (recording, i, &options);
          g_autoptr (GHashTable) all = add_up (recording, i, options.estimate);

          assert_nodes (summary, recording, i);
          assert_paths (summary, all);
          assert_rollups (summary, all);
        }
    }
}

/* --- two sides --- */

typedef struct
{
  GHashTable *all; /* Calls by path */
  double scale;
} Recorded;

static void
recorded_clear (gpointer data)
{
  g_hash_table_unref (((Recorded *) data)->all);
}

typedef struct
{
  GArray *sides[TB_CONTEXTS_N_SIDES]; /* Recorded */
  gboolean by_mean;
} Sides;

static const Recorded *
get_recorded (const Sides *self, guint side, guint index)
{
  return &g_array_index (self->sides[side], Recorded, index);
}

static gboolean
has (const Sides *self, guint side, const char *path)
{
  for (guint i = 0; i < self->sides[side]->len; i++)
    if (g_hash_table_contains (get_recorded (self, side, i)->all, path))
      return TRUE;
  return FALSE;
}

static gboolean
is_leaf_of (const Sides *self, guint side, const char *path)
{
  for (guint i = 0; i < self->sides[side]->len; i++)
    {
      GHashTable *all = get_recorded (self, side, i)->all;

      if (g_hash_table_contains (all, path) && !is_leaf (all, path))
        return FALSE;
    }
  return has (self, side, path);
}

/* Means over the recordings of a side, of what a function, or a path, costs. */
static double
get_side (const Sides *self, guint side, const char *path, gboolean whole)
{
  double sum = 0;

  for (guint i = 0; i < self->sides[side]->len; i++)
    {
      const Recorded *recorded = get_recorded (self, side, i);

      sum += recorded->scale
             * (whole ? get_path_cost (recorded->all, path, self->by_mean)
                      : get_cost (recorded->all, path, self->by_mean));
    }
  return sum / self->sides[side]->len;
}

static double
get_grown (const Sides *self, const char *path)
{
  return get_side (self, TB_CONTEXTS_OTHER, path, FALSE) - get_side (self, TB_CONTEXTS_BASE, path, FALSE);
}

/* Each path once. */
static GPtrArray *
list_all (const Sides *self)
{
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *paths = g_ptr_array_new ();

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < self->sides[side]->len; i++)
      {
        GHashTableIter iter;
        gpointer path;

        g_hash_table_iter_init (&iter, get_recorded (self, side, i)->all);
        while (g_hash_table_iter_next (&iter, &path, NULL))
          if (g_hash_table_add (told, path))
            g_ptr_array_add (paths, path);
      }
  return paths;
}

static double
get_all_grown (const Sides *self)
{
  g_autoptr (GPtrArray) paths = list_all (self);
  double sum = 0;

  for (guint i = 0; i < paths->len; i++)
    sum += MAX (get_grown (self, g_ptr_array_index (paths, i)), 0);
  return sum;
}

typedef struct
{
  double base;
  double other;
  double low; /* NaN: unknown */
  double high;
  gboolean within_noise;
} Expected;

/* Several calls in one place, of which none makes up nearly all of it, have a spread; of a sum of as many of them: */
static gboolean
get_variance (const Recorded *recorded, const char *path, gboolean by_mean, double *variance)
{
  const Calls *calls = g_hash_table_lookup (recorded->all, path);
  double squares = 0, distances = 0;

  if (calls == NULL || calls->count < 2)
    return FALSE;
  for (guint i = 0; i < calls->owns->len; i++)
    {
      double own = g_array_index (calls->owns, double, i);

      squares += own * own;
      distances += (own - calls->own / calls->count) * (own - calls->own / calls->count);
    }
  if (calls->own * calls->own < 4 * squares)
    return FALSE;
  *variance = distances / (calls->count - 1) * (by_mean ? 1 / calls->count : calls->count) * recorded->scale
              * recorded->scale;
  return TRUE;
}

/* One recording on each side: from the spread of calls, of those sides that the cost is made of. */
static void
expect_by_calls (const Sides *self, const char *path, Expected *expected)
{
  g_autofree char *at = g_strdup (path);
  double sum = 0, one;
  gboolean is_known = FALSE;

  do
    for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
      if ((has (self, side, path) || !self->by_mean)
          && get_variance (get_recorded (self, side, 0), at, self->by_mean, &one))
        {
          sum += one;
          is_known = TRUE;
        }
  while (go_out (at));
  expected->low = is_known ? expected->other - expected->base - 1.96 * sqrt (sum) : NAN;
  expected->high = is_known ? expected->other - expected->base + 1.96 * sqrt (sum) : NAN;
  expected->within_noise |= is_known && expected->low <= 0 && expected->high >= 0;
}

/* Several: from what recordings of one side differ by. */
static void
expect_by_recordings (const Sides *self, const char *path, Expected *expected)
{
  double values[TB_CONTEXTS_N_SIDES][N_RECORDINGS], moved;
  guint n[] = { self->sides[0]->len, self->sides[1]->len };
  TbSpread spread;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < n[side]; i++)
      values[side][i] = get_recorded (self, side, i)->scale
                        * get_path_cost (get_recorded (self, side, i)->all, path, self->by_mean);
  tb_spread_measure (values[0], n[0], values[1], n[1], &spread);
  moved = expected->other - expected->base - spread.delta;
  expected->low = spread.low + moved;
  expected->high = spread.high + moved;
  expected->within_noise |= spread.within_noise;
}

/* What only one side has counts in full: its frames, which cost nothing on the other side; and, with means, its callers. */
static Expected
expect (const Sides *self, const char *path)
{
  Expected expected = { .base = get_side (self, TB_CONTEXTS_BASE, path, TRUE),
                        .other = get_side (self, TB_CONTEXTS_OTHER, path, TRUE) };

  if (self->by_mean && !has (self, TB_CONTEXTS_BASE, path))
    expected.base = 0;
  if (self->by_mean && !has (self, TB_CONTEXTS_OTHER, path))
    expected.other = 0;
  expected.within_noise = fabs (expected.other - expected.base) <= 0.01 * MAX (expected.base, expected.other);
  if (self->sides[0]->len + self->sides[1]->len > 2)
    expect_by_recordings (self, path, &expected);
  else
    expect_by_calls (self, path, &expected);
  return expected;
}

static void
assert_bound (double found, double expected)
{
  g_assert_true (isnan (found) == isnan (expected));
  if (!isnan (found))
    assert_close (found, expected);
}

static char *
get_pair_name (const TbContextsMatch *match, guint32 pair)
{
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (match, pair, &node);

  return get_name (summary->context_tree, node);
}

static void
assert_share (const Sides *self,
              const TbContextsDifference *path,
              const char *name,
              const char *hot,
              GHashTable *claimed)
{
  g_autofree char *at = g_strdup (name);
  double claim = 0, whole = get_all_grown (self);

  do
    {
      if (g_hash_table_add (claimed, g_strdup (at)))
        claim += MAX (get_grown (self, at), 0);
      g_assert_cmpfloat (get_grown (self, at), <=, get_grown (self, hot) + 1e-6);
    }
  while (go_out (at));
  assert_close (path->share, whole > 0 ? claim / whole : 0);
}

static void
assert_differences (const Sides *self, const TbContextsMatch *match, gboolean of_gains, guint n_expected)
{
  const GArray *paths = of_gains ? match->gains : match->paths;
  g_autoptr (GHashTable) claimed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  double before = 0, shares = 0;
  gboolean was_noise = FALSE;

  g_assert_cmpuint (paths->len, ==, n_expected);
  for (guint i = 0; i < paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (paths, TbContextsDifference, i);
      g_autofree char *name = get_pair_name (match, path->pair);
      Expected expected = expect (self, name);

      g_assert_true (is_leaf_of (self, of_gains ? TB_CONTEXTS_BASE : TB_CONTEXTS_OTHER, name));
      g_assert_true (!of_gains || !has (self, TB_CONTEXTS_OTHER, name));
      assert_close (path->base, expected.base);
      assert_close (path->other, expected.other);
      assert_close (path->cost, expected.other - expected.base);
      assert_bound (path->low, expected.low);
      assert_bound (path->high, expected.high);
      g_assert_cmpint (path->within_noise, ==, expected.within_noise);
      if (!of_gains)
        {
          g_autofree char *hot = get_pair_name (match, path->hot);

          assert_share (self, path, name, hot, claimed);
          shares += path->share;
        }
      /* Noise last, whatever it costs. */
      g_assert_true (of_gains || path->within_noise || !was_noise);
      if (i > 0 && (of_gains || path->within_noise == was_noise))
        g_assert_true (of_gains ? path->cost >= before : path->cost <= before);
      before = path->cost;
      was_noise = path->within_noise;
      g_assert_true (g_hash_table_add (listed, g_steal_pointer (&name)));
    }
  g_assert_cmpfloat (shares, <=, 1 + 1e-9);
}

/* top: 0 all */
static void
assert_match (const Sides *self, const TbContextsMatch *match, guint top)
{
  g_autoptr (GPtrArray) paths = list_all (self);
  guint n_paths = 0, n_gains = 0;

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);

      n_paths += is_leaf_of (self, TB_CONTEXTS_OTHER, path);
      n_gains += !has (self, TB_CONTEXTS_OTHER, path) && is_leaf_of (self, TB_CONTEXTS_BASE, path);
    }
  assert_differences (self, match, FALSE, top > 0 ? MIN (n_paths, top) : n_paths);
  assert_differences (self, match, TRUE, top > 0 ? MIN (n_gains, top) : n_gains);
}

/* Each side has recordings of its own, whose functions have other numbers. */
static void
compare_random (GRand *rand, RandomRecording *const *recordings)
{
  const TbContextsOptions options = draw_options (rand);
  Sides sides = { .by_mean = options.by_mean };
  GArray *compared[TB_CONTEXTS_N_SIDES];
  g_autoptr (TbContextsMatch) match = NULL;
  gboolean several = g_rand_boolean (rand);

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      guint n = several ? (guint) g_rand_int_range (rand, 1, N_RECORDINGS + 1) : 1;

      sides.sides[side] = g_array_new (FALSE, FALSE, sizeof (Recorded));
      g_array_set_clear_func (sides.sides[side], recorded_clear);
      compared[side] = g_array_new (FALSE, FALSE, sizeof (TbContextsRecording));
      for (guint i = 0; i < n; i++)
        {
          const RandomRecording *of = recordings[g_rand_int_range (rand, 0, N_RECORDINGS)];
          guint thread = (guint) g_rand_int_range (rand, 0, (gint32) of->threads->len);
          double scale = g_rand_boolean (rand) ? 1 : g_rand_double_range (rand, 0.5, 2);
          const Recorded recorded = { add_up (of, thread, options.estimate), scale };
          const TbContextsRecording recording = { summarize (of, thread, &options), scale };

          g_array_append_val (sides.sides[side], recorded);
          g_array_append_val (compared[side], recording);
        }
    }
  match = tb_contexts_match_new (compared);
  assert_match (&sides, match, options.top);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      for (guint i = 0; i < compared[side]->len; i++)
        tb_contexts_summary_free (g_array_index (compared[side], TbContextsRecording, i).summary);
      g_array_unref (compared[side]);
      g_array_unref (sides.sides[side]);
    }
}

static void
test_differences (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint round = 0; round < 10; round++)
    {
      RandomRecording *recordings[N_RECORDINGS];

      for (guint i = 0; i < N_RECORDINGS; i++)
        recordings[i] = random_recording_new (rand, (round + i) % 2 ? RANDOM_ALL : RANDOM_SAMPLES, N_THREADS,
                                              (guint) g_rand_int_range (rand, 1, 20), 40);
      for (guint i = 0; i < 200; i++)
        compare_random (rand, recordings);
      for (guint i = 0; i < N_RECORDINGS; i++)
        random_recording_free (recordings[i]);
    }
}

/* --- intervals beside drawing calls anew --- */

#define N_DRAWN 1000
/* Of fewer calls the sample's own variance is another than that of what is drawn from it. */
#define ENOUGH_CALLS 30

/* The sum over a path of as many of its functions' calls as there are, drawn from them with replacement; where resampling
 * tells nothing it is as it is. */
static double
draw_path (GRand *rand, const Recorded *recorded, const char *path, gboolean by_mean)
{
  g_autofree char *at = g_strdup (path);
  double sum = 0, ignored;

  do
    {
      const Calls *calls = g_hash_table_lookup (recorded->all, at);
      double drawn = 0;

      if (calls == NULL)
        continue;
      if (!get_variance (recorded, at, by_mean, &ignored))
        drawn = calls->own;
      else
        for (guint i = 0; i < calls->owns->len; i++)
          drawn += g_array_index (calls->owns, double, g_rand_int_range (rand, 0, (gint32) calls->owns->len));
      sum += (by_mean ? drawn / calls->count : drawn) * recorded->scale;
    }
  while (go_out (at));
  return sum;
}

static gboolean
has_enough_calls (const Sides *self, const char *path)
{
  g_autofree char *at = g_strdup (path);
  double ignored;

  do
    for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
      {
        const Recorded *recorded = get_recorded (self, side, 0);

        if (get_variance (recorded, at, self->by_mean, &ignored)
            && ((Calls *) g_hash_table_lookup (recorded->all, at))->count < ENOUGH_CALLS)
          return FALSE;
      }
  while (go_out (at));
  return TRUE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

static void
assert_drawn_alike (GRand *rand, const Sides *self, const TbContextsDifference *path, const char *name)
{
  double drawn[N_DRAWN], mean = 0, squares = 0, deviation, half = (path->high - path->low) / 2;

  for (guint i = 0; i < N_DRAWN; i++)
    {
      drawn[i] = draw_path (rand, get_recorded (self, TB_CONTEXTS_OTHER, 0), name, self->by_mean)
                 - draw_path (rand, get_recorded (self, TB_CONTEXTS_BASE, 0), name, self->by_mean);
      mean += drawn[i] / N_DRAWN;
    }
  for (guint i = 0; i < N_DRAWN; i++)
    squares += (drawn[i] - mean) * (drawn[i] - mean);
  deviation = sqrt (squares / (N_DRAWN - 1));
  g_assert_cmpfloat_with_epsilon (half / 1.96, deviation, 0.13 * deviation);
  qsort (drawn, N_DRAWN, sizeof *drawn, compare_doubles);
  g_assert_cmpfloat_with_epsilon (path->low, drawn[N_DRAWN / 40], 0.45 * deviation);
  g_assert_cmpfloat_with_epsilon (path->high, drawn[N_DRAWN - 1 - N_DRAWN / 40], 0.45 * deviation);
}

/* Few contexts, many calls of each; one recording on each side. */
static guint
compare_drawn (GRand *rand)
{
  const TbContextsOptions options = { .events = TB_CONTEXTS_ALL_EVENTS,
                                      .estimate = TB_CONTEXTS_AGGRESSIVE,
                                      .by_mean = g_rand_boolean (rand) };
  Sides sides = { .by_mean = options.by_mean };
  GArray *compared[TB_CONTEXTS_N_SIDES];
  g_autoptr (RandomRecording) of = random_recording_new (rand, RANDOM_SAMPLES, 2, 5, 900);
  g_autoptr (TbContextsMatch) match = NULL;
  guint n = 0;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      double scale = g_rand_double_range (rand, 0.5, 2);
      const Recorded recorded = { add_up (of, side, options.estimate), scale };
      const TbContextsRecording recording = { summarize (of, side, &options), scale };

      sides.sides[side] = g_array_new (FALSE, FALSE, sizeof (Recorded));
      g_array_set_clear_func (sides.sides[side], recorded_clear);
      compared[side] = g_array_new (FALSE, FALSE, sizeof (TbContextsRecording));
      g_array_append_val (sides.sides[side], recorded);
      g_array_append_val (compared[side], recording);
    }
  match = tb_contexts_match_new (compared);
  for (guint i = 0; i < match->paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (match->paths, TbContextsDifference, i);
      g_autofree char *name = get_pair_name (match, path->pair);

      /* With means, what is new counts in full, and the other side not at all. */
      if (isnan (path->low) || !has_enough_calls (&sides, name) || (sides.by_mean && !path->is_equal))
        continue;
      assert_drawn_alike (rand, &sides, path, name);
      n++;
    }
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      tb_contexts_summary_free (g_array_index (compared[side], TbContextsRecording, 0).summary);
      g_array_unref (compared[side]);
      g_array_unref (sides.sides[side]);
    }
  return n;
}

static void
test_bootstrap (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  guint n = 0;

  for (guint round = 0; round < 20; round++)
    n += compare_drawn (rand);
  g_assert_cmpuint (n, >=, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/ranking/paths", test_paths);
  g_test_add_func ("/calling-contexts/ranking/differences", test_differences);
  g_test_add_func ("/calling-contexts/ranking/bootstrap", test_bootstrap);
  return g_test_run ();
}
