/* tb-agent-backend.c: recording backends as tables of functions: BPF programs (perf for mappings),
 * perf events of the system or of own processes; choice of the best one permitted, change to a
 * worse one on request; QUERY and report of losses passed on to it, report of failed stack dumps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/backend/tb-agent-backend.h"
#include "agent/bpf/tb-agent-bpf.h"
#include "agent/cost/tb-agent-cost.h"
#include "agent/latency/tb-agent-latency.h"
#include "agent/perf/tb-agent-perf.h"

/* BPF recordings also use perf for mappings: only perf reports mappings with build IDs as they
 * happen. */
static int
open_bpf (TbAgent *self, TbCaptureMessage *why)
{
  TbCaptureMessage refusal = { 0 }, message;

  if (tb_agent_bpf_open (self, why) != 0)
    return -1;
  if (tb_agent_perf_open (self, &refusal) != 0)
    {
      tb_agent_perf_close (self);
      TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_NO_MAPPINGS, (int) refusal.error);
      tb_capture_message_add_cause (&message, &refusal);
      tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_TASKS,
                                  &message);
    }
  return 0;
}

static int
enable_bpf (TbAgent *self)
{
  return tb_agent_perf_enable (self) == 0 ? tb_agent_bpf_enable (self) : -1;
}

static void
disable_bpf (TbAgent *self)
{
  tb_agent_perf_disable (self);
  tb_agent_latency_stop (self);
  tb_agent_bpf_disable (self);
}

static int
drain_bpf (TbAgent *self)
{
  tb_agent_perf_drain (self);
  return tb_agent_bpf_drain (self);
}

static void
report_losses_of_bpf (TbAgent *self)
{
  tb_agent_perf_report_losses (self);
  tb_agent_bpf_report_losses (self);
}

static const TbAgentBackend bpf_backend = {
  .answer_query = tb_agent_bpf_answer_query,
  .open = open_bpf,
  .enable = enable_bpf,
  .disable = disable_bpf,
  .drain = drain_bpf,
  .report_losses = report_losses_of_bpf,
  .target_changed = tb_agent_bpf_set_target,
  .mapping_changed = tb_agent_bpf_note_mapping,
};

static int
drain_perf (TbAgent *self)
{
  tb_agent_perf_drain (self);
  return 1;
}

/* Of the whole system, or of own processes */
static const TbAgentBackend perf_backend = {
  .answer_query = tb_agent_perf_answer_query,
  .open = tb_agent_perf_open,
  .enable = tb_agent_perf_enable,
  .disable = tb_agent_perf_disable,
  .drain = drain_perf,
  .report_losses = tb_agent_perf_report_losses,
};

void
tb_agent_backend_choose (TbAgent *self)
{
  TbCaptureHeader *header = &self->header;
  TbCaptureMessage why = { 0 };

  if (self->preferred == TB_CAPTURE_BACKEND_BPF)
    {
      self->backend = &bpf_backend;
      header->backend = TB_CAPTURE_BACKEND_BPF;
      if (tb_agent_bpf_can_record (self, &why))
        return;
      tb_agent_refusals_add (self, TB_CAPTURE_BACKEND_BPF, &why);
    }
  self->backend = &perf_backend;
  if (self->preferred != TB_CAPTURE_BACKEND_OWN)
    {
      if (tb_agent_perf_can_record_system (self, &why))
        return;
      tb_agent_refusals_add (self, TB_CAPTURE_BACKEND_PERF, &why);
    }
  header->backend = TB_CAPTURE_BACKEND_OWN;
}

/* A worse backend can be requested only later, after the header was sent. */
int
tb_agent_backend_change (TbAgent *self, unsigned wanted, TbCaptureMessage *why)
{
  TbCaptureStart start = self->start;
  int works;

  if (wanted == 0 || wanted <= self->header.backend)
    return 0;
  self->backend = &perf_backend;
  if (wanted == TB_CAPTURE_BACKEND_PERF)
    {
      works = tb_agent_perf_can_record_system (self, why);
      self->start = start;
      return works ? 0 : -1;
    }
  self->header.backend = TB_CAPTURE_BACKEND_OWN;
  return 0;
}

void
tb_agent_backend_answer_query (TbAgent *self, const TbCaptureQuery *query)
{
  TbCaptureStart start = self->start;
  TbAgentCost cost;

  if (self->running)
    {
      tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_ANSWERED, TB_CAPTURE_SOURCE_NONE,
                                  NULL);
      return;
    }
  self->start = (TbCaptureStart) { .stacks = query->stacks, .frequency = 1000 };
  tb_agent_cost_begin (&cost);
  self->backend->answer_query (self, &cost);
  tb_agent_cost_end (&cost, self->output);
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_ANSWERED, TB_CAPTURE_SOURCE_NONE,
                              NULL);
  self->start = start;
}

/* Reports the stacks that could not be dumped. Their events are not lost. */
static void
report_undone_dumps (TbAgent *self)
{
  TbCaptureRecord record
      = { .time = self->end_time, .type = TB_CAPTURE_DUMP, .cpu = TB_CAPTURE_CPU_NONE };

  tb_agent_stack_dumps_settle (&self->dumps);
  record.dump.tid = record.dump.pid = -1;
  for (uint16_t reason = 0; reason < TB_CAPTURE_N_DUMP_REASONS; reason++)
    {
      uint64_t failed = self->dumps.failed[reason];

      record.flags = reason;
      record.dump.n_failed = failed < UINT32_MAX ? (uint32_t) failed : UINT32_MAX;
      if (failed > 0)
        tb_agent_output_put (self->output, &record);
    }
}

void
tb_agent_backend_report_losses (TbAgent *self)
{
  self->backend->report_losses (self);
  report_undone_dumps (self);
}

void
tb_agent_backend_close (TbAgent *self)
{
  tb_agent_latency_free (self);
  tb_agent_bpf_close (self);
  tb_agent_perf_close (self);
}
