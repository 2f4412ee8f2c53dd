/* tb-latency-live-report.h: live report of a drill-down (histogram with peaks, tree of calls,
 * longest calls, progress and cost), and the choice of a peak in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-latency-drill.h"

G_BEGIN_DECLS

#define TB_LATENCY_FIGURE_HISTOGRAM "histogram"
#define TB_LATENCY_FIGURE_TREE "tree"
#define TB_LATENCY_FIGURE_LONGEST "longest"

/* From any thread */
TbReport *tb_latency_live_report_new (TbLatencyDrill *drill);
/* (transfer full) (nullable): how deep a search came that ended early, as a sentence. To be called
 * with the lock held, or without other threads. */
char *tb_latency_drill_describe_stop (TbLatencyDrill *drill);
/* Chooses the bins of a histogram item, or the peak with that number. */
gboolean tb_latency_live_report_choose (TbLatencyDrill *drill,
                                        const char *figure,
                                        const char *item,
                                        GError **error);

G_END_DECLS
