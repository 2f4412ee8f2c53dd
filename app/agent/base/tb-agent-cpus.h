/* tb-agent-cpus.h: which CPUs are online, as a flag for each number, read from /sys
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

/* By CPU number, whether the CPU is online */
void tb_agent_list_online_cpus (uint8_t *online, uint32_t n_cpus);
