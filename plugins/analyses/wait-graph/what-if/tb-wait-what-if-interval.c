/* tb-wait-what-if-interval.c: 90 % prediction interval of a predicted gain, computed from the
 * variation between recordings or parts of one, and from how much the prediction depends on unknown
 * quantities
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval is for the gain as it would be measured: the median of as many runs after the change
 * as there are recordings, divided by the median of as many runs before, all without a recorder.
 * The measured gain lies within it in 90 % of the cases, as far as the variation between runs is
 * concerned and the replay is right.
 *
 * - Several recordings of the same load: each predicts a gain. The error of their mean is that of
 *   the mean of a sample. Of five and more, the lowest and the highest fifth are cut off, so that a
 *   disturbed run does not decide. The error of the trimmed mean is Yuen's (Biometrika 61, 1974).
 * - Measured runs vary, too. They vary alike before and after the change, with and without a
 *   recorder. Their variance is the mean of three: that of the recorded runs, that of the runs
 *   measured without a recorder (where given), and that of the predicted runs. Medians vary up to
 *   π/2 times as much as means.
 * - Both together have Student's quantile for their degrees of freedom by Welch and Satterthwaite.
 *   Predicted runs depend on recorded ones and add no degrees of freedom.
 * - One recording: the run is cut into TB_WAIT_N_PARTS parts with equal work. Its variance is found
 *   by drawing parts with replacement (bootstrap), for the ratio and for the values before and
 *   after. Variation between whole runs is not included, unless runs without a recorder are given.
 * - An unknown quantity counts as equally likely within its limits:
 *   - the time to wake a thread: between the recorded time and none; and, where CPUs are not known,
 *     after a wait that became shorter, between the recorded time and a time shorter in proportion;
 *   - the cost of recording: between the cost that the agent measured and the cost that makes the
 *     replay as fast as the load was without a recorder;
 *   - the slowdown that this leaves unexplained: it may affect the one run more than the other by
 *     at most that much, less the chance difference between medians of as many runs;
 *   - what a thread saves that need not wait: between nothing and twice the cost of a switch as
 *     measured in a loop;
 *   - what it costs to wake a thread on another CPU: between nothing and what the agent measured;
 *   - what it saves to read at once what came in parts: between half of all but the first part and
 *     all of it;
 *   - what is prepared ahead: between room for the next item only and room for all;
 *   - the external load once less CPU time is free: between nothing and what it had, as far as it
 *     got CPUs where both sides wanted one.
 * - Where replays without a change deviate from their recordings in the mean, the replay misses an
 *   effect, and with the change it may deviate by another amount. The deviation is known of one
 *   load only, the recorded one. That is one draw of the replay's error, as likely exceeded as any,
 *   so it counts as a standard deviation, not as a limit.
 * - A replay that repeats its recording exactly is still not what a changed program does.
 *   MODEL_ERROR is the root mean square error of those predictions in
 *   tests/cases/wait-graph/studied.py and small.py that had an interval within 15 %: 33 in three
 *   runs on one day, 5.7, 9.7 and 6.0 %.
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-predictor.h"

/* Student's quantiles, 95 % on each side, by degrees of freedom (1 …). */
static const double quantiles[]
    = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
        1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725 };

#define NORMAL_QUANTILE 1.645

#define MODEL_ERROR 0.074

/* Tolerance for degrees of freedom, which are rounded down. */
#define ROUNDING 1e-6

static double
get_quantile (guint freedom)
{
  return quantiles[CLAMP (freedom, 1, G_N_ELEMENTS (quantiles)) - 1];
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* How much more the median of n values varies than their mean, at most. */
static double
get_median_factor (guint n)
{
  return n > 2 ? G_PI / 2 : 1;
}

/* How many of n values are cut off on either side. */
static guint
get_cut (guint n)
{
  return n / 5;
}

/* The trimmed mean of the values, and the variance with the values cut off replaced by the nearest
 * ones left. Sorts the values. */
static double
get_mean (double *values, guint n, double *variance)
{
  guint cut = get_cut (n);
  double sum = 0, all = 0, squares = 0;

  qsort (values, n, sizeof *values, compare_doubles);
  for (guint i = 0; i < n; i++)
    {
      double value = values[CLAMP (i, cut, n - 1 - cut)];

      all += value;
      sum += i >= cut && i < n - cut ? values[i] : 0;
    }
  for (guint i = 0; i < n; i++)
    {
      double off = values[CLAMP (i, cut, n - 1 - cut)] - all / n;

      squares += off * off;
    }
  *variance = n > 1 ? squares / (n - 1) : 0;
  return sum / (n - 2 * cut);
}

/* The variance of one run that corresponds to the error of the trimmed mean, and its degrees of
 * freedom. Sorts the values. */
static double
get_variance (double *values, guint n, double *freedom)
{
  guint cut = get_cut (n);
  double variance, left = 1 - 2.0 * cut / n;

  get_mean (values, n, &variance);
  *freedom = n - 2 * cut - 1;
  return variance / (left * left);
}

/* Student's quantile for the sum of two variances with their degrees of freedom. */
static double
get_joint_quantile (double one, double freedom_one, double other, double freedom_other)
{
  double squares
      = (one > 0 ? one * one / freedom_one : 0) + (other > 0 ? other * other / freedom_other : 0);

  return get_quantile (squares > 0 ? (guint) ((one + other) * (one + other) / squares + ROUNDING)
                                   : 1);
}

/* The variance of one measured run. sum: of the variances of n samples with so many degrees of
 * freedom, to which those of the runs without a recorder are added. */
static double
add_baseline_variance (const GArray *baseline_speedups, double sum, guint n, double *freedom)
{
  g_autofree double *values = NULL;
  double more;

  if (baseline_speedups == NULL || baseline_speedups->len < 2)
    return sum / n;
  values = g_new (double, baseline_speedups->len);
  for (guint i = 0; i < baseline_speedups->len; i++)
    values[i] = log (g_array_index (baseline_speedups, double, i));
  sum += get_variance (values, baseline_speedups->len, &more);
  *freedom += more;
  return sum / (n + 1);
}

/* The chance component of the interval, from the parts of one recording. */
static double
get_chance_of_parts (const TbWaitEstimate *of, const GArray *baseline_speedups, double *run)
{
  double freedom = TB_WAIT_N_PARTS - 1;

  *run = add_baseline_variance (baseline_speedups, of->variance_before + of->variance_after, 2,
                                &freedom);
  return get_joint_quantile (of->variance, TB_WAIT_N_PARTS - 1, 2 * *run, freedom)
         * sqrt (of->variance + 2 * *run);
}

/* The chance component of the interval. run: set to the variance of one run. */
static double
get_chance (const GArray *estimates,
            const GArray *baseline_speedups,
            double *before,
            double *ratio,
            double *run)
{
  const TbWaitEstimate *of = (const TbWaitEstimate *) (gpointer) estimates->data;
  guint n = estimates->len;
  g_autofree double *values = g_new (double, 3 * n);
  double variance, sum, measured, freedom, freedom_of_runs;

  for (guint i = 0; i < n; i++)
    {
      values[i] = of[i].before;
      values[n + i] = of[i].ratio;
      values[2 * n + i] = of[i].before + of[i].ratio;
    }
  *before = get_mean (values, n, &variance);
  *ratio = get_mean (values + n, n, &variance);
  if (n == 1)
    return get_chance_of_parts (of, baseline_speedups, run);
  sum = get_variance (values + 2 * n, n, &freedom_of_runs)
        + get_variance (values, n, &freedom_of_runs);
  *run = add_baseline_variance (baseline_speedups, sum, 2, &freedom_of_runs);
  measured = 2 * get_median_factor (n) * *run;
  variance = get_variance (values + n, n, &freedom);
  return get_joint_quantile (variance, freedom, measured, freedom_of_runs)
         * sqrt ((variance + measured) / n);
}

/* The components that are not due to chance, as the mean over the recordings. */
static void
find_spread (TbWaitSpread *self, const GArray *estimates)
{
  guint n = estimates->len;

  *self = (TbWaitSpread) { .model = MODEL_ERROR };
  for (guint i = 0; i < n; i++)
    {
      const TbWaitEstimate *of = &g_array_index (estimates, TbWaitEstimate, i);

      self->waking += of->no_wakeup_delay / n;
      self->depth += of->short_wakeup_delay / n;
      self->sparing += of->saved / n;
      self->costs += of->costs / n;
      self->taking += of->at_once / n;
      self->ahead += of->ahead / n;
      self->external_load += of->external_load / n;
      self->recording += of->recorder / n;
      self->unexplained += of->rest / n;
      self->replay += of->replay / n;
    }
}

/* The unexplained slowdown by recording, less what chance explains of the difference between
 * medians of runs with and without a recorder. */
static double
subtract_chance (double unexplained, double run, guint n_recorded, guint n_unrecorded)
{
  double by_chance;

  if (n_unrecorded == 0)
    return unexplained;
  by_chance = run
              * (get_median_factor (n_recorded) / n_recorded
                 + get_median_factor (n_unrecorded) / n_unrecorded);
  return sqrt (MAX (unexplained * unexplained - by_chance, 0));
}

/* Where all values within a limit are equally likely, their variance is a third of its square. */
static double
get_sum (const TbWaitSpread *self)
{
  const double limits[]
      = { self->waking, self->depth,         self->sparing,   self->costs,      self->taking,
          self->ahead,  self->external_load, self->recording, self->unexplained };
  double variance = self->replay * self->replay + self->model * self->model;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    variance += limits[i] * limits[i] / 3;
  return sqrt (self->chance * self->chance + NORMAL_QUANTILE * NORMAL_QUANTILE * variance);
}

void
tb_wait_prediction_set_interval (TbWaitPrediction *self)
{
  double before, ratio, run, spread;
  double low, high;

  find_spread (&self->spread, self->estimates);
  self->spread.chance
      = get_chance (self->estimates, self->baseline_speedups, &before, &ratio, &run);
  self->spread.unexplained
      = subtract_chance (self->spread.unexplained, run, self->estimates->len,
                         self->baseline_speedups != NULL ? self->baseline_speedups->len : 0);
  spread = get_sum (&self->spread);
  self->deviation = exp (self->spread.replay) - 1;
  low = exp (before + ratio - spread);
  high = exp (before + ratio + spread);
  self->before = exp (before);
  self->after = exp (before + ratio);
  self->low = low;
  self->high = high;
  if (!self->is_throughput)
    return;
  self->before = 1e9 / self->before;
  self->after = 1e9 / self->after;
  self->low = 1e9 / high;
  self->high = 1e9 / low;
}
