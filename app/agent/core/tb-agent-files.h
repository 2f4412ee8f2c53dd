/* tb-agent-files.h: table of file paths by device and inode: made from the names that BPF programs
 * send and from the mounts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/base/tb-agent-map.h"
#include "agent/bpf/programs/tb-bpf-sources.h"
#include "agent/core/tb-agent-output.h"

/* Zeroed memory is an empty table. */
typedef struct
{
  TbAgentMap paths; /* file id → string id */
  struct TbAgentMount *mounts;
  size_t n_mounts;
  uint64_t read_time; /* when the mounts were read */
} TbAgentFiles;

/* names: the names of a file and of its parent folders, innermost first, each NUL-terminated, up to
 * the root of its file system. pid: a process that may see the file. */
void tb_agent_files_add (TbAgentFiles *self,
                         TbAgentOutput *output,
                         const TbBpfFileId *id,
                         const char *names,
                         size_t length,
                         int deleted,
                         int32_t pid);
/* The string id, 0 if unknown. */
uint32_t tb_agent_files_get (const TbAgentFiles *self, const TbBpfFileId *id);
void tb_agent_files_clear (TbAgentFiles *self);

/* Finds the place of a path of a file system in the mounts of a mountinfo text. Returns 0 if it is
 * not mounted. */
int tb_agent_files_locate (const char *mountinfo,
                           uint32_t device,
                           const char *path,
                           char *place,
                           size_t size);
