/* test-calling-contexts-differences.c: test of the ranking of differences between recordings
 * against a plain implementation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "../test-mode.h"
#include "calling-contexts-plain.h"

#define N_RECORDINGS 3
#define N_THREADS 40

/* --- two sides --- */

typedef struct
{
  GHashTable *all; /* calls by path */
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

      if (g_hash_table_contains (all, path) && !plain_is_leaf (all, path))
        return FALSE;
    }
  return has (self, side, path);
}

/* Mean cost of a function or, with whole, of a path over the recordings of a side. */
static double
get_side (const Sides *self, guint side, const char *path, gboolean whole)
{
  double sum = 0;

  for (guint i = 0; i < self->sides[side]->len; i++)
    {
      const Recorded *recorded = get_recorded (self, side, i);

      sum += recorded->scale
             * (whole ? plain_get_path_cost (recorded->all, path, self->by_mean)
                      : plain_get_cost (recorded->all, path, self->by_mean));
    }
  return sum / self->sides[side]->len;
}

static double
get_grown (const Sides *self, const char *path)
{
  return get_side (self, TB_CONTEXTS_OTHER, path, FALSE)
         - get_side (self, TB_CONTEXTS_BASE, path, FALSE);
}

/* Lists each path once. */
static GPtrArray *
list_all (const Sides *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *paths = g_ptr_array_new ();

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < self->sides[side]->len; i++)
      {
        GHashTableIter iter;
        gpointer path;

        g_hash_table_iter_init (&iter, get_recorded (self, side, i)->all);
        while (g_hash_table_iter_next (&iter, &path, NULL))
          if (g_hash_table_add (known, path))
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

/* Several calls of one context, none of which makes up nearly all of the time, have a spread.
 * Returns the variance of a sum of that many calls. */
static gboolean
get_variance (const Recorded *recorded, const char *path, gboolean by_mean, double *variance)
{
  const PlainCalls *calls = g_hash_table_lookup (recorded->all, path);
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
  *variance = distances / (calls->count - 1) * (by_mean ? 1 / calls->count : calls->count)
              * recorded->scale * recorded->scale;
  return TRUE;
}

/* With one recording on each side: spread of calls, from those sides that contribute to the
 * cost. */
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
  while (plain_cut_to_caller (at));
  expected->low = is_known ? expected->other - expected->base - 1.96 * sqrt (sum) : NAN;
  expected->high = is_known ? expected->other - expected->base + 1.96 * sqrt (sum) : NAN;
  expected->within_noise |= is_known && expected->low <= 0 && expected->high >= 0;
}

/* With several recordings: spread of the recordings of one side. */
static void
expect_by_recordings (const Sides *self, const char *path, Expected *expected)
{
  double values[TB_CONTEXTS_N_SIDES][N_RECORDINGS], moved;
  guint n[] = { self->sides[0]->len, self->sides[1]->len };
  TbSpread spread;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < n[side]; i++)
      values[side][i]
          = get_recorded (self, side, i)->scale
            * plain_get_path_cost (get_recorded (self, side, i)->all, path, self->by_mean);
  tb_spread_measure (values[0], n[0], values[1], n[1], &spread);
  moved = expected->other - expected->base - spread.delta;
  expected->low = spread.low + moved;
  expected->high = spread.high + moved;
  expected->within_noise |= spread.within_noise;
}

/* What only one side has counts in full: its frames, which cost nothing on the other side, and,
 * with means, its callers. */
static Expected
expect (const Sides *self, const char *path)
{
  Expected expected = { .base = get_side (self, TB_CONTEXTS_BASE, path, TRUE),
                        .other = get_side (self, TB_CONTEXTS_OTHER, path, TRUE) };

  if (self->by_mean && !has (self, TB_CONTEXTS_BASE, path))
    expected.base = 0;
  if (self->by_mean && !has (self, TB_CONTEXTS_OTHER, path))
    expected.other = 0;
  expected.within_noise
      = fabs (expected.other - expected.base) <= 0.01 * MAX (expected.base, expected.other);
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
    plain_assert_close (found, expected);
}

static char *
get_pair_name (const TbContextsMatch *match, guint32 pair)
{
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (match, pair, &node);

  return plain_get_name (summary->context_tree, node);
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
  while (plain_cut_to_caller (at));
  plain_assert_close (path->share, whole > 0 ? claim / whole : 0);
}

static void
assert_differences (const Sides *self,
                    const TbContextsMatch *match,
                    gboolean of_gains,
                    guint n_expected)
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
      plain_assert_close (path->base, expected.base);
      plain_assert_close (path->other, expected.other);
      plain_assert_close (path->cost, expected.other - expected.base);
      assert_bound (path->low, expected.low);
      assert_bound (path->high, expected.high);
      g_assert_cmpint (path->within_noise, ==, expected.within_noise);
      if (!of_gains)
        {
          g_autofree char *hot = get_pair_name (match, path->hot);

          assert_share (self, path, name, hot, claimed);
          shares += path->share;
        }
      /* Noise comes last, whatever its cost. */
      g_assert_true (of_gains || path->within_noise || !was_noise);
      if (i > 0 && (of_gains || path->within_noise == was_noise))
        g_assert_true (of_gains ? path->cost >= before : path->cost <= before);
      before = path->cost;
      was_noise = path->within_noise;
      g_assert_true (g_hash_table_add (listed, g_steal_pointer (&name)));
    }
  g_assert_cmpfloat (shares, <=, 1 + 1e-9);
}

/* top: number of paths listed; 0: all */
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

/* The sides have different recordings, and their functions have different numbers. */
static void
compare_random (GRand *rand, RandomRecording *const *recordings)
{
  const TbContextsOptions options = plain_draw_options (rand);
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
          const Recorded recorded = { plain_add_up (of, thread, options.estimate), scale };
          const TbContextsRecording recording = { plain_summarize (of, thread, &options), scale };

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

  for (guint round = 0; round < test_rounds (10, 2); round++)
    {
      RandomRecording *recordings[N_RECORDINGS];

      for (guint i = 0; i < N_RECORDINGS; i++)
        recordings[i]
            = random_recording_new (rand, (round + i) % 2 ? RANDOM_ALL : RANDOM_MARKS, N_THREADS,
                                    (guint) g_rand_int_range (rand, 1, 20), 40);
      for (guint i = 0; i < 200; i++)
        compare_random (rand, recordings);
      for (guint i = 0; i < N_RECORDINGS; i++)
        random_recording_free (recordings[i]);
    }
}

/* --- comparison of prediction intervals with resampling --- */

#define N_DRAWN 1000
/* With fewer calls, the variance of the resampled sums differs from that of the sample. */
#define ENOUGH_CALLS 30

/* Sum over a path of its functions' calls, the same number drawn with replacement. Where resampling
 * is not applicable the sum is that of the calls themselves. */
static double
draw_path (GRand *rand, const Recorded *recorded, const char *path, gboolean by_mean)
{
  g_autofree char *at = g_strdup (path);
  double sum = 0, ignored;

  do
    {
      const PlainCalls *calls = g_hash_table_lookup (recorded->all, at);
      double drawn = 0;

      if (calls == NULL)
        continue;
      if (!get_variance (recorded, at, by_mean, &ignored))
        drawn = calls->own;
      else
        for (guint i = 0; i < calls->owns->len; i++)
          drawn += g_array_index (calls->owns, double,
                                  g_rand_int_range (rand, 0, (gint32) calls->owns->len));
      sum += (by_mean ? drawn / calls->count : drawn) * recorded->scale;
    }
  while (plain_cut_to_caller (at));
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
            && ((PlainCalls *) g_hash_table_lookup (recorded->all, at))->count < ENOUGH_CALLS)
          return FALSE;
      }
  while (plain_cut_to_caller (at));
  return TRUE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

static void
assert_drawn_alike (GRand *rand,
                    const Sides *self,
                    const TbContextsDifference *path,
                    const char *name)
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
  g_autoptr (RandomRecording) of = random_recording_new (rand, RANDOM_MARKS, 2, 5, 900);
  g_autoptr (TbContextsMatch) match = NULL;
  guint n = 0;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      double scale = g_rand_double_range (rand, 0.5, 2);
      const Recorded recorded = { plain_add_up (of, side, options.estimate), scale };
      const TbContextsRecording recording = { plain_summarize (of, side, &options), scale };

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

      /* With means, a new path counts in full, and the other side not at all. */
      if (isnan (path->low) || !has_enough_calls (&sides, name)
          || (sides.by_mean && !path->is_equal))
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
  g_test_add_func ("/calling-contexts/differences/random", test_differences);
  g_test_add_func ("/calling-contexts/differences/bootstrap", test_bootstrap);
  return recording_run_tests ();
}
