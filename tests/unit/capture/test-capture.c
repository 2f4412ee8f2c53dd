/* test-capture.c: test that encoded records decode to the same records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "capture-stream.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-layout-private.h"
#include "capture/tb-capture-message.h"

/* State of a writer: definitions sent so far, which records may refer to. */
typedef struct
{
  guint32 strings;
  guint32 stacks;
  guint32 first_stack;
  guint32 modules;
  guint32 devices;
  guint32 sleeps;
  guint32 interface; /* index of the last one */
} Defined;

typedef struct
{
  TbCaptureRecord record;
  guint8 tail[TB_CAPTURE_MAX_PAYLOAD];
} ExpectedRecord;

/* Random strings without control characters. */
static void
fill_arguments (GRand *random, ExpectedRecord *expected_record)
{
  guint n_left = TB_CAPTURE_MAX_ARGUMENTS - 1;

  for (guint i = 0; i < expected_record->record.tail_length; i++)
    if (n_left > 0 && g_rand_int_range (random, 0, 10) == 0)
      {
        expected_record->tail[i] = 0;
        n_left--;
      }
    else if (expected_record->tail[i] < 0x20 || expected_record->tail[i] == 0x7f)
      expected_record->tail[i] = 0x20;
  if (expected_record->record.tail_length > 0)
    expected_record->tail[expected_record->record.tail_length - 1] = 0;
}

static guint32
pick_id (GRand *random, guint32 first, guint32 last)
{
  return last > first && g_rand_int_range (random, 0, 4) > 0
             ? first + 1 + g_rand_int (random) % (last - first)
             : 0;
}

static guint64
pick_u64 (GRand *random)
{
  guint64 value = (guint64) g_rand_int (random) << 32 | g_rand_int (random);

  return value >> g_rand_int_range (random, 0, 64);
}

static void
fill_member (GRand *random,
             TbCaptureRecord *record,
             const TbCaptureMember *member,
             const Defined *defined)
{
  guint8 *to = (guint8 *) record + member->offset;

  switch (member->kind)
    {
    case TB_CAPTURE_MEMBER_U16:
      *(guint16 *) to = g_rand_int (random);
      break;
    case TB_CAPTURE_MEMBER_U32:
      *(guint32 *) to = pick_u64 (random);
      break;
    case TB_CAPTURE_MEMBER_U64:
      *(guint64 *) to = pick_u64 (random);
      break;
    case TB_CAPTURE_MEMBER_TID:
      *(gint32 *) to = g_rand_int_range (random, -1, G_MAXINT32);
      break;
    case TB_CAPTURE_MEMBER_STRING_ID:
      *(guint32 *) to = pick_id (random, 0, defined->strings);
      break;
    case TB_CAPTURE_MEMBER_STACK_ID:
      *(guint32 *) to = pick_id (random, defined->first_stack, defined->stacks);
      break;
    case TB_CAPTURE_MEMBER_MODULE_ID:
      *(guint32 *) to = 1 + g_rand_int (random) % defined->modules;
      break;
    case TB_CAPTURE_MEMBER_MODULE_OR_NONE:
      *(guint32 *) to = pick_id (random, 0, defined->modules);
      break;
    case TB_CAPTURE_MEMBER_SLEEP_ID:
      *(guint32 *) to
          = pick_id (random,
                     MAX (defined->sleeps, TB_CAPTURE_SLEEP_WINDOW) - TB_CAPTURE_SLEEP_WINDOW,
                     defined->sleeps);
      break;
    case TB_CAPTURE_MEMBER_DEVICE_ID:
      *(guint32 *) to = pick_id (random, 0, defined->devices);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* A valid record of the type with random content; NULL if it would need a definition that was not
 * sent. */
static ExpectedRecord *
make_record (GRand *random, guint type, Defined *defined)
{
  const TbCaptureLayout *layout = tb_capture_layout_get (type);
  ExpectedRecord *expected_record;

  if ((type == TB_CAPTURE_MAPPING && defined->modules == 0)
      || (type == TB_CAPTURE_INTERFACE && defined->strings == 0))
    return NULL;
  expected_record = g_new0 (ExpectedRecord, 1);
  expected_record->record.type = type;
  expected_record->record.time = pick_u64 (random) >> 1;
  expected_record->record.cpu
      = g_rand_boolean (random) ? g_rand_int (random) % CAPTURE_N_CPUS : TB_CAPTURE_CPU_NONE;
  expected_record->record.flags = g_rand_int (random);
  for (const TbCaptureMember *member = layout->members; member->kind != TB_CAPTURE_MEMBER_END;
       member++)
    fill_member (random, &expected_record->record, member, defined);
  if (layout->tail != TB_CAPTURE_TAIL_NONE)
    {
      gsize limit
          = g_rand_int_range (random, 0, 10) == 0 ? layout->max_tail : MIN (layout->max_tail, 200);

      expected_record->record.tail_length = g_rand_int_range (random, 0, limit + 1);
      if (layout->tail == TB_CAPTURE_TAIL_WORDS)
        expected_record->record.tail_length &= ~7u;
      for (gsize i = 0; i < expected_record->record.tail_length; i++)
        expected_record->tail[i] = g_rand_int (random);
    }
  expected_record->record.tail = expected_record->tail;

  switch (type)
    {
    case TB_CAPTURE_STRING:
      expected_record->record.string.id = ++defined->strings;
      break;
    case TB_CAPTURE_STACK:
      expected_record->record.stack.id = ++defined->stacks;
      break;
    case TB_CAPTURE_MODULE:
      expected_record->record.module.id = ++defined->modules;
      break;
    case TB_CAPTURE_DEVICE:
      expected_record->record.device.id = ++defined->devices;
      break;
    case TB_CAPTURE_SLEEP:
      expected_record->record.sleep.id = ++defined->sleeps;
      expected_record->record.sleep.kind %= TB_CAPTURE_N_SLEEPS;
      break;
    case TB_CAPTURE_INTERFACE:
      defined->interface += 1 + (guint32) g_rand_int_range (random, 0, 1000);
      expected_record->record.interface.index = defined->interface;
      expected_record->record.interface.name = 1 + g_rand_int (random) % defined->strings;
      expected_record->record.interface.speed %= TB_CAPTURE_MAX_SPEED + 1;
      expected_record->record.tail_length
          -= expected_record->record.tail_length % TB_CAPTURE_ADDRESS_SIZE;
      break;
    case TB_CAPTURE_RESET:
      defined->first_stack = defined->stacks;
      break;
    case TB_CAPTURE_MAPPING:
      expected_record->record.mapping.size
          = MIN (expected_record->record.mapping.size,
                 G_MAXUINT64 - expected_record->record.mapping.start);
      break;
    case TB_CAPTURE_CALL:
    case TB_CAPTURE_RETURN:
      expected_record->record.call.entered
          = MIN (expected_record->record.call.entered, expected_record->record.time);
      break;
    case TB_CAPTURE_SYS_ENTER:
      expected_record->record.sys_enter.entered
          = MIN (expected_record->record.sys_enter.entered, expected_record->record.time);
      break;
    case TB_CAPTURE_SYS_CALL:
      expected_record->record.sys_call.entered
          = MIN (expected_record->record.sys_call.entered, expected_record->record.time);
      break;
    case TB_CAPTURE_DUMP:
      /* At most as many registers as there are words. */
      while ((guint) __builtin_popcountll (expected_record->record.dump.registers)
             > expected_record->record.tail_length / 8)
        expected_record->record.dump.registers &= expected_record->record.dump.registers - 1;
      if (expected_record->record.dump.registers == 0)
        expected_record->record.tail_length = 0;
      memset (expected_record->tail + expected_record->record.tail_length, 0,
              sizeof expected_record->tail - expected_record->record.tail_length);
      break;
    case TB_CAPTURE_STATUS:
      expected_record->record.status.error %= TB_CAPTURE_MAX_ERROR + 1;
      fill_arguments (random, expected_record);
      break;
    case TB_CAPTURE_LOST:
      expected_record->record.lost.from
          = MIN (expected_record->record.lost.from, expected_record->record.time);
      break;
    default:
      break;
    }
  return expected_record;
}

typedef struct
{
  GPtrArray *expected;
  guint n;
} Comparison;

static void
compare_next (const TbCaptureRecord *record, gpointer data)
{
  Comparison *comparison = data;
  const ExpectedRecord *expected_record;
  TbCaptureRecord with_tail = *record;

  g_assert_cmpuint (comparison->n, <, comparison->expected->len);
  expected_record = g_ptr_array_index (comparison->expected, comparison->n++);
  g_assert_cmpuint (record->type, ==, expected_record->record.type);
  g_assert_cmpmem (record->tail, record->tail_length, expected_record->tail,
                   expected_record->record.tail_length);
  with_tail.tail = expected_record->record.tail;
  g_assert_cmpmem (&with_tail, sizeof with_tail, &expected_record->record,
                   sizeof expected_record->record);
}

/* Random records of all types of a direction, decoded in pieces of random size. */
static void
test_round_trip (gconstpointer data)
{
  TbCaptureDirection direction = GPOINTER_TO_INT (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (20261121);
  guint seen[TB_CAPTURE_N_TYPES] = { 0 };

  for (guint round = 0; round < 40; round++)
    {
      g_autoptr (GByteArray) stream = capture_begin_stream (direction);
      g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);
      Comparison comparison = { expected, 0 };
      TbCaptureDecoder *decoder = tb_capture_decoder_new (direction);
      Defined defined = { 0 };

      while (expected->len < 200)
        {
          guint type = g_rand_int_range (random, 0, TB_CAPTURE_N_TYPES);
          const TbCaptureLayout *layout = tb_capture_layout_get (type);
          ExpectedRecord *expected_record;

          if (layout == NULL || layout->control != (direction == TB_CAPTURE_FROM_CLIENT))
            continue;
          expected_record = make_record (random, type, &defined);
          if (expected_record == NULL)
            continue;
          capture_append (stream, &expected_record->record);
          g_ptr_array_add (expected, expected_record);
          seen[type]++;
        }
      g_assert_cmpint (capture_decode (decoder, stream->data, stream->len,
                                       g_rand_int_range (random, 1, 100000), compare_next,
                                       &comparison),
                       ==, TB_CAPTURE_MORE);
      g_assert_cmpuint (comparison.n, ==, expected->len);
      g_assert_cmpuint (tb_capture_decoder_get_n_skipped (decoder), ==, 0);
      g_assert_cmpuint (tb_capture_decoder_get_offset (decoder), ==, stream->len);
      g_assert_false (tb_capture_decoder_has_partial (decoder));
      tb_capture_decoder_free (decoder);
    }
  for (guint type = 0; type < TB_CAPTURE_N_TYPES; type++)
    {
      const TbCaptureLayout *layout = tb_capture_layout_get (type);

      if (layout != NULL && layout->control == (direction == TB_CAPTURE_FROM_CLIENT))
        g_assert_cmpuint (seen[type], >, 0);
    }
}

static void
test_layouts (void)
{
  for (guint type = 0; type < TB_CAPTURE_N_TYPES; type++)
    {
      const TbCaptureLayout *layout = tb_capture_layout_get (type);
      guint size = 0;

      if (layout == NULL)
        continue;
      for (const TbCaptureMember *member = layout->members; member->kind != TB_CAPTURE_MEMBER_END;
           member++)
        {
          guint own = tb_capture_member_get_size (member);

          /* A later member follows without a gap, aligned or not; no member crosses the end of an
           * older version. */
          if (size < tb_capture_layout_get_needed (layout))
            {
              g_assert_cmpuint (size % own, ==, 0);
              g_assert_cmpuint (size + own, <=, tb_capture_layout_get_needed (layout));
            }
          g_assert_cmpuint (member->offset % own, ==, 0);
          size += own;
        }
      g_assert_cmpuint (size, ==, layout->size);
      g_assert_true (layout->needed == 0 || layout->tail == TB_CAPTURE_TAIL_NONE);
      g_assert_cmpuint (tb_capture_layout_get_tail_offset (layout) + layout->max_tail, <=,
                        TB_CAPTURE_MAX_PAYLOAD);
    }
  g_assert_null (tb_capture_layout_get (0));
  g_assert_null (tb_capture_layout_get (G_MAXUINT16));
}

static void
test_header (void)
{
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  TbCaptureHeader expected = capture_make_header ();
  const TbCaptureHeader *header;

  g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 7, NULL, NULL), ==,
                   TB_CAPTURE_MORE);
  header = tb_capture_decoder_get_header (decoder);
  g_assert_cmpstr (header->host, ==, expected.host);
  g_assert_cmpstr (header->kernel, ==, expected.kernel);
  g_assert_cmpstr (header->machine, ==, expected.machine);
  g_assert_cmpstr (header->boot_id, ==, expected.boot_id);
  g_assert_cmpstr (header->agent, ==, expected.agent);
  g_assert_cmpuint (header->n_cpus, ==, expected.n_cpus);
  g_assert_cmpuint (header->backend, ==, expected.backend);
  g_assert_cmpuint (header->monotonic, ==, expected.monotonic);
  g_assert_cmpuint (header->realtime, ==, expected.realtime);
  g_assert_cmpuint (header->boottime, ==, expected.boottime);
  g_assert_cmpuint (header->n_refusals, ==, 1);
  g_assert_cmpuint (header->refusals[0].backend, ==, TB_CAPTURE_BACKEND_BPF);
  g_assert_cmpuint (header->refusals[0].message.code, ==, TB_CAPTURE_CODE_NO_BTF);
  g_assert_cmpuint (header->refusals[0].message.error, ==, ENOENT);
  g_assert_cmpuint (header->refusals[0].message.n_arguments, ==, 1);
  g_assert_cmpstr (tb_capture_message_get (&header->refusals[0].message, 0), ==,
                   "/sys/kernel/btf/vmlinux");
  tb_capture_decoder_free (decoder);
}

/* A stream may end anywhere: all records before the end are decoded. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  gsize header = stream->len;
  TbCaptureRecord record = { .type = TB_CAPTURE_SWITCH, .time = 5, .cpu = 1 };

  for (guint i = 0; i < 5; i++)
    capture_append (stream, &record);
  for (gsize cut = 0; cut <= stream->len; cut++)
    {
      TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
      guint n = 0;

      g_assert_cmpint (capture_decode (decoder, stream->data, cut, 100000, capture_count, &n), ==,
                       TB_CAPTURE_MORE);
      g_assert_cmpuint (n, ==, cut < header ? 0 : (cut - header) / ((stream->len - header) / 5));
      g_assert_cmpint (tb_capture_decoder_has_partial (decoder), ==,
                       cut < header ? cut > 0 : (cut - header) % ((stream->len - header) / 5) != 0);
      tb_capture_decoder_free (decoder);
    }
}

/* Additions of a later version: unknown types, unknown fields, longer payloads. */
static void
test_newer (void)
{
  g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  TbCaptureRecord record = { .type = TB_CAPTURE_EXIT, .time = 5, .cpu = 1 };
  static const guint8 field[16] = { 0xff, 0x7f, 3, 0, 0, 0, 0, 0, 1, 2, 3 };
  guint8 unknown[16 + 24] = { 0 };
  gsize at, header = stream->len;
  guint n = 0;

  /* one more field in the header */
  g_byte_array_append (stream, field, sizeof field);
  stream->data[12] += sizeof field;
  g_assert_cmpuint (stream->data[12], >=, sizeof field);
  g_assert_cmpuint (stream->len - header, ==, sizeof field);
  capture_append (stream, &record);
  /* one more type; a type of the other direction is unknown as well */
  unknown[8] = 0x77;
  unknown[9] = 0x77;
  unknown[10] = 17;
  g_byte_array_append (stream, unknown, sizeof unknown);
  unknown[8] = TB_CAPTURE_STOP;
  unknown[9] = 0;
  g_byte_array_append (stream, unknown, sizeof unknown);
  /* one more member */
  at = stream->len;
  capture_append (stream, &record);
  g_byte_array_append (stream, field, 8);
  stream->data[at + 10] += 8;

  g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 13, capture_count, &n), ==,
                   TB_CAPTURE_MORE);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (tb_capture_decoder_get_n_skipped (decoder), ==, 3);
  tb_capture_decoder_free (decoder);
}

typedef struct
{
  guint32 sleep;
  guint32 file;
  guint n;
} Appended;

static void
note_appended (const TbCaptureRecord *record, gpointer data)
{
  Appended *appended = data;

  appended->n++;
  if (record->type == TB_CAPTURE_SWITCH)
    appended->sleep = record->sched_switch.sleep;
  else if (record->type == TB_CAPTURE_IO_ISSUE)
    appended->file = record->io.file;
}

/* Truncates the payload of the record at start to that of an older version, padded with zeroes. */
static void
make_older (GByteArray *stream, gsize start, guint length)
{
  stream->data[start + 10] = length;
  g_byte_array_set_size (stream, start + TB_CAPTURE_RECORD_SIZE + ((length + 7) & ~7u));
  memset (stream->data + start + TB_CAPTURE_RECORD_SIZE + length, 0,
          stream->len - start - TB_CAPTURE_RECORD_SIZE - length);
}

/* Records of an earlier version: members added since then decode as 0. */
static void
test_grown (void)
{
  static const struct
  {
    guint type;
    guint before;
  } grown[] = {
    { TB_CAPTURE_SWITCH, 18 },
    { TB_CAPTURE_IO_ISSUE, 36 },
  };
  static const guint8 text[] = "/var/db";

  for (guint i = 0; i < G_N_ELEMENTS (grown); i++)
    for (guint older = 0; older < 2; older++)
      {
        g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
        TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
        TbCaptureRecord record = { .type = grown[i].type };
        TbCaptureRecord string
            = { .type = TB_CAPTURE_STRING, .string.id = 1, .tail = text, .tail_length = 7 };
        TbCaptureRecord sleep = { .type = TB_CAPTURE_SLEEP, .sleep = { .id = 1, .object = 1 } };
        Appended appended = { 0 };
        gsize start;

        capture_append (stream, &string);
        capture_append (stream, &sleep);
        start = stream->len;
        if (grown[i].type == TB_CAPTURE_SWITCH)
          record.sched_switch.sleep = 1;
        else
          record.io.file = 1;
        capture_append (stream, &record);
        if (older)
          make_older (stream, start, grown[i].before);
        g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 100000, note_appended,
                                         &appended),
                         ==, TB_CAPTURE_MORE);
        g_assert_cmpuint (appended.n, ==, 3);
        g_assert_cmpuint (appended.sleep + appended.file, ==, older ? 0 : 1);
        tb_capture_decoder_free (decoder);
      }
}

static void
note_sleep_kind (const TbCaptureRecord *record, gpointer data)
{
  *(guint *) data = record->sleep.kind;
}

/* References to sleeps are limited to the last ones. A kind of a newer agent is decoded as
 * "other". */
static void
test_sleeps (void)
{
  for (guint back = TB_CAPTURE_SLEEP_WINDOW - 1; back <= TB_CAPTURE_SLEEP_WINDOW; back++)
    {
      g_autoptr (GByteArray) stream = capture_begin_stream (TB_CAPTURE_FROM_AGENT);
      TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
      TbCaptureRecord record = { .type = TB_CAPTURE_SLEEP, .sleep.kind = 0x7777 };
      gboolean known = back < TB_CAPTURE_SLEEP_WINDOW;
      guint kind = 0;

      for (guint i = 0; i <= TB_CAPTURE_SLEEP_WINDOW; i++)
        {
          record.sleep.id = i + 1;
          capture_append (stream, &record);
        }
      g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 4096, note_sleep_kind,
                                       &kind),
                       ==, TB_CAPTURE_MORE);
      g_assert_cmpuint (kind, ==, TB_CAPTURE_SLEEP_OTHER);
      g_byte_array_set_size (stream, 0);
      record = (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH };
      record.sched_switch.sleep = TB_CAPTURE_SLEEP_WINDOW + 1 - back;
      capture_append (stream, &record);
      g_assert_cmpint (capture_decode (decoder, stream->data, stream->len, 4096, NULL, NULL), ==,
                       known ? TB_CAPTURE_MORE : TB_CAPTURE_DAMAGED);
      tb_capture_decoder_free (decoder);
    }
}

static void
test_encoder_limits (void)
{
  guint8 buffer[64];
  guint8 text[TB_CAPTURE_MAX_PAYLOAD] = { 0 };
  TbCaptureRecord record = { .type = TB_CAPTURE_STATUS, .tail = text, .tail_length = 32 };
  TbCaptureHeader header = capture_make_header ();

  g_assert_cmpuint (tb_capture_encode (&record, buffer, 63), ==, 0);
  g_assert_cmpuint (tb_capture_encode (&record, buffer, 64), ==, 64);
  record.tail_length = TB_CAPTURE_MAX_ARGUMENT_BYTES + 1;
  g_assert_cmpuint (tb_capture_encode (&record, text, sizeof text), ==, 0);
  record = (TbCaptureRecord) { .type = TB_CAPTURE_STACK, .tail = text, .tail_length = 12 };
  g_assert_cmpuint (tb_capture_encode (&record, buffer, sizeof buffer), ==, 0);
  record = (TbCaptureRecord) { .type = 15 };
  g_assert_cmpuint (tb_capture_encode (&record, buffer, sizeof buffer), ==, 0);
  g_assert_cmpuint (tb_capture_encode_header (&header, buffer, sizeof buffer), ==, 0);
  g_assert_cmpuint (tb_capture_encode_control_header (buffer, 15), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture/layouts", test_layouts);
  g_test_add_func ("/capture/header", test_header);
  g_test_add_data_func ("/capture/round-trip/from-agent", GINT_TO_POINTER (TB_CAPTURE_FROM_AGENT),
                        test_round_trip);
  g_test_add_data_func ("/capture/round-trip/from-client", GINT_TO_POINTER (TB_CAPTURE_FROM_CLIENT),
                        test_round_trip);
  g_test_add_func ("/capture/cut", test_cut);
  g_test_add_func ("/capture/newer", test_newer);
  g_test_add_func ("/capture/grown", test_grown);
  g_test_add_func ("/capture/sleeps", test_sleeps);
  g_test_add_func ("/capture/encoder-limits", test_encoder_limits);
  return g_test_run ();
}
