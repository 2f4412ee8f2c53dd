/* wait-replay-reference.h: the replay said simply, and random things to play
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay.h"

G_BEGIN_DECLS

/* Looks at everybody at every moment. */
TbReplayTimes *wait_replay_reference (const TbReplayProgram *program, const TbReplayChange *change);

typedef struct
{
  guint n_actors;
  guint n_steps;
  guint n_devices;
  gboolean only_runs; /* and signals: nothing takes time but on a cpu */
  gboolean no_wakes;  /* waits cost nothing after their end */
  gboolean is_apart;  /* no two begin, or are woken, at once: who is first in number would be first */
} WaitReplayShape;

/* Consistent: each wait is signalled by something that can happen before it. order: by actor, which place it has; NULL: its
 * number. */
TbReplayProgram *
wait_replay_random (GRand *rand, const WaitReplayShape *shape, guint32 n_cpus, const guint *order);

G_END_DECLS
