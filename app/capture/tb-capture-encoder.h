/* tb-capture-encoder.h: writes the streams between tailback-agent and its client
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

/* What any record may take at most. */
#define TB_CAPTURE_MAX_RECORD (TB_CAPTURE_RECORD_SIZE + TB_CAPTURE_MAX_PAYLOAD)

/* Writes the record and returns its length, always a multiple of 8; 0 if it does not fit the buffer, is of an unknown type
 * or its tail is longer than its type permits. The tail of a STACK is an array of u64 in the machine's byte order, aligned. */
size_t tb_capture_encode (const TbCaptureRecord *record, void *buffer, size_t capacity);

/* The headers; 0 if they do not fit. Texts that are too long are cut. */
size_t tb_capture_encode_header (const TbCaptureHeader *header, void *buffer, size_t capacity);
size_t tb_capture_encode_control_header (void *buffer, size_t capacity);
