/* tb-time-ticks.c: ticks of a time axis: round times at a given least spacing in the visible range,
 * and their labels in a suitable unit
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-report.h"
#include "widgets/time/tb-time-axis.h"

/**
 * tb_time_ticks_init:
 * @ticks: (out caller-allocates): the ticks
 * @origin: origin of the times in labels, ns
 * @from: start of the visible part, ns
 * @to: its end, ns
 * @width: its width, in pixels
 * @spacing: least distance of two ticks, in pixels
 *
 * Chooses ticks at round times (1, 2 or 5 times a power of ten nanoseconds).
 */
void
tb_time_ticks_init (TbTimeTicks *ticks,
                    gint64 origin,
                    gint64 from,
                    gint64 to,
                    double width,
                    double spacing)
{
  static const gint64 units[] = { 1, 1000, 1000000, 1000000000 };
  static const guint factors[] = { 1, 2, 5 };
  double wanted;
  gint64 decade = 1, rest;
  guint i = 0;

  g_return_if_fail (ticks != NULL);

  wanted = width > 0 ? (double) (to - from) * spacing / width : (double) (to - from);
  while ((double) decade * factors[i] < wanted && decade < G_GINT64_CONSTANT (100000000000000000))
    {
      if (++i == G_N_ELEMENTS (factors))
        {
          i = 0;
          decade *= 10;
        }
    }
  ticks->step = decade * factors[i];

  rest = (from - origin) % ticks->step;
  if (rest < 0)
    rest += ticks->step;
  ticks->first = rest == 0 ? from : from - rest + ticks->step;

  /* The unit depends on the times shown, not on the step: "26 ms, 28 ms", but "1.0264 s" far into a
   * recording. */
  ticks->unit = units[0];
  for (i = 1; i < G_N_ELEMENTS (units); i++)
    if (MAX (ABS (to - origin), ABS (from - origin)) >= units[i])
      ticks->unit = units[i];
  if (ticks->unit > 1 && ticks->step < (ticks->unit + 9999) / 10000)
    ticks->unit /= 1000;
  ticks->decimals = 0;
  for (gint64 part = ticks->unit; part > 1 && ticks->step % part != 0; part /= 10)
    ticks->decimals++;
}

/**
 * tb_time_ticks_format:
 * @ticks: ticks
 * @time: time of a tick, ns after the origin
 *
 * Makes the label of a tick.
 *
 * Returns: (transfer full): its label
 */
char *
tb_time_ticks_format (const TbTimeTicks *ticks, gint64 time)
{
  g_return_val_if_fail (ticks != NULL, NULL);

  return tb_format_time_in (time, ticks->unit, ticks->decimals);
}
