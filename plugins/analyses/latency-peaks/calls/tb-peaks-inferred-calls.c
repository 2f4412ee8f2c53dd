/* tb-peaks-inferred-calls.c: calls of functions that were not probed, inferred from stacks (by
 * tb-contexts-inference.c), as a table; the duration below which most of a function's calls are
 * missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "call-inference/tb-contexts-inference.h"
#include "call-inference/tb-contexts-input.h"
#include "trace/tb-trace-evidence.h"
#include "tb-peaks-inferred-calls.h"

#define THREADS_BETWEEN_CHECKS 16

typedef struct
{
  TbPeaksCalls *calls;
  TbPeaksTable *table;
  TbContextTree *tree;
  guint32 *parents;
  guint32 *depths;
  guint8 *kernel;
  guint32 *function_of;
  guint32 *key_of; /* by context; TB_ID_NONE: the function is probed */
  TbContextsTree contexts;
  gint64 from;
  gint64 to;
  guint32 first;        /* first row of the current thread in the table */
  double *visible_from; /* by function: sum of the event spacing of the threads that call it */
  guint64 *n_calls;
} Inferring;

static gboolean
is_probed (GHashTable *probed, const char *function, const char *id)
{
  return g_hash_table_contains (probed, function) || g_hash_table_contains (probed, id);
}

static GHashTable *
list_probed (const TbPeaksCalls *calls)
{
  GHashTable *probed = g_hash_table_new (g_str_hash, g_str_equal);
  const TbPeaksTable *functions = &calls->tables[TB_PEAKS_FUNCTION];
  TbSession *session = tb_trace_get_session (calls->trace);
  g_autofree guint8 *seen = g_malloc0 (tb_session_get_n_strings (session) + 1);

  for (gsize i = 0; i < functions->n; i++)
    {
      guint32 string = MIN (functions->key[i], tb_session_get_n_strings (session));

      if (seen[string])
        continue;
      seen[string] = TRUE;
      g_hash_table_add (probed, (gpointer) tb_session_get_string (session, string));
    }
  return probed;
}

/* Assigns one key to each function, regardless of its callers. */
static void
assign_keys (Inferring *self)
{
  guint32 n = tb_context_tree_get_n_nodes (self->tree);
  g_autoptr (GHashTable) probed = list_probed (self->calls);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);

  self->parents = g_new (guint32, n + 1);
  self->depths = g_new (guint32, n + 1);
  self->kernel = g_new (guint8, n + 1);
  self->function_of = g_new (guint32, n + 1);
  self->key_of = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      TbContextNode node;
      g_autofree char *id = NULL;
      gpointer key;

      tb_context_tree_get_node (self->tree, i, &node);
      self->parents[i] = node.parent;
      self->depths[i] = node.depth;
      self->kernel[i] = node.kernel;
      self->function_of[i] = tb_context_tree_get_function (self->tree, i);
      self->key_of[i] = TB_ID_NONE;
      id = *node.module != '\0' ? g_strdup_printf ("%s@%s", node.function, node.module)
                                : g_strdup (node.function);
      if (i == 0 || is_probed (probed, node.function, id))
        continue;
      if (!g_hash_table_lookup_extended (keys, id, NULL, &key))
        {
          key = GUINT_TO_POINTER (self->table->names->len);
          g_hash_table_insert (keys, id, key);
          g_ptr_array_add (self->table->names, g_steal_pointer (&id));
        }
      self->key_of[i] = GPOINTER_TO_UINT (key);
    }
  self->contexts
      = (TbContextsTree) { n, self->parents, self->depths, self->kernel, self->function_of };
}

/* The start or end of a call that extends to the start or end of the recording is unknown. */
static void
add_instance (const TbContextsInstance *instance, gpointer data)
{
  Inferring *self = data;
  guint32 key = self->key_of[instance->node];

  if (key == TB_ID_NONE)
    return;
  tb_peaks_table_add (self->table, instance->first > self->from ? instance->from : TB_TIME_NONE,
                      instance->to < self->to ? instance->to : TB_TIME_NONE, instance->thread, key,
                      instance->node);
}

/* The median running time between two events, as a power of two. */
static gint64
get_median_spacing (const TbContextsInference *inference)
{
  guint64 all = 0, so_far = 0;

  for (guint i = 0; i < G_N_ELEMENTS (inference->spacings); i++)
    all += inference->spacings[i];
  for (guint i = 0; i < G_N_ELEMENTS (inference->spacings); i++)
    {
      so_far += inference->spacings[i];
      if (all > 0 && so_far * 2 >= all)
        return G_GINT64_CONSTANT (1) << MIN (i, 62);
    }
  return 0;
}

static void
end_thread (Inferring *self, const TbContextsInference *inference)
{
  gint64 spacing = get_median_spacing (inference);

  for (; self->first < self->table->derived[3]->len; self->first++)
    {
      guint32 key = g_array_index (self->table->derived[3], guint32, self->first);

      self->visible_from[key] += (double) spacing;
      self->n_calls[key]++;
    }
}

static gboolean
infer (Inferring *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbContextsInput) input
      = tb_contexts_input_new (self->calls->trace, self->tree, TB_CONTEXTS_ALL_EVENTS, cancellable,
                               error);
  g_auto (TbContextsInference) inference = { 0 };
  TbContextsCounts counts = { 0 };

  if (input == NULL)
    return FALSE;
  tb_contexts_inference_init (&inference, &self->contexts, add_instance, self);
  for (guint32 i = 1; i < self->calls->n_threads; i++)
    {
      if (i % THREADS_BETWEEN_CHECKS == 0
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!tb_peaks_calls_has_thread (self->calls, i))
        continue;
      memset (inference.spacings, 0, sizeof inference.spacings);
      tb_contexts_input_feed (input, i, self->from, self->to, &inference, NULL, &counts);
      end_thread (self, &inference);
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static void
store_visibility (Inferring *self)
{
  self->table->visible_from = g_array_new (FALSE, TRUE, sizeof (gint64));
  for (guint i = 0; i < self->table->names->len; i++)
    {
      gint64 visible_from
          = self->n_calls[i] > 0 ? (gint64) (self->visible_from[i] / (double) self->n_calls[i]) : 0;

      g_array_append_val (self->table->visible_from, visible_from);
    }
}

static gboolean
is_inferable (TbTrace *trace)
{
  const TbEvidence *evidence = tb_trace_get_evidence (trace);

  /* Without the stack of a wait it is not known in which function a thread waits. */
  return tb_evidence_answers (evidence, TB_QUESTION_FUNCTIONS) || evidence->has_calls;
}

gboolean
tb_peaks_make_inferred (TbPeaksCalls *calls,
                        TbPeaksTable *table,
                        GCancellable *cancellable,
                        GError **error)
{
  Inferring self = { .calls = calls, .table = table };
  gboolean is_good;

  self.tree = tb_trace_get_context_tree (calls->trace);
  tb_trace_get_range (calls->trace, &self.from, &self.to);
  tb_peaks_table_begin (table, g_ptr_array_new_with_free_func (g_free));
  assign_keys (&self);
  self.visible_from = g_new0 (double, table->names->len + 1);
  self.n_calls = g_new0 (guint64, table->names->len + 1);
  /* Samples alone do not show whether a thread slept between them: no call has a duration. */
  is_good = !is_inferable (calls->trace) || infer (&self, cancellable, error);
  if (is_good)
    store_visibility (&self);
  tb_peaks_table_finish (table);
  g_clear_object (&self.tree);
  g_free (self.parents);
  g_free (self.depths);
  g_free (self.kernel);
  g_free (self.function_of);
  g_free (self.key_of);
  g_free (self.visible_from);
  g_free (self.n_calls);
  return is_good;
}
