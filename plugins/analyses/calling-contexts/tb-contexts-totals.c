/* tb-contexts-totals.c: making of the summary of a recording: totals of each context added up from
 * inferred calls here, or from samples of a chosen counter in tb-contexts-samples.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-summary.h"
#include "tb-contexts-samples.h"
#include "tb-contexts-accuracy.h"
#include "trace/tb-trace-evidence.h"

static void
flatten (TbContextsSummary *self)
{
  guint32 n = tb_context_tree_get_n_nodes (self->context_tree);

  self->parents = g_new (guint32, n);
  self->depths = g_new (guint32, n);
  self->kernel = g_new (guint8, n);
  self->function_of = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    {
      TbContextNode node;

      tb_context_tree_get_node (self->context_tree, i, &node);
      self->parents[i] = node.parent;
      self->depths[i] = node.depth;
      self->kernel[i] = node.kernel;
      self->function_of[i] = tb_context_tree_get_function (self->context_tree, i);
    }
  self->tree = (TbContextsTree) { n, self->parents, self->depths, self->kernel, self->function_of };
  self->nodes = g_aligned_alloc0 (n, sizeof *self->nodes, TB_CONTEXTS_CACHE_LINE);
  self->longest = g_new0 (TbContextsLongest, n);
  self->events = g_new0 (guint32, n);
}

typedef struct
{
  TbContextsSummary *summary;
  TbContextsThread thread;
} ThreadBuilder;

static void
add_instance (const TbContextsInstance *instance, gpointer data)
{
  ThreadBuilder *self = data;
  TbContextsSummary *summary = self->summary;
  TbContextsTotals *node = &summary->nodes[instance->node];
  TbContextsEstimate estimate = summary->options.estimate;
  double own = instance->own[estimate];

  summary->n_instances++;
  if (node->count++ == 0 || instance->latency[estimate] > node->longest[estimate])
    {
      gint64 from = estimate == TB_CONTEXTS_REFINED ? instance->from : instance->first;

      summary->longest[instance->node]
          = (TbContextsLongest) { from, from + instance->latency[estimate], instance->thread };
    }
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    {
      node->total[i] += instance->latency[i];
      node->longest[i] = MAX (node->longest[i], instance->latency[i]);
    }
  node->own_squares += own * own;
  if (instance->depth == 1)
    self->thread.covered += instance->latency[estimate];
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TbContextsThread *left = a, *right = b;

  if (left->covered != right->covered)
    return left->covered > right->covered ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static gboolean
infer (TbContextsSummary *self,
       TbSelection *selection,
       TbSelection *process,
       GCancellable *cancellable,
       GError **error)
{
  g_autoptr (TbContextsInput) input
      = tb_contexts_input_new (self->trace, self->context_tree, self->options.events, cancellable,
                               error);
  g_auto (TbContextsInference) inference = { 0 };
  ThreadBuilder adding = { .summary = self };
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);
  if (input == NULL)
    return FALSE;
  tb_contexts_input_set_interval (input, self->options.interval);
  tb_contexts_inference_init (&inference, &self->tree, add_instance, &adding);
  inference.totals = (const char *) self->nodes;
  inference.size = sizeof *self->nodes;
  for (guint32 i = 1; i < n_threads; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if ((selection != NULL && !tb_selection_has_thread (selection, i))
          || (process != NULL && !tb_selection_has_thread (process, i)))
        continue;
      adding.thread
          = (TbContextsThread) { .thread = i, .life = tb_contexts_summary_get_life (self, i) };
      if (!tb_contexts_input_feed (input, i, self->from, self->to, &inference, self->events,
                                   &self->counts))
        continue;
      /* Frames may be known for slightly longer than the thread itself. */
      adding.thread.life = MAX (adding.thread.life, adding.thread.covered);
      g_array_append_val (self->threads, adding.thread);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  g_array_sort (self->threads, compare_threads);
  return TRUE;
}

/* Top-down normalization (Algorithm 3, lines 1 to 6). */
static void
normalize (TbContextsSummary *self)
{
  self->owns = g_new0 (TbContextsOwn, self->tree.n_nodes);
  for (guint32 i = 1; i < self->tree.n_nodes; i++)
    for (guint k = 0; k < TB_CONTEXTS_N_ESTIMATES; k++)
      {
        self->owns[i].own[k] += self->nodes[i].total[k];
        self->owns[self->parents[i]].own[k] -= self->nodes[i].total[k];
      }
}

/* Chooses whose samples are counted: those of the counter that was asked for; else, where calls
 * cannot be inferred, those of the clock, or of the counter with the most samples. */
static gboolean
choose_counter (TbContextsSummary *self, GError **error)
{
  const TbEvidence *evidence = tb_trace_get_evidence (self->trace);
  gboolean is_asked_for = self->options.counter != NULL && *self->options.counter != '\0';

  if (is_asked_for
      && !tb_contexts_find_counter (self->counters, self->options.counter, &self->counter, error))
    return FALSE;
  self->by_samples = is_asked_for || tb_contexts_are_by_samples (self->trace, &self->options);
  if (!is_asked_for && evidence->samples == TB_SAMPLES_NONE
      && evidence->switches == TB_SWITCHES_NONE
      && (self->options.events & TB_CONTEXTS_SAMPLES) != 0)
    self->by_samples = self->counters->len > 0;
  if (self->by_samples && !is_asked_for)
    self->counter = g_array_index (self->counters, TbContextsCounter, 0);
  return TRUE;
}

/* Counts samples where the recording has nothing else that shows where threads were. */
static gboolean
measure (TbContextsSummary *self,
         TbSelection *selection,
         TbSelection *process,
         GCancellable *cancellable,
         GError **error)
{
  self->counters = tb_contexts_list_counters (self->trace, error);
  if (self->counters == NULL || !choose_counter (self, error))
    return FALSE;
  if (self->by_samples)
    {
      self->has_unused_options = self->options.by_mean || self->options.interval > 0;
      self->options.by_mean = FALSE;
      return tb_contexts_count_samples (self, selection, process, cancellable, error);
    }
  if (!infer (self, selection, process, cancellable, error))
    return FALSE;
  normalize (self);
  return TRUE;
}

static void
count_contexts (TbContextsSummary *self)
{
  for (guint32 i = 1; i < self->tree.n_nodes; i++)
    {
      self->n_contexts += self->events[i] > 0;
      self->n_once += self->events[i] == 1;
      self->all += self->owns[i].own[self->options.estimate];
      self->layers[self->kernel[i] != 0] += self->owns[i].own[self->options.estimate];
    }
}

TbContextsSummary *
tb_contexts_summary_new (TbTrace *trace,
                         TbSelection *selection,
                         TbSelection *process,
                         const TbContextsOptions *options,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autoptr (TbContextsSummary) self = g_new0 (TbContextsSummary, 1);

  self->trace = g_object_ref (trace);
  self->context_tree = tb_trace_get_context_tree (trace);
  self->options = *options;
  self->threads = g_array_new (FALSE, FALSE, sizeof (TbContextsThread));
  self->paths = g_array_new (FALSE, FALSE, sizeof (TbContextsPath));
  self->by_layer = g_array_new (FALSE, FALSE, sizeof (TbContextsRollup));
  self->modules = g_array_new (FALSE, FALSE, sizeof (TbContextsRollup));
  self->functions = g_array_new (FALSE, FALSE, sizeof (TbContextsRollup));
  if (selection != NULL)
    tb_selection_get_range (selection, &self->from, &self->to);
  else
    tb_trace_get_range (trace, &self->from, &self->to);
  flatten (self);
  if (!measure (self, selection, process, cancellable, error))
    return NULL;
  count_contexts (self);
  tb_contexts_summary_rank (self);
  tb_contexts_summary_roll_up (self);
  return g_steal_pointer (&self);
}

void
tb_contexts_summary_free (TbContextsSummary *self)
{
  g_clear_object (&self->trace);
  g_clear_object (&self->context_tree);
  g_clear_pointer (&self->counters, g_array_unref);
  g_free (self->parents);
  g_free (self->depths);
  g_free (self->kernel);
  g_free (self->function_of);
  g_clear_pointer (&self->nodes, g_aligned_free);
  g_free (self->longest);
  g_free (self->owns);
  g_free (self->events);
  g_array_unref (self->threads);
  g_array_unref (self->paths);
  g_array_unref (self->by_layer);
  g_array_unref (self->modules);
  g_array_unref (self->functions);
  g_clear_pointer (&self->accuracy, tb_contexts_accuracy_free);
  g_free (self);
}
