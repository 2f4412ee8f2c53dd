/* tb-paths-parallel.c: paths of threads that worked in parallel to the base path (others of the
 * process, descendants, woken threads); whether the base path waited for them; counts of wake-ups
 * not followed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other threads of the process, and all descendants of the path, are followed for their whole
 * life. Any other thread is followed only from its wake-up by the path until it waits for something
 * that it did not request itself. Idle time in between belongs to no path, because no thread waits
 * for it.
 */

#include "config.h"

#include "tb-paths-private.h"
#include "trace/tb-trace-roles.h"

/* Limits for the search whether a wake-up answers a request: steps back for one sleep, and for
 * all. */
#define MAX_HOPS 256
#define MAX_TOTAL_HOPS 4000000

typedef struct
{
  gint64 from;
  gint64 to;
} Span;

typedef struct
{
  TbPaths *paths;
  const TbPathsModel *model;
  guint32 *first;        /* by thread: index of its first span */
  Span *spans;           /* spans in the base path, by thread, ascending */
  guint8 *is_followed;   /* by thread: followed for its whole life */
  guint8 *is_woken;      /* by row: a run that the path woke */
  guint8 *has_woken_run; /* by thread */
  guint64 hops;
} PathFinder;

static void
finder_clear (PathFinder *self)
{
  g_free (self->first);
  g_free (self->spans);
  g_free (self->is_followed);
  g_free (self->is_woken);
  g_free (self->has_woken_run);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PathFinder, finder_clear)

/* --- spans of the base path --- */

static void
find_spans (PathFinder *self)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  const guint32 *thread = self->model->rows->thread;
  guint n_threads = self->model->n_threads;
  g_autofree guint32 *place = NULL;

  self->first = g_new0 (guint32, (gsize) n_threads + 1);
  for (gsize i = 0; i < boxes->n; i++)
    self->first[thread[boxes->row[i]] + 1]++;
  for (guint i = 1; i <= n_threads; i++)
    self->first[i] += self->first[i - 1];
  place = g_memdup2 (self->first, sizeof (guint32) * (n_threads + 1));
  self->spans = g_new (Span, MAX (boxes->n, 1));
  /* The walk adds boxes backwards in time. */
  for (gsize i = boxes->n; i-- > 0;)
    self->spans[place[thread[boxes->row[i]]]++] = (Span) { boxes->from[i], boxes->to[i] };
}

/* The first span of the thread that ends after time. */
static guint32
find_span (const PathFinder *self, guint32 thread, gint64 time)
{
  guint32 low = self->first[thread], high = self->first[thread + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->spans[middle].to > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static gboolean
is_in_paths (const PathFinder *self, guint32 thread, gint64 time)
{
  guint32 i;

  if (self->is_followed[thread])
    return TRUE;
  /* An action at the exact end of a run belongs to that run. */
  i = find_span (self, thread, time - 1);
  return i < self->first[thread + 1] && self->spans[i].from <= time;
}

/* --- followed threads --- */

/* A model made of rows alone has no trace with this information. */
static gboolean
is_kernel_thread (const PathFinder *self, guint32 thread)
{
  return self->paths->trace != NULL && tb_trace_is_kernel_thread (self->paths->trace, thread);
}

static gboolean
is_recorder (const PathFinder *self, guint32 thread)
{
  return self->paths->trace != NULL
         && (tb_trace_get_thread_roles (self->paths->trace, thread) & TB_THREAD_ROLE_RECORDER) != 0;
}

/* Whether a kernel thread ended a wait for the disk. It did that for the waiting thread, although
 * it works for the path too. */
static gboolean
is_kernel_service (const PathFinder *self, guint32 row)
{
  return is_kernel_thread (self, self->model->rows->cause[row])
         && tb_paths_model_waits_for_disk (self->model, row);
}

static gboolean
is_deliberate (const PathFinder *self, guint32 row)
{
  return (self->paths->trace != NULL ? tb_trace_get_wait_kind (self->paths->trace, row)
                                     : self->model->rows->kind[row])
         == TB_WAIT_SLEEP;
}

typedef struct
{
  gint64 time;
  guint32 thread;
} Fork;

static int
compare_forks (gconstpointer a, gconstpointer b)
{
  const Fork *one = a, *two = b;

  if (one->time != two->time)
    return one->time < two->time ? -1 : 1;
  return one->thread < two->thread ? -1 : one->thread > two->thread;
}

static void
find_followed_threads (PathFinder *self)
{
  const TbPathsEvents *events = self->paths->events;
  g_autoptr (GArray) forks = g_array_new (FALSE, FALSE, sizeof (Fork));

  for (guint32 i = 1; i < self->model->n_threads; i++)
    {
      Fork fork = { self->model->fork_time[i], i };

      self->is_followed[i]
          = events->process_of[i] == self->paths->process && i != self->paths->thread;
      if (self->model->creator[i] != TB_ID_NONE)
        g_array_append_val (forks, fork);
    }
  g_array_sort (forks, compare_forks);
  for (guint i = 0; i < forks->len; i++)
    {
      const Fork *fork = &g_array_index (forks, Fork, i);

      if (fork->time >= self->paths->from && fork->time < self->paths->to
          && is_in_paths (self, self->model->creator[fork->thread], fork->time)
          && !is_kernel_thread (self, fork->thread) && !is_recorder (self, fork->thread))
        self->is_followed[fork->thread] = TRUE;
    }
}

static void
find_woken_runs (PathFinder *self)
{
  const TbIntervals *rows = self->model->rows;
  TbPathsWalk *walk = self->paths->walk;

  for (gsize row = 0; row < rows->n; row++)
    {
      guint32 thread = rows->thread[row];
      guint32 run;

      if (rows->cause_kind[row] != TB_CAUSE_THREAD || rows->wakeup[row] >= self->model->n_wakeups
          || self->is_followed[thread] || thread == self->paths->thread
          || rows->cause[row] >= self->model->n_threads || rows->end[row] < self->paths->from
          || rows->end[row] >= self->paths->to
          || !is_in_paths (self, rows->cause[row], self->model->wake_time[rows->wakeup[row]]))
        continue;
      run = tb_paths_model_get_sleep_end (self->model, row) + 1;
      if (run >= self->model->first_row[thread + 1] || !tb_paths_is_run (self->model, run)
          || is_recorder (self, thread) || is_kernel_service (self, row))
        continue;
      if (is_kernel_thread (self, thread))
        {
          if (find_span (self, thread, rows->start[run]) == self->first[thread + 1])
            walk->dropped[TB_PATHS_DROP_NOT_WAITED]++;
          continue;
        }
      self->is_woken[run] = TRUE;
      self->has_woken_run[thread] = TRUE;
    }
}

/* --- extent of the paths --- */

/* Whether the wake-up that ends a sleep answers a request that the thread itself made after
 * since. What another path contains was not done for this thread. */
static gboolean
is_answer (PathFinder *self, guint32 thread, const TbPathsEnd *end, gint64 since)
{
  const TbPathsModel *model = self->model;
  guint32 run = end->run;

  for (guint hops = 0; hops < MAX_HOPS && run != TB_ID_NONE && self->hops < MAX_TOTAL_HOPS;
       hops++, self->hops++)
    {
      guint32 waker = model->rows->thread[run];
      TbPathsEnd before;
      guint32 last;

      if (model->rows->end[run] < since || run == model->first_row[waker]
          || self->paths->walk->row_path[run] != TB_ID_NONE)
        return FALSE;
      last = run - 1;
      if (tb_paths_is_run (model, last))
        {
          run = last;
          continue;
        }
      run = tb_paths_model_get_sleep_start (model, last);
      tb_paths_model_get_end (model, run, last, &before);
      if (before.kind == TB_PATHS_END_THREAD || before.kind == TB_PATHS_END_FORK)
        {
          if (before.thread == thread)
            return before.time >= since;
          run = before.run;
        }
      else
        run = run > model->first_row[waker] ? run - 1 : TB_ID_NONE;
    }
  return FALSE;
}

/* Whether a thread waits for a lock. Its holder works for itself meanwhile. */
static gboolean
waits_for_lock (PathFinder *self, guint32 row)
{
  return self->paths->lock_waits != NULL
         && tb_paths_lock_waits_find (self->paths->lock_waits, row) != TB_ID_NONE;
}

/* Whether a sleep of a followed thread is part of its work. */
static gboolean
continues_work (PathFinder *self, guint32 thread, guint32 first, guint32 last, gint64 since)
{
  const TbIntervals *rows = self->model->rows;
  TbPathsEnd end;

  tb_paths_model_get_end (self->model, first, last, &end);
  switch (end.kind)
    {
    case TB_PATHS_END_PREEMPTED:
      return TRUE;
    case TB_PATHS_END_THREAD:
      return !waits_for_lock (self, end.row) && is_answer (self, thread, &end, since);
    case TB_PATHS_END_OTHER:
      if (rows->cause_kind[end.row] == TB_CAUSE_TIMER)
        return self->is_followed[thread] && is_deliberate (self, end.row);
      if (rows->cause_kind[end.row] == TB_CAUSE_NETWORK)
        return self->is_followed[thread];
      return rows->cause_kind[end.row] != TB_CAUSE_UNKNOWN;
    case TB_PATHS_END_NONE:
      /* The thread was woken before it left the CPU. */
      return rows->state[first] == TB_STATE_RUNNABLE && first == last;
    case TB_PATHS_END_FORK:
    default:
      return FALSE;
    }
}

/* Adds the parts of from…to that the base path does not contain. A part that touches the last span
 * extends it. */
static void
add_uncovered (PathFinder *self, guint32 thread, gint64 from, gint64 to, GArray *uncovered)
{
  guint32 i = find_span (self, thread, from);

  from = MAX (from, self->paths->from);
  to = MIN (to, self->paths->to);
  while (from < to)
    {
      Span span = { from, to };
      Span *last = uncovered->len > 0 ? &g_array_index (uncovered, Span, uncovered->len - 1) : NULL;

      if (i < self->first[thread + 1] && self->spans[i].from < to)
        {
          span.to = self->spans[i].from;
          from = MAX (from, self->spans[i].to);
          i++;
        }
      else
        from = to;
      if (span.to <= span.from)
        continue;
      if (last != NULL && last->to == span.from)
        last->to = span.to;
      else
        g_array_append_val (uncovered, span);
    }
}

static gboolean
is_in_base_path (PathFinder *self, guint32 thread, gint64 from, gint64 to)
{
  guint32 i = find_span (self, thread, from);

  return i < self->first[thread + 1] && self->spans[i].from < to;
}

static void
find_uncovered (PathFinder *self, guint32 thread, GArray *uncovered)
{
  const TbPathsModel *model = self->model;
  const TbIntervals *rows = model->rows;
  guint32 end = model->first_row[thread + 1];
  gboolean active = FALSE;
  gint64 since = 0;

  for (guint32 row = model->first_row[thread]; row < end;)
    {
      guint32 last;

      if (tb_paths_is_run (model, row))
        {
          if (!active && (self->is_followed[thread] || self->is_woken[row]))
            {
              active = TRUE;
              since = rows->start[row];
            }
          else if (self->is_woken[row])
            since = rows->start[row];
          if (active)
            add_uncovered (self, thread, rows->start[row], rows->end[row], uncovered);
          row++;
          continue;
        }
      last = tb_paths_model_get_sleep_end (model, row);
      if (active && last + 1 < end && continues_work (self, thread, row, last, since))
        {
          if (!is_in_base_path (self, thread, rows->start[row], rows->end[last]))
            add_uncovered (self, thread, rows->start[row], rows->end[last], uncovered);
        }
      else
        active = FALSE;
      row = last + 1;
    }
}

static gboolean
add_path (PathFinder *self,
          guint32 thread,
          GArray *uncovered,
          GCancellable *cancellable,
          GError **error)
{
  guint32 id = self->paths->paths->len;
  const Span *spans = (const Span *) (gpointer) uncovered->data;
  TbPath path = { .thread = thread, .asynchronous = TRUE };

  if (uncovered->len == 0)
    return TRUE;
  path.from = spans[0].from;
  path.to = spans[uncovered->len - 1].to;
  for (guint i = uncovered->len; i-- > 0;)
    {
      guint32 next = find_span (self, thread, spans[i].to);

      path.wall_ns += spans[i].to - spans[i].from;
      /* The base path continues where this span ends, so it did wait for this work. */
      if (next < self->first[thread + 1] && self->spans[next].from == spans[i].to)
        path.asynchronous = FALSE;
      if (!tb_paths_walk_add (self->paths->walk, id, thread, spans[i].from, spans[i].to,
                              cancellable, error))
        return FALSE;
    }
  g_array_append_val (self->paths->paths, path);
  return TRUE;
}

/* Locks are recognized by the waits of all threads that take part. */
static void
find_lock_waits (PathFinder *self)
{
  g_autofree guint8 *threads = g_new0 (guint8, MAX (self->model->n_threads, 1));

  if (self->paths->trace == NULL)
    return;
  for (guint32 i = 0; i < self->model->n_threads; i++)
    threads[i] = i == self->paths->thread || self->is_followed[i] || self->has_woken_run[i]
                 || self->first[i + 1] > self->first[i];
  self->paths->lock_waits
      = tb_paths_lock_waits_new (self->paths->trace,
                                 tb_paths_model_get_lock_uses (self->paths->model), threads);
}

/* Counts the parts of runs that belong to no path: what a waker of the base path did before or
 * after it, for other threads. */
static void
count_cut_runs (PathFinder *self, gsize n_base)
{
  TbPathsWalk *walk = self->paths->walk;
  const TbPathsBoxes *boxes = &walk->boxes;

  for (gsize i = 0; i < n_base; i++)
    {
      guint32 row = boxes->row[i];
      guint32 thread = self->model->rows->thread[row];

      if (boxes->layer[i] == 0 || self->is_followed[thread] || self->is_woken[row])
        continue;
      if (boxes->flags[i] & TB_PATHS_BOX_CUT_START)
        walk->dropped[TB_PATHS_DROP_BEFORE]++;
      if (boxes->flags[i] & TB_PATHS_BOX_CUT_END)
        walk->dropped[TB_PATHS_DROP_AFTER]++;
    }
}

gboolean
tb_paths_add_parallel (TbPaths *paths, GCancellable *cancellable, GError **error)
{
  g_auto (PathFinder) self = { .paths = paths, .model = paths->model };
  g_autoptr (GArray) uncovered = g_array_new (FALSE, FALSE, sizeof (Span));
  gsize n_base = paths->walk->boxes.n;

  self.is_followed = g_new0 (guint8, MAX (paths->model->n_threads, 1));
  self.has_woken_run = g_new0 (guint8, MAX (paths->model->n_threads, 1));
  self.is_woken = g_new0 (guint8, MAX (paths->model->rows->n, 1));
  find_spans (&self);
  find_followed_threads (&self);
  find_woken_runs (&self);
  find_lock_waits (&self);
  for (guint32 thread = 1; thread < paths->model->n_threads; thread++)
    {
      if (thread == paths->thread || (!self.is_followed[thread] && !self.has_woken_run[thread]))
        continue;
      g_array_set_size (uncovered, 0);
      find_uncovered (&self, thread, uncovered);
      if (!add_path (&self, thread, uncovered, cancellable, error)
          || g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  count_cut_runs (&self, n_base);
  return TRUE;
}
