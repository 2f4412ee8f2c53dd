/* tb-contexts-samples.c: times of calling contexts by counting samples: sums of their weights, the
 * time that a sample stands for, and the choice between samples and inferred calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-samples.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/options/tb-option.h"
#include "trace/tb-trace-evidence.h"

#define CANCEL_EVERY 32768
/* Bins of distances: so many for each power of two. */
#define PARTS 16
#define N_BINS (64 * PARTS)
/* Largest time of all samples, ns. Hostile weights would overflow. */
#define MAX_TIME ((double) (G_GINT64_CONSTANT (1) << 61))

typedef struct
{
  guint64 n[N_BINS];
  double sum[N_BINS]; /* ns */
  guint64 n_all;
} Distances;

/* Columns of the table of samples, and sums of what they show. */
typedef struct
{
  TbContextsSummary *summary;
  gint64 trace_to;
  gboolean have_times; /* it is known when samples were taken */

  GBytes *columns[TB_COUNTER_N_COLUMNS];
  guint64 n;
  const gint64 *time;
  const guint32 *thread;
  const guint64 *weight;
  const guint32 *stack;
  const guint32 *name; /* NULL: they are of the clock */
  const guint8 *kind;  /* NULL: likewise */
  gboolean is_whole;   /* the range is the whole recording */

  guint n_stacks;
  guint32 *contexts; /* by stack */
  guint8 *broken;    /* by stack: TbStackFlags: it was cut, or could not be walked to its start */
  guint n_threads;
  guint8 *is_selected;  /* by thread */
  guint64 *n_of_thread; /* by thread: number of samples */
  gint64 *previous;     /* by thread: time of its previous sample, TB_TIME_NONE none */

  double *weights; /* by node: of the samples in that context */
  double all;      /* weight of all samples, also those without a stack */
  Distances distances;
} Counter;

static void
counter_clear (Counter *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_free (self->contexts);
  g_free (self->broken);
  g_free (self->is_selected);
  g_free (self->n_of_thread);
  g_free (self->previous);
  g_free (self->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Counter, counter_clear)

gboolean
tb_contexts_have_samples (TbTrace *trace, const TbContextsOptions *options)
{
  return (options->events & TB_CONTEXTS_SAMPLES) != 0
         && tb_trace_get_evidence (trace)->samples != TB_SAMPLES_NONE;
}

gboolean
tb_contexts_are_by_samples (TbTrace *trace, const TbContextsOptions *options)
{
  if (options->counter != NULL && *options->counter != '\0')
    return TRUE;
  return tb_contexts_have_samples (trace, options)
         && (options->by_samples
             || !tb_evidence_answers (tb_trace_get_evidence (trace), TB_QUESTION_FUNCTIONS));
}

const char *
tb_contexts_sample_time_get_name (TbContextsSampleTime time)
{
  static const char *const names[] = { "weight", "frequency", "distance", "unknown", "count" };

  return names[time];
}

gboolean
tb_contexts_choose_measure (TbComparison *comparison,
                            TbContextsOptions *chosen,
                            const char **warning,
                            GError **error)
{
  guint n_by_samples = 0, n_with_samples = 0, n_all = 0;

  *warning = NULL;
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    for (guint i = 0; i < tb_comparison_get_n (comparison, side); i++)
      {
        TbTrace *trace = tb_comparison_get_trace (comparison, side, i);

        n_all++;
        n_by_samples += tb_contexts_are_by_samples (trace, chosen);
        n_with_samples += tb_contexts_have_samples (trace, chosen);
      }
  if (n_by_samples == 0 || n_by_samples == n_all)
    return TRUE;
  if (n_with_samples < n_all)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE,
                   _ ("Some of the recordings have samples without thread switches, others have no "
                      "samples: CPU time cannot be compared with time that includes waits. Record "
                      "all of them in the same way"));
      return FALSE;
    }
  chosen->by_samples = TRUE;
  *warning
      = _ ("Some of the recordings have no thread switches: all are compared by their samples, "
           "which show CPU time and no waits.");
  return TRUE;
}

/* --- loading --- */

static gconstpointer
load_column (Counter *self, TbTableKind kind, guint column, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->summary->trace), kind);

  self->n = tb_table_get_n_rows (table);
  self->columns[column] = tb_table_get_column (table, column, error);
  return self->columns[column] != NULL ? g_bytes_get_data (self->columns[column], NULL) : NULL;
}

static gboolean
load_clock (Counter *self, GError **error)
{
  GError *problem = NULL;

  self->time = load_column (self, TB_TABLE_SAMPLE, TB_SAMPLE_TIME, &problem);
  self->thread = load_column (self, TB_TABLE_SAMPLE, TB_SAMPLE_THREAD, problem ? NULL : &problem);
  self->weight = load_column (self, TB_TABLE_SAMPLE, TB_SAMPLE_WEIGHT, problem ? NULL : &problem);
  self->stack = load_column (self, TB_TABLE_SAMPLE, TB_SAMPLE_STACK, problem ? NULL : &problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}

static gboolean
load_counter (Counter *self, GError **error)
{
  static const TbTableKind table = TB_TABLE_COUNTER;
  GError *problem = NULL;

  self->time = load_column (self, table, TB_COUNTER_TIME, &problem);
  self->kind = load_column (self, table, TB_COUNTER_KIND, problem ? NULL : &problem);
  self->thread = load_column (self, table, TB_COUNTER_THREAD, problem ? NULL : &problem);
  self->name = load_column (self, table, TB_COUNTER_NAME, problem ? NULL : &problem);
  self->weight = load_column (self, table, TB_COUNTER_WEIGHT, problem ? NULL : &problem);
  self->stack = load_column (self, table, TB_COUNTER_STACK, problem ? NULL : &problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}

/* A stack is broken or cut if any part of it is. A parent comes before its children. */
static gboolean
load_stacks (Counter *self, GError **error)
{
  TbTable *table
      = tb_session_get_table (tb_trace_get_session (self->summary->trace), TB_TABLE_STACK);
  g_autoptr (GBytes) parents = tb_table_get_column (table, TB_STACK_PARENT, error);
  g_autoptr (GBytes) flags
      = parents != NULL ? tb_table_get_column (table, TB_STACK_FLAGS, error) : NULL;
  const guint32 *parent;
  const guint8 *flag;

  if (flags == NULL)
    return FALSE;
  parent = g_bytes_get_data (parents, NULL);
  flag = g_bytes_get_data (flags, NULL);
  self->n_stacks = tb_table_get_n_rows (table);
  self->contexts = g_new0 (guint32, MAX (self->n_stacks, 1));
  self->broken = g_new0 (guint8, MAX (self->n_stacks, 1));
  for (guint i = 1; i < self->n_stacks; i++)
    {
      self->contexts[i] = tb_context_tree_find (self->summary->context_tree, i);
      self->broken[i] = (flag[i] & (TB_STACK_BROKEN | TB_STACK_CUT))
                        | (parent[i] < i ? self->broken[parent[i]] : 0);
    }
  return TRUE;
}

static void
select_threads (Counter *self, TbSelection *selection, TbSelection *process)
{
  tb_session_get_threads (tb_trace_get_session (self->summary->trace), &self->n_threads);
  self->is_selected = g_new0 (guint8, MAX (self->n_threads, 1));
  self->n_of_thread = g_new0 (guint64, MAX (self->n_threads, 1));
  self->previous = g_new (gint64, MAX (self->n_threads, 1));
  for (guint32 i = 0; i < self->n_threads; i++)
    {
      self->is_selected[i] = i != TB_THREAD_IDLE
                             && (selection == NULL || tb_selection_has_thread (selection, i))
                             && (process == NULL || tb_selection_has_thread (process, i));
      self->previous[i] = TB_TIME_NONE;
    }
}

/* --- counting --- */

static void
add_distance (Distances *self, gint64 ns)
{
  guint magnitude = g_bit_storage ((gulong) ns) - 1;
  guint part = (guint) (((guint64) ns << (63 - magnitude) >> (63 - 4)) & (PARTS - 1));

  self->n[magnitude * PARTS + part]++;
  self->sum[magnitude * PARTS + part] += (double) ns;
  self->n_all++;
}

/* The mean of the bin in which the median lies. 0: there is no distance. */
static double
get_median (const Distances *self)
{
  guint64 below = 0;

  for (guint i = 0; i < N_BINS; i++)
    {
      below += self->n[i];
      if (self->n[i] > 0 && below * 2 >= self->n_all)
        return self->sum[i] / (double) self->n[i];
    }
  return 0;
}

/* The last event of a recording lies at its very end and is included. Sums have no time: they are
 * of the whole recording only. */
static gboolean
is_wanted (const Counter *self, guint64 row)
{
  gint64 time = self->time[row];
  guint32 thread = self->thread[row];

  if (thread >= self->n_threads || !self->is_selected[thread])
    return FALSE;
  if (self->name != NULL && self->name[row] != self->summary->counter.string)
    return FALSE;
  if (self->kind != NULL && self->kind[row] == TB_COUNTER_WAIT_SUM)
    {
      self->summary->n_left_out_sums += !self->is_whole;
      return self->is_whole;
    }
  if (time < 0)
    return !self->have_times;
  return time >= self->summary->from && time <= self->trace_to
         && (time < self->summary->to || self->summary->to >= self->trace_to);
}

static void
count_sample (Counter *self, guint64 row)
{
  TbContextsSummary *summary = self->summary;
  guint32 thread = self->thread[row], stack = self->stack[row];
  guint32 node = stack < self->n_stacks ? self->contexts[stack] : 0;
  double weight = (double) self->weight[row];

  summary->n_samples++;
  self->n_of_thread[thread]++;
  self->all += weight;
  if (self->previous[thread] >= 0 && self->time[row] > self->previous[thread])
    add_distance (&self->distances, self->time[row] - self->previous[thread]);
  self->previous[thread] = self->time[row];
  if (node == 0)
    {
      summary->counts.without_stack++;
      return;
    }
  summary->counts.used++;
  if ((self->broken[stack] & TB_STACK_CUT) != 0)
    summary->n_cut++;
  else
    summary->counts.broken += self->broken[stack] != 0;
  summary->events[node] += summary->events[node] < G_MAXUINT32;
  summary->nodes[node].count++;
  summary->nodes[node].own_squares += weight * weight;
  self->weights[node] += weight;
}

/* Without any weight, each sample counts the same. */
static void
weigh_equally (Counter *self)
{
  TbContextsSummary *summary = self->summary;

  self->all = (double) summary->n_samples;
  for (guint32 i = 1; i < summary->tree.n_nodes; i++)
    self->weights[i] = summary->nodes[i].own_squares = (double) summary->nodes[i].count;
}

/* --- times --- */

/* Returns the time that a unit of weight stands for, ns. Shares of the weights are measured. With
 * a frequency, and with a fixed count of an event, the time of all samples is an estimate. */
static double
find_time (Counter *self)
{
  TbContextsSummary *summary = self->summary;
  gint64 period = tb_trace_get_sample_period (summary->trace);
  double each;

  if (summary->counter.kind == TB_CONTEXTS_COUNTER_EVENTS)
    {
      if (self->all <= 0)
        weigh_equally (self);
      summary->sample_time = TB_CONTEXTS_SAMPLE_COUNT;
      return 1;
    }
  if (summary->counter.kind != TB_CONTEXTS_COUNTER_CLOCK)
    {
      summary->sample_time = TB_CONTEXTS_SAMPLE_WEIGHT;
      return 1;
    }
  /* Samples without a weight have 1, and none is taken each nanosecond. */
  if (tb_trace_are_sample_weights_times (summary->trace) && self->all > (double) summary->n_samples)
    {
      summary->sample_time = TB_CONTEXTS_SAMPLE_WEIGHT;
      return 1;
    }
  if (self->all <= 0)
    weigh_equally (self);
  summary->sample_time = period > 0 ? TB_CONTEXTS_SAMPLE_FREQUENCY : TB_CONTEXTS_SAMPLE_DISTANCE;
  each = period > 0 ? (double) period : self->have_times ? get_median (&self->distances) : 0;
  if (each <= 0)
    {
      summary->sample_time = TB_CONTEXTS_SAMPLE_UNKNOWN;
      each = 1;
    }
  return self->all > 0 ? each * (double) summary->n_samples / self->all : 0;
}

/* Sets the times of each context, which are the same by every estimate. Callees come after their
 * callers. */
static void
add_up (Counter *self)
{
  TbContextsSummary *summary = self->summary;
  guint32 n = summary->tree.n_nodes;
  double factor = find_time (self);

  if (self->all * factor > MAX_TIME)
    factor = MAX_TIME / self->all;
  summary->owns = g_new0 (TbContextsOwn, n);
  for (guint32 i = n; i-- > 1;)
    {
      TbContextsTotals *node = &summary->nodes[i];
      TbContextsTotals *parent
          = summary->parents[i] != 0 ? &summary->nodes[summary->parents[i]] : NULL;
      gint64 own = llround (self->weights[i] * factor);

      node->own_squares *= factor * factor;
      for (guint k = 0; k < TB_CONTEXTS_N_ESTIMATES; k++)
        {
          summary->owns[i].own[k] = own;
          node->total[k] += own;
          if (parent != NULL)
            parent->total[k] += node->total[k];
        }
      if (parent != NULL)
        parent->count += node->count;
    }
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TbContextsThread *left = a, *right = b;

  if (left->samples != right->samples)
    return left->samples > right->samples ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static void
list_threads (Counter *self)
{
  TbContextsSummary *summary = self->summary;

  for (guint32 i = 0; i < self->n_threads; i++)
    if (self->n_of_thread[i] > 0)
      {
        TbContextsThread thread = { .thread = i,
                                    .life = tb_contexts_summary_get_life (summary, i),
                                    .samples = self->n_of_thread[i] };

        g_array_append_val (summary->threads, thread);
      }
  g_array_sort (summary->threads, compare_threads);
}

gboolean
tb_contexts_count_samples (TbContextsSummary *summary,
                           TbSelection *selection,
                           TbSelection *process,
                           GCancellable *cancellable,
                           GError **error)
{
  g_auto (Counter) self = { .summary = summary };
  gint64 trace_from;

  tb_trace_get_range (summary->trace, &trace_from, &self.trace_to);
  self.have_times
      = tb_session_get_fact (tb_trace_get_session (summary->trace), "samples-without-time") == NULL;
  self.is_whole = summary->from <= trace_from && summary->to >= self.trace_to;
  self.weights = g_new0 (double, summary->tree.n_nodes);
  if (!(summary->counter.string == TB_STRING_NONE ? load_clock (&self, error)
                                                  : load_counter (&self, error))
      || !load_stacks (&self, error))
    return FALSE;
  select_threads (&self, selection, process);
  for (guint64 row = 0; row < self.n; row++)
    {
      if (row % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (is_wanted (&self, row))
        count_sample (&self, row);
    }
  add_up (&self);
  list_threads (&self);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
