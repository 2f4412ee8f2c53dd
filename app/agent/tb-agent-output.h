/* tb-agent-output.h: the capture stream on its way out, with what was already sent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

/* A thread of its own writes, so that a slow reader does not keep the rings from being drained. */
typedef struct TbAgentOutput TbAgentOutput;

/* queue_limit: bytes that may wait for the reader before tb_agent_output_is_full(). */
/* skew: added to all times. */
TbAgentOutput *tb_agent_output_new (int fd, size_t queue_limit, uint64_t skew);
/* Writes what is queued unless the reader is gone, then ends the thread. */
void tb_agent_output_close (TbAgentOutput *self);

void tb_agent_output_put_header (TbAgentOutput *self, const TbCaptureHeader *header);
void tb_agent_output_put (TbAgentOutput *self, const TbCaptureRecord *record);
/* Lets the writer have what was put so far. */
void tb_agent_output_flush (TbAgentOutput *self);
/* The reader is so far behind that the rings have to keep what comes. */
int tb_agent_output_is_full (TbAgentOutput *self);
/* The reader is gone. */
int tb_agent_output_is_broken (TbAgentOutput *self);
uint64_t tb_agent_output_get_bytes (const TbAgentOutput *self);

/* From now on a flight recorder: what happens is kept as start says; what is said of the recording itself is still sent. */
void tb_agent_output_keep (TbAgentOutput *self, const TbCaptureStart *start);
/* To be called between rounds. Why what was kept is to be handed over now, NULL: there is no reason. */
const TbCaptureMessage *tb_agent_output_turn (TbAgentOutput *self);
int tb_agent_output_is_keeping (const TbAgentOutput *self);
/* What was kept, from start at the earliest, if anything is; counts its events and those lost. Its stacks and sleeps got new numbers: only what refers to neither may follow. */
void tb_agent_output_hand_over (TbAgentOutput *self, uint64_t start, uint64_t *n_events, uint64_t *n_lost);

/* Ids; what is new is sent first. Texts beyond what the stream may define become 0. */
uint32_t tb_agent_output_intern_string (TbAgentOutput *self, const char *text, size_t length);
uint32_t tb_agent_output_intern_stack (TbAgentOutput *self, const uint64_t *chain, size_t length);
/* Another number than before: the ids of stacks that were given out are no longer valid. */
uint64_t tb_agent_output_get_stack_epoch (const TbAgentOutput *self);
/* Sends the names of the kernel functions that occurred in stacks. */
void tb_agent_output_put_kernel_symbols (TbAgentOutput *self);

/* A STATUS record of a TbCaptureStatusKind; message NULL: without a code. */
void tb_agent_output_put_status (TbAgentOutput *self,
                                 unsigned kind,
                                 unsigned source,
                                 const TbCaptureMessage *message);
/* Likewise, about the probe or mark of the id. */
void tb_agent_output_put_answer (TbAgentOutput *self,
                                 unsigned kind,
                                 unsigned source,
                                 uint32_t id,
                                 const TbCaptureMessage *message);

/* The STATUS record that says since when events flow. */
void tb_agent_output_put_armed (TbAgentOutput *self, uint64_t time);

uint64_t tb_agent_now (void);
