/* switch-chain.h: whether a recording of some processes tells every switch of theirs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-run.h"

/* part: of a command that was held until it and whole were armed, and of what it started; whole: of the system, armed before
 * part and stopped after it; targets: the processes of part, one thread each. Fails where part does not tell just what whole
 * says it should, or where whole is itself incomplete by the agent's fault. */
void switch_chain_check (AgentRun *part, AgentRun *whole, GHashTable *targets);
