/* tb-ebpf-collector.h: collector plug-in that records with the BPF programs of tailback-agent; all
 * else is in its base class TbAgentCollector
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-client/client/tb-agent-collector.h"

G_BEGIN_DECLS

#define TB_TYPE_EBPF_COLLECTOR (tb_ebpf_collector_get_type ())
G_DECLARE_FINAL_TYPE (TbEbpfCollector, tb_ebpf_collector, TB, EBPF_COLLECTOR, TbAgentCollector)

G_END_DECLS
