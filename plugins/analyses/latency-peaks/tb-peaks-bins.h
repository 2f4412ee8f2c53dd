/* tb-peaks-bins.h: logarithmic bins of latencies
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_PEAKS_MAX_RESOLUTION 16
#define TB_PEAKS_MAX_BINS (63 * TB_PEAKS_MAX_RESOLUTION)

/* Broad peaks are looked at in so many bins for each doubling, where there are fewer. */
#define TB_PEAKS_FINE_RESOLUTION 2

/* Bin b holds the whole numbers n of ns with floor (resolution · log2 n) = b, bin 0 also 0 ns. */
typedef struct
{
  guint resolution;
  guint n; /* bins that a gint64 may fall into */
  gint64
      edges[TB_PEAKS_MAX_BINS + 1]; /* where each begins; at low bins of fine resolutions two may be equal */
  guint parts;                      /* of each bin, all of the same resolution; 1: none */
  gint64 fine_edges[63 * TB_PEAKS_FINE_RESOLUTION + 1]; /* where each part begins; of parts above 1 only */
} TbPeaksBins;

/* How often each bin occurs. */
typedef struct
{
  guint64 calls;
  gint64 total_ns;
  guint64 *counts;
  gint64 *totals;
  guint64 *fine; /* of each part of a bin; NULL where bins have no parts */
} TbPeaksHistogram;

void tb_peaks_bins_init (TbPeaksBins *self, guint resolution);

TbPeaksHistogram *tb_peaks_histogram_new (const TbPeaksBins *bins);
void tb_peaks_histogram_free (TbPeaksHistogram *self);
/* Negative latencies, which a damaged recording may have, count as 0. */
void tb_peaks_histogram_add (TbPeaksHistogram *self, const TbPeaksBins *bins, gint64 latency);
/* The bins from the first to the last that has calls; FALSE where there are none. */
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

/* The part of its bin; parts of bin b are those from b · parts on. */
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
