/* tb-wait-what-if-interval.c: how far what will be measured may be from what is predicted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval is for the gain as it would be measured, by as many runs before and after the change as were recorded: with
 * 90 % it lies within, as far as what varies from run to run goes and the replay is right.
 *
 * - Several recordings of the same load: each predicts a gain. The error of their mean is that of the mean of a sample; the
 *   mean of as many runs before and after varies as the recorded times and the predicted ones do. Student's quantile for one
 *   less than there are recordings. Of five and more the least and the most fifth are cut off, so that a run that something
 *   else disturbed does not decide, with Yuen's error of the mean that is left (Biometrika 61, 1974).
 * - One recording: the run is cut into TB_WAIT_N_PARTS parts with equal work, and how far its length would be another if other
 *   parts had come together is found by drawing parts with replacement (bootstrap), for the ratio and for what is measured
 *   before and after. What differs from run to run as a whole is not in it.
 * - What is not known counts as equally likely within its limits: what it takes to wake a thread, between as recorded and no
 *   time at all; what recording costs, between as the agent measured it and what makes the replay as
 *   fast as the load was without a recorder, and whom what that leaves unexplained slowed down, the one more than the other by as
 *   much at most; what a thread saves that need not wait, between nothing and twice what a switch was measured to cost; and what
 *   others take of the cpus once less of these is free, between nothing and what they had, as far as they got cpus where both
 *   wanted one.
 * - As far as replays without a change are off their recordings in the mean, the replay does not know of something, and that can
 *   be another with the change: likewise.
 */

#include "config.h"

#include <math.h>

#include "what-if/tb-wait-what-if-predictor.h"

/* Student's, 95 % on each side, by degrees of freedom (1 …). */
static const double quantiles[] = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
                                    1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725 };

#define NORMAL_QUANTILE 1.645

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

static double
get_chance (const GArray *estimates, double *before, double *ratio)
{
  const TbWaitEstimate *of = (const TbWaitEstimate *) (gpointer) estimates->data;
  guint n = estimates->len, cut = get_cut (n);
  g_autofree double *values = g_new (double, 3 * n);
  double variance, sum = 0;

  for (guint i = 0; i < n; i++)
    {
      values[i] = of[i].before;
      values[n + i] = of[i].ratio;
      values[2 * n + i] = of[i].before + of[i].ratio;
    }
  *before = get_mean (values, n, &variance);
  sum += variance;
  *ratio = get_mean (values + n, n, &variance);
  sum += variance;
  get_mean (values + 2 * n, n, &variance);
  sum += variance;
  if (n == 1)
    return get_quantile (TB_WAIT_N_PARTS - 1)
           * sqrt (of->variance + of->variance_before + of->variance_after);
  return get_quantile (n - 2 * cut - 1) * sqrt (sum / n) / (1 - 2.0 * cut / n);
}

/* What is not known, in the mean of the recordings. */
static void
find_spread (TbWaitSpread *self, const GArray *estimates)
{
  guint n = estimates->len;

  *self = (TbWaitSpread) { 0 };
  for (guint i = 0; i < n; i++)
    {
      const TbWaitEstimate *of = &g_array_index (estimates, TbWaitEstimate, i);

      self->waking += of->calm / n;
      self->sparing += of->saved / n;
      self->others += of->others / n;
      self->recording += of->recorder / n;
      self->unexplained += of->rest / n;
      self->replay += of->replay / n;
    }
}

/* Chance and what is not known alike. */
static double
get_sum (const TbWaitSpread *self)
{
  const double unknown[]
      = { self->waking, self->sparing, self->others, self->recording, self->unexplained, self->replay };
  double squares = 0;

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    squares += unknown[i] * unknown[i];
  return sqrt (self->chance * self->chance + NORMAL_QUANTILE * NORMAL_QUANTILE * squares / 3);
}

void
tb_wait_prediction_set_interval (TbWaitPrediction *self)
{
  double before, ratio, spread;
  double low, high;

  find_spread (&self->spread, self->estimates);
  self->spread.chance = get_chance (self->estimates, &before, &ratio);
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
