/* tb-wait-replay-scheduler-model.c: scheduler model for replays, counted from the recorded
 * decisions of the kernel: placement, preemption and migration of threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only replayed threads count: a CPU is idle where none of them runs. The recording has the CPU
 * that a thread got, but not the CPU for which it waited. A thread that got a CPU which had been
 * idle for a while was migrated to it: until then it waited where it had run, or where it was woken
 * from.
 */

#include "config.h"

#include "tb-wait-replay-scheduler-model.h"
#include "tb-wait-replay-tables.h"

/* So many intervals are enough. Of a longer recording only the middle is used. */
#define ROWS_MAX 250000

/* ns: a CPU that was idle for so long before it got a thread that waited for so long was not idle
 * for that thread. */
#define IDLE_NS 10000

/* ns: a thread that took a CPU from a still runnable one within this time after its wake-up
 * preempted it. Later, the other thread's slice was over. */
#define PREEMPTION_MAX_NS 350000

/* ns: if the running thread blocked so soon after another was woken from another CPU, the woken one
 * may have been too late to preempt it. A thread that was woken on the same CPU would have
 * preempted it at once. */
#define BLOCK_TOO_SOON_NS 50000

typedef enum
{
  EVENT_EXTERNAL_STOP, /* at equal times the first: what ends then has no effect any more */
  EVENT_STOP,
  EVENT_UNQUEUE,
  EVENT_WAKE,
  EVENT_QUEUE,
  EVENT_RUN,
  EVENT_EXTERNAL_RUN,
} EventKind;

typedef struct
{
  gint64 time;
  gsize row;
  guint16 cpu;
  guint8 kind;
} Event;

typedef struct
{
  TbReplayBuilder *builder;
  gint64 from; /* the part of the recording that is used */
  gint64 to;
  GArray *events;
  guint32 *n_running; /* by CPU */
  gsize *running;     /* by CPU: the last running interval there */
  guint32 *n_queued;
  guint32 *n_external; /* by CPU: threads that run there and are not replayed */
  guint n_cpus;
  guint n_taken; /* CPUs on which only such threads run */
  guint n_idle;
  guint n_behind; /* threads that wait on a CPU where another runs */
} Sweep;

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

guint
tb_replay_builder_find_queue (const TbReplayBuilder *self,
                              gsize row,
                              guint previous,
                              gboolean *is_migrated)
{
  guint16 cpu = self->rows->cpu[row], other = (guint16) previous;
  gint64 start = self->rows->start[row], end = self->rows->end[row];

  *is_migrated = end - start > IDLE_NS && cpu != other
                 && tb_replay_cpu_occupancy_get_time (self->busy, cpu, end - IDLE_NS, end) == 0
                 && tb_replay_cpu_occupancy_get_time (self->busy, other, end - 1, end) > 0;
  return *is_migrated ? previous : cpu;
}

static void
set_range (Sweep *self)
{
  const TbReplayBuilder *builder = self->builder;
  double share = ROWS_MAX / (double) MAX (builder->rows->n, 1);
  gint64 left_out
      = share < 1 ? (gint64) ((double) (builder->to - builder->from) * (1 - share) / 2) : 0;

  self->from = builder->from + left_out;
  self->to = builder->to - left_out;
}

static void
add_event (Sweep *self, gint64 time, EventKind kind, guint cpu, gsize row)
{
  Event event = { time, row, (guint16) cpu, (guint8) kind };

  if (cpu < self->n_cpus)
    g_array_append_val (self->events, event);
}

static void
list_events (Sweep *self)
{
  TbReplayBuilder *builder = self->builder;
  const TbIntervals *rows = builder->rows;
  guint previous = TB_CPU_ALL;

  for (gsize i = 0; i < rows->n; i++)
    {
      gboolean is_first = i == 0 || rows->thread[i] != rows->thread[i - 1], is_migrated;
      guint queue;

      previous = is_first ? TB_CPU_ALL : previous;
      if (rows->thread[i] == TB_THREAD_IDLE || rows->start[i] < self->from
          || rows->end[i] > self->to)
        continue;
      if (!tb_replay_builder_is_replayed (builder, rows->thread[i]))
        {
          if (rows->state[i] == TB_STATE_RUNNING)
            {
              add_event (self, rows->start[i], EVENT_EXTERNAL_RUN, rows->cpu[i], i);
              add_event (self, rows->end[i], EVENT_EXTERNAL_STOP, rows->cpu[i], i);
            }
          continue;
        }
      if (rows->state[i] == TB_STATE_RUNNING)
        {
          add_event (self, rows->start[i], EVENT_RUN, rows->cpu[i], i);
          add_event (self, rows->end[i], EVENT_STOP, rows->cpu[i], i);
          previous = rows->cpu[i];
        }
      else if (rows->state[i] == TB_STATE_RUNNABLE)
        {
          queue = tb_replay_builder_find_queue (builder, i, previous, &is_migrated);
          add_event (self, rows->start[i], EVENT_QUEUE, queue, i);
          add_event (self, rows->end[i], EVENT_UNQUEUE, queue, i);
          builder->self->scheduler_model.n_migrated += is_migrated;
        }
      if (!is_first && rows->state[i - 1] >= TB_STATE_INTERRUPTIBLE && previous != TB_CPU_ALL)
        add_event (self, rows->start[i], EVENT_WAKE, previous, i);
    }
  g_array_sort (self->events, compare_events);
}

/* Counts whether a woken thread preempted the running thread, if that one had more to do. */
static void
judge_preemption (Sweep *self, const Event *event, guint cpu)
{
  const TbIntervals *rows = self->builder->rows;
  gsize woken = event->row, runner = self->running[cpu];
  guint32 wakeup = rows->wakeup[woken - 1];
  gboolean is_here
      = wakeup < self->builder->n_wakeups && self->builder->cpu_of_wakeup[wakeup] == cpu;
  gint64 left = rows->end[runner];
  gboolean is_over, is_at_once;

  if (self->n_running[cpu] == 0 || rows->state[woken] != TB_STATE_RUNNABLE || runner + 1 >= rows->n)
    return;
  is_over = rows->thread[runner + 1] != rows->thread[runner]
            || rows->state[runner + 1] != TB_STATE_RUNNABLE;
  is_at_once = !is_over && rows->end[woken] == left && rows->cpu[woken] == cpu
               && left - event->time <= PREEMPTION_MAX_NS;
  if (!is_at_once && !is_here && left - event->time < BLOCK_TOO_SOON_NS)
    return;
  tb_replay_preemption_count (self->builder->self->scheduler_model.preemption, rows->thread[woken],
                              rows->thread[runner], is_at_once);
}

static void
judge_wake (Sweep *self, const Event *event)
{
  TbReplayBuilder *builder = self->builder;
  const TbIntervals *rows = builder->rows;
  TbReplaySchedulerModel *scheduler_model = &builder->self->scheduler_model;
  guint32 thread = tb_replay_builder_find_waker (builder, event->row - 1);
  guint previous = event->cpu, waker = TB_CPU_ALL, to = rows->cpu[event->row], situation = 0;
  guint n_external = self->n_idle;
  gboolean is_migrated = FALSE, is_busy;

  if (thread != TB_ID_NONE
      && tb_replay_builder_find_run (builder, thread, event->time) != G_MAXSIZE)
    waker = builder->cpu_of_wakeup[rows->wakeup[event->row - 1]];
  if (rows->state[event->row] == TB_STATE_RUNNABLE)
    to = tb_replay_builder_find_queue (builder, event->row, previous, &is_migrated);
  if (to < self->n_cpus)
    judge_preemption (self, event, to);
  if (to >= self->n_cpus || self->n_taken > 0)
    return;
  is_busy = self->n_running[to] > 0;
  n_external -= self->n_running[previous] == 0;
  if (waker < self->n_cpus)
    {
      situation |= waker == previous ? TB_REPLAY_WAKER_SAME : TB_REPLAY_WAKER_OTHER;
      n_external -= waker != previous && self->n_running[waker] == 0;
      if (self->n_queued[waker] == 0)
        situation |= TB_REPLAY_WAKER_ALONE;
    }
  situation |= self->n_running[previous] == 0 ? TB_REPLAY_PREVIOUS_IDLE : 0;
  situation |= n_external > 0 ? TB_REPLAY_OTHER_IDLE : 0;
  scheduler_model->n_woken[situation][to == previous ? TB_REPLAY_PLACEMENT_PREVIOUS
                                      : to == waker  ? TB_REPLAY_PLACEMENT_WAKER
                                      : is_busy      ? TB_REPLAY_PLACEMENT_BUSY
                                                     : TB_REPLAY_PLACEMENT_IDLE]++;
}

static gboolean
is_taken (const Sweep *self, guint cpu)
{
  return self->n_external[cpu] > 0 && self->n_running[cpu] == 0;
}

static void
change_running (Sweep *self, guint cpu, gboolean runs)
{
  self->n_taken -= is_taken (self, cpu);
  if (runs && self->n_running[cpu]++ == 0)
    {
      self->n_idle--;
      self->n_behind += self->n_queued[cpu];
    }
  if (!runs && self->n_running[cpu] > 0 && --self->n_running[cpu] == 0)
    {
      self->n_idle++;
      self->n_behind -= self->n_queued[cpu];
    }
  self->n_taken += is_taken (self, cpu);
}

static void
change_external_running (Sweep *self, guint cpu, gboolean runs)
{
  self->n_taken -= is_taken (self, cpu);
  if (runs || self->n_external[cpu] > 0)
    self->n_external[cpu] += runs ? 1 : -1u;
  self->n_taken += is_taken (self, cpu);
}

static void
change_queue (Sweep *self, guint cpu, gboolean is_more)
{
  if (!is_more && self->n_queued[cpu] == 0)
    return;
  self->n_queued[cpu] += is_more ? 1 : -1u;
  if (self->n_running[cpu] > 0)
    self->n_behind += is_more ? 1 : -1u;
}

void
tb_replay_builder_find_scheduler_model (TbReplayBuilder *self)
{
  Sweep sweep = { .builder = self, .n_cpus = self->self->program->n_cpus };
  gint64 last;

  set_range (&sweep);
  last = sweep.from;
  sweep.events = g_array_new (FALSE, FALSE, sizeof (Event));
  sweep.n_running = g_new0 (guint32, sweep.n_cpus);
  sweep.running = g_new0 (gsize, sweep.n_cpus);
  sweep.n_queued = g_new0 (guint32, sweep.n_cpus);
  sweep.n_external = g_new0 (guint32, sweep.n_cpus);
  sweep.n_idle = sweep.n_cpus;
  self->self->scheduler_model.preemption = tb_replay_preemption_new ();
  list_events (&sweep);
  for (guint i = 0; i < sweep.events->len; i++)
    {
      const Event *event = &g_array_index (sweep.events, Event, i);

      if (sweep.n_idle > sweep.n_taken && sweep.n_behind > 0)
        self->self->scheduler_model.unused += (double) (event->time - last);
      last = event->time;
      if (event->kind == EVENT_WAKE)
        judge_wake (&sweep, event);
      else if (event->kind == EVENT_RUN || event->kind == EVENT_STOP)
        {
          sweep.running[event->cpu] = event->row;
          change_running (&sweep, event->cpu, event->kind == EVENT_RUN);
        }
      else if (event->kind == EVENT_EXTERNAL_RUN || event->kind == EVENT_EXTERNAL_STOP)
        change_external_running (&sweep, event->cpu, event->kind == EVENT_EXTERNAL_RUN);
      else
        change_queue (&sweep, event->cpu, event->kind == EVENT_QUEUE);
    }
  g_array_unref (sweep.events);
  g_free (sweep.n_running);
  g_free (sweep.running);
  g_free (sweep.n_queued);
  g_free (sweep.n_external);
}
