/* tb-capture-message.h: message of a STATUS record (code, errno, arguments, and causes, which are
 * messages as arguments): building, check, reading from and writing to the record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stddef.h>

#include "capture/tb-capture-format.h"

/* A message with its arguments, which are strings. It is valid in the current block. */
#define TB_CAPTURE_MESSAGE(code, error, ...)                                                       \
  TB_CAPTURE_SET_MESSAGE (&(TbCaptureMessage) { 0 }, code, error, __VA_ARGS__)
/* Likewise, but stores the message in an existing one. */
#define TB_CAPTURE_SET_MESSAGE(message, code, error, ...)                                          \
  tb_capture_message_set (message, code, error,                                                    \
                          (const char *const[]) { __VA_ARGS__ __VA_OPT__ (, ) NULL })
/* Arguments that are numbers; the second may be negative. */
#define TB_CAPTURE_NUMBER(number) tb_capture_format_number ((char[24]) { 0 }, number)
#define TB_CAPTURE_SIGNED_NUMBER(number) tb_capture_format_signed_number ((char[24]) { 0 }, number)

/* arguments is NULL-terminated. Returns the message. Arguments that do not fit are truncated. */
TbCaptureMessage *tb_capture_message_set (TbCaptureMessage *self,
                                          TbCaptureStatusCode code,
                                          int error,
                                          const char *const *arguments);
/* Control characters are replaced by “?”. */
void tb_capture_message_add (TbCaptureMessage *self, const char *argument);
/* Adds the whole cause, or nothing if it does not fit. NULL: a cause without code. */
void tb_capture_message_add_cause (TbCaptureMessage *self, const TbCaptureMessage *cause);
/* Returns NULL if there are fewer arguments. */
const char *tb_capture_message_get (const TbCaptureMessage *self, unsigned index);

const char *tb_capture_format_number (char buffer[24], uint64_t number);
const char *tb_capture_format_signed_number (char buffer[24], int64_t number);

/* Checks arguments as they are in the stream. Returns 0 and their number if they are valid, else
 * -1. */
int tb_capture_arguments_check (const uint8_t *data, size_t length, uint16_t *n_arguments);
/* Reads the message of a STATUS record that a decoder has accepted; *message is {code NONE} for
 * another record. */
void tb_capture_message_read (TbCaptureMessage *self, const TbCaptureRecord *record);
/* Writes the message to a STATUS record, which then points to the message's memory. */
void tb_capture_message_write (const TbCaptureMessage *self, TbCaptureRecord *record);
