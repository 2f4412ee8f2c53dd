/* tb-agent-latency-start.c: start of a latency measurement as the client requests it: check of the
 * bins, cost of the probes, events by which a system call or device request is measured, BPF
 * programs for a kernel function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/latency/tb-agent-latency-kernel.h"
#include "agent/latency/tb-agent-latency-private.h"

static int
attach_calls (void *data)
{
  return tb_agent_latency_attach_event (data, TB_AGENT_LATENCY_CALL) == 0
                 && tb_agent_latency_attach_event (data, TB_AGENT_LATENCY_CALL_END) == 0
             ? 0
             : -1;
}

/* Measures the cost of the probes. To be called before there are probes in the recorded
 * programs. */
static void
measure_cost (TbAgent *agent, uint32_t call)
{
  TbAgentLatency *self = agent->latency;
  const TbAgentLatencyCalibration calibration
      = { &self->probes, &self->maps, self->shared, agent->header.n_cpus };

  if (call != TB_CAPTURE_NO_CALL)
    tb_agent_latency_cost_measure_call (&calibration, attach_calls, self, &self->cost);
  else
    tb_agent_latency_cost_measure_function (&calibration, &self->cost);
  memset (self->counters, 0, TB_BPF_LATENCY_NODES * sizeof *self->counters);
  self->slow.n_sent = self->slow.calls->n;
  self->missed_at_start = tb_agent_bpf_object_count_missed (self->object);
}

/* For an f0 that is a request to a device, not a call, these events are all that can be
 * recorded. */
static int
attach_requests (TbAgentLatency *self)
{
  static const TbAgentLatencyEvent needed[]
      = { TB_AGENT_LATENCY_REQUEST_END, TB_AGENT_LATENCY_REQUEST_ISSUED, TB_AGENT_LATENCY_REQUEST };

  __atomic_store_n (&self->shared->requests_from, UINT64_MAX, __ATOMIC_RELEASE);
  for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (tb_agent_latency_attach_event (self, needed[i]) != 0)
      return -1;
  __atomic_store_n (&self->shared->requests_from, tb_agent_now (), __ATOMIC_RELEASE);
  self->has_events = 1;
  return 0;
}

/* Attaches the events by which f0 is recorded if it has no probes. */
static int
attach_f0 (TbAgentLatency *self, TbCaptureMessage *answer)
{
  if (self->shared->is_request && attach_requests (self) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_REQUESTS_NOT_WATCHED, errno);
      return -1;
    }
  if (self->shared->call != TB_CAPTURE_NO_CALL && attach_calls (self) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_SYSCALLS_NOT_WATCHED, errno);
      return -1;
    }
  return 0;
}

static int
are_bins_right (const TbCaptureLatencyStart *wanted, uint32_t n_edges)
{
  return wanted->resolution >= 1 && wanted->resolution <= TB_BPF_LATENCY_MAX_RESOLUTION
         && n_edges == 63 * wanted->resolution + 1 && wanted->merged_bins <= wanted->resolution
         && wanted->operation <= TB_CAPTURE_LATENCY_OF_REQUESTS;
}

static void
set_f0 (TbBpfLatencyShared *shared, const TbCaptureLatencyStart *wanted)
{
  shared->thread = wanted->thread;
  shared->call = wanted->call;
  shared->request = wanted->which;
  shared->is_request = wanted->operation == TB_CAPTURE_LATENCY_OF_REQUESTS;
}

/* No call is in the peak until there is one. */
static void
set_bins (TbBpfLatencyShared *shared,
          const TbCaptureLatencyStart *wanted,
          const uint64_t *edges,
          uint32_t n_edges)
{
  shared->resolution = wanted->resolution;
  shared->merged_bins = wanted->merged_bins;
  memcpy (shared->edges, edges, n_edges * sizeof *edges);
  shared->from_bin = 1;
  shared->to_bin = 0;
}

/* -1 with the reason: a measurement cannot start now, or not with these bins. */
static int
check_start (const TbAgent *agent,
             const TbAgentBpfObject *object,
             const TbCaptureLatencyStart *wanted,
             uint32_t n_edges,
             TbCaptureMessage *answer)
{
  if (object == NULL || !agent->running)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCIES_NOT_LOADED, 0);
  else if (agent->latency != NULL)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCIES_STARTED, 0);
  else if (!are_bins_right (wanted, n_edges))
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCY_BINS_WRONG, 0);
  else
    return 0;
  return -1;
}

int
tb_agent_latency_start (TbAgent *agent, const TbCaptureRecord *record, TbCaptureMessage *answer)
{
  const TbAgentBpfObject *object
      = agent->bpf != NULL ? tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency) : NULL;
  const TbCaptureLatencyStart *wanted = &record->latency_start;
  const uint64_t *edges = (const uint64_t *) (const void *) record->tail;
  uint32_t n_edges = record->tail_length / 8;

  if (check_start (agent, object, wanted, n_edges, answer) != 0)
    return -1;
  agent->latency = tb_agent_latency_new (agent, object);
  if (agent->latency == NULL)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCY_MAPS_NOT_MAPPED, 0);
      return -1;
    }
  if (wanted->operation == TB_CAPTURE_LATENCY_OF_CALLS)
    measure_cost (agent, wanted->call);
  set_bins (agent->latency->shared, wanted, edges, n_edges);
  set_f0 (agent->latency->shared, wanted);
  if (attach_f0 (agent->latency, answer) != 0)
    {
      /* The client may start again, now or with another f0. */
      tb_agent_latency_free (agent);
      return -1;
    }
  if (wanted->call != TB_CAPTURE_NO_CALL)
    tb_agent_latency_emit_cost (agent);
  return 0;
}

/* Kernel functions */

/* Uses the object for this one function if the kernel accepts it and the general object is not in
 * use yet. */
static void
choose_programs (TbAgent *agent)
{
  TbAgentLatency *self = agent->latency;
  TbBpfLatencyShared shared;

  if (self->probes.min_kind > TB_AGENT_KERNEL_PROBE_FENTRY)
    return;
  if (self->probes.n_pending > 1 || self->has_events || self->shared->only_phases
      || self->shared->has_clients)
    {
      TB_CAPTURE_SET_MESSAGE (&self->probes.no_trampoline, TB_CAPTURE_CODE_TOO_LATE_FOR_PROBE, 0);
      return;
    }
  if (tb_agent_latency_kernel_load (agent, &self->kernel, self->kernel_function,
                                    &self->kernel_object, &self->probes.calibrated,
                                    &self->probes.no_trampoline)
      != 0)
    return;
  shared = *self->shared;
  if (!tb_agent_latency_map (self, &self->kernel_object))
    {
      TB_CAPTURE_SET_MESSAGE (&self->probes.no_trampoline, TB_CAPTURE_CODE_LATENCY_MAPS_NOT_MAPPED,
                              0);
      return;
    }
  self->probes.traced = self->kernel_function;
  *self->shared = shared;
}

/* Measures the cost of probes of the kind that f0 will have. */
static void
measure_kernel_cost (TbAgent *agent)
{
  TbAgentLatency *self = agent->latency;
  const TbAgentLatencyCalibration calibration
      = { &self->probes, &self->maps, self->shared, agent->header.n_cpus };
  uint32_t resolution = self->shared->resolution;

  tb_agent_latency_cost_measure_kernel (&calibration, &self->cost);
  self->calibrated_kind = self->probes.choice.probe_kind;
  self->shared->resolution = resolution;
  memset (self->counters, 0, TB_BPF_LATENCY_NODES * sizeof *self->counters);
  self->slow.n_sent = self->slow.calls->n;
  self->missed_at_start = tb_agent_bpf_object_count_missed (self->object);
}

void
tb_agent_latency_take_kernel_function (TbAgent *agent, const uint8_t *name, size_t length)
{
  TbAgentLatency *self = agent->latency;

  if (self->kernel_function != NULL)
    return;
  self->kernel_function = strndup ((const char *) name, length);
  choose_programs (agent);
  measure_kernel_cost (agent);
}
