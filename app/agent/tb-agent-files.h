/* tb-agent-files.h: where files lie that the kernel names by device and inode
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-bpf-sources.h"
#include "agent/tb-agent-map.h"
#include "agent/tb-agent-output.h"

/* Zeroed memory knows none. */
typedef struct
{
  TbAgentMap paths; /* of the file's id → string */
  struct TbAgentMount *mounts;
  size_t n_mounts;
  uint64_t read_time; /* of mounts */
} TbAgentFiles;

/* The names of a file and of the folders it lies in, innermost first, each with its NUL, up to the root of its file system; pid:
 * one process that may see it. */
void tb_agent_files_add (TbAgentFiles *self,
                         TbAgentOutput *output,
                         const TbBpfFileId *id,
                         const char *names,
                         size_t length,
                         int deleted,
                         int32_t pid);
/* The string, 0 if it is not known. */
uint32_t tb_agent_files_get (const TbAgentFiles *self, const TbBpfFileId *id);
void tb_agent_files_clear (TbAgentFiles *self);

/* Where the path in a file system is to be found, by the text of a mountinfo file; 0 if it is nowhere there. */
int
tb_agent_files_locate (const char *mountinfo, uint32_t device, const char *path, char *place, size_t size);
