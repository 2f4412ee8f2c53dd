/* tb-capture-message.h: the code of a STATUS record with its errno and arguments
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stddef.h>

#include "capture/tb-capture-format.h"

/* A message of this block with its arguments, which are strings. */
#define TB_CAPTURE_MESSAGE(code, error, ...)                                                                 \
  TB_CAPTURE_SET_MESSAGE (&(TbCaptureMessage) { 0 }, code, error, __VA_ARGS__)
/* Likewise, into an existing one. */
#define TB_CAPTURE_SET_MESSAGE(message, code, error, ...)                                                    \
  tb_capture_message_set (message, code, error, (const char *const[]) { __VA_ARGS__ __VA_OPT__ (, ) NULL })
/* An argument that is a number, and one that may be below 0. */
#define TB_CAPTURE_NUMBER(number) tb_capture_format_number ((char[24]) { 0 }, number)
#define TB_CAPTURE_SIGNED_NUMBER(number) tb_capture_format_signed_number ((char[24]) { 0 }, number)

/* arguments: NULL at the end. Returns the message. What does not fit is cut off. */
TbCaptureMessage *tb_capture_message_set (TbCaptureMessage *self,
                                          TbCaptureStatusCode code,
                                          int error,
                                          const char *const *arguments);
/* Control characters become “?”. */
void tb_capture_message_add (TbCaptureMessage *self, const char *argument);
/* The whole cause, or nothing of it where it does not fit. NULL: one without code. */
void tb_capture_message_add_cause (TbCaptureMessage *self, const TbCaptureMessage *cause);
/* NULL: there are fewer. */
const char *tb_capture_message_get (const TbCaptureMessage *self, unsigned index);

const char *tb_capture_format_number (char buffer[24], uint64_t number);
const char *tb_capture_format_signed_number (char buffer[24], int64_t number);

/* As they are in the stream, if they are as they must be: 0 with the number of them, else -1. */
int tb_capture_arguments_check (const uint8_t *data, size_t length, uint16_t *n_arguments);
/* The message of a STATUS record that a decoder has accepted; *message: {code NONE} of another. */
void tb_capture_message_read (TbCaptureMessage *self, const TbCaptureRecord *record);
/* Into a STATUS record, which refers to the message's memory. */
void tb_capture_message_write (const TbCaptureMessage *self, TbCaptureRecord *record);
