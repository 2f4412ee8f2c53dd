/* test-capture-refused.c: test that contradictory and excessive records are rejected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "capture-stream.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-layout-private.h"

static void
assert_record_refused (const TbCaptureRecord *record, const char *why)
{
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);

  capture_append (stream, record);
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, why);
}

/* Pairs of interfaces: the second one contradicts the first, or itself. */
static void
test_interfaces (void)
{
  static const guint8 name[] = "eth0", addresses[2 * TB_CAPTURE_ADDRESS_SIZE] = { 0 };
  static const struct
  {
    TbCaptureInterface interface;
    guint tail;
    const char *why; /* NULL: it is valid */
  } cases[] = {
    { { 0, 3, 1, 0 }, 0, NULL },
    { { TB_CAPTURE_MAX_SPEED, G_MAXINT32, 1, 7 }, 2 * TB_CAPTURE_ADDRESS_SIZE, NULL },
    { { 0, 2, 1, 0 }, 0, "interface: number out of order" },
    { { 0, 0, 1, 0 }, 0, "interface: number out of order" },
    { { 0, (guint32) G_MAXINT32 + 1, 1, 0 }, 0, "interface: number out of order" },
    { { 0, 3, 0, 0 }, 0, "interface: name missing" },
    { { 0, 3, 2, 0 }, 0, "interface: refers to a string that was not sent" },
    { { TB_CAPTURE_MAX_SPEED + 1, 3, 1, 0 }, 0, "interface: speed out of range" },
    { { 0, 3, 1, 0 }, TB_CAPTURE_ADDRESS_SIZE + 4, "interface: incomplete address" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
      TbCaptureRecord string
          = { .type = TB_CAPTURE_STRING, .string.id = 1, .tail = name, .tail_length = 4 };
      TbCaptureRecord record = { .type = TB_CAPTURE_INTERFACE, .interface = { 0, 2, 1, 0 } };
      TbCaptureDecoder *decoder;
      guint n = 0;

      capture_append (stream, &string);
      capture_append (stream, &record);
      record.interface = cases[i].interface;
      record.tail = addresses;
      record.tail_length = cases[i].tail;
      capture_append (stream, &record);
      if (cases[i].why != NULL)
        {
          capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, cases[i].why);
          continue;
        }
      decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
      g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 100, capture_count, &n),
                       ==, TB_CAPTURE_MORE);
      g_assert_cmpuint (n, ==, 3);
      tb_capture_decoder_free (decoder);
    }
}

/* The number of interfaces is bounded, and a record that is too short is rejected. */
static void
test_too_many_interfaces (void)
{
  static const guint8 name[] = "eth0";
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  TbCaptureRecord string
      = { .type = TB_CAPTURE_STRING, .string.id = 1, .tail = name, .tail_length = 4 };
  TbCaptureRecord record = { .type = TB_CAPTURE_INTERFACE, .interface.name = 1 };
  gsize start;

  capture_append (stream, &string);
  start = stream->len;
  record.interface.index = 1;
  capture_append (stream, &record);
  stream->data[start + 10] = 20;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT,
                          "interface: 20 bytes where at least 24 are needed");
  g_byte_array_set_size (stream, start);
  for (guint i = 0; i <= TB_CAPTURE_MAX_INTERFACES; i++)
    {
      record.interface.index = i + 1;
      capture_append (stream, &record);
    }
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "interface: too many");
}

static void
test_contradictions (void)
{
  static const guint64 words[1] = { 0 };
  TbCaptureRecord record;
  g_autoptr (GByteArray) stream = NULL;

  record = (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH, .cpu = 0, .sched_switch.stack = 1 };
  assert_record_refused (&record, "switch: refers to a stack that was not sent");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_NAME, .cpu = 0, .name.name = 7 };
  assert_record_refused (&record, "name: refers to a string");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_MAPPING, .cpu = 0, .mapping.module = 0 };
  assert_record_refused (&record, "mapping: refers to a module");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH, .cpu = 0, .sched_switch.sleep = 1 };
  assert_record_refused (&record, "switch: refers to a sleep that was not sent");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_SLEEP, .cpu = 0, .sleep = { .id = 2 } };
  assert_record_refused (&record, "sleep: ID out of order");
  record
      = (TbCaptureRecord) { .type = TB_CAPTURE_SLEEP, .cpu = 0, .sleep = { .id = 1, .module = 1 } };
  assert_record_refused (&record, "sleep: refers to a module");
  record
      = (TbCaptureRecord) { .type = TB_CAPTURE_SLEEP, .cpu = 0, .sleep = { .id = 1, .object = 1 } };
  assert_record_refused (&record, "sleep: refers to a string");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_IO_ISSUE, .cpu = 0, .io.file = 1 };
  assert_record_refused (&record, "io-issue: refers to a string");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_IO_ISSUE, .cpu = 0, .io.device = 1 };
  assert_record_refused (&record, "io-issue: refers to a device");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_EXIT, .cpu = 0, .exit.tid = -2 };
  assert_record_refused (&record, "exit: refers to a thread");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_EXIT, .cpu = CAPTURE_N_CPUS };
  assert_record_refused (&record, "CPU 4 of 4");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_EXIT, .time = (guint64) G_MAXINT64 + 1 };
  assert_record_refused (&record, "time out of range");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_STRING, .cpu = 0, .string.id = 2 };
  assert_record_refused (&record, "string: ID out of order");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_STACK, .cpu = 0, .stack.id = 0 };
  assert_record_refused (&record, "stack: ID out of order");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_RETURN, .cpu = 0, .time = 5, .call.entered = 6 };
  assert_record_refused (&record, "return: ends before it begins");
  record = (TbCaptureRecord) {
    .type = TB_CAPTURE_SYS_CALL, .cpu = 0, .time = 5, .sys_call.entered = 6
  };
  assert_record_refused (&record, "sys-call: ends before it begins");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_DUMP, .cpu = 0, .dump.registers = 3 };
  record.tail = (const guint8 *) words;
  record.tail_length = sizeof words;
  assert_record_refused (&record, "dump: registers missing");
  record.dump.registers = 0;
  assert_record_refused (&record, "dump: registers missing");
  record = (TbCaptureRecord) { .type = TB_CAPTURE_LOST, .cpu = 0, .time = 5, .lost.from = 6 };
  assert_record_refused (&record, "ends before it begins");

  /* a stack from before a reset */
  stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  record = (TbCaptureRecord) { .type = TB_CAPTURE_STACK, .cpu = 0, .stack.id = 1 };
  capture_append (stream, &record);
  record = (TbCaptureRecord) { .type = TB_CAPTURE_RESET, .cpu = 0 };
  capture_append (stream, &record);
  record = (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH, .cpu = 0, .sched_switch.stack = 1 };
  capture_append (stream, &record);
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "refers to a stack");
}

static void
test_lengths (void)
{
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  TbCaptureRecord record = { .type = TB_CAPTURE_SWITCH, .cpu = 0 };
  gsize header = stream->len;

  capture_append (stream, &record);
  stream->data[header + 10] = 4;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT,
                          "switch: 4 bytes where at least 18 are needed");
  stream->data[header + 10] = 0xff;
  stream->data[header + 11] = 0xff;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "record of 65535 bytes");

  g_byte_array_set_size (stream, header);
  stream->data[8] = 9;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "stream version 9");
  stream->data[8] = TB_CAPTURE_VERSION;
  stream->data[15] = 1;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "header: bad length");
  stream->data[15] = 0;
  stream->data[18] = 0xff;
  stream->data[19] = 0xff;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "longer than the header");
  g_byte_array_set_size (stream, 4);
  capture_assert_refused (stream, TB_CAPTURE_FROM_CLIENT, "not a Tailback control stream");
}

/* Invalid arguments, or too many. */
static void
test_arguments (void)
{
  static const struct
  {
    const char *tail;
    guint length;
    guint error;
    const char *why;
  } cases[] = {
    { "no end", 6, 0, "status: bad arguments" },
    { "one\0two", 7, 0, "status: bad arguments" },
    { "a line\n", 8, 0, "status: bad arguments" },
    { "\177", 2, 0, "status: bad arguments" },
    { "", 0, TB_CAPTURE_MAX_ERROR + 1, "status: errno out of range" },
  };
  guint8 many[TB_CAPTURE_MAX_ARGUMENTS + 1] = { 0 };
  TbCaptureRecord record = { .type = TB_CAPTURE_STATUS, .cpu = TB_CAPTURE_CPU_NONE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      record.status.error = cases[i].error;
      record.tail = (const guint8 *) cases[i].tail;
      record.tail_length = cases[i].length;
      assert_record_refused (&record, cases[i].why);
    }
  record.status.error = 0;
  record.tail = many;
  record.tail_length = sizeof many;
  assert_record_refused (&record, "status: bad arguments");
}

/* Refusals in the header. */
static void
test_refusals (void)
{
  static const struct
  {
    guint offset; /* in the field */
    guint8 byte;
    gboolean is_right;
  } cases[] = {
    { 0, 0xff, TRUE },       /* unknown backend */
    { 4, 0xff, TRUE },       /* unknown code */
    { 6, 1, FALSE },         /* missing code */
    { 9, 0x10, FALSE },      /* errno of 4096 or more */
    { 12, '\t', FALSE },     /* an argument with a control character */
    { 12 + 23, 'x', FALSE }, /* an argument without a terminator */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
      TbCaptureDecoder *decoder;
      gsize field = 0;

      for (gsize at = TB_CAPTURE_HEADER_SIZE; at < stream->len;)
        {
          guint length = stream->data[at + 2] + 256u * stream->data[at + 3];

          if (stream->data[at] == TB_CAPTURE_KEY_REFUSED)
            field = at + TB_CAPTURE_FIELD_SIZE;
          at += TB_CAPTURE_FIELD_SIZE + ((length + 7) & ~7u);
        }
      g_assert_cmpuint (field, >, 0);
      g_assert_cmpstr ((const char *) stream->data + field + 12, ==, "/sys/kernel/btf/vmlinux");
      stream->data[field + cases[i].offset] = cases[i].byte;
      if (!cases[i].is_right)
        {
          capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT,
                                  "header: field 9 has bad contents");
          continue;
        }
      decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
      g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 100, NULL, NULL), ==,
                       TB_CAPTURE_MORE);
      tb_capture_decoder_free (decoder);
    }
}

/* The status record of version 1: a kind, a source and a sentence. */
static void
test_old_status (void)
{
  static const guint8 old[] = { 0,   0,      0,   0,    0,    0,   0,   0,   TB_CAPTURE_STATUS,
                                0,   8 + 16, 0,   0xff, 0xff, 0,   0,   4,   0,
                                0,   0,      0,   0,    0,    0,   'N', 'o', ' ',
                                't', 'r',    'a', 'c',  'e',  'p', 'o', 'i', 'n',
                                't', 's',    '.', ' ' };
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);

  g_byte_array_append (stream, old, sizeof old);
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "status: errno out of range");
  stream->data[8] = 1;
  capture_assert_refused (stream, TB_CAPTURE_FROM_AGENT, "stream version 1, only 2 is known");
}

/* Definitions that would fill a client's memory. */
static void
test_bounded (void)
{
  g_autofree guint8 *chain = g_malloc0 (TB_CAPTURE_MAX_CHAIN * 8);
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  TbCaptureRecord record = { .type = TB_CAPTURE_STACK, .cpu = 0, .tail = chain };
  TbCaptureResult result = capture_decode (decoder, stream->data, stream->len, 1000, NULL, NULL);

  record.tail_length = TB_CAPTURE_MAX_CHAIN * 8;
  for (guint i = 0; result == TB_CAPTURE_MORE; i++)
    {
      g_byte_array_set_size (stream, 0);
      record.stack.id = i + 1;
      capture_append (stream, &record);
      result = capture_decode (decoder, stream->data, stream->len, stream->len, NULL, NULL);
      g_assert_cmpuint (i, <=, TB_CAPTURE_MAX_STACK_WORDS / TB_CAPTURE_MAX_CHAIN);
    }
  g_assert_nonnull (strstr (tb_capture_decoder_get_error (decoder), "too many stacks"));
  tb_capture_decoder_free (decoder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture-refused/interfaces", test_interfaces);
  g_test_add_func ("/capture-refused/too-many-interfaces", test_too_many_interfaces);
  g_test_add_func ("/capture-refused/contradictions", test_contradictions);
  g_test_add_func ("/capture-refused/lengths", test_lengths);
  g_test_add_func ("/capture-refused/arguments", test_arguments);
  g_test_add_func ("/capture-refused/refusals", test_refusals);
  g_test_add_func ("/capture-refused/old-status", test_old_status);
  g_test_add_func ("/capture-refused/bounded", test_bounded);
  return g_test_run ();
}
