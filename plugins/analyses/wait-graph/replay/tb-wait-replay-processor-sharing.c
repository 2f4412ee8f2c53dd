/* tb-wait-replay-processor-sharing.c: processor sharing: CPUs that all runnable actors of a replay
 * share evenly, where no scheduler model is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Egalitarian processor sharing in virtual time, as in fair queueing (Demers, Keshav and Shenker,
 * SIGCOMM 1989). All running actors get service at the same rate, so that the service given to each
 * of them is a common clock. An actor's run ends at a fixed time of that clock, however many actors
 * begin and end meanwhile. One heap of these times suffices.
 */

#include "config.h"

#include <math.h>

#include "tb-wait-replay-processor-sharing.h"
#include "tb-wait-replay-heap.h"

void
tb_replay_sharing_init (TbReplaySharing *self, guint32 n_cpus)
{
  *self = (TbReplaySharing) { .n_cpus = n_cpus,
                              .run_ends = g_array_new (FALSE, FALSE, sizeof (TbReplayEntry)) };
}

void
tb_replay_sharing_clear (TbReplaySharing *self)
{
  g_array_unref (self->run_ends);
}

/* The service that each running actor gets per time. */
static double
get_rate (const TbReplaySharing *self)
{
  return self->n_wanted > self->n_cpus ? self->n_cpus / self->n_wanted : 1;
}

void
tb_replay_sharing_run (TbReplaySharing *self, guint32 actor, double length, guint32 size)
{
  self->n_wanted += size;
  tb_replay_heap_push (self->run_ends, (TbReplayEntry) { .key = self->served + length / size,
                                                         .order = self->n_begun++,
                                                         .what = actor,
                                                         .tag = size });
}

double
tb_replay_sharing_get_next (const TbReplaySharing *self, double now)
{
  if (self->run_ends->len == 0)
    return INFINITY;
  return now
         + MAX (g_array_index (self->run_ends, TbReplayEntry, 0).key - self->served, 0)
               / get_rate (self);
}

void
tb_replay_sharing_advance (TbReplaySharing *self, double elapsed)
{
  self->served += elapsed * get_rate (self);
}

guint32
tb_replay_sharing_finish (TbReplaySharing *self)
{
  TbReplayEntry end = tb_replay_heap_pop (self->run_ends);

  self->served = end.key;
  self->n_wanted -= end.tag;
  return end.what;
}
