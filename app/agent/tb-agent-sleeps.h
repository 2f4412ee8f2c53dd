/* tb-agent-sleeps.h: what threads sleep in, sent once and then referred to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/tb-agent-output.h"

/* Zeroed memory knows no sleep yet. */
typedef struct
{
  TbCaptureSleep *slots; /* id 0: free */
  uint32_t n_used;
  uint32_t last;
} TbAgentSleeps;

/* The id of a sleep that is equal but for its id; what is new is sent first. */
uint32_t tb_agent_sleeps_intern (TbAgentSleeps *self, TbAgentOutput *output, const TbCaptureSleep *sleep);
void tb_agent_sleeps_clear (TbAgentSleeps *self);
