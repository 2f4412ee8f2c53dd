/* tb-agent-probes.h: user probes and marks in programs, given by file and offset: check of the
 * file, attaching one by one or as a group, detaching, answer with the cost or the reason of a
 * failure; also the translation of operands (tb-agent-operands.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/bpf/programs/tb-bpf-record.h"
#include "agent/bpf/programs/tb-bpf-sources.h"
#include "agent/probes/tb-agent-attach-helper.h"
#include "capture/tb-capture-message.h"

#define TB_AGENT_MAX_GROUP 64

/* The programs of the BPF object for probes and its map of filters */
typedef struct
{
  int on_entry;
  int on_instruction;
  int on_return;
  int filters;
} TbAgentProbePrograms;

/* The programs of the BPF object for marks and its map of locations */
typedef struct
{
  int on_mark;
  int on_marks; /* for many locations at once */
  int places;
} TbAgentMarkPrograms;

typedef struct TbAgentProbe TbAgentProbe;

/* Marks of one file that are attached together with the last of them */
typedef struct
{
  uint64_t offsets[TB_AGENT_MAX_GROUP];
  uint64_t ids[TB_AGENT_MAX_GROUP];
  size_t n;
  uint64_t device;
  uint64_t inode;
} TbAgentMarkGroup;

/* Zeroed memory is an empty set. Closing the links, even by the end of the process, detaches the
 * probes. */
typedef struct
{
  TbAgentProbe *probes;
  size_t n_probes;
  TbAgentMarkGroup group;
} TbAgentProbes;

/* traced: the process of which calls are recorded, -1: all. The answer is the reason with -1, else
 * the cost of the probe. */
int tb_agent_probes_add (TbAgentProbes *self,
                         const TbAgentProbePrograms *programs,
                         const TbCaptureProbeAdd *wanted,
                         int32_t traced,
                         const uint8_t *build_id,
                         size_t build_id_length,
                         TbCaptureMessage *answer);
/* The same for a mark. everywhere: in every process that maps the file, else only in the named one.
 * A mark flagged as "with the next" is attached together with the next one. If that fails, all
 * marks of the group fail. */
int tb_agent_probes_add_mark (TbAgentProbes *self,
                              const TbAgentMarkPrograms *programs,
                              const TbCaptureMarkAdd *wanted,
                              const uint8_t *build_id,
                              size_t build_id_length,
                              int everywhere,
                              TbCaptureMessage *answer);
/* -1 if there is no probe with that id */
int tb_agent_probes_remove (TbAgentProbes *self, uint32_t id);
void tb_agent_probes_clear (TbAgentProbes *self);

/* Opens the file that the process has mapped executable at the offset, if device, inode and build
 * ID match; -1 with the reason. */
int tb_agent_probes_open_file (uint64_t device,
                               uint64_t inode,
                               uint64_t offset,
                               int32_t pid,
                               const uint8_t *build_id,
                               size_t build_id_length,
                               TbCaptureMessage *why);
/* Attaches one probe with a program, whose cookie is the id, and adds it to the links. -1 with
 * errno. To be called in the attach helper. */
int tb_agent_probes_attach (int file,
                            uint64_t offset,
                            int32_t traced,
                            int returns,
                            int program,
                            uint32_t id,
                            TbAgentLinks *links);
/* Attaches a program to an event; the id is its cookie. Returns the link, -1 with errno. */
int tb_agent_probes_link (int event, int program, uint32_t id);
/* Reads the number behind the text before in a file of the kernel; -1 if there is none. */
long tb_agent_probes_read_number (const char *path, const char *before);
/* File offset of code of the agent itself; 0: not found */
uint64_t tb_agent_probes_find_own (const void *code);
/* Explains an errno of attaching. */
void tb_agent_probes_explain (int error, TbCaptureMessage *why);
/* Answers with the cost of a probe at an instruction. */
void tb_agent_probes_answer_cost (int file, uint64_t offset, TbCaptureMessage *answer);

/* Offset of a register in the kernel's saved registers, by its DWARF number */
uint16_t tb_agent_probes_find_register (unsigned number);
/* Translates an operand of the capture stream for a probe that is behind bytes after the
 * instruction of the operand. Returns 0 if the operand is invalid. */
int tb_agent_probes_translate_operand (uint32_t code,
                                       uint64_t value,
                                       uint64_t behind,
                                       TbBpfOperand *operand);
