/* control-paths-reference.c: the rules of control paths, done plainly
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recursive, and with one flag for each ns of each thread: as slow as it is easy to check against the paper.
 */

#include "config.h"

#include "control-paths-reference.h"

typedef struct
{
  const TbPathsModel *model;
  GArray *boxes;
  GHashTable *taken; /* thread and ns that stand in the path already */
  GArray *chain;     /* guint32: the threads that wait for each other now */
} Reference;

typedef struct
{
  gboolean found_call; /* the walk came to a run that a thread of the chain woke: caller, at x, ready since */
  guint32 caller;
  gint64 x;
  gint64 ready;
  gint64 start; /* as far back as the layer goes */
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
take (Reference *self, guint32 thread, gint64 from, gint64 to)
{
  for (gint64 time = from; time < to; time++)
    {
      gint64 key = key_of (thread, time);

      g_hash_table_add (self->taken, g_memdup2 (&key, sizeof key));
    }
}

/* The row that holds the ns before time. */
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

/* A stretch of which nothing is known stands for itself. */
static gboolean
is_unknown (Reference *self, guint32 row)
{
  return self->model->rows->state[row] == TB_STATE_UNKNOWN;
}

static guint32
sleep_start (Reference *self, guint32 row)
{
  while (!is_unknown (self, row) && same_thread (self, row, (gint64) row - 1) && !is_run (self, row - 1)
         && !is_unknown (self, row - 1))
    row--;
  return row;
}

static guint32
sleep_end (Reference *self, guint32 row)
{
  while (!is_unknown (self, row) && same_thread (self, row, (gint64) row + 1) && !is_run (self, row + 1)
         && !is_unknown (self, row + 1))
    row++;
  return row;
}

/* The row in which it slept, not merely waited for a cpu. */
static guint32
sleeping_row (Reference *self, guint32 first, guint32 last)
{
  for (guint32 row = last + 1; row-- > first;)
    if (self->model->rows->state[row] >= TB_STATE_INTERRUPTIBLE)
      return row;
  return TB_ID_NONE;
}

/* A poll loop counts as one sleep. */
static guint32
de_facto_start (Reference *self, guint32 first)
{
  const TbIntervals *rows = self->model->rows;
  guint32 slept = sleeping_row (self, first, sleep_end (self, first));
  guint32 before_first, before_slept;
  gint64 run = (gint64) first - 1;

  if (slept == TB_ID_NONE || !same_thread (self, first, run) || !same_thread (self, first, run - 1)
      || !is_run (self, run) || is_run (self, run - 1) || is_unknown (self, run - 1)
      || rows->end[run] - rows->start[run] >= self->model->thresholds.poll_run)
    return first;
  before_first = sleep_start (self, run - 1);
  before_slept = sleeping_row (self, before_first, run - 1);
  if (before_slept == TB_ID_NONE || rows->cause_kind[before_slept] != TB_CAUSE_TIMER
      || rows->stack[before_slept] != rows->stack[slept])
    return first;
  return de_facto_start (self, before_first);
}

static gsize
add_box (Reference *self, guint32 row, gint64 from, gint64 to)
{
  ReferenceBox box = { .row = row, .layer = self->chain->len - 1, .from = from, .to = to };

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

/* The end of what the waker did that is free to stand in the path, going back from end not beyond lo. */
static gint64
free_end (Reference *self, guint32 thread, gint64 lo, gint64 end)
{
  const TbIntervals *rows = self->model->rows;
  gint64 earliest = end;

  /* What was reached once is not walked again: the path holds this thread from some moment on. */
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

/* Makes what the waker did its child, where it did anything. FALSE: a caller further down was found. */
static gboolean
explain (Reference *self, const TbPathsEnd *end, gint64 sleep_end_time, gsize first, gint64 lo, Walked *out)
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
  if (hi <= lo || hi <= rows->start[end->run])
    return TRUE;
  g_array_append_val (self->chain, end->thread);
  child = walk (self, lo, hi);
  g_array_set_size (self->chain, self->chain->len - 1);
  if (child.start < hi)
    {
      gboolean is_mine
          = child.found_call && child.caller == g_array_index (self->chain, guint32, self->chain->len - 1);

      cover (self, first, group_end, child.start, hi, is_mine ? child.ready : child.start);
    }
  if (!child.found_call || child.caller == g_array_index (self->chain, guint32, self->chain->len - 1))
    return TRUE;
  /* The call came from further down: what this layer did before is not for it. */
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

/* Walks the thread on top of the chain back from hi to lo. */
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

      if (row == TB_ID_NONE)
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

          if (depth == 0 || end.run == TB_ID_NONE)
            break;
          goes_on = MIN (time, end.time);
          goes_on = MIN (goes_on, free_end (self, end.thread, lo, goes_on));
          if (goes_on <= lo)
            break;
          take (self, thread, time, claimed_to);
          g_array_index (self->chain, guint32, depth) = end.thread;
          time = claimed_to = goes_on;
        }
    }
  take (self, g_array_index (self->chain, guint32, depth), time, claimed_to);
  if (!out.found_call)
    out.start = time;
  return out;
}

GArray *
control_paths_reference (const TbPathsModel *model, guint32 thread, gint64 from, gint64 to)
{
  Reference self = { .model = model };

  self.boxes = g_array_new (FALSE, FALSE, sizeof (ReferenceBox));
  self.taken = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self.chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self.chain, thread);
  walk (&self, from, to);
  g_hash_table_unref (self.taken);
  g_array_unref (self.chain);
  return self.boxes;
}
