/* tb-capture-decoder.h: reads and checks the streams between tailback-agent and its client
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
  TB_CAPTURE_MORE,    /* nothing until more bytes are there */
  TB_CAPTURE_HEADED,  /* the header is read; comes once, first */
  TB_CAPTURE_RECORD,  /* *record is filled */
  TB_CAPTURE_DAMAGED, /* from here on nothing can be trusted: see tb_capture_decoder_get_error(); stays so */
} TbCaptureResult;

/* NULL only if there is no memory. A decoder never takes more than it took here. */
TbCaptureDecoder *tb_capture_decoder_new (TbCaptureDirection direction);
void tb_capture_decoder_free (TbCaptureDecoder *self);

/* Where the next bytes of the stream go and how many at most (never 0 once tb_capture_decoder_next() asked for MORE);
 * then how many were put there. Invalidates the tail of the last record. */
void *tb_capture_decoder_get_space (TbCaptureDecoder *self, size_t *size);
void tb_capture_decoder_commit (TbCaptureDecoder *self, size_t size);

TbCaptureResult tb_capture_decoder_next (TbCaptureDecoder *self, TbCaptureRecord *record);

/* Valid once the header was read. */
const TbCaptureHeader *tb_capture_decoder_get_header (const TbCaptureDecoder *self);
/* What and where, for instance "byte 4711: switch: no stack 12 was sent". */
const char *tb_capture_decoder_get_error (const TbCaptureDecoder *self);
/* Records and header fields of unknown types. */
uint64_t tb_capture_decoder_get_n_skipped (const TbCaptureDecoder *self);
/* Bytes that were taken apart, and whether some are left that are no whole record. */
uint64_t tb_capture_decoder_get_offset (const TbCaptureDecoder *self);
int tb_capture_decoder_has_rest (const TbCaptureDecoder *self);
