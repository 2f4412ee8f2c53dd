/* tb-peaks-bins.c: logarithmic bins of latencies, and histograms of calls in them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "tb-peaks-bins.h"

/* The smallest integer not below 2^(bin / resolution). */
static gint64
get_edge (guint bin, guint resolution)
{
  if (bin == 0)
    return 0;
  if (bin / resolution >= 63)
    return G_MAXINT64;
  if (bin % resolution == 0)
    return G_GINT64_CONSTANT (1) << (bin / resolution);
  return (gint64) ceill (exp2l ((long double) bin / resolution));
}

void
tb_peaks_bins_init (TbPeaksBins *self, guint resolution)
{
  g_assert (resolution >= 1 && resolution <= TB_PEAKS_MAX_RESOLUTION);

  self->resolution = resolution;
  self->n = 63 * resolution;
  for (guint bin = 0; bin <= self->n; bin++)
    self->edges[bin] = get_edge (bin, resolution);
  self->parts
      = TB_PEAKS_FINE_RESOLUTION % resolution == 0 ? TB_PEAKS_FINE_RESOLUTION / resolution : 1;
  for (guint part = 0; part <= 63 * TB_PEAKS_FINE_RESOLUTION; part++)
    self->fine_edges[part] = get_edge (part, TB_PEAKS_FINE_RESOLUTION);
}

TbPeaksHistogram *
tb_peaks_histogram_new (const TbPeaksBins *bins)
{
  TbPeaksHistogram *self = g_new0 (TbPeaksHistogram, 1);

  self->counts = g_new0 (guint64, bins->n);
  self->totals = g_new0 (gint64, bins->n);
  self->fine = bins->parts > 1 ? g_new0 (guint64, (gsize) bins->n * bins->parts) : NULL;
  return self;
}

void
tb_peaks_histogram_free (TbPeaksHistogram *self)
{
  g_free (self->counts);
  g_free (self->totals);
  g_free (self->fine);
  g_free (self);
}

void
tb_peaks_histogram_add (TbPeaksHistogram *self, const TbPeaksBins *bins, gint64 latency)
{
  guint bin;

  latency = MAX (latency, 0);
  if (self->fine != NULL)
    {
      guint part = tb_peaks_bins_find_part (bins, latency);

      self->fine[part]++;
      bin = part / bins->parts;
    }
  else
    bin = tb_peaks_bins_find (bins, latency);
  self->calls++;
  self->counts[bin]++;
  if (__builtin_add_overflow (self->total_ns, latency, &self->total_ns))
    self->total_ns = G_MAXINT64;
  if (__builtin_add_overflow (self->totals[bin], latency, &self->totals[bin]))
    self->totals[bin] = G_MAXINT64;
}

gboolean
tb_peaks_histogram_get_extent (const TbPeaksHistogram *self,
                               const TbPeaksBins *bins,
                               guint *first,
                               guint *last)
{
  gboolean any = FALSE;

  for (guint bin = 0; bin < bins->n; bin++)
    if (self->counts[bin] > 0)
      {
        *first = any ? *first : bin;
        *last = bin;
        any = TRUE;
      }
  return any;
}
