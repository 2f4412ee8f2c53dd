/* tb-peaks-period.c: search for a period in the times of calls, its strength, and the confidence
 * that it is not chance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "tb-peaks-period.h"

#define LEAST_BURSTS 6
#define MAX_BURSTS 512
#define LEAST_PERIODS 3.0      /* minimum number of periods in the whole time */
#define STEPS 8                /* steps between two independent frequencies */
#define BURST_GAP_PART 4       /* a gap of at least this fraction of the period ends a burst */
#define MAX_BURST_DISTANCE 4.0 /* maximum mean distance of bursts, in periods */
#define SIGNIFICANT 0.999
#define EQUAL_EVIDENCE 0.7 /* fraction of the greatest evidence that counts as equal to it */
#define MAX_OCTAVES 48

/* Periods from a length to twice that length. The division into bursts depends on the length. */
typedef struct
{
  GArray *bursts; /* double: start of each, in ns from the first */
  double lowest;  /* frequency */
  double step;
  guint n_steps;
  double *strengths;
  /* the greatest of the octave: −log of the probability of a period as strong by chance */
  double evidence;
} Octave;

static GArray *
find_bursts (const gint64 *times, gsize n, gint64 gap)
{
  GArray *bursts = g_array_new (FALSE, FALSE, sizeof (double));

  for (gsize i = 0; i < n; i++)
    {
      double begin = (double) (times[i] - times[0]);

      if (i > 0 && times[i] - times[i - 1] < gap)
        continue;
      if (bursts->len == MAX_BURSTS)
        break;
      g_array_append_val (bursts, begin);
    }
  return bursts;
}

/* By frequency: the length of the mean unit vector. */
static double *
make_periodogram (const GArray *bursts, double lowest, double step, guint n)
{
  double *strengths = g_new (double, n);
  g_autofree double *x = g_new (double, bursts->len);
  g_autofree double *y = g_new (double, bursts->len);
  g_autofree double *dx = g_new (double, bursts->len);
  g_autofree double *dy = g_new (double, bursts->len);

  for (guint i = 0; i < bursts->len; i++)
    {
      double time = g_array_index (bursts, double, i);

      x[i] = cos (2 * G_PI * lowest * time);
      y[i] = sin (2 * G_PI * lowest * time);
      dx[i] = cos (2 * G_PI * step * time);
      dy[i] = sin (2 * G_PI * step * time);
    }
  for (guint k = 0; k < n; k++)
    {
      double all_x = 0, all_y = 0;

      for (guint i = 0; i < bursts->len; i++)
        {
          double turned = x[i] * dx[i] - y[i] * dy[i];

          all_x += x[i];
          all_y += y[i];
          y[i] = x[i] * dy[i] + y[i] * dx[i];
          x[i] = turned;
        }
      strengths[k] = hypot (all_x, all_y) / bursts->len;
    }
  return strengths;
}

/* FALSE: there are too few bursts. */
static gboolean
octave_init (Octave *self, const gint64 *times, gsize n, double shortest)
{
  double span;

  self->bursts = find_bursts (times, n, (gint64) (shortest / BURST_GAP_PART));
  self->strengths = NULL;
  self->evidence = 0;
  self->n_steps = 0;
  if (self->bursts->len < LEAST_BURSTS)
    return FALSE;
  span = g_array_index (self->bursts, double, self->bursts->len - 1);
  if (span > MAX_BURST_DISTANCE * shortest * self->bursts->len || span < LEAST_PERIODS * shortest)
    return FALSE;
  self->lowest = MAX (1 / (2 * shortest), LEAST_PERIODS / span);
  self->step = 1 / (STEPS * span);
  self->n_steps = (guint) ((1 / shortest - self->lowest) / self->step) + 1;
  self->strengths = make_periodogram (self->bursts, self->lowest, self->step, self->n_steps);
  for (guint k = 0; k < self->n_steps; k++)
    self->evidence
        = MAX (self->evidence, self->strengths[k] * self->strengths[k] * self->bursts->len);
  return TRUE;
}

static void
octave_clear (Octave *self)
{
  g_clear_pointer (&self->bursts, g_array_unref);
  g_clear_pointer (&self->strengths, g_free);
}

/* The first peak of the periodogram with nearly the greatest evidence. */
static guint
choose (const Octave *self, double evidence)
{
  guint at = 0;

  while (at + 1 < self->n_steps
         && self->strengths[at] * self->strengths[at] * self->bursts->len < evidence)
    at++;
  while (at + 1 < self->n_steps && self->strengths[at + 1] > self->strengths[at])
    at++;
  return at;
}

static double
get_strength (const GArray *bursts, double frequency)
{
  double x = 0, y = 0;

  for (guint i = 0; i < bursts->len; i++)
    {
      x += cos (2 * G_PI * frequency * g_array_index (bursts, double, i));
      y += sin (2 * G_PI * frequency * g_array_index (bursts, double, i));
    }
  return hypot (x, y) / bursts->len;
}

/* Interpolates between two neighbouring steps. */
static double
refine (const GArray *bursts, double frequency, double step)
{
  for (guint i = 0; i < 40; i++)
    {
      double here = get_strength (bursts, frequency);

      step *= 0.7;
      if (get_strength (bursts, frequency + step) > here)
        frequency += step;
      else if (get_strength (bursts, frequency - step) > here)
        frequency -= step;
    }
  return frequency;
}

static TbPeakPeriod
choose_period (const Octave *octave, double evidence, double tried)
{
  double frequency
      = refine (octave->bursts, octave->lowest + choose (octave, evidence) * octave->step,
                octave->step);
  TbPeakPeriod period = { .bursts = octave->bursts->len };

  period.strength = get_strength (octave->bursts, frequency);
  period.confidence
      = pow (1 - MIN (exp (-period.strength * period.strength * octave->bursts->len), 1), tried);
  if (period.confidence >= SIGNIFICANT)
    period.period_ns = (gint64) round (1 / frequency);
  return period;
}

TbPeakPeriod
tb_peaks_find_period (const gint64 *times, gsize n)
{
  return tb_peaks_find_long_period (times, n, 1);
}

TbPeakPeriod
tb_peaks_find_long_period (const gint64 *times, gsize n, gint64 least)
{
  Octave octaves[MAX_OCTAVES];
  TbPeakPeriod period = { 0 };
  double shortest, greatest = 0, tried = 0;
  guint n_octaves = 0;

  if (n < LEAST_BURSTS || times[n - 1] <= times[0])
    return period;
  shortest = (double) (times[n - 1] - times[0]) / (2 * LEAST_PERIODS);
  for (; n_octaves < MAX_OCTAVES && 2 * shortest > (double) MAX (least, 1); shortest /= 2)
    {
      Octave *octave = &octaves[n_octaves++];
      gboolean has_bursts = octave_init (octave, times, n, MAX (shortest, (double) MAX (least, 1)));

      greatest = MAX (greatest, octave->evidence);
      /* Frequencies between two independent ones are not fully dependent on them, hence the
       * factor. */
      tried += 3.0 * octave->n_steps / STEPS;
      if (!has_bursts && octave->bursts->len >= LEAST_BURSTS && octave->bursts->len < MAX_BURSTS)
        break;
    }
  for (guint i = 0; i < n_octaves && greatest > 0; i++)
    if (octaves[i].strengths != NULL && octaves[i].evidence >= EQUAL_EVIDENCE * greatest)
      {
        period = choose_period (&octaves[i], EQUAL_EVIDENCE * greatest, tried);
        break;
      }
  for (guint i = 0; i < n_octaves; i++)
    octave_clear (&octaves[i]);
  return period;
}

double
tb_peaks_get_period_strength (const gint64 *times, gsize n, gint64 period)
{
  double x = 0, y = 0;

  if (n == 0 || period <= 0)
    return 0;
  for (gsize i = 0; i < n; i++)
    {
      double angle = 2 * G_PI * (double) ((times[i] - times[0]) % period) / (double) period;

      x += cos (angle);
      y += sin (angle);
    }
  return hypot (x, y) / (double) n;
}
