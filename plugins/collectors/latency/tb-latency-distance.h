/* tb-latency-distance.h: whether latencies are still distributed as they were
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The Earth Mover's Distance of two histograms, each taken as 1: how many bins their calls have to be moved on average. */
double tb_latency_distance (const guint64 *one, const guint64 *other, guint n_bins);
/* What chance alone makes of it at most: the 95th percentile of samples of so many calls from the histogram, but no less than half a
 * bin, which the machine's own unrest makes. */
double tb_latency_distance_by_chance (const guint64 *histogram, guint n_bins, guint64 calls);

G_END_DECLS
