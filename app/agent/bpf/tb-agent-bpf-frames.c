/* tb-agent-bpf-frames.c: number of the innermost kernel frames of a stack that belong to the
 * recording itself (BPF programs and the kernel functions that call them), so that the caller
 * leaves them out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "agent/base/tb-agent-map.h"
#include "agent/bpf/tb-agent-bpf-frames.h"

/* The frames of the program, of the function that runs it and of the caller of a tracepoint's
 * probes, and one more for other kernels. */
#define MAX_OWN_FRAMES 5

static int
calls_programs (const char *name)
{
  static const char *const beginnings[]
      = { "__bpf_trace_", "__traceiter_", "bpf_trace_run", "perf_trace_run_bpf_" };

  for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
    if (strncmp (name, beginnings[i], strlen (beginnings[i])) == 0)
      return 1;
  return 0;
}

void
tb_agent_bpf_frames_load (TbAgentBpfFrames *self, const TbAgentSymbols *symbols)
{
  for (size_t i = 0; i + 1 < symbols->n_symbols; i++)
    {
      const TbAgentSymbol *symbol = &symbols->symbols[i];

      if (!calls_programs (symbols->text + symbol->name))
        continue;
      if ((self->n_ranges & (self->n_ranges + 1)) == 0)
        self->ranges
            = tb_agent_allocate (self->ranges, (self->n_ranges + 1) * 2 * sizeof *self->ranges);
      self->ranges[self->n_ranges++]
          = (TbAgentBpfFrameRange) { symbol->address, symbol[1].address };
    }
}

void
tb_agent_bpf_frames_clear (TbAgentBpfFrames *self)
{
  free (self->ranges);
  memset (self, 0, sizeof *self);
}

/* The address is a return address, so it may lie just behind the end of a function. */
static int
is_own (const TbAgentBpfFrames *self, uint64_t address)
{
  size_t low = 0, high = self->n_ranges;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (self->ranges[middle].start < address)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && address <= self->ranges[low - 1].end;
}

size_t
tb_agent_bpf_frames_count_own (const TbAgentBpfFrames *self,
                               const uint64_t *frames,
                               size_t n_frames)
{
  size_t n = n_frames < MAX_OWN_FRAMES ? n_frames : MAX_OWN_FRAMES;

  while (n > 0 && !is_own (self, frames[n - 1]))
    n--;
  return n;
}
