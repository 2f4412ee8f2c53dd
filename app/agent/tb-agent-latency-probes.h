/* tb-agent-latency-probes.h: groups of probes that go into a program, and come out, together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-bpf-record.h"
#include "agent/tb-agent-map.h"
#include "agent/tb-agent-shelter.h"
#include "capture/tb-capture-message.h"

/* By TbCaptureLatencyProbeKind: for several at a time, and for one alone. */
typedef struct
{
  int together[4];
  int alone[4];
  int kernel_entry; /* by the way of whole functions, and by kprobes */
  int kernel_return;
  int kernel_entry_alone;
  int kernel_return_alone;
  int kernel_site;
  int traced_entry; /* by trampolines of the one function, 0 none */
  int traced_return;
  int tried_entry; /* and of the one that it is tried out on */
  int tried_return;
} TbAgentLatencyPrograms;

/* In which functions of the kernel are seen, the cheapest first. */
typedef enum
{
  TB_AGENT_KERNEL_WAY_NONE,
  TB_AGENT_KERNEL_WAY_FENTRY,
  TB_AGENT_KERNEL_WAY_FPROBE,
  TB_AGENT_KERNEL_WAY_KPROBE,
} TbAgentKernelWay;

/* How f0 is seen, if it is one of the kernel. */
typedef struct
{
  TbAgentKernelWay way;
  TbCaptureMessage answer; /* the name of the way, and why by none of those before it */
} TbAgentKernelChoice;

/* What waits for its group to be attached. */
typedef struct
{
  TbCaptureLatencyProbe wanted;
  int file;       /* -1 of a function of the kernel */
  char *function; /* which is this one */
} TbAgentPending;

/* Zeroed memory has none. Closing them, by whatever end, takes them out of the programs. */
typedef struct
{
  TbAgentLatencyPrograms programs;
  TbAgentLinks groups[TB_CAPTURE_LATENCY_MAX_GROUPS];
  TbAgentPending *pending;
  size_t n_pending;
  int one_by_one;     /* the kernel cannot take several at a time */
  const char *traced; /* what its programs for trampolines are of; not owned */
  const char *tried;
  TbCaptureMessage untraced;  /* why there are none */
  TbAgentKernelWay least_way; /* those before it are not tried */
  TbAgentKernelChoice choice;
} TbAgentLatencyProbes;

/* tail: the build-id, of a function of the kernel its name. -1 with the reason */
int tb_agent_latency_probes_add (TbAgentLatencyProbes *self,
                                 const TbCaptureLatencyProbe *wanted,
                                 const uint8_t *tail,
                                 size_t tail_length,
                                 TbCaptureMessage *why);
TbAgentKernelWay tb_agent_kernel_way_find (const char *name);
/* A function of the kernel that is wanted by the agent itself. */
void tb_agent_latency_probes_add_kernel (TbAgentLatencyProbes *self, uint32_t group, const char *function);
/* In the agent's own program; the offset is all that is wanted of it but kind, site and group. */
void tb_agent_latency_probes_add_own (TbAgentLatencyProbes *self, const TbCaptureLatencyProbe *wanted);
/* traced: in whose memory, -1 everybody's. */
int tb_agent_latency_probes_attach (TbAgentLatencyProbes *self,
                                    uint32_t group,
                                    int32_t traced,
                                    TbCaptureMessage *why);
/* What waits of the group is not attached any more. */
void tb_agent_latency_probes_forget (TbAgentLatencyProbes *self, uint32_t group);
/* The kernel takes its time for it, which nobody waits for. */
void tb_agent_latency_probes_detach (TbAgentLatencyProbes *self, uint32_t group);
/* Likewise, and waits until they are out. */
void tb_agent_latency_probes_detach_and_wait (TbAgentLatencyProbes *self, uint32_t group);
/* All, and waits until they are out. */
void tb_agent_latency_probes_clear (TbAgentLatencyProbes *self);
