/* tb-wait-what-if-recording-cost.c: cost of recording: the share of each run of a replay that is
 * left without it, its delay of each wake-up, and its calibration by how much slower the load was
 * than without a recorder
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

#include <math.h>

#include "what-if/tb-wait-what-if-parts.h"
#include "what-if/tb-wait-what-if-recording-cost.h"

/* Bisections of the range in which the cost is sought. */
#define HALVINGS 10

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

/* Measures the replay without a change, for a given cost of recording. Returns FALSE if
 * cancelled. */
static gboolean
measure (const TbWaitPredictor *self,
         double cost,
         const guint8 *is_measured,
         double *length,
         GCancellable *cancellable,
         GError **error)
{
  g_autofree double *run = tb_wait_recording_cost_subtract (self->recording, cost);
  g_autofree double *shorter = tb_wait_recording_cost_get_delays (self->recording, cost);
  TbReplayChange change = { .run = run,
                            .shorter = shorter,
                            .saved = self->recording->switch_ns,
                            .waking_share = TB_WAIT_WAKING_SHARE };
  g_autoptr (TbReplayTimes) times
      = tb_replay_run (self->recording->program, &change, cancellable, error);

  if (times == NULL)
    return FALSE;
  *length = tb_wait_parts_measure (self, times, is_measured);
  return TRUE;
}

gboolean
tb_wait_recording_cost_calibrate (const TbWaitPredictor *self,
                                  double times,
                                  double most,
                                  TbWaitRecordingCost *cost,
                                  GCancellable *cancellable,
                                  GError **error)
{
  g_autofree guint8 *is_measured = tb_wait_predictor_find_measured (self);
  double low = 0, high = self->recording->recording_ns * most;
  double wanted, length;

  if (!measure (self, 0, is_measured, &length, cancellable, error))
    return FALSE;
  wanted = length / times;
  for (guint i = 0; i <= HALVINGS && length > 0; i++)
    {
      double at = i == 0 ? high : (low + high) / 2;

      if (!measure (self, at, is_measured, &length, cancellable, error))
        return FALSE;
      *cost = (TbWaitRecordingCost) { at, length > wanted ? log (length / wanted) : 0 };
      if (length > wanted)
        low = at;
      else
        high = at;
      if (low >= high)
        break;
    }
  return TRUE;
}
