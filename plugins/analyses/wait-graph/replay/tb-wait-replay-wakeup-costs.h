/* tb-wait-replay-wakeup-costs.h: cost to a waker of waking a thread on another CPU, by the idle
 * time of that CPU: parsed from the agent's measurements, interpolated between them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_REPLAY_N_IDLES 16

/* Cost of a wake-up beyond its cost on the waker's own CPU, by how long the CPU was idle, in
 * ascending order. */
typedef struct
{
  double idle[TB_REPLAY_N_IDLES]; /* ns */
  double cost[TB_REPLAY_N_IDLES]; /* ns of CPU time */
  guint n;
} TbReplayWakeupCost;

typedef struct
{
  TbReplayWakeupCost waking; /* cost to the waker */
  /* ns that it costs the waker if the woken thread is queued behind another on another CPU */
  double queueing;
  double preempting; /* likewise, if the woken thread preempts the other at once */
  double busy;       /* mean of these two, weighted by how often each was recorded */
} TbReplayWakeupCosts;

/* Parses costs that the agent measured, in ns; NULL: not measured. waking: "IDLE:COST" pairs,
 * separated by spaces. The first has IDLE 0; it is the cost on the waker's own CPU and is
 * subtracted from all others. Invalid and missing values count as 0. */
void tb_replay_wakeup_costs_parse (TbReplayWakeupCosts *self,
                                   const char *waking,
                                   const char *queueing,
                                   const char *preempting);
/* idle: ns; negative: not idle. Interpolates logarithmically between the measured idle times.
 * Returns 0 where nothing is known. */
double tb_replay_wakeup_cost_get (const TbReplayWakeupCost *self, double idle);

G_END_DECLS
