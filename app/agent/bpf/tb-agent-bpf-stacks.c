/* tb-agent-bpf-stacks.c: table of stacks by the ids that BPF programs send in place of a repeated
 * stack, with the id of each in the capture stream; two generations of ids, frames of the recording
 * itself left out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "agent/bpf/programs/tb-bpf-record.h"
#include "agent/bpf/tb-agent-bpf-stacks.h"

#define MAX_WORDS (2u << 20)
/* Above this limit the programs start a new generation of ids. The rest is for the stacks that they
 * send until then. */
#define FULL_WORDS (MAX_WORDS - (256u << 10))

enum
{
  STACK,
  EPOCH,
  LENGTH,
  HEAD,
};

void
tb_agent_bpf_stacks_clear (TbAgentBpfStacks *self)
{
  for (int i = 0; i < 2; i++)
    {
      tb_agent_map_clear (&self->places[i]);
      tb_agent_release (self->words[i], MAX_WORDS * sizeof **self->words);
    }
  tb_agent_bpf_frames_clear (&self->own);
  memset (self, 0, sizeof *self);
}

void
tb_agent_bpf_stacks_add (TbAgentBpfStacks *self, uint64_t id, const uint64_t *words, size_t n_words)
{
  uint64_t *at;
  size_t skipped = 0;

  if (tb_agent_map_get (&self->places[0], id) != NULL
      || self->n_words[0] + HEAD + n_words > MAX_WORDS)
    return;
  if (self->words[0] == NULL)
    self->words[0] = tb_agent_reserve (MAX_WORDS * sizeof **self->words);
  at = self->words[0] + self->n_words[0];
  at[STACK] = at[EPOCH] = 0;
  /* The kernel frames follow the marker of the kernel context. */
  if (n_words > 1 && words[0] == TB_BPF_CONTEXT_KERNEL)
    skipped = tb_agent_bpf_frames_count_own (&self->own, words + 1, n_words - 1);
  n_words -= skipped;
  at[LENGTH] = n_words;
  if (n_words > 0)
    {
      at[HEAD] = words[0];
      memcpy (at + HEAD + 1, words + 1 + skipped, (n_words - 1) * sizeof *words);
    }
  tb_agent_map_put (&self->places[0], id, self->n_words[0] + 1);
  self->n_words[0] += HEAD + n_words;
}

uint32_t
tb_agent_bpf_stacks_intern (TbAgentBpfStacks *self, TbAgentOutput *output, uint64_t id)
{
  if (id == 0)
    return 0;
  for (int i = 0; i < 2; i++)
    {
      const uint64_t *place = tb_agent_map_get (&self->places[i], id);
      uint64_t *at;

      if (place == NULL)
        continue;
      at = self->words[i] + *place - 1;
      /* The output discards its ids from time to time; the epoch counts that. */
      if (at[STACK] == 0 || at[EPOCH] != tb_agent_output_get_stack_epoch (output))
        {
          at[STACK] = tb_agent_output_intern_stack (output, at + HEAD, at[LENGTH]);
          at[EPOCH] = tb_agent_output_get_stack_epoch (output);
        }
      return (uint32_t) at[STACK];
    }
  self->n_unknown++;
  return 0;
}

int
tb_agent_bpf_stacks_is_full (const TbAgentBpfStacks *self)
{
  return self->n_words[0] > FULL_WORDS;
}

void
tb_agent_bpf_stacks_rotate (TbAgentBpfStacks *self)
{
  uint64_t *old = self->words[1];

  tb_agent_map_clear (&self->places[1]);
  self->places[1] = self->places[0];
  self->words[1] = self->words[0];
  self->n_words[1] = self->n_words[0];
  memset (&self->places[0], 0, sizeof self->places[0]);
  self->words[0] = old;
  self->n_words[0] = 0;
}
