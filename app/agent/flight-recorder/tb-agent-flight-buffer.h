/* tb-agent-flight-buffer.h: buffer of a flight recorder: the latest encoded records, limited in
 * time and bytes; watch for a call so long that it is a reason to save; saving of the records,
 * renumbered
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

typedef struct TbAgentFlightBuffer TbAgentFlightBuffer;

TbAgentFlightBuffer *tb_agent_flight_buffer_new (const TbCaptureStart *start);
void tb_agent_flight_buffer_free (TbAgentFlightBuffer *self);

/* Returns room for one record of any length. commit then takes the length of the record that was
 * encoded there. */
uint8_t *tb_agent_flight_buffer_get_space (TbAgentFlightBuffer *self);
void tb_agent_flight_buffer_commit (TbAgentFlightBuffer *self,
                                    const TbCaptureRecord *record,
                                    size_t length);
/* To be called between records. Returns 1 if a new part begins, whose records must not refer to
 * earlier stacks. Drops the records that exceed the time or size limit. */
int tb_agent_flight_buffer_rotate (TbAgentFlightBuffer *self, uint64_t now);

/* The reason to save the buffer now, NULL if there is none. */
const TbCaptureMessage *tb_agent_flight_buffer_get_save_reason (const TbAgentFlightBuffer *self);

/* Passes everything to put: first a KEPT record, then the state of the dropped records, then the
 * kept records. start: start of the recording. Counts the kept events and the lost ones among
 * them. */
void
tb_agent_flight_buffer_save (TbAgentFlightBuffer *self,
                             uint64_t start,
                             void (*put) (void *data, const TbCaptureRecord *record),
                             void (*put_encoded) (void *data, const void *bytes, size_t length),
                             void *data,
                             uint64_t *n_events,
                             uint64_t *n_lost);
