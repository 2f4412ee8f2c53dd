/* tb-spread.c: difference of a number between the two sides of a comparison: difference of the
 * means, its confidence interval by Student's t-test, and whether it is within the noise
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "extend/compare/tb-comparison.h"

/* 97.5th percentile of Student's distribution, for 1 and more degrees of freedom. */
static const double student_quantiles[]
    = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
        2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
        2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 };

/* For more degrees of freedom than the table has: expansion around the normal distribution,
 * accurate to three digits from 30 on. */
static double
get_student_quantile (guint degrees)
{
  return degrees <= G_N_ELEMENTS (student_quantiles) ? student_quantiles[degrees - 1]
                                                     : 1.95996 + 2.37227 / degrees;
}

typedef struct
{
  double mean;
  double squares; /* sum of squared distances from the mean */
  double extent;
} Side;

static Side
summarize (const double *values, guint n)
{
  Side side = { 0 };
  double least = INFINITY, most = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      side.mean += values[i] / n;
      least = fmin (least, values[i]);
      most = fmax (most, values[i]);
    }
  for (guint i = 0; i < n; i++)
    side.squares += (values[i] - side.mean) * (values[i] - side.mean);
  side.extent = n > 1 ? most - least : 0;
  return side;
}

/**
 * tb_spread_measure:
 * @base: (array length=n_base): the number in each base recording
 * @n_base: number of base recordings, at least 1
 * @other: (array length=n_other): the number in each other recording
 * @n_other: number of other recordings, at least 1
 * @spread: (out caller-allocates): the difference and its confidence interval
 *
 * Separates a change between the sides from the variation within them, by Student's t-test for two
 * samples of equal variance. A side with one recording takes the variance of the other side. A
 * difference that also occurs between two recordings of one side is not significant. With one
 * recording on each side the noise is unknown: the interval is unknown, and only equal numbers are
 * within noise.
 */
void
tb_spread_measure (const double *base,
                   guint n_base,
                   const double *other,
                   guint n_other,
                   TbSpread *spread)
{
  Side sides[] = { summarize (base, n_base), summarize (other, n_other) };
  guint degrees = n_base + n_other - 2;
  double error;

  g_return_if_fail (n_base > 0 && n_other > 0);

  *spread = (TbSpread) { .mean = { sides[0].mean, sides[1].mean },
                         .delta = sides[1].mean - sides[0].mean };
  spread->low = spread->high = NAN;
  spread->within_noise = spread->delta == 0;
  if (degrees == 0)
    return;
  error = get_student_quantile (degrees) * sqrt ((sides[0].squares + sides[1].squares) / degrees)
          * sqrt (1.0 / n_base + 1.0 / n_other);
  spread->low = spread->delta - error;
  spread->high = spread->delta + error;
  spread->within_noise |= (spread->low <= 0 && spread->high >= 0)
                          || fabs (spread->delta) <= fmax (sides[0].extent, sides[1].extent);
}
