/* control-paths-reference.c: plain reference implementation of the rules of control paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recursive, with one flag for each ns of each thread: slow, but easy to check against the paper.
 */

#include "config.h"

#include "control-paths-reference.h"

typedef struct
{
  const TbPathsModel *model;
  GArray *boxes;
  GHashTable *taken; /* thread and ns already in the path */
  GArray *chain;     /* guint32: the threads that wait for each other, caller first */
  guint32 path;
  GHashTable *owner; /* row → 1 + the first path that contains the row or a part of it */
} Reference;

typedef struct
{
  /* the walk reached a run that a thread of the chain (caller) woke at x; that run was ready at
   * this time */
  gboolean found_call;
  guint32 caller;
  gint64 x;
  gint64 ready;
  gint64 start; /* start of this layer's part */
} Walked;

static gint64
key_of (guint32 thread, gint64 time)
{
  return (gint64) thread << 40 | time;
}

static gboolean
is_taken (Reference *self, guint32 thread, gint64 time)
{
  gint64 key = key_of (thread, time);

  return g_hash_table_contains (self->taken, &key);
}

static void
mark_taken (Reference *self, guint32 thread, gint64 from, gint64 to)
{
  for (gint64 time = from; time < to; time++)
    {
      gint64 key = key_of (thread, time);

      g_hash_table_add (self->taken, g_memdup2 (&key, sizeof key));
    }
}

/* The row that contains the ns before time. */
static guint32
row_before (Reference *self, guint32 thread, gint64 time)
{
  const TbIntervals *rows = self->model->rows;

  for (gsize i = 0; i < rows->n; i++)
    if (rows->thread[i] == thread && rows->start[i] < time && rows->end[i] >= time)
      return i;
  return TB_ID_NONE;
}

static gboolean
is_run (Reference *self, guint32 row)
{
  return self->model->rows->state[row] == TB_STATE_RUNNING;
}

static gboolean
same_thread (Reference *self, gint64 one, gint64 two)
{
  const TbIntervals *rows = self->model->rows;

  return one >= 0 && two >= 0 && one < (gint64) rows->n && two < (gint64) rows->n
         && rows->thread[one] == rows->thread[two];
}

/* An unknown row is neither part of a sleep nor of a run. */
static gboolean
is_unknown (Reference *self, guint32 row)
{
  return self->model->rows->state[row] == TB_STATE_UNKNOWN;
}

static guint32
sleep_start (Reference *self, guint32 row)
{
  while (!is_unknown (self, row) && same_thread (self, row, (gint64) row - 1)
         && !is_run (self, row - 1) && !is_unknown (self, row - 1))
    row--;
  return row;
}

static guint32
sleep_end (Reference *self, guint32 row)
{
  while (!is_unknown (self, row) && same_thread (self, row, (gint64) row + 1)
         && !is_run (self, row + 1) && !is_unknown (self, row + 1))
    row++;
  return row;
}

/* The last row of a sleep in which the thread was not merely runnable. */
static guint32
sleeping_row (Reference *self, guint32 first, guint32 last)
{
  for (guint32 row = last + 1; row-- > first;)
    if (self->model->rows->state[row] >= TB_STATE_INTERRUPTIBLE)
      return row;
  return TB_ID_NONE;
}

/* The last row before the sleep in which the thread waited, if it only ran for a short time or was
 * ready to run since then, the wait was at the same place and timed out. -1: none. */
static gint64
wait_before (Reference *self, guint32 slept)
{
  const TbIntervals *rows = self->model->rows;
  gint64 before = (gint64) slept - 1, ran = 0;

  for (; same_thread (self, slept, before) && rows->state[before] < TB_STATE_INTERRUPTIBLE;
       before--)
    {
      if (is_unknown (self, before))
        return -1;
      if (is_run (self, before))
        ran += rows->end[before] - rows->start[before];
    }
  if (!same_thread (self, slept, before) || ran == 0
      || (ran >= self->model->thresholds.poll_run
          && ran * 100 > rows->end[before] - rows->start[before]))
    return -1;
  return rows->cause_kind[before] == TB_CAUSE_TIMER && rows->stack[before] == rows->stack[slept]
                 && rows->stack[slept] != TB_STACK_NONE
             ? before
             : -1;
}

/* First row of a sleep. A poll loop counts as one sleep. */
static guint32
de_facto_start (Reference *self, guint32 first)
{
  guint32 slept = sleeping_row (self, first, sleep_end (self, first));
  gint64 before = slept != TB_ID_NONE ? wait_before (self, slept) : -1;

  return before >= 0 ? de_facto_start (self, sleep_start (self, (guint32) before)) : first;
}

/* A row above the lowest layer belongs to one path only. */
static gboolean
is_of_another_path (Reference *self, guint32 row)
{
  guint owner = GPOINTER_TO_UINT (g_hash_table_lookup (self->owner, GUINT_TO_POINTER (row)));

  return owner != 0 && owner != self->path + 1;
}

static gsize
add_box (Reference *self, guint32 row, gint64 from, gint64 to)
{
  ReferenceBox box
      = { .row = row, .path = self->path, .layer = self->chain->len - 1, .from = from, .to = to };

  if (!g_hash_table_contains (self->owner, GUINT_TO_POINTER (row)))
    g_hash_table_insert (self->owner, GUINT_TO_POINTER (row), GUINT_TO_POINTER (self->path + 1));
  g_array_append_val (self->boxes, box);
  return self->boxes->len - 1;
}

static gint64
position_in_chain (Reference *self, guint32 thread)
{
  for (guint i = 0; i < self->chain->len; i++)
    if (g_array_index (self->chain, guint32, i) == thread)
      return i;
  return -1;
}

/* Returns up to which time, at most end, the waker's time is not yet in the path. */
static gint64
free_end (Reference *self, guint32 thread, gint64 lo, gint64 end)
{
  const TbIntervals *rows = self->model->rows;
  gint64 earliest = end;

  /* The walk goes back in time, so the path already holds this thread from its earliest taken time
   * on. */
  for (gsize i = 0; i < rows->n; i++)
    if (rows->thread[i] == thread)
      for (gint64 time = rows->start[i]; time < rows->end[i]; time++)
        if (is_taken (self, thread, time))
          earliest = MIN (earliest, time);
  return earliest;
}

static Walked walk (Reference *self, gint64 lo, gint64 hi);

static void
cover (Reference *self, gsize first, gsize end, gint64 from, gint64 to, gint64 ready)
{
  for (gsize i = first; i < end; i++)
    {
      ReferenceBox *box = &g_array_index (self->boxes, ReferenceBox, i);

      box->covered = TRUE;
      box->child_from = from;
      box->child_to = to;
      box->ready = ready;
    }
}

/* Makes the waker's run the child of a sleep, if it did anything. Returns FALSE if the walk reached
 * a caller further down the chain. */
static gboolean
explain (Reference *self,
         const TbPathsEnd *end,
         gint64 sleep_end_time,
         gsize first,
         gint64 lo,
         Walked *out)
{
  const TbIntervals *rows = self->model->rows;
  gsize group_end = self->boxes->len;
  gint64 hi;
  Walked child;

  if (end->run == TB_ID_NONE)
    return TRUE;
  hi = rows->end[end->run];
  if (hi > sleep_end_time + self->model->thresholds.grace)
    hi = sleep_end_time;
  hi = MIN (hi, free_end (self, end->thread, lo, hi));
  if (hi <= lo || hi <= rows->start[end->run] || is_of_another_path (self, end->run))
    return TRUE;
  g_array_append_val (self->chain, end->thread);
  child = walk (self, lo, hi);
  g_array_set_size (self->chain, self->chain->len - 1);
  if (child.start < hi)
    {
      gboolean is_mine
          = child.found_call
            && child.caller == g_array_index (self->chain, guint32, self->chain->len - 1);

      cover (self, first, group_end, child.start, hi, is_mine ? child.ready : child.start);
    }
  if (!child.found_call
      || child.caller == g_array_index (self->chain, guint32, self->chain->len - 1))
    return TRUE;
  /* The call came from further down the chain, so the earlier part of this layer does not belong to
   * the path. */
  for (gsize i = first; i < group_end; i++)
    {
      ReferenceBox *box = &g_array_index (self->boxes, ReferenceBox, i);

      box->from = MAX (box->from, child.x);
      box->to = MAX (box->to, box->from);
    }
  *out = child;
  out->start = child.x;
  return FALSE;
}

/* Walks back from hi to lo along the thread on top of the chain. */
static Walked
walk (Reference *self, gint64 lo, gint64 hi)
{
  const TbPathsModel *model = self->model;
  const TbIntervals *rows = model->rows;
  guint depth = self->chain->len - 1;
  gint64 time = hi, claimed_to = hi;
  Walked out = { 0 };

  while (time > lo)
    {
      guint32 thread = g_array_index (self->chain, guint32, depth);
      guint32 row = row_before (self, thread, time);
      gint64 sleep_to = time;
      guint32 first, last;
      gsize group;
      TbPathsEnd end;

      if (row == TB_ID_NONE || (depth > 0 && is_of_another_path (self, row)))
        break;
      if (is_run (self, row))
        {
          gint64 from = rows->start[row];

          if (from < lo && (depth == 0 || lo - from > model->thresholds.grace))
            from = lo;
          add_box (self, row, from, time);
          time = from;
          continue;
        }
      first = sleep_start (self, row);
      last = row;
      tb_paths_model_get_end (model, first, last, &end);
      if (end.kind == TB_PATHS_END_THREAD || end.kind == TB_PATHS_END_FORK)
        {
          gint64 caller = position_in_chain (self, end.thread);

          if (caller >= 0 && caller < (gint64) depth)
            {
              out = (Walked) { TRUE, end.thread, time, end.time, time };
              break;
            }
        }
      if (end.kind == TB_PATHS_END_THREAD)
        first = de_facto_start (self, first);
      group = self->boxes->len;
      for (gint64 i = last; i >= (gint64) first && rows->end[i] > lo; i--)
        {
          add_box (self, i, MAX (rows->start[i], lo), MIN (rows->end[i], time));
          time = MAX (rows->start[i], lo);
        }
      if (end.kind == TB_PATHS_END_THREAD && !explain (self, &end, sleep_to, group, time, &out))
        {
          time = out.start;
          break;
        }
      if (end.kind == TB_PATHS_END_FORK)
        {
          gint64 goes_on;

          if (depth == 0 || end.run == TB_ID_NONE || is_of_another_path (self, end.run))
            break;
          goes_on = MIN (time, end.time);
          goes_on = MIN (goes_on, free_end (self, end.thread, lo, goes_on));
          if (goes_on <= lo)
            break;
          mark_taken (self, thread, time, claimed_to);
          g_array_index (self->chain, guint32, depth) = end.thread;
          time = claimed_to = goes_on;
        }
    }
  mark_taken (self, g_array_index (self->chain, guint32, depth), time, claimed_to);
  if (!out.found_call)
    out.start = time;
  return out;
}

static void
reference_init (Reference *self, const TbPathsModel *model)
{
  *self = (Reference) { .model = model };
  self->boxes = g_array_new (FALSE, FALSE, sizeof (ReferenceBox));
  self->taken = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->owner = g_hash_table_new (NULL, NULL);
}

static GArray *
reference_finish (Reference *self)
{
  g_hash_table_unref (self->taken);
  g_array_unref (self->chain);
  g_hash_table_unref (self->owner);
  return self->boxes;
}

static void
follow (Reference *self, guint32 thread, gint64 from, gint64 to)
{
  g_array_set_size (self->chain, 0);
  g_array_append_val (self->chain, thread);
  walk (self, from, to);
}

GArray *
control_paths_reference (const TbPathsModel *model, guint32 thread, gint64 from, gint64 to)
{
  Reference self;

  reference_init (&self, model);
  follow (&self, thread, from, to);
  return reference_finish (&self);
}

/* --- other paths of the process --- */

typedef struct
{
  Reference reference;
  const guint32 *process_of;
  guint32 thread; /* the main thread */
  gint64 from;
  gint64 to;
  guint n_base;       /* number of boxes of the base path */
  gboolean *followed; /* by thread: its whole life belongs to the paths */
} OtherPaths;

static gboolean
is_in_base (const OtherPaths *self, guint32 thread, gint64 from, gint64 to)
{
  for (guint i = 0; i < self->n_base; i++)
    {
      const ReferenceBox *box = &g_array_index (self->reference.boxes, ReferenceBox, i);

      if (self->reference.model->rows->thread[box->row] == thread && box->from < to
          && box->to > from)
        return TRUE;
    }
  return FALSE;
}

/* Whether a thread is in the base path at a time, both ends of a box included, or is followed. */
static gboolean
is_member (const OtherPaths *self, guint32 thread, gint64 time)
{
  for (guint i = 0; i < self->n_base; i++)
    {
      const ReferenceBox *box = &g_array_index (self->reference.boxes, ReferenceBox, i);

      if (self->reference.model->rows->thread[box->row] == thread && box->from <= time
          && box->to >= time)
        return TRUE;
    }
  return self->followed[thread];
}

/* Finds the followed threads: the other threads of the process, and threads created from within the
 * paths, in order of creation. */
static void
find_followed (OtherPaths *self)
{
  const TbPathsModel *model = self->reference.model;

  for (guint32 i = 1; i < model->n_threads; i++)
    self->followed[i] = i != self->thread && self->process_of[i] == self->process_of[self->thread];
  for (gint64 time = self->from; time < self->to; time++)
    for (guint32 i = 1; i < model->n_threads; i++)
      if (model->creator[i] != TB_ID_NONE && model->fork_time[i] == time
          && is_member (self, model->creator[i], time))
        self->followed[i] = TRUE;
}

/* Returns whether a thread of the paths woke this thread into the run. */
static gboolean
is_woken_by_path (OtherPaths *self, guint32 run)
{
  const TbPathsModel *model = self->reference.model;
  const TbIntervals *rows = model->rows;
  guint32 thread = rows->thread[run];

  if (thread == self->thread || self->followed[thread]
      || !same_thread (&self->reference, run, (gint64) run - 1)
      || is_run (&self->reference, run - 1))
    return FALSE;
  for (guint32 row = sleep_start (&self->reference, run - 1); row < run; row++)
    if (rows->cause_kind[row] == TB_CAUSE_THREAD && rows->wakeup[row] != TB_ID_NONE
        && rows->end[row] >= self->from && rows->end[row] < self->to
        && is_member (self, rows->cause[row], model->wake_time[rows->wakeup[row]]))
      return TRUE;
  return FALSE;
}

/* Threads that woke each other at the same time form a cycle, which never reaches a call. */
#define MOST_STEPS 256

/* Returns whether the chain of wake-ups before a run leads back to a call by the thread, made at
 * `since` or later, without a run that another path contains. */
static gboolean
leads_to_call (OtherPaths *self, guint32 thread, guint32 run, gint64 since, guint steps)
{
  const TbIntervals *rows = self->reference.model->rows;
  guint32 first;
  TbPathsEnd end;

  if (steps == MOST_STEPS || run == TB_ID_NONE || rows->end[run] < since
      || g_hash_table_contains (self->reference.owner, GUINT_TO_POINTER (run))
      || !same_thread (&self->reference, run, (gint64) run - 1))
    return FALSE;
  if (is_run (&self->reference, run - 1))
    return leads_to_call (self, thread, run - 1, since, steps + 1);
  first = sleep_start (&self->reference, run - 1);
  tb_paths_model_get_end (self->reference.model, first, run - 1, &end);
  if (end.kind != TB_PATHS_END_THREAD && end.kind != TB_PATHS_END_FORK)
    return same_thread (&self->reference, first, (gint64) first - 1)
           && leads_to_call (self, thread, first - 1, since, steps + 1);
  if (end.thread == thread)
    return end.time >= since;
  return leads_to_call (self, thread, end.run, since, steps + 1);
}

/* Returns whether a followed thread continues its work after a sleep. */
static gboolean
continues_work (OtherPaths *self, guint32 first, guint32 last, gint64 since)
{
  const TbIntervals *rows = self->reference.model->rows;
  guint32 thread = rows->thread[first];
  TbPathsEnd end;

  tb_paths_model_get_end (self->reference.model, first, last, &end);
  if (end.kind == TB_PATHS_END_PREEMPTED)
    return TRUE;
  if (end.kind == TB_PATHS_END_NONE)
    return first == last && rows->state[first] == TB_STATE_RUNNABLE;
  if (end.kind == TB_PATHS_END_THREAD)
    return leads_to_call (self, thread, end.run, since, 0);
  if (end.kind != TB_PATHS_END_OTHER || rows->cause_kind[end.row] == TB_CAUSE_UNKNOWN)
    return FALSE;
  if (rows->cause_kind[end.row] == TB_CAUSE_TIMER)
    return self->followed[thread] && rows->kind[end.row] == TB_WAIT_SLEEP;
  return rows->cause_kind[end.row] != TB_CAUSE_NETWORK || self->followed[thread];
}

/* By ns: whether it belongs to a path of the thread's own. */
static GArray *
find_own (OtherPaths *self, guint32 thread)
{
  const TbPathsModel *model = self->reference.model;
  const TbIntervals *rows = model->rows;
  GArray *own = g_array_new (FALSE, TRUE, sizeof (gboolean));
  gboolean active = FALSE;
  gint64 since = 0;
  guint32 last;

  g_array_set_size (own, self->to + 1);
  for (guint32 row = model->first_row[thread]; row < model->first_row[thread + 1]; row = last + 1)
    {
      gboolean whole;

      last = is_run (&self->reference, row) ? row : sleep_end (&self->reference, row);
      if (is_run (&self->reference, row))
        {
          if ((!active && self->followed[thread]) || is_woken_by_path (self, row))
            {
              active = TRUE;
              since = rows->start[row];
            }
          whole = FALSE;
        }
      else
        {
          active = active && same_thread (&self->reference, last, (gint64) last + 1)
                   && continues_work (self, row, last, since);
          whole = TRUE;
        }
      if (!active || (whole && is_in_base (self, thread, rows->start[row], rows->end[last])))
        continue;
      for (gint64 time = MAX (rows->start[row], self->from); time < MIN (rows->end[last], self->to);
           time++)
        if (!is_in_base (self, thread, time, time + 1))
          g_array_index (own, gboolean, time) = TRUE;
    }
  return own;
}

static gboolean
begins_in_base (const OtherPaths *self, guint32 thread, gint64 time)
{
  for (guint i = 0; i < self->n_base; i++)
    {
      const ReferenceBox *box = &g_array_index (self->reference.boxes, ReferenceBox, i);

      if (self->reference.model->rows->thread[box->row] == thread && box->from == time
          && box->to > time)
        return TRUE;
    }
  return FALSE;
}

/* Later stretches come first, as in every walk. */
static void
follow_own (OtherPaths *self, guint32 thread, GArray *asynchronous)
{
  g_autoptr (GArray) own = find_own (self, thread);
  gboolean any = FALSE, is_asynchronous = TRUE;

  g_hash_table_remove_all (self->reference.taken);
  self->reference.path = asynchronous->len;
  for (gint64 end = self->to; end > self->from;)
    {
      gint64 begin;

      if (!g_array_index (own, gboolean, end - 1))
        {
          end--;
          continue;
        }
      for (begin = end; begin > self->from && g_array_index (own, gboolean, begin - 1);)
        begin--;
      is_asynchronous = is_asynchronous && !begins_in_base (self, thread, end);
      follow (&self->reference, thread, begin, end);
      any = TRUE;
      end = begin;
    }
  if (any)
    g_array_append_val (asynchronous, is_asynchronous);
}

GArray *
control_paths_reference_all (const TbPathsModel *model,
                             const guint32 *process_of,
                             guint32 thread,
                             gint64 from,
                             gint64 to,
                             GArray *asynchronous)
{
  g_autofree gboolean *followed = g_new0 (gboolean, model->n_threads);
  OtherPaths self = {
    .process_of = process_of, .thread = thread, .from = from, .to = to, .followed = followed
  };
  gboolean base = FALSE;

  reference_init (&self.reference, model);
  follow (&self.reference, thread, from, to);
  g_array_append_val (asynchronous, base);
  self.n_base = self.reference.boxes->len;
  find_followed (&self);
  for (guint32 i = 1; i < model->n_threads; i++)
    if (i != thread)
      follow_own (&self, i, asynchronous);
  return reference_finish (&self.reference);
}
