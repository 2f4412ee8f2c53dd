/* tb-latency-collector.h: collector plug-in for the latencies of one function, with a live
 * drill-down: its options, start, live report, storing of the result with warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-client/client/tb-agent-collector.h"

G_BEGIN_DECLS

#define TB_TYPE_LATENCY_COLLECTOR (tb_latency_collector_get_type ())
G_DECLARE_FINAL_TYPE (TbLatencyCollector,
                      tb_latency_collector,
                      TB,
                      LATENCY_COLLECTOR,
                      TbAgentCollector)

G_END_DECLS
