/* tb-agent-latency.c: latency measurement of one function and its callees
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/probes/tb-agent-kernel-probe.h"
#include "agent/probes/tb-agent-instructions.h"
#include "agent/latency/tb-agent-latency-kernel.h"
#include "agent/latency/tb-agent-latency-private.h"
#include "agent/probes/tb-agent-probes.h"

#define ROUNDS_PER_BINS 5
#define MIN_INTERVAL 1000000u /* ns */
#define MAX_INTERVAL 20000000u

_Static_assert (TB_CAPTURE_LATENCY_MAX_BINS == TB_BPF_LATENCY_BINS, "bins");
_Static_assert (TB_CAPTURE_LATENCY_MAX_NODES == TB_BPF_LATENCY_NODES, "nodes");
_Static_assert (TB_CAPTURE_LATENCY_MAX_SITES == TB_BPF_LATENCY_SITES, "sites");
_Static_assert (TB_CAPTURE_LATENCY_DISTURBANCES == TB_BPF_LATENCY_DISTURBANCES, "disturbances");
_Static_assert (TB_CAPTURE_LATENCY_SYSCALL == TB_BPF_LATENCY_CALL, "targets");
_Static_assert ((int) TB_CAPTURE_LATENCY_PHASE_BEGINS == TB_BPF_LATENCY_PHASE_BEGINS, "flags");
_Static_assert ((int) TB_CAPTURE_LATENCY_PHASE_ENDS == TB_BPF_LATENCY_PHASE_ENDS, "flags");
_Static_assert ((int) TB_CAPTURE_LATENCY_SAMPLED == TB_BPF_LATENCY_IS_NARROWED, "flags");
_Static_assert ((int) TB_CAPTURE_LATENCY_OF_CLIENTS == TB_BPF_LATENCY_OF_CLIENTS, "flags");
_Static_assert (TB_CAPTURE_LATENCY_MAX_CLIENTS == TB_BPF_LATENCY_CLIENTS, "clients");
_Static_assert (TB_CAPTURE_LATENCY_MAX_PHASE == TB_BPF_LATENCY_PHASE, "phases");
_Static_assert (TB_CAPTURE_LATENCY_WAIT == TB_BPF_LATENCY_WAIT, "targets");

/* Maps */

static void *
map_memory (int fd, size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

static void
unmap_all (TbAgentLatency *self)
{
  if (self->shared != NULL)
    munmap (self->shared, sizeof *self->shared);
  if (self->counters != NULL)
    munmap (self->counters, TB_BPF_LATENCY_NODES * sizeof *self->counters);
  if (self->new_callees != NULL)
    munmap (self->new_callees, sizeof *self->new_callees);
  if (self->slow.calls != NULL)
    munmap (self->slow.calls, sizeof *self->slow.calls);
}

/* Returns 0 if the maps cannot be mapped. */
static int
map_all (TbAgentLatency *self, const TbAgentBpfObject *object)
{
  self->object = object;
  tb_agent_bpf_latency_get_maps (object, &self->maps);
  tb_agent_bpf_latency_get_programs (object, &self->probes.programs);
  self->shared = map_memory (self->maps.shared, sizeof *self->shared);
  self->counters = map_memory (self->maps.counters, TB_BPF_LATENCY_NODES * sizeof *self->counters);
  self->new_callees = map_memory (self->maps.new_callees, sizeof *self->new_callees);
  self->slow.calls = map_memory (self->maps.slow, sizeof *self->slow.calls);
  self->slow.n_sent = 0;
  return self->shared != NULL && self->counters != NULL && self->new_callees != NULL
         && self->slow.calls != NULL;
}

static void
clear (TbAgentLatency *self)
{
  tb_agent_latency_probes_clear (&self->probes);
  tb_agent_latency_samples_stop (&self->places);
  for (unsigned i = 0; i < TB_AGENT_LATENCY_N_EVENTS; i++)
    if (self->events[i] > 0)
      close (self->events[i]);
  unmap_all (self);
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

static TbAgentLatency *
make (TbAgent *agent, const TbAgentBpfObject *object)
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
  if (map_all (self, object))
    return self;
  clear (self);
  return NULL;
}

/* Attaches a kernel event that the measurement needs. Switches and interrupts are attached only
 * when a peak is examined. */
static void
attach_event (TbAgentLatency *self, TbAgentLatencyEvent event)
{
  if (self->events[event] <= 0)
    self->events[event] = tb_agent_bpf_latency_attach (self->object, event);
}

/* Cost */

static int
is_last_stepped (const TbAgentLatency *self)
{
  const TbAgentPending *pending = &self->probes.pending[self->probes.n_pending - 1];

  return pending->file >= 0
         && !tb_agent_instructions_are_cheap (pending->file, pending->wanted.offset);
}

/* Additional cost of the last probe if its instruction is single-stepped */
static uint64_t
find_extra_cost (const TbAgentLatency *self)
{
  return is_last_stepped (self) && self->cost.stepped > self->cost.site
             ? self->cost.stepped - self->cost.site
             : 0;
}

/* The cost of single-stepping was not measured. It may be the largest part of a probe's cost, which
 * is then unknown. */
static int
is_extra_unknown (const TbAgentLatency *self)
{
  return is_last_stepped (self) && self->cost.stepped == 0;
}

static void
put_site (TbAgentLatency *self, const TbCaptureLatencyProbe *wanted, TbBpfLatencySite *site)
{
  site->cost = (uint32_t) (self->cost.site + find_extra_cost (self));
  tb_agent_bpf_map_put (self->maps.sites, &wanted->site, site);
}

/* The part of the two probes of a call that its latency contains: the time after the clock is read
 * at the entry, and before it is read at the end. If the end is seen at the last instruction, that
 * part is as much as one probe takes. */
static void
choose_cost (TbAgentLatency *self)
{
  const TbAgentLatencyCost *cost = &self->cost;

  self->f0_cost = *cost;
  if (self->ends_at_last)
    {
      self->f0_cost.floor = cost->site;
      self->f0_cost.call = cost->site > 0 ? 2 * cost->site + self->extra_at_last : 0;
    }
  if (self->is_extra_unknown)
    self->f0_cost.floor = self->f0_cost.call = 0;
  if (self->f0_cost.floor > 0)
    self->f0_cost.floor += self->extra_at_entry;
  if (self->f0_cost.call > 0)
    self->f0_cost.call += self->extra_at_entry;
  self->shared->floor = (uint32_t) self->f0_cost.floor;
  self->shared->nested = (uint32_t) self->f0_cost.call;
}

static void
emit_cost (TbAgent *agent)
{
  const TbAgentLatencyCost *cost = &agent->latency->f0_cost;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_COST, .cpu = TB_CAPTURE_CPU_NONE };

  choose_cost (agent->latency);
  record.time = tb_agent_now ();
  record.latency_cost
      = (TbCaptureLatencyCost) { cost->call, cost->floor, cost->site, cost->stepped };
  tb_agent_output_put (agent->output, &record);
}

static int
attach_calls (void *data)
{
  TbAgentLatency *self = data;
  int *events = self->events;

  attach_event (self, TB_AGENT_LATENCY_CALL);
  attach_event (self, TB_AGENT_LATENCY_CALL_END);
  return events[TB_AGENT_LATENCY_CALL] > 0 && events[TB_AGENT_LATENCY_CALL_END] > 0 ? 0 : -1;
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

  for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
    {
      attach_event (self, needed[i]);
      if (self->events[needed[i]] <= 0)
        return -1;
    }
  self->has_events = 1;
  return 0;
}

static int
begin (TbAgent *agent, const TbCaptureRecord *record, TbCaptureMessage *answer)
{
  const TbAgentBpfObject *object
      = agent->bpf != NULL ? tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency) : NULL;
  const TbCaptureLatencyStart *wanted = &record->latency_start;
  const uint64_t *edges = (const uint64_t *) (const void *) record->tail;
  uint32_t n = record->tail_length / 8;
  TbAgentLatency *self;

  if (object == NULL || !agent->running)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCIES_NOT_LOADED, 0);
  else if (agent->latency != NULL)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCIES_STARTED, 0);
  else if (wanted->resolution < 1 || wanted->resolution > TB_BPF_LATENCY_MAX_RESOLUTION
           || n != 63 * wanted->resolution + 1 || wanted->merged_bins > wanted->resolution
           || wanted->operation > TB_CAPTURE_LATENCY_OF_REQUESTS)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCY_BINS_WRONG, 0);
  else if ((agent->latency = make (agent, object)) == NULL)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCY_MAPS_NOT_MAPPED, 0);
  if (object == NULL || answer->code != TB_CAPTURE_CODE_NONE)
    return -1;
  self = agent->latency;
  if (wanted->operation == TB_CAPTURE_LATENCY_OF_CALLS)
    measure_cost (agent, wanted->call);
  self->shared->resolution = wanted->resolution;
  self->shared->merged_bins = wanted->merged_bins;
  memcpy (self->shared->edges, edges, n * sizeof *edges);
  self->shared->from_bin = 1;
  self->shared->to_bin = 0;
  self->shared->thread = wanted->thread;
  self->shared->call = wanted->call;
  self->shared->request = wanted->which;
  self->shared->is_request = wanted->operation == TB_CAPTURE_LATENCY_OF_REQUESTS;
  if (self->shared->is_request && attach_requests (self) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_REQUESTS_NOT_WATCHED, errno);
      return -1;
    }
  if (wanted->call != TB_CAPTURE_NO_CALL)
    {
      if (attach_calls (self) != 0)
        {
          TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_SYSCALLS_NOT_WATCHED, errno);
          return -1;
        }
      emit_cost (agent);
    }
  return 0;
}

/* Kernel functions */

/* Uses the object for this one function if the kernel accepts it and the general object is not in
 * use yet. */
static void
choose_programs (TbAgent *agent)
{
  TbAgentLatency *self = agent->latency;
  TbBpfLatencyShared *shared;

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
  shared = tb_agent_allocate (NULL, sizeof *shared);
  *shared = *self->shared;
  unmap_all (self);
  if (map_all (self, &self->kernel_object))
    self->probes.traced = self->kernel_function;
  else
    {
      unmap_all (self);
      map_all (self, tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency));
    }
  *self->shared = *shared;
  free (shared);
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

static void
take_kernel_function (TbAgent *agent, const uint8_t *name, size_t length)
{
  TbAgentLatency *self = agent->latency;

  if (self->kernel_function != NULL)
    return;
  self->kernel_function = strndup ((const char *) name, length);
  choose_programs (agent);
  measure_kernel_cost (agent);
}

/* Function tree */

static int
put_node (TbAgentLatency *self, const TbCaptureLatencyNode *wanted, TbCaptureMessage *answer)
{
  TbBpfLatencyNode node = { .parent = wanted->parent,
                            .first_child = wanted->first_child,
                            .function = wanted->function,
                            .flags = wanted->flags
                                     & (TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_DISTURBANCE
                                        | TB_CAPTURE_LATENCY_SAMPLED),
                            .disturbances = wanted->disturbances };
  TbBpfLatencyCallee callee = { wanted->parent, wanted->site, wanted->target };

  if (wanted->id >= TB_BPF_LATENCY_NODES || wanted->parent >= TB_BPF_LATENCY_NODES
      || wanted->first_child >= TB_BPF_LATENCY_NODES
      || wanted->disturbances > TB_BPF_LATENCY_NODES - TB_BPF_LATENCY_DISTURBANCES)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_NO_SUCH_NODES, 0);
      return -1;
    }
  if ((wanted->flags & TB_CAPTURE_LATENCY_RESET) != 0)
    {
      self->generations[wanted->id]++;
      __atomic_store_n (&self->counters[wanted->id].since, UINT64_MAX, __ATOMIC_RELEASE);
      self->start_counters[wanted->id] = self->counters[wanted->id];
      memset (&self->sent_counters[wanted->id], 0, sizeof self->sent_counters[wanted->id]);
    }
  tb_agent_bpf_map_put (self->maps.nodes, &wanted->id, &node);
  if (wanted->target != 0 && tb_agent_bpf_map_put (self->maps.callees, &callee, &wanted->id) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_TOO_MANY_CALLEES, 0);
      return -1;
    }
  if ((wanted->flags & TB_CAPTURE_LATENCY_RESET) != 0)
    __atomic_store_n (&self->counters[wanted->id].since, tb_agent_now (), __ATOMIC_RELEASE);
  return 0;
}

/* The process that gets the probes; 0: all processes; -1 with the reason: none is permitted */
static int32_t
choose_traced (const TbAgent *agent, int32_t pid, TbCaptureMessage *answer)
{
  if (agent->start.scope == TB_CAPTURE_SCOPE_PROCESS)
    return agent->start.pid;
  if (agent->system_allowed)
    return 0;
  if ((pid <= 0 || tb_agent_tasks_belongs_to_caller (agent, pid)) && agent->start.pid > 0)
    return agent->start.pid;
  TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_PROBED_PROCESS_FOREIGN, 0,
                          TB_CAPTURE_SIGNED_NUMBER (pid));
  return -1;
}

/* From now on only calls within phases count. A thread that exits or executes another program
 * leaves its phase. */
static void
watch_phases (TbAgent *agent)
{
  attach_event (agent->latency, TB_AGENT_LATENCY_EXIT);
  attach_event (agent->latency, TB_AGENT_LATENCY_EXEC);
  agent->latency->shared->only_phases = 1;
}

/* From now on only calls that serve a client on the chosen path count. */
static int
watch_clients (TbAgent *agent, const TbCaptureLatencyClients *wanted, TbCaptureMessage *answer)
{
  static const TbAgentLatencyEvent needed[]
      = { TB_AGENT_LATENCY_SWITCH, TB_AGENT_LATENCY_WAKING, TB_AGENT_LATENCY_CALL };
  TbAgentLatency *self = agent->latency;

  if (wanted->n > TB_BPF_LATENCY_CLIENTS || (wanted->n == 0 && wanted->call == TB_CAPTURE_NO_CALL))
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_NO_SUCH_CLIENTS, 0);
      return -1;
    }
  for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
    {
      attach_event (self, needed[i]);
      if (self->events[needed[i]] <= 0)
        {
          TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_WAKINGS_NOT_WATCHED, errno);
          return -1;
        }
    }
  self->shared->n_clients = wanted->n;
  self->shared->clients_call = wanted->call;
  self->shared->clients_state = wanted->state;
  self->shared->clients_from = wanted->from;
  self->shared->clients_to = wanted->to;
  self->shared->has_clients = 1;
  return 0;
}

/* The probes of the path are detached one after another. A thread that leaves the path at a
 * location without its probe would seem to be on the path for ever. So no thread counts as on the
 * path from before the first detachment. */
static void
deactivate_path (TbAgentLatency *self)
{
  if (self->shared->n_clients > 0)
    self->shared->n_clients = UINT32_MAX;
}

/* Edges of f0 */

static void
remember_edge (TbAgentLatency *self, const TbCaptureLatencyProbe *wanted)
{
  if (self->n_edges < TB_AGENT_LATENCY_MAX_EDGES)
    self->edges[self->n_edges++]
        = (TbAgentLatencyEdge) { wanted->device, wanted->inode, wanted->offset, wanted->kind };
}

/* Marks of phases and entries of client functions are sites too, but not calls. */
static int
is_call_site (const TbCaptureLatencyProbe *wanted)
{
  return (wanted->flags
          & (TB_CAPTURE_LATENCY_PHASE_BEGINS | TB_CAPTURE_LATENCY_PHASE_ENDS
             | TB_CAPTURE_LATENCY_OF_CLIENTS))
         == 0;
}

/* A call that begins at an edge of f0 begins with f0, and one that ends there ends with it, so a
 * probe of its own would only add cost. Returns 0 if the site is no edge. */
static int
join_edge (TbAgentLatency *self, const TbCaptureLatencyProbe *wanted, TbBpfLatencySite *site)
{
  for (unsigned i = 0; i < self->n_edges; i++)
    {
      const TbAgentLatencyEdge *edge = &self->edges[i];

      if (edge->offset != wanted->offset || edge->inode != wanted->inode
          || edge->device != wanted->device)
        continue;
      if (edge->kind == TB_CAPTURE_LATENCY_ENTRY)
        {
          site->cost = (uint32_t) (self->cost.site + self->extra_at_entry);
          tb_agent_bpf_map_put (self->maps.sites, &wanted->site, site);
          self->entry_site = wanted->site + 1;
          self->entry_group = wanted->group;
        }
      return 1;
    }
  return 0;
}

/* The cost of the shared probe is charged to the site. */
static void
open_entry_site (TbAgentLatency *self, uint32_t site)
{
  TbBpfLatencyShared *shared = self->shared;
  uint64_t cost = site != 0 ? self->cost.site + self->extra_at_entry : 0;

  shared->floor = (uint32_t) (self->f0_cost.floor > cost ? self->f0_cost.floor - cost : 0);
  shared->nested = (uint32_t) (self->f0_cost.call > cost ? self->f0_cost.call - cost : 0);
  shared->entry_site = site;
}

/* To be called after a group was attached or detached. */
static void
change_entry_site (TbAgentLatency *self, uint32_t group, int is_in)
{
  int is_its = self->entry_site != 0 && self->entry_group == group;

  if (is_in && is_its)
    {
      self->open_group = group;
      open_entry_site (self, self->entry_site);
    }
  else if (group == self->open_group)
    open_entry_site (self, 0);
  if (is_its)
    self->entry_site = 0;
}

static int
add_probe (TbAgent *agent, const TbCaptureRecord *record, TbCaptureMessage *answer)
{
  const TbCaptureLatencyProbe *wanted = &record->latency_probe;
  TbAgentLatency *self = agent->latency;
  TbBpfLatencySite site = { .function = wanted->function,
                            .index = wanted->index,
                            .flags = wanted->flags,
                            .height = wanted->height };

  if (wanted->kind == TB_CAPTURE_LATENCY_SITE || wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE)
    {
      site.flags &= ~(uint32_t) TB_BPF_LATENCY_IN_KERNEL;
      site.flags |= wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE ? TB_BPF_LATENCY_IN_KERNEL : 0;
      if (wanted->site >= TB_BPF_LATENCY_SITES || wanted->index >= TB_BPF_LATENCY_NODES
          || !tb_agent_probes_translate_operand (wanted->operand, wanted->value, 0, &site.target))
        {
          TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_NO_SUCH_OPERAND, 0);
          return -1;
        }
    }
  if ((wanted->kind == TB_CAPTURE_LATENCY_KERNEL || wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE)
      && !agent->system_allowed)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_KERNEL_NEEDS_SYSTEM, 0);
      return -1;
    }
  if (choose_traced (agent, wanted->pid, answer) < 0)
    return -1;
  if (wanted->kind == TB_CAPTURE_LATENCY_SITE && is_call_site (wanted)
      && join_edge (self, wanted, &site))
    return 0;
  if (tb_agent_latency_probes_add (&self->probes, wanted, record->tail, record->tail_length, answer)
      != 0)
    return -1;
  switch (wanted->kind)
    {
    case TB_CAPTURE_LATENCY_ENTRY:
      self->extra_at_entry = find_extra_cost (self);
      self->is_extra_unknown |= is_extra_unknown (self);
      remember_edge (self, wanted);
      break;
    case TB_CAPTURE_LATENCY_LAST:
      self->extra_at_last = find_extra_cost (self);
      self->is_extra_unknown |= is_extra_unknown (self);
      self->ends_at_last = 1;
      remember_edge (self, wanted);
      break;
    case TB_CAPTURE_LATENCY_SITE:
      put_site (self, wanted, &site);
      if ((wanted->flags & (TB_CAPTURE_LATENCY_PHASE_BEGINS | TB_CAPTURE_LATENCY_PHASE_ENDS)) != 0)
        watch_phases (agent);
      break;
    case TB_CAPTURE_LATENCY_KERNEL:
      take_kernel_function (agent, record->tail, record->tail_length);
      break;
    case TB_CAPTURE_LATENCY_KERNEL_SITE:
      tb_agent_bpf_map_put (self->maps.sites, &wanted->site, &site);
      break;
    default:
      break;
    }
  return 0;
}

/* Answers with the kind of probe that f0 has. */
static void
answer_kernel_probe_kind (TbAgent *agent, TbCaptureMessage *answer)
{
  TbAgentLatency *self = agent->latency;
  const TbAgentKernelProbeChoice *choice = &self->probes.choice;

  *answer = choice->answer;
  /* The cost was measured with another kind of probe. */
  if (choice->probe_kind != self->calibrated_kind)
    {
      self->cost = (TbAgentLatencyCost) { 0 };
      emit_cost (agent);
    }
}

/* Replaces the reason that was noted for the group; why NULL: clears it. */
static void
note_broken (TbAgentLatency *self, uint32_t group, const TbCaptureMessage *why)
{
  free (self->broken[group]);
  self->broken[group] = NULL;
  if (why != NULL)
    {
      self->broken[group] = tb_agent_allocate (NULL, sizeof *why);
      *self->broken[group] = *why;
    }
}

static int
attach_group (TbAgent *agent, uint32_t group, TbCaptureMessage *answer)
{
  int32_t traced = choose_traced (agent, 0, answer);

  if (traced < 0)
    return -1;
  if (group == TB_CAPTURE_LATENCY_CLIENTS_GROUP && agent->system_allowed)
    traced = 0;
  if (group < TB_CAPTURE_LATENCY_MAX_GROUPS && agent->latency->broken[group] != NULL)
    {
      *answer = *agent->latency->broken[group];
      note_broken (agent->latency, group, NULL);
      tb_agent_latency_probes_forget (&agent->latency->probes, group);
      return -1;
    }
  /* The cost of the new probes is subtracted from all calls recorded from now on, so it is set
   * first. */
  if (group == 0)
    emit_cost (agent);
  if (tb_agent_latency_probes_attach (&agent->latency->probes, group, traced > 0 ? traced : -1,
                                      answer)
      != 0)
    {
      change_entry_site (agent->latency, group, 0);
      return -1;
    }
  change_entry_site (agent->latency, group, 1);
  if (group == 0 && agent->latency->kernel_function != NULL)
    answer_kernel_probe_kind (agent, answer);
  return 0;
}

static void
answer_read (TbAgent *agent, const TbCaptureRecord *record)
{
  char name[128] = "";

  if (record->tail_length >= sizeof name)
    return;
  if (record->tail_length > 0)
    memcpy (name, record->tail, record->tail_length);
  tb_agent_latency_emit_code (agent, name[0] != '\0' ? name : NULL, record->latency_read.address);
}

static void
set_peak (TbAgent *agent, const TbCaptureLatencyPeak *peak)
{
  TbAgentLatency *self = agent->latency;

  if (peak->from_bin <= peak->to_bin && !self->has_events)
    {
      self->has_events = 1;
      for (TbAgentLatencyEvent event = 0; event < TB_AGENT_LATENCY_N_OF_PEAKS; event++)
        attach_event (self, event);
      /* Interrupts that had begun by then are not counted. */
    }
  self->shared->to_bin = peak->to_bin;
  self->shared->from_bin = peak->from_bin;
}

static void
start_samples (TbAgent *agent)
{
  tb_agent_latency_samples_start (&agent->latency->places, agent->header.n_cpus,
                                  tb_agent_bpf_latency_get_sampler (agent->latency->object));
}

static int
handle_record (TbAgent *self, const TbCaptureRecord *record, TbCaptureMessage *answer)
{
  *answer = (TbCaptureMessage) { 0 };
  if (record->type == TB_CAPTURE_LATENCY_START)
    return begin (self, record, answer);
  if (self->latency == NULL)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCIES_NOT_STARTED, 0);
      return -1;
    }
  switch (record->type)
    {
    case TB_CAPTURE_LATENCY_PROBE:
      /* A failure is reported when its group is attached. */
      if (add_probe (self, record, answer) != 0
          && record->latency_probe.group < TB_CAPTURE_LATENCY_MAX_GROUPS)
        note_broken (self->latency, record->latency_probe.group, answer);
      return 0;
    case TB_CAPTURE_LATENCY_ATTACH:
      return attach_group (self, record->latency_group.group, answer);
    case TB_CAPTURE_LATENCY_DETACH:
      if (record->latency_group.group == 0)
        tb_agent_latency_samples_stop (&self->latency->places);
      change_entry_site (self->latency, record->latency_group.group, 0);
      if (record->latency_group.group == TB_CAPTURE_LATENCY_CLIENTS_GROUP)
        deactivate_path (self->latency);
      tb_agent_latency_probes_detach (&self->latency->probes, record->latency_group.group);
      return 0;
    case TB_CAPTURE_LATENCY_NODE:
      if ((record->latency_node.flags & TB_CAPTURE_LATENCY_SAMPLED) != 0)
        start_samples (self);
      return put_node (self->latency, &record->latency_node, answer);
    case TB_CAPTURE_LATENCY_CLIENTS:
      return watch_clients (self, &record->latency_clients, answer);
    case TB_CAPTURE_LATENCY_READ:
      answer_read (self, record);
      return 0;
    default:
      set_peak (self, &record->latency_peak);
      return 0;
    }
}

uint64_t
tb_agent_latency_get_next_time (const TbAgent *self)
{
  return self->latency != NULL ? self->latency->next_time : UINT64_MAX;
}

/* Looks for news soon after a request or after the first call, because a level may be decided by
 * then and its probes cost time until that is known. The interval then grows up to a limit, so a
 * result arrives after at most twice the time that it took. */
static void
schedule_soon (TbAgentLatency *self)
{
  self->gap = MIN_INTERVAL;
  self->next_time = tb_agent_now () + MIN_INTERVAL;
}

int
tb_agent_latency_handle (TbAgent *self, const TbCaptureRecord *record, TbCaptureMessage *answer)
{
  int result = handle_record (self, record, answer);

  if (self->latency != NULL)
    schedule_soon (self->latency);
  return result;
}

void
tb_agent_latency_emit (TbAgent *self)
{
  TbAgentLatency *latency = self->latency;
  int is_first = latency->sent_bins == 0;

  tb_agent_latency_emit_records (self, is_first || latency->gap < MAX_INTERVAL
                                           || latency->n_rounds++ % ROUNDS_PER_BINS == 0);
  latency->gap = latency->gap < MAX_INTERVAL / 2 ? 2 * latency->gap : MAX_INTERVAL;
  latency->next_time = tb_agent_now () + latency->gap;
  if (is_first && latency->sent_bins != 0)
    schedule_soon (latency);
}

void
tb_agent_latency_stop (TbAgent *self)
{
  if (self->latency == NULL)
    return;
  deactivate_path (self->latency);
  tb_agent_latency_probes_clear (&self->latency->probes);
  tb_agent_latency_samples_stop (&self->latency->places);
  tb_agent_latency_emit_records (self, 1);
}

void
tb_agent_latency_free (TbAgent *self)
{
  if (self->latency != NULL)
    clear (self->latency);
  self->latency = NULL;
}
