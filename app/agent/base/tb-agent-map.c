/* tb-agent-map.c: hash table from 64-bit keys to 64-bit values, the hash function, and allocation
 * of memory, which ends the agent if there is none
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "agent/base/tb-agent-map.h"

#define MIN_SLOTS 64

void *
tb_agent_allocate (void *old, size_t size)
{
  void *memory = realloc (old, size);

  if (memory == NULL && size > 0)
    {
      fputs ("tailback-agent: out of memory: the recording ends here\n", stderr);
      _Exit (1);
    }
  return memory;
}

void *
tb_agent_reserve (size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED)
    {
      fputs ("tailback-agent: out of memory: the recording ends here\n", stderr);
      _Exit (1);
    }
  return memory;
}

void
tb_agent_release (void *memory, size_t size)
{
  if (memory != NULL)
    munmap (memory, size);
}

uint64_t
tb_agent_hash (uint64_t key)
{
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93u;
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93u;
  key ^= key >> 32;
  return key;
}

static size_t
find_slot (const TbAgentMap *self, uint64_t key)
{
  size_t slot = tb_agent_hash (key) & (self->n_slots - 1);

  while (self->entries[slot].key != 0 && self->entries[slot].key != key)
    slot = (slot + 1) & (self->n_slots - 1);
  return slot;
}

uint64_t *
tb_agent_map_get (const TbAgentMap *self, uint64_t key)
{
  size_t slot;

  if (self->n_slots == 0 || key == 0)
    return NULL;
  slot = find_slot (self, key);
  return self->entries[slot].key == key ? &self->entries[slot].value : NULL;
}

static void
grow (TbAgentMap *self)
{
  TbAgentMap old = *self;

  self->n_slots = old.n_slots == 0 ? MIN_SLOTS : old.n_slots * 2;
  self->entries = tb_agent_allocate (NULL, self->n_slots * sizeof *self->entries);
  memset (self->entries, 0, self->n_slots * sizeof *self->entries);
  for (size_t i = 0; i < old.n_slots; i++)
    if (old.entries[i].key != 0)
      self->entries[find_slot (self, old.entries[i].key)] = old.entries[i];
  free (old.entries);
}

void
tb_agent_map_put (TbAgentMap *self, uint64_t key, uint64_t value)
{
  size_t slot;

  if (key == 0)
    return;
  if (self->n_used * 2 >= self->n_slots)
    grow (self);
  slot = find_slot (self, key);
  if (self->entries[slot].key == 0)
    {
      self->entries[slot].key = key;
      self->n_used++;
    }
  self->entries[slot].value = value;
}

void
tb_agent_map_remove (TbAgentMap *self, uint64_t key)
{
  size_t slot, next;

  if (self->n_slots == 0 || key == 0)
    return;
  slot = find_slot (self, key);
  if (self->entries[slot].key == 0)
    return;
  /* Close the gap, so that no search ends before its entry. */
  for (next = (slot + 1) & (self->n_slots - 1); self->entries[next].key != 0;
       next = (next + 1) & (self->n_slots - 1))
    {
      size_t home = tb_agent_hash (self->entries[next].key) & (self->n_slots - 1);

      if (((next - home) & (self->n_slots - 1)) >= ((next - slot) & (self->n_slots - 1)))
        {
          self->entries[slot] = self->entries[next];
          slot = next;
        }
    }
  self->entries[slot].key = 0;
  self->n_used--;
}

void
tb_agent_map_clear (TbAgentMap *self)
{
  free (self->entries);
  memset (self, 0, sizeof *self);
}
