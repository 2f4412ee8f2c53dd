/* wait-replay-reference.h: simple reference implementation of the replay, and random programs to
 * replay
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "replay/tb-wait-replay.h"

G_BEGIN_DECLS

/* Visits every actor at every event time. */
TbReplayTimes *wait_replay_reference (const TbReplayProgram *program, const TbReplayChange *change);

typedef struct
{
  guint n_actors;
  guint n_steps;
  guint n_devices;
  gboolean only_runs; /* runs and signals only: every step takes CPU time or none */
  gboolean no_wakes;  /* ends of waits cost no CPU time */
  /* no two actors start or are woken at the same time, so the order never depends on numbers */
  gboolean is_unique_in_time;
} WaitReplayShape;

/* Random consistent program: each wait is signalled by a step that can happen before it. order:
 * position of each actor; NULL: its number. */
TbReplayProgram *
wait_replay_random (GRand *rand, const WaitReplayShape *shape, guint32 n_cpus, const guint *order);

G_END_DECLS
