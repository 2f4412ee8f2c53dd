/* tb-agent-latency-setup.c: creation and freeing of the state of a latency measurement, with its
 * BPF maps mapped into memory; attaching of single kernel events when they are needed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/latency/tb-agent-latency-private.h"
#include "agent/probes/tb-agent-kernel-probe.h"

static void *
map_memory (int fd, size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

static void
unmap_memory (void *memory, size_t size)
{
  if (memory != NULL)
    munmap (memory, size);
}

static void
unmap (TbBpfLatencyShared *shared,
       TbBpfLatencyCounter *counters,
       TbBpfLatencyNewCallees *new_callees,
       TbBpfLatencySlowCalls *slow)
{
  unmap_memory (shared, sizeof *shared);
  unmap_memory (counters, TB_BPF_LATENCY_NODES * sizeof *counters);
  unmap_memory (new_callees, sizeof *new_callees);
  unmap_memory (slow, sizeof *slow);
}

void
tb_agent_latency_unmap (TbAgentLatency *self)
{
  unmap (self->shared, self->counters, self->new_callees, self->slow.calls);
  self->shared = NULL;
  self->counters = NULL;
  self->new_callees = NULL;
  self->slow.calls = NULL;
}

/* The memory in use is unmapped only after that of the new object is mapped, so that the
 * measurement always has some. */
int
tb_agent_latency_map (TbAgentLatency *self, const TbAgentBpfObject *object)
{
  TbAgentLatencyMaps maps;
  TbBpfLatencyShared *shared;
  TbBpfLatencyCounter *counters;
  TbBpfLatencyNewCallees *new_callees;
  TbBpfLatencySlowCalls *slow;

  tb_agent_bpf_latency_get_maps (object, &maps);
  shared = map_memory (maps.shared, sizeof *shared);
  counters = map_memory (maps.counters, TB_BPF_LATENCY_NODES * sizeof *counters);
  new_callees = map_memory (maps.new_callees, sizeof *new_callees);
  slow = map_memory (maps.slow, sizeof *slow);
  if (shared == NULL || counters == NULL || new_callees == NULL || slow == NULL)
    {
      unmap (shared, counters, new_callees, slow);
      return 0;
    }
  tb_agent_latency_unmap (self);
  self->object = object;
  self->maps = maps;
  tb_agent_bpf_latency_get_programs (object, &self->probes.programs);
  self->shared = shared;
  self->counters = counters;
  self->new_callees = new_callees;
  self->slow.calls = slow;
  self->slow.n_sent = 0;
  return 1;
}

void
tb_agent_latency_destroy (TbAgentLatency *self)
{
  tb_agent_latency_probes_clear (&self->probes);
  tb_agent_latency_samples_stop (&self->places);
  for (unsigned i = 0; i < TB_AGENT_LATENCY_N_EVENTS; i++)
    if (self->events[i] > 0)
      close (self->events[i]);
  tb_agent_latency_unmap (self);
  for (unsigned i = 0; i < TB_CAPTURE_LATENCY_MAX_GROUPS; i++)
    free (self->broken[i]);
  tb_agent_bpf_object_clear (&self->kernel_object);
  free (self->kernel_function);
  free (self->start_counters);
  free (self->sent_counters);
  free (self->bins);
  tb_agent_kernel_code_clear (&self->kernel);
  free (self);
}

TbAgentLatency *
tb_agent_latency_new (TbAgent *agent, const TbAgentBpfObject *object)
{
  size_t n_cpus = agent->header.n_cpus, size = TB_BPF_LATENCY_NODES * sizeof (TbBpfLatencyCounter);
  TbAgentLatency *self = tb_agent_allocate (NULL, sizeof *self);

  memset (self, 0, sizeof *self);
  self->probes.min_kind = tb_agent_kernel_probe_kind_find (agent->kernel_probe_kind);
  self->start_counters = tb_agent_allocate (NULL, size);
  self->sent_counters = tb_agent_allocate (NULL, size);
  self->bins = tb_agent_allocate (NULL, n_cpus * sizeof *self->bins);
  memset (self->start_counters, 0, size);
  memset (self->sent_counters, 0, size);
  if (tb_agent_latency_map (self, object))
    return self;
  tb_agent_latency_destroy (self);
  return NULL;
}

int
tb_agent_latency_attach_event (TbAgentLatency *self, TbAgentLatencyEvent event)
{
  if (self->events[event] <= 0)
    self->events[event] = tb_agent_bpf_latency_attach (self->object, event);
  return self->events[event] > 0 ? 0 : -1;
}
