/* tb-agent-bpf-stacks.h: stacks that BPF programs named by an id
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-bpf-frames.h"
#include "agent/tb-agent-map.h"
#include "agent/tb-agent-output.h"

/* The programs send the words of a stack once from every cpu, then only an id made from them. Zeroed memory knows none. */
typedef struct
{
  TbAgentMap places[2]; /* id → 1 + where it lies in words; of now and of the generation before */
  uint64_t *words[2];   /* { output's id, its epoch, length, addresses… } */
  size_t n_words[2];
  uint64_t n_unknown;
  TbAgentBpfFrames own; /* left out */
} TbAgentBpfStacks;

void tb_agent_bpf_stacks_clear (TbAgentBpfStacks *self);

/* Remembers a stack. */
void tb_agent_bpf_stacks_add (TbAgentBpfStacks *self, uint64_t id, const uint64_t *words, size_t n_words);
/* The output's id of a stack, sent if it has to be; 0, and counted, if the id is unknown. */
uint32_t tb_agent_bpf_stacks_intern (TbAgentBpfStacks *self, TbAgentOutput *output, uint64_t id);
/* So many are known that the programs had better begin anew, with other ids. */
int tb_agent_bpf_stacks_is_full (const TbAgentBpfStacks *self);
/* The programs begin anew: those known now are kept until the next turn, for what is in the rings. */
void tb_agent_bpf_stacks_turn (TbAgentBpfStacks *self);
