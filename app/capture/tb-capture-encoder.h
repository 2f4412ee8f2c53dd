/* tb-capture-encoder.h: encoder of the streams between tailback-agent and its client: headers and
 * records into bytes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* Maximum size of a record. */
#define TB_CAPTURE_MAX_RECORD (TB_CAPTURE_RECORD_SIZE + TB_CAPTURE_MAX_PAYLOAD)

/* Writes the record and returns its length, always a multiple of 8. Returns 0 if it does not fit
 * into the buffer, its type is unknown, or its tail is longer than the type permits. The tail of a
 * STACK is an aligned array of u64 in the machine's byte order. */
size_t tb_capture_encode (const TbCaptureRecord *record, void *buffer, size_t capacity);

/* Write the headers; return 0 if they do not fit. Texts that are too long are truncated. */
size_t tb_capture_encode_header (const TbCaptureHeader *header, void *buffer, size_t capacity);
size_t tb_capture_encode_control_header (void *buffer, size_t capacity);
