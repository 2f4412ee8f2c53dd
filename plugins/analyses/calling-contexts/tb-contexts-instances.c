/* tb-contexts-instances.c: single calls of chosen contexts, inferred again from the events of a
 * recording: thread and times of each, and counts of them by duration
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-instances.h"

/* Largest number of calls kept of one node: more than a user looks at, and few enough that the rows
 * of a million nodes fit into memory. */
#define MAX_CALLS 20000

typedef struct
{
  TbContextsInstances *instances;
  TbContextsCalls **of_nodes; /* by node; NULL: not wanted */
  TbContextsEstimate estimate;
} InstancesBuilder;

static void
calls_free (gpointer data)
{
  TbContextsCalls *calls = data;

  g_array_unref (calls->calls);
  g_free (calls);
}

void
tb_contexts_instances_free (TbContextsInstances *self)
{
  g_hash_table_unref (self->nodes);
  g_free (self);
}

const TbContextsCalls *
tb_contexts_instances_get (const TbContextsInstances *self, guint32 node)
{
  const TbContextsCalls *calls = g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (node));

  return calls != NULL && calls->n > 0 ? calls : NULL;
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const TbContextsCall *left = a, *right = b;
  gint64 left_ns = left->to - left->from, right_ns = right->to - right->from;

  if (left_ns != right_ns)
    return left_ns > right_ns ? -1 : 1;
  return left->from < right->from ? -1 : left->from > right->from;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const TbContextsCall *left = a, *right = b;

  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static void
keep_longest (GArray *calls)
{
  g_array_sort (calls, compare_lengths);
  g_array_set_size (calls, MIN (calls->len, MAX_CALLS));
}

static void
add_instance (const TbContextsInstance *instance, gpointer data)
{
  InstancesBuilder *self = data;
  TbContextsCalls *calls = self->of_nodes[instance->node];
  gint64 length = instance->latency[self->estimate];
  gint64 from = self->estimate == TB_CONTEXTS_REFINED ? instance->from : instance->first;
  TbContextsCall call = { instance->thread, from, from + length };
  guint bin = length > 1 ? 63 - (guint) __builtin_clzll ((unsigned long long) length) : 0;

  if (calls == NULL)
    return;
  calls->n++;
  calls->bins[bin]++;
  calls->sums[bin] += (guint64) MAX (length, 0);
  g_array_append_val (calls->calls, call);
  if (calls->calls->len >= 2 * MAX_CALLS)
    keep_longest (calls->calls);
}

static void
finish (InstancesBuilder *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->instances->nodes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      TbContextsCalls *calls = value;

      keep_longest (calls->calls);
      g_array_sort (calls->calls, compare_times);
    }
}

TbContextsInstances *
tb_contexts_instances_new (TbContextsSummary *summary,
                           const guint8 *wanted,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (TbContextsInstances) self = g_new0 (TbContextsInstances, 1);
  g_autoptr (TbContextsInput) input = NULL;
  g_auto (TbContextsInference) inference = { 0 };
  g_autofree TbContextsCalls **of_nodes = g_new0 (TbContextsCalls *, summary->tree.n_nodes);
  InstancesBuilder gathering = { self, of_nodes, summary->options.estimate };
  TbContextsCounts counts = { 0 };

  self->summary = summary;
  self->nodes = g_hash_table_new_full (NULL, NULL, NULL, calls_free);
  for (guint32 i = 1; i < summary->tree.n_nodes; i++)
    if (wanted[i])
      {
        of_nodes[i] = g_new0 (TbContextsCalls, 1);
        of_nodes[i]->calls = g_array_new (FALSE, FALSE, sizeof (TbContextsCall));
        g_hash_table_insert (self->nodes, GUINT_TO_POINTER (i), of_nodes[i]);
      }
  input = tb_contexts_input_new (summary->trace, summary->context_tree, summary->options.events,
                                 cancellable, error);
  if (input == NULL)
    return NULL;
  tb_contexts_input_set_interval (input, summary->options.interval);
  tb_contexts_inference_init (&inference, &summary->tree, add_instance, &gathering);
  for (guint i = 0; i < summary->threads->len; i++)
    {
      guint32 thread = g_array_index (summary->threads, TbContextsThread, i).thread;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      tb_contexts_input_feed (input, thread, summary->from, summary->to, &inference, NULL, &counts);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  finish (&gathering);
  return g_steal_pointer (&self);
}
