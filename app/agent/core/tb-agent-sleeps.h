/* tb-agent-sleeps.h: table of the distinct sleeps (what a thread waits for) of a recording with
 * their ids; each is sent to the capture stream once, events refer to it by its id
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-output.h"

/* Zeroed memory is an empty table. */
typedef struct
{
  TbCaptureSleep *slots; /* id 0: free */
  uint32_t n_used;
  uint32_t last;
} TbAgentSleeps;

/* Returns the id of an equal sleep (the id of the argument is ignored). A new one is sent first. */
uint32_t
tb_agent_sleeps_intern (TbAgentSleeps *self, TbAgentOutput *output, const TbCaptureSleep *sleep);
void tb_agent_sleeps_clear (TbAgentSleeps *self);
