/* tb-wait-replay.h: simulation of the program of a replay, which gives the times of its marks and
 * the ends of its actors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-wait-replay-program.h"

G_BEGIN_DECLS

typedef struct
{
  double *marks;   /* by mark: its time, ns from the start; -1: never reached */
  double *ends;    /* by actor: when it last ran */
  guint32 n_stuck; /* actors left in a wait that never ends */
} TbReplayTimes;

/* Without a scheduler model, runnable threads share the CPUs evenly, each with at most one. A
 * device serves requests in the order of arrival. A wait that was signalled before it begins takes
 * no time. All actors begin at 0. O(steps × log actors). Returns NULL if cancelled. */
TbReplayTimes *tb_replay_run (const TbReplayProgram *program,
                              const TbReplayChange *change,
                              GCancellable *cancellable,
                              GError **error);
void tb_replay_times_free (TbReplayTimes *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayTimes, tb_replay_times_free)

G_END_DECLS
