/* tb-wait-replay-private.h: state of a running replay (actors, signals, streams, timed events), and
 * functions that the files of its simulation share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-devices.h"
#include "tb-wait-replay-processor-sharing.h"
#include "tb-wait-replay-polls.h"
#include "tb-wait-replay-workers.h"
#include "tb-wait-replay.h"

G_BEGIN_DECLS

/* ns: smaller differences are rounding errors. */
#define TB_REPLAY_ROUNDING_NS 0.5

/* What has to happen before an actor continues, other than its scheduled end of a wait. */
typedef enum
{
  TB_REPLAY_AWAITS_NOTHING,
  TB_REPLAY_AWAITS_SIGNAL, /* the signal of one wait */
  TB_REPLAY_AWAITS_POLL,   /* the signal of any of its polls */
} TbReplayAwaited;

/* Result of an actor's last wait, until the actor runs. */
typedef enum
{
  TB_REPLAY_OUTCOME_NONE,    /* no wait since the last run */
  TB_REPLAY_OUTCOME_PENDING, /* not known yet */
  TB_REPLAY_OUTCOME_WAITED,  /* it took time */
  TB_REPLAY_OUTCOME_SPARED,  /* it took no time */
} TbReplayOutcome;

/* Source of an actor's work: the kind and the result of its last wait. */
typedef enum
{
  TB_REPLAY_WORK_OWN,      /* no thread brought it, as far as known */
  TB_REPLAY_WORK_RECEIVED, /* a thread brings it */
  TB_REPLAY_WORK_IDLE,     /* a thread brought it, and the actor had no work until then */
} TbReplayWork;

/* An actor: a thread that executes its steps of the program. */
typedef struct
{
  gsize next_step;
  guint32 turn; /* scheduled ends of waits with another turn are void */
  TbReplayAwaited awaited;
  guint32 awaited_wait; /* with TB_REPLAY_AWAITS_SIGNAL: the wait */
  TbReplayWork work;
  guint8 has_shared; /* it has run its share of the wait that comes next */
  struct
  {
    guint32 wait; /* TB_REPLAY_NONE: none yet */
    TbReplayOutcome outcome;
    double since;
    double length; /* once the outcome is known */
  } last;
  struct
  {
    guint8 cpu_state; /* state of the CPU to which it was woken from its last wait */
    guint8 is_placed; /* it is to run on the CPU that was chosen at its wake-up */
  } wakeup;
  double credit_ns; /* ns by which its runs until the next wait are still shorter */
  /* ns by which its next runs are longer than recorded (negative: shorter), because its wake-ups of
   * others cost more or less */
  double debit_ns;
} TbReplayActor;

/* The signal of a wait. */
typedef struct
{
  double time;          /* when it was raised; -1: not yet */
  guint32 waiter;       /* actor that waits, or waited, for it; TB_REPLAY_NONE: none */
  guint8 is_completion; /* a request raises it */
} TbReplaySignal;

/* A stream of items that are prepared ahead. */
typedef struct
{
  double ready; /* when its latest item was ready; -1: not begun */
  double taken; /* when its latest item was taken; -1: none */
} TbReplayStream;

typedef struct
{
  const TbReplayProgram *program;
  const TbReplayChange *change;
  TbReplayTimes *times;
  struct
  {
    const gsize *first; /* by actor, and one past the last */
    const guint8 *kinds;
    const gint64 *values;
  } steps; /* columns of the program */
  double now;
  /* TbReplayEntry by time: ends of waits, with an actor and its turn, and completions of
   * requests */
  GArray *timed_events;
  guint64 n_timed_events; /* so far, for their order */
  TbReplayActor *actors;
  TbReplaySignal *signals; /* by wait */
  TbReplayStream *streams;
  TbReplayPolls *polls;
  TbReplayDevices *devices;
  /* CPUs: workers where the program has a scheduler model; NULL: sharing is used */
  TbReplayWorkers *workers;
  TbReplaySharing sharing;
  struct
  {
    guint32 actor; /* actor that executes its steps; TB_REPLAY_NONE: none */
    guint32 cpu;   /* CPU of that actor; TB_REPLAY_NONE: none */
  } acting;
} TbReplaySimulation;

/* Tag of timed events that are completions of requests. */
#define TB_REPLAY_COMPLETION G_MAXUINT32

static inline const TbReplayWait *
tb_replay_simulation_get_wait (const TbReplaySimulation *self, guint32 wait)
{
  return &g_array_index (self->program->waits, TbReplayWait, wait);
}

/* tb-wait-replay-actors.c */

/* Executes steps of an actor until one of them takes time. */
void tb_replay_simulation_run_actor (TbReplaySimulation *self, guint32 actor);
/* On how many CPUs an actor runs at once, and how many of its unsignalled waits pass at once. */
guint32 tb_replay_simulation_get_size (const TbReplaySimulation *self, guint32 actor);

/* tb-wait-replay-signals.c */

/* Schedules the end of an actor's wait or delay, and voids its other scheduled ends. */
void tb_replay_simulation_wake_at (TbReplaySimulation *self, guint32 actor, double time);
/* Wakes an actor on a CPU. The acting actor pays the cost. */
void tb_replay_simulation_wake (TbReplaySimulation *self, guint32 actor);
/* Begins a wait. Returns whether the actor has to wait. */
gboolean tb_replay_simulation_begin_wait (TbReplaySimulation *self, guint32 actor, guint32 wait);
/* Ends a wait, now or as soon as it begins. */
void tb_replay_simulation_raise (TbReplaySimulation *self, guint32 wait);
/* Whether the wait had already ended at its limit when its signal comes. */
gboolean tb_replay_simulation_is_late (const TbReplaySimulation *self, guint32 wait);
/* Issues a request to its device. */
void tb_replay_simulation_submit (TbReplaySimulation *self, guint32 request);
/* Leaves out a request. A wait for it ends at once. */
void tb_replay_simulation_skip_request (TbReplaySimulation *self, guint32 request);
void tb_replay_simulation_complete (TbReplaySimulation *self, guint32 request);

G_END_DECLS
