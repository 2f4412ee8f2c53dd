/* tb-agent-latency-kernel.c: check that there is just one kernel function of a name, and loading,
 * without attaching, of the BPF object that measures it through a trampoline; choice of the
 * function on which the cost of these probes is calibrated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "agent/latency/tb-agent-latency-cost.h"
#include "agent/latency/tb-agent-latency-kernel.h"

int
tb_agent_latency_kernel_load (const TbAgent *agent,
                              TbAgentKernelCode *code,
                              const char *function,
                              TbAgentBpfObject *object,
                              const char **other,
                              TbCaptureMessage *why)
{
  size_t n = tb_agent_kernel_code_count (code, function);

  memset (object, 0, sizeof *object);
  /* With several functions of that name the kernel would choose any of them. */
  if (n != 1)
    {
      TB_CAPTURE_SET_MESSAGE (why,
                              n == 0 ? TB_CAPTURE_CODE_KERNEL_FUNCTION_NOT_LOCATED
                                     : TB_CAPTURE_CODE_SEVERAL_KERNEL_FUNCTIONS,
                              0);
      return -1;
    }
  *other = TB_AGENT_LATENCY_CALIBRATED;
  if (*other != NULL
      && tb_agent_bpf_kernel_calls_load (object, &agent->bpf->shared, function, *other, why) == 0)
    return 0;
  /* One of the two functions may be missing in the kernel's BTF. */
  *other = function;
  return tb_agent_bpf_kernel_calls_load (object, &agent->bpf->shared, function, function, why);
}
