/* tb-agent-latency.c: latency measurement of one function (f0) and its callees: handling of the
 * client's requests (nodes, groups of probes, clients, peak, code), and the times at which results
 * are sent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/latency/tb-agent-latency-private.h"

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
    if (tb_agent_latency_attach_event (self, needed[i]) != 0)
      {
        TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_WAKINGS_NOT_WATCHED, errno);
        return -1;
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
      tb_agent_latency_emit_cost (agent);
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
  int32_t traced = tb_agent_latency_choose_traced (agent, 0, answer);

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
    tb_agent_latency_emit_cost (agent);
  if (tb_agent_latency_probes_attach (&agent->latency->probes, group, traced > 0 ? traced : -1,
                                      answer)
      != 0)
    {
      tb_agent_latency_change_entry_site (agent->latency, group, 0);
      return -1;
    }
  tb_agent_latency_change_entry_site (agent->latency, group, 1);
  if (group == 0 && agent->latency->kernel_function != NULL)
    answer_kernel_probe_kind (agent, answer);
  return 0;
}

/* Without the probes of f0 nothing can be measured: the client may start again, with another f0 or
 * other probes. */
static int
attach_group_or_stop (TbAgent *agent, uint32_t group, TbCaptureMessage *answer)
{
  TbAgentLatency *self = agent->latency;

  if (attach_group (agent, group, answer) == 0)
    {
      self->has_f0 |= group == 0;
      return 0;
    }
  if (group == 0 && !self->has_f0)
    tb_agent_latency_free (agent);
  return -1;
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
        tb_agent_latency_attach_event (self, event);
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
    return tb_agent_latency_start (self, record, answer);
  if (self->latency == NULL)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_LATENCIES_NOT_STARTED, 0);
      return -1;
    }
  switch (record->type)
    {
    case TB_CAPTURE_LATENCY_PROBE:
      /* A failure is reported when its group is attached. */
      if (tb_agent_latency_add_probe (self, record, answer) != 0
          && record->latency_probe.group < TB_CAPTURE_LATENCY_MAX_GROUPS)
        note_broken (self->latency, record->latency_probe.group, answer);
      return 0;
    case TB_CAPTURE_LATENCY_ATTACH:
      return attach_group_or_stop (self, record->latency_group.group, answer);
    case TB_CAPTURE_LATENCY_DETACH:
      if (record->latency_group.group == 0)
        tb_agent_latency_samples_stop (&self->latency->places);
      tb_agent_latency_change_entry_site (self->latency, record->latency_group.group, 0);
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
    tb_agent_latency_destroy (self->latency);
  self->latency = NULL;
}
