/* tb-agent-tracefs.h: descriptions of tracepoints
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/tb-capture-message.h"

typedef struct
{
  uint16_t offset;
  uint16_t size; /* of the whole field; 0: there is no such field */
  uint8_t is_signed;
  uint8_t is_located; /* __data_loc: the value is the place and length of the bytes */
} TbAgentField;

/* A folder of tracepoint descriptions: the mounted tracefs, or one of our own that nobody else sees and that goes with the
 * process. -1, and why in *reason, if there is none. */
int tb_agent_tracefs_open (TbCaptureMessage *why);

/* Reads the description of a tracepoint into text (NUL-terminated). -1 if it is not there. */
int tb_agent_tracefs_read_format (int tracefs, const char *group, const char *name, char *text, size_t size);

/* Its number for perf_event_open(), -1 if the text has none. */
int64_t tb_agent_format_get_id (const char *text);
/* size 0 if there is no field of that name. */
TbAgentField tb_agent_format_get_field (const char *text, const char *name);
/* The letters of the bits of prev_state, from the print format of sched_switch: letters[i] is that of bit i or 0; returns
 * the bit that means "preempted", 0 if there is none. */
uint64_t tb_agent_format_get_state_letters (const char *text, char letters[64]);

/* The value of a field of at most 8 bytes, sign-extended where it is signed; 0 if it lies outside. */
uint64_t tb_agent_field_read (const TbAgentField *field, const uint8_t *raw, size_t size);
/* The bytes of a text field up to its NUL; *length 0 if it lies outside. */
const char *
tb_agent_field_read_text (const TbAgentField *field, const uint8_t *raw, size_t size, size_t *length);
