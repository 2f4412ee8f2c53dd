/* tb-trace-moment-private.h: state of every thread at the current time of the pass over the events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-causes-private.h"
#include "trace/tb-trace-rows-private.h"
#include "trace/tb-trace-uncertainty-private.h"

G_BEGIN_DECLS

#define TB_STATE_DEAD TB_N_STATES

/* Current state of a thread. */
typedef struct
{
  gint64 since;      /* start of the current state; TB_TIME_NONE: the thread never existed */
  gint64 early_time; /* time of a wake-up that came while the thread still ran */
  guint32 early;     /* row of that wake-up, TB_ID_NONE if none */
  guint32 made_by;   /* wake-up that made it runnable */
  guint32 last_row;  /* most recent interval */
  /* last sleep that ended with a wake-up, for marks that declare the wake-up false */
  guint32 sleep_row;
  guint32 stack;
  guint16 cpu;
  guint8 state;
  guint8 flags;
  gboolean declared_false;
  gboolean stopped; /* stopped by a signal: only another signal continues it */
} TbLife;

typedef struct
{
  const TbTraceInput *input;
  TbLife *lives;
  TbRows rows; /* finished intervals */
  TbCauses causes;
  TbGaps gaps;
  TbTraceCounts counts;
  gboolean has_wakings; /* sched_waking was recorded, so sched_wakeup is not needed */
} TbMoment;

void tb_moment_init_lives (TbMoment *self);

/* These close the current interval at end, and return NULL if it is empty. */
TbRow *tb_moment_emit (TbMoment *self, guint32 thread, gint64 end, TbState state, guint8 flags);
TbRow *tb_moment_emit_sleep (TbMoment *self, guint32 thread, gint64 end, guint8 flags);
void tb_moment_emit_present (TbMoment *self, guint32 thread, gint64 end, guint8 flags);
void tb_moment_settle_gaps (TbMoment *self, guint32 thread, gint64 time);
/* Discards a wake-up that came while the thread ran, as it had no effect. */
void tb_moment_drop_early (TbMoment *self, TbLife *life);
void tb_moment_die (TbMoment *self, guint32 thread, gint64 time);

/* tb-trace-scheduling.c: processing of a row of the switch or wakeup table. */
void tb_moment_switch (TbMoment *self, guint32 row, gint64 time);
void tb_moment_wake (TbMoment *self, guint32 row, gint64 time);
/* Handles a thread that is found to run on a CPU although no switch to it was recorded. It was
 * switched in after since. */
void tb_moment_turn_up (TbMoment *self, guint32 thread, guint16 cpu, gint64 since, gint64 time);

static inline gboolean
tb_life_is_sleeping (const TbLife *life)
{
  return life->state >= TB_STATE_INTERRUPTIBLE && life->state <= TB_STATE_STOPPED;
}

/* Whether the thread exists at the time of an event: before its fork and after its exit it does
 * not. */
static inline gboolean
tb_moment_is_alive (TbMoment *self, guint32 thread, gint64 time)
{
  return thread != TB_THREAD_IDLE && thread < self->input->n_threads
         && self->lives[thread].state != TB_STATE_DEAD && self->lives[thread].since != TB_TIME_NONE
         && self->lives[thread].since <= time;
}

static inline void
tb_moment_enter_state (TbMoment *self, guint32 thread, gint64 time, TbState state, guint8 flags)
{
  TbLife *life = &self->lives[thread];

  life->since = MAX (time, life->since);
  life->state = state;
  life->flags = flags;
  life->early = TB_ID_NONE;
  life->made_by = TB_ID_NONE;
  life->stack = TB_STACK_NONE;
  life->stopped = FALSE;
}

/* To be called before any other change to a thread: no interval extends across lost events. */
static inline void
tb_moment_settle (TbMoment *self, guint32 thread, gint64 time)
{
  if (G_UNLIKELY (self->gaps.n_any > 0) && self->lives[thread].since < time)
    tb_moment_settle_gaps (self, thread, time);
}

G_END_DECLS
