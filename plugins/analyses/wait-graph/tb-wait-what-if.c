/* tb-wait-what-if.c: how long it would take if something were different
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is predicted is the recorded figure times the ratio of two replays, with and without the change, so that what the
 * replay does not reproduce cancels as far as it concerns both. The interval, for what one more measurement would show:
 *
 * - The run is cut into TB_WAIT_N_PARTS parts with equal work. How far its length would be another if other parts had come
 *   together is found by drawing parts with replacement (bootstrap), for the ratio, for the recording and for what is measured
 *   later; the three are independent, their variances are added, and the quantile is Student's for TB_WAIT_N_PARTS - 1.
 * - What a waking takes although a cpu is free may shrink with the change, or not: the interval covers the prediction with it
 *   and that without.
 * - The deviation of the replay without a change from the recording is added on both sides.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "extend/tb-option.h"
#include "tb-wait-what-if-parts.h"
#include "tb-wait-what-if.h"

/* Student's, 95 %, for TB_WAIT_N_PARTS - 1. */
#define QUANTILE 1.729

static void
prediction_clear (gpointer data)
{
  g_free (((TbWaitPrediction *) data)->change);
}

void
tb_wait_what_if_free (TbWaitWhatIf *self)
{
  g_array_unref (self->predictions);
  g_free (self);
}

static void
set_interval (TbWaitPrediction *self, double ratio, double calm_ratio, double spread)
{
  double deviation = fabs (self->deviation);
  double low = MIN (ratio, calm_ratio) * exp (-spread) * (1 - MIN (deviation, 1));
  double high = MAX (ratio, calm_ratio) * exp (spread) * (1 + deviation);

  self->deviation_of_calm = calm_ratio / ratio - 1;
  if (self->is_throughput)
    {
      self->after = self->before / ratio;
      self->low = self->before / high;
      self->high = low > 0 ? self->before / low : self->after;
      return;
    }
  self->after = self->before * ratio;
  self->low = self->before * low;
  self->high = self->before * high;
}

static void
count_waits (const TbWaitPredictor *self, const TbWaitCase *what, TbWaitPrediction *prediction)
{
  const GArray *waits = self->recording->program->waits;

  for (guint32 i = 0; i < waits->len; i++)
    if (what->is_changed[i])
      {
        prediction->n_waits++;
        prediction->waits_ns += g_array_index (waits, TbReplayWait, i).length;
      }
}

/* Whether there is anything to predict. */
static gboolean
play (TbWaitPredictor *self, const TbWaitCase *what, TbWaitPrediction *prediction)
{
  g_autofree guint8 *is_meant = g_new0 (guint8, self->recording->threads->len + 1);
  TbReplayChange change = { .n_cpus = what->n_cpus,
                            .factor = what->factor,
                            .stream = what->stream,
                            .n_streams = what->n_streams,
                            .speed = what->speed,
                            .run = what->run,
                            .share = what->share,
                            .size = what->size };
  g_autoptr (TbReplayTimes) times = tb_replay_run (self->recording->program, &change, NULL, NULL);
  g_autoptr (TbReplayTimes) calm_times = NULL;
  TbWaitParts base, parts, calm_base, calm;
  double recorded, length, calm_length;

  change.no_delays = TRUE;
  calm_times = tb_replay_run (self->recording->program, &change, NULL, NULL);
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    is_meant[i] = tb_wait_predictor_is_target (self, i);
  tb_wait_parts_init (&base, self, self->as_recorded, is_meant);
  tb_wait_parts_init (&parts, self, times, is_meant);
  tb_wait_parts_init (&calm_base, self, self->calm, is_meant);
  tb_wait_parts_init (&calm, self, calm_times, is_meant);
  recorded = tb_wait_parts_get_recorded (self, is_meant);
  length = tb_wait_parts_measure (&base, self, self->as_recorded, is_meant);
  calm_length = tb_wait_parts_measure (&calm_base, self, self->calm, is_meant);
  if (recorded <= 0 || length <= 0 || calm_length <= 0)
    return FALSE;
  prediction->is_throughput = self->is_throughput;
  prediction->before = self->is_throughput ? (double) self->result->work->count * 1e9 / recorded : recorded;
  prediction->deviation = length / recorded - 1;
  prediction->n_stuck = times->n_stuck - MIN (times->n_stuck, self->as_recorded->n_stuck);
  count_waits (self, what, prediction);
  set_interval (prediction, tb_wait_parts_measure (&parts, self, times, is_meant) / length,
                tb_wait_parts_measure (&calm, self, calm_times, is_meant) / calm_length,
                QUANTILE
                    * sqrt (tb_wait_parts_draw_variance (&parts, &base)
                            + tb_wait_parts_draw_variance (&base, NULL)
                            + tb_wait_parts_draw_variance (&parts, NULL)));
  return TRUE;
}

static gboolean
make_recording (TbWaitPredictor *self, const GArray *moments, GCancellable *cancellable, GError **error)
{
  g_clear_pointer (&self->recording, tb_replay_recording_free);
  self->recording = tb_replay_recording_new (self->result->trace, self->result->from, self->result->to,
                                             self->inside, moments, cancellable, error);
  return self->recording != NULL;
}

/* First with everybody, which tells whose waits change, who matters for them, and which moments of theirs there are; then with
 * those who matter. */
static gboolean
predict (const TbWaitResult *result,
         const char *text,
         TbSelection *target,
         TbWaitWhatIf *told,
         GCancellable *cancellable,
         GError **error)
{
  static const TbReplayChange calm = { .no_delays = TRUE };
  g_auto (TbWaitPredictor) self = { NULL };
  g_auto (TbWaitCase) first = { 0 };
  g_auto (TbWaitCase) what = { 0 };
  TbWaitPrediction prediction = { 0 };

  tb_wait_predictor_init (&self, result, target);
  if (!make_recording (&self, NULL, cancellable, error)
      || !tb_wait_case_init (&first, result, self.recording, text, error))
    return FALSE;
  tb_wait_predictor_find_processes (&self, &first);
  tb_wait_predictor_find_inside (&self);
  tb_wait_predictor_find_moments (&self);
  if (!make_recording (&self, self.moments, cancellable, error)
      || !tb_wait_case_init (&what, result, self.recording, text, error))
    return FALSE;
  self.as_recorded = tb_replay_run (self.recording->program, NULL, cancellable, error);
  self.calm = tb_replay_run (self.recording->program, &calm, cancellable, error);
  if (!play (&self, &what, &prediction))
    {
      g_set_error (
          error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
          _ ("what-if: \"%s\": nobody concerned ran in this recording, so that nothing can be predicted"),
          text);
      return FALSE;
    }
  prediction.change = g_strdup (text);
  prediction.n_signalled = self.recording->n_signalled;
  prediction.n_outside = self.recording->n_outside;
  prediction.n_unplaced = self.recording->n_unplaced;
  prediction.n_threads = self.recording->threads->len;
  g_array_append_val (told->predictions, prediction);
  return TRUE;
}

TbWaitWhatIf *
tb_wait_what_if_new (const TbWaitResult *result,
                     const char *const *texts,
                     TbSelection *target,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbWaitWhatIf) self = g_new0 (TbWaitWhatIf, 1);

  self->predictions = g_array_new (FALSE, TRUE, sizeof (TbWaitPrediction));
  g_array_set_clear_func (self->predictions, prediction_clear);
  for (guint i = 0; texts[i] != NULL; i++)
    if (!predict (result, texts[i], target, self, cancellable, error))
      return NULL;
  return g_steal_pointer (&self);
}
