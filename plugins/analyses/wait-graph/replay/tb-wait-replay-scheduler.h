/* tb-wait-replay-scheduler.h: scheduler of a replay: run queues of the CPUs, placement, preemption
 * and migration of runnable workers, modelled on the recorded kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-latencies.h"
#include "tb-wait-replay-preemption.h"
#include "tb-wait-replay-wakeup-costs.h"

G_BEGIN_DECLS

#define TB_REPLAY_NONE G_MAXUINT32

/* Where a woken thread is placed. */
typedef enum
{
  TB_REPLAY_PLACEMENT_PREVIOUS, /* the CPU where it ran last */
  TB_REPLAY_PLACEMENT_WAKER,    /* the CPU of its waker */
  TB_REPLAY_PLACEMENT_IDLE,     /* another CPU, which is idle */
  TB_REPLAY_PLACEMENT_BUSY,     /* another CPU, which is busy */
  TB_REPLAY_N_PLACEMENTS,
} TbReplayPlacement;

#define TB_REPLAY_PREVIOUS_IDLE 1u /* the CPU where it ran last is idle */
#define TB_REPLAY_OTHER_IDLE 2u    /* a CPU other than that and the waker's is idle */
#define TB_REPLAY_WAKER_SAME 4u    /* the waker's CPU is the one where it ran last */
#define TB_REPLAY_WAKER_OTHER                                                                      \
  8u /* the waker's CPU is another; neither bit: not woken by a known thread */
#define TB_REPLAY_WAKER_ALONE 16u /* no thread waits on the waker's CPU */
#define TB_REPLAY_N_SITUATIONS 32u

/* The scheduling decisions that were observed in the recording. */
typedef struct
{
  guint64 n_woken[TB_REPLAY_N_SITUATIONS][TB_REPLAY_N_PLACEMENTS];
  guint64 n_migrated; /* threads that waited behind another and were migrated to an idle CPU */
  /* ns that CPUs were idle while threads waited behind others, counted for each such thread */
  double unused;
  TbReplayPreemption *preemption; /* by pair of threads; NULL: nothing is known */
  TbReplayLatencies latencies;    /* time from wake-up to running, on a CPU that was free */
  /* costs of wake-ups, as the agent measured them, not as observed in the recording */
  TbReplayWakeupCosts wakings;
} TbReplaySchedulerModel;

typedef struct _TbReplayScheduler TbReplayScheduler;

/* previous: by worker, the CPU where it ran last. threads: by worker, the thread from which its
 * observed behavior comes. scheduler_model: not owned. */
TbReplayScheduler *tb_replay_scheduler_new (guint32 n_cpus,
                                            guint32 n_workers,
                                            const guint32 *previous,
                                            const guint32 *threads,
                                            const TbReplaySchedulerModel *scheduler_model);
void tb_replay_scheduler_free (TbReplayScheduler *self);
/* Wakes a worker that has no CPU, from the CPU waker (TB_REPLAY_NONE: from an unknown CPU), and
 * chooses its CPU. Returns the time (ns) that the wake-up costs the waker. state: set to the state
 * of the chosen CPU, as in TbReplayLatencies. */
double tb_replay_scheduler_wake (TbReplayScheduler *self,
                                 guint32 worker,
                                 guint32 waker,
                                 double now,
                                 guint8 *state);
/* A woken worker requests the CPU that was chosen for it, for a length of time (ns). */
void tb_replay_scheduler_begin (TbReplayScheduler *self, guint32 worker, double length, double now);
/* A worker requests the CPU on which it ran last. */
void
tb_replay_scheduler_return (TbReplayScheduler *self, guint32 worker, double length, double now);
/* A worker requests an idle CPU, or its own if none is idle. */
void
tb_replay_scheduler_spread (TbReplayScheduler *self, guint32 worker, double length, double now);
/* A worker that finished its run keeps its CPU for another run. */
void tb_replay_scheduler_keep (TbReplayScheduler *self, guint32 worker, double length, double now);
/* A worker that finished its run releases its CPU. */
void tb_replay_scheduler_leave (TbReplayScheduler *self, guint32 worker, double now);
/* The CPU time (ns) that a running or waiting worker still needs. */
double tb_replay_scheduler_get_left (const TbReplayScheduler *self, guint32 worker, double now);
void
tb_replay_scheduler_set_left (TbReplayScheduler *self, guint32 worker, double left, double now);
/* The time of the next event; INFINITY: there is none. */
double tb_replay_scheduler_get_next (const TbReplayScheduler *self);
/* Processes the next event. Returns the worker that finished its run; TB_REPLAY_NONE: none. The
 * worker keeps its CPU until tb_replay_scheduler_keep() or tb_replay_scheduler_leave() is called
 * for it. */
guint32 tb_replay_scheduler_advance (TbReplayScheduler *self);
guint32 tb_replay_scheduler_get_n_idle (const TbReplayScheduler *self);
guint32 tb_replay_scheduler_get_cpu (const TbReplayScheduler *self, guint32 worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayScheduler, tb_replay_scheduler_free)

G_END_DECLS
