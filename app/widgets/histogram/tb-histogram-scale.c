/* tb-histogram-scale.c: scale of the values and counts of a histogram, linear or logarithmic:
 * positions, zoom, ticks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-report.h"
#include "widgets/histogram/tb-histogram-private.h"

/* Least visible part: a fraction of the whole, or a number of steps of the logarithm. */
#define MIN_PART 1e-6
#define MIN_STEPS .25
/* Height of a count of one above zero, in powers of ten. */
#define ONE_COUNT_HEIGHT .35

/* On a logarithmic scale the place of a value is its number of bits: 0 is at 0, 1 at 1, 2 at 2, 4
 * at 3. */
double
tb_histogram_scale_get_place (const TbHistogramScale *self, gint64 value)
{
  if (!self->logarithmic)
    return value >= self->base ? (double) ((guint64) value - (guint64) self->base)
                               : -(double) ((guint64) self->base - (guint64) value);
  if (value == 0)
    return 0;
  return value > 0 ? 1 + log2 ((double) value) : -1 - log2 (-(double) value);
}

gint64
tb_histogram_scale_get_value (const TbHistogramScale *self, double place)
{
  double value = place;

  if (self->logarithmic)
    value = place >= 1 ? exp2 (place - 1) : place <= -1 ? -exp2 (-place - 1) : place;
  else
    value += (double) self->base;
  return (gint64) CLAMP (value, -9.2e18, 9.2e18);
}

void
tb_histogram_scale_init (TbHistogramScale *self, TbHistogramFigure *figure, gboolean logarithmic)
{
  guint n = tb_histogram_figure_get_n_bins (figure);

  *self = (TbHistogramScale) { .logarithmic = logarithmic, .end = 1, .to = 1 };
  if (n == 0)
    return;
  self->base = tb_histogram_figure_get_bin (figure, 0)->from;
  self->start = tb_histogram_scale_get_place (self, self->base);
  self->end = tb_histogram_scale_get_place (self, tb_histogram_figure_get_bin (figure, n - 1)->to);
  /* Differences of very large values may be lost to rounding. */
  if (!(self->end > self->start))
    self->end = self->start + 1;
  self->from = self->start;
  self->to = self->end;
}

double
tb_histogram_scale_get_x (const TbHistogramScale *self, double width, gint64 value)
{
  return (tb_histogram_scale_get_place (self, value) - self->from) / (self->to - self->from)
         * width;
}

static void
set_visible (TbHistogramScale *self, double from, double length)
{
  double all = self->end - self->start;
  double least = MIN (all, self->logarithmic ? MIN_STEPS : MAX (all * MIN_PART, 1));

  length = CLAMP (length, least, all);
  self->from = CLAMP (from, self->start, MAX (self->start, self->end - length));
  self->to = self->from + length;
}

void
tb_histogram_scale_zoom (TbHistogramScale *self, double around, double factor)
{
  double all = self->end - self->start;
  double least = MIN (all, self->logarithmic ? MIN_STEPS : MAX (all * MIN_PART, 1));
  double length = CLAMP ((self->to - self->from) * factor, least, all);

  set_visible (self, around - (around - self->from) * length / (self->to - self->from), length);
}

void
tb_histogram_scale_pan (TbHistogramScale *self, double places)
{
  set_visible (self, self->from + places, self->to - self->from);
}

guint
tb_histogram_scale_find_bin (const TbHistogramScale *self,
                             TbHistogramFigure *figure,
                             double width,
                             double x)
{
  double place = self->from + x / width * (self->to - self->from);
  guint low = 0, high = tb_histogram_figure_get_n_bins (figure);

  /* The last bin that begins at the value or before it. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (tb_histogram_scale_get_place (self, tb_histogram_figure_get_bin (figure, middle)->from)
          <= place)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : 0;
}

double
tb_histogram_get_height (guint64 count, guint64 largest, gboolean logarithmic)
{
  if (count == 0 || largest == 0)
    return 0;
  return logarithmic ? (log10 ((double) count) + ONE_COUNT_HEIGHT)
                           / (log10 ((double) largest) + ONE_COUNT_HEIGHT)
                     : (double) count / (double) largest;
}

static void
tick_clear (gpointer tick)
{
  g_free (((TbHistogramTick *) tick)->label);
}

static GArray *
ticks_new (void)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (TbHistogramTick));

  g_array_set_clear_func (ticks, tick_clear);
  return ticks;
}

/* The smallest of 1, 2 and 5 times a power of ten that is not less than step. */
static double
round_up (double step)
{
  double power = pow (10, floor (log10 (step)));

  return step <= power       ? power
         : step <= 2 * power ? 2 * power
         : step <= 5 * power ? 5 * power
                             : 10 * power;
}

static void
append_tick (const TbHistogramScale *self,
             TbHistogramFigure *figure,
             double width,
             gint64 value,
             GArray *ticks)
{
  TbHistogramTick tick = { tb_histogram_scale_get_x (self, width, value),
                           tb_histogram_figure_format_value (figure, value) };

  g_array_append_val (ticks, tick);
}

static void
make_linear_ticks (const TbHistogramScale *self,
                   TbHistogramFigure *figure,
                   double width,
                   double spacing,
                   GArray *ticks)
{
  double base = (double) self->base;
  double step = MAX (1, round_up ((self->to - self->from) * spacing / width));

  for (double value = ceil ((base + self->from) / step) * step;
       value <= base + self->to && ticks->len < 1000; value += step)
    append_tick (self, figure, width, (gint64) CLAMP (value, -9.2e18, 9.2e18), ticks);
}

/* Ticks at powers of two, in regular steps. Those of negative values mirror those of positive
 * ones. */
static void
make_log_ticks (const TbHistogramScale *self,
                TbHistogramFigure *figure,
                double width,
                double spacing,
                GArray *ticks)
{
  double step = MAX (1, ceil ((self->to - self->from) * spacing / width));

  for (double place = ceil (self->from / step) * step; place <= self->to && ticks->len < 1000;
       place += step)
    append_tick (self, figure, width, tb_histogram_scale_get_value (self, place), ticks);
}

GArray *
tb_histogram_scale_make_ticks (const TbHistogramScale *self,
                               TbHistogramFigure *figure,
                               double width,
                               double spacing)
{
  GArray *ticks = ticks_new ();

  if (self->logarithmic)
    make_log_ticks (self, figure, width, spacing, ticks);
  else
    make_linear_ticks (self, figure, width, spacing, ticks);
  return ticks;
}

static char *
format_power (int power)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };

  if (power < 4)
    return tb_format_count ((guint64) llround (pow (10, power)));
  return g_strdup_printf ("10%s%s", power >= 10 ? digits[power / 10] : "", digits[power % 10]);
}

/* A short form that fits next to the plot. Steps are round, so that no digits are lost. */
static char *
format_count (double count, double step)
{
  static const struct
  {
    double unit;
    const char *name;
  } units[] = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (count >= 10 * units[i].unit && step >= units[i].unit)
      return g_strdup_printf ("%.0f %s", count / units[i].unit, units[i].name);
  return tb_format_count ((guint64) round (count));
}

GArray *
tb_histogram_make_count_ticks (guint64 largest, gboolean logarithmic, double height, double spacing)
{
  GArray *ticks = ticks_new ();
  double step;

  if (largest == 0)
    return ticks;
  if (logarithmic)
    {
      int powers = (int) floor (log10 ((double) largest));
      int every
          = MAX (1, (int) ceil (spacing / height * (log10 ((double) largest) + ONE_COUNT_HEIGHT)));

      for (int power = 0; power <= powers; power += every)
        {
          TbHistogramTick tick
              = { tb_histogram_get_height ((guint64) pow (10, power), largest, TRUE),
                  format_power (power) };

          g_array_append_val (ticks, tick);
        }
      return ticks;
    }
  step = MAX (1, round_up ((double) largest * spacing / height));
  for (double count = 0; count <= (double) largest && ticks->len < 1000; count += step)
    {
      TbHistogramTick tick = { count / (double) largest, format_count (count, step) };

      g_array_append_val (ticks, tick);
    }
  return ticks;
}
