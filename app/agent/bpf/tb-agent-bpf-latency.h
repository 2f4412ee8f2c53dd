/* tb-agent-bpf-latency.h: the two BPF objects of a latency measurement: the general one, and the
 * one for a single kernel function, whose name is put into it before it is loaded here; descriptors
 * of their maps and programs, attaching of single ones to kernel events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-agent-bpf-object.h"

/* Programs by TbCaptureLatencyProbeKind: one for several probes at a time, one for a single
 * probe */
typedef struct
{
  int multi[4];
  int single[4];
  int kernel_entry; /* for fprobe, then for kprobes */
  int kernel_return;
  int kernel_entry_single;
  int kernel_return_single;
  int kernel_site;
  int traced_entry; /* trampoline programs of the one function, 0: none */
  int traced_return;
  int calibration_entry; /* trampoline programs of the function for calibration */
  int calibration_return;
} TbAgentLatencyPrograms;

/* File descriptors */
typedef struct
{
  int shared;
  int bins;
  int nodes;
  int counters;
  int sites;
  int callees;
  int new_callees;
  int places;
  int slow;
} TbAgentLatencyMaps;

/* Kernel events in the order in which they are attached. The end of an interrupt precedes its
 * beginning, so that no recorded beginning lacks its end. */
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
  /* this one and the next only where phases are measured */
  TB_AGENT_LATENCY_EXIT = TB_AGENT_LATENCY_N_OF_PEAKS,
  TB_AGENT_LATENCY_EXEC,
  TB_AGENT_LATENCY_N_EVENTS,
} TbAgentLatencyEvent;

/* Loads the object for one kernel function that is probed through a trampoline; it replaces the
 * general object. Its trampoline programs belong to that function, except two that belong to other.
 * Kernels that cannot attach these programs still load them. -1 with the reason. */
int tb_agent_bpf_kernel_calls_load (TbAgentBpfObject *self,
                                    const TbAgentBpfShared *shared,
                                    const char *function,
                                    const char *other,
                                    TbCaptureMessage *why);
/* For either object */
void tb_agent_bpf_latency_get_maps (const TbAgentBpfObject *object, TbAgentLatencyMaps *maps);
void tb_agent_bpf_latency_get_programs (const TbAgentBpfObject *object,
                                        TbAgentLatencyPrograms *programs);
/* The program that a sampling clock runs */
int tb_agent_bpf_latency_get_sampler (const TbAgentBpfObject *object);
/* Returns a link, or a negative value if that is not possible. */
int tb_agent_bpf_latency_attach (const TbAgentBpfObject *object, TbAgentLatencyEvent event);
