/* tb-wait-replay-wakings.h: what it takes to wake a thread on another cpu
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_REPLAY_N_IDLES 16

/* What something takes after a cpu was idle for so long, beyond what it takes on the cpu of who wakes; by how long, which grows. */
typedef struct
{
  double idle[TB_REPLAY_N_IDLES]; /* ns */
  double cost[TB_REPLAY_N_IDLES]; /* ns of cpu time */
  guint n;
} TbReplayWakingCost;

typedef struct
{
  TbReplayWakingCost waking; /* of who wakes */
  double queueing;           /* of who wakes a thread that is put behind another on another cpu, ns */
  double preempting;         /* and one that gets that cpu at once */
  double busy;               /* the mean of these two, as often as they were seen */
} TbReplayWakings;

/* Each is what the agent measured, ns, or NULL: waking "IDLE:COST" with spaces in between, that on the waker's own cpu first, with 0,
 * which is taken off all. What is not so, or not there, counts as nothing. */
void tb_replay_wakings_parse (TbReplayWakings *self,
                              const char *waking,
                              const char *queueing,
                              const char *preempting);
/* idle: ns, below 0: it was not. In between the times that were measured by the logarithm; 0 where nothing is known. */
double tb_replay_waking_cost_get (const TbReplayWakingCost *self, double idle);

G_END_DECLS
