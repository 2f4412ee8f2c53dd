/* tb-overview-private.h: making of an overview of thread states: length of its steps, state for
 * which an interval counts (also a wait for disk or network), construction from all intervals of a
 * trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-overview.h"

G_BEGIN_DECLS

/* The length of the steps within which the order of states is not kept. */
gint64 tb_overview_get_step (gint64 from, gint64 to, guint n_threads);
TbOverviewState tb_overview_classify (const TbIntervals *intervals,
                                      gsize row,
                                      const TbDevice *devices,
                                      guint n_devices);
/* Fills columns (transfer full) from intervals sorted by thread and start, without gaps within a
 * thread. Returns the number of rows. */
gsize tb_overview_build (const TbIntervals *intervals,
                         gint64 from,
                         gint64 to,
                         const TbDevice *devices,
                         guint n_devices,
                         GBytes *columns[TB_OVERVIEW_N_COLUMNS]);

G_END_DECLS
