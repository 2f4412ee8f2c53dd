/* test-capture-message.c: test of status codes with arguments and causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "capture-stream.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-message.h"

static void
assert_arguments (const TbCaptureMessage *message, const char *const *expected)
{
  guint n = 0;

  for (; expected[n] != NULL; n++)
    g_assert_cmpstr (tb_capture_message_get (message, n), ==, expected[n]);
  g_assert_cmpuint (message->n_arguments, ==, n);
  g_assert_null (tb_capture_message_get (message, n));
}

static void
test_arguments (void)
{
  const char *const expected[]
      = { "sched:sched_switch", "", "18446744073709551615", "-1", "a?b?c", NULL };
  const TbCaptureMessage *message
      = TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_TRACEPOINT, EACCES, "sched:sched_switch", "",
                            TB_CAPTURE_NUMBER (G_MAXUINT64), TB_CAPTURE_SIGNED_NUMBER (-1),
                            "a\nb\177c");

  g_assert_cmpuint (message->code, ==, TB_CAPTURE_CODE_TRACEPOINT);
  g_assert_cmpuint (message->error, ==, EACCES);
  assert_arguments (message, expected);
  /* A number outside the range of errno becomes 0. */
  g_assert_cmpuint (TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, -1)->error, ==, 0);
  g_assert_cmpuint (TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, 4096)->error, ==, 0);
  g_assert_cmpuint (TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, 4095)->error, ==, 4095);
  g_assert_cmpuint (TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, 0)->n_arguments, ==, 0);
}

/* A cause of a cause. */
static void
test_causes (void)
{
  const char *const expected[]
      = { "scheduler", "5", "13", "1", "R3 !read_ok", "1", "2", "0", "0", "0", "0", NULL };
  TbCaptureMessage message;

  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_PROGRAMS_NOT_LOADED, EACCES, "scheduler");
  tb_capture_message_add_cause (&message, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROGRAM_REFUSED,
                                                              EACCES, "R3 !read_ok"));
  tb_capture_message_add_cause (&message, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, ENOENT));
  tb_capture_message_add_cause (&message, NULL);
  assert_arguments (&message, expected);
}

/* Excess arguments are dropped, and no cause is split. */
static void
test_limits (void)
{
  g_autofree char *long_text = g_strnfill (2 * TB_CAPTURE_MAX_ARGUMENT_BYTES, 'x');
  TbCaptureMessage message = { 0 }, before;
  guint16 n;

  for (guint i = 0; i < TB_CAPTURE_MAX_ARGUMENTS - 2; i++)
    tb_capture_message_add (&message, "x");
  before = message;
  tb_capture_message_add_cause (&message, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, ENOENT));
  g_assert_cmpmem (&message, sizeof message, &before, sizeof before);
  for (guint i = 0; i < 5; i++)
    tb_capture_message_add (&message, "x");
  g_assert_cmpuint (message.n_arguments, ==, TB_CAPTURE_MAX_ARGUMENTS);
  g_assert_cmpuint (message.length, ==, 2 * TB_CAPTURE_MAX_ARGUMENTS);

  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_ERROR, 0, "first", long_text, "lost");
  g_assert_cmpuint (message.n_arguments, ==, 2);
  g_assert_cmpuint (message.length, ==, TB_CAPTURE_MAX_ARGUMENT_BYTES);
  g_assert_cmpuint (strlen (tb_capture_message_get (&message, 1)), ==,
                    TB_CAPTURE_MAX_ARGUMENT_BYTES - 7);
  g_assert_cmpint (tb_capture_arguments_check ((const guint8 *) message.arguments, message.length,
                                               &n),
                   ==, 0);
  g_assert_cmpuint (n, ==, 2);
  before = message;
  tb_capture_message_add_cause (&message, TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ERROR, ENOENT));
  g_assert_cmpmem (&message, sizeof message, &before, sizeof before);

  /* The cause's own strings fit, but not those of its cause. */
  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_ERROR, 0, "first");
  before = message;
  tb_capture_message_add_cause (&message,
                                TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROGRAM_REFUSED, 0, long_text));
  g_assert_cmpmem (&message, sizeof message, &before, sizeof before);
}

static void
take_status (const TbCaptureRecord *record, gpointer data)
{
  tb_capture_message_read (data, record);
  g_assert_cmpuint (record->status.kind, ==, TB_CAPTURE_STATUS_REFUSED);
  g_assert_cmpuint (record->status.source, ==, TB_CAPTURE_SOURCE_MARKS);
  g_assert_cmpuint (record->status.id, ==, 0x80000001);
}

/* Also a code that only a newer agent has. */
static void
test_stream (void)
{
  static const guint codes[] = { TB_CAPTURE_CODE_FILE_REPLACED, 0xfffe };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      const char *const expected[] = { "4711", "“ä”", NULL };
      g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
      TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
      TbCaptureRecord record = { .type = TB_CAPTURE_STATUS,
                                 .cpu = TB_CAPTURE_CPU_NONE,
                                 .status = { .kind = TB_CAPTURE_STATUS_REFUSED,
                                             .source = TB_CAPTURE_SOURCE_MARKS,
                                             .id = 0x80000001 } };
      TbCaptureMessage message, read = { 0 };

      TB_CAPTURE_SET_MESSAGE (&message, codes[i], EINVAL, "4711", "“ä”");
      tb_capture_message_write (&message, &record);
      capture_append (stream, &record);
      g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 9, take_status, &read),
                       ==, TB_CAPTURE_MORE);
      g_assert_cmpuint (read.code, ==, codes[i]);
      g_assert_cmpuint (read.error, ==, EINVAL);
      assert_arguments (&read, expected);
      tb_capture_decoder_free (decoder);
    }
}

/* Records of another type have no message. */
static void
test_no_status (void)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_EXIT, .exit = { 1, 2 } };
  TbCaptureMessage message;

  tb_capture_message_read (&message, &record);
  g_assert_cmpuint (message.code, ==, TB_CAPTURE_CODE_NONE);
  g_assert_cmpuint (message.n_arguments, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture-message/arguments", test_arguments);
  g_test_add_func ("/capture-message/causes", test_causes);
  g_test_add_func ("/capture-message/limits", test_limits);
  g_test_add_func ("/capture-message/stream", test_stream);
  g_test_add_func ("/capture-message/no-status", test_no_status);
  return g_test_run ();
}
