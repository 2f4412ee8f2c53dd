/* tb-agent-latency-kernel.h: check that there is just one kernel function of a name, and loading,
 * without attaching, of the BPF object that measures it through a trampoline; choice of the
 * function on which the cost of these probes is calibrated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/probes/tb-agent-kernel-code.h"

/* Loads programs that probe the function through a trampoline, and others for the other kinds of
 * probes. other: the function for calibration, which may be the function itself. -1 with the
 * reason. */
int tb_agent_latency_kernel_load (const TbAgent *agent,
                                  TbAgentKernelCode *code,
                                  const char *function,
                                  TbAgentBpfObject *object,
                                  const char **other,
                                  TbCaptureMessage *why);
