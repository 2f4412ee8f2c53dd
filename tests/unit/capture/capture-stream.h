/* capture-stream.h: encoded capture streams for tests, and decoding them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-decoder.h"

#define CAPTURE_N_CPUS 4

TbCaptureHeader capture_make_header (void);
/* Returns a stream with its header. */
GByteArray *capture_begin_stream (TbCaptureDirection direction);
void capture_append (GByteArray *stream, const TbCaptureRecord *record);
/* Feeds the bytes in pieces of at most `step`, and calls func for each record. */
TbCaptureResult capture_decode (TbCaptureDecoder *decoder,
                                const guint8 *data,
                                gsize length,
                                gsize step,
                                void (*func) (const TbCaptureRecord *record, gpointer data),
                                gpointer func_data);
/* data: guint. */
void capture_count (const TbCaptureRecord *record, gpointer data);
/* why: a part of the error message. */
void capture_assert_refused (GByteArray *stream, TbCaptureDirection direction, const char *why);
