/* tb-agent-latency-probes.h: groups of latency probes in programs and kernel functions, each
 * attached and detached as a whole; choice of the cheapest kind of kernel probe that works
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/programs/tb-bpf-record.h"
#include "agent/bpf/tb-agent-bpf-latency.h"
#include "agent/probes/tb-agent-attach-helper.h"
#include "capture/tb-capture-message.h"

/* The kinds of probes for kernel functions, the cheapest first */
typedef enum
{
  TB_AGENT_KERNEL_PROBE_NONE,
  TB_AGENT_KERNEL_PROBE_FENTRY,
  TB_AGENT_KERNEL_PROBE_FPROBE,
  TB_AGENT_KERNEL_PROBE_KPROBE,
} TbAgentKernelProbeKind;

/* How f0 is probed if it is a kernel function */
typedef struct
{
  TbAgentKernelProbeKind probe_kind;
  TbCaptureMessage answer; /* name of the kind, with the reasons against the cheaper ones */
} TbAgentKernelProbeChoice;

/* A probe that is attached with its group */
typedef struct
{
  TbCaptureLatencyProbe wanted;
  int file;       /* -1: a kernel function */
  char *function; /* name of the kernel function */
} TbAgentPending;

/* Zeroed memory is an empty set. Closing the links, even by the end of the process, detaches the
 * probes. */
typedef struct
{
  TbAgentLatencyPrograms programs;
  TbAgentLinks groups[TB_CAPTURE_LATENCY_MAX_GROUPS];
  TbAgentPending *pending;
  size_t n_pending;
  int lacks_multi;    /* the kernel cannot attach several at a time */
  const char *traced; /* function of the trampoline programs; not owned */
  const char *calibrated;
  TbCaptureMessage no_trampoline;  /* why there are no trampoline programs */
  TbAgentKernelProbeKind min_kind; /* cheaper kinds are not tried */
  TbAgentKernelProbeChoice choice;
} TbAgentLatencyProbes;

/* tail: the build ID, or the name of a kernel function. -1 with the reason */
int tb_agent_latency_probes_add (TbAgentLatencyProbes *self,
                                 const TbCaptureLatencyProbe *wanted,
                                 const uint8_t *tail,
                                 size_t tail_length,
                                 TbCaptureMessage *why);
TbAgentKernelProbeKind tb_agent_kernel_probe_kind_find (const char *name);
/* A kernel function that the agent itself needs */
void tb_agent_latency_probes_add_kernel (TbAgentLatencyProbes *self,
                                         uint32_t group,
                                         const char *function);
/* A probe in the agent's own program. Only kind, site, group and offset of wanted are used. */
void tb_agent_latency_probes_add_own (TbAgentLatencyProbes *self,
                                      const TbCaptureLatencyProbe *wanted);
/* traced: the process that gets the probes, -1: all processes */
int tb_agent_latency_probes_attach (TbAgentLatencyProbes *self,
                                    uint32_t group,
                                    int32_t traced,
                                    TbCaptureMessage *why);
/* Discards the pending probes of the group. */
void tb_agent_latency_probes_forget (TbAgentLatencyProbes *self, uint32_t group);
/* Does not wait: detaching takes the kernel some time. */
void tb_agent_latency_probes_detach (TbAgentLatencyProbes *self, uint32_t group);
/* The same, and waits until the probes are detached. */
void tb_agent_latency_probes_detach_and_wait (TbAgentLatencyProbes *self, uint32_t group);
/* Detaches all probes and waits until they are detached. */
void tb_agent_latency_probes_clear (TbAgentLatencyProbes *self);
