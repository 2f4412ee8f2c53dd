/* tb-cause-chain.c: search in a trace for the causes of a wait, waker by waker, with the activity
 * of each during the wait (shown by tb-details-pane)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-format.h"
#include "shell/document/tb-cause-chain.h"
#include "shell/document/tb-recording-facts.h"
#include "trace/tb-trace-poll-loops.h"

/* Causes further away than this are too many to read. */
#define MAX_DEPTH 12
/* An activity below this share of the wait is not reported, except running time that is at least as
 * long as the sleeping time. */
#define MIN_SHARE 0.2
/* With more samples than this, the running function is not determined. */
#define MAX_SAMPLES 4000000

typedef struct
{
  gint64 total; /* of all sleeps of this kind and object, ns */
  gint64 longest;
  gsize interval; /* row of the longest one */
  guint count;
} Sleep;

static void
cause_free (gpointer data)
{
  TbCause *cause = data;

  g_free (cause->title);
  g_free (cause->text);
  g_free (cause);
}

static gboolean
is_sleep (guint8 state)
{
  return state == TB_STATE_INTERRUPTIBLE || state == TB_STATE_UNINTERRUPTIBLE;
}

static TbCause *
add_cause (GPtrArray *chain, guint depth, guint32 thread, char *title, char *text, gint64 duration)
{
  TbCause *cause = g_new0 (TbCause, 1);

  cause->depth = depth;
  cause->thread = thread;
  cause->title = title;
  cause->text = text;
  cause->duration = duration;
  cause->from = TB_TIME_NONE;
  cause->to = TB_TIME_NONE;
  g_ptr_array_add (chain, cause);
  return cause;
}

/* Returns the function with most samples of the thread in a time range; NULL: no samples. */
static char *
find_running_function (TbTrace *trace, guint32 thread, gint64 from, gint64 to)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_SAMPLE);
  g_autoptr (GBytes) times = NULL;
  g_autoptr (GBytes) threads = NULL;
  g_autoptr (GBytes) stacks = NULL;
  g_autoptr (GHashTable) counts = NULL;
  const gint64 *time;
  const guint32 *owner, *stack;
  guint32 best = 0;
  guint best_count = 0;
  guint64 first, n;

  tb_table_find_rows (table, from, to, &first, &n);
  if (n == 0 || n > MAX_SAMPLES)
    return NULL;
  times = tb_trace_read_rows (trace, TB_TABLE_SAMPLE, TB_SAMPLE_TIME, first, n);
  threads = tb_trace_read_rows (trace, TB_TABLE_SAMPLE, TB_SAMPLE_THREAD, first, n);
  stacks = tb_trace_read_rows (trace, TB_TABLE_SAMPLE, TB_SAMPLE_STACK, first, n);
  if (times == NULL || threads == NULL || stacks == NULL)
    return NULL;
  time = g_bytes_get_data (times, NULL);
  owner = g_bytes_get_data (threads, NULL);
  stack = g_bytes_get_data (stacks, NULL);
  counts = g_hash_table_new (NULL, NULL);
  for (guint64 i = 0; i < n; i++)
    {
      guint count;

      if (owner[i] != thread || time[i] < from || time[i] >= to || stack[i] == 0)
        continue;
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (stack[i]))) + 1;
      g_hash_table_insert (counts, GUINT_TO_POINTER (stack[i]), GUINT_TO_POINTER (count));
      if (count > best_count)
        {
          best_count = count;
          best = stack[i];
        }
    }
  return best != 0 ? tb_trace_get_stack_label (trace, best) : NULL;
}

/* Sums up the states of a thread in from..to: running, runnable, and sleeping by kind and object.
 * Only the kind and object with the longest total sleep are returned. */
static gboolean
sum_states (TbTrace *trace,
            guint32 thread,
            gint64 from,
            gint64 to,
            gint64 *running,
            gint64 *runnable,
            Sleep *heaviest)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autoptr (GHashTable) sleeps
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  gsize first, n, row;
  gssize found = tb_trace_find_interval (trace, thread, from);

  *running = *runnable = 0;
  *heaviest = (Sleep) { 0 };
  tb_trace_get_thread_intervals (trace, thread, &first, &n);
  /* The thread may have been forked after the wait began. */
  row = found >= 0 ? (gsize) found : first;
  for (; row < first + n && intervals->start[row] < to; row++)
    {
      gint64 length = MIN (intervals->end[row], to) - MAX (intervals->start[row], from);
      gint64 key = (gint64) intervals->kind[row] << 32 | intervals->object[row];
      Sleep *sleep;

      if (length <= 0)
        continue;
      if (intervals->state[row] == TB_STATE_RUNNING)
        *running += length;
      else if (intervals->state[row] == TB_STATE_RUNNABLE)
        *runnable += length;
      if (!is_sleep (intervals->state[row]))
        continue;
      sleep = g_hash_table_lookup (sleeps, &key);
      if (sleep == NULL)
        {
          sleep = g_new0 (Sleep, 1);
          g_hash_table_insert (sleeps, g_memdup2 (&key, sizeof key), sleep);
        }
      sleep->total += length;
      sleep->count++;
      if (length > sleep->longest)
        {
          sleep->longest = length;
          sleep->interval = row;
        }
      if (sleep->total > heaviest->total)
        *heaviest = *sleep;
    }
  return *running > 0 || *runnable > 0 || heaviest->count > 0;
}

/* Adds the running and runnable time of a thread in from..to, if they are long enough. */
static void
add_work (TbTrace *trace,
          GPtrArray *chain,
          guint depth,
          guint32 thread,
          gint64 from,
          gint64 to,
          gint64 running,
          gint64 runnable,
          gint64 sleeping)
{
  TbSession *session = tb_trace_get_session (trace);
  gint64 window = to - from;
  TbCause *cause;

  if (running > window * MIN_SHARE || (running > 0 && running >= sleeping))
    {
      g_autofree char *function = find_running_function (trace, thread, from, to);

      cause = add_cause (chain, depth, thread, tb_recording_facts_name_thread (session, thread),
                         function != NULL ? g_strdup_printf (_ ("runs %s"), function)
                                          : g_strdup (_ ("runs")),
                         running);
      cause->from = from;
      cause->to = to;
    }
  if (runnable > window * MIN_SHARE)
    {
      cause = add_cause (chain, depth, thread, tb_recording_facts_name_thread (session, thread),
                         g_strdup (_ ("waits for a CPU")), runnable);
      cause->from = from;
      cause->to = to;
    }
}

static char *
describe_sleeps (TbTrace *trace, const Sleep *sleep)
{
  g_autofree char *what = tb_trace_describe_wait (trace, sleep->interval);

  if (sleep->count == 1)
    return what != NULL ? g_strdup_printf (_ ("waits: %s"), what) : g_strdup (_ ("waits once"));
  if (what == NULL)
    return g_strdup_printf (ngettext ("waits %'u time", "waits %'u times", sleep->count),
                            sleep->count);
  return g_strdup_printf (ngettext ("waits %'u time: %s", "waits %'u times: %s", sleep->count),
                          sleep->count, what);
}

static void
add_sleep (TbTrace *trace, GPtrArray *chain, guint depth, guint32 thread, const Sleep *sleep)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  TbCause *cause = add_cause (chain, depth, thread,
                              tb_recording_facts_name_thread (tb_trace_get_session (trace), thread),
                              describe_sleeps (trace, sleep), sleep->total);

  cause->from = intervals->start[sleep->interval];
  cause->to = intervals->end[sleep->interval];
  cause->uncertain = (intervals->flags[sleep->interval] & TB_INTERVAL_UNCERTAIN) != 0;
}

/**
 * tb_cause_chain_follow:
 * @trace: a trace
 * @interval: row of a sleep
 * @cancellable: (nullable): a cancellable
 *
 * Finds out what the thread that ended the sleep did during it. If that thread mostly slept, the
 * same is done for the thread that ended its sleep, and so on. May read many intervals and samples:
 * call it in a worker thread.
 *
 * Returns: (transfer full) (element-type TbCause): the nearest cause first
 */
GPtrArray *
tb_cause_chain_follow (TbTrace *trace, gsize interval, GCancellable *cancellable)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  GPtrArray *chain = g_ptr_array_new_with_free_func (cause_free);
  g_autoptr (TbPollLoops) loops = tb_poll_loops_new (trace, TB_POLL_RUN, cancellable);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  gint64 from, to;

  if (interval >= intervals->n || !is_sleep (intervals->state[interval]))
    return chain;
  from = intervals->start[interval];
  to = intervals->end[interval];

  for (guint depth = 0;
       depth < MAX_DEPTH && g_hash_table_add (seen, GSIZE_TO_POINTER (interval + 1)); depth++)
    {
      /* What ends the last wait of a poll loop is what all of them are for. */
      gsize ended = tb_poll_loops_get_last (loops, interval);
      TbCauseKind kind = intervals->cause_kind[ended];
      guint32 waker = intervals->cause[ended];
      gint64 window = to - from, running, runnable;
      Sleep sleep;

      if (g_cancellable_is_cancelled (cancellable))
        break;
      if (kind != TB_CAUSE_THREAD && kind != TB_CAUSE_SIGNAL)
        {
          if (kind != TB_CAUSE_NONE && kind != TB_CAUSE_UNKNOWN)
            add_cause (chain, depth, TB_ID_NONE, tb_trace_describe_cause (trace, kind, waker),
                       g_strdup (_ ("ended the wait")), window);
          break;
        }
      if (!sum_states (trace, waker, from, to, &running, &runnable, &sleep))
        break;

      add_work (trace, chain, depth, waker, from, to, running, runnable, sleep.total);
      if (sleep.total <= window * MIN_SHARE && sleep.total <= running)
        break;
      if (sleep.count == 0)
        break;
      add_sleep (trace, chain, depth, waker, &sleep);
      interval = sleep.interval;
      from = MAX (from, intervals->start[interval]);
      to = MIN (to, intervals->end[interval]);
    }
  return chain;
}
