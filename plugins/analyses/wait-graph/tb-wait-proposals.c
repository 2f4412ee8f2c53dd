/* tb-wait-proposals.c: annotations that a program would need, as far as its recording tells
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-proposals.h"

#include "tb-wait-enders.h"
#include "trace/tb-context-tree.h"

/* Fewer are chance. */
#define COUNT_LEAST 3
#define ROWS_BETWEEN_LOOKS 65536

typedef struct
{
  const TbWaitGraph *graph;
  const TbIntervals *rows;
  GHashTable *known; /* kind, vertex and stack → index */
  GArray *proposals;
  GArray *marks;  /* TbWaitProposedMark; NULL unwanted */
  GArray *enders; /* TbWaitEnders, by number */
  guint64 looks;  /* left for them */
} Finder;

static guint32
find_vertex (const TbWaitGraph *graph, guint32 thread)
{
  const TbWaitModel *model = graph->model;
  guint32 node = thread;

  if (model->group_of_thread != NULL && model->group_of_thread[thread] != TB_ID_NONE)
    node = g_array_index (model->groups, TbWaitGroup, model->group_of_thread[thread]).node;
  return graph->vertex_of_node[node];
}

static TbWaitProposal *
get_proposal (Finder *self, TbWaitProposalKind kind, guint32 thread, guint32 stack)
{
  guint32 vertex = find_vertex (self->graph, thread);
  gint64 key;
  gpointer found;

  if (vertex == TB_ID_NONE || tb_wait_graph_get_vertex (self->graph, vertex)->outside)
    return NULL;
  key = ((gint64) vertex << 33) | ((gint64) kind << 32) | stack;
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
add_mark (Finder *self, const TbWaitProposal *proposal, TbMarkKind kind, guint32 thread, gint64 time)
{
  TbWaitProposedMark mark = { .mark = { time, thread, TB_ID_NONE, (guint8) kind } };

  if (proposal == NULL || self->marks == NULL)
    return;
  mark.proposal = proposal->number;
  g_array_append_val (self->marks, mark);
}

/* --- woken for nothing --- */

static gboolean
is_same_place (const Finder *self, gsize one, gsize two)
{
  TbTrace *trace = self->graph->model->trace;
  guint32 lock = tb_trace_get_lock (trace, one);

  if (lock != TB_ID_NONE)
    return lock == tb_trace_get_lock (trace, two);
  return self->rows->stack[one] != TB_STACK_NONE && self->rows->stack[one] == self->rows->stack[two];
}

/* Who reads from a pipe, a socket or a disk has got something, however soon it sleeps again. */
static gboolean
may_be_for_nothing (const Finder *self, gsize row)
{
  switch (tb_trace_get_wait_kind (self->graph->model->trace, row))
    {
    case TB_WAIT_LOCK:
    case TB_WAIT_UNKNOWN:
    case TB_WAIT_OTHER:
    case TB_WAIT_POLL:
      return TRUE;
    default:
      return FALSE;
    }
}

static void
find_false_wakeups (Finder *self, guint32 thread, gsize first, gsize end)
{
  const TbIntervals *rows = self->rows;
  gsize last = G_MAXSIZE; /* sleep that was ended */
  gsize run = G_MAXSIZE;  /* the last row since in which it ran */
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
          /* One woken by a timer wanted that; what it waited for goes to who wakes it next, if that is another. */
          if (last != G_MAXSIZE && ran <= TB_WAIT_FALSE_WITHIN && rows->cause_kind[last] == TB_CAUSE_THREAD
              && is_same_place (self, last, i) && may_be_for_nothing (self, i))
            {
              TbWaitProposal *proposal
                  = get_proposal (self, TB_WAIT_PROPOSE_FALSE_WAKEUP, thread, rows->stack[i]);

              add (proposal,
                   rows->cause_kind[i] == TB_CAUSE_THREAD && rows->cause[i] == rows->cause[last]
                       ? 0
                       : rows->end[last] - rows->start[last],
                   rows->start[last], rows->end[i]);
              if (run != G_MAXSIZE && run > last)
                add_mark (self, proposal, TB_MARK_FALSE_WAKEUP, thread, rows->start[run]);
            }
          last = i;
          ran = 0;
        }
    }
}

/* --- busy waiting --- */

typedef struct
{
  gsize n;
  GBytes *bytes[3];
  const gint64 *time;
  const guint32 *thread;
  const guint32 *stack;
  gsize n_calls;
  GBytes *call_bytes[3];
  const gint64 *enter;
  const gint64 *exit;
  const guint32 *caller;
} Events;

static void
events_clear (Events *self)
{
  for (guint i = 0; i < 3; i++)
    {
      g_clear_pointer (&self->bytes[i], g_bytes_unref);
      g_clear_pointer (&self->call_bytes[i], g_bytes_unref);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Events, events_clear)

static gboolean
load (TbTable *table, const guint *columns, GBytes **bytes, GError **error)
{
  for (guint i = 0; i < 3; i++)
    {
      bytes[i] = tb_table_get_column (table, columns[i], error);
      if (bytes[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
events_load (Events *self, TbSession *session, GError **error)
{
  TbTable *samples = tb_session_get_table (session, TB_TABLE_SAMPLE);
  TbTable *calls = tb_session_get_table (session, TB_TABLE_SYSCALL);

  self->n = tb_table_get_n_rows (samples);
  self->n_calls = tb_table_get_n_rows (calls);
  /* Without system calls it cannot be told. */
  if (self->n == 0 || self->n_calls == 0)
    {
      self->n = 0;
      return TRUE;
    }
  if (!load (samples, (guint[]) { TB_SAMPLE_TIME, TB_SAMPLE_THREAD, TB_SAMPLE_STACK }, self->bytes, error)
      || !load (calls, (guint[]) { TB_SYSCALL_ENTER, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD }, self->call_bytes,
                error))
    return FALSE;
  self->time = g_bytes_get_data (self->bytes[0], NULL);
  self->thread = g_bytes_get_data (self->bytes[1], NULL);
  self->stack = g_bytes_get_data (self->bytes[2], NULL);
  self->enter = g_bytes_get_data (self->call_bytes[0], NULL);
  self->exit = g_bytes_get_data (self->call_bytes[1], NULL);
  self->caller = g_bytes_get_data (self->call_bytes[2], NULL);
  return TRUE;
}

/* Samples of a thread in a row whose innermost function is the same. */
typedef struct
{
  guint32 context;
  guint32 stack;
  guint n;
  gint64 from;
  gint64 to;
  gssize row; /* in which the last one was, -1 unknown */
} Streak;

typedef struct
{
  Finder *finder;
  const Events *events;
  Streak *streaks; /* by thread */
  gint64
      *calls; /* by thread: when the last system call that began before the present sample was in progress */
} Watcher;

/* seen: when it was seen not to wait any more, TB_TIME_NONE: never. */
static void
end_streak (Watcher *self, guint32 thread, gint64 seen)
{
  Streak *streak = &self->streaks[thread];

  if (streak->n >= TB_WAIT_BUSY_SAMPLES)
    {
      TbWaitProposal *proposal = get_proposal (self->finder, TB_WAIT_PROPOSE_SPIN, thread, streak->stack);

      add (proposal, streak->to - streak->from, streak->from, streak->to);
      add_mark (self->finder, proposal, TB_MARK_SPIN_BEGIN, thread, streak->from);
      add_mark (self->finder, proposal, TB_MARK_SPIN_END, thread, streak->to);
      if (proposal != NULL && seen != TB_TIME_NONE && self->finder->looks > 0)
        tb_wait_enders_narrow (&g_array_index (self->finder->enders, TbWaitEnders, proposal->number),
                               self->finder->graph->model->trace, thread, streak->to, seen,
                               &self->finder->looks);
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

/* Between the last sample and one in that row; in short calls of the kernel, which need not be recorded, or for memory. */
static gboolean
has_slept (const Watcher *self, const Streak *streak, gssize row)
{
  for (gssize i = streak->row; streak->row >= 0 && i <= row; i++)
    if (self->finder->rows->state[i] >= TB_STATE_INTERRUPTIBLE)
      return TRUE;
  return FALSE;
}

static void
watch_sample (Watcher *self, TbContextTree *tree, gsize i)
{
  const TbWaitModel *model = self->finder->graph->model;
  guint32 thread = self->events->thread[i], context;
  gint64 time = self->events->time[i];
  Streak *streak;
  gssize row;

  if (thread >= model->n_threads || thread == TB_THREAD_IDLE || time < model->from || time >= model->to
      || self->events->stack[i] == TB_STACK_NONE)
    return;
  streak = &self->streaks[thread];
  context = tb_context_tree_find (tree, self->events->stack[i]);
  row = tb_trace_find_interval (model->trace, thread, time);
  if (streak->n > 0
      && (context != streak->context || self->calls[thread] >= streak->from || has_slept (self, streak, row)))
    end_streak (self, thread, time);
  if (is_kernel (tree, context))
    return;
  if (streak->n++ == 0)
    {
      streak->from = time;
      streak->context = context;
      streak->stack = self->events->stack[i];
    }
  streak->to = time;
  streak->row = row;
}

/* Calls are sorted by their end: those that ended before a sample are known when it comes. */
static gboolean
find_spins (Finder *finder, GCancellable *cancellable, GError **error)
{
  const TbWaitModel *model = finder->graph->model;
  g_autoptr (TbContextTree) tree = tb_trace_get_context_tree (model->trace);
  g_auto (Events) events = { 0 };
  g_autofree Streak *streaks = g_new0 (Streak, model->n_threads + 1);
  g_autofree gint64 *calls = g_new (gint64, model->n_threads + 1);
  Watcher watcher = { finder, &events, streaks, calls };
  gsize call = 0;

  if (!events_load (&events, tb_trace_get_session (model->trace), error))
    return FALSE;
  for (guint32 i = 0; i < model->n_threads; i++)
    calls[i] = G_MININT64;
  for (gsize i = 0; i < events.n; i++)
    {
      if (i % ROWS_BETWEEN_LOOKS == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (;
           call < events.n_calls && events.exit[call] != TB_TIME_NONE && events.exit[call] <= events.time[i];
           call++)
        if (events.caller[call] < model->n_threads)
          calls[events.caller[call]] = events.exit[call];
      watch_sample (&watcher, tree, i);
    }
  for (guint32 i = 0; i < model->n_threads; i++)
    end_streak (&watcher, i, TB_TIME_NONE);
  return TRUE;
}

/* --- both --- */

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

/* Who ends most of a vertex's waiting: likely also who lets go of what it spins for. */
static guint32
find_main_waker (const TbWaitGraph *graph, guint32 vertex)
{
  guint32 heaviest = TB_ID_NONE;
  gint64 plain = 0;

  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);

      if (arc->from == vertex && !arc->idle && arc->plain > plain)
        {
          plain = arc->plain;
          heaviest = arc->to;
        }
    }
  return heaviest;
}

/* By whom a vertex's busy waiting is ended: the thread for which it sleeps most; TB_ID_NONE none. */
static guint32
find_main_waker_thread (const TbWaitGraph *graph, guint32 vertex)
{
  guint32 heaviest = TB_ID_NONE;
  gint64 plain = 0;

  for (guint32 i = 0; i < graph->model->edges->len; i++)
    {
      const TbWaitEdge *edge = tb_wait_model_get_edge (graph->model, i);

      if (graph->vertex_of_node[edge->from] == vertex && edge->to < graph->model->n_threads
          && edge->plain > plain)
        {
          plain = edge->plain;
          heaviest = edge->to;
        }
    }
  return heaviest;
}

static gboolean
has_thread (const GArray *threads, guint32 thread)
{
  for (guint i = 0; i < threads->len; i++)
    if (g_array_index (threads, guint32, i) == thread)
      return TRUE;
  return FALSE;
}

/* What is waited for lies in memory, which is shared by a process first of all: the only one of those that is of the process, else
 * the only one. */
static guint32
find_only (const Finder *self, const TbWaitProposal *proposal, const GArray *threads)
{
  guint n_threads, n_own = 0;
  const TbThread *all = tb_session_get_threads (tb_trace_get_session (self->graph->model->trace), &n_threads);
  guint32 process = tb_wait_graph_get_vertex (self->graph, proposal->vertex)->process, own = TB_ID_NONE;

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

/* FALSE: nobody ran at all ends, so that it does not wait for any one thread. */
static gboolean
find_ender (const Finder *self, TbWaitProposal *proposal)
{
  const TbWaitEnders *enders = &g_array_index (self->enders, TbWaitEnders, proposal->number);
  guint32 only;

  if (enders->threads == NULL)
    return TRUE;
  if (enders->threads->len == 0)
    return FALSE;
  only = find_only (self, proposal, enders->threads);
  if (only != TB_ID_NONE)
    {
      proposal->ended = TB_WAIT_ENDED_BY_ONE;
      proposal->waker_thread = only;
      proposal->waker = find_vertex (self->graph, only);
      return TRUE;
    }
  proposal->ended = TB_WAIT_ENDED_BY_SOME;
  /* For whom it sleeps most is likely only if that one ran. */
  if (proposal->waker_thread == TB_ID_NONE || !has_thread (enders->threads, proposal->waker_thread))
    proposal->waker = proposal->waker_thread = TB_ID_NONE;
  return TRUE;
}

static void
tell_wakers (Finder *self)
{
  for (guint i = 0; self->marks != NULL && i < self->marks->len; i++)
    {
      TbWaitProposedMark *mark = &g_array_index (self->marks, TbWaitProposedMark, i);

      if (mark->mark.kind == TB_MARK_SPIN_END)
        mark->mark.other = g_array_index (self->proposals, TbWaitProposal, mark->proposal).waker_thread;
    }
}

GArray *
tb_wait_propose (const TbWaitGraph *graph, GArray *marks, GCancellable *cancellable, GError **error)
{
  Finder self = { .graph = graph, .rows = tb_trace_get_intervals (graph->model->trace), .marks = marks };
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (TbWaitProposal));
  g_autoptr (GArray) enders = g_array_new (FALSE, TRUE, sizeof (TbWaitEnders));
  gsize n_done = 0;
  GArray *kept;

  g_array_set_clear_func (enders, (GDestroyNotify) tb_wait_enders_clear);
  self.enders = enders;
  self.looks = TB_WAIT_ENDERS_LOOKS;
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
      find_false_wakeups (&self, thread, first, first + n);
      n_done += n;
      if (n_done >= ROWS_BETWEEN_LOOKS && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n_done %= ROWS_BETWEEN_LOOKS;
    }
  if (!find_spins (&self, cancellable, error))
    return NULL;
  kept = g_array_new (FALSE, FALSE, sizeof (TbWaitProposal));
  for (guint i = 0; i < all->len; i++)
    {
      TbWaitProposal *proposal = &g_array_index (all, TbWaitProposal, i);

      if (proposal->kind == TB_WAIT_PROPOSE_FALSE_WAKEUP && proposal->count < COUNT_LEAST)
        continue;
      if (proposal->kind == TB_WAIT_PROPOSE_SPIN)
        {
          proposal->waker = find_main_waker (graph, proposal->vertex);
          proposal->waker_thread = find_main_waker_thread (graph, proposal->vertex);
          if (!find_ender (&self, proposal))
            continue;
        }
      g_array_append_val (kept, *proposal);
    }
  tell_wakers (&self);
  g_array_sort (kept, compare_proposals);
  return kept;
}
