/* tb-agent-bpf-latency.h: what the object of programs for latencies consists of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-bpf-object.h"
#include "agent/tb-agent-latency-probes.h"

/* File descriptors. */
typedef struct
{
  int shared;
  int bins;
  int nodes;
  int counters;
  int sites;
  int callees;
  int news;
  int places;
  int slow;
} TbAgentLatencyMaps;

/* Of the kernel; ends are attached before beginnings are missed. */
typedef enum
{
  TB_AGENT_LATENCY_CALL,
  TB_AGENT_LATENCY_CALL_END,
  TB_AGENT_LATENCY_SWITCH,
  TB_AGENT_LATENCY_WAKING,
  TB_AGENT_LATENCY_IRQ_END,
  TB_AGENT_LATENCY_IRQ,
  TB_AGENT_LATENCY_SOFTIRQ_END,
  TB_AGENT_LATENCY_SOFTIRQ,
  TB_AGENT_LATENCY_TIMER_END,
  TB_AGENT_LATENCY_TIMER,
  TB_AGENT_LATENCY_RESCHEDULE_END,
  TB_AGENT_LATENCY_RESCHEDULE,
  TB_AGENT_LATENCY_CALL_ONE_END,
  TB_AGENT_LATENCY_CALL_ONE,
  TB_AGENT_LATENCY_CALL_ALL_END,
  TB_AGENT_LATENCY_CALL_ALL,
  TB_AGENT_LATENCY_IRQ_WORK_END,
  TB_AGENT_LATENCY_IRQ_WORK,
  TB_AGENT_LATENCY_REQUEST_END,
  TB_AGENT_LATENCY_REQUEST_ISSUED,
  TB_AGENT_LATENCY_REQUEST,
  TB_AGENT_LATENCY_N_OF_PEAKS,
  TB_AGENT_LATENCY_EXIT = TB_AGENT_LATENCY_N_OF_PEAKS, /* these only where phases are looked at */
  TB_AGENT_LATENCY_EXEC,
  TB_AGENT_LATENCY_N_EVENTS,
} TbAgentLatencyEvent;

/* The object for a function of the kernel that is seen by a trampoline, in place of the other one; its programs are of no other
 * function, but two that are of another one. Kernels that cannot attach them take them all the same. -1 with the reason */
int tb_agent_bpf_kernel_calls_load (TbAgentBpfObject *self,
                                    const TbAgentBpfShared *shared,
                                    const char *function,
                                    const char *other,
                                    TbCaptureMessage *why);
/* Of either object: */
void tb_agent_bpf_latency_get_maps (const TbAgentBpfObject *object, TbAgentLatencyMaps *maps);
void tb_agent_bpf_latency_get_programs (const TbAgentBpfObject *object, TbAgentLatencyPrograms *programs);
/* The program that a clock is to run. */
int tb_agent_bpf_latency_get_sampler (const TbAgentBpfObject *object);
/* A link; below 0 if it is not possible. */
int tb_agent_bpf_latency_attach (const TbAgentBpfObject *object, TbAgentLatencyEvent event);
