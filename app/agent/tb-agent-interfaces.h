/* tb-agent-interfaces.h: the interfaces of the network, how fast their links are and what addresses they have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-output.h"

/* Of an interface below folder, which is /sys/class/net, bits a second; 0 where it has none or does not tell. With index the
 * kernel's number: the folder may be that of another network namespace, whose interfaces may have the same names. */
uint64_t tb_agent_interfaces_read_speed (const char *folder, const char *name, unsigned index);
/* Sends an INTERFACE record for each, or a STATUS record that tells why there is none. */
void tb_agent_interfaces_put (TbAgentOutput *output);
