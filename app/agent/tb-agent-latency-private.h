/* tb-agent-latency-private.h: what is known of one function whose calls are looked into
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-bpf-private.h"
#include "agent/tb-agent-kernel-code.h"
#include "agent/tb-agent-latency-cost.h"
#include "agent/tb-agent-latency-places.h"
#include "agent/tb-agent-latency-slow.h"
#include "agent/tb-agent-latency.h"

#define TB_AGENT_LATENCY_MAX_EDGES 64u

/* Where f0 is seen to begin, or to end. */
typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset;
  unsigned kind;
} TbAgentLatencyEdge;

struct TbAgentLatency
{
  const TbAgentBpfObject *object; /* whose programs and maps these are */
  TbAgentBpfObject of_kernel;     /* its own, if f0 is a function of the kernel that a trampoline can be of */
  TbAgentLatencyMaps maps;
  TbAgentLatencyProbes probes;
  int events[TB_AGENT_LATENCY_N_EVENTS]; /* links, 0 none */
  int has_events;
  TbBpfLatencyShared *shared; /* these are mapped */
  TbBpfLatencyCounter *counters;
  TbBpfLatencyNews *news;
  TbBpfLatencyCounter *base; /* what the counters were when their nodes began */
  TbBpfLatencyCounter *told;
  uint32_t generations[TB_BPF_LATENCY_NODES];
  TbBpfLatencyBins *bins;  /* of each cpu */
  TbAgentLatencyCost cost; /* as tried out */
  TbAgentLatencyCost of_f0;
  uint64_t extra_at_entry;
  uint64_t extra_at_last;
  int is_extra_unknown; /* of one of the two, or both */
  int is_seen_at_last;
  TbAgentLatencyEdge edges[TB_AGENT_LATENCY_MAX_EDGES];
  unsigned n_edges;
  uint32_t entry_site; /* 1 + the one that is at an edge, and comes with its group */
  uint32_t entry_group;
  uint32_t open_group;   /* of the one that is seen, 0 none is */
  char *kernel_function; /* f0 is this one of the kernel; NULL it is none */
  TbAgentKernelWay tried_way;
  uint64_t entered; /* as its bins say */
  uint64_t missed;
  uint64_t missed_before; /* it began */
  uint64_t told_bins;     /* calls in them */
  uint64_t told_news;
  uint32_t told_sources;
  TbCaptureMessage *broken[TB_CAPTURE_LATENCY_MAX_GROUPS]; /* why a probe of it cannot be, NULL all can */
  TbCaptureLatencyState told_state;
  unsigned n_rounds;
  uint64_t gap; /* ns, before the next time that it is looked at what has come */
  uint64_t next_look;
  TbAgentKernelCode kernel;
  TbAgentLatencyPlaces places;
  TbAgentLatencySlow slow;
};

/* tb-agent-latency-tell.c: what is new since it was told; with_bins: also what takes longer to find out */
void tb_agent_latency_tell_now (TbAgent *agent, int with_bins);
/* The client disassembles it. What cannot be read, or is not for this user, is not answered. name NULL: the function at address */
void tb_agent_latency_tell_code (TbAgent *agent, const char *name, uint64_t address);
