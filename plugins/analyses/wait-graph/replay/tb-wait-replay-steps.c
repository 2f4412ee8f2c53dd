/* tb-wait-replay-steps.c: conversion of a recording into the program of a replay: actors from
 * threads, steps from their runs, waits and wake-ups
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs keep their lengths. An action on other threads (a wake-up or a request) happens at the same
 * point of the actor's own running time. Runnable time is left to the replay's scheduler as far as
 * replayed threads kept the CPU busy (all CPUs, where it is not known which one). The rest of the
 * runnable time is the cost of the wake-up and the time that other threads took; it keeps its
 * length.
 */

#include "config.h"

#include "tb-wait-replay-scheduler-model.h"
#include "tb-wait-replay-recording.h"
#include "tb-wait-replay-busy-messages.h"
#include "tb-wait-replay-requests.h"
#include "tb-wait-replay-tables.h"
#include "tb-wait-replay-waits.h"

/* ns: a greater value is no plausible cost of a switch. */
#define SWITCH_NS_MAX 1000000

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const TbReplayPoint *left = a, *right = b;

  if (left->row != right->row)
    return left->row < right->row ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  /* A wait for the next message comes after everything that belongs to the message before. */
  if ((left->kind == TB_REPLAY_WAIT) != (right->kind == TB_REPLAY_WAIT))
    return left->kind == TB_REPLAY_WAIT ? 1 : -1;
  return left->order < right->order ? -1 : left->order > right->order;
}

static void
add_step (TbReplayBuilder *self, TbReplayKind kind, gint64 value)
{
  tb_replay_program_add_step (self->self->program, kind, value);
  g_array_append_val (self->self->call_of, self->call);
}

static void
add_run (TbReplayBuilder *self, gint64 length)
{
  gsize here = self->self->program->kinds->len;

  if (length <= 0)
    return;
  if (!self->has_run)
    g_array_append_val (self->self->switches, here);
  self->has_run = TRUE;
  add_step (self, TB_REPLAY_RUN, length);
}

static void
pass_point (TbReplayBuilder *self, const TbReplayPoint *point)
{
  gsize here = self->self->program->kinds->len;

  switch (point->kind)
    {
    case TB_REPLAY_POINT_SPLIT:
      g_array_index (self->self->origins, TbReplayOrigin, point->value).first = here;
      return;
    case TB_REPLAY_POINT_ENTER:
      self->call = tb_replay_calls_enter (self->self->calls, self->call, point->value);
      return;
    case TB_REPLAY_POINT_EXIT:
      self->call = tb_replay_calls_leave (self->self->calls, self->call, point->value);
      return;
    case TB_REPLAY_POINT_RECORD:
      g_array_append_vals (self->self->records, &(TbReplayRecord) { here, point->value != 0 }, 1);
      return;
    case TB_REPLAY_REQUEST:
      g_array_index (self->self->request_steps, gsize, point->value) = here;
      break;
    case TB_REPLAY_SIGNAL:
      g_array_index (self->self->origins, TbReplayOrigin, point->value).end = here;
      break;
    case TB_REPLAY_WAIT:
      g_array_index (self->self->origins, TbReplayOrigin, point->value).step = here;
      break;
    default:
      break;
    }
  add_step (self, point->kind, point->value);
}

/* Sets the call in which a wait was. The sleep record has the system call, even where system calls
 * were not recorded. */
static void
set_call (TbReplayBuilder *self, guint32 wait)
{
  TbReplayOrigin *origin = &g_array_index (self->self->origins, TbReplayOrigin, wait);

  origin->call = self->call;
  if (origin->slept_in != TB_STRING_NONE
      && tb_replay_calls_get_call (self->self->calls, self->call) != origin->slept_in)
    origin->call = tb_replay_calls_enter (self->self->calls, self->call, origin->slept_in);
}

/* row: the interval in which the thread was runnable. */
static void
add_delay (TbReplayBuilder *self, gint64 length, gsize row, gint64 start, gint64 end)
{
  guint16 cpu = self->rows->cpu[row];
  gint64 taken = tb_replay_cpu_occupancy_get_time (self->recorder_occupancy, cpu, start, end);
  TbReplayDelayRecords late = { self->self->program->kinds->len,
                                tb_replay_builder_count_between (self, cpu, start, end) };
  TbReplayRecorderDelay delay = { self->self->program->kinds->len, MIN (taken, length) };

  if (taken > 0)
    g_array_append_val (self->self->delays, delay);
  if (self->has_waited && late.n > 0)
    g_array_append_val (self->self->delay_records, late);
  add_step (self, self->has_waited ? TB_REPLAY_WAKE : TB_REPLAY_DELAY, length);
}

gint64
tb_replay_builder_get_delay (const TbReplayBuilder *self,
                             gsize row,
                             guint previous,
                             gint64 start,
                             gint64 end)
{
  gboolean is_migrated;
  guint queue;

  if (!self->has_cpus)
    return tb_replay_builder_get_free_before (self, end)
           - tb_replay_builder_get_free_before (self, start);
  queue = tb_replay_builder_find_queue (self, row, previous, &is_migrated);
  return end - start - tb_replay_cpu_occupancy_get_time (self->busy, (guint16) queue, start, end);
}

/* Returns the next point. */
static guint
add_row (TbReplayBuilder *self, gsize row, guint at)
{
  gint64 now = MAX (self->rows->start[row], self->from), end = MIN (self->rows->end[row], self->to);
  gboolean runs = self->rows->state[row] == TB_STATE_RUNNING;
  guint32 wait = self->wait_of_row[row];

  self->has_run = FALSE;
  if (wait != TB_REPLAY_NONE)
    set_call (self, wait);
  if (wait != TB_REPLAY_NONE && self->own[wait] != TB_REPLAY_NONE)
    {
      g_array_index (self->self->request_steps, gsize, self->own[wait])
          = self->self->program->kinds->len;
      add_step (self, TB_REPLAY_REQUEST, self->own[wait]);
    }
  if (wait != TB_REPLAY_NONE)
    {
      g_array_index (self->self->origins, TbReplayOrigin, wait).step
          = self->self->program->kinds->len;
      add_step (self, TB_REPLAY_WAIT, wait);
    }
  if (self->rows->state[row] != TB_STATE_RUNNABLE || wait != TB_REPLAY_NONE)
    self->has_waited = !runs;
  if (self->rows->state[row] == TB_STATE_UNKNOWN)
    add_step (self, TB_REPLAY_WAIT,
              tb_replay_builder_add_wait (self, self->rows->thread[row], TB_WAIT_NODE_UNKNOWN,
                                          TB_ID_NONE, TB_ID_NONE, end - now));
  if (self->rows->state[row] == TB_STATE_RUNNABLE)
    {
      gint64 delay = tb_replay_builder_get_delay (self, row, self->previous, now, end);

      if (delay > 0 || self->has_waited)
        add_delay (self, delay, row, now, end);
    }
  for (; at < self->points->len && g_array_index (self->points, TbReplayPoint, at).row == row; at++)
    {
      const TbReplayPoint *point = &g_array_index (self->points, TbReplayPoint, at);

      if (runs)
        {
          add_run (self, MIN (point->time, end) - now);
          now = CLAMP (point->time, now, end);
        }
      pass_point (self, point);
    }
  if (runs)
    {
      add_run (self, end - now);
      if (self->previous == TB_CPU_ALL)
        {
          guint32 cpu = self->rows->cpu[row];

          g_array_append_val (self->self->previous, cpu);
        }
      self->previous = self->rows->cpu[row];
    }
  return at;
}

/* An actor may wait repeatedly with a timeout in one system call until another thread ends the
 * wait. If that thread had come earlier, there would have been fewer such waits. Each of them is
 * linked to the wait that was ended. */
static void
link_timeouts (TbReplayRecording *of, guint32 actor)
{
  gsize end = g_array_index (of->program->first, gsize, actor + 1);
  guint32 next = TB_REPLAY_NONE;

  for (gsize i = end; i-- > g_array_index (of->program->first, gsize, actor);)
    {
      guint8 kind = g_array_index (of->program->kinds, guint8, i);
      guint32 wait = (guint32) g_array_index (of->program->values, gint64, i);
      const TbReplayOrigin *origin;

      if (kind != TB_REPLAY_WAIT)
        continue;
      origin = &g_array_index (of->origins, TbReplayOrigin, wait);
      if (origin->kind == TB_WAIT_NODE_TIMER && next != TB_REPLAY_NONE && origin->call != 0
          && origin->call == g_array_index (of->origins, TbReplayOrigin, next).call)
        {
          g_array_index (of->program->waits, TbReplayWait, wait).leads_to = next;
          continue;
        }
      next = origin->ended_by != TB_ID_NONE ? wait : TB_REPLAY_NONE;
      g_array_index (of->program->waits, TbReplayWait, wait).step = i;
    }
}

static void
add_steps (TbReplayBuilder *self, guint32 actor)
{
  TbReplayRecording *of = self->self;
  gsize first, end;
  guint at = 0, high = self->points->len;

  self->call = 0;
  self->previous = TB_CPU_ALL;
  tb_replay_program_add_actor (of->program);
  if (!tb_replay_builder_find_rows (self, g_array_index (of->threads, guint32, actor), &first,
                                    &end))
    {
      g_array_append_vals (of->previous, &(guint32) { 0 }, 1);
      return;
    }
  of->begin[actor] = MAX (self->rows->start[first] - self->from, 0);
  while (at < high)
    {
      guint middle = at + (high - at) / 2;

      if (g_array_index (self->points, TbReplayPoint, middle).row < first)
        at = middle + 1;
      else
        high = middle;
    }
  for (gsize row = first; row < end; row++)
    {
      gint64 last = MIN (self->rows->end[row], self->to);

      at = add_row (self, row, at);
      if (self->rows->state[row] != TB_STATE_RUNNING)
        continue;
      of->last_run[actor] = last - self->from;
      of->running[actor] += last - MAX (self->rows->start[row], self->from);
    }
  if (of->previous->len <= actor)
    g_array_append_vals (of->previous, &(guint32) { 0 }, 1);
  link_timeouts (of, actor);
}

/* A cost that the agent measured on this machine before recording, in ns; 0: not measured. */
static guint64
get_cost (TbReplayBuilder *self, const char *name)
{
  const char *text = tb_session_get_fact (tb_trace_get_session (self->trace), name);
  guint64 cost = 0;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, SWITCH_NS_MAX, &cost, NULL) ? cost
                                                                                              : 0;
}

static void
take_costs (TbReplayBuilder *self)
{
  guint64 plain = get_cost (self, "cost-switch-ns"),
          recorded = get_cost (self, "cost-recorded-switch-ns");
  TbSession *session = tb_trace_get_session (self->trace);

  tb_replay_wakeup_costs_parse (&self->self->scheduler_model.wakings,
                                tb_session_get_fact (session, "cost-waking-ns"),
                                tb_session_get_fact (session, "cost-queueing-ns"),
                                tb_session_get_fact (session, "cost-preempting-ns"));
  self->self->probed_ns = (double) get_cost (self, "cost-probed-call-ns");
  if (plain == 0 || recorded == 0)
    return;
  self->self->switch_ns = (double) plain;
  /* On a busy machine either measurement can be too high. */
  self->self->recording_ns = recorded > plain ? (double) MIN (recorded - plain, plain / 2) : 0;
}

static void
add_moments (TbReplayBuilder *self, const GArray *moments)
{
  self->self->program->n_marks = moments != NULL ? moments->len : 0;
  for (guint i = 0; moments != NULL && i < moments->len; i++)
    {
      const TbReplayMoment *moment = &g_array_index (moments, TbReplayMoment, i);
      gsize run = tb_replay_builder_find_run (self, moment->thread, moment->time);
      gssize row = run != G_MAXSIZE ? (gssize) run
                   : moment->time >= self->from && moment->time < self->to
                       ? tb_trace_find_interval (self->trace, moment->thread, moment->time)
                       : -1;

      if (row >= 0)
        tb_replay_builder_add_point (self, (gsize) row, moment->time, TB_REPLAY_MARK, i);
    }
}

TbReplayRecording *
tb_replay_recording_new (TbTrace *trace,
                         gint64 from,
                         gint64 to,
                         const guint8 *is_replayed,
                         const GArray *moments,
                         GCancellable *cancellable,
                         GError **error)
{
  g_auto (TbReplayBuilder) builder = { 0 };
  TbReplayRecording *self;

  tb_replay_builder_init (&builder, trace, from, to, is_replayed);
  self = builder.self;
  if (!tb_replay_builder_load_tables (&builder, error)
      || !tb_replay_builder_load_requests (&builder, error))
    return NULL;
  take_costs (&builder);
  tb_replay_builder_find_cpu_occupancy (&builder);
  if (builder.has_cpus)
    tb_replay_builder_find_scheduler_model (&builder);
  else
    tb_replay_builder_find_free (&builder, self->program->n_cpus);
  for (guint32 i = 1; i < builder.n_threads && !g_cancellable_is_cancelled (cancellable); i++)
    if (tb_replay_builder_is_replayed (&builder, i))
      tb_replay_builder_add_waits (&builder, i);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  self->scheduler_model.wakings.busy = builder.n_behind > 0
                                           ? builder.behind_ns / (double) builder.n_behind
                                           : self->scheduler_model.wakings.queueing;
  tb_replay_builder_add_messages (&builder);
  tb_replay_builder_add_requests (&builder);
  add_moments (&builder, moments);
  g_array_sort (builder.points, compare_points);
  g_array_set_size (self->request_steps, self->program->requests->len);
  self->begin = g_new0 (gint64, self->threads->len + 1);
  self->last_run = g_new0 (gint64, self->threads->len + 1);
  self->running = g_new0 (gint64, self->threads->len + 1);
  for (guint32 i = 0; i < self->threads->len && !g_cancellable_is_cancelled (cancellable); i++)
    add_steps (&builder, i);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  self->program->scheduler_model = builder.has_cpus ? &self->scheduler_model : NULL;
  self->program->threads = (const guint32 *) (gpointer) self->threads->data;
  self->program->previous = (const guint32 *) (gpointer) self->previous->data;
  return g_steal_pointer (&builder.self);
}
