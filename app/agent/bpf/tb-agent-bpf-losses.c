/* tb-agent-bpf-losses.c: LOST records for skipped runs of BPF programs, as they happen; report at
 * the end of a recording: LOST records for lost events; STATUS records for what was left out on
 * request (short calls, stacks), marks without names, invalid records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/bpf/tb-agent-bpf-private.h"

/* The kernel counts skipped runs without their times: this is how exactly their times are known. */
#define SKIPPED_INTERVAL_NS 100000000u

static void
put_lost (TbAgent *self, uint16_t cpu, uint64_t from, uint64_t to, uint64_t count)
{
  TbCaptureRecord record = { .time = to, .type = TB_CAPTURE_LOST, .cpu = cpu };

  record.lost.count = count;
  record.lost.from = from > self->start_time ? from : self->start_time;
  if (record.lost.from > record.time)
    record.lost.from = record.time;
  self->n_lost += count;
  tb_agent_output_put (self->output, &record);
}

void
tb_agent_bpf_note_skipped (TbAgent *self, uint64_t n_skipped, uint64_t now)
{
  TbAgentSkippedRuns *skipped = &self->bpf->skipped;

  if (n_skipped > skipped->n_reported)
    {
      put_lost (self, TB_CAPTURE_CPU_NONE, skipped->counted_time, now,
                n_skipped - skipped->n_reported);
      skipped->n_reported = n_skipped;
    }
  skipped->counted_time = now;
}

static uint64_t
count_skipped (const TbAgentBpf *bpf)
{
  uint64_t n = 0;

  for (size_t i = 0; i < bpf->n_objects; i++)
    /* Programs that emit no events cannot lose any. */
    if (bpf->objects[i].kind != &tb_agent_bpf_faults
        && bpf->objects[i].kind != &tb_agent_bpf_latency)
      n += tb_agent_bpf_object_count_missed (&bpf->objects[i]);
  return n;
}

void
tb_agent_bpf_check_skipped (TbAgent *self)
{
  uint64_t now = tb_agent_now ();

  if (self->running && now >= self->bpf->skipped.counted_time + SKIPPED_INTERVAL_NS)
    tb_agent_bpf_note_skipped (self, count_skipped (self->bpf), now);
}

/* Sends a warning with a count as its only argument, unless the count is 0. */
static void
warn_of_count (TbAgent *self, TbCaptureSource source, TbCaptureStatusCode code, uint64_t count)
{
  if (count > 0)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WARNING, source,
                                TB_CAPTURE_MESSAGE (code, 0, TB_CAPTURE_NUMBER (count)));
}

/* Reports what was left out because START or a probe requested it. These events do not count as
 * lost. */
static void
report_thinned (TbAgent *self)
{
  uint64_t calls = 0, stacks = 0, probes = 0;

  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    {
      calls += self->bpf->kernel_cpus[cpu].thinned_calls;
      stacks += self->bpf->kernel_cpus[cpu].thinned_stacks;
      probes += self->bpf->kernel_cpus[cpu].thinned_probes;
    }
  if (calls > 0)
    tb_agent_output_put_status (
        self->output, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_SYSCALLS,
        TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SYSCALLS_THINNED, 0, TB_CAPTURE_NUMBER (calls),
                            TB_CAPTURE_NUMBER (self->start.min_syscall_ns)));
  if (stacks > 0)
    tb_agent_output_put_status (
        self->output, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_SYSCALLS,
        TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SYSCALL_STACKS_THINNED, 0, TB_CAPTURE_NUMBER (stacks),
                            TB_CAPTURE_NUMBER ((uint64_t) self->start.stack_interval * 1000)));
  warn_of_count (self, TB_CAPTURE_SOURCE_PROBES, TB_CAPTURE_CODE_CALLS_THINNED, probes);
}

/* Reports by how many stacks unwind tables were used, and how many met code without a table. */
static void
report_repaired (TbAgent *self)
{
  uint64_t repaired = 0, unrepaired = 0;

  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    {
      repaired += self->bpf->kernel_cpus[cpu].repaired_stacks;
      unrepaired += self->bpf->kernel_cpus[cpu].unrepaired_stacks;
    }
  if (self->bpf->tables.words != NULL)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_SCHEDULER,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_STACKS_REPAIRED, 0,
                                                    TB_CAPTURE_NUMBER (repaired),
                                                    TB_CAPTURE_NUMBER (unrepaired)));
}

/* Adds the stacks that could not be dumped. Their events are not lost. */
static void
count_undone_dumps (TbAgent *self)
{
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    {
      self->dumps.failed[TB_CAPTURE_DUMP_NO_ROOM] += self->bpf->kernel_cpus[cpu].full_dumps;
      self->dumps.failed[TB_CAPTURE_DUMP_FOREIGN] += self->bpf->kernel_cpus[cpu].foreign_dumps;
    }
}

void
tb_agent_bpf_report_losses (TbAgent *self)
{
  TbAgentBpf *bpf = self->bpf;

  tb_agent_bpf_emit_open_calls (self);
  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    if (bpf->kernel_cpus[cpu].lost > 0
        && !tb_agent_bpf_was_lost_outside (self, bpf->kernel_cpus[cpu].lost_from, self->end_time))
      put_lost (self, (uint16_t) cpu, bpf->kernel_cpus[cpu].lost_from, self->end_time,
                bpf->kernel_cpus[cpu].lost);
  tb_agent_bpf_note_skipped (self, count_skipped (bpf), self->end_time);
  report_thinned (self);
  report_repaired (self);
  tb_agent_bpf_report_full_memory (self);
  warn_of_count (self, TB_CAPTURE_SOURCE_MARKS, TB_CAPTURE_CODE_MARKS_WITHOUT_NAMES,
                 bpf->n_nameless_marks);
  count_undone_dumps (self);
  tb_agent_bpf_report_counters (self);
  warn_of_count (self, TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_CODE_RECORDS_INVALID,
                 bpf->n_invalid);
  warn_of_count (self, TB_CAPTURE_SOURCE_SCHEDULER, TB_CAPTURE_CODE_STACKS_UNKNOWN,
                 bpf->stacks.n_unknown);
}
