/* tb-agent-latency-kernel.h: the programs for one function of the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-bpf-private.h"
#include "agent/tb-agent-kernel-code.h"

/* Those that see it by a trampoline, and others by the same ways as all; other: what they are tried out on, which may be the function
 * itself. -1 with the reason */
int tb_agent_latency_kernel_load (const TbAgent *agent,
                                  TbAgentKernelCode *code,
                                  const char *function,
                                  TbAgentBpfObject *object,
                                  const char **other,
                                  TbCaptureMessage *why);
