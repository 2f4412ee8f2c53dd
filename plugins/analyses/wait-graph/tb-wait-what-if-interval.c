/* tb-wait-what-if-interval.c: how far what will be measured may be from what is predicted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval is for the gain as it would be measured, by as many runs before and after the change as were recorded: with
 * 90 % it lies within, as far as what varies from run to run goes and the replay is right.
 *
 * - Several recordings of the same load: each predicts a gain. The error of their mean is that of the mean of a sample; the
 *   mean of as many runs before and after varies as the recorded times and the predicted ones do. Student's quantile for one
 *   less than there are recordings.
 * - One recording: the run is cut into TB_WAIT_N_PARTS parts with equal work, and how far its length would be another if other
 *   parts had come together is found by drawing parts with replacement (bootstrap), for the ratio and for what is measured
 *   before and after. What differs from run to run as a whole is not in it.
 * - What it takes to wake a thread may grow less with the change, or it may shrink: nobody knows, so that anything between
 *   that and no time at all counts as equally likely.
 * - The largest deviation of a replay without a change from its recording is added on both sides.
 */

#include "config.h"

#include <math.h>

#include "tb-wait-what-if-predictor.h"

/* Student's, 95 % on each side, by degrees of freedom (1 …). */
static const double quantiles[] = { 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
                                    1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725 };

#define NORMAL_QUANTILE 1.645

static double
get_quantile (guint freedom)
{
  return quantiles[CLAMP (freedom, 1, G_N_ELEMENTS (quantiles)) - 1];
}

typedef struct
{
  double sum;
  double squares;
} Sample;

static void
add (Sample *self, double value)
{
  self->sum += value;
  self->squares += value * value;
}

/* Of the whole from which n were drawn. */
static double
get_variance (const Sample *self, guint n)
{
  return n > 1 ? MAX (self->squares - self->sum / n * self->sum, 0) / (n - 1) : 0;
}

static double
get_spread (const GArray *estimates, double *before, double *ratio)
{
  Sample befores = { 0 }, afters = { 0 }, ratios = { 0 }, calms = { 0 };
  const TbWaitEstimate *only = &g_array_index (estimates, TbWaitEstimate, 0);
  guint n = estimates->len;
  double chance, calm;

  for (guint i = 0; i < n; i++)
    {
      const TbWaitEstimate *of = &g_array_index (estimates, TbWaitEstimate, i);

      add (&befores, of->before);
      add (&ratios, of->ratio);
      add (&afters, of->before + of->ratio);
      add (&calms, of->calm);
    }
  *before = befores.sum / n;
  *ratio = ratios.sum / n;
  calm = NORMAL_QUANTILE * calms.sum / n / sqrt (3);
  chance
      = n == 1
            ? get_quantile (TB_WAIT_N_PARTS - 1)
                  * sqrt (only->variance + only->variance_before + only->variance_after)
            : get_quantile (n - 1)
                  * sqrt ((get_variance (&ratios, n) + get_variance (&befores, n) + get_variance (&afters, n))
                          / n);
  return hypot (chance, calm);
}

void
tb_wait_prediction_set_interval (TbWaitPrediction *self)
{
  double before, ratio, spread = get_spread (self->estimates, &before, &ratio);
  double deviation = fabs (self->deviation);
  double low = exp (before + ratio - spread) * (1 - MIN (deviation, 0.99));
  double high = exp (before + ratio + spread) * (1 + deviation);

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
