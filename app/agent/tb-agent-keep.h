/* tb-agent-keep.h: a flight recorder: the last records, in bounded memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

typedef struct TbAgentKeep TbAgentKeep;

TbAgentKeep *tb_agent_keep_new (const TbCaptureStart *start);
void tb_agent_keep_free (TbAgentKeep *self);

/* Room for one record of any length, and how much of it a record took once it was encoded there. */
uint8_t *tb_agent_keep_get_space (TbAgentKeep *self);
void tb_agent_keep_commit (TbAgentKeep *self, const TbCaptureRecord *record, size_t length);
/* Between records none of which refers to a stack before: 1 if a new part is begun, in which no earlier stack may be
 * referred to. Lets go what is too old or too much. */
int tb_agent_keep_turn (TbAgentKeep *self, uint64_t now);

/* Why it is to hand over by itself, NULL while there is no reason. */
const TbCaptureMessage *tb_agent_keep_get_reason (const TbAgentKeep *self);

/* Gives everything to put: first a KEPT record, then what has to be known, then what was kept. start: of the recording.
 * Counts the events, and those lost, in what was kept. */
void tb_agent_keep_hand_over (TbAgentKeep *self,
                              uint64_t start,
                              void (*put) (void *data, const TbCaptureRecord *record),
                              void (*put_encoded) (void *data, const void *bytes, size_t length),
                              void *data,
                              uint64_t *n_events,
                              uint64_t *n_lost);
