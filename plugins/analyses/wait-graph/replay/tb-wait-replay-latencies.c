/* tb-wait-replay-latencies.c: recorded scheduling latencies of woken threads, added one by one
 * under the state of their CPU (busy, or how long idle; where the waker ran); difference of the
 * means of two states
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An idle CPU polls for work for a while, or its hypervisor does so for it. Then it sleeps, and a
 * wake-up takes ten times as long. When that happens depends on the machine and on the CPU's
 * previous load, so it is derived from the recording.
 */

#include "config.h"

#include <math.h>

#include "tb-wait-replay-latencies.h"

/* ns: a longer latency means that other threads kept the CPU. */
#define LATENCY_NS_MAX 1e6

/* With fewer samples, a state has no mean. */
#define N_LEAST 5

guint8
tb_replay_latencies_get_state (TbReplayWakerCpu from, double idle)
{
  guint since = idle < 0 ? 0 : MIN (1 + (guint) log2 (MAX (idle, 1)), TB_REPLAY_N_SINCE - 1);

  return (guint8) (from * TB_REPLAY_N_SINCE + since);
}

guint8
tb_replay_latencies_set_waker_cpu (guint8 state, guint8 other)
{
  return other < TB_REPLAY_N_STATES
             ? (guint8) (other - other % TB_REPLAY_N_SINCE + state % TB_REPLAY_N_SINCE)
             : state;
}

void
tb_replay_latencies_add (TbReplayLatencies *self, guint8 state, double latency)
{
  g_return_if_fail (state < TB_REPLAY_N_STATES);
  self->sum[state] += MIN (latency, LATENCY_NS_MAX);
  self->n[state]++;
}

/* Gets the mean latency of a state, or of the state with the nearest idle time that has samples.
 * Returns whether there is one. A busy CPU without samples has the mean 0: only the running thread
 * delays the woken one. */
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
