/* tb-agent-modules.h: files that processes have mapped as code, with their build IDs, which are
 * read from the ELF files, and the mappings, sent to the capture stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/base/tb-agent-map.h"
#include "agent/core/tb-agent-output.h"

#define TB_AGENT_MAX_BUILD_ID 20

typedef struct
{
  uint64_t key; /* hash of device and inode */
  uint8_t length;
  uint8_t bytes[TB_AGENT_MAX_BUILD_ID];
} TbAgentBuildId;

typedef struct
{
  TbAgentOutput *output;
  TbAgentMap ids; /* hash of a module's identity → index into modules */
  struct TbAgentModule *modules;
  size_t n_modules;
  TbAgentMap build_ids; /* device and inode → index into known */
  TbAgentBuildId *known;
  size_t n_known;
} TbAgentModules;

void tb_agent_modules_init (TbAgentModules *self, TbAgentOutput *output);
void tb_agent_modules_clear (TbAgentModules *self);

/* A mapping of executable memory; build_id NULL: unknown */
void tb_agent_modules_put_mapping (TbAgentModules *self,
                                   uint64_t time,
                                   int32_t pid,
                                   uint64_t start,
                                   uint64_t size,
                                   uint64_t offset,
                                   const char *path,
                                   size_t path_length,
                                   const uint8_t *build_id,
                                   size_t build_id_length);
/* Sends all current mappings of a process, from /proc; -1 if they cannot be read. */
int tb_agent_modules_put_process (TbAgentModules *self, uint64_t time, int32_t pid);

/* Whether a mapping of that name is memory of the process without a file */
int tb_agent_modules_is_anonymous (const char *path, size_t length);

/* The id of a file that a process has mapped from start to end; 0 if there are too many */
uint32_t tb_agent_modules_intern_file (TbAgentModules *self,
                                       int32_t pid,
                                       uint64_t device,
                                       uint64_t inode,
                                       uint64_t start,
                                       uint64_t end,
                                       const char *path);

/* Reads the build ID of an ELF file. Returns its length, 0 if there is none. */
size_t tb_agent_read_build_id (int file, uint8_t build_id[TB_AGENT_MAX_BUILD_ID]);
