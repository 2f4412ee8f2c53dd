/* tb-agent-latency-records.c: results of a latency measurement, sent as records: bins, counters,
 * new callees, interrupts, state, code of kernel functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "agent/probes/tb-agent-kernel-probe.h"
#include "agent/latency/tb-agent-latency-private.h"

void
tb_agent_latency_emit_code (TbAgent *agent, const char *name, uint64_t address)
{
  TbAgentKernelFunction function;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_CODE, .cpu = TB_CAPTURE_CPU_NONE };
  size_t length;
  uint8_t *tail;

  if (!agent->system_allowed || !tb_agent_kernel_probe_is_possible ()
      || tb_agent_kernel_code_read (&agent->latency->kernel, name, address,
                                    TB_CAPTURE_LATENCY_MAX_CODE, &function)
             != 0)
    return;
  length = strnlen (function.name, 127);
  tail = tb_agent_allocate (NULL, length + function.length);
  memcpy (tail, function.name, length);
  memcpy (tail + length, function.code, function.length);
  record.time = tb_agent_now ();
  record.latency_code
      = (TbCaptureLatencyCode) { function.address, function.size, (uint32_t) length };
  record.tail = tail;
  record.tail_length = (uint32_t) (length + function.length);
  tb_agent_output_put (agent->output, &record);
  free (tail);
  free (function.code);
}

static void
emit_bins (TbAgent *agent, uint64_t now)
{
  TbAgentLatency *self = agent->latency;
  static uint64_t words[3 * TB_BPF_LATENCY_BINS];
  TbCaptureRecord record
      = { .time = now, .type = TB_CAPTURE_LATENCY_BINS, .cpu = TB_CAPTURE_CPU_NONE };
  uint32_t zero = 0, n = 0;
  uint64_t calls = 0;

  if (tb_agent_bpf_map_get (self->maps.bins, &zero, self->bins) != 0)
    return;
  self->entered = 0;
  for (uint32_t cpu = 0; cpu < agent->header.n_cpus; cpu++)
    self->entered += self->bins[cpu].entered;
  for (uint32_t bin = 0; bin < TB_BPF_LATENCY_BINS; bin++)
    {
      uint64_t count = 0, total = 0;

      for (uint32_t cpu = 0; cpu < agent->header.n_cpus; cpu++)
        {
          count += self->bins[cpu].counts[bin];
          total += self->bins[cpu].totals[bin];
        }
      if (count == 0)
        continue;
      words[3 * n] = bin;
      words[3 * n + 1] = count;
      words[3 * n++ + 2] = total;
      calls += count;
    }
  if (calls == self->sent_bins)
    return;
  self->sent_bins = calls;
  record.latency_bins.n = n;
  record.tail = (const uint8_t *) words;
  record.tail_length = n * 24;
  tb_agent_output_put (agent->output, &record);
}

static TbBpfLatencyCounter
subtract (const TbBpfLatencyCounter *now, const TbBpfLatencyCounter *before)
{
  return (TbBpfLatencyCounter) { .calls = now->calls - before->calls,
                                 .maxcount = now->maxcount - before->maxcount,
                                 .self_maxcount = now->self_maxcount - before->self_maxcount,
                                 .total = now->total - before->total,
                                 .self_total = now->self_total - before->self_total,
                                 .entered = now->entered - before->entered };
}

static int
emit_counters (TbAgent *agent, uint64_t now)
{
  TbAgentLatency *self = agent->latency;
  int any = 0;

  for (uint32_t node = 0; node < TB_BPF_LATENCY_NODES; node++)
    {
      TbBpfLatencyCounter value = subtract (&self->counters[node], &self->start_counters[node]);
      TbCaptureRecord record
          = { .time = now, .type = TB_CAPTURE_LATENCY_COUNTER, .cpu = TB_CAPTURE_CPU_NONE };

      if (memcmp (&value, &self->sent_counters[node], sizeof value) == 0)
        continue;
      self->sent_counters[node] = value;
      record.latency_counter
          = (TbCaptureLatencyCounter) { value.calls, value.maxcount,         value.self_maxcount,
                                        value.total, value.self_total,       value.entered,
                                        node,        self->generations[node] };
      tb_agent_output_put (agent->output, &record);
      any = 1;
    }
  return any;
}

static int
emit_new_callees (TbAgent *agent, uint64_t now)
{
  TbAgentLatency *self = agent->latency;
  uint64_t n = __atomic_load_n (&self->new_callees->n, __ATOMIC_ACQUIRE),
           before = self->sent_new_callees;

  for (; self->sent_new_callees < n && self->sent_new_callees < TB_BPF_LATENCY_NEW_CALLEES;
       self->sent_new_callees++)
    {
      const TbBpfLatencyNewCallee *new = &self->new_callees->callees[self->sent_new_callees];
      TbCaptureRecord record
          = { .time = now, .type = TB_CAPTURE_LATENCY_CALLEE, .cpu = TB_CAPTURE_CPU_NONE };

      if (__atomic_load_n (&new->is_written, __ATOMIC_ACQUIRE) == 0)
        break;
      if (new->callee.site != 0 && new->callee.target >> 63 != 0)
        tb_agent_latency_emit_code (agent, NULL, new->callee.target);
      record.latency_callee = (TbCaptureLatencyCallee) { new->callee.target, new->callee.node,
                                                         new->callee.site, (int32_t) new->pid };
      tb_agent_output_put (agent->output, &record);
    }
  return self->sent_new_callees > before;
}

/* Returns 0 if the source is not complete yet. */
static int
emit_source (TbAgent *agent, uint32_t index, uint64_t now)
{
  const TbBpfLatencySource *source = &agent->latency->shared->sources[index];
  uint64_t key = __atomic_load_n (&source->key, __ATOMIC_ACQUIRE) - 1;
  uint64_t count = __atomic_load_n (&source->count, __ATOMIC_RELAXED);
  TbCaptureRecord record
      = { .time = now, .type = TB_CAPTURE_LATENCY_SOURCE, .cpu = TB_CAPTURE_CPU_NONE };

  if (key == UINT64_MAX)
    return 0;
  record.latency_source = (TbCaptureLatencySource) {
    index + 2, (uint32_t) (key >> 32), (uint32_t) key,
    count > 0 && now > source->since ? (now - source->since) / count * agent->header.n_cpus : 0
  };
  record.tail = (const uint8_t *) source->name;
  record.tail_length = (uint32_t) strnlen (source->name, sizeof source->name);
  tb_agent_output_put (agent->output, &record);
  return 1;
}

/* again: also send the sources sent before, because their rate may have changed. */
static int
emit_sources (TbAgent *agent, uint64_t now, int again)
{
  TbAgentLatency *self = agent->latency;
  uint32_t before = self->sent_sources;

  for (uint32_t i = 0; again && i < before; i++)
    emit_source (agent, i, now);
  while (self->sent_sources < self->shared->n_sources && self->sent_sources < TB_BPF_LATENCY_SOURCES
         && emit_source (agent, self->sent_sources, now))
    self->sent_sources++;
  return self->sent_sources > before;
}

/* The kernel skips a program that is already running on the CPU. */
static uint64_t
count_missed (const TbAgent *agent)
{
  return tb_agent_bpf_object_count_missed (agent->latency->object)
         - agent->latency->missed_at_start;
}

void
tb_agent_latency_emit_records (TbAgent *agent, int with_bins)
{
  TbAgentLatency *self = agent->latency;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_STATE, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureLatencyState state;
  int any;

  record.time = tb_agent_now ();
  if (with_bins)
    {
      emit_bins (agent, record.time);
      self->missed = count_missed (agent);
    }
  state = (TbCaptureLatencyState) { self->shared->calls,
                                    self->shared->abandoned,
                                    self->shared->full,
                                    self->entered,
                                    self->shared->cut,
                                    self->missed,
                                    self->shared->n_other_clients };
  any = emit_sources (agent, record.time, with_bins);
  any |= emit_new_callees (agent, record.time);
  any |= emit_counters (agent, record.time);
  tb_agent_latency_slow_calls_emit (&self->slow, agent, self->shared);
  tb_agent_latency_samples_emit (&self->places, agent, self->maps.places);
  /* The client waits a fixed time for samples, so the state is sent even if there are none. */
  any |= self->places.clocks != NULL;
  if (!any && memcmp (&state, &self->sent_state, sizeof state) == 0)
    return;
  self->sent_state = state;
  record.latency_state = state;
  tb_agent_output_put (agent->output, &record);
}
