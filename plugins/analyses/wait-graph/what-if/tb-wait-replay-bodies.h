/* tb-wait-replay-bodies.h: an actor on one cpu, or on several at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay.h"

G_BEGIN_DECLS

/* An actor that is played as several threads has a body for each. They share what it has to do: each that finds an idle cpu takes over
 * half of what is left. */
typedef struct _TbReplayBodies TbReplayBodies;

/* NULL where it is not known how cpus are given out. Both not owned. */
TbReplayBodies *tb_replay_bodies_new (const TbReplayProgram *program, const TbReplayChange *change);
void tb_replay_bodies_free (TbReplayBodies *self);
/* An actor wants to run for so long, ns, on so many cpus at most. If it was done just now it keeps the cpu that it holds. */
void tb_replay_bodies_run (TbReplayBodies *self, guint32 actor, double length, guint32 size, double now);
/* An actor that does not run is woken from that cpu, TB_REPLAY_NONE from none that is known. Returns what that takes of its waker, ns;
 * state: of the cpu where it goes, as latencies have it. */
double tb_replay_bodies_wake (TbReplayBodies *self, guint32 actor, guint32 waker, double now, guint8 *state);
/* It wants to run after that, likewise. */
void tb_replay_bodies_begin (TbReplayBodies *self, guint32 actor, double length, guint32 size, double now);
/* When something happens next; INFINITY never. */
double tb_replay_bodies_get_next (const TbReplayBodies *self);
/* Lets that happen. Returns the actor that is done, and holds its cpu until it runs again or is let go; TB_REPLAY_NONE none. */
guint32 tb_replay_bodies_go_on (TbReplayBodies *self, double now);
/* Whoever holds a cpu does not want it any more. */
void tb_replay_bodies_let_go (TbReplayBodies *self, double now);
/* On which cpu it is, or was last. */
guint32 tb_replay_bodies_get_cpu (const TbReplayBodies *self, guint32 actor);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayBodies, tb_replay_bodies_free)

G_END_DECLS
