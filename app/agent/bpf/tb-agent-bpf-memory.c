/* tb-agent-bpf-memory.c: request for a probe at a memory allocator, which the client sends as a
 * mark: check of the rights, loading of the BPF object (tb-agent-allocation-probes.c attaches the
 * probe); report of allocations without room
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "agent/bpf/programs/tb-bpf-memory.h"
#include "agent/bpf/tb-agent-bpf-private.h"

int
tb_agent_bpf_add_memory_mark (TbAgent *self,
                              const TbCaptureRecord *wanted,
                              TbCaptureMessage *answer)
{
  const TbCaptureMarkAdd *mark = &wanted->mark_add;
  TbAgentAllocationPrograms programs;
  TbAgentBpfObject *object;

  if (mark->pid <= 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION, 0);
      return -1;
    }
  /* A breakpoint in the library would also be one in the processes of other users. */
  if (!self->system_allowed)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_ALLOCATIONS_NEED_SYSTEM, 0);
      return -1;
    }
  object = tb_agent_bpf_get_probe_object (self, &tb_agent_bpf_memory, answer);
  if (object == NULL)
    return -1;
  if (object->links[0] == 0 && tb_agent_bpf_object_attach (object, answer) != 0)
    return -1;
  /* In the order of the programs in their source file */
  programs = (TbAgentAllocationPrograms) { object->programs[0], object->programs[1] };
  return tb_agent_allocation_probes_add (&self->bpf->memory, &programs, mark, wanted->tail,
                                         wanted->tail_length, answer);
}

void
tb_agent_bpf_report_full_memory (TbAgent *self)
{
  int64_t kept = 0;

  for (uint32_t cpu = 0; cpu < self->header.n_cpus; cpu++)
    kept += self->bpf->kernel_cpus[cpu].kept_blocks;
  if (kept > TB_BPF_MAX_BLOCKS)
    tb_agent_output_put_status (
        self->output, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_MARKS,
        TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ALLOCATIONS_DROPPED, 0, TB_CAPTURE_SIGNED_NUMBER (kept),
                            TB_CAPTURE_SIGNED_NUMBER (kept - TB_BPF_MAX_BLOCKS),
                            TB_CAPTURE_NUMBER (TB_BPF_MAX_BLOCKS)));
}
