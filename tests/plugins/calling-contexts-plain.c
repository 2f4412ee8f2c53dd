/* calling-contexts-plain.c: plain, slow sums over the calls of a random recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "calling-contexts-plain.h"

static void
calls_free (gpointer data)
{
  PlainCalls *self = data;

  g_array_unref (self->owns);
  g_free (self);
}

gboolean
plain_calls (const char *caller, const char *path)
{
  gsize length = strlen (caller);

  return g_str_has_prefix (path, caller) && path[length] == ';';
}

/* Calls by path. Own time is a call's time without its callees, computed from totals. */
GHashTable *
plain_add_up (const RandomRecording *recording, guint thread, TbContextsEstimate estimate)
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
      PlainCalls *of = g_hash_table_lookup (all, name);

      if (of == NULL)
        {
          of = g_new0 (PlainCalls, 1);
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
      ((PlainCalls *) calls)->own = ((PlainCalls *) calls)->total;
      g_hash_table_iter_init (&other, all);
      while (g_hash_table_iter_next (&other, &path_of_other, &other_calls))
        if (plain_calls (path, path_of_other)
            && strchr ((char *) path_of_other + strlen (path) + 1, ';') == NULL)
          ((PlainCalls *) calls)->own -= ((PlainCalls *) other_calls)->total;
    }
  return all;
}

double
plain_get_cost (GHashTable *all, const char *path, gboolean by_mean)
{
  const PlainCalls *calls = g_hash_table_lookup (all, path);

  if (calls == NULL)
    return 0;
  return by_mean ? calls->own / calls->count : calls->own;
}

/* Shortens a path to that of its caller, at last to "". */
gboolean
plain_cut_to_caller (char *path)
{
  char *end = strrchr (path, ';');

  if (end != NULL)
    *end = '\0';
  return end != NULL;
}

gboolean
plain_is_leaf (GHashTable *all, const char *path)
{
  GHashTableIter iter;
  gpointer other;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &other, NULL))
    if (plain_calls (path, other))
      return FALSE;
  return g_hash_table_contains (all, path);
}

double
plain_get_path_cost (GHashTable *all, const char *path, gboolean by_mean)
{
  g_autofree char *at = g_strdup (path);
  double sum = 0;

  do
    sum += plain_get_cost (all, at, by_mean);
  while (plain_cut_to_caller (at));
  return sum;
}

char *
plain_get_name (TbContextTree *tree, guint32 node)
{
  TbContextNode context;
  g_autofree char *callers = NULL;

  tb_context_tree_get_node (tree, node, &context);
  if (context.parent == 0)
    return g_strdup (context.function);
  callers = plain_get_name (tree, context.parent);
  return g_strdup_printf ("%s;%s", callers, context.function);
}

void
plain_assert_close (double found, double expected)
{
  g_assert_cmpfloat_with_epsilon (found, expected, 1e-6 + 1e-9 * fabs (expected));
}

TbContextsSummary *
plain_summarize (const RandomRecording *recording, guint thread, const TbContextsOptions *options)
{
  g_autoptr (TbSelection) selection = tb_selection_new (recording->trace);
  g_autoptr (GError) error = NULL;
  TbContextsSummary *summary;

  tb_selection_add_thread (selection, random_recording_find_thread (recording, thread));
  summary = tb_contexts_summary_new (recording->trace, selection, NULL, options, NULL, &error);
  g_assert_no_error (error);
  return summary;
}

TbContextsOptions
plain_draw_options (GRand *rand)
{
  return (TbContextsOptions) { .events = TB_CONTEXTS_ALL_EVENTS,
                               .estimate = g_rand_int_range (rand, 0, TB_CONTEXTS_N_ESTIMATES),
                               .by_mean = g_rand_boolean (rand),
                               .keep_all = g_rand_boolean (rand),
                               .top = g_rand_boolean (rand)
                                          ? 0
                                          : (guint) g_rand_int_range (rand, 1, 5) };
}
