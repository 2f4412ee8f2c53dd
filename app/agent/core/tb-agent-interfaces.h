/* tb-agent-interfaces.h: network interfaces with their link speeds and addresses, read from the
 * kernel and sent as INTERFACE records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-output.h"

/* Speed in bits per second of an interface below folder (/sys/class/net); 0 if it has none or does
 * not report one. index: the kernel's number, because the folder may belong to another network
 * namespace with interfaces of the same names. */
uint64_t tb_agent_interfaces_read_speed (const char *folder, const char *name, unsigned index);
/* Sends an INTERFACE record for each interface, or a STATUS record with the reason if there is
 * none. */
void tb_agent_interfaces_put (TbAgentOutput *output);
