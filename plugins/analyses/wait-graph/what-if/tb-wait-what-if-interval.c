/* tb-wait-what-if-interval.c: how far what will be measured may be from what is predicted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval is for the gain as it would be measured: the median of as many runs after the change as there are recordings, by
 * that of as many before, none of them recorded. With 90 % it lies within, as far as what varies from run to run goes and the
 * replay is right.
 *
 * - Several recordings of the same load: each predicts a gain. The error of their mean is that of the mean of a sample. Of five
 *   and more the least and the most fifth are cut off, so that a run that something else disturbed does not decide, with Yuen's
 *   error of the mean that is left (Biometrika 61, 1974).
 * - What is measured varies, too: runs do so alike before and after the change, with and without a recorder. How far is the mean
 *   of how far those recorded do, those that were measured without a recorder, where that is told, and those predicted. Medians
 *   vary up to π/2 times as much as means.
 * - Both together have Student's quantile for as many degrees of freedom as they have by Welch and Satterthwaite; those predicted
 *   depend on those recorded and add none.
 * - One recording: the run is cut into TB_WAIT_N_PARTS parts with equal work, and how far its length would be another if other
 *   parts had come together is found by drawing parts with replacement (bootstrap), for the ratio and for what is measured
 *   before and after. What differs from run to run as a whole is not in it, unless runs without a recorder are told.
 * - What is not known counts as equally likely within its limits: what it takes to wake a thread, between as recorded and no
 *   time at all, and, where cpus are not known, from a wait that became shorter, between as recorded and as much less; what
 *   recording costs, between as the agent measured it and what makes the replay as fast as the load was without a recorder,
 *   and whom what that leaves unexplained slowed down, the one more than the other by as much at most, but for what medians
 *   of as many runs differ by chance; what a thread saves that need not wait, between nothing and twice what a switch was
 *   measured to cost in a loop; what it takes of who wakes a thread on another cpu, between nothing and what the agent
 *   measured; to take in at once what came in parts, between half of all but the first part and all of it; of what is prepared
 *   ahead, between room for the next only and room for all; and what others take of the cpus once less of these is free, between
 *   nothing and what they had, as far as they got cpus where both wanted one.
 * - As far as replays without a change are off their recordings in the mean, the replay does not know of something, and with the
 *   change it may be off by something else. How far is known of one load only, the one recorded: it is one draw of the replay's
 *   error, as likely exceeded as any, so that it counts as a standard deviation, not as a limit.
 * - A replay that repeats its recording exactly is still not what a changed program does. So far off, in the root of the mean
 *   square, were those predictions in tests/cases/wait-graph/studied.py and small.py whose interval was within 15 %: 33 in three
 *   runs on one day, 5.7, 9.7 and 6.0 %.
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-predictor.h"

/* Student's, 95 % on each side, by degrees of freedom (1 …). */
static const double quantiles[] = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
                                    1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725 };

#define NORMAL_QUANTILE 1.645

#define MODEL_ERROR 0.074

/* Of degrees of freedom, which are cut off. */
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

/* How much more the median of n varies than their mean, at most. */
static double
get_median_factor (guint n)
{
  return n > 2 ? G_PI / 2 : 1;
}

/* How many of n are left out on either side. */
static guint
get_cut (guint n)
{
  return n / 5;
}

/* The mean of those in the middle; and the variance with the others brought in to the last of them. Sorts the values. */
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

/* How much one run varies, as far as the mean of as many does; and the degrees of freedom of that. Sorts the values. */
static double
get_variance (double *values, guint n, double *freedom)
{
  guint cut = get_cut (n);
  double variance, left = 1 - 2.0 * cut / n;

  get_mean (values, n, &variance);
  *freedom = n - 2 * cut - 1;
  return variance / (left * left);
}

/* Of the values that two variances have, each divided by that. */
static double
get_joint_quantile (double one, double freedom_one, double other, double freedom_other)
{
  double squares = (one > 0 ? one * one / freedom_one : 0) + (other > 0 ? other * other / freedom_other : 0);

  return get_quantile (squares > 0 ? (guint) ((one + other) * (one + other) / squares + ROUNDING) : 1);
}

/* How much one run varies of those that are measured. sum: of the variances of n samples, with so many degrees of freedom. */
static double
add_unrecorded (const GArray *unrecorded, double sum, guint n, double *freedom)
{
  g_autofree double *values = NULL;
  double more;

  if (unrecorded == NULL || unrecorded->len < 2)
    return sum / n;
  values = g_new (double, unrecorded->len);
  for (guint i = 0; i < unrecorded->len; i++)
    values[i] = log (g_array_index (unrecorded, double, i));
  sum += get_variance (values, unrecorded->len, &more);
  *freedom += more;
  return sum / (n + 1);
}

/* Parts of one recording. */
static double
get_chance_of_parts (const TbWaitEstimate *of, const GArray *unrecorded, double *run)
{
  double freedom = TB_WAIT_N_PARTS - 1;

  *run = add_unrecorded (unrecorded, of->variance_before + of->variance_after, 2, &freedom);
  return get_joint_quantile (of->variance, TB_WAIT_N_PARTS - 1, 2 * *run, freedom)
         * sqrt (of->variance + 2 * *run);
}

/* run: how much one varies. */
static double
get_chance (const GArray *estimates, const GArray *unrecorded, double *before, double *ratio, double *run)
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
    return get_chance_of_parts (of, unrecorded, run);
  sum = get_variance (values + 2 * n, n, &freedom_of_runs) + get_variance (values, n, &freedom_of_runs);
  *run = add_unrecorded (unrecorded, sum, 2, &freedom_of_runs);
  measured = 2 * get_median_factor (n) * *run;
  variance = get_variance (values + n, n, &freedom);
  return get_joint_quantile (variance, freedom, measured, freedom_of_runs) * sqrt ((variance + measured) / n);
}

/* What is not known, in the mean of the recordings. */
static void
find_spread (TbWaitSpread *self, const GArray *estimates)
{
  guint n = estimates->len;

  *self = (TbWaitSpread) { .model = MODEL_ERROR };
  for (guint i = 0; i < n; i++)
    {
      const TbWaitEstimate *of = &g_array_index (estimates, TbWaitEstimate, i);

      self->waking += of->calm / n;
      self->depth += of->shallow / n;
      self->sparing += of->saved / n;
      self->costs += of->costs / n;
      self->taking += of->at_once / n;
      self->ahead += of->ahead / n;
      self->others += of->others / n;
      self->recording += of->recorder / n;
      self->unexplained += of->rest / n;
      self->replay += of->replay / n;
    }
}

/* What is slower while it is recorded, but for what chance makes of medians of runs with and without a recorder. */
static double
take_off_chance (double unexplained, double run, guint n_recorded, guint n_unrecorded)
{
  double by_chance;

  if (n_unrecorded == 0)
    return unexplained;
  by_chance
      = run * (get_median_factor (n_recorded) / n_recorded + get_median_factor (n_unrecorded) / n_unrecorded);
  return sqrt (MAX (unexplained * unexplained - by_chance, 0));
}

/* Of what is equally likely within limits, the variance is a third of their square. */
static double
get_sum (const TbWaitSpread *self)
{
  const double limits[] = { self->waking, self->depth,  self->sparing,   self->costs,      self->taking,
                            self->ahead,  self->others, self->recording, self->unexplained };
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
  self->spread.chance = get_chance (self->estimates, self->unrecorded, &before, &ratio, &run);
  self->spread.unexplained = take_off_chance (self->spread.unexplained, run, self->estimates->len,
                                              self->unrecorded != NULL ? self->unrecorded->len : 0);
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
