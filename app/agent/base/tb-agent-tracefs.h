/* tb-agent-tracefs.h: tracefs, found where it is mounted or else mounted at no path, for the agent
 * alone: ids, field layouts and state letters of tracepoints, from their format files; values of
 * the fields in a record
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
  uint16_t size; /* of the whole field; 0: field not found */
  uint8_t is_signed;
  uint8_t is_located; /* __data_loc: the value is the position and length of the bytes */
} TbAgentField;

/* Opens a folder of tracepoint descriptions: the mounted tracefs, or a private mount that is
 * invisible to other processes and ends with this process. -1 with the reason in why. */
int tb_agent_tracefs_open (TbCaptureMessage *why);

/* Reads the description of a tracepoint into text (NUL-terminated). -1 if there is none. */
int tb_agent_tracefs_read_format (int tracefs,
                                  const char *group,
                                  const char *name,
                                  char *text,
                                  size_t size);

/* The tracepoint's number for perf_event_open(), -1 if the text has none */
int64_t tb_agent_format_get_id (const char *text);
/* size is 0 if there is no field of that name. */
TbAgentField tb_agent_format_get_field (const char *text, const char *name);
/* Reads the letters of the bits of prev_state from the print format of sched_switch: letters[i] is
 * the letter of bit i or 0. Returns the bit that means "preempted", 0 if there is none. */
uint64_t tb_agent_format_get_state_letters (const char *text, char letters[64]);

/* The value of a field of at most 8 bytes, sign-extended if it is signed; 0 if it lies outside
 * raw */
uint64_t tb_agent_field_read (const TbAgentField *field, const uint8_t *raw, size_t size);
/* The bytes of a text field up to its NUL; *length is 0 if it lies outside raw. */
const char *tb_agent_field_read_text (const TbAgentField *field,
                                      const uint8_t *raw,
                                      size_t size,
                                      size_t *length);
