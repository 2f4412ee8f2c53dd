/* tb-peaks-bins.h: logarithmic bins of latencies, and histograms of calls in them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_PEAKS_MAX_RESOLUTION 16
#define TB_PEAKS_MAX_BINS (63 * TB_PEAKS_MAX_RESOLUTION)

/* Bins for each doubling in which broad peaks are refined, if the histogram has fewer. */
#define TB_PEAKS_FINE_RESOLUTION 2

/* Bin b holds the integers n (ns) with floor (resolution · log2 n) = b; bin 0 also holds 0 ns. */
typedef struct
{
  guint resolution;
  guint n; /* number of bins that a gint64 may fall into */
  /* lower edge of each bin; low bins of fine resolutions may have equal edges */
  gint64 edges[TB_PEAKS_MAX_BINS + 1];
  /* parts of each bin, all of the same resolution; 1: bins are not divided */
  guint parts;
  /* lower edge of each part; only if parts is above 1 */
  gint64 fine_edges[63 * TB_PEAKS_FINE_RESOLUTION + 1];
} TbPeaksBins;

/* A histogram of latencies. */
typedef struct
{
  guint64 calls;
  gint64 total_ns;
  guint64 *counts;
  gint64 *totals;
  guint64 *fine; /* count of each part of a bin; NULL if bins have no parts */
} TbPeaksHistogram;

void tb_peaks_bins_init (TbPeaksBins *self, guint resolution);

TbPeaksHistogram *tb_peaks_histogram_new (const TbPeaksBins *bins);
void tb_peaks_histogram_free (TbPeaksHistogram *self);
/* A negative latency, which a damaged recording may have, counts as 0. */
void tb_peaks_histogram_add (TbPeaksHistogram *self, const TbPeaksBins *bins, gint64 latency);
/* The range from the first to the last bin that has calls; FALSE if there are none. */
gboolean tb_peaks_histogram_get_extent (const TbPeaksHistogram *self,
                                        const TbPeaksBins *bins,
                                        guint *first,
                                        guint *last);

static inline guint
tb_peaks_bins_find (const TbPeaksBins *self, gint64 latency)
{
  guint bin;

  if (latency <= 1)
    return 0;
  bin = self->resolution * (63u - (guint) __builtin_clzll ((unsigned long long) latency));
  if (self->resolution > 1)
    while (bin + 1 < self->n && self->edges[bin + 1] <= latency)
      bin++;
  return bin;
}

G_STATIC_ASSERT (TB_PEAKS_FINE_RESOLUTION == 2);

/* The part that a latency falls into; the parts of bin b start at b · parts. */
static inline guint
tb_peaks_bins_find_part (const TbPeaksBins *self, gint64 latency)
{
  guint part;

  if (latency <= 1)
    return 0;
  part = TB_PEAKS_FINE_RESOLUTION * (63u - (guint) __builtin_clzll ((unsigned long long) latency));
  return part + (latency >= self->fine_edges[part + 1]);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPeaksHistogram, tb_peaks_histogram_free)

G_END_DECLS
