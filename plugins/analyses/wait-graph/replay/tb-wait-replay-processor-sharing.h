/* tb-wait-replay-processor-sharing.h: processor sharing: CPUs that all runnable actors of a replay
 * share evenly, where no scheduler model is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double n_cpus;
  double n_wanted;  /* number of CPUs that the running actors would fill */
  double served;    /* service (ns) given to each running actor since the start */
  guint64 n_begun;  /* runs so far, for their order */
  GArray *run_ends; /* TbReplayEntry: actors by the value of served at which their run ends */
} TbReplaySharing;

void tb_replay_sharing_init (TbReplaySharing *self, guint32 n_cpus);
void tb_replay_sharing_clear (TbReplaySharing *self);
/* Runs an actor for a length of time (ns) of one CPU, on at most size CPUs at once. */
void tb_replay_sharing_run (TbReplaySharing *self, guint32 actor, double length, guint32 size);
/* The time of the next end of a run; INFINITY: there is none. */
double tb_replay_sharing_get_next (const TbReplaySharing *self, double now);
/* Gives the running actors service for a time (ns) in which no run ends. */
void tb_replay_sharing_advance (TbReplaySharing *self, double elapsed);
/* Advances to the next end of a run. Returns its actor. */
guint32 tb_replay_sharing_finish (TbReplaySharing *self);

G_END_DECLS
