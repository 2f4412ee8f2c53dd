/* tb-agent-probes.h: probes in programs, by file and offset only
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/bpf/tb-bpf-record.h"
#include "agent/bpf/tb-bpf-sources.h"
#include "agent/tb-agent-shelter.h"
#include "capture/tb-capture-message.h"

#define TB_AGENT_MAX_GROUP 64

/* The programs of a BPF object and its map of filters. */
typedef struct
{
  int on_entry;
  int on_instruction;
  int on_return;
  int filters;
} TbAgentProbePrograms;

/* The program of another, and its map of places. */
typedef struct
{
  int on_mark;
  int on_marks; /* of many places at once */
  int places;
} TbAgentMarkPrograms;

typedef struct TbAgentProbe TbAgentProbe;

/* Marks of one file that go in together, with the last of them. */
typedef struct
{
  uint64_t offsets[TB_AGENT_MAX_GROUP];
  uint64_t ids[TB_AGENT_MAX_GROUP];
  size_t n;
  uint64_t device;
  uint64_t inode;
} TbAgentMarkGroup;

/* Zeroed memory has none. Closing them, by whatever end, takes them out of the programs. */
typedef struct
{
  TbAgentProbe *probes;
  size_t n_probes;
  TbAgentMarkGroup group;
} TbAgentProbes;

/* traced: the process of which calls are recorded, -1: all. The answer is the reason with -1, else what the probe costs. */
int tb_agent_probes_add (TbAgentProbes *self,
                         const TbAgentProbePrograms *programs,
                         const TbCaptureProbeAdd *wanted,
                         int32_t traced,
                         const uint8_t *build_id,
                         size_t build_id_length,
                         TbCaptureMessage *answer);
/* Likewise. everywhere: in every process that maps the file, else only in the one that is named. One that goes in with the next
 * is in when that is; with the last fails what went in with it. */
int tb_agent_probes_add_mark (TbAgentProbes *self,
                              const TbAgentMarkPrograms *programs,
                              const TbCaptureMarkAdd *wanted,
                              const uint8_t *build_id,
                              size_t build_id_length,
                              int everywhere,
                              TbCaptureMessage *answer);
/* -1 if there is none of that id. */
int tb_agent_probes_remove (TbAgentProbes *self, uint32_t id);
void tb_agent_probes_clear (TbAgentProbes *self);

/* The file that the process has mapped executable at the offset, if it is that one; -1 with the reason. */
int tb_agent_probes_open_file (uint64_t device,
                               uint64_t inode,
                               uint64_t offset,
                               int32_t pid,
                               const uint8_t *build_id,
                               size_t build_id_length,
                               TbCaptureMessage *why);
/* One probe with a program, whose cookie is the id, added to the links. -1 with errno. To be called in a shelter. */
int tb_agent_probes_attach (int file,
                            uint64_t offset,
                            int32_t traced,
                            int returns,
                            int program,
                            uint32_t id,
                            TbAgentLinks *links);
/* A program at an event, whose cookie is the id: its link. -1 with errno. */
int tb_agent_probes_link (int event, int program, uint32_t id);
/* A number in a file of the kernel, behind what is before it; -1 there is none. */
long tb_agent_probes_read_number (const char *path, const char *before);
/* Where code of the agent is in its own file; 0 not found. */
uint64_t tb_agent_probes_find_own (const void *code);
/* What an errno means of it. */
void tb_agent_probes_explain (int error, TbCaptureMessage *why);
/* What a probe at an instruction costs. */
void tb_agent_probes_tell_cost (int file, uint64_t offset, TbCaptureMessage *answer);

/* Where the kernel keeps a register of the program that it interrupted, from the number that DWARF has for it. */
uint16_t tb_agent_probes_find_register (unsigned number);
/* Where an operand of the capture stream is found by a probe so many bytes behind the instruction that it is about; 0 if no place can
 * be. */
int tb_agent_probes_translate_operand (uint32_t code, uint64_t value, uint64_t behind, TbBpfOperand *operand);
