/* tb-peaks-period.h: search for a period in the times of calls, its strength, and the confidence
 * that it is not chance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 period_ns; /* 0 if none was found */
  double strength;  /* 0 … 1: all occur at the same phase of the period */
  /* 1 − the probability that this many bursts at random times show such a period among all
   * those tried */
  double confidence;
  guint bursts;
} TbPeakPeriod;

/* Looks for a period in ascending times. Events closer together than a quarter of the period are
 * one burst: several calls that one event made slow are a single piece of evidence. The phases of
 * bursts in a period are the angles of unit vectors; their sum distinguishes them from random
 * phases (Rayleigh's test, Schuster's periodogram). Periods from a third of the whole time down to
 * a quarter of the mean distance are tried. Among a period and its fractions, the longest is
 * chosen. */
TbPeakPeriod tb_peaks_find_period (const gint64 *times, gsize n);
/* The same for times whose resolution limits the period: least is the shortest period that is
 * looked for. */
TbPeakPeriod tb_peaks_find_long_period (const gint64 *times, gsize n, gint64 least);
/* The strength of a given period in other times, without grouping them into bursts. */
double tb_peaks_get_period_strength (const gint64 *times, gsize n, gint64 period);

G_END_DECLS
