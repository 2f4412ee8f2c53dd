/* tb-agent-latency.c: the latencies of one function, and which of its callees make some of its calls slow
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

#include "agent/tb-agent-bpf-private.h"
#include "agent/tb-agent-kernel-code.h"
#include "agent/tb-agent-kernel-probe.h"
#include "agent/tb-agent-latency-cost.h"
#include "agent/tb-agent-latency-places.h"
#include "agent/tb-agent-latency.h"
#include "agent/tb-agent-probes.h"

#define ROUNDS_PER_BINS 5

_Static_assert (TB_CAPTURE_LATENCY_MAX_BINS == TB_BPF_LATENCY_BINS, "bins");
_Static_assert (TB_CAPTURE_LATENCY_MAX_NODES == TB_BPF_LATENCY_NODES, "nodes");
_Static_assert (TB_CAPTURE_LATENCY_MAX_SITES == TB_BPF_LATENCY_SITES, "sites");
_Static_assert (TB_CAPTURE_LATENCY_DISTURBANCES == TB_BPF_LATENCY_DISTURBANCES, "disturbances");
_Static_assert (TB_CAPTURE_LATENCY_SYSCALL == TB_BPF_LATENCY_CALL, "targets");
_Static_assert ((int) TB_CAPTURE_LATENCY_PHASE_BEGINS == TB_BPF_LATENCY_PHASE_BEGINS, "flags");
_Static_assert ((int) TB_CAPTURE_LATENCY_PHASE_ENDS == TB_BPF_LATENCY_PHASE_ENDS, "flags");
_Static_assert ((int) TB_CAPTURE_LATENCY_NARROW == TB_BPF_LATENCY_IS_NARROWED, "flags");
_Static_assert ((int) TB_CAPTURE_LATENCY_OF_CLIENTS == TB_BPF_LATENCY_OF_CLIENTS, "flags");
_Static_assert (TB_CAPTURE_LATENCY_MAX_CLIENTS == TB_BPF_LATENCY_CLIENTS, "clients");
_Static_assert (TB_CAPTURE_LATENCY_MAX_PHASE == TB_BPF_LATENCY_PHASE, "phases");
_Static_assert (TB_CAPTURE_LATENCY_WAIT == TB_BPF_LATENCY_WAIT, "targets");

struct TbAgentLatency
{
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
  int is_seen_at_last;
  int is_of_kernel;
  uint64_t entered; /* as its bins say */
  uint64_t missed;
  uint64_t missed_before; /* it began */
  uint64_t told_bins;     /* calls in them */
  uint64_t told_news;
  uint32_t told_sources;
  char broken[TB_CAPTURE_LATENCY_MAX_GROUPS][160]; /* why a probe of the group cannot be, "" all can */
  TbCaptureLatencyState told_state;
  unsigned n_rounds;
  TbAgentKernelCode kernel;
  TbAgentLatencyPlaces places;
};

/* Maps */

static void *
map_memory (int fd, size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

static void
clear (TbAgentLatency *self)
{
  tb_agent_latency_probes_clear (&self->probes);
  tb_agent_latency_places_stop (&self->places);
  for (unsigned i = 0; i < TB_AGENT_LATENCY_N_EVENTS; i++)
    if (self->events[i] > 0)
      close (self->events[i]);
  if (self->shared != NULL)
    munmap (self->shared, sizeof *self->shared);
  if (self->counters != NULL)
    munmap (self->counters, TB_BPF_LATENCY_NODES * sizeof *self->counters);
  if (self->news != NULL)
    munmap (self->news, sizeof *self->news);
  free (self->base);
  free (self->told);
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
  tb_agent_bpf_latency_get_maps (object, &self->maps);
  tb_agent_bpf_latency_get_programs (object, &self->probes.programs);
  self->base = tb_agent_allocate (NULL, size);
  self->told = tb_agent_allocate (NULL, size);
  self->bins = tb_agent_allocate (NULL, n_cpus * sizeof *self->bins);
  memset (self->base, 0, size);
  memset (self->told, 0, size);
  self->shared = map_memory (self->maps.shared, sizeof *self->shared);
  self->counters = map_memory (self->maps.counters, size);
  self->news = map_memory (self->maps.news, sizeof *self->news);
  if (self->shared != NULL && self->counters != NULL && self->news != NULL)
    return self;
  clear (self);
  return NULL;
}

/* Events of the kernel that go with it; switches and interrupts only once calls are looked into. */
static void
attach_event (TbAgentLatency *self, const TbAgentBpfObject *object, TbAgentLatencyEvent event)
{
  if (self->events[event] <= 0)
    self->events[event] = tb_agent_bpf_latency_attach (object, event);
}

/* What it costs */

/* What a probe takes longer than one of an instruction that need not be single-stepped. */
static uint64_t
find_extra_cost (const TbAgentLatency *self)
{
  const TbAgentPending *pending = &self->probes.pending[self->probes.n_pending - 1];

  if (pending->file < 0 || self->cost.stepped <= self->cost.site
      || tb_agent_probes_is_cheap_at (pending->file, pending->wanted.offset))
    return 0;
  return self->cost.stepped - self->cost.site;
}

static void
put_site (TbAgentLatency *self, const TbCaptureLatencyProbe *wanted, TbBpfLatencySite *site)
{
  site->cost = (uint32_t) (self->cost.site + find_extra_cost (self));
  tb_agent_bpf_map_put (self->maps.sites, &wanted->site, site);
}

/* Of the two probes of a call, what is in its latency: behind the time at its entry, and before that at its end. At its last
 * instruction that is as much as one takes. */
static void
choose_cost (TbAgentLatency *self)
{
  const TbAgentLatencyCost *cost = &self->cost;

  self->of_f0 = *cost;
  /* What was tried out is probes in programs. */
  if (self->is_of_kernel)
    self->of_f0.call = self->of_f0.floor = 0;
  else if (self->is_seen_at_last)
    {
      self->of_f0.floor = cost->site;
      self->of_f0.call = cost->site > 0 ? 2 * cost->site + self->extra_at_last : 0;
    }
  if (self->of_f0.floor > 0)
    self->of_f0.floor += self->extra_at_entry;
  if (self->of_f0.call > 0)
    self->of_f0.call += self->extra_at_entry;
  self->shared->floor = (uint32_t) self->of_f0.floor;
  self->shared->nested = (uint32_t) self->of_f0.call;
}

static void
tell_cost (TbAgent *agent)
{
  const TbAgentLatencyCost *cost = &agent->latency->of_f0;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_COST, .cpu = TB_CAPTURE_CPU_NONE };

  choose_cost (agent->latency);
  record.time = tb_agent_now ();
  record.latency_cost = (TbCaptureLatencyCost) { cost->call, cost->floor, cost->site, cost->stepped };
  tb_agent_output_put (agent->output, &record);
}

typedef struct
{
  TbAgentLatency *latency;
  const TbAgentBpfObject *object;
} Calls;

static int
attach_calls (void *data)
{
  Calls *calls = data;
  int *events = calls->latency->events;

  attach_event (calls->latency, calls->object, TB_AGENT_LATENCY_CALL);
  attach_event (calls->latency, calls->object, TB_AGENT_LATENCY_CALL_END);
  return events[TB_AGENT_LATENCY_CALL] > 0 && events[TB_AGENT_LATENCY_CALL_END] > 0 ? 0 : -1;
}

/* What its own probes take, before there are any of the recorded programs'. */
static void
try_cost (TbAgent *agent, const TbAgentBpfObject *object, uint32_t call)
{
  TbAgentLatency *self = agent->latency;
  const TbAgentLatencyTrial trial = { &self->probes, &self->maps, self->shared, agent->header.n_cpus };
  Calls calls = { self, object };

  if (call != TB_CAPTURE_NO_CALL)
    tb_agent_latency_cost_try_call (&trial, attach_calls, &calls, &self->cost);
  else
    tb_agent_latency_cost_try_function (&trial, &self->cost);
  memset (self->counters, 0, TB_BPF_LATENCY_NODES * sizeof *self->counters);
  self->missed_before = tb_agent_bpf_object_count_missed (object);
}

/* Where f0 is no call but a request to a device: all there is to see of it. */
static int
attach_requests (TbAgentLatency *self, const TbAgentBpfObject *object)
{
  static const TbAgentLatencyEvent needed[]
      = { TB_AGENT_LATENCY_REQUEST_END, TB_AGENT_LATENCY_REQUEST_ISSUED, TB_AGENT_LATENCY_REQUEST };

  for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
    {
      attach_event (self, object, needed[i]);
      if (self->events[needed[i]] <= 0)
        return -1;
    }
  self->has_events = 1;
  return 0;
}

static int
begin (TbAgent *agent, const TbCaptureRecord *record, char *text, size_t size)
{
  const TbAgentBpfObject *object
      = agent->bpf != NULL ? tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency) : NULL;
  const TbCaptureLatencyStart *wanted = &record->latency_start;
  const uint64_t *edges = (const uint64_t *) (const void *) record->tail;
  uint32_t n = record->tail_length / 8;
  TbAgentLatency *self;

  if (object == NULL || !agent->running)
    snprintf (text, size, "the BPF programs for it are not loaded: latencies cannot be looked into");
  else if (agent->latency != NULL)
    snprintf (text, size, "latencies are looked into already: one function at a time");
  else if (wanted->resolution < 1 || wanted->resolution > TB_BPF_LATENCY_MAX_RESOLUTION
           || n != 63 * wanted->resolution + 1 || wanted->alike > wanted->resolution
           || wanted->operation > TB_CAPTURE_LATENCY_OF_REQUESTS)
    snprintf (text, size, "there are not as many bins as the resolution says");
  else if ((agent->latency = make (agent, object)) == NULL)
    snprintf (text, size, "the maps of the BPF programs cannot be seen");
  if (object == NULL || text[0] != '\0')
    return -1;
  self = agent->latency;
  if (wanted->operation == TB_CAPTURE_LATENCY_OF_CALLS)
    try_cost (agent, object, wanted->call);
  self->shared->resolution = wanted->resolution;
  self->shared->alike = wanted->alike;
  memcpy (self->shared->edges, edges, n * sizeof *edges);
  self->shared->from_bin = 1;
  self->shared->to_bin = 0;
  self->shared->thread = wanted->thread;
  self->shared->call = wanted->call;
  self->shared->request = wanted->which;
  self->shared->of_requests = wanted->operation == TB_CAPTURE_LATENCY_OF_REQUESTS;
  if (self->shared->of_requests && attach_requests (self, object) != 0)
    {
      snprintf (text, size, "requests to devices cannot be watched: %s", strerror (errno));
      return -1;
    }
  if (wanted->call != TB_CAPTURE_NO_CALL)
    {
      Calls calls = { self, object };

      if (attach_calls (&calls) != 0)
        {
          snprintf (text, size, "system calls cannot be watched: %s", strerror (errno));
          return -1;
        }
      tell_cost (agent);
    }
  return 0;
}

/* The tree */

static int
put_node (TbAgentLatency *self, const TbCaptureLatencyNode *wanted, char *text, size_t size)
{
  TbBpfLatencyNode node
      = { .parent = wanted->parent,
          .first_child = wanted->first_child,
          .function = wanted->function,
          .flags = wanted->flags
                   & (TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_DISTURBANCE | TB_CAPTURE_LATENCY_NARROW),
          .disturbances = wanted->disturbances };
  TbBpfLatencyCallee callee = { wanted->parent, wanted->site, wanted->target };

  if (wanted->id >= TB_BPF_LATENCY_NODES || wanted->parent >= TB_BPF_LATENCY_NODES
      || wanted->first_child >= TB_BPF_LATENCY_NODES
      || wanted->disturbances > TB_BPF_LATENCY_NODES - TB_BPF_LATENCY_DISTURBANCES)
    {
      snprintf (text, size, "there are no such nodes");
      return -1;
    }
  if ((wanted->flags & TB_CAPTURE_LATENCY_RESET) != 0)
    {
      self->generations[wanted->id]++;
      __atomic_store_n (&self->counters[wanted->id].since, UINT64_MAX, __ATOMIC_RELEASE);
      self->base[wanted->id] = self->counters[wanted->id];
      memset (&self->told[wanted->id], 0, sizeof self->told[wanted->id]);
    }
  tb_agent_bpf_map_put (self->maps.nodes, &wanted->id, &node);
  if (wanted->target != 0 && tb_agent_bpf_map_put (self->maps.callees, &callee, &wanted->id) != 0)
    {
      snprintf (text, size, "there is no room for another callee");
      return -1;
    }
  if ((wanted->flags & TB_CAPTURE_LATENCY_RESET) != 0)
    __atomic_store_n (&self->counters[wanted->id].since, tb_agent_now (), __ATOMIC_RELEASE);
  return 0;
}

/* Whose memory gets the probes; -1 with the reason: nobody's. 0: everybody's */
static int32_t
choose_traced (const TbAgent *agent, int32_t pid, char *text, size_t size)
{
  if (agent->start.scope == TB_CAPTURE_SCOPE_PROCESS)
    return agent->start.pid;
  if (agent->system_allowed)
    return 0;
  if ((pid <= 0 || tb_agent_tasks_is_callers (agent, pid)) && agent->start.pid > 0)
    return agent->start.pid;
  snprintf (text, size, "process %d is not yours", pid);
  return -1;
}

/* From now on calls count only in phases. A thread that is gone has left its phase, too. */
static void
watch_phases (TbAgent *agent)
{
  const TbAgentBpfObject *object = tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency);

  attach_event (agent->latency, object, TB_AGENT_LATENCY_EXIT);
  attach_event (agent->latency, object, TB_AGENT_LATENCY_EXEC);
  agent->latency->shared->phased = 1;
}

/* From now on calls count only that serve others on a path. */
static int
watch_clients (TbAgent *agent, const TbCaptureLatencyClients *wanted, char *text, size_t size)
{
  static const TbAgentLatencyEvent needed[]
      = { TB_AGENT_LATENCY_SWITCH, TB_AGENT_LATENCY_WAKING, TB_AGENT_LATENCY_CALL };
  const TbAgentBpfObject *object = tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency);
  TbAgentLatency *self = agent->latency;

  if (wanted->n > TB_BPF_LATENCY_CLIENTS || (wanted->n == 0 && wanted->call == TB_CAPTURE_NO_CALL))
    {
      snprintf (text, size, "there is no such path of those that are served");
      return -1;
    }
  for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
    {
      attach_event (self, object, needed[i]);
      if (self->events[needed[i]] <= 0)
        {
          snprintf (text, size, "who wakes whom cannot be watched: %s", strerror (errno));
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

static int
add_probe (TbAgent *agent, const TbCaptureRecord *record, char *text, size_t size)
{
  const TbCaptureLatencyProbe *wanted = &record->latency_probe;
  TbAgentLatency *self = agent->latency;
  TbBpfLatencySite site = {
    .function = wanted->function, .index = wanted->index, .flags = wanted->flags, .height = wanted->height
  };

  if (wanted->kind == TB_CAPTURE_LATENCY_SITE || wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE)
    {
      site.flags &= ~(uint32_t) TB_BPF_LATENCY_IN_KERNEL;
      site.flags |= wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE ? TB_BPF_LATENCY_IN_KERNEL : 0;
      if (wanted->site >= TB_BPF_LATENCY_SITES || wanted->index >= TB_BPF_LATENCY_NODES
          || !tb_agent_probes_translate_operand (wanted->operand, wanted->value, &site.target))
        {
          snprintf (text, size, "no place can be found for what it says");
          return -1;
        }
    }
  if ((wanted->kind == TB_CAPTURE_LATENCY_KERNEL || wanted->kind == TB_CAPTURE_LATENCY_KERNEL_SITE)
      && !agent->system_allowed)
    {
      snprintf (text, size, "functions of the kernel may only be seen by who may record the whole system");
      return -1;
    }
  if (choose_traced (agent, wanted->pid, text, size) < 0
      || tb_agent_latency_probes_add (&self->probes, wanted, record->tail, record->tail_length, text, size)
             != 0)
    return -1;
  switch (wanted->kind)
    {
    case TB_CAPTURE_LATENCY_ENTRY:
      self->extra_at_entry = find_extra_cost (self);
      break;
    case TB_CAPTURE_LATENCY_LAST:
      self->extra_at_last = find_extra_cost (self);
      self->is_seen_at_last = 1;
      break;
    case TB_CAPTURE_LATENCY_SITE:
      put_site (self, wanted, &site);
      if ((wanted->flags & (TB_CAPTURE_LATENCY_PHASE_BEGINS | TB_CAPTURE_LATENCY_PHASE_ENDS)) != 0)
        watch_phases (agent);
      break;
    case TB_CAPTURE_LATENCY_KERNEL:
      self->is_of_kernel = 1;
      break;
    case TB_CAPTURE_LATENCY_KERNEL_SITE:
      tb_agent_bpf_map_put (self->maps.sites, &wanted->site, &site);
      break;
    default:
      break;
    }
  return 0;
}

static int
attach_group (TbAgent *agent, uint32_t group, char *text, size_t size)
{
  int32_t traced = choose_traced (agent, 0, text, size);

  if (traced < 0)
    return -1;
  if (group == TB_CAPTURE_LATENCY_CLIENTS_GROUP && agent->system_allowed)
    traced = 0;
  if (group < TB_CAPTURE_LATENCY_MAX_GROUPS && agent->latency->broken[group][0] != '\0')
    {
      snprintf (text, size, "%s", agent->latency->broken[group]);
      agent->latency->broken[group][0] = '\0';
      tb_agent_latency_probes_forget (&agent->latency->probes, group);
      return -1;
    }
  /* Calls that it sees from now on are told without them. */
  if (group == 0)
    tell_cost (agent);
  if (tb_agent_latency_probes_attach (&agent->latency->probes, group, traced > 0 ? traced : -1, text, size)
      != 0)
    return -1;
  /* What else is said of it is how. */
  if (group == 0 && agent->latency->probes.kernel_way != NULL)
    snprintf (text, size, "%s", agent->latency->probes.kernel_way);
  return 0;
}

/* The client disassembles it. What cannot be read, or is not for this user, is not answered. */
static void
tell_code (TbAgent *agent, const char *name, uint64_t address)
{
  TbAgentKernelFunction function;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_CODE, .cpu = TB_CAPTURE_CPU_NONE };
  size_t length;
  uint8_t *tail;

  if (!agent->system_allowed || !tb_agent_kernel_probe_is_possible ()
      || tb_agent_kernel_code_read (&agent->latency->kernel, name, address, TB_CAPTURE_LATENCY_MAX_CODE,
                                    &function)
             != 0)
    return;
  length = strnlen (function.name, 127);
  tail = tb_agent_allocate (NULL, length + function.length);
  memcpy (tail, function.name, length);
  memcpy (tail + length, function.code, function.length);
  record.time = tb_agent_now ();
  record.latency_code = (TbCaptureLatencyCode) { function.address, function.size, (uint32_t) length };
  record.tail = tail;
  record.tail_length = (uint32_t) (length + function.length);
  tb_agent_output_put (agent->output, &record);
  free (tail);
  free (function.code);
}

static void
answer_read (TbAgent *agent, const TbCaptureRecord *record)
{
  char name[128] = "";

  if (record->tail_length >= sizeof name)
    return;
  if (record->tail_length > 0)
    memcpy (name, record->tail, record->tail_length);
  tell_code (agent, name[0] != '\0' ? name : NULL, record->latency_read.address);
}

static void
set_peak (TbAgent *agent, const TbCaptureLatencyPeak *peak)
{
  const TbAgentBpfObject *object = tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency);
  TbAgentLatency *self = agent->latency;

  if (peak->from_bin <= peak->to_bin && !self->has_events)
    {
      self->has_events = 1;
      for (TbAgentLatencyEvent event = 0; event < TB_AGENT_LATENCY_N_OF_PEAKS; event++)
        attach_event (self, object, event);
      /* Interrupts that had begun by then were not counted. */
    }
  self->shared->to_bin = peak->to_bin;
  self->shared->from_bin = peak->from_bin;
}

static void
start_samples (TbAgent *agent)
{
  const TbAgentBpfObject *object = tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency);

  tb_agent_latency_places_start (&agent->latency->places, agent->header.n_cpus,
                                 tb_agent_bpf_latency_get_sampler (object));
}

int
tb_agent_latency_obey (TbAgent *self, const TbCaptureRecord *record, char *text, size_t size)
{
  text[0] = '\0';
  if (record->type == TB_CAPTURE_LATENCY_START)
    return begin (self, record, text, size);
  if (self->latency == NULL)
    {
      snprintf (text, size, "no latencies are looked into");
      return -1;
    }
  switch (record->type)
    {
    case TB_CAPTURE_LATENCY_PROBE:
      /* It is told when its group is to be attached. */
      if (add_probe (self, record, text, size) != 0
          && record->latency_probe.group < TB_CAPTURE_LATENCY_MAX_GROUPS)
        snprintf (self->latency->broken[record->latency_probe.group], sizeof self->latency->broken[0],
                  "%.150s", text);
      return 0;
    case TB_CAPTURE_LATENCY_ATTACH:
      return attach_group (self, record->latency_group.group, text, size);
    case TB_CAPTURE_LATENCY_DETACH:
      if (record->latency_group.group == 0)
        tb_agent_latency_places_stop (&self->latency->places);
      tb_agent_latency_probes_detach (&self->latency->probes, record->latency_group.group);
      return 0;
    case TB_CAPTURE_LATENCY_NODE:
      if ((record->latency_node.flags & TB_CAPTURE_LATENCY_NARROW) != 0)
        start_samples (self);
      return put_node (self->latency, &record->latency_node, text, size);
    case TB_CAPTURE_LATENCY_CLIENTS:
      return watch_clients (self, &record->latency_clients, text, size);
    case TB_CAPTURE_LATENCY_READ:
      answer_read (self, record);
      return 0;
    default:
      set_peak (self, &record->latency_peak);
      return 0;
    }
}

/* Telling */

static void
tell_bins (TbAgent *agent, uint64_t now)
{
  TbAgentLatency *self = agent->latency;
  static uint64_t words[3 * TB_BPF_LATENCY_BINS];
  TbCaptureRecord record = { .time = now, .type = TB_CAPTURE_LATENCY_BINS, .cpu = TB_CAPTURE_CPU_NONE };
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
  if (calls == self->told_bins)
    return;
  self->told_bins = calls;
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
tell_counters (TbAgent *agent, uint64_t now)
{
  TbAgentLatency *self = agent->latency;
  int any = 0;

  for (uint32_t node = 0; node < TB_BPF_LATENCY_NODES; node++)
    {
      TbBpfLatencyCounter value = subtract (&self->counters[node], &self->base[node]);
      TbCaptureRecord record
          = { .time = now, .type = TB_CAPTURE_LATENCY_COUNTER, .cpu = TB_CAPTURE_CPU_NONE };

      if (memcmp (&value, &self->told[node], sizeof value) == 0)
        continue;
      self->told[node] = value;
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
tell_news (TbAgent *agent, uint64_t now)
{
  TbAgentLatency *self = agent->latency;
  uint64_t n = __atomic_load_n (&self->news->n, __ATOMIC_ACQUIRE), before = self->told_news;

  for (; self->told_news < n && self->told_news < TB_BPF_LATENCY_NEWS; self->told_news++)
    {
      const TbBpfLatencyNew *new = &self->news->callees[self->told_news];
      TbCaptureRecord record = { .time = now, .type = TB_CAPTURE_LATENCY_CALLEE, .cpu = TB_CAPTURE_CPU_NONE };

      if (__atomic_load_n (&new->is_written, __ATOMIC_ACQUIRE) == 0)
        break;
      if (new->callee.site != 0 && new->callee.target >> 63 != 0)
        tell_code (agent, NULL, new->callee.target);
      record.latency_callee = (TbCaptureLatencyCallee) { new->callee.target, new->callee.node,
                                                         new->callee.site, (int32_t) new->pid };
      tb_agent_output_put (agent->output, &record);
    }
  return self->told_news > before;
}

/* FALSE: it is not there yet. */
static int
tell_source (TbAgent *agent, uint32_t index, uint64_t now)
{
  const TbBpfLatencySource *source = &agent->latency->shared->sources[index];
  uint64_t key = __atomic_load_n (&source->key, __ATOMIC_ACQUIRE) - 1;
  uint64_t count = __atomic_load_n (&source->count, __ATOMIC_RELAXED);
  TbCaptureRecord record = { .time = now, .type = TB_CAPTURE_LATENCY_SOURCE, .cpu = TB_CAPTURE_CPU_NONE };

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

/* again: also those that were told before, as they come more or less often than then. */
static int
tell_sources (TbAgent *agent, uint64_t now, int again)
{
  TbAgentLatency *self = agent->latency;
  uint32_t before = self->told_sources;

  for (uint32_t i = 0; again && i < before; i++)
    tell_source (agent, i, now);
  while (self->told_sources < self->shared->n_sources && self->told_sources < TB_BPF_LATENCY_SOURCES
         && tell_source (agent, self->told_sources, now))
    self->told_sources++;
  return self->told_sources > before;
}

/* A program that comes upon itself on a cpu is not run by the kernel. */
static uint64_t
count_missed (const TbAgent *agent)
{
  const TbAgentBpfObject *object = tb_agent_bpf_find_object (agent->bpf, &tb_agent_bpf_latency);

  return object != NULL ? tb_agent_bpf_object_count_missed (object) - agent->latency->missed_before : 0;
}

static void
tell (TbAgent *agent, int with_bins)
{
  TbAgentLatency *self = agent->latency;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_STATE, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureLatencyState state;
  int any;

  record.time = tb_agent_now ();
  if (with_bins)
    {
      tell_bins (agent, record.time);
      self->missed = count_missed (agent);
    }
  state = (TbCaptureLatencyState) { self->shared->calls, self->shared->abandoned, self->shared->crowded,
                                    self->entered,       self->shared->cut,       self->missed,
                                    self->shared->others };
  any = tell_sources (agent, record.time, with_bins);
  any |= tell_news (agent, record.time);
  any |= tell_counters (agent, record.time);
  tb_agent_latency_places_tell (&self->places, agent, self->maps.places);
  /* Who waits for samples does so for a time, whether any come or not. */
  any |= self->places.clocks != NULL;
  if (!any && memcmp (&state, &self->told_state, sizeof state) == 0)
    return;
  self->told_state = state;
  record.latency_state = state;
  tb_agent_output_put (agent->output, &record);
}

void
tb_agent_latency_tell (TbAgent *self)
{
  if (self->latency != NULL)
    tell (self, self->latency->n_rounds++ % ROUNDS_PER_BINS == 0);
}

void
tb_agent_latency_stop (TbAgent *self)
{
  if (self->latency == NULL)
    return;
  tb_agent_latency_probes_clear (&self->latency->probes);
  tb_agent_latency_places_stop (&self->latency->places);
  tell (self, 1);
}

void
tb_agent_latency_free (TbAgent *self)
{
  if (self->latency != NULL)
    clear (self->latency);
  self->latency = NULL;
}
