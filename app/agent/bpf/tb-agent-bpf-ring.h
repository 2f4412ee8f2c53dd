/* tb-agent-bpf-ring.h: BPF ring buffer of one CPU: its creation, and reading of the records in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  int fd; /* of the map; -1: none */
  uint64_t size;
  uint64_t *consumed; /* shared with the kernel, as is produced */
  const uint64_t *produced;
  const uint8_t *data; /* mapped twice in a row */
} TbAgentBpfRing;

typedef void (*TbAgentBpfRingFunc) (const uint8_t *record, size_t size, void *data);

/* size: a power of two and a multiple of the page size. -1 with errno. */
int tb_agent_bpf_ring_open (TbAgentBpfRing *self, uint64_t size);
void tb_agent_bpf_ring_close (TbAgentBpfRing *self);

/* Visits the records that were there at the start of the call. Returns 0 if it met a record that is
 * still being written. */
int tb_agent_bpf_ring_drain (TbAgentBpfRing *self, TbAgentBpfRingFunc visit, void *data);
