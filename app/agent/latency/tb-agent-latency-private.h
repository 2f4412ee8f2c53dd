/* tb-agent-latency-private.h: state of a latency measurement of one function (TbAgentLatency), and
 * the functions that work on it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/probes/tb-agent-kernel-code.h"
#include "agent/latency/tb-agent-latency-cost.h"
#include "agent/latency/tb-agent-latency-samples.h"
#include "agent/latency/tb-agent-latency-slow-calls.h"
#include "agent/latency/tb-agent-latency.h"

#define TB_AGENT_LATENCY_MAX_EDGES 64u

/* A location at which f0 begins or ends */
typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset;
  unsigned kind;
} TbAgentLatencyEdge;

struct TbAgentLatency
{
  const TbAgentBpfObject *object; /* owner of the programs and maps */
  TbAgentBpfObject kernel_object; /* own object if f0 is a kernel function with a trampoline */
  TbAgentLatencyMaps maps;
  TbAgentLatencyProbes probes;
  int events[TB_AGENT_LATENCY_N_EVENTS]; /* links, 0: not attached */
  int has_events;
  int has_f0;                 /* its group of probes was attached */
  TbBpfLatencyShared *shared; /* memory-mapped, as are counters and news */
  TbBpfLatencyCounter *counters;
  TbBpfLatencyNewCallees *new_callees;
  TbBpfLatencyCounter *start_counters; /* values of the counters when their nodes were created */
  TbBpfLatencyCounter *sent_counters;
  uint32_t generations[TB_BPF_LATENCY_NODES];
  TbBpfLatencyBins *bins;  /* by CPU */
  TbAgentLatencyCost cost; /* as measured */
  TbAgentLatencyCost f0_cost;
  uint64_t extra_at_entry;
  uint64_t extra_at_last;
  int is_extra_unknown; /* of either */
  int ends_at_last;
  TbAgentLatencyEdge edges[TB_AGENT_LATENCY_MAX_EDGES];
  unsigned n_edges;
  uint32_t entry_site; /* 1 + the site that is at an edge of f0 and attached with its group */
  uint32_t entry_group;
  uint32_t open_group;   /* group of the entry site that is counted now, 0: none */
  char *kernel_function; /* name of f0 if it is a kernel function, else NULL */
  TbAgentKernelProbeKind calibrated_kind;
  uint64_t entered; /* sum of the calls in its bins */
  uint64_t missed;
  uint64_t missed_at_start; /* value of missed at the start */
  uint64_t sent_bins;       /* number of calls in the bins last sent */
  uint64_t sent_new_callees;
  uint32_t sent_sources;
  /* reason why a probe of the group is impossible, NULL: none is */
  TbCaptureMessage *broken[TB_CAPTURE_LATENCY_MAX_GROUPS];
  TbCaptureLatencyState sent_state;
  unsigned n_rounds;
  uint64_t gap; /* ns until the next look for news */
  uint64_t next_time;
  TbAgentKernelCode kernel;
  TbAgentLatencySamples places;
  TbAgentLatencySlowCalls slow;
};

/* tb-agent-latency-setup.c */
/* NULL: the maps of the object cannot be mapped. */
TbAgentLatency *tb_agent_latency_new (TbAgent *agent, const TbAgentBpfObject *object);
void tb_agent_latency_destroy (TbAgentLatency *self);
/* Uses the programs and maps of the object from now on. 0: they cannot be mapped, and those in use
 * remain. */
int tb_agent_latency_map (TbAgentLatency *self, const TbAgentBpfObject *object);
void tb_agent_latency_unmap (TbAgentLatency *self);
/* Attaches a kernel event that the measurement needs, unless it is attached; −1 with errno.
 * Switches and interrupts are attached only when a peak is examined. */
int tb_agent_latency_attach_event (TbAgentLatency *self, TbAgentLatencyEvent event);

/* tb-agent-latency-start.c */
/* Handles LATENCY_START. After a failure it may be sent again. */
int
tb_agent_latency_start (TbAgent *agent, const TbCaptureRecord *record, TbCaptureMessage *answer);
/* f0 is the kernel function with that name. */
void tb_agent_latency_take_kernel_function (TbAgent *agent, const uint8_t *name, size_t length);

/* tb-agent-latency-sites.c */
/* The process that gets the probes; 0: all processes; -1 with the reason: none is permitted */
int32_t
tb_agent_latency_choose_traced (const TbAgent *agent, int32_t pid, TbCaptureMessage *answer);
/* Handles LATENCY_PROBE. The probe is attached with its group. */
int tb_agent_latency_add_probe (TbAgent *agent,
                                const TbCaptureRecord *record,
                                TbCaptureMessage *answer);
/* To be called after a group was attached or detached. */
void tb_agent_latency_change_entry_site (TbAgentLatency *self, uint32_t group, int is_in);
/* From now on the cost of the probes of f0 is subtracted from its latencies. Sends it. */
void tb_agent_latency_emit_cost (TbAgent *agent);

/* tb-agent-latency-records.c: sends what has changed since the last call; with_bins: includes what
 * takes longer to compute */
void tb_agent_latency_emit_records (TbAgent *agent, int with_bins);
/* Sends the code of a function, which the client disassembles. Sends nothing if the code cannot be
 * read or this user may not see it. name NULL: the function at address */
void tb_agent_latency_emit_code (TbAgent *agent, const char *name, uint64_t address);
