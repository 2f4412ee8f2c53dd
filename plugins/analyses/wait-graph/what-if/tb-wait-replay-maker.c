/* tb-wait-replay-maker.c: where threads were, and when cpus were free, for those who are played
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "what-if/tb-wait-replay-maker.h"
#include "what-if/tb-wait-what-if-others.h"

void
tb_replay_maker_init (TbReplayMaker *self, TbTrace *trace, gint64 from, gint64 to, const guint8 *inside)
{
  TbReplayRecording *of = g_new0 (TbReplayRecording, 1);
  const TbIntervals *rows = tb_trace_get_intervals (trace);

  of->program = tb_replay_program_new (tb_trace_get_n_cpus (trace));
  of->origins = g_array_new (FALSE, FALSE, sizeof (TbReplayOrigin));
  of->calls = tb_replay_calls_new ();
  of->call_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  of->records = g_array_new (FALSE, FALSE, sizeof (TbReplayRecord));
  of->late = g_array_new (FALSE, FALSE, sizeof (TbReplayLate));
  of->delays = g_array_new (FALSE, FALSE, sizeof (TbReplayRecorderDelay));
  of->switches = g_array_new (FALSE, FALSE, sizeof (gsize));
  of->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  of->request_steps = g_array_new (FALSE, FALSE, sizeof (gsize));
  of->forgotten = g_array_new (FALSE, FALSE, sizeof (TbReplayForgotten));
  tb_session_get_devices (tb_trace_get_session (trace), &of->n_devices);
  of->device_of = g_new (guint32, of->n_devices + 1);
  for (guint32 i = 0; i <= of->n_devices; i++)
    of->device_of[i] = TB_REPLAY_NONE;
  *self = (TbReplayMaker) {
    .self = of, .trace = trace, .rows = rows, .from = from, .to = to, .inside = inside
  };
  tb_session_get_threads (tb_trace_get_session (trace), &self->n_threads);
  self->wait_of_row = g_new (guint32, rows->n + 1);
  /* A wait for each sleep, and one for each thread's birth, which is no sleep. */
  self->own = g_new (guint32, rows->n + 1);
  for (gsize i = 0; i <= rows->n; i++)
    self->wait_of_row[i] = self->own[i] = TB_REPLAY_NONE;
  self->points = g_array_new (FALSE, FALSE, sizeof (TbReplayPoint));
  self->free = g_array_new (FALSE, FALSE, sizeof (TbReplayFree));
  self->interrupts = g_array_new (FALSE, FALSE, sizeof (TbReplayInterrupt));
  self->turns = g_array_new (FALSE, FALSE, sizeof (TbReplayRecorderTurn));
  self->requests = g_array_new (FALSE, FALSE, sizeof (TbReplayAsked));
  self->spans = g_array_new (FALSE, FALSE, sizeof (TbReplayAsked));
  self->sends = g_array_new (FALSE, FALSE, sizeof (TbReplaySend));
}

void
tb_replay_maker_clear (TbReplayMaker *self)
{
  g_clear_pointer (&self->self, tb_replay_recording_free);
  g_free (self->wait_of_row);
  g_array_unref (self->points);
  g_array_unref (self->free);
  g_array_unref (self->interrupts);
  g_array_unref (self->turns);
  g_array_unref (self->requests);
  g_array_unref (self->spans);
  g_array_unref (self->sends);
  g_free (self->own);
  g_clear_pointer (&self->wakers, g_bytes_unref);
  g_clear_pointer (&self->wakeup_cpus, g_bytes_unref);
  g_clear_pointer (&self->wakeup_times, g_bytes_unref);
  g_clear_pointer (&self->sleep_calls, g_bytes_unref);
}

/* --- when all cpus were busy --- */

int
tb_replay_compare_steps (gconstpointer a, gconstpointer b)
{
  const TbReplayStep *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->change - right->change;
}

gboolean
tb_replay_maker_is_inside (const TbReplayMaker *self, guint32 thread)
{
  return thread < self->n_threads && thread != TB_THREAD_IDLE
         && (self->inside == NULL || self->inside[thread]);
}

static void
add_free (TbReplayMaker *self, gint64 start, gint64 end)
{
  const TbReplayFree *last
      = self->free->len > 0 ? &g_array_index (self->free, TbReplayFree, self->free->len - 1) : NULL;
  TbReplayFree next = { start, end, last != NULL ? last->before + last->end - last->start : 0 };

  if (end > start)
    g_array_append_val (self->free, next);
}

void
tb_replay_maker_find_free (TbReplayMaker *self, guint n_cpus)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TbReplayStep));
  gint64 since = self->from;
  guint n_running = 0;

  for (gsize i = 0; i < self->rows->n; i++)
    {
      TbReplayStep begin = { MAX (self->rows->start[i], self->from), 1 };
      TbReplayStep end = { MIN (self->rows->end[i], self->to), -1 };

      if (self->rows->state[i] != TB_STATE_RUNNING || !tb_replay_maker_is_inside (self, self->rows->thread[i])
          || end.time <= begin.time)
        continue;
      g_array_append_val (steps, begin);
      g_array_append_val (steps, end);
    }
  g_array_sort (steps, tb_replay_compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const TbReplayStep *step = &g_array_index (steps, TbReplayStep, i);
      guint before = n_running;

      n_running += (guint) step->change;
      if (before + 1 == n_cpus && n_running == n_cpus)
        add_free (self, since, step->time);
      if (before == n_cpus && n_running + 1 == n_cpus)
        since = step->time;
    }
  if (n_running < n_cpus)
    add_free (self, since, self->to);
}

gint64
tb_replay_maker_get_free_before (const TbReplayMaker *self, gint64 time)
{
  guint low = 0, high = self->free->len;
  const TbReplayFree *at;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->free, TbReplayFree, middle).start <= time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  at = &g_array_index (self->free, TbReplayFree, low - 1);
  return at->before + MIN (time, at->end) - at->start;
}

/* --- when the recorder had them --- */

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const TbReplayRecorderTurn *left = a, *right = b;

  if (left->cpu != right->cpu)
    return left->cpu < right->cpu ? -1 : 1;
  return left->turn.start < right->turn.start ? -1 : left->turn.start > right->turn.start;
}

void
tb_replay_maker_find_turns (TbReplayMaker *self)
{
  g_autofree guint8 *is_recorder = tb_wait_find_recorder (self->trace);
  gint64 before = 0;

  for (gsize i = 0; i < self->rows->n; i++)
    {
      TbReplayRecorderTurn one
          = { self->rows->cpu[i],
              { MAX (self->rows->start[i], self->from), MIN (self->rows->end[i], self->to), 0 } };

      if (self->rows->state[i] == TB_STATE_RUNNING && is_recorder[self->rows->thread[i]]
          && one.turn.end > one.turn.start)
        g_array_append_val (self->turns, one);
    }
  g_array_sort (self->turns, compare_turns);
  for (guint i = 0; i < self->turns->len; i++)
    {
      TbReplayRecorderTurn *one = &g_array_index (self->turns, TbReplayRecorderTurn, i);

      one->turn.before = before;
      before += one->turn.end - one->turn.start;
    }
}

/* Of all cpus before that, and of this one before that time. */
static gint64
get_turns_before (const TbReplayMaker *self, guint16 cpu, gint64 time)
{
  TbReplayRecorderTurn wanted = { cpu, { time, 0, 0 } };
  guint low = 0, high = self->turns->len;
  const TbReplayRecorderTurn *last;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_turns (&g_array_index (self->turns, TbReplayRecorderTurn, middle), &wanted) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  last = &g_array_index (self->turns, TbReplayRecorderTurn, low - 1);
  if (last->cpu != cpu || time > last->turn.end)
    return last->turn.before + last->turn.end - last->turn.start;
  return last->turn.before + time - last->turn.start;
}

gint64
tb_replay_maker_get_recorder_time (const TbReplayMaker *self, guint16 cpu, gint64 start, gint64 end)
{
  return get_turns_before (self, cpu, end) - get_turns_before (self, cpu, start);
}

/* --- where threads were --- */

/* A thread's life is over with its exit; it still wakes those who wait for that. */
static gsize
find_last_run (const TbReplayMaker *self, guint32 thread, gint64 time)
{
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  if (n == 0 || self->rows->end[first + n - 1] > time || self->rows->end[first + n - 1] <= self->from
      || self->rows->state[first + n - 1] != TB_STATE_RUNNING)
    return G_MAXSIZE;
  return first + n - 1;
}

gsize
tb_replay_maker_find_run (const TbReplayMaker *self, guint32 thread, gint64 time)
{
  gssize row;

  if (!tb_replay_maker_is_inside (self, thread) || time < self->from || time >= self->to)
    return G_MAXSIZE;
  row = tb_trace_find_interval (self->trace, thread, time);
  if (row >= 0 && self->rows->state[row] == TB_STATE_RUNNING)
    return (gsize) row;
  /* It did so last before it left. */
  row = tb_trace_find_interval (self->trace, thread, time - 1);
  if (row >= 0)
    return self->rows->state[row] == TB_STATE_RUNNING && self->rows->end[row] == time ? (gsize) row
                                                                                      : G_MAXSIZE;
  return find_last_run (self, thread, time);
}

gboolean
tb_replay_maker_find_rows (const TbReplayMaker *self, guint32 thread, gsize *first, gsize *end)
{
  gsize n, last;

  tb_trace_get_thread_intervals (self->trace, thread, first, &n);
  last = *first + n;
  while (*first < last && self->rows->end[*first] <= self->from)
    (*first)++;
  for (*end = *first; *end < last && self->rows->start[*end] < self->to; (*end)++)
    ;
  return *end > *first;
}

void
tb_replay_maker_add_point (TbReplayMaker *self, gsize row, gint64 time, guint8 kind, guint32 value)
{
  TbReplayPoint point = { row, time, self->points->len, kind, value };

  g_array_append_val (self->points, point);
}
