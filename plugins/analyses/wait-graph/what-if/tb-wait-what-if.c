/* tb-wait-what-if.c: prediction of throughput or wall time for each change of a what-if text, from
 * one or several recordings: replays with and without the change, repeated for other costs of
 * recording and other assumptions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prediction is the recorded value times the ratio of two replays, with and without the change.
 * What the replay does not reproduce therefore cancels as far as it affects both. The measured cost
 * of recording is removed from both.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "trace/tb-trace-evidence.h"
#include "trace/tb-track.h"
#include "what-if/tb-wait-what-if-assumptions.h"
#include "what-if/tb-wait-what-if-periodic-threads.h"
#include "what-if/tb-wait-what-if-external-load.h"
#include "what-if/tb-wait-what-if-parts.h"
#include "what-if/tb-wait-what-if-calibration.h"
#include "what-if/tb-wait-what-if.h"

/* The cost of records with cold caches is at most so many times the measured one. It is 0 at least,
 * where the delayed threads would have waited anyway. */
#define COST_TIMES 4

static void
prediction_clear (gpointer data)
{
  TbWaitPrediction *self = data;

  g_free (self->change);
  g_clear_pointer (&self->estimates, g_array_unref);
  g_clear_pointer (&self->baseline_speedups, g_array_unref);
}

void
tb_wait_what_if_free (TbWaitWhatIf *self)
{
  g_array_unref (self->predictions);
  g_free (self);
}

static void
count_waits (const TbWaitPredictor *self, const TbWaitChanges *what, TbWaitPrediction *prediction)
{
  const GArray *waits = self->recording->program->waits;

  for (guint32 i = 0; i < waits->len; i++)
    if (what->is_changed[i])
      {
        prediction->n_waits++;
        prediction->waits_ns += g_array_index (waits, TbReplayWait, i).length;
      }
}

static gboolean
set_nothing_ran_error (const char *change, GError **error)
{
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("what-if: cannot predict “%s”: no thread of interest ran in this recording"),
               change);
  return FALSE;
}

/* Replays with and without the change, then under other assumptions. */
static gboolean
estimate (const TbWaitPredictor *self,
          const char *text,
          const TbWaitChanges *what,
          TbWaitEstimate *out,
          GCancellable *cancellable,
          GError **error)
{
  TbReplayChange plain = { .run = what->base_run,
                           .shorter = what->shorter,
                           .saved = self->recording->switch_ns,
                           .waking_share = TB_WAIT_WAKING_SHARE };
  TbReplayChange change = { .n_cpus = what->n_cpus,
                            .factor = what->factor,
                            .stream = what->stream,
                            .n_streams = what->n_streams,
                            .takes = what->takes,
                            .at_once = TB_WAIT_BATCH_READ_SAVING,
                            .speed = what->speed,
                            .saved = self->recording->switch_ns,
                            .waking_share = TB_WAIT_WAKING_SHARE,
                            .shorter = what->shorter,
                            .run = what->run,
                            .share = what->share,
                            .size = what->size,
                            .divides = what->divides };
  TbWaitParts base, parts;
  double length, changed;

  if (!tb_wait_parts_measure_replay (self, &plain, &base, &length, cancellable, error)
      || !tb_wait_parts_measure_replay (self, &change, &parts, &changed, cancellable, error))
    return FALSE;
  if (length <= 0 || changed <= 0)
    return set_nothing_ran_error (text, error);
  *out = (TbWaitEstimate) { .ratio = log (changed / length),
                            .variance = tb_wait_parts_draw_variance (&parts, &base),
                            .variance_before = tb_wait_parts_draw_variance (&base, NULL),
                            .variance_after = tb_wait_parts_draw_variance (&parts, NULL),
                            .external_load
                            = tb_wait_external_load_measure (self, what, length, changed),
                            .n_stuck = parts.n_stuck - MIN (parts.n_stuck, base.n_stuck) };
  return tb_wait_assumptions_vary (self, what, &plain, &change, out, cancellable, error);
}

/* Estimates with the cost of recording that makes the replay as fast as the load was without a
 * recorder. */
static gboolean
estimate_with_cost (TbWaitPredictor *self,
                    const char *text,
                    const TbWaitRecordingCost *cost,
                    TbWaitEstimate *out,
                    GCancellable *cancellable,
                    GError **error)
{
  g_auto (TbWaitChanges) what = { 0 };
  double measured = self->recording->recording_ns;
  gboolean is_good;

  self->recording->recording_ns = cost->cost;
  is_good = tb_wait_changes_init (&what, self->result, self->recording, text, error)
            && estimate (self, text, &what, out, cancellable, error);
  self->recording->recording_ns = measured;
  return is_good;
}

/* Where the same load was measured without a recorder, the estimate is the middle of two: with the
 * measured cost of records, and with the cost that explains the slowdown as far as possible. Where
 * the latter is less, it is used alone. */
static gboolean
estimate_with_baseline (TbWaitPredictor *self,
                        const char *text,
                        double times,
                        TbWaitEstimate *out,
                        GCancellable *cancellable,
                        GError **error)
{
  TbWaitRecordingCost even = { .cost = self->recording->recording_ns }, found;
  TbWaitEstimate other;

  if (!tb_wait_recording_cost_calibrate (self, times, COST_TIMES, &found, cancellable, error)
      || !estimate_with_cost (self, text, &found, out, cancellable, error))
    return FALSE;
  out->cost = found.cost;
  out->rest = found.rest;
  if (found.cost <= even.cost)
    return TRUE;
  if (!estimate_with_cost (self, text, &even, &other, cancellable, error))
    return FALSE;
  out->recorder = (other.ratio - out->ratio) / 2;
  out->ratio += out->recorder;
  return TRUE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* Returns 0 where there are none. */
static double
get_median (const GArray *values)
{
  guint n = values != NULL ? values->len : 0;
  g_autofree double *sorted = g_new (double, n + 1);

  if (n == 0)
    return 0;
  memcpy (sorted, values->data, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare_doubles);
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static gboolean
run_replays (TbWaitPredictor *self,
             const TbWaitChanges *what,
             TbWaitPrediction *prediction,
             GCancellable *cancellable,
             GError **error)
{
  g_autofree guint8 *is_measured = tb_wait_predictor_find_measured (self);
  double n_units = 1, times = get_median (prediction->baseline_speedups), recorded, plain;
  TbWaitEstimate out;

  self->as_recorded = tb_replay_run (self->recording->program, NULL, cancellable, error);
  if (self->as_recorded == NULL)
    return FALSE;
  recorded = tb_wait_parts_get_recorded (self, is_measured);
  plain = tb_wait_parts_measure (self, self->as_recorded, is_measured);
  if (recorded <= 0 || plain <= 0)
    return set_nothing_ran_error (prediction->change, error);
  if (!(times > 0
            ? estimate_with_baseline (self, prediction->change, times, &out, cancellable, error)
            : estimate (self, prediction->change, what, &out, cancellable, error)))
    return FALSE;
  prediction->is_throughput = self->is_throughput;
  if (self->is_throughput)
    n_units = (double) tb_wait_parts_count_units (self);
  out.before = log (recorded / n_units);
  prediction->n_stuck = out.n_stuck;
  out.replay = log (plain / recorded);
  g_array_append_val (prediction->estimates, out);
  count_waits (self, what, prediction);
  tb_wait_prediction_set_interval (prediction);
  return TRUE;
}

static gboolean
make_recording (TbWaitPredictor *self,
                const GArray *moments,
                GCancellable *cancellable,
                GError **error)
{
  g_clear_pointer (&self->recording, tb_replay_recording_free);
  self->recording
      = tb_replay_recording_new (self->result->trace, self->result->from, self->result->to,
                                 self->is_replayed, moments, cancellable, error);
  return self->recording != NULL;
}

/* First builds a program of all threads. It shows the processes with waits that change, the threads
 * that matter for them, and their moments. Then builds a program of only the threads that
 * matter. */
static gboolean
predict (const TbWaitResult *result,
         const char *text,
         TbSelection *target,
         TbWaitPrediction *prediction,
         GCancellable *cancellable,
         GError **error)
{
  g_auto (TbWaitPredictor) self = { NULL };
  g_auto (TbWaitChanges) first = { 0 };
  g_auto (TbWaitChanges) what = { 0 };

  prediction->change = g_strdup (text);
  prediction->estimates = g_array_new (FALSE, FALSE, sizeof (TbWaitEstimate));
  tb_wait_predictor_init (&self, result, target);
  if (!make_recording (&self, NULL, cancellable, error)
      || !tb_wait_changes_init (&first, result, self.recording, text, error))
    return FALSE;
  tb_wait_predictor_find_processes (&self, &first);
  prediction->n_periodic
      = tb_wait_predictor_set_periodic_threads (&self,
                                                tb_wait_find_periodic_threads (&self, &first));
  tb_wait_predictor_find_replayed (&self);
  tb_wait_predictor_find_moments (&self);
  if (!make_recording (&self, self.moments, cancellable, error)
      || !tb_wait_changes_init (&what, result, self.recording, text, error))
    return FALSE;
  tb_wait_loosen_rare_waits (self.recording, result->trace, self.periodic);
  if (!run_replays (&self, &what, prediction, cancellable, error))
    return FALSE;
  prediction->n_signalled = self.recording->n_signalled;
  prediction->n_outside = self.recording->n_outside;
  prediction->n_unplaced = self.recording->n_unplaced;
  prediction->n_threads = self.recording->threads->len;
  return TRUE;
}

/* Whether the recording has what a replay needs: which threads had the CPUs, and what ended the
 * waits. Where wake-ups are missing, warnings of the prediction count the waits without a cause. */
static gboolean
can_replay (const TbWaitResult *result, const char *change, GError **error)
{
  const TbEvidence *evidence = tb_trace_get_evidence (result->trace);

  /* Without switches and samples nothing ran. */
  if (evidence->switches == TB_SWITCHES_SYSTEM
      || (evidence->switches == TB_SWITCHES_NONE && evidence->samples == TB_SAMPLES_NONE))
    return TRUE;
  g_set_error (
      error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
      _ ("what-if: cannot predict “%s”: which threads had the CPUs, and what ended waits, was "
         "not recorded, so the recording cannot be replayed. Record all thread "
         "switches and wake-ups: tailback-cli record, or %s"),
      change, "perf record -a -g -e sched:sched_switch -e sched:sched_waking -e cpu-clock");
  return FALSE;
}

TbWaitWhatIf *
tb_wait_what_if_new (const TbWaitResult *result,
                     const char *const *texts,
                     TbSelection *target,
                     GArray *baseline_speedups,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbWaitWhatIf) self = NULL;

  if (texts[0] != NULL && !can_replay (result, texts[0], error))
    return NULL;
  self = g_new0 (TbWaitWhatIf, 1);
  self->predictions = g_array_new (FALSE, TRUE, sizeof (TbWaitPrediction));
  g_array_set_clear_func (self->predictions, prediction_clear);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      TbWaitPrediction none = { 0 };

      g_array_append_val (self->predictions, none);
      g_array_index (self->predictions, TbWaitPrediction, i).baseline_speedups
          = baseline_speedups != NULL ? g_array_ref (baseline_speedups) : NULL;
      if (!predict (result, texts[i], target,
                    &g_array_index (self->predictions, TbWaitPrediction, i), cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

static gboolean
set_mixed_units_error (const char *change, GError **error)
{
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("what-if: cannot predict “%s”: only some of the recordings have units of work; "
                  "with work=none, their wall times can be predicted together"),
               change);
  return FALSE;
}

gboolean
tb_wait_what_if_add (TbWaitWhatIf *self, const TbWaitWhatIf *other, GError **error)
{
  g_return_val_if_fail (self->predictions->len == other->predictions->len, FALSE);
  for (guint i = 0; i < self->predictions->len; i++)
    {
      TbWaitPrediction *to = &g_array_index (self->predictions, TbWaitPrediction, i);
      const TbWaitPrediction *from = &g_array_index (other->predictions, TbWaitPrediction, i);

      if (to->is_throughput != from->is_throughput)
        return set_mixed_units_error (to->change, error);
      g_array_append_vals (to->estimates, from->estimates->data, from->estimates->len);
      tb_wait_prediction_set_interval (to);
    }
  return TRUE;
}
