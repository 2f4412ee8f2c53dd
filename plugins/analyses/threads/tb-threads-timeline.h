/* tb-threads-timeline.h: timeline figure of threads with their phases and marks, grouped by
 * process, and of devices, interrupts and CPUs; arrows for wake-ups
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

TbTimelineFigure *tb_threads_make_timeline (TbThreadsSummary *summary,
                                            gboolean idle_threads,
                                            GCancellable *cancellable,
                                            GError **error);

G_END_DECLS
