/* tb-agent-bpf-memory.c: where memory was allocated in which threads wait for locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>

#include "agent/bpf/tb-bpf-memory.h"
#include "agent/tb-agent-bpf-private.h"

int
tb_agent_bpf_add_memory_mark (TbAgent *self, const TbCaptureRecord *wanted, char *text, size_t size)
{
  const TbCaptureMarkAdd *mark = &wanted->mark_add;
  TbAgentMemoryPrograms programs;
  TbAgentBpfObject *object;

  if (mark->pid <= 0)
    {
      snprintf (text, size, "it does not say where");
      return -1;
    }
  /* A breakpoint in the library would be one in the processes of others too. */
  if (!self->system_allowed)
    {
      snprintf (text, size, "only where all processes may be seen functions that allocate are probed");
      return -1;
    }
  object = tb_agent_bpf_get_probe_object (self, &tb_agent_bpf_memory, text, size);
  if (object == NULL)
    return -1;
  if (object->links[0] == 0 && tb_agent_bpf_object_attach (object, text, size) != 0)
    return -1;
  /* In the order in which they are in their file. */
  programs = (TbAgentMemoryPrograms) { object->programs[0], object->programs[1] };
  return tb_agent_memory_add (&self->bpf->memory, &programs, mark, wanted->tail, wanted->tail_length, text,
                              size);
}

void
tb_agent_bpf_tell_crowded_memory (TbAgent *self)
{
  int64_t kept = 0;

  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    kept += self->bpf->kernel_cpus[cpu].kept_blocks;
  if (kept > TB_BPF_MAX_BLOCKS)
    tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_MARKS,
                                "Of %lld allocations that were not freed, at least %lld were let go, as "
                                "there is room for %u: locks in "
                                "those are called by who waits for them. Record fewer processes.",
                                (long long) kept, (long long) kept - TB_BPF_MAX_BLOCKS, TB_BPF_MAX_BLOCKS);
}
