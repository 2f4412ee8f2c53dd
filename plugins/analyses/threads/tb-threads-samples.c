/* tb-threads-samples.c: samples of the selected threads in a range, linked by thread; count of
 * them, running time estimated with its 95 % range, and waits summed during the recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "tb-threads-programs.h"
#include "tb-threads-samples.h"

static gboolean
load_columns (TbThreadsSamples *samples, TbThreadsSummary *summary, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (summary->trace), TB_TABLE_SAMPLE);

  tb_table_find_rows (table, summary->from, summary->to, &samples->first, &samples->n);
  for (guint i = 0; i < TB_SAMPLE_N_COLUMNS && samples->n > 0; i++)
    {
      samples->columns[i] = tb_table_get_column_range (table, i, samples->first, samples->n, error);
      if (samples->columns[i] == NULL)
        return FALSE;
    }
  if (samples->n == 0)
    return TRUE;
  samples->time = g_bytes_get_data (samples->columns[TB_SAMPLE_TIME], NULL);
  samples->thread = g_bytes_get_data (samples->columns[TB_SAMPLE_THREAD], NULL);
  samples->weight = g_bytes_get_data (samples->columns[TB_SAMPLE_WEIGHT], NULL);
  samples->stack = g_bytes_get_data (samples->columns[TB_SAMPLE_STACK], NULL);
  return TRUE;
}

void
tb_threads_samples_clear (TbThreadsSamples *samples)
{
  for (guint i = 0; i < TB_SAMPLE_N_COLUMNS; i++)
    g_clear_pointer (&samples->columns[i], g_bytes_unref);
  g_clear_pointer (&samples->head, g_free);
  g_clear_pointer (&samples->next, g_free);
}

static gboolean
is_selected (TbThreadsSummary *summary, const TbThreadsSamples *samples, guint64 i)
{
  return samples->time[i] >= summary->from && samples->time[i] < summary->to
         && samples->thread[i] < summary->n_ids && summary->by_id[samples->thread[i]] != NULL;
}

/* Whether the weights of samples are times. Where it is known how long threads ran, their sum is
 * about that. */
static gboolean
are_times (TbThreadsSummary *summary, const TbThreadsSamples *samples)
{
  double weight = 0, running = 0;

  if (!tb_trace_are_sample_weights_times (summary->trace))
    return FALSE;
  for (guint64 i = 0; i < samples->n && tb_threads_should_continue (i); i++)
    if (is_selected (summary, samples, i))
      weight += samples->weight[i];
  for (guint i = 0; i < summary->threads->len; i++)
    running += ((TbThreadSummary *) g_ptr_array_index (summary->threads, i))->ns[TB_STATE_RUNNING];
  return running == 0 || (weight > running / 4 && weight < running * 4);
}

static void
link_samples (TbThreadsSummary *summary, TbThreadsSamples *samples)
{
  samples->head = g_new (guint32, MAX (summary->rows->len, 1));
  samples->next = g_new (guint32, MAX (samples->n, 1));
  memset (samples->head, 0xff, sizeof (guint32) * summary->rows->len);
  for (guint64 i = samples->n; i > 0 && tb_threads_should_continue (i); i--)
    if (is_selected (summary, samples, i - 1))
      {
        guint row
            = tb_threads_find_row (summary->by_id[samples->thread[i - 1]], samples->time[i - 1])
                  ->row;

        samples->next[i - 1] = samples->head[row];
        samples->head[row] = i - 1;
      }
}

/* Loads the samples in the range of the summary. */
gboolean
tb_threads_samples_load (TbThreadsSamples *samples, TbThreadsSummary *summary, GError **error)
{
  if (!load_columns (samples, summary, error))
    return FALSE;
  link_samples (summary, samples);
  samples->are_times = are_times (summary, samples);
  return TRUE;
}

/* Adds up the waits of each thread that were summed while they were recorded. They are of the whole
 * recording: of a part of it they are unknown. */
static gboolean
sum_waits (TbThreadsSummary *summary, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (summary->trace), TB_TABLE_COUNTER);
  guint64 n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) kind_bytes = tb_table_get_column (table, TB_COUNTER_KIND, error);
  g_autoptr (GBytes) thread_bytes
      = kind_bytes != NULL ? tb_table_get_column (table, TB_COUNTER_THREAD, error) : NULL;
  g_autoptr (GBytes) weight_bytes
      = thread_bytes != NULL ? tb_table_get_column (table, TB_COUNTER_WEIGHT, error) : NULL;
  const guint8 *kinds;
  const guint32 *threads;
  const guint64 *weights;

  if (weight_bytes == NULL)
    return FALSE;
  kinds = g_bytes_get_data (kind_bytes, NULL);
  threads = g_bytes_get_data (thread_bytes, NULL);
  weights = g_bytes_get_data (weight_bytes, NULL);
  for (guint64 i = 0; i < n && tb_threads_should_continue (i); i++)
    if ((kinds[i] == TB_COUNTER_WAIT || kinds[i] == TB_COUNTER_WAIT_SUM)
        && threads[i] < summary->n_ids && summary->by_id[threads[i]] != NULL)
      {
        gint64 *sum = &summary->by_id[threads[i]]->summed_wait_ns;

        *sum += (gint64) MIN (weights[i], (guint64) (G_MAXINT64 - *sum));
      }
  return TRUE;
}

static void
add_sample (TbThreadSummary *thread, gint64 ns)
{
  thread->n_samples++;
  thread->sampled_ns += MIN (ns, G_MAXINT64 - thread->sampled_ns);
}

/* Counts the samples of each thread of the summary, and estimates from them how long it ran. */
gboolean
tb_threads_samples_count (TbThreadsSummary *summary, GError **error)
{
  g_auto (TbThreadsSamples) samples = { 0 };
  gint64 period = tb_trace_get_sample_period (summary->trace);
  gint64 from, to;

  tb_trace_get_range (summary->trace, &from, &to);
  summary->has_summed_waits
      = summary->evidence->has_summed_waits && summary->from <= from && summary->to >= to;
  if (summary->has_summed_waits && !sum_waits (summary, error))
    return FALSE;
  if (!load_columns (&samples, summary, error))
    return FALSE;
  for (guint64 i = 0; i < samples.n && tb_threads_should_continue (i); i++)
    if (is_selected (summary, &samples, i))
      {
        TbThreadSummary *thread = summary->by_id[samples.thread[i]];
        TbThreadSummary *row = tb_threads_find_row (thread, samples.time[i]);
        gint64 ns = period > 0 ? period : (gint64) MIN (samples.weight[i], G_MAXINT64 / 4);

        add_sample (thread, ns);
        if (row != thread)
          add_sample (row, ns);
      }
  summary->has_sample_times = (period > 0 || tb_trace_are_sample_weights_times (summary->trace))
                              && !tb_trace_are_samples_of_one_mode (summary->trace);
  return TRUE;
}

/* The range in which the running time lies with a probability of 95 %, by the number of samples:
 * the score interval of a Poisson distribution. */
void
tb_threads_samples_get_range (const TbThreadSummary *thread, gint64 *low, gint64 *high)
{
  double n = (double) thread->n_samples;
  double each = n > 0 ? (double) thread->sampled_ns / n : 0;

  *low = (gint64) (each * MAX (n + 2 - 2 * sqrt (n + 1), 0));
  *high = (gint64) (each * (n + 2 + 2 * sqrt (n + 1)));
}
