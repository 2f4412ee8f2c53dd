/* tb-wait-replay-builder.c: state while a recording is converted into the program of a replay:
 * look-up of threads' runs, points in them that become steps, when CPUs were free or occupied
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-builder.h"
#include "model/tb-wait-recorder-threads.h"

void
tb_replay_builder_init (TbReplayBuilder *self,
                        TbTrace *trace,
                        gint64 from,
                        gint64 to,
                        const guint8 *is_replayed)
{
  TbReplayRecording *of = g_new0 (TbReplayRecording, 1);
  const TbIntervals *rows = tb_trace_get_intervals (trace);

  of->program = tb_replay_program_new (tb_trace_get_n_cpus (trace));
  of->origins = g_array_new (FALSE, FALSE, sizeof (TbReplayOrigin));
  of->calls = tb_replay_calls_new ();
  of->call_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  of->records = g_array_new (FALSE, FALSE, sizeof (TbReplayRecord));
  of->delay_records = g_array_new (FALSE, FALSE, sizeof (TbReplayDelayRecords));
  of->delays = g_array_new (FALSE, FALSE, sizeof (TbReplayRecorderDelay));
  of->switches = g_array_new (FALSE, FALSE, sizeof (gsize));
  of->previous = g_array_new (FALSE, FALSE, sizeof (guint32));
  of->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  of->request_steps = g_array_new (FALSE, FALSE, sizeof (gsize));
  of->discarded_writes = g_array_new (FALSE, FALSE, sizeof (TbReplayDiscardedWrite));
  tb_session_get_devices (tb_trace_get_session (trace), &of->n_devices);
  of->device_of = g_new (guint32, of->n_devices + 1);
  for (guint32 i = 0; i <= of->n_devices; i++)
    of->device_of[i] = TB_REPLAY_NONE;
  *self = (TbReplayBuilder) {
    .self = of, .trace = trace, .rows = rows, .from = from, .to = to, .is_replayed = is_replayed
  };
  tb_session_get_threads (tb_trace_get_session (trace), &self->n_threads);
  self->wait_of_row = g_new (guint32, rows->n + 1);
  /* There is a wait for each sleep, and one for each thread's birth, which is not a sleep. */
  self->own = g_new (guint32, rows->n + 1);
  for (gsize i = 0; i <= rows->n; i++)
    self->wait_of_row[i] = self->own[i] = TB_REPLAY_NONE;
  self->points = g_array_new (FALSE, FALSE, sizeof (TbReplayPoint));
  self->free = g_array_new (FALSE, FALSE, sizeof (TbReplayFreeInterval));
  self->busy = g_array_new (FALSE, FALSE, sizeof (TbReplayCpuOccupancy));
  self->interrupts = g_array_new (FALSE, FALSE, sizeof (TbReplayInterrupt));
  self->recorder_occupancy = g_array_new (FALSE, FALSE, sizeof (TbReplayCpuOccupancy));
  self->requests = g_array_new (FALSE, FALSE, sizeof (TbReplayIssuedRequest));
  self->spans = g_array_new (FALSE, FALSE, sizeof (TbReplayIssuedRequest));
  self->sends = g_array_new (FALSE, FALSE, sizeof (TbReplaySend));
}

void
tb_replay_builder_clear (TbReplayBuilder *self)
{
  g_clear_pointer (&self->self, tb_replay_recording_free);
  g_free (self->wait_of_row);
  g_array_unref (self->points);
  g_array_unref (self->free);
  g_array_unref (self->busy);
  g_array_unref (self->interrupts);
  g_array_unref (self->recorder_occupancy);
  g_array_unref (self->requests);
  g_array_unref (self->spans);
  g_array_unref (self->sends);
  g_free (self->own);
  g_clear_pointer (&self->wakers, g_bytes_unref);
  g_clear_pointer (&self->wakeup_cpus, g_bytes_unref);
  g_clear_pointer (&self->wakeup_times, g_bytes_unref);
  g_clear_pointer (&self->sleep_calls, g_bytes_unref);
  g_clear_pointer (&self->sleep_objects, g_bytes_unref);
}

/* --- when all CPUs were busy --- */

int
tb_replay_compare_count_changes (gconstpointer a, gconstpointer b)
{
  const TbReplayCountChange *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->change - right->change;
}

gboolean
tb_replay_builder_is_replayed (const TbReplayBuilder *self, guint32 thread)
{
  return thread < self->n_threads && thread != TB_THREAD_IDLE
         && (self->is_replayed == NULL || self->is_replayed[thread]);
}

static void
add_free (TbReplayBuilder *self, gint64 start, gint64 end)
{
  const TbReplayFreeInterval *last
      = self->free->len > 0 ? &g_array_index (self->free, TbReplayFreeInterval, self->free->len - 1)
                            : NULL;
  TbReplayFreeInterval next
      = { start, end, last != NULL ? last->before + last->end - last->start : 0 };

  if (end > start)
    g_array_append_val (self->free, next);
}

void
tb_replay_builder_find_free (TbReplayBuilder *self, guint n_cpus)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TbReplayCountChange));
  gint64 since = self->from;
  guint n_running = 0;

  for (gsize i = 0; i < self->rows->n; i++)
    {
      TbReplayCountChange begin = { MAX (self->rows->start[i], self->from), 1 };
      TbReplayCountChange end = { MIN (self->rows->end[i], self->to), -1 };

      if (self->rows->state[i] != TB_STATE_RUNNING
          || !tb_replay_builder_is_replayed (self, self->rows->thread[i]) || end.time <= begin.time)
        continue;
      g_array_append_val (steps, begin);
      g_array_append_val (steps, end);
    }
  g_array_sort (steps, tb_replay_compare_count_changes);
  for (guint i = 0; i < steps->len; i++)
    {
      const TbReplayCountChange *step = &g_array_index (steps, TbReplayCountChange, i);
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
tb_replay_builder_get_free_before (const TbReplayBuilder *self, gint64 time)
{
  guint low = 0, high = self->free->len;
  const TbReplayFreeInterval *at;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->free, TbReplayFreeInterval, middle).start <= time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  at = &g_array_index (self->free, TbReplayFreeInterval, low - 1);
  return at->before + MIN (time, at->end) - at->start;
}

/* --- CPU occupancy --- */

void
tb_replay_builder_find_cpu_occupancy (TbReplayBuilder *self)
{
  g_autofree guint8 *is_recorder = tb_wait_find_recorder_threads (self->trace);

  self->has_cpus = TRUE;
  for (gsize i = 0; i < self->rows->n; i++)
    {
      guint32 thread = self->rows->thread[i];
      gboolean is_inside = tb_replay_builder_is_replayed (self, thread);
      TbReplayCpuOccupancy one = { self->rows->cpu[i], MAX (self->rows->start[i], self->from),
                                   MIN (self->rows->end[i], self->to), 0, i };

      if (self->rows->state[i] != TB_STATE_RUNNING || one.end <= one.start)
        continue;
      if (is_recorder[thread])
        g_array_append_val (self->recorder_occupancy, one);
      if (is_inside)
        g_array_append_val (self->busy, one);
      self->has_cpus = self->has_cpus && (!is_inside || one.cpu < self->self->program->n_cpus);
    }
  tb_replay_cpu_occupancy_index (self->recorder_occupancy);
  tb_replay_cpu_occupancy_index (self->busy);
}

/* --- where threads were --- */

/* A thread's last interval ends with its exit, but the thread still wakes those that wait for the
 * exit. */
static gsize
find_last_run (const TbReplayBuilder *self, guint32 thread, gint64 time)
{
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  if (n == 0 || self->rows->end[first + n - 1] > time
      || self->rows->end[first + n - 1] <= self->from
      || self->rows->state[first + n - 1] != TB_STATE_RUNNING)
    return G_MAXSIZE;
  return first + n - 1;
}

gsize
tb_replay_builder_find_run (const TbReplayBuilder *self, guint32 thread, gint64 time)
{
  gssize row;

  if (!tb_replay_builder_is_replayed (self, thread) || time < self->from || time >= self->to)
    return G_MAXSIZE;
  row = tb_trace_find_interval (self->trace, thread, time);
  if (row >= 0 && self->rows->state[row] == TB_STATE_RUNNING)
    return (gsize) row;
  /* It did so last before it left its CPU. */
  row = tb_trace_find_interval (self->trace, thread, time - 1);
  if (row >= 0)
    return self->rows->state[row] == TB_STATE_RUNNING && self->rows->end[row] == time ? (gsize) row
                                                                                      : G_MAXSIZE;
  return find_last_run (self, thread, time);
}

gboolean
tb_replay_builder_find_rows (const TbReplayBuilder *self, guint32 thread, gsize *first, gsize *end)
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
tb_replay_builder_add_point (TbReplayBuilder *self,
                             gsize row,
                             gint64 time,
                             guint8 kind,
                             guint32 value)
{
  TbReplayPoint point = { row, time, self->points->len, kind, value };

  g_array_append_val (self->points, point);
}
