/* tb-agent-output.h: writer of the capture stream: records, each string and stack once, STATUS
 * records, kernel symbols; a thread of its own writes what is queued; a flight recorder keeps
 * events in its buffer instead
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

/* A separate thread writes, so that a slow reader does not delay the draining of the rings. */
typedef struct TbAgentOutput TbAgentOutput;

/* queue_limit: number of queued bytes at which tb_agent_output_is_full() becomes true */
/* skew: added to all times. */
TbAgentOutput *tb_agent_output_new (int fd, size_t queue_limit, uint64_t skew);
/* Writes what is queued unless the reader is gone, then ends the thread. */
void tb_agent_output_close (TbAgentOutput *self);

void tb_agent_output_put_header (TbAgentOutput *self, const TbCaptureHeader *header);
void tb_agent_output_put (TbAgentOutput *self, const TbCaptureRecord *record);
/* Passes everything put so far to the writer thread. */
void tb_agent_output_flush (TbAgentOutput *self);
/* Whether the reader is so far behind that records must stay in the rings. */
int tb_agent_output_is_full (TbAgentOutput *self);
/* Whether the reader is gone. */
int tb_agent_output_is_broken (TbAgentOutput *self);
uint64_t tb_agent_output_get_bytes (const TbAgentOutput *self);

/* Starts a flight recorder with the limits of start: events are kept in its buffer. Records about
 * the recording itself are still sent. */
void tb_agent_output_start_flight_recorder (TbAgentOutput *self, const TbCaptureStart *start);
/* To be called between rounds. Returns the reason to save the flight-recorder buffer now, NULL:
 * none. */
const TbCaptureMessage *tb_agent_output_rotate (TbAgentOutput *self);
int tb_agent_output_is_flight_recorder (const TbAgentOutput *self);
/* Sends the content of the flight-recorder buffer, from start at the earliest, and counts its
 * events and lost events. Stacks and sleeps are renumbered, so later records must not refer to
 * any. */
void tb_agent_output_save_flight_recorder (TbAgentOutput *self,
                                           uint64_t start,
                                           uint64_t *n_events,
                                           uint64_t *n_lost);

/* These return ids and send new definitions first. Texts beyond the limits of the stream get id
 * 0. */
uint32_t tb_agent_output_intern_string (TbAgentOutput *self, const char *text, size_t length);
uint32_t tb_agent_output_intern_stack (TbAgentOutput *self, const uint64_t *chain, size_t length);
/* When the epoch changes, earlier stack ids are no longer valid. */
uint64_t tb_agent_output_get_stack_epoch (const TbAgentOutput *self);
/* Sends the names of the kernel functions that occurred in stacks. */
void tb_agent_output_put_kernel_symbols (TbAgentOutput *self);

/* Sends a STATUS record of a TbCaptureStatusKind; message NULL: without a code */
void tb_agent_output_put_status (TbAgentOutput *self,
                                 unsigned kind,
                                 unsigned source,
                                 const TbCaptureMessage *message);
/* The same for the probe or mark with the id */
void tb_agent_output_put_answer (TbAgentOutput *self,
                                 unsigned kind,
                                 unsigned source,
                                 uint32_t id,
                                 const TbCaptureMessage *message);

/* Sends the STATUS record with the time since which events are recorded. */
void tb_agent_output_put_armed (TbAgentOutput *self, uint64_t time);

uint64_t tb_agent_now (void);
