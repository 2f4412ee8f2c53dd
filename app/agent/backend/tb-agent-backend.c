/* tb-agent-backend.c: choice of the best recording backend that this machine permits (BPF programs,
 * perf events, own processes), and delegation to it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-private.h"

static void
add_refusal (TbCaptureHeader *header, TbCaptureBackend backend, const TbCaptureMessage *why)
{
  header->refusals[header->n_refusals++] = (TbCaptureRefusal) { backend, *why };
}

void
tb_agent_list_online_cpus (uint8_t *online, uint32_t n_cpus)
{
  char list[1024] = "0", *at = list;
  int file = open ("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);

  memset (online, 0, n_cpus);
  if (file >= 0)
    {
      ssize_t got = read (file, list, sizeof list - 1);

      if (got > 0)
        list[got] = '\0';
      close (file);
    }
  while (*at >= '0' && *at <= '9')
    {
      unsigned long first = strtoul (at, &at, 10), last = first;

      if (*at == '-')
        last = strtoul (at + 1, &at, 10);
      for (unsigned long cpu = first; cpu <= last && cpu < n_cpus; cpu++)
        online[cpu] = 1;
      if (*at == ',')
        at++;
    }
}

/* Chooses the best backend that works here and is permitted. The header lists the better ones with
 * the reason of refusal. */
void
tb_agent_backend_choose (TbAgent *self)
{
  TbCaptureHeader *header = &self->header;
  TbCaptureMessage why = { 0 };

  if (self->preferred == TB_CAPTURE_BACKEND_BPF)
    {
      header->backend = TB_CAPTURE_BACKEND_BPF;
      if (tb_agent_bpf_can_record (self, &why))
        return;
      add_refusal (header, TB_CAPTURE_BACKEND_BPF, &why);
    }
  if (self->preferred != TB_CAPTURE_BACKEND_OWN)
    {
      if (tb_agent_perf_can_record_system (self, &why))
        return;
      add_refusal (header, TB_CAPTURE_BACKEND_PERF, &why);
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
  if (wanted == TB_CAPTURE_BACKEND_PERF)
    {
      works = tb_agent_perf_can_record_system (self, why);
      self->start = start;
      return works ? 0 : -1;
    }
  self->header.backend = TB_CAPTURE_BACKEND_OWN;
  return 0;
}

const TbCaptureMessage *
tb_agent_backend_get_last_refusal (const TbAgent *self)
{
  const TbCaptureHeader *header = &self->header;

  return header->n_refusals > 0 ? &header->refusals[header->n_refusals - 1].message : NULL;
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
  if (self->header.backend == TB_CAPTURE_BACKEND_BPF)
    tb_agent_bpf_answer_query (self, &cost);
  else
    tb_agent_perf_answer_query (self, &cost);
  tb_agent_cost_end (&cost, self->output);
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_ANSWERED, TB_CAPTURE_SOURCE_NONE,
                              NULL);
  self->start = start;
}

/* BPF recordings also use perf for mappings: only perf reports mappings with build IDs as they
 * happen. */
int
tb_agent_backend_open (TbAgent *self, TbCaptureMessage *why)
{
  TbCaptureMessage refusal = { 0 }, message;

  if (self->header.backend != TB_CAPTURE_BACKEND_BPF)
    return tb_agent_perf_open (self, why);
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

int
tb_agent_backend_enable (TbAgent *self)
{
  if (tb_agent_perf_enable (self) != 0)
    return -1;
  return self->header.backend == TB_CAPTURE_BACKEND_BPF ? tb_agent_bpf_enable (self) : 0;
}

void
tb_agent_backend_disable (TbAgent *self)
{
  tb_agent_perf_disable (self);
  if (self->header.backend == TB_CAPTURE_BACKEND_BPF)
    tb_agent_bpf_disable (self);
}

int
tb_agent_backend_drain (TbAgent *self)
{
  tb_agent_perf_drain (self);
  return self->header.backend == TB_CAPTURE_BACKEND_BPF ? tb_agent_bpf_drain (self) : 1;
}

/* Reports the stacks that could not be dumped. Their events are not lost. */
static void
report_undone_dumps (TbAgent *self)
{
  TbCaptureRecord record
      = { .time = self->end_time, .type = TB_CAPTURE_DUMP, .cpu = TB_CAPTURE_CPU_NONE };

  tb_agent_dumps_settle (&self->dumps);
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
  tb_agent_perf_report_losses (self);
  if (self->header.backend == TB_CAPTURE_BACKEND_BPF)
    tb_agent_bpf_report_losses (self);
  report_undone_dumps (self);
}

void
tb_agent_backend_close (TbAgent *self)
{
  tb_agent_bpf_close (self);
  tb_agent_perf_close (self);
}
