/* tb-agent-bpf-frames.h: what BPF programs themselves leave on top of the stacks that they take
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/tb-agent-symbols.h"

typedef struct
{
  uint64_t start;
  uint64_t end;
} TbAgentBpfFrameRange;

/* Zeroed memory knows no such functions. */
typedef struct
{
  TbAgentBpfFrameRange *ranges; /* sorted */
  size_t n_ranges;
} TbAgentBpfFrames;

/* Finds the functions of the kernel that call programs. */
void tb_agent_bpf_frames_load (TbAgentBpfFrames *self, const TbAgentSymbols *symbols);
void tb_agent_bpf_frames_clear (TbAgentBpfFrames *self);

/* How many of the kernel's frames, innermost first, belong to the recording and not to what is recorded. */
size_t tb_agent_bpf_frames_count_own (const TbAgentBpfFrames *self, const uint64_t *frames, size_t n_frames);
