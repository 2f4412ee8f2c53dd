/* fuzz-agent-bpf.c: fuzz target for the agent's reader of records from the ring buffers of its BPF
 * programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-private.h"
#include "capture/tb-capture-decoder.h"
#include "fuzz-target.h"

#define N_CPUS 2
#define MAX_TID 4194304
#define MAX_RECORD 8192u

/* There are no ring buffers here. */
static int
drain (TbAgent *self)
{
  return 1;
}

static const TbAgentBackend backend = { .drain = drain };

/* The output must be a stream that the client accepts, without records from before the start of the
 * recording. */
static void
check_stream (int file, uint64_t start)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  TbCaptureResult result = TB_CAPTURE_MORE;

  if (lseek (file, 0, SEEK_SET) != 0)
    abort ();
  for (;;)
    {
      TbCaptureRecord record;
      size_t space;
      ssize_t got;
      void *to;

      result = tb_capture_decoder_next (decoder, &record);
      if (result == TB_CAPTURE_DAMAGED)
        abort ();
      if (result == TB_CAPTURE_RECORD && record.type >= TB_CAPTURE_SWITCH
          && record.type <= TB_CAPTURE_SYS_CALL && record.time < start)
        abort ();
      if (result != TB_CAPTURE_MORE)
        continue;
      to = tb_capture_decoder_get_space (decoder, &space);
      got = read (file, to, space);
      if (got <= 0)
        break;
      tb_capture_decoder_commit (decoder, (size_t) got);
    }
  if (tb_capture_decoder_has_partial (decoder))
    abort ();
  tb_capture_decoder_free (decoder);
}

static void
clear (TbAgent *agent)
{
  TbAgentMap *const maps[]
      = { &agent->tasks.forked,       &agent->tasks.exited,     &agent->target.outsiders,
          &agent->target.pids,        &agent->target.processes, &agent->sockets,
          &agent->tasks.new_programs, &agent->block_devices };

  for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
    tb_agent_map_clear (maps[i]);
  tb_agent_bpf_stacks_clear (&agent->bpf->stacks);
  tb_agent_files_clear (&agent->bpf->files);
  tb_agent_address_map_clear (&agent->bpf->places);
  tb_agent_sleeps_clear (&agent->bpf->sleeps);
  tb_agent_map_clear (&agent->bpf->unix_names);
  tb_agent_modules_clear (&agent->modules);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static uint64_t record[MAX_RECORD / 8];
  TbAgent *agent = calloc (1, sizeof *agent);
  TbAgentBpf *bpf = calloc (1, sizeof *bpf);
  TbAgentBpfCpu cpus[N_CPUS] = { { .number = 0, .shown = -1 }, { .number = 1, .shown = -1 } };
  int file = memfd_create ("fuzz", MFD_CLOEXEC);
  size_t at = 1;

  if (agent == NULL || bpf == NULL || file < 0)
    abort ();
  agent->header.n_cpus = N_CPUS;
  agent->header.backend = TB_CAPTURE_BACKEND_BPF;
  agent->system_allowed = size > 0 && (data[0] & 1) != 0;
  agent->target.is_filtered = size > 0 && (data[0] & 2) != 0;
  agent->start_time = 1000;
  agent->end_time = INT64_MAX;
  agent->tracefs = -1;
  agent->running = 1;
  agent->bpf = bpf;
  agent->backend = &backend;
  agent->tasks.announced = calloc (1, MAX_TID / 8);
  bpf->cpus = cpus;
  agent->output = tb_agent_output_new (file, SIZE_MAX, 0);
  tb_agent_modules_init (&agent->modules, agent->output);
  tb_agent_output_put_header (agent->output, &agent->header);
  /* Input: { CPU, length in words }, then the record. */
  while (at + 2 <= size)
    {
      TbAgentBpfCpu *cpu = &cpus[data[at] % N_CPUS];
      size_t length = data[at + 1] * 8u;

      at += 2;
      if (length > size - at)
        length = size - at;
      memcpy (record, data + at, length);
      tb_agent_bpf_translate (agent, cpu, (const uint8_t *) record, length);
      at += length;
    }
  tb_agent_output_close (agent->output);
  check_stream (file, agent->start_time);
  close (file);
  clear (agent);
  tb_agent_map_clear (&agent->tasks.unannounced);
  free (agent->tasks.announced);
  free (bpf);
  free (agent);
  return 0;
}
