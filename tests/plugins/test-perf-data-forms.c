/* test-perf-data-forms.c: test of perf's other forms of files: folders, the first file format,
 * files that have no events, descriptions dated outside of the recording, simpleperf
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "perf-data-checks.h"
#include "tb-perf-folder.h"
#include "tb-perf-import.h"

#define RECORD_STAT 76
#define RECORD_EVENT_UPDATE 78
#define FEATURES_AT 72
#define DIRECTORY_BIT 24

static void
add_sample (Writer *writer, gint32 tid, guint64 time)
{
  SampleHead head = { 1, tid, tid, time, 0, NULL, 0 };

  begin_sample (writer, &writer->attrs[0], &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
}

static Writer *
new_writer (gboolean big_endian, WriterPacking packing)
{
  Writer *writer = writer_new (big_endian, WRITER_FILE, packing);
  WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");

  attr->flags |= 1u << FLAG_TASK | 1u << FLAG_COMM | 1u << FLAG_MMAP;
  return writer;
}

/* The records of a file, without its header and features. */
static GByteArray *
take_records (Writer *writer)
{
  g_autoptr (GByteArray) bytes = writer_finish (writer);
  gboolean swap = writer->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  GByteArray *records = g_byte_array_new ();
  guint64 from, size;

  from = tb_perf_u64 (bytes->data + 40, swap);
  size = tb_perf_u64 (bytes->data + 48, swap);
  return g_byte_array_append (records, bytes->data + from, size);
}

/* --- folders --- */

/* Samples of equal times are in different files. Within a file some records are late, as in a
 * buffer into which interrupts write. */
static GByteArray *
make_part (gboolean big_endian, WriterPacking packing, guint part)
{
  g_autoptr (Writer) writer = new_writer (big_endian, packing);

  for (guint i = 0; i < 20; i++)
    {
      if (i == 10)
        add_comm (writer, 50 + part, 50 + part, "late", 1000 + 200 * i + 100 * part - 150, 0);
      add_sample (writer, 50 + part, 1000 + 200 * i + 100 * part);
    }
  return take_records (writer);
}

static GByteArray *
make_main (gboolean big_endian)
{
  g_autoptr (Writer) writer = new_writer (big_endian, WRITER_PLAIN);

  for (gint32 tid = 50; tid < 52; tid++)
    {
      add_task (writer, PERF_RECORD_FORK, tid, 1, tid, 1, 0);
      add_comm (writer, tid, tid, "listed", 0, 0);
    }
  add_sample (writer, 49, 9000); /* must not end a round */
  end_round (writer);
  end_round (writer);
  return writer_finish (writer);
}

static void
assert_ordered (GArray *times)
{
  for (guint i = 1; i < times->len; i++)
    g_assert_cmpint (g_array_index (times, gint64, i - 1), <=, g_array_index (times, gint64, i));
}

static void
check_parts (gboolean big_endian, WriterPacking packing)
{
  g_autoptr (GByteArray) main_bytes = make_main (big_endian);
  g_autoptr (GByteArray) first = make_part (big_endian, packing, 0);
  g_autoptr (GByteArray) second = make_part (big_endian, packing, 1);
  GByteArray *parts[] = { first, second };
  g_autoptr (TbRecorder) recorder = recorder_log_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPerfFile) file
      = tb_perf_file_open_bytes (main_bytes->data, main_bytes->len, "data", &error);

  g_assert_no_error (error);
  file->has_parts = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    tb_perf_file_add_part (file, g_strdup_printf ("data.%u", i),
                           (TbPerfInput) { .bytes = parts[i]->data, .size = parts[i]->len });
  tb_perf_file_add_part (file, g_strdup ("data.2"), (TbPerfInput) { 0 });
  g_assert_true (tb_perf_import_run (file, recorder, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 41);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_EXISTING), ==, 2);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_NAME), ==, 2);
  g_assert_cmpuint (recorder_log_get_n_late (recorder), ==, 0);
  g_assert_cmpuint (recorder_log_get_n_waiting (recorder), ==, 0);
  assert_ordered (recorder_log_get_times (recorder));
  assert_lacks (recorder_log_get_facts (recorder), "warning");
}

static void
test_parts (void)
{
  for (guint form = 0; form < 6; form++)
    check_parts (form & 1, form / 2);
}

static void
write_file (const char *folder, const char *name, GByteArray *bytes, gsize size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, size > 0 ? (const char *) bytes->data : "", size, &error);
  g_assert_no_error (error);
}

static char *
import_path (const char *folder, const char *name, guint *n_samples)
{
  g_autoptr (GFile) file = g_file_new_build_filename (folder, name, NULL);
  g_autoptr (TbRecorder) recorder = recorder_log_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPerfFile) input = tb_perf_file_open (file, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (tb_perf_import_run (input, recorder, NULL, NULL, NULL, &error));
  *n_samples = recorder_log_count (recorder, TB_EVENT_SAMPLE);
  return g_strdup (recorder_log_get_facts (recorder));
}

static void
remove_folder (const char *folder)
{
  static const char *const names[] = { "data", "data.0", "data.1", "data.2", "data.x", "data.02" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Missing files are reported; files of other names do not belong to the folder. */
static void
test_folder (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-XXXXXX", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GByteArray) main_bytes = make_main (FALSE);
  g_autoptr (GByteArray) part = make_part (FALSE, WRITER_PLAIN, 1);
  guint n_samples;

  main_bytes->data[FEATURES_AT + DIRECTORY_BIT / 8] |= 1 << DIRECTORY_BIT % 8;
  g_assert_cmpint (tb_perf_folder_sniff (file), ==, 0);
  write_file (folder, "data", main_bytes, main_bytes->len);
  g_assert_cmpint (tb_perf_folder_sniff (file), ==, 100);
  {
    g_autofree char *facts = import_path (folder, "data", &n_samples);

    assert_contains (facts, "copy the whole folder.\n");
    assert_contains (facts, "fact cut-short=");
    g_assert_cmpuint (n_samples, ==, 1);
  }
  write_file (folder, "data.0", NULL, 0);
  write_file (folder, "data.2", part, part->len);
  write_file (folder, "data.x", part, part->len);
  write_file (folder, "data.02", part, part->len);
  {
    g_autofree char *facts = import_path (folder, ".", &n_samples);

    assert_contains (facts, "1 of the files data.0 to data.2 is missing in the folder: ");
    g_assert_cmpuint (n_samples, ==, 21);
  }
  write_file (folder, "data.1", part, part->len - 16);
  {
    g_autofree char *facts = import_path (folder, "data.2", &n_samples);

    assert_lacks (facts, "missing in the folder");
    assert_contains (facts, "data.1: at offset ");
    assert_contains (facts, "the last record is cut short");
    g_assert_cmpuint (n_samples, ==, 40);
  }
  remove_folder (folder);
}

static void
test_part_names (void)
{
  g_autoptr (GByteArray) part = make_part (FALSE, WRITER_PLAIN, 0);

  g_assert_cmpint (tb_perf_folder_sniff_part (part->data, part->len, "data.0"), >, 0);
  g_assert_cmpint (tb_perf_folder_sniff_part (part->data, part->len, "data.17"), >, 0);
  g_assert_cmpint (tb_perf_folder_sniff_part (part->data, part->len, "data"), ==, 0);
  g_assert_cmpint (tb_perf_folder_sniff_part (part->data, part->len, "data.-1"), ==, 0);
  g_assert_cmpint (tb_perf_folder_sniff_part (part->data, part->len, "data.99999999"), ==, 0);
  g_assert_cmpint (tb_perf_folder_sniff_part ((const guint8 *) "text of a user", 14, "data.1"), ==,
                   0);
  g_assert_cmpint (tb_perf_folder_sniff_part (part->data, 7, "data.1"), ==, 0);
}

/* --- the first format --- */

/* Its magic number is the same in both byte orders. */
static void
test_first_format (void)
{
  for (guint form = 0; form < 4; form++)
    {
      g_autoptr (GByteArray) bytes
          = make_scenario (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) expected = import_bytes (bytes->data, bytes->len, NULL);
      g_autoptr (TbRecorder) recorder = NULL;

      memcpy (bytes->data, "PERFFILE", 8);
      g_assert_cmpint (tb_perf_file_sniff (bytes->data, bytes->len), ==, 100);
      recorder = import_bytes (bytes->data, bytes->len, NULL);
      g_assert_nonnull (recorder);
      g_assert_cmpstr (recorder_log_get_text (recorder), ==, recorder_log_get_text (expected));
      g_assert_cmpstr (recorder_log_get_facts (recorder), ==, recorder_log_get_facts (expected));
    }
}

/* The first versions of all had no features in the header. */
static void
test_short_header (void)
{
  for (guint form = 0; form < 2; form++)
    {
      g_autoptr (Writer) writer = new_writer (form, WRITER_PLAIN);
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (TbRecorder) recorder = NULL;

      add_sample (writer, 5, 1000);
      bytes = writer_finish (writer);
      memcpy (bytes->data, "PERFFILE", 8);
      bytes->data[form ? 15 : 8] = FEATURES_AT;
      recorder = import_bytes (bytes->data, bytes->len, NULL);
      g_assert_nonnull (recorder);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 1);
      assert_lacks (recorder_log_get_facts (recorder), "warning");
    }
}

/* --- the time of the recording --- */

/* perf inject and simpleperf date some mappings long before or after the recording. */
static void
test_range (void)
{
  g_autoptr (Writer) writer = new_writer (FALSE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  GArray *times;

  add_mmap2 (writer, 50, 0x1000, "/jit/early", FALSE, 20);
  add_mmap2 (writer, 50, 0x8000, "/jit/late", FALSE, 7000000000000);
  add_sample (writer, 50, 5000000000);
  end_round (writer);
  add_sample (writer, 50, 5000000100);
  end_round (writer);
  add_sample (writer, 50, 5000000200);
  end_round (writer);
  add_sample (writer, 50, 5000000300);
  recorder = import_writer (writer);
  times = recorder_log_get_times (recorder);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MAPPING), ==, 2);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 4);
  assert_ordered (times);
  g_assert_cmpint (g_array_index (times, gint64, 0), ==, 5000000000);
  g_assert_cmpint (g_array_index (times, gint64, times->len - 1), ==, 5000000300);
  assert_lacks (recorder_log_get_facts (recorder), "warning");
}

/* --- files without events --- */

static void
add_stat (Writer *writer, guint64 id, guint32 cpu, guint64 value, guint64 enabled, guint64 running)
{
  writer_begin (writer, RECORD_STAT, 0);
  put_u64 (writer, id);
  put_u32 (writer, cpu);
  put_u32 (writer, 0);
  put_u64 (writer, value);
  put_u64 (writer, enabled);
  put_u64 (writer, running);
  writer_end (writer);
}

static void
add_scale (Writer *writer, guint64 id)
{
  double scale = 1e-6;
  guint64 bits;

  memcpy (&bits, &scale, sizeof bits);
  writer_begin (writer, RECORD_EVENT_UPDATE, 0);
  put_u64 (writer, 1);
  put_u64 (writer, id);
  put_u64 (writer, bits);
  writer_end (writer);
  writer_begin (writer, RECORD_EVENT_UPDATE, 0);
  put_u64 (writer, 0);
  put_u64 (writer, id);
  put_text (writer, "msec");
  writer_end (writer);
}

static void
test_counts (void)
{
  for (guint form = 0; form < 2; form++)
    {
      g_autoptr (Writer) writer = new_writer (form, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;
      const char *facts;

      writer_add_attr (writer, PERF_TYPE_SOFTWARE, 3, 0, USUAL, "context-switches");
      writer_add_attr (writer, PERF_TYPE_HARDWARE, 0, 0, USUAL, "cycles");
      writer_add_attr (writer, PERF_TYPE_HARDWARE, 1, 0, USUAL, "instructions");
      add_scale (writer, writer->attrs[0].ids[0]);
      /* Two CPUs, two intervals: the second has the totals. */
      for (guint round = 1; round <= 2; round++)
        for (guint cpu = 0; cpu < 2; cpu++)
          {
            add_stat (writer, writer->attrs[0].ids[0], cpu, round * 1500000, 100, 100);
            add_stat (writer, writer->attrs[1].ids[0], cpu, round * 10 + cpu, 100, 100);
          }
      add_stat (writer, writer->attrs[2].ids[0], 0, 3000, 100, 50);
      add_stat (writer, writer->attrs[3].ids[0], 0, 0, 100, 0);
      add_stat (writer, 0x123456789, 0, 7, 100, 100);
      recorder = import_writer (writer);
      facts = recorder_log_get_facts (recorder);
      assert_contains (facts, "fact count:cpu-clock=6.000 msec\n");
      assert_contains (facts, "fact count:context-switches=41\n");
      assert_contains (facts, "fact count:cycles=~6000\n");
      assert_contains (facts, "fact count:instructions=not counted\n");
      assert_contains (facts, "warning The file has counts by perf stat and no events: cpu-clock "
                              "6.000 msec, context-switches 41, cycles ~6000. ");
      assert_contains (facts, "warning These events were not counted, because ");
      assert_lacks (facts, "nothing to analyze");
    }
}

static void
test_nothing (void)
{
  g_autoptr (Writer) writer = new_writer (FALSE, WRITER_PLAIN);
  g_autoptr (Writer) dummy = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL, of_dummy = NULL;

  add_comm (writer, 50, 50, "name", 1000, 0);
  recorder = import_writer (writer);
  assert_contains (recorder_log_get_facts (recorder),
                   "warning None of the events happened while perf recorded, so that there is "
                   "nothing to analyze: cpu-clock. ");
  writer_add_attr (dummy, PERF_TYPE_SOFTWARE, 9, 0, USUAL, "dummy:u");
  add_comm (dummy, 50, 50, "name", 1000, 0);
  of_dummy = import_writer (dummy);
  assert_contains (recorder_log_get_facts (of_dummy),
                   "warning Starts and ends of processes were recorded and no other events, ");
}

/* Streams that were cut and files of simpleperf have no names of events. Those of tracepoints are
 * in their formats. */
static void
test_event_names (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = 1 << 1; /* the formats */
  writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 400, 1, USUAL | PERF_SAMPLE_RAW, "not written");
  writer_add_format (writer, "own",
                     "name: note\nID: 400\n" COMMON
                     "\tfield:int count;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n");
  begin_tracepoint (writer, 0, 0, 50, 1000, 0);
  put_u32 (writer, 3);
  end_tracepoint (writer);
  recorder = import_writer (writer);
  assert_contains (recorder_log_get_facts (recorder), "nor samples of a clock: own:note (1).");
}

static void
test_processor_trace (void)
{
  static const guint64 words[5] = { 0 };
  g_autoptr (Writer) writer = new_writer (FALSE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  add_simple (writer, PERF_RECORD_AUX, words, 3, 1000, 0);
  recorder = import_writer (writer);
  assert_contains (recorder_log_get_facts (recorder),
                   "warning The file has a trace that the processor wrote ");
  assert_contains (recorder_log_get_facts (recorder), "fact skipped-records=AUX 1\n");
  assert_lacks (recorder_log_get_facts (recorder), "None of the events");
}

/* --- simpleperf --- */

typedef enum
{
  TRACING_OWN,   /* a record of simpleperf */
  TRACING_EARLY, /* a record of perf, with its payload inside */
  TRACING_SPLIT, /* the payloads of two records are such a record */
  N_TRACINGS,
} Tracing;

/* The section of the tracepoints' fields, which is the first of all. */
static void
add_tracing_record (Writer *writer, Tracing form)
{
  g_autoptr (GByteArray) bytes = make_scenario (writer->big_endian, WRITER_FILE, WRITER_PLAIN);
  gboolean swap = writer->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  guint64 table = tb_perf_u64 (bytes->data + 40, swap) + tb_perf_u64 (bytes->data + 48, swap);
  guint64 offset = tb_perf_u64 (bytes->data + table, swap);
  guint64 size = tb_perf_u64 (bytes->data + table + 8, swap);

  if (form == TRACING_SPLIT)
    {
      writer_begin (writer, 32772, 0);
      put_u32 (writer, 66);
      put_u16 (writer, 0);
      put_u16 (writer, 12 + size);
      put_u32 (writer, size);
      put_bytes (writer, bytes->data + offset, 101);
      writer_end (writer);
      writer_begin (writer, 32772, 0);
      put_bytes (writer, bytes->data + offset + 101, size - 101);
      writer_end (writer);
      writer_begin (writer, 32773, 0);
      writer_end (writer);
      return;
    }
  writer_begin (writer, form == TRACING_EARLY ? 66 : 32777, 0);
  put_u32 (writer, size);
  put_bytes (writer, bytes->data + offset, size);
  while (writer->records->len % 8 != 0)
    put_u8 (writer, 0);
  writer_end (writer);
}

/* A record of more than 64 KiB: the upper half of its size is in the place of the flags. */
static void
add_large_record (Writer *writer)
{
  const gsize size = 70000;
  guint16 low = size & 0xffff;
  gsize start = writer->records->len;

  writer_begin (writer, 32769, size >> 16);
  for (gsize i = 1; i < size / 8; i++)
    put_u64 (writer, i);
  low = writer->big_endian ? GUINT16_TO_BE (low) : GUINT16_TO_LE (low);
  memcpy (writer->records->data + start + 6, &low, sizeof low);
}

static void
add_event_ids (Writer *writer, guint64 attr, guint64 id)
{
  writer_begin (writer, 32774, 0);
  put_u64 (writer, 2);
  put_u64 (writer, 999); /* no such event */
  put_u64 (writer, 1);
  put_u64 (writer, attr);
  put_u64 (writer, id);
  writer_end (writer);
}

/* Adds the feature section with names and values, the only one. */
static void
add_meta_info (GByteArray *bytes, gboolean big_endian)
{
  static const char info[] = "android_version\0"
                             "15\0"
                             "simpleperf_version\0"
                             "1.2.3";
  gboolean swap = big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  guint64 end = tb_perf_u64 (bytes->data + 40, swap) + tb_perf_u64 (bytes->data + 48, swap);
  guint64 section[2] = { end + 16, sizeof info };

  g_byte_array_set_size (bytes, end);
  for (guint i = 0; i < 2; i++)
    {
      guint64 word = tb_perf_u64 ((const guint8 *) &section[i], swap);

      g_byte_array_append (bytes, (const guint8 *) &word, sizeof word);
    }
  g_byte_array_append (bytes, (const guint8 *) info, sizeof info);
  bytes->data[FEATURES_AT + (big_endian ? 23 : 16)] |= 2; /* feature 129 */
}

static void
test_simpleperf (void)
{
  for (guint form = 0; form < 2 * N_TRACINGS; form++)
    {
      gboolean big_endian = form & 1;
      g_autoptr (Writer) writer = writer_new (big_endian, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (TbRecorder) recorder = NULL;
      guint64 id;

      writer->feature_bits = 0;
      add_attrs (writer);
      add_large_record (writer);
      add_tracing_record (writer, form / 2);
      add_event_ids (writer, 0, 0x7777777);
      id = writer->attrs[0].ids[0];
      writer->attrs[0].ids[0] = 0x7777777;
      add_sample (writer, 5, 1000);
      writer->attrs[0].ids[0] = id;
      add_switch (writer, 0, 1100, 5, 1, 0);
      bytes = writer_finish (writer);
      add_meta_info (bytes, big_endian);
      recorder = import_bytes (bytes->data, bytes->len, NULL);
      g_assert_nonnull (recorder);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 1);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, 1);
      assert_contains (recorder_log_get_facts (recorder), "fact simpleperf-version=1.2.3\n");
      assert_lacks (recorder_log_get_facts (recorder), "names of functions");
      assert_lacks (recorder_log_get_facts (recorder), "left out");
      assert_lacks (recorder_log_get_facts (recorder), "does not know");
      assert_lacks (recorder_log_get_facts (recorder), "cut-short");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-forms/parts", test_parts);
  g_test_add_func ("/perf-data-forms/folder", test_folder);
  g_test_add_func ("/perf-data-forms/part-names", test_part_names);
  g_test_add_func ("/perf-data-forms/first-format", test_first_format);
  g_test_add_func ("/perf-data-forms/short-header", test_short_header);
  g_test_add_func ("/perf-data-forms/range", test_range);
  g_test_add_func ("/perf-data-forms/counts", test_counts);
  g_test_add_func ("/perf-data-forms/nothing", test_nothing);
  g_test_add_func ("/perf-data-forms/event-names", test_event_names);
  g_test_add_func ("/perf-data-forms/simpleperf", test_simpleperf);
  g_test_add_func ("/perf-data-forms/processor-trace", test_processor_trace);
  return g_test_run ();
}
