/* tb-agent-latency-sites.c: client's requests for probes of the measured function (f0), its call
 * sites, phases and clients: check of rights, addition to a group, which is attached later; a site
 * where f0 begins or ends shares the probe of f0; cost of probes that is subtracted from latencies
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/latency/tb-agent-latency-private.h"
#include "agent/probes/tb-agent-instructions.h"
#include "agent/probes/tb-agent-probes.h"

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

/* Sets what the probes of f0 add. floor: the time of a call's own two probes that its latency
 * contains, after the clock is read at the entry and before it is read at the end. call: the time
 * by which both probes of a nested call prolong the outer call. If the end is seen at the last
 * instruction, floor is the cost of one probe. */
static void
set_f0_cost (TbAgentLatency *self)
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

void
tb_agent_latency_emit_cost (TbAgent *agent)
{
  const TbAgentLatencyCost *cost = &agent->latency->f0_cost;
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_COST, .cpu = TB_CAPTURE_CPU_NONE };

  set_f0_cost (agent->latency);
  record.time = tb_agent_now ();
  record.latency_cost
      = (TbCaptureLatencyCost) { cost->call, cost->floor, cost->site, cost->stepped };
  tb_agent_output_put (agent->output, &record);
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

void
tb_agent_latency_change_entry_site (TbAgentLatency *self, uint32_t group, int is_in)
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

/* Probes */

int32_t
tb_agent_latency_choose_traced (const TbAgent *agent, int32_t pid, TbCaptureMessage *answer)
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
  tb_agent_latency_attach_event (agent->latency, TB_AGENT_LATENCY_EXIT);
  tb_agent_latency_attach_event (agent->latency, TB_AGENT_LATENCY_EXEC);
  agent->latency->shared->only_phases = 1;
}

int
tb_agent_latency_add_probe (TbAgent *agent, const TbCaptureRecord *record, TbCaptureMessage *answer)
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
  if (tb_agent_latency_choose_traced (agent, wanted->pid, answer) < 0)
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
      tb_agent_latency_take_kernel_function (agent, record->tail, record->tail_length);
      break;
    case TB_CAPTURE_LATENCY_KERNEL_SITE:
      tb_agent_bpf_map_put (self->maps.sites, &wanted->site, &site);
      break;
    default:
      break;
    }
  return 0;
}
