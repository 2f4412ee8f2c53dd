/* tb-latency-look.h: what a drill-down has found so far, as a report, and what is to be chosen there
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

/* In any thread. */
TbReport *tb_latency_look (TbLatencyDrill *drill);
/* The bins that an item of the histogram names, or the peak of that number. */
gboolean tb_latency_look_choose (TbLatencyDrill *drill, const char *figure, const char *item, GError **error);

G_END_DECLS
