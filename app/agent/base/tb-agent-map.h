/* tb-agent-map.h: hash table from 64-bit keys to 64-bit values, the hash function, and allocation
 * of memory, which ends the agent if there is none
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint64_t key;
  uint64_t value;
} TbAgentMapEntry;

/* Zeroed memory is an empty map. Key 0 is not permitted. */
typedef struct
{
  TbAgentMapEntry *entries;
  size_t n_slots; /* a power of two, or 0 */
  size_t n_used;
} TbAgentMap;

/* Mixes all bits of a key into all bits of the result. */
uint64_t tb_agent_hash (uint64_t key);

/* NULL if the key is missing. Valid until the next put or remove. */
uint64_t *tb_agent_map_get (const TbAgentMap *self, uint64_t key);
void tb_agent_map_put (TbAgentMap *self, uint64_t key, uint64_t value);
void tb_agent_map_remove (TbAgentMap *self, uint64_t key);
void tb_agent_map_clear (TbAgentMap *self);

/* Aborts if there is no memory: the agent cannot go on without it, and everything attached is
 * detached with the process. */
void *tb_agent_allocate (void *old, size_t size);

/* Zeroed memory that is mostly unused and costs nothing until it is touched. A debugging allocator
 * would fill all of it. */
void *tb_agent_reserve (size_t size);
void tb_agent_release (void *memory, size_t size);
