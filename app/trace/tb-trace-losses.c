/* tb-trace-losses.c: shares of the time of a trace that are unknown because events were lost or not
 * reported
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-thread-traits-private.h"
#include "trace/tb-trace-losses-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-roles.h"

/* A thread that never ran has no time in which an event could be missing. An unknown state that is
 * not uncertain precedes the first event of a thread: it was asleep, or not yet known. */
static void
add_thread (const TbIntervals *rows, gsize first, gsize end, TbLosses *losses)
{
  TbLosses sums = { 0 };
  gboolean has_run = FALSE;

  for (gsize i = first; i < end; i++)
    {
      gint64 ns = rows->end[i] - rows->start[i];
      gboolean is_wait = rows->state[i] >= TB_STATE_INTERRUPTIBLE;

      sums.life_ns += ns;
      sums.n_waits += is_wait;
      has_run |= rows->state[i] == TB_STATE_RUNNING;
      if (rows->state[i] == TB_STATE_UNKNOWN && (rows->flags[i] & TB_INTERVAL_UNCERTAIN) != 0)
        {
          sums.unknown_ns += ns;
          sums.n_unknown++;
        }
      if (is_wait && rows->cause_kind[i] == TB_CAUSE_UNKNOWN && rows->wakeup[i] == TB_ID_NONE)
        {
          sums.no_cause_ns += ns;
          sums.n_no_cause++;
        }
    }
  if (!has_run)
    return;
  losses->life_ns += sums.life_ns;
  losses->n_waits += sums.n_waits;
  losses->unknown_ns += sums.unknown_ns;
  losses->n_unknown += sums.n_unknown;
  losses->no_cause_ns += sums.no_cause_ns;
  losses->n_no_cause += sums.n_no_cause;
}

/* Threads of which results are shown at first: the recorded command's and those that worked for it,
 * or all but the recorder's. */
static gboolean
is_counted (TbTrace *self, guint32 thread)
{
  if (self->command_process != TB_ID_NONE)
    return (self->roles[thread] & (TB_THREAD_ROLE_COMMAND | TB_THREAD_ROLE_HELPER)) != 0;
  return (self->roles[thread] & TB_THREAD_ROLE_RECORDER) == 0
         && (self->thread_traits[thread] & TB_THREAD_OUTSIDE) == 0;
}

static double
get_share (gint64 part, gint64 whole)
{
  return whole > 0 ? CLAMP ((double) part / (double) whole, 0, 1) : 0;
}

void
tb_trace_measure_losses (TbTrace *self, TbLosses *losses)
{
  const TbIntervals *rows = &self->intervals;

  *losses = (TbLosses) { 0 };
  for (guint32 thread = TB_THREAD_IDLE + 1; thread < self->n_threads; thread++)
    if (is_counted (self, thread))
      add_thread (rows, self->first[thread], self->first[thread + 1], losses);
  losses->lost_share = get_share (self->counts.lost_ns, self->to - self->from);
  losses->unknown_share = get_share (losses->unknown_ns, losses->life_ns);
  losses->no_cause_share = get_share (losses->no_cause_ns, losses->life_ns);
}
