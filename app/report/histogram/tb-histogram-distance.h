/* tb-histogram-distance.h: Earth Mover's Distance of two histograms with the same bins, and the
 * distance that chance alone explains
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT double tb_histogram_get_distance (const guint64 *one, const guint64 *other, guint n_bins);
TB_EXPORT double tb_histogram_get_chance_distance (const guint64 *counts,
                                                   guint n_bins,
                                                   guint64 n_one,
                                                   guint64 n_other);

G_END_DECLS
