/* tb-wait-replay-waits.c: waits of a recorded thread, added to the program of a replay as an actor:
 * what ended each wait (thread, request, creator), scheduling latency and cost of the wake-up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-scheduler-model.h"
#include "tb-wait-replay-requests.h"
#include "tb-wait-replay-tables.h"
#include "tb-wait-replay-waits.h"

guint32
tb_replay_builder_add_wait (TbReplayBuilder *self,
                            guint32 waiter,
                            TbWaitNodeKind kind,
                            guint32 id,
                            guint32 lock,
                            gint64 length)
{
  TbReplayOrigin origin = { .waiter = waiter,
                            .id = id,
                            .lock = lock,
                            .kind = kind,
                            .slept_in = TB_STRING_NONE,
                            .peer = TB_STRING_NONE,
                            .until = TB_TIME_NONE,
                            .ended_by = TB_ID_NONE };

  g_array_append_val (self->self->origins, origin);
  return tb_replay_program_add_wait (self->self->program, length, 0, FALSE);
}

/* Adds the point that the ending thread had reached when the wait began. */
static void
add_split (TbReplayBuilder *self, guint32 wait, guint32 thread, gint64 time)
{
  gssize row = time >= self->from ? tb_trace_find_interval (self->trace, thread, time) : -1;

  if (row >= 0)
    tb_replay_builder_add_point (self, (gsize) row, time, TB_REPLAY_POINT_SPLIT, wait);
}

gboolean
tb_replay_builder_set_signaller (TbReplayBuilder *self, guint32 wait, guint32 thread, gint64 time)
{
  gsize row = tb_replay_builder_find_run (self, thread, time);

  if (row == G_MAXSIZE)
    return FALSE;
  tb_replay_builder_add_point (self, row, time, TB_REPLAY_SIGNAL, wait);
  g_array_index (self->self->program->waits, TbReplayWait, wait).is_signalled = TRUE;
  g_array_index (self->self->program->waits, TbReplayWait, wait).lag
      = MAX (time - self->rows->end[row], 0);
  self->self->n_signalled++;
  g_array_index (self->self->origins, TbReplayOrigin, wait).ended_by = thread;
  add_split (self, wait, thread,
             time - g_array_index (self->self->program->waits, TbReplayWait, wait).length);
  return TRUE;
}

static gboolean
find_sender (TbReplayBuilder *self, gsize row, guint32 wait)
{
  guint32 waker = tb_replay_builder_find_waker (self, row);

  return waker != TB_ID_NONE
         && tb_replay_builder_set_signaller (self, wait, waker, self->rows->end[row]);
}

static void
set_request (TbReplayBuilder *self, gsize row, guint32 wait)
{
  guint32 device = tb_replay_builder_get_device (self, self->rows->cause[row]);
  gint64 start = MAX (self->rows->start[row], self->from), end = self->rows->end[row];
  TbReplayWait *of = &g_array_index (self->self->program->waits, TbReplayWait, wait);
  TbReplayIssuedRequest *request;

  if (device == TB_REPLAY_NONE)
    {
      self->self->n_unplaced++;
      return;
    }
  of->is_signalled = TRUE;
  self->self->n_signalled++;
  request = tb_replay_builder_find_request (self, device, self->rows->thread[row], start, end);
  if (request == NULL)
    {
      TbReplayIssuedRequest span = { .begin = start, .complete = end, .device = device };

      self->own[wait]
          = tb_replay_program_add_request (self->self->program, device, of->length, wait);
      g_array_append_val (self->spans, span);
      return;
    }
  request->wait = wait;
  of->lag = end - request->complete;
}

/* A kernel thread that works for threads outside the replay does not delay replayed ones: such a
 * wait takes no time. */
static void
drop_external_work (TbReplayBuilder *self, gsize row, guint32 wait)
{
  TbReplayWait *of = &g_array_index (self->self->program->waits, TbReplayWait, wait);

  if (self->is_replayed != NULL && !of->is_signalled
      && self->rows->flags[row] & TB_INTERVAL_KERNEL_WORK)
    of->length = 0;
}

/* Counts the records of the interrupt that ended the wait. A request's completion is one more. */
static void
count_records (TbReplayBuilder *self, gsize row, guint32 wait, gboolean is_request)
{
  guint32 wakeup = self->rows->wakeup[row];

  if (wakeup < self->n_wakeups)
    g_array_index (self->self->origins, TbReplayOrigin, wait).n_records
        = (guint8) (tb_replay_builder_count_before (self, wakeup) + is_request);
}

/* Adds the wait of a sleep that has an end. */
static void
add_sleep (TbReplayBuilder *self, gsize row)
{
  static const TbWaitNodeKind kinds[TB_N_CAUSES] = {
    [TB_CAUSE_NONE] = TB_WAIT_NODE_UNKNOWN,        [TB_CAUSE_THREAD] = TB_WAIT_NODE_THREAD,
    [TB_CAUSE_DEVICE] = TB_WAIT_NODE_DEVICE,       [TB_CAUSE_TIMER] = TB_WAIT_NODE_TIMER,
    [TB_CAUSE_INTERRUPT] = TB_WAIT_NODE_INTERRUPT, [TB_CAUSE_NETWORK] = TB_WAIT_NODE_NETWORK,
    [TB_CAUSE_SIGNAL] = TB_WAIT_NODE_THREAD,       [TB_CAUSE_UNKNOWN] = TB_WAIT_NODE_UNKNOWN,
  };
  const TbIntervals *rows = self->rows;
  gboolean is_by_thread
      = rows->cause_kind[row] == TB_CAUSE_THREAD || rows->cause_kind[row] == TB_CAUSE_SIGNAL;
  TbCauseKind cause = rows->cause_kind[row] >= TB_N_CAUSES
                              || (is_by_thread && rows->cause[row] >= self->n_threads)
                          ? TB_CAUSE_UNKNOWN
                          : rows->cause_kind[row];
  guint32 lock
      = rows->kind[row] == TB_WAIT_LOCK ? tb_trace_get_lock (self->trace, row) : TB_ID_NONE;
  guint32 wait
      = tb_replay_builder_add_wait (self, rows->thread[row], kinds[cause], rows->cause[row], lock,
                                    rows->end[row] - MAX (rows->start[row], self->from));

  self->wait_of_row[row] = wait;
  g_array_index (self->self->origins, TbReplayOrigin, wait).until = rows->end[row];
  g_array_index (self->self->origins, TbReplayOrigin, wait).slept_in
      = tb_replay_builder_get_sleep_call (self, row);
  g_array_index (self->self->origins, TbReplayOrigin, wait).peer
      = tb_replay_builder_get_sleep_peer (self, row);
  switch (cause)
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      self->self->n_unplaced
          += !tb_replay_builder_set_signaller (self, wait, rows->cause[row], rows->end[row]);
      break;
    case TB_CAUSE_DEVICE:
      set_request (self, row, wait);
      break;
    case TB_CAUSE_NETWORK:
      self->self->n_outside += !find_sender (self, row, wait);
      break;
    case TB_CAUSE_TIMER:
    case TB_CAUSE_INTERRUPT:
      self->self->n_outside++;
      break;
    default:
      self->self->n_unplaced++;
    }
  if (cause == TB_CAUSE_DEVICE || cause == TB_CAUSE_TIMER || cause == TB_CAUSE_INTERRUPT
      || cause == TB_CAUSE_NETWORK)
    count_records (self, row, wait, cause == TB_CAUSE_DEVICE);
  drop_external_work (self, row, wait);
  if (rows->kind[row] == TB_WAIT_POLL)
    g_array_index (self->self->program->waits, TbReplayWait, wait).source
        = g_array_index (self->self->origins, TbReplayOrigin, wait).ended_by;
}

/* Adds a wait for a thread's creator if the thread's first interval begins within the range. */
static void
add_birth (TbReplayBuilder *self, gsize row)
{
  guint32 wakeup = self->rows->wakeup[row];
  guint32 wait;

  if (self->rows->start[row] <= self->from)
    return;
  wait = tb_replay_builder_add_wait (self, self->rows->thread[row], TB_WAIT_NODE_UNKNOWN,
                                     TB_ID_NONE, TB_ID_NONE, self->rows->start[row] - self->from);
  self->wait_of_row[row] = wait;
  g_array_index (self->self->origins, TbReplayOrigin, wait).until = self->rows->start[row];
  if (wakeup < self->n_wakeups
      && tb_replay_builder_set_signaller (self, wait, self->waker_of_wakeup[wakeup],
                                          self->time_of_wakeup[wakeup]))
    return;
  self->self->n_outside++;
}

/* Whether a runnable thread preempted the thread of turn, which was still runnable. */
static gboolean
was_preempted (const TbReplayBuilder *self, gsize row, const TbReplayCpuOccupancy *turn)
{
  const TbIntervals *rows = self->rows;
  gsize next = turn->row + 1;

  return rows->state[row] == TB_STATE_RUNNABLE && rows->cpu[row] == turn->cpu
         && rows->end[row] == turn->end && next < rows->n
         && rows->thread[next] == rows->thread[turn->row] && rows->state[next] == TB_STATE_RUNNABLE;
}

/* Adds the part of a woken thread's scheduling latency that no replayed thread caused. run:
 * interval of the waker; G_MAXSIZE: unknown. */
static void
set_latency (TbReplayBuilder *self,
             gsize row,
             guint cpu,
             guint previous,
             gsize run,
             double idle,
             TbReplayWait *of)
{
  const TbIntervals *rows = self->rows;
  TbReplayWakerCpu from = run == G_MAXSIZE        ? TB_REPLAY_WAKER_CPU_UNKNOWN
                          : rows->cpu[run] == cpu ? TB_REPLAY_WAKER_CPU_SAME
                                                  : TB_REPLAY_WAKER_CPU_OTHER;

  if (rows->state[row] != TB_STATE_RUNNABLE)
    return;
  of->state = tb_replay_latencies_get_state (from, idle);
  tb_replay_latencies_add (&self->self->scheduler_model.latencies, of->state,
                           (double) tb_replay_builder_get_delay (self, row, previous,
                                                                 rows->start[row], rows->end[row]));
}

/* Sets what a wake-up cost in the recording. row: the interval that follows it. */
static void
set_waking (TbReplayBuilder *self, gsize row, gint64 time, guint previous, guint32 wait)
{
  const TbReplayWakeupCosts *wakings = &self->self->scheduler_model.wakings;
  TbReplayWait *of = &g_array_index (self->self->program->waits, TbReplayWait, wait);
  guint32 ended_by = g_array_index (self->self->origins, TbReplayOrigin, wait).ended_by;
  const TbReplayCpuOccupancy *last;
  gboolean is_migrated;
  guint cpu = self->rows->cpu[row];
  gsize run;
  double idle;

  if (self->rows->state[row] == TB_STATE_RUNNABLE)
    cpu = tb_replay_builder_find_queue (self, row, previous, &is_migrated);
  if (!self->has_cpus || cpu >= self->self->program->n_cpus)
    return;
  last = tb_replay_cpu_occupancy_find_last (self->busy, (guint16) cpu, time);
  idle = (double) (time - (last != NULL ? last->end : self->from));
  run = ended_by != TB_ID_NONE ? tb_replay_builder_find_run (self, ended_by, time) : G_MAXSIZE;
  set_latency (self, row, cpu, previous, run, idle, of);
  if (run == G_MAXSIZE)
    return;
  if (idle >= 0)
    of->waking = (float) tb_replay_wakeup_cost_get (&wakings->waking, idle);
  else if (self->rows->cpu[run] != cpu)
    {
      of->waking
          = (float) (was_preempted (self, row, last) ? wakings->preempting : wakings->queueing);
      self->behind_ns += (double) of->waking;
      self->n_behind++;
    }
}

static gboolean
is_sleep (const TbReplayBuilder *self, gsize row)
{
  return self->rows->state[row] >= TB_STATE_INTERRUPTIBLE;
}

/* Whether a sleep goes on beyond the end of the range. */
static gboolean
is_open (const TbReplayBuilder *self, gsize row, gsize end)
{
  return is_sleep (self, row)
         && (self->rows->end[row] >= self->to
             || (row + 1 == end && self->rows->cause_kind[row] == TB_CAUSE_NONE));
}

void
tb_replay_builder_add_waits (TbReplayBuilder *self, guint32 thread)
{
  guint previous = TB_CPU_ALL;
  gsize first, end;

  if (!tb_replay_builder_find_rows (self, thread, &first, &end))
    return;
  g_array_append_val (self->self->threads, thread);
  if (!is_sleep (self, first))
    add_birth (self, first);
  if (self->wait_of_row[first] != TB_REPLAY_NONE)
    set_waking (self, first, self->rows->start[first], TB_CPU_ALL, self->wait_of_row[first]);
  for (gsize row = first; row < end && !is_open (self, row, end); row++)
    {
      if (self->rows->state[row] == TB_STATE_RUNNING)
        previous = self->rows->cpu[row];
      if (!is_sleep (self, row))
        continue;
      add_sleep (self, row);
      if (row + 1 < end)
        set_waking (self, row + 1, self->rows->end[row], previous, self->wait_of_row[row]);
    }
}
