/* test-calling-contexts-ranking.c: test of the ranking of paths and functions against a plain
 * implementation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "../test-mode.h"
#include "calling-contexts-plain.h"

static double
get_own_of_all (GHashTable *all)
{
  GHashTableIter iter;
  gpointer calls;
  double sum = 0;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, NULL, &calls))
    sum += ((PlainCalls *) calls)->own;
  return sum;
}

/* A path counts frames that no path before it has. Of equally hot functions the innermost one is
 * the hottest. */
static void
contexts_assert_path (const TbContextsSummary *summary,
                      const TbContextsPath *path,
                      GHashTable *all,
                      GHashTable *claimed)
{
  gboolean by_mean = summary->options.by_mean;
  g_autofree char *name = plain_get_name (summary->context_tree, path->node);
  g_autofree char *hot = plain_get_name (summary->context_tree, path->hot);
  g_autofree char *at = g_strdup (name);
  double claim = 0, whole = get_own_of_all (all);

  g_assert_true (plain_is_leaf (all, name));
  plain_assert_close (path->cost, plain_get_path_cost (all, name, by_mean));
  do
    {
      if (g_hash_table_add (claimed, g_strdup (at)))
        claim += plain_get_cost (all, at, FALSE);
      g_assert_cmpfloat (plain_get_cost (all, at, by_mean), <=, plain_get_cost (all, hot, by_mean));
      g_assert_true (!plain_calls (hot, at)
                     || plain_get_cost (all, at, by_mean) < plain_get_cost (all, hot, by_mean));
    }
  while (plain_cut_to_caller (at));
  g_assert_true (g_str_equal (hot, name) || plain_calls (hot, name));
  plain_assert_close (path->share, whole > 0 ? claim / whole : 0);
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

      contexts_assert_path (summary, found, all, claimed);
      g_assert_cmpfloat (found->cost, <=, least);
      g_assert_true (
          g_hash_table_add (listed, plain_get_name (summary->context_tree, found->node)));
      least = found->cost;
      shares += found->share;
    }
  g_assert_cmpfloat (shares, <=, 1 + 1e-9);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    if (plain_is_leaf (all, path))
      {
        n++;
        g_assert_true (g_hash_table_contains (listed, path)
                       || plain_get_path_cost (all, path, summary->options.by_mean)
                              <= least + 1e-6);
      }
  g_assert_cmpuint (summary->n_paths, ==, n);
  g_assert_cmpuint (summary->paths->len, ==,
                    summary->options.top > 0 ? MIN (n, summary->options.top) : n);
  if (summary->options.top == 0 && get_own_of_all (all) > 0)
    plain_assert_close (shares, 1);
}

/* Own time of a function, a module or a layer, in all contexts. */
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
        sum += ((PlainCalls *) calls)->own;
    }
  return sum;
}

static void
assert_rollups (const TbContextsSummary *summary, GHashTable *all)
{
  GArray *const lists[] = { summary->functions, summary->modules, summary->by_layer };
  guint top = summary->options.keep_all ? 0 : summary->options.top;

  g_assert_cmpuint (summary->functions->len, ==,
                    top > 0 ? MIN (top, summary->n_functions) : summary->n_functions);
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    {
      double sum = 0, before = INFINITY;

      for (guint i = 0; i < lists[k]->len; i++)
        {
          const TbContextsRollup *rollup = &g_array_index (lists[k], TbContextsRollup, i);

          plain_assert_close ((double) rollup->own, get_own_of (all, rollup, k == 1, k == 2));
          g_assert_cmpfloat ((double) rollup->own, <=, before);
          before = (double) rollup->own;
          sum += before;
        }
      if (k > 0 || top == 0)
        plain_assert_close (sum, get_own_of_all (all));
    }
}

/* With the chosen estimate, the longest call is known. */
static void
assert_node (const TbContextsSummary *summary,
             guint32 node,
             TbContextsEstimate estimate,
             const PlainCalls *calls,
             guint32 thread)
{
  const TbContextsTotals *totals = &summary->nodes[node];
  const TbContextsLongest *longest = &summary->longest[node];

  g_assert_cmpuint (totals->count, ==, calls != NULL ? (guint64) calls->count : 0);
  g_assert_cmpint (totals->longest[estimate], ==, calls != NULL ? calls->longest : 0);
  plain_assert_close ((double) totals->total[estimate], calls != NULL ? calls->total : 0);
  plain_assert_close ((double) summary->owns[node].own[estimate], calls != NULL ? calls->own : 0);
  if (calls == NULL || estimate != summary->options.estimate)
    return;
  g_assert_cmpint (longest->from, ==, calls->longest_from);
  g_assert_cmpint (longest->to, ==, calls->longest_from + calls->longest);
  g_assert_cmpuint (longest->thread, ==, thread);
}

/* Every node with every estimate, whichever one is chosen. */
static void
assert_nodes (const TbContextsSummary *summary, const RandomRecording *recording, guint thread)
{
  for (TbContextsEstimate estimate = 0; estimate < TB_CONTEXTS_N_ESTIMATES; estimate++)
    {
      g_autoptr (GHashTable) all = plain_add_up (recording, thread, estimate);
      guint n_found = 0;

      for (guint32 node = 1; node < summary->tree.n_nodes; node++)
        {
          g_autofree char *name = plain_get_name (summary->context_tree, node);
          const PlainCalls *calls = g_hash_table_lookup (all, name);

          assert_node (summary, node, estimate, calls,
                       random_recording_find_thread (recording, thread));
          n_found += calls != NULL;
        }
      g_assert_cmpuint (n_found, ==, g_hash_table_size (all));
    }
}

static void
test_paths (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint round = 0; round < test_rounds (20, 4); round++)
    {
      g_autoptr (RandomRecording) recording
          = random_recording_new (rand, round % 2 ? RANDOM_ALL : RANDOM_MARKS, 100,
                                  (guint) g_rand_int_range (rand, 1, 30), 40);

      for (guint i = 0; i < recording->threads->len; i++)
        {
          const TbContextsOptions options = plain_draw_options (rand);
          g_autoptr (TbContextsSummary) summary = plain_summarize (recording, i, &options);
          g_autoptr (GHashTable) all = plain_add_up (recording, i, options.estimate);

          assert_nodes (summary, recording, i);
          assert_paths (summary, all);
          assert_rollups (summary, all);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/ranking/paths", test_paths);
  return recording_run_tests ();
}
