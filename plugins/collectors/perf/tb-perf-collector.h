/* tb-perf-collector.h: collector plug-in that records with perf events, through tailback-agent:
 * which options differ from those of its base class TbAgentCollector, or are lacking
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-client/client/tb-agent-collector.h"

G_BEGIN_DECLS

#define TB_TYPE_PERF_COLLECTOR (tb_perf_collector_get_type ())
G_DECLARE_FINAL_TYPE (TbPerfCollector, tb_perf_collector, TB, PERF_COLLECTOR, TbAgentCollector)

G_END_DECLS
