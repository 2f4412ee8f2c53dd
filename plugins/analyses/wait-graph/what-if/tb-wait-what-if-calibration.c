/* tb-wait-what-if-calibration.c: search, by repeated replays, for the cost of one record (event)
 * that explains how much slower the recorded load was than the same load without a recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-calibration.h"
#include "what-if/tb-wait-what-if-parts.h"
#include "what-if/tb-wait-what-if-recording-cost.h"

/* Bisections of the range in which the cost is sought. */
#define HALVINGS 10

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
