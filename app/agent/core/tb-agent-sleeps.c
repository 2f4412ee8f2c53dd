/* tb-agent-sleeps.c: table of the distinct sleeps (what a thread waits for) of a recording with
 * their ids; each is sent to the capture stream once, events refer to it by its id
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <string.h>

#include "agent/base/tb-agent-map.h"
#include "agent/core/tb-agent-sleeps.h"

#define N_SLOTS 16384u
/* Half of the slots stay free. All entries must lie within the window of ids that may be referred
 * to. */
#define MAX_USED (N_SLOTS / 2)
_Static_assert (MAX_USED <= TB_CAPTURE_SLEEP_WINDOW, "ids would be too old");

static uint64_t
hash_sleep (const TbCaptureSleep *sleep)
{
  uint64_t hash = tb_agent_hash (sleep->address + 1);

  hash = tb_agent_hash (hash ^ sleep->timeout);
  hash = tb_agent_hash (hash ^ sleep->offset);
  hash = tb_agent_hash (hash ^ ((uint64_t) sleep->number << 32 | sleep->object));
  hash = tb_agent_hash (hash ^ sleep->operation);
  return tb_agent_hash (hash ^ ((uint64_t) sleep->module << 16 | sleep->kind));
}

static int
are_equal (const TbCaptureSleep *a, const TbCaptureSleep *b)
{
  return a->address == b->address && a->timeout == b->timeout && a->offset == b->offset
         && a->number == b->number && a->object == b->object && a->module == b->module
         && a->kind == b->kind && a->operation == b->operation;
}

uint32_t
tb_agent_sleeps_intern (TbAgentSleeps *self, TbAgentOutput *output, const TbCaptureSleep *sleep)
{
  TbCaptureRecord record
      = { .type = TB_CAPTURE_SLEEP, .cpu = TB_CAPTURE_CPU_NONE, .sleep = *sleep };
  size_t slot;

  if (self->slots == NULL || self->n_used == MAX_USED)
    {
      self->slots = tb_agent_allocate (self->slots, N_SLOTS * sizeof *self->slots);
      memset (self->slots, 0, N_SLOTS * sizeof *self->slots);
      self->n_used = 0;
    }
  for (slot = hash_sleep (sleep) & (N_SLOTS - 1); self->slots[slot].id != 0;
       slot = (slot + 1) & (N_SLOTS - 1))
    if (are_equal (&self->slots[slot], sleep))
      return self->slots[slot].id;
  if (self->last == UINT32_MAX)
    return 0;
  record.sleep.id = ++self->last;
  self->slots[slot] = record.sleep;
  self->n_used++;
  tb_agent_output_put (output, &record);
  return record.sleep.id;
}

void
tb_agent_sleeps_clear (TbAgentSleeps *self)
{
  free (self->slots);
  *self = (TbAgentSleeps) { 0 };
}
