/* tb-trace-moment-private.h: what is known at the present moment of the pass over the events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-causes-private.h"
#include "trace/tb-trace-rows-private.h"
#include "trace/tb-trace-uncertainty-private.h"

G_BEGIN_DECLS

#define TB_STATE_DEAD TB_N_STATES

/* What is known of a thread. */
typedef struct
{
  gint64 since;      /* it has been in its state; TB_TIME_NONE: it has no life */
  gint64 early_time; /* a waking that came while it ran */
  guint32 early;     /* its row, TB_ID_NONE none */
  guint32 made_by;   /* the waking that made it runnable */
  guint32 last_row;  /* interval found last */
  guint32 sleep_row; /* last sleep that ended with a waking, for marks that declare it false */
  guint32 stack;
  guint16 cpu;
  guint8 state;
  guint8 flags;
  gboolean declared_false;
  gboolean stopped; /* by a signal: only another continues it */
} TbLife;

typedef struct
{
  const TbTraceInput *input;
  TbLife *lives;
  TbRows rows; /* what is settled */
  TbCauses causes;
  TbGaps gaps;
  TbTraceCounts counts;
  gboolean has_wakings; /* sched_waking, so that sched_wakeup is not needed */
} TbMoment;

void tb_moment_init_lives (TbMoment *self);

/* They close the present stretch at end; NULL if it is empty. */
TbRow *tb_moment_emit (TbMoment *self, guint32 thread, gint64 end, TbState state, guint8 flags);
TbRow *tb_moment_emit_sleep (TbMoment *self, guint32 thread, gint64 end, guint8 flags);
void tb_moment_emit_present (TbMoment *self, guint32 thread, gint64 end, guint8 flags);
void tb_moment_settle_gaps (TbMoment *self, guint32 thread, gint64 time);
/* A waking that came while the thread ran was for nothing. */
void tb_moment_drop_early (TbMoment *self, TbLife *life);
void tb_moment_die (TbMoment *self, guint32 thread, gint64 time);

/* tb-trace-scheduling.c: what a row of the switch or wakeup table does. */
void tb_moment_switch (TbMoment *self, guint32 row, gint64 time);
void tb_moment_wake (TbMoment *self, guint32 row, gint64 time);
/* A thread runs on a cpu by now, though it was not seen to be switched to: that was after since. */
void tb_moment_turn_up (TbMoment *self, guint32 thread, guint16 cpu, gint64 since, gint64 time);

static inline gboolean
tb_life_is_sleeping (const TbLife *life)
{
  return life->state >= TB_STATE_INTERRUPTIBLE && life->state <= TB_STATE_STOPPED;
}

/* Whether an event concerns a life: before a thread was forked and after it is gone there is none. */
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

/* To be called before anything else is done about a thread: nothing is glued across lost events. */
static inline void
tb_moment_settle (TbMoment *self, guint32 thread, gint64 time)
{
  if (G_UNLIKELY (self->gaps.n_any > 0) && self->lives[thread].since < time)
    tb_moment_settle_gaps (self, thread, time);
}

G_END_DECLS
