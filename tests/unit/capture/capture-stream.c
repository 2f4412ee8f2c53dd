/* capture-stream.c: encoded capture streams for tests, and decoding them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "capture-stream.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-message.h"

TbCaptureHeader
capture_make_header (void)
{
  TbCaptureHeader header = {
    .host = "box",
    .kernel = "6.18.0",
    .machine = "x86_64",
    .boot_id = "7f3a",
    .agent = "0.1.0",
    .n_cpus = CAPTURE_N_CPUS,
    .backend = TB_CAPTURE_BACKEND_PERF,
    .monotonic = 1000,
    .realtime = 2000,
    .boottime = 3000,
    .n_refusals = 1,
    .refusals = { { .backend = TB_CAPTURE_BACKEND_BPF } },
  };

  TB_CAPTURE_SET_MESSAGE (&header.refusals[0].message, TB_CAPTURE_CODE_NO_BTF, ENOENT,
                          "/sys/kernel/btf/vmlinux");
  return header;
}

GByteArray *
capture_begin_stream (TbCaptureDirection direction)
{
  GByteArray *stream = g_byte_array_new ();
  TbCaptureHeader header = capture_make_header ();
  guint8 data[4096];
  gsize length = direction == TB_CAPTURE_FROM_AGENT
                     ? tb_capture_encode_header (&header, data, sizeof data)
                     : tb_capture_encode_control_header (data, sizeof data);

  g_assert_cmpuint (length, >, 0);
  g_assert_cmpuint (length % 8, ==, 0);
  g_byte_array_append (stream, data, length);
  return stream;
}

void
capture_append (GByteArray *stream, const TbCaptureRecord *record)
{
  guint8 data[TB_CAPTURE_MAX_RECORD];
  gsize length = tb_capture_encode (record, data, sizeof data);

  g_assert_cmpuint (length, >, 0);
  g_assert_cmpuint (length % 8, ==, 0);
  g_byte_array_append (stream, data, length);
}

TbCaptureResult
capture_decode (TbCaptureDecoder *decoder,
                const guint8 *data,
                gsize length,
                gsize step,
                void (*func) (const TbCaptureRecord *record, gpointer data),
                gpointer func_data)
{
  gsize at = 0;

  for (;;)
    {
      TbCaptureRecord record;
      TbCaptureResult result = tb_capture_decoder_next (decoder, &record);
      gsize space, piece;
      void *to;

      if (result == TB_CAPTURE_DAMAGED)
        return result;
      if (result == TB_CAPTURE_RECORD && func != NULL)
        func (&record, func_data);
      if (result != TB_CAPTURE_MORE)
        continue;
      if (at == length)
        return result;
      to = tb_capture_decoder_get_space (decoder, &space);
      g_assert_cmpuint (space, >, 0);
      piece = MIN (MIN (space, step), length - at);
      memcpy (to, data + at, piece);
      tb_capture_decoder_commit (decoder, piece);
      at += piece;
    }
}

void
capture_count (const TbCaptureRecord *record, gpointer data)
{
  (*(guint *) data)++;
}

void
capture_assert_refused (GByteArray *stream, TbCaptureDirection direction, const char *why)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (direction);
  TbCaptureRecord record;

  g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 100, NULL, NULL), ==,
                   TB_CAPTURE_DAMAGED);
  if (strstr (tb_capture_decoder_get_error (decoder), why) == NULL)
    g_error ("“%s” does not say “%s”", tb_capture_decoder_get_error (decoder), why);
  g_assert_cmpint (tb_capture_decoder_next (decoder, &record), ==, TB_CAPTURE_DAMAGED);
  tb_capture_decoder_free (decoder);
}
