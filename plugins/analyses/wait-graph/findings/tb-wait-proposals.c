/* tb-wait-proposals.c: search of a recording for places where the program lacks annotations: busy
 * waiting and false wake-ups; the marks that it would have emitted there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-proposals.h"

#include "findings/tb-wait-spin-enders.h"
#include "findings/tb-wait-spans.h"
#include "trace/tb-context-tree.h"

/* Fewer occurrences are due to chance. */
#define COUNT_LEAST 3
#define ROWS_BETWEEN_CHECKS 65536

typedef struct
{
  const TbWaitGraph *graph;
  const TbIntervals *rows;
  GHashTable *known; /* kind, vertex and place → index */
  GArray *proposals;
  GArray *marks;         /* TbWaitProposedMark; NULL: not needed */
  GArray *enders;        /* TbWaitSpinEnders, by number */
  guint64 searches_left; /* searches that are left for enders */
  TbWaitSpans calls;
  TbWaitSpans messages;
  gboolean is_loaded; /* calls and messages are loaded */
} Finder;

static gboolean
load_spans (Finder *self, GError **error)
{
  TbSession *session = tb_trace_get_session (self->graph->model->trace);
  guint n_threads = self->graph->model->n_threads;

  if (self->is_loaded)
    return TRUE;
  self->is_loaded
      = tb_wait_spans_load (&self->calls, tb_session_get_table (session, TB_TABLE_SYSCALL),
                            TB_SYSCALL_ENTER, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, n_threads, error)
        && tb_wait_spans_load (&self->messages, tb_session_get_table (session, TB_TABLE_NETWORK),
                               TB_NETWORK_TIME, TB_NETWORK_TIME, TB_NETWORK_THREAD, n_threads,
                               error);
  return self->is_loaded;
}

/* place: distinguishes the proposals of a vertex. stack: the first one there. */
static TbWaitProposal *
get_proposal (Finder *self,
              TbWaitProposalKind kind,
              guint32 thread,
              gint64 time,
              guint32 place,
              guint32 stack)
{
  guint32 vertex = tb_wait_graph_find_vertex (self->graph, thread, time);
  gint64 key;
  gpointer found;

  if (vertex == TB_ID_NONE || tb_wait_graph_get_vertex (self->graph, vertex)->outside)
    return NULL;
  key = ((gint64) vertex << 33) | ((gint64) kind << 32) | place;
  if (!g_hash_table_lookup_extended (self->known, &key, NULL, &found))
    {
      TbWaitProposal proposal = { .kind = kind,
                                  .vertex = vertex,
                                  .stack = stack,
                                  .waker = TB_ID_NONE,
                                  .waker_thread = TB_ID_NONE,
                                  .number = self->proposals->len };

      found = GUINT_TO_POINTER (self->proposals->len);
      g_hash_table_insert (self->known, g_memdup2 (&key, sizeof key), found);
      g_array_append_val (self->proposals, proposal);
      g_array_set_size (self->enders, self->proposals->len);
    }
  return &g_array_index (self->proposals, TbWaitProposal, GPOINTER_TO_UINT (found));
}

static void
add (TbWaitProposal *proposal, gint64 ns, gint64 from, gint64 to)
{
  if (proposal == NULL)
    return;
  proposal->count++;
  proposal->ns += ns;
  if (to - from > proposal->to - proposal->from)
    {
      proposal->from = from;
      proposal->to = to;
    }
}

static void
add_mark (Finder *self,
          const TbWaitProposal *proposal,
          TbMarkKind kind,
          guint32 thread,
          gint64 time)
{
  TbWaitProposedMark mark = { .mark = { time, thread, TB_ID_NONE, (guint8) kind } };

  if (proposal == NULL || self->marks == NULL)
    return;
  mark.proposal = proposal->number;
  g_array_append_val (self->marks, mark);
}

/* --- false wake-ups --- */

static gboolean
is_same_place (const Finder *self, gsize one, gsize two)
{
  TbTrace *trace = self->graph->model->trace;
  guint32 lock = tb_trace_get_lock (trace, one);

  if (lock != TB_ID_NONE)
    return lock == tb_trace_get_lock (trace, two);
  return self->rows->stack[one] != TB_STACK_NONE
         && self->rows->stack[one] == self->rows->stack[two];
}

/* A polling thread that was notified of an event and handled it was not woken for nothing, however
 * short that took. Its handling is visible only where messages or system calls were recorded. */
static gboolean
may_poll_for_nothing (Finder *self, guint32 thread, gint64 from, gint64 to, GError **error)
{
  if (!load_spans (self, error))
    return FALSE;
  return (self->calls.n > 0 || self->messages.n > 0)
         && !tb_wait_spans_has_within (&self->calls, thread, from, to)
         && !tb_wait_spans_has_within (&self->messages, thread, from, to);
}

/* A thread that reads from a pipe, a socket or a disk has received something, however soon it
 * sleeps again. last: the previous sleep. */
static gboolean
may_be_for_nothing (Finder *self, gsize last, gsize row, GError **error)
{
  const TbIntervals *rows = self->rows;

  switch (tb_trace_get_wait_kind (self->graph->model->trace, row))
    {
    case TB_WAIT_LOCK:
    case TB_WAIT_UNKNOWN:
    case TB_WAIT_OTHER:
      return TRUE;
    case TB_WAIT_POLL:
      return may_poll_for_nothing (self, rows->thread[row], rows->end[last], rows->start[row],
                                   error);
    default:
      return FALSE;
    }
}

/* Time outside of the range does not count. */
static void
add_false_wakeup (Finder *self, TbWaitProposal *proposal, gsize last, gsize row)
{
  const TbIntervals *rows = self->rows;
  const TbWaitModel *model = self->graph->model;
  gint64 from = MAX (rows->start[last], model->from);
  gboolean is_same
      = rows->cause_kind[row] == TB_CAUSE_THREAD && rows->cause[row] == rows->cause[last];

  add (proposal, is_same ? 0 : MAX (rows->end[last] - from, 0), from,
       MIN (rows->end[row], model->to));
}

/* Returns FALSE on error. */
static gboolean
find_false_wakeups (Finder *self, guint32 thread, gsize first, gsize end, GError **error)
{
  g_autoptr (GError) local = NULL;
  const TbIntervals *rows = self->rows;
  gsize last = G_MAXSIZE; /* the last sleep that was ended */
  gsize run = G_MAXSIZE;  /* the last interval since then in which it ran */
  gint64 ran = 0;

  for (gsize i = first; i < end; i++)
    {
      if (rows->state[i] == TB_STATE_RUNNING)
        {
          ran += rows->end[i] - rows->start[i];
          run = i;
        }
      else if (rows->state[i] == TB_STATE_UNKNOWN)
        last = G_MAXSIZE;
      else if (rows->state[i] >= TB_STATE_INTERRUPTIBLE && rows->kind[i] != TB_WAIT_BUSY)
        {
          /* A thread that was woken by a timer wanted that. Otherwise its waiting moves to the
           * thread that wakes it next, if that is another one. */
          if (last != G_MAXSIZE && ran <= TB_WAIT_FALSE_WAKEUP_MAX_NS
              && rows->cause_kind[last] == TB_CAUSE_THREAD && is_same_place (self, last, i)
              && may_be_for_nothing (self, last, i, &local))
            {
              TbWaitProposal *proposal
                  = get_proposal (self, TB_WAIT_PROPOSE_FALSE_WAKEUP, thread, rows->start[i],
                                  rows->stack[i], rows->stack[i]);

              add_false_wakeup (self, proposal, last, i);
              if (run != G_MAXSIZE && run > last)
                add_mark (self, proposal, TB_MARK_FALSE_WAKEUP, thread, rows->start[run]);
            }
          if (local != NULL)
            {
              g_propagate_error (error, g_steal_pointer (&local));
              return FALSE;
            }
          last = i;
          ran = 0;
        }
    }
  return TRUE;
}

/* --- busy waiting --- */

typedef struct
{
  gsize n;
  GBytes *bytes[3];
  const gint64 *time;
  const guint32 *thread;
  const guint32 *stack;
} Samples;

static void
samples_clear (Samples *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Samples, samples_clear)

static gboolean
samples_load (Samples *self, TbSession *session, GError **error)
{
  const guint columns[] = { TB_SAMPLE_TIME, TB_SAMPLE_THREAD, TB_SAMPLE_STACK };
  TbTable *samples = tb_session_get_table (session, TB_TABLE_SAMPLE);

  self->n = tb_table_get_n_rows (samples);
  /* Busy waiting cannot be detected without system calls. */
  if (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SYSCALL)) == 0)
    self->n = 0;
  if (self->n == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      self->bytes[i] = tb_table_get_column (samples, columns[i], error);
      if (self->bytes[i] == NULL)
        return FALSE;
    }
  self->time = g_bytes_get_data (self->bytes[0], NULL);
  self->thread = g_bytes_get_data (self->bytes[1], NULL);
  self->stack = g_bytes_get_data (self->bytes[2], NULL);
  return TRUE;
}

/* Consecutive samples of a thread with the same innermost function, whatever its callers. */
typedef struct
{
  guint32 function;
  guint32 stack;
  guint n;
  gint64 from;
  gint64 to;
  gint64 ran; /* running time between from and to */
  gssize row; /* interval of the last sample; -1: unknown */
} Streak;

typedef struct
{
  Finder *finder;
  const Samples *samples;
  Streak *streaks; /* by thread */
  /* by thread: in order, the first system call that did not end before the current sample */
  gsize *calls;
} Watcher;

/* seen: when the thread was first seen not to wait any more; TB_TIME_NONE: never. */
static void
end_streak (Watcher *self, guint32 thread, gint64 seen)
{
  Streak *streak = &self->streaks[thread];

  if (streak->n >= TB_WAIT_BUSY_SAMPLES)
    {
      TbWaitProposal *proposal = get_proposal (self->finder, TB_WAIT_PROPOSE_SPIN, thread,
                                               streak->from, streak->function, streak->stack);

      add (proposal, streak->ran, streak->from, streak->to);
      add_mark (self->finder, proposal, TB_MARK_SPIN_BEGIN, thread, streak->from);
      add_mark (self->finder, proposal, TB_MARK_SPIN_END, thread, streak->to);
      if (proposal != NULL && seen != TB_TIME_NONE && self->finder->searches_left > 0)
        tb_wait_spin_enders_narrow (&g_array_index (self->finder->enders, TbWaitSpinEnders,
                                                    proposal->number),
                                    self->finder->graph->model->trace, thread, streak->to, seen,
                                    &self->finder->searches_left);
    }
  streak->n = 0;
}

static gboolean
is_kernel (TbContextTree *tree, guint32 context)
{
  TbContextNode node;

  tb_context_tree_get_node (tree, context, &node);
  return node.kernel;
}

/* Whether it slept between the last sample and one in an interval. It may have slept in short
 * system calls, which need not be recorded, or for memory. */
static gboolean
has_slept (const Watcher *self, const Streak *streak, gssize row)
{
  for (gssize i = streak->row; streak->row >= 0 && i <= row; i++)
    if (self->finder->rows->state[i] >= TB_STATE_INTERRUPTIBLE)
      return TRUE;
  return FALSE;
}

/* How long it ran between the last sample and one at a time in an interval, without the time in
 * which it was runnable. */
static gint64
measure_run (const Watcher *self, const Streak *streak, gssize row, gint64 time)
{
  const TbIntervals *rows = self->finder->rows;
  gint64 ran = time - streak->to;

  for (gssize i = streak->row; streak->row >= 0 && i <= row; i++)
    if (rows->state[i] == TB_STATE_RUNNABLE)
      ran -= MAX (MIN (rows->end[i], time) - MAX (rows->start[i], streak->to), 0);
  return ran;
}

/* Whether a thread was in a system call since a time before the current sample, or still is. */
static gboolean
has_called (Watcher *self, guint32 thread, gint64 since, gint64 time, gboolean *is_calling)
{
  const TbWaitSpans *calls = &self->finder->calls;
  gsize *at = &self->calls[thread];
  gboolean has = FALSE;

  for (; *at < calls->first[thread + 1]; (*at)++)
    {
      guint32 row = calls->order[*at];

      if (calls->end[row] == TB_TIME_NONE || calls->end[row] > time)
        {
          *is_calling = calls->begin[row] <= time;
          return has || *is_calling;
        }
      has |= calls->end[row] >= since;
    }
  *is_calling = FALSE;
  return has;
}

static void
watch_sample (Watcher *self, TbContextTree *tree, gsize i)
{
  const TbWaitModel *model = self->finder->graph->model;
  guint32 thread = self->samples->thread[i], context, function;
  gint64 time = self->samples->time[i];
  gboolean has_ended, is_calling;
  Streak *streak;
  gssize row;

  if (thread >= model->n_threads || thread == TB_THREAD_IDLE || time < model->from
      || time >= model->to || self->samples->stack[i] == TB_STACK_NONE)
    return;
  streak = &self->streaks[thread];
  context = tb_context_tree_find (tree, self->samples->stack[i]);
  function = tb_context_tree_get_function (tree, context);
  row = tb_trace_find_interval (model->trace, thread, time);
  has_ended = has_called (self, thread, streak->from, time, &is_calling);
  if (streak->n > 0 && (has_ended || function != streak->function || has_slept (self, streak, row)))
    end_streak (self, thread, time);
  if (is_calling || is_kernel (tree, context))
    return;
  if (streak->n++ == 0)
    {
      streak->from = time;
      streak->ran = 0;
      streak->function = function;
      streak->stack = self->samples->stack[i];
    }
  else
    streak->ran += measure_run (self, streak, row, time);
  streak->to = time;
  streak->row = row;
}

static gboolean
find_spins (Finder *finder, GCancellable *cancellable, GError **error)
{
  const TbWaitModel *model = finder->graph->model;
  g_autoptr (TbContextTree) tree = tb_trace_get_context_tree (model->trace);
  g_auto (Samples) samples = { 0 };
  g_autofree Streak *streaks = g_new0 (Streak, model->n_threads + 1);
  g_autofree gsize *calls = NULL;
  Watcher watcher = { finder, &samples, streaks };

  if (!samples_load (&samples, tb_trace_get_session (model->trace), error))
    return FALSE;
  if (samples.n == 0)
    return TRUE;
  if (!load_spans (finder, error))
    return FALSE;
  watcher.calls = calls
      = g_memdup2 (finder->calls.first, sizeof *calls * ((gsize) model->n_threads + 1));
  for (gsize i = 0; i < samples.n; i++)
    {
      if (i % ROWS_BETWEEN_CHECKS == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      watch_sample (&watcher, tree, i);
    }
  for (guint32 i = 0; i < model->n_threads; i++)
    end_streak (&watcher, i, TB_TIME_NONE);
  return TRUE;
}

/* --- all proposals --- */

static int
compare_proposals (gconstpointer a, gconstpointer b)
{
  const TbWaitProposal *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return left->vertex < right->vertex ? -1 : left->vertex > right->vertex;
}

/* Busy waiting watches memory, which is usually shared within a process. Returns the only one of
 * the threads that belongs to the waiter's process; if none does, the only one of them; otherwise
 * TB_ID_NONE. */
static guint32
find_only (const Finder *self, const TbWaitProposal *proposal, const GArray *threads)
{
  guint n_threads, n_own = 0;
  const TbThread *all
      = tb_session_get_threads (tb_trace_get_session (self->graph->model->trace), &n_threads);
  guint32 process = tb_wait_graph_get_vertex (self->graph, proposal->vertex)->process,
          own = TB_ID_NONE;

  for (guint i = 0; i < threads->len; i++)
    {
      guint32 thread = g_array_index (threads, guint32, i);

      if (process == TB_ID_NONE || all[thread].process != process)
        continue;
      n_own++;
      own = thread;
    }
  if (n_own > 0)
    return n_own == 1 ? own : TB_ID_NONE;
  return threads->len == 1 ? g_array_index (threads, guint32, 0) : TB_ID_NONE;
}

/* Returns FALSE if no single thread can have ended all occurrences. If no end was seen, the thread
 * may not wait at all. */
static gboolean
find_ender (const Finder *self, TbWaitProposal *proposal)
{
  const TbWaitSpinEnders *enders
      = &g_array_index (self->enders, TbWaitSpinEnders, proposal->number);
  guint32 only = enders->threads != NULL ? find_only (self, proposal, enders->threads) : TB_ID_NONE;

  if (only == TB_ID_NONE)
    return FALSE;
  proposal->waker_thread = only;
  proposal->waker = tb_wait_graph_find_vertex (self->graph, only, proposal->to);
  return TRUE;
}

static void
set_wakers (Finder *self)
{
  for (guint i = 0; self->marks != NULL && i < self->marks->len; i++)
    {
      TbWaitProposedMark *mark = &g_array_index (self->marks, TbWaitProposedMark, i);

      if (mark->mark.kind == TB_MARK_SPIN_END)
        mark->mark.other
            = g_array_index (self->proposals, TbWaitProposal, mark->proposal).waker_thread;
    }
}

static void
finder_clear (Finder *self)
{
  tb_wait_spans_clear (&self->calls);
  tb_wait_spans_clear (&self->messages);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* Keeps false wake-ups that are too frequent to be chance, and busy waiting that a single thread
 * ends. */
static GArray *
choose (Finder *self)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (TbWaitProposal));

  for (guint i = 0; i < self->proposals->len; i++)
    {
      TbWaitProposal *proposal = &g_array_index (self->proposals, TbWaitProposal, i);

      if (proposal->kind == TB_WAIT_PROPOSE_SPIN ? find_ender (self, proposal)
                                                 : proposal->count >= COUNT_LEAST)
        g_array_append_val (kept, *proposal);
    }
  return kept;
}

GArray *
tb_wait_propose (const TbWaitGraph *graph, GArray *marks, GCancellable *cancellable, GError **error)
{
  g_auto (Finder) self
      = { .graph = graph, .rows = tb_trace_get_intervals (graph->model->trace), .marks = marks };
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (TbWaitProposal));
  g_autoptr (GArray) enders = g_array_new (FALSE, TRUE, sizeof (TbWaitSpinEnders));
  gsize n_done = 0;
  GArray *kept;

  g_array_set_clear_func (enders, (GDestroyNotify) tb_wait_spin_enders_clear);
  self.enders = enders;
  self.searches_left = TB_WAIT_MAX_SPIN_ENDER_SEARCHES;
  self.known = known;
  self.proposals = all;
  for (guint32 thread = 1; thread < graph->model->n_threads; thread++)
    {
      gsize first, n;

      tb_trace_get_thread_intervals (graph->model->trace, thread, &first, &n);
      while (n > 0 && self.rows->start[first + n - 1] >= graph->model->to)
        n--;
      while (n > 0 && self.rows->end[first] <= graph->model->from)
        first++, n--;
      if (!find_false_wakeups (&self, thread, first, first + n, error))
        return NULL;
      n_done += n;
      if (n_done >= ROWS_BETWEEN_CHECKS
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n_done %= ROWS_BETWEEN_CHECKS;
    }
  if (!find_spins (&self, cancellable, error))
    return NULL;
  kept = choose (&self);
  set_wakers (&self);
  g_array_sort (kept, compare_proposals);
  return kept;
}
