/* tb-contexts-accuracy.c: accuracy of inferred calls, compared with the recorded calls of probed
 * functions: how many calls and contexts stacks show, and errors of the inferred times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-accuracy.h"

#include <math.h>

#define SLOWEST 0.01

/* A probed call. */
typedef struct
{
  gint64 enter;
  gint64 exit;
  guint32 node;
  guint32 n_instances;
  gboolean observed;
  gint64 estimates[TB_CONTEXTS_N_ESTIMATES];
} Call;

/* The true time of something, and its estimates. */
typedef struct
{
  gint64 truth;
  gint64 estimates[TB_CONTEXTS_N_ESTIMATES];
  guint64 n;
  gboolean observed;
} Sample;

typedef struct
{
  gint64 ns;
  gboolean observed;
} ObservedTime;

typedef struct
{
  TbContextsAccuracy *accuracy;
  TbContextsSummary *summary;
  TbContextsInput *input;
  guint8 *is_probed;  /* by function */
  GArray *calls;      /* Call, of one thread */
  GArray *instances;  /* TbContextsInstance, of one thread */
  GArray *open;       /* guint, indices of calls, outermost first */
  guint next;         /* first call that has not been entered yet */
  GArray *samples[3]; /* Sample, by level: calls, instances, and instances with a single call */
  GArray *gap_ns;     /* double, of instances with several calls: time between these */
  GArray *offsets;    /* TbContextsOffset, of instances */
  GHashTable *contexts;
  GArray *call_times; /* ObservedTime, of all threads */
} Work;

const char *
tb_contexts_level_get_name (TbContextsLevel level)
{
  static const char *const names[TB_CONTEXTS_N_LEVELS]
      = { "calls", "instances", "singles", "contexts", "functions" };

  return names[level];
}

void
tb_contexts_accuracy_free (TbContextsAccuracy *self)
{
  g_array_unref (self->threads);
  g_clear_pointer (&self->functions, g_array_unref);
  g_free (self);
}

/* --- observed calls --- */

static Call *
get_call (const Work *self, guint i)
{
  return &g_array_index (self->calls, Call, i);
}

/* Handles an event with a stack: marks the open calls that the stack contains as seen. */
static void
watch (const TbContextsInference *inference, gint64 time, gpointer data)
{
  Work *self = data;

  while (self->open->len > 0
         && get_call (self, g_array_index (self->open, guint, self->open->len - 1))->exit < time)
    g_array_set_size (self->open, self->open->len - 1);
  for (; self->next < self->calls->len && get_call (self, self->next)->enter <= time; self->next++)
    if (get_call (self, self->next)->exit >= time)
      g_array_append_val (self->open, self->next);
  for (guint i = 0; i < self->open->len; i++)
    {
      Call *call = get_call (self, g_array_index (self->open, guint, i));
      guint32 depth = inference->tree->depth[call->node];

      call->observed
          |= depth <= inference->n_frames && inference->frames[depth - 1].node == call->node;
    }
}

static void
add_instance (const TbContextsInstance *instance, gpointer data)
{
  Work *self = data;

  if (self->is_probed[tb_context_tree_get_function (self->summary->context_tree, instance->node)])
    g_array_append_vals (self->instances, instance, 1);
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const Call *left = a, *right = b;

  if (left->node != right->node)
    return left->node < right->node ? -1 : 1;
  return left->enter < right->enter ? -1 : left->enter > right->enter;
}

static int
compare_instances (gconstpointer a, gconstpointer b)
{
  const TbContextsInstance *left = a, *right = b;

  if (left->node != right->node)
    return left->node < right->node ? -1 : 1;
  return left->first < right->first ? -1 : left->first > right->first;
}

/* Gets the calls of one thread in the order in which they were entered, the outer one first. */
static void
get_calls (Work *self, guint32 thread)
{
  guint n = tb_contexts_input_get_n_calls (self->input, thread);

  g_array_set_size (self->calls, 0);
  for (guint i = 0; i < n; i++)
    {
      TbContextsProbed probed;
      Call call = { 0 };

      tb_contexts_input_get_call (self->input, thread, i, &probed);
      if (probed.enter < self->summary->from || probed.enter >= self->summary->to)
        continue;
      self->accuracy->n_open += probed.exit < probed.enter || probed.exit > self->summary->to;
      if (probed.exit < probed.enter || probed.exit > self->summary->to)
        continue;
      self->accuracy->n_incomplete += probed.node == 0;
      if (probed.node == 0)
        continue;
      call.enter = probed.enter;
      call.exit = probed.exit;
      call.node = probed.node;
      g_array_append_val (self->calls, call);
    }
}

/* --- comparing --- */

static void
add_estimates (gint64 *sums, const gint64 *latencies)
{
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    sums[i] += latencies[i];
}

/* Adds by how much the estimates of an instance are off. enter: of its first true call; exit: of
 * its last one; truth: sum of the durations of its calls, without the gaps between them */
static void
add_offset (Work *self, const TbContextsInstance *instance, gint64 enter, gint64 exit, gint64 truth)
{
  const gint64 ends[TB_CONTEXTS_N_ESTIMATES] = { instance->last, instance->ended, instance->to };
  TbContextsOffset offset
      = { .function = tb_context_tree_get_function (self->summary->context_tree, instance->node),
          .node = instance->node,
          .truth = truth };

  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    {
      offset.begin[i] = (i == TB_CONTEXTS_REFINED ? instance->from : instance->first) - enter;
      offset.end[i] = ends[i] - exit;
      offset.length[i] = instance->latency[i] - truth;
    }
  g_array_append_val (self->offsets, offset);
}

/* Matches an instance with the calls of its context that it was seen in. from: the first call that
 * can match. Calls and instances ascend, and do not overlap among themselves. Returns the first
 * call for the next instance. */
static guint
match_calls (Work *self, const TbContextsInstance *instance, guint from, guint to)
{
  Sample sample = { 0 };
  gint64 enter = 0, exit = 0;
  guint i;

  while (from < to && get_call (self, from)->exit < instance->first)
    from++;
  for (i = from; i < to && get_call (self, i)->enter <= instance->last; i++)
    {
      Call *call = get_call (self, i);

      if (!call->observed)
        continue;
      enter = sample.n == 0 ? call->enter : enter;
      exit = call->exit;
      call->n_instances++;
      add_estimates (call->estimates, instance->latency);
      sample.truth += call->exit - call->enter;
      sample.n++;
    }
  add_estimates (sample.estimates, instance->latency);
  self->accuracy->n_merged += sample.n > 1;
  self->accuracy->n_unmatched += sample.n == 0;
  if (sample.n > 0)
    {
      double gap_ns = (double) (exit - enter - sample.truth);

      g_array_append_val (self->samples[TB_CONTEXTS_LEVEL_INSTANCES], sample);
      if (sample.n == 1)
        g_array_append_val (self->samples[TB_CONTEXTS_LEVEL_SINGLE_CALLS], sample);
      else
        g_array_append_val (self->gap_ns, gap_ns);
      add_offset (self, instance, enter, exit, sample.truth);
    }
  return MAX (i, from + 1) - 1;
}

static Sample *
get_context (Work *self, guint32 node)
{
  Sample *context = g_hash_table_lookup (self->contexts, GUINT_TO_POINTER (node));

  if (context == NULL)
    {
      context = g_new0 (Sample, 1);
      g_hash_table_insert (self->contexts, GUINT_TO_POINTER (node), context);
    }
  return context;
}

/* Adds the calls of a thread in one context. */
static void
add_context (Work *self, guint from, guint to, GArray *contexts)
{
  Sample *context = get_context (self, get_call (self, from)->node);
  gint64 sum = 0;
  ObservedTime timed = { 0 };

  for (guint i = from; i < to; i++)
    {
      const Call *call = get_call (self, i);
      Sample sample = { .truth = call->exit - call->enter, .n = 1 };

      sum += sample.truth;
      timed.observed |= call->observed;
      self->accuracy->n_split += call->n_instances > 1;
      if (call->n_instances == 0)
        continue;
      add_estimates (sample.estimates, call->estimates);
      g_array_append_val (self->samples[TB_CONTEXTS_LEVEL_CALLS], sample);
    }
  context->truth += sum;
  context->n += to - from;
  context->observed |= timed.observed;
  timed.ns = sum / (to - from);
  g_array_append_val (contexts, timed);
}

static int
compare_timed (gconstpointer a, gconstpointer b)
{
  const ObservedTime *left = a, *right = b;

  return left->ns > right->ns ? -1 : left->ns < right->ns;
}

static TbContextsCoverage
make_coverage (GArray *timed)
{
  TbContextsCoverage coverage
      = { .all = timed->len, .slowest = (guint64) ceil (timed->len * SLOWEST) };

  g_array_sort (timed, compare_timed);
  for (guint i = 0; i < timed->len; i++)
    {
      gboolean observed = g_array_index (timed, ObservedTime, i).observed;

      coverage.observed += observed;
      coverage.slowest_observed += observed && i < coverage.slowest;
    }
  return coverage;
}

static void
compare_thread (Work *self, guint32 thread)
{
  TbContextsThreadAccuracy found = { .thread = thread };
  g_autoptr (GArray) contexts = g_array_new (FALSE, FALSE, sizeof (ObservedTime));
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (ObservedTime));
  guint k = 0, from, to;

  g_array_sort (self->calls, compare_calls);
  g_array_sort (self->instances, compare_instances);
  for (from = 0; from < self->calls->len; from = to)
    {
      guint32 node = get_call (self, from)->node;
      guint first = from;

      for (to = from; to < self->calls->len && get_call (self, to)->node == node; to++)
        ;
      for (; k < self->instances->len; k++)
        {
          const TbContextsInstance *instance
              = &g_array_index (self->instances, TbContextsInstance, k);

          if (instance->node > node)
            break;
          self->accuracy->n_unmatched += instance->node < node;
          if (instance->node < node)
            continue;
          first = match_calls (self, instance, first, to);
          add_estimates (get_context (self, node)->estimates, instance->latency);
        }
      add_context (self, from, to, contexts);
    }
  self->accuracy->n_unmatched += self->instances->len - k;
  for (guint i = 0; i < self->calls->len; i++)
    {
      ObservedTime timed
          = { get_call (self, i)->exit - get_call (self, i)->enter, get_call (self, i)->observed };

      g_array_append_val (times, timed);
    }
  g_array_append_vals (self->call_times, times->data, times->len);
  found.syscalls = tb_contexts_input_count_syscalls (self->input, thread, self->summary->from,
                                                     self->summary->to);
  found.contexts = make_coverage (contexts);
  found.calls = make_coverage (times);
  self->accuracy->all.syscalls += found.syscalls;
  self->accuracy->n_calls += self->calls->len;
  g_array_append_val (self->accuracy->threads, found);
}

/* --- medians --- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

static double
get_median (double *values, guint n)
{
  if (n == 0)
    return NAN;
  qsort (values, n, sizeof *values, compare_doubles);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static void
add_errors (TbContextsAccuracy *accuracy, TbContextsLevel level, const GArray *samples)
{
  g_autofree double *values = g_new (double, MAX (samples->len, 1));

  accuracy->n[level] = samples->len;
  for (guint estimate = 0; estimate < TB_CONTEXTS_N_ESTIMATES; estimate++)
    for (guint relative = 0; relative < 2; relative++)
      {
        double *out = relative ? &accuracy->errors[level][estimate].relative
                               : &accuracy->errors[level][estimate].ns;

        for (guint i = 0; i < samples->len; i++)
          {
            const Sample *sample = &g_array_index (samples, Sample, i);
            double off = fabs ((double) (sample->estimates[estimate] - sample->truth));

            values[i] = relative ? off / MAX (sample->truth, 1) : off;
          }
        *out = get_median (values, samples->len);
      }
}

/* Adds the errors of the contexts that were seen, and of their functions. */
static void
add_sums (Work *self)
{
  g_autoptr (GArray) contexts = g_array_new (FALSE, FALSE, sizeof (Sample));
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (Sample));
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (ObservedTime));
  /* function → Sample */
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->contexts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const Sample *context = value;
      guint32 function
          = tb_context_tree_get_function (self->summary->context_tree, GPOINTER_TO_UINT (key));
      Sample *sum = g_hash_table_lookup (known, GUINT_TO_POINTER (function));
      ObservedTime timed = { context->truth / (gint64) MAX (context->n, 1), context->observed };

      if (sum == NULL)
        {
          sum = g_new0 (Sample, 1);
          g_hash_table_insert (known, GUINT_TO_POINTER (function), sum);
        }
      sum->truth += context->truth;
      sum->observed |= context->observed;
      add_estimates (sum->estimates, context->estimates);
      g_array_append_val (times, timed);
      if (context->observed)
        g_array_append_vals (contexts, context, 1);
    }
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((const Sample *) value)->observed)
      g_array_append_vals (functions, value, 1);
  self->accuracy->n_functions = g_hash_table_size (known);
  self->accuracy->all.contexts = make_coverage (times);
  self->accuracy->all.calls = make_coverage (self->call_times);
  add_errors (self->accuracy, TB_CONTEXTS_LEVEL_CONTEXTS, contexts);
  add_errors (self->accuracy, TB_CONTEXTS_LEVEL_FUNCTIONS, functions);
}

/* --- lifetime --- */

static void
find_probed (Work *self)
{
  for (guint i = 0; i < self->summary->threads->len; i++)
    {
      guint32 thread = g_array_index (self->summary->threads, TbContextsThread, i).thread;
      guint n = tb_contexts_input_get_n_calls (self->input, thread);

      for (guint k = 0; k < n; k++)
        {
          TbContextsProbed probed;

          tb_contexts_input_get_call (self->input, thread, k, &probed);
          self->is_probed[tb_context_tree_get_function (self->summary->context_tree, probed.node)]
              = TRUE;
        }
    }
  /* Function 0 belongs to the root. */
  self->is_probed[0] = FALSE;
}

static void
work_clear (Work *self)
{
  g_clear_pointer (&self->input, tb_contexts_input_free);
  g_free (self->is_probed);
  g_array_unref (self->calls);
  g_array_unref (self->instances);
  g_array_unref (self->open);
  for (guint i = 0; i < G_N_ELEMENTS (self->samples); i++)
    g_array_unref (self->samples[i]);
  g_array_unref (self->gap_ns);
  g_array_unref (self->offsets);
  g_array_unref (self->call_times);
  g_hash_table_unref (self->contexts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static void
work_init (Work *self, TbContextsAccuracy *accuracy, TbContextsSummary *summary)
{
  *self = (Work) { .accuracy = accuracy, .summary = summary };
  self->is_probed = g_malloc0 (tb_context_tree_get_n_functions (summary->context_tree) + 1);
  self->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  self->instances = g_array_new (FALSE, FALSE, sizeof (TbContextsInstance));
  self->open = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < G_N_ELEMENTS (self->samples); i++)
    self->samples[i] = g_array_new (FALSE, FALSE, sizeof (Sample));
  self->gap_ns = g_array_new (FALSE, FALSE, sizeof (double));
  self->offsets = g_array_new (FALSE, FALSE, sizeof (TbContextsOffset));
  self->call_times = g_array_new (FALSE, FALSE, sizeof (ObservedTime));
  self->contexts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TbContextsThreadAccuracy *left = a, *right = b;

  if (left->calls.all != right->calls.all)
    return left->calls.all > right->calls.all ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static gboolean
compare_threads_calls (Work *self, GCancellable *cancellable, GError **error)
{
  g_auto (TbContextsInference) inference = { 0 };
  TbContextsCounts counts = { 0 };

  tb_contexts_inference_init (&inference, &self->summary->tree, add_instance, self);
  inference.watch = watch;
  for (guint i = 0; i < self->summary->threads->len; i++)
    {
      guint32 thread = g_array_index (self->summary->threads, TbContextsThread, i).thread;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      get_calls (self, thread);
      if (self->calls->len == 0)
        continue;
      g_array_set_size (self->instances, 0);
      g_array_set_size (self->open, 0);
      self->next = 0;
      tb_contexts_input_feed (self->input, thread, self->summary->from, self->summary->to,
                              &inference, NULL, &counts);
      compare_thread (self, thread);
    }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

TbContextsAccuracy *
tb_contexts_accuracy_new (TbContextsSummary *summary, GCancellable *cancellable, GError **error)
{
  TbContextsEvents events = summary->options.events & ~TB_CONTEXTS_CALLS;
  g_autoptr (TbContextsAccuracy) accuracy = NULL;
  g_auto (Work) work = { 0 };

  accuracy = g_new0 (TbContextsAccuracy, 1);
  accuracy->threads = g_array_new (FALSE, FALSE, sizeof (TbContextsThreadAccuracy));
  work_init (&work, accuracy, summary);
  work.input
      = tb_contexts_input_new (summary->trace, summary->context_tree, events, cancellable, error);
  if (work.input == NULL)
    return NULL;
  tb_contexts_input_set_interval (work.input, summary->options.interval);
  find_probed (&work);
  if (!compare_threads_calls (&work, cancellable, error) || accuracy->n_calls == 0)
    return NULL;
  add_errors (accuracy, TB_CONTEXTS_LEVEL_CALLS, work.samples[TB_CONTEXTS_LEVEL_CALLS]);
  add_errors (accuracy, TB_CONTEXTS_LEVEL_INSTANCES, work.samples[TB_CONTEXTS_LEVEL_INSTANCES]);
  add_errors (accuracy, TB_CONTEXTS_LEVEL_SINGLE_CALLS,
              work.samples[TB_CONTEXTS_LEVEL_SINGLE_CALLS]);
  accuracy->gap_ns = get_median ((double *) (gpointer) work.gap_ns->data, work.gap_ns->len);
  add_sums (&work);
  accuracy->functions = tb_contexts_accuracy_list_functions (work.offsets);
  g_array_sort (accuracy->threads, compare_threads);
  return g_steal_pointer (&accuracy);
}
