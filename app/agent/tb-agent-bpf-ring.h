/* tb-agent-bpf-ring.h: the agent's end of a ring that BPF programs write
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  int fd; /* of the map, -1: none */
  uint64_t size;
  uint64_t *consumed; /* shared with the kernel, as the next */
  const uint64_t *produced;
  const uint8_t *data; /* twice in a row */
} TbAgentBpfRing;

typedef void (*TbAgentBpfRingFunc) (const uint8_t *record, size_t size, void *data);

/* size: a power of two and of whole pages. -1 with errno. */
int tb_agent_bpf_ring_open (TbAgentBpfRing *self, uint64_t size);
void tb_agent_bpf_ring_close (TbAgentBpfRing *self);

/* Visits what was there when it began; 0 if it came to a record that is still being written. */
int tb_agent_bpf_ring_drain (TbAgentBpfRing *self, TbAgentBpfRingFunc visit, void *data);
