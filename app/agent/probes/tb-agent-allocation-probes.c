/* tb-agent-allocation-probes.c: probes of functions that allocate and free memory: the client
 * requests each by a message; those of one file are collected and attached together with the last
 * of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs allocate very often. So each function is entered and left through one breakpoint only,
 * and all probes of a file are attached at once.
 */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "agent/bpf/programs/tb-bpf-memory.h"
#include "agent/probes/tb-agent-allocation-probes.h"
#include "agent/probes/tb-agent-instructions.h"
#include "agent/probes/tb-agent-multi-probe.h"
#include "agent/probes/tb-agent-probes.h"

#define MAX_ARGUMENT 2

typedef struct
{
  int file;
  const TbAgentAllocationPrograms *programs;
  const TbAgentAllocationGroup *group;
} Wanted;

/* Entry probes are attached last, so that every recorded allocation has a recorded end. */
static int
attach_group (void *data, TbAgentLinks *links)
{
  const Wanted *wanted = data;
  const TbAgentAllocationGroup *group = wanted->group;
  const TbAgentMultiProbe probes[] = {
    { .program = wanted->programs->on_returned,
      .file = wanted->file,
      .offsets = group->returns,
      .cookies = group->return_cookies,
      .n = group->n_returns,
      .is_return = 1 },
    { .program = wanted->programs->on_called,
      .file = wanted->file,
      .offsets = group->entries,
      .cookies = group->entry_cookies,
      .n = group->n_entries },
  };

  for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++)
    if (probes[i].n > 0 && tb_agent_multi_probe_attach (&probes[i], links) != 0)
      return -1;
  return 0;
}

static int
join_group (TbAgentAllocationGroup *group,
            const TbCaptureMarkAdd *wanted,
            int file,
            TbCaptureMessage *answer)
{
  uint64_t kind = wanted->values[0], argument = wanted->values[1];
  uint64_t offset = tb_agent_instructions_find_entry (file, wanted->offset);

  if (group->n_entries == TB_AGENT_MAX_ALLOCATION_FUNCTIONS
      || (group->n_entries > 0
          && (group->device != wanted->device || group->inode != wanted->inode)))
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_GROUP_NOT_JOINED, 0);
      return -1;
    }
  if (kind == 0 || kind >= TB_CAPTURE_N_MEMORY_KINDS || argument > MAX_ARGUMENT
      || (kind == TB_CAPTURE_MEMORY_ALLOCATES_ARRAY && argument == 0))
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_MARK_WITHOUT_MEANING, 0);
      return -1;
    }
  group->device = wanted->device;
  group->inode = wanted->inode;
  group->entries[group->n_entries] = offset;
  group->entry_cookies[group->n_entries++] = TB_BPF_MEMORY_COOKIE (wanted->id, kind, argument);
  if (kind == TB_CAPTURE_MEMORY_FREES || kind == TB_CAPTURE_MEMORY_CALLS_ALLOCATOR)
    return 0;
  group->returns[group->n_returns] = offset;
  group->return_cookies[group->n_returns++] = wanted->id;
  return 0;
}

int
tb_agent_allocation_probes_add (TbAgentAllocationProbes *self,
                                const TbAgentAllocationPrograms *programs,
                                const TbCaptureMarkAdd *wanted,
                                const uint8_t *build_id,
                                size_t build_id_length,
                                TbCaptureMessage *answer)
{
  int file = tb_agent_probes_open_file (wanted->device, wanted->inode, wanted->offset, wanted->pid,
                                        build_id, build_id_length, answer);
  int result = file >= 0 ? join_group (&self->group, wanted, file, answer) : -1;
  Wanted group = { file, programs, &self->group };

  if (result == 0)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_ALLOCATIONS_PROBED, 0);
  if ((wanted->stack & TB_CAPTURE_MARK_WITH_NEXT) == 0)
    {
      if (file >= 0
          && tb_agent_attach_helper_attach (attach_group, &group, &self->links, NULL, 0) != 0)
        {
          result = -1;
          if (errno == EINVAL || errno == EOPNOTSUPP)
            TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_GROUP_NOT_TAKEN, errno);
          else
            tb_agent_probes_explain (errno, answer);
        }
      self->group = (TbAgentAllocationGroup) { 0 };
    }
  if (file >= 0)
    close (file);
  return result;
}

void
tb_agent_allocation_probes_clear (TbAgentAllocationProbes *self)
{
  tb_agent_attach_helper_detach (&self->links, 1);
  self->group = (TbAgentAllocationGroup) { 0 };
}
