/* test-perf-data-damage.c: test of truncated, damaged and hostile perf.data files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "../test-mode.h"
#include "extend/options/tb-option.h"
#include "perf-data-checks.h"
#include "tb-perf-import.h"

static void
assert_refused (const guint8 *bytes, gsize size, const char *in_message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = import_bytes (bytes, size, &error);

  g_assert_null (recorder);
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
  assert_contains (error->message, "test.data");
  assert_contains (error->message, in_message);
  assert_lacks (error->message, "\n");
}

/* The first form is cut at every position. Other forms, and quick tests, use some positions. */
static gsize
draw_step (guint form)
{
  guint longest = form == 0 ? test_rounds (2, 20) : test_rounds (40, 200);

  return (gsize) g_test_rand_int_range (1, (gint32) longest);
}

static void
test_truncated (void)
{
  for (guint form = 0; form < 12; form++)
    {
      g_autoptr (GByteArray) bytes
          = make_scenario (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, form / 4);

      for (gsize size = 0; size < bytes->len; size += draw_step (form))
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (TbRecorder) recorder = import_bytes (bytes->data, size, &error);

          if (recorder == NULL)
            {
              g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
              continue;
            }
          /* A stream has no length of its own: cut between two records it looks complete. */
          if ((form & 2) == 0)
            assert_contains (recorder_log_get_facts (recorder), "fact cut-short=");
        }
    }
}

/* The data section is cut: records that need no description are read, the rest is counted and
 * reported. */
static void
test_cut_in_data (void)
{
  g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);
  guint64 data = GUINT64_FROM_LE (*(guint64 *) (gpointer) (bytes->data + 40));
  guint64 size = GUINT64_FROM_LE (*(guint64 *) (gpointer) (bytes->data + 48));
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = import_bytes (bytes->data, data + size - 3, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 2);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_EXISTING), ==, 2);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MAPPING), ==, 3);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_FORK), ==, 1);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, 0);
  assert_contains (recorder_log_get_facts (recorder), "fact cut-short=the file is cut short\n");
  assert_contains (recorder_log_get_facts (recorder),
                   "16 samples of tracepoints whose fields the file does not describe were "
                   "left out: tracepoint 300 (3), tracepoint 301 (1)");
}

static void
test_killed (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  const WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
  SampleHead head = { 1, 1, 1, 100, 0, NULL, 0 };

  writer->no_data_size = TRUE;
  begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
  put_u64 (writer, 0); /* reserved, never written */
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 1);
  assert_contains (recorder_log_get_facts (recorder), "The recording was not ended properly");
  assert_contains (recorder_log_get_facts (recorder), "fact cut-short=");
}

static void
set_u64 (GByteArray *bytes, gsize at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes->data + at, &value, sizeof value);
}

static void
test_refused (void)
{
  static const struct
  {
    gsize at;
    guint64 value;
    const char *message;
  } damages[] = {
    { 0, 0x1122334455667788, "not a perf.data file" },
    { 8, 4242, "expected a header size of 104 or 16, found 4242" },
    { 16, 0, "expected the size of an event description" },
    { 16, G_MAXUINT64, "expected the size of an event description" },
    { 24, G_MAXUINT64 - 8, "expected event descriptions inside the file" },
    { 32, G_MAXUINT64 / 2, "expected event descriptions inside the file" },
    { 32, 0, "has no events, so there is nothing to show" },
  };
  static const guint8 old[16] = "PERFFILE";

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);

      set_u64 (bytes, damages[i].at, damages[i].value);
      assert_refused (bytes->data, bytes->len, damages[i].message);
    }
  assert_refused (old, sizeof old, "expected a header size of 104 or 16, found 0");
  assert_refused (old, 3, "the file ends after 3 bytes");
  assert_refused ((const guint8 *) "PERFILE2\x10\0\0\0\0\0\0\0", 16,
                  "expected the description of an event");
}

/* The first section after the data ends too early: the warning has its content, no number. */
static void
test_short_section (void)
{
  g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);
  guint64 data = GUINT64_FROM_LE (*(guint64 *) (gpointer) (bytes->data + 40));
  guint64 size = GUINT64_FROM_LE (*(guint64 *) (gpointer) (bytes->data + 48));
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = NULL;

  set_u64 (bytes, data + size + 8, 20);
  recorder = import_bytes (bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  assert_contains (recorder_log_get_facts (recorder),
                   "warning Fields of tracepoints: this part of the file is damaged");
  assert_lacks (recorder_log_get_facts (recorder), "offset");
}

/* Many events that all have the same IDs. */
static void
test_shared_ids (void)
{
  g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);
  guint64 attrs = GUINT64_FROM_LE (*(guint64 *) (gpointer) (bytes->data + 24));

  for (guint i = 0; i < 16; i++)
    {
      set_u64 (bytes, attrs + i * 152 + 136, 0);
      set_u64 (bytes, attrs + i * 152 + 144, bytes->len & ~(guint64) 7);
    }
  assert_refused (bytes->data, bytes->len, "expected the ids of an event inside the file");
}

static void
test_damaged_record (void)
{
  for (guint packing = 0; packing < 3; packing++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, packing);
      g_autoptr (TbRecorder) recorder = NULL;
      const WriterAttr *attr
          = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
      SampleHead head = { 1, 1, 1, 100, 0, NULL, 0 };

      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
      writer_end (writer);
      writer_begin (writer, PERF_RECORD_SAMPLE, 0); /* its size stays 0 */
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
      writer_end (writer);
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 1);
      assert_contains (recorder_log_get_facts (recorder), "fact cut-short=the file is damaged\n");
      assert_contains (recorder_log_get_facts (recorder), "warning test.data: at offset ");
    }
}

/* Lengths inside samples that point past their end. */
static void
test_damaged_samples (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  WriterAttr *attr
      = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1,
                         USUAL | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER
                             | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_READ,
                         "cpu-clock");
  static const guint64 lengths[] = { G_MAXUINT64, G_MAXUINT64 / 8, G_MAXUINT32, 1u << 29, 4, 2 };
  guint n = 0;

  attr->registers = G_MAXUINT64;
  attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
  for (guint field = 0; field < 5; field++)
    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
      {
        writer_begin (writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
        put_u64 (writer, attr->ids[0]);
        put_u64 (writer, 1);
        put_u64 (writer, 1);
        put_u64 (writer, 100 + n++);
        put_u64 (writer, 0);
        put_u64 (writer, 1);
        for (guint before = 0; before <= field; before++)
          put_u64 (writer, before < field ? 0 : lengths[i]);
        writer_end (writer);
      }
  writer_begin (writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
  put_u64 (writer, attr->ids[0]);
  writer_end (writer);
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 0);
  assert_contains (recorder_log_get_facts (recorder),
                   "warning 31 samples are damaged and were left out: their time is missing in all "
                   "results.");
}

/* Random bit flips: no crash, no hang, and an end of the import. */
static void
test_flipped (void)
{
  guint n_rounds = test_rounds (400, 60);

  for (guint form = 0; form < 12; form++)
    {
      g_autoptr (GByteArray) bytes
          = make_scenario (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, form / 4);
      guint n_read = 0;

      for (guint i = 0; i < n_rounds; i++)
        {
          g_autofree guint8 *damaged = g_memdup2 (bytes->data, bytes->len);
          guint n_flips = g_test_rand_int_range (1, 6);
          g_autoptr (TbRecorder) recorder = NULL;
          g_autoptr (GError) error = NULL;

          for (guint j = 0; j < n_flips; j++)
            damaged[g_test_rand_int_range (0, bytes->len)] ^= 1 << g_test_rand_int_range (0, 8);
          recorder = import_bytes (damaged, bytes->len, &error);
          if (recorder == NULL)
            g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
          else
            n_read++;
        }
      g_assert_cmpuint (n_read, >, n_rounds / 2);
    }
}

/* A small file that decompresses to a large one. */
static void
test_bomb (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_COMPRESSED2);
  g_autoptr (TbRecorder) recorder = NULL;
  static const guint64 chain[512];
  const WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
  SampleHead head = { 1, 1, 1, 1, 0, chain, G_N_ELEMENTS (chain) };

  for (; head.time <= 10000; head.time++)
    {
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
      writer_end (writer);
    }
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 10000);
}

static void
count_progress (double share, const char *what, gpointer data)
{
  g_assert_cmpfloat (share, >=, 0);
  g_assert_cmpfloat (share, <=, 1);
  g_cancellable_cancel (data);
}

static void
test_cancelled (void)
{
  g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (TbRecorder) recorder = recorder_log_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPerfFile) file
      = tb_perf_file_open_bytes (bytes->data, bytes->len, "test.data", &error);

  g_assert_no_error (error);
  g_assert_false (
      tb_perf_import_run (file, recorder, count_progress, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-damage/truncated", test_truncated);
  g_test_add_func ("/perf-data-damage/cut-in-data", test_cut_in_data);
  g_test_add_func ("/perf-data-damage/killed", test_killed);
  g_test_add_func ("/perf-data-damage/refused", test_refused);
  g_test_add_func ("/perf-data-damage/short-section", test_short_section);
  g_test_add_func ("/perf-data-damage/shared-ids", test_shared_ids);
  g_test_add_func ("/perf-data-damage/damaged-record", test_damaged_record);
  g_test_add_func ("/perf-data-damage/damaged-samples", test_damaged_samples);
  g_test_add_func ("/perf-data-damage/flipped", test_flipped);
  g_test_add_func ("/perf-data-damage/bomb", test_bomb);
  g_test_add_func ("/perf-data-damage/cancelled", test_cancelled);
  return g_test_run ();
}
