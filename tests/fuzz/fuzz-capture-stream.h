/* fuzz-capture-stream.h: reader of a capture stream in pieces, which encodes each accepted record
 * again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdlib.h>
#include <string.h>

#include "capture/tb-capture-decoder.h"
#include "capture/tb-capture-encoder.h"
#include "fuzz-target.h"

static int
fuzz_capture_stream (TbCaptureDirection direction, const uint8_t *data, size_t size)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (direction);
  static uint8_t again[TB_CAPTURE_MAX_RECORD];
  TbCaptureResult result = TB_CAPTURE_MORE;
  size_t at = 0, step = size > 0 ? 1 + data[size - 1] * 16u : 1;

  while (result != TB_CAPTURE_DAMAGED)
    {
      TbCaptureRecord record;
      size_t space, piece;
      void *to;

      result = tb_capture_decoder_next (decoder, &record);
      if (result == TB_CAPTURE_RECORD && tb_capture_encode (&record, again, sizeof again) == 0)
        abort ();
      if (result != TB_CAPTURE_MORE)
        continue;
      if (at == size)
        break;
      to = tb_capture_decoder_get_space (decoder, &space);
      if (space == 0)
        abort ();
      piece = step < space ? step : space;
      if (piece > size - at)
        piece = size - at;
      memcpy (to, data + at, piece);
      tb_capture_decoder_commit (decoder, piece);
      at += piece;
    }
  if (result == TB_CAPTURE_DAMAGED && tb_capture_decoder_get_error (decoder)[0] == '\0')
    abort ();
  tb_capture_decoder_free (decoder);
  return 0;
}
