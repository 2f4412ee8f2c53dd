/* switch-chain.h: check that a recording of some processes has all of their switches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-run.h"

/* part: a recording of a held command, released when part and whole were armed, and of its child
 * processes. whole: a system-wide recording, armed before part and stopped after it. targets: the
 * processes of part, with one thread each. The check fails if part does not have exactly the
 * switches that whole predicts, or if whole is incomplete by the agent's fault. */
void switch_chain_check (AgentRun *part, AgentRun *whole, GHashTable *targets);
