/* tb-wait-what-if-recording-cost.c: cost of recording, removed from the runs and wake-ups of a
 * replay
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All records are assumed to cost the same. The agent measured the cost of recording a switch with
 * its wake-up, which is two records, in a loop with warm caches. The cost is removed where the
 * record was made. Where the same load was also measured without a recorder, the slowdown of the
 * whole run is known. If it is greater than the measured cost explains, records cost more with cold
 * caches, or all code is slower (caches). If it is less, the delayed threads would have waited
 * anyway. A CPU that the recorder has is never waited for.
 */

#include "config.h"

#include "what-if/tb-wait-what-if-recording-cost.h"

/* Positions in the lists by step. */
typedef struct
{
  guint a_switch;
  guint record;
} Next;

/* The cost of the switch and the other records up to a step, plus before, the cost left over from
 * earlier runs. Calls of probed functions keep their own measured cost. */
static double
get_debit (const TbReplayRecording *of, gsize step, double cost, double before, Next *next)
{
  double debit_ns = before;

  if (next->a_switch < of->switches->len
      && g_array_index (of->switches, gsize, next->a_switch) == step)
    {
      debit_ns = cost / 2;
      next->a_switch++;
    }
  for (; next->record < of->records->len; next->record++)
    {
      const TbReplayRecord *record = &g_array_index (of->records, TbReplayRecord, next->record);

      if (record->step > step)
        break;
      debit_ns += (record->is_probed ? of->probed_ns : cost) / 2;
    }
  return debit_ns;
}

/* Removes the cost of records from an actor's runs. Cost that exceeds a run is removed from the
 * next one, until the thread leaves its CPU. */
static void
subtract_from_runs (const TbReplayRecording *of,
                    guint32 actor,
                    double cost,
                    Next *next,
                    double *run)
{
  gsize first = g_array_index (of->program->first, gsize, actor);
  gsize end = g_array_index (of->program->first, gsize, actor + 1);
  double debit_ns = 0;

  for (gsize step = first; step < end; step++)
    {
      double length = (double) g_array_index (of->program->values, gint64, step), taken;

      if (g_array_index (of->program->kinds, guint8, step) != TB_REPLAY_RUN || length <= 0)
        continue;
      debit_ns = get_debit (of, step, cost, debit_ns, next);
      taken = MIN (debit_ns, length);
      debit_ns -= taken;
      run[step] = 1 - taken / length;
    }
}

static void
subtract_part (const TbReplayRecording *of, gsize step, double length, double *run)
{
  run[step] -= MIN (length / (double) g_array_index (of->program->values, gint64, step), run[step]);
}

double *
tb_wait_recording_cost_subtract (const TbReplayRecording *of, double cost)
{
  gsize n_steps = of->program->kinds->len;
  double *run = g_new (double, n_steps + 1);
  Next next = { 0 };

  for (gsize i = 0; i <= n_steps; i++)
    run[i] = 1;
  for (guint32 i = 0; i < of->program->n_actors; i++)
    subtract_from_runs (of, i, cost, &next, run);
  for (guint i = 0; i < of->delays->len; i++)
    {
      const TbReplayRecorderDelay *delay = &g_array_index (of->delays, TbReplayRecorderDelay, i);

      subtract_part (of, delay->step, (double) delay->length, run);
    }
  for (guint i = 0; i < of->delay_records->len; i++)
    {
      const TbReplayDelayRecords *late
          = &g_array_index (of->delay_records, TbReplayDelayRecords, i);

      subtract_part (of, late->step, cost / 2 * late->n, run);
    }
  return run;
}

double *
tb_wait_recording_cost_get_delays (const TbReplayRecording *of, double cost)
{
  double *shorter = g_new0 (double, of->origins->len + 1);

  for (guint i = 0; i < of->origins->len; i++)
    shorter[i] = cost / 2 * g_array_index (of->origins, TbReplayOrigin, i).n_records;
  return shorter;
}
