/* tb-agent-bpf-stacks.h: table of stacks by the ids that BPF programs send in place of a repeated
 * stack, with the id of each in the capture stream; two generations of ids, frames of the recording
 * itself left out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/base/tb-agent-map.h"
#include "agent/bpf/tb-agent-bpf-frames.h"
#include "agent/core/tb-agent-output.h"

/* The programs send the words of a stack once per CPU and afterwards only an id computed from them.
 * Zeroed memory is an empty table. */
typedef struct
{
  TbAgentMap places[2]; /* id → 1 + index into words; of the current and the previous generation */
  uint64_t *words[2];   /* { id in the output, epoch of that id, length, addresses… } */
  size_t n_words[2];
  uint64_t n_unknown;
  TbAgentBpfFrames own; /* frames to leave out */
} TbAgentBpfStacks;

void tb_agent_bpf_stacks_clear (TbAgentBpfStacks *self);

/* Stores a stack. */
void tb_agent_bpf_stacks_add (TbAgentBpfStacks *self,
                              uint64_t id,
                              const uint64_t *words,
                              size_t n_words);
/* The output's id of a stack, which is sent first if it is new; 0, counted as unknown, if the id is
 * not in the table. */
uint32_t tb_agent_bpf_stacks_intern (TbAgentBpfStacks *self, TbAgentOutput *output, uint64_t id);
/* Whether the table is so full that the programs should start a new generation of ids. */
int tb_agent_bpf_stacks_is_full (const TbAgentBpfStacks *self);
/* Starts a new generation. The previous one is kept until the next call, for records that are still
 * in the rings. */
void tb_agent_bpf_stacks_rotate (TbAgentBpfStacks *self);
