/* tb-wait-replay-wakeup-costs.c: cost to a waker of waking a thread on another CPU, by the idle
 * time of that CPU: parsed from the agent's measurements, interpolated between them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-wait-replay-wakeup-costs.h"

/* ns: greater values are invalid. */
#define IDLE_NS_MAX 1000000000
#define COST_NS_MAX 1000000

static gboolean
parse_one (const char *text, guint64 *idle, guint64 *cost)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 3);

  return g_strv_length (parts) == 2
         && g_ascii_string_to_unsigned (parts[0], 10, 0, IDLE_NS_MAX, idle, NULL)
         && g_ascii_string_to_unsigned (parts[1], 10, 1, COST_NS_MAX, cost, NULL);
}

/* On a busy machine either measurement can be too high. */
static double
subtract (guint64 cost, guint64 own)
{
  return cost > own ? (double) (cost - own) : 0;
}

/* Returns the cost on the waker's own CPU; 0: not known. */
static guint64
parse_costs (TbReplayWakeupCost *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", TB_REPLAY_N_IDLES + 2);
  guint n = g_strv_length (words);
  guint64 idle, cost, own = 0;

  if (n < 2 || n > TB_REPLAY_N_IDLES + 1 || !parse_one (words[0], &idle, &own) || idle != 0)
    return 0;
  for (guint i = 1; i < n; i++)
    {
      if (!parse_one (words[i], &idle, &cost) || idle == 0
          || (i > 1 && (double) idle <= self->idle[i - 2]))
        return 0;
      self->idle[i - 1] = (double) idle;
      self->cost[i - 1] = subtract (cost, own);
    }
  self->n = n - 1;
  return own;
}

static double
parse_cost (const char *text, guint64 own)
{
  guint64 cost = 0;

  return own > 0 && text != NULL
                 && g_ascii_string_to_unsigned (text, 10, 1, COST_NS_MAX, &cost, NULL)
             ? subtract (cost, own)
             : 0;
}

void
tb_replay_wakeup_costs_parse (TbReplayWakeupCosts *self,
                              const char *waking,
                              const char *queueing,
                              const char *preempting)
{
  guint64 own;

  *self = (TbReplayWakeupCosts) { .queueing = 0 };
  own = parse_costs (&self->waking, waking);
  self->queueing = parse_cost (queueing, own);
  self->preempting = parse_cost (preempting, own);
}

double
tb_replay_wakeup_cost_get (const TbReplayWakeupCost *self, double idle)
{
  guint i = 0;
  double share;

  if (idle < 0 || self->n == 0)
    return 0;
  while (i < self->n && self->idle[i] < idle)
    i++;
  if (i == 0 || i == self->n)
    return self->cost[MIN (i, self->n - 1)];
  share = log (idle / self->idle[i - 1]) / log (self->idle[i] / self->idle[i - 1]);
  return self->cost[i - 1] + share * (self->cost[i] - self->cost[i - 1]);
}
