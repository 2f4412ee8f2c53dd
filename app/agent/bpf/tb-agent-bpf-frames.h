/* tb-agent-bpf-frames.h: number of the innermost kernel frames of a stack that belong to the
 * recording itself (BPF programs and the kernel functions that call them), so that the caller
 * leaves them out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/base/tb-agent-symbols.h"

typedef struct
{
  uint64_t start;
  uint64_t end;
} TbAgentBpfFrameRange;

/* Zeroed memory is an empty set of ranges. */
typedef struct
{
  TbAgentBpfFrameRange *ranges; /* sorted */
  size_t n_ranges;
} TbAgentBpfFrames;

/* Finds the kernel functions that call BPF programs. */
void tb_agent_bpf_frames_load (TbAgentBpfFrames *self, const TbAgentSymbols *symbols);
void tb_agent_bpf_frames_clear (TbAgentBpfFrames *self);

/* The number of the innermost kernel frames that belong to the recording itself. */
size_t tb_agent_bpf_frames_count_own (const TbAgentBpfFrames *self,
                                      const uint64_t *frames,
                                      size_t n_frames);
