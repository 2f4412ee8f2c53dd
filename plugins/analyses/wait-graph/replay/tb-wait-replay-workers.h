/* tb-wait-replay-workers.h: workers that wake and run an actor of a replay on CPUs of its
 * scheduler: one worker, or several that divide the actor's work where CPUs are idle
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-program.h"

G_BEGIN_DECLS

/* An actor that is replayed as several threads has one worker for each of them. The
 * workers share the actor's work: each one that finds an idle CPU takes half of what is left. */
typedef struct _TbReplayWorkers TbReplayWorkers;

/* Returns NULL where the program has no scheduler model. Neither argument is owned. */
TbReplayWorkers *tb_replay_workers_new (const TbReplayProgram *program,
                                        const TbReplayChange *change);
void tb_replay_workers_free (TbReplayWorkers *self);
/* Runs an actor for a length of time (ns) on at most size CPUs. If its previous run ended just now,
 * it keeps the CPU that it holds. */
void tb_replay_workers_run (TbReplayWorkers *self,
                            guint32 actor,
                            double length,
                            guint32 size,
                            double now);
/* Wakes an actor that does not run, from the CPU waker; TB_REPLAY_NONE: from an unknown CPU.
 * Returns the time (ns) that the wake-up costs the waker. state: set to the state of the CPU on
 * which the actor is placed, as in TbReplayLatencies. */
double tb_replay_workers_wake (TbReplayWorkers *self,
                               guint32 actor,
                               guint32 waker,
                               double now,
                               guint8 *state);
/* Runs an actor after its wake-up; the arguments are those of tb_replay_workers_run(). */
void tb_replay_workers_begin (TbReplayWorkers *self,
                              guint32 actor,
                              double length,
                              guint32 size,
                              double now);
/* The time of the next event; INFINITY: there is none. */
double tb_replay_workers_get_next (const TbReplayWorkers *self);
/* Processes the next event. Returns the actor that finished its run; TB_REPLAY_NONE: none. The
 * actor holds its CPU until it runs again or tb_replay_workers_release() is called. */
guint32 tb_replay_workers_advance (TbReplayWorkers *self, double now);
/* Releases the CPU that the last finished actor still holds, if any. */
void tb_replay_workers_release (TbReplayWorkers *self, double now);
/* The CPU on which an actor runs, or ran last. */
guint32 tb_replay_workers_get_cpu (const TbReplayWorkers *self, guint32 actor);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayWorkers, tb_replay_workers_free)

G_END_DECLS
