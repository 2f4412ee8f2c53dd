/* tb-peaks-period.h: whether calls come at regular times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 period_ns; /* 0: none was found */
  double strength;  /* 0 … 1: all come at the same moment of the period */
  double
      confidence; /* 1 − the probability that so many bursts at random moments show as much at any of the periods tried */
  guint bursts;
} TbPeakPeriod;

/* Looks for a period in ascending times. What comes closer together than a quarter of the period is one burst, however many:
 * calls that one and the same event made slow are no evidence of several. The moments of bursts in a period are the angles of
 * unit vectors; their sum tells them from random ones (Rayleigh's test, Schuster's periodogram). Periods from a third of the
 * whole time down to a quarter of the mean distance are tried; of a period and its parts the longest is meant. */
TbPeakPeriod tb_peaks_find_period (const gint64 *times, gsize n);
/* Likewise of times that are known no better than to such a part of the least period that is looked for. */
TbPeakPeriod tb_peaks_find_long_period (const gint64 *times, gsize n, gint64 least);
/* How strongly other times show a period, as they are. */
double tb_peaks_get_period_strength (const gint64 *times, gsize n, gint64 period);

G_END_DECLS
