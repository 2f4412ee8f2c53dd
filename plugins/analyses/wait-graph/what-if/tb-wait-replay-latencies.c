/* tb-wait-replay-latencies.c: how long it took until a thread that was woken ran, by how its cpu was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cpu that is idle looks for work for a while, or its host does for it, and then sleeps: to be woken from that takes ten times as
 * long. After how long it does depends on the machine and on what it did before, so that it is taken from the recording.
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-replay-latencies.h"

/* ns: what took longer was kept by others from its cpu. */
#define LATENCY_NS_MAX 1e6

/* Of fewer nothing is told. */
#define N_LEAST 5

guint8
tb_replay_latencies_get_state (TbReplayFrom from, double idle)
{
  guint since = idle < 0 ? 0 : MIN (1 + (guint) log2 (MAX (idle, 1)), TB_REPLAY_N_SINCE - 1);

  return (guint8) (from * TB_REPLAY_N_SINCE + since);
}

guint8
tb_replay_latencies_set_from (guint8 state, guint8 other)
{
  return other < TB_REPLAY_N_STATES ? (guint8) (other - other % TB_REPLAY_N_SINCE + state % TB_REPLAY_N_SINCE)
                                    : state;
}

void
tb_replay_latencies_add (TbReplayLatencies *self, guint8 state, double latency)
{
  g_return_if_fail (state < TB_REPLAY_N_STATES);
  self->sum[state] += MIN (latency, LATENCY_NS_MAX);
  self->n[state]++;
}

/* Whether some were seen that are like it: idle for about as long. Who finds a busy cpu is kept from it by that alone, if nothing else
 * was seen. */
static gboolean
get_mean (const TbReplayLatencies *self, guint8 state, double *mean)
{
  guint since = state % TB_REPLAY_N_SINCE, first = state - since;

  *mean = since == 0 && self->n[state] >= N_LEAST ? self->sum[state] / (double) self->n[state] : 0;
  if (since == 0)
    return TRUE;
  for (guint off = 0; off < TB_REPLAY_N_SINCE; off++)
    for (guint side = 0; side < 2; side++)
      {
        guint other = side == 0 ? since - MIN (off, since) : since + off;

        if (other >= TB_REPLAY_N_SINCE || other == 0 || self->n[first + other] < N_LEAST)
          continue;
        *mean = self->sum[first + other] / (double) self->n[first + other];
        return TRUE;
      }
  return FALSE;
}

double
tb_replay_latencies_get_difference (const TbReplayLatencies *self, guint8 state, guint8 other)
{
  double mean, mean_of_other;

  if (state >= TB_REPLAY_N_STATES || other >= TB_REPLAY_N_STATES || state == other
      || !get_mean (self, state, &mean) || !get_mean (self, other, &mean_of_other))
    return 0;
  return mean - mean_of_other;
}
