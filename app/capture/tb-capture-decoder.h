/* tb-capture-decoder.h: validating decoder of the streams between tailback-agent and its client:
 * bytes into the header and records, or the error and its position
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"

typedef struct TbCaptureDecoder TbCaptureDecoder;

typedef enum
{
  TB_CAPTURE_FROM_AGENT,
  TB_CAPTURE_FROM_CLIENT,
} TbCaptureDirection;

typedef enum
{
  TB_CAPTURE_MORE,   /* more bytes are needed */
  TB_CAPTURE_HEADED, /* the header was read; returned once, first */
  TB_CAPTURE_RECORD, /* *record was filled */
  /* damaged stream, see tb_capture_decoder_get_error(); every later call returns this, too */
  TB_CAPTURE_DAMAGED,
} TbCaptureResult;

/* Returns NULL only if there is no memory. A decoder allocates all its memory here. */
TbCaptureDecoder *tb_capture_decoder_new (TbCaptureDirection direction);
void tb_capture_decoder_free (TbCaptureDecoder *self);

/* get_space() returns the buffer for the next bytes of the stream and its size, which is never 0
 * after tb_capture_decoder_next() returned MORE. commit() adds the bytes that were stored there,
 * and invalidates the tail of the last record. */
void *tb_capture_decoder_get_space (TbCaptureDecoder *self, size_t *size);
void tb_capture_decoder_commit (TbCaptureDecoder *self, size_t size);

TbCaptureResult tb_capture_decoder_next (TbCaptureDecoder *self, TbCaptureRecord *record);

/* Valid once the header was read. */
const TbCaptureHeader *tb_capture_decoder_get_header (const TbCaptureDecoder *self);
/* Description of the error and its position, for instance "byte 4711: switch: no stack 12 was
 * sent". */
const char *tb_capture_decoder_get_error (const TbCaptureDecoder *self);
/* Number of records and header fields of unknown types. */
uint64_t tb_capture_decoder_get_n_skipped (const TbCaptureDecoder *self);
/* Number of decoded bytes, and whether bytes are left that are not a complete record. */
uint64_t tb_capture_decoder_get_offset (const TbCaptureDecoder *self);
int tb_capture_decoder_has_partial (const TbCaptureDecoder *self);
