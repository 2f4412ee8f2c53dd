/* test-perf-data-stacks.c: test of call stacks of perf.data files: limits of their length, parts
 * that were recorded later, sums of waits, and samples of several counters
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perf-data-checks.h"
#include "perf-data-scenario.h"
#include "recorder-log.h"

#define DEFERRED 0xfffffffffffffd80
#define CUT "fffffffffffff040"
#define CALLCHAIN_DEFERRED 22
#define FLAG_INHERIT 1
#define FLAG_EXCLUDE_USER 4
#define FLAG_EXCLUDE_KERNEL 5
#define FLAG_DEFER 38
#define SUM_TIME 0xffffffff00000000
#define BPF_OUTPUT 10
#define MAX_CHAIN 1200

static WriterAttr *
add_clock (Writer *writer)
{
  return writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 4000, USUAL, "cpu-clock");
}

static void
add_sample (Writer *writer,
            const WriterAttr *attr,
            guint64 time,
            const guint64 *chain,
            guint n_chain)
{
  SampleHead head = { 0x401234, 10, 11, time, 1, chain, n_chain };

  begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
}

/* Counts the lines with a text. */
static guint
count_lines (TbRecorder *recorder, const char *part)
{
  g_auto (GStrv) lines = g_strsplit (recorder_log_get_text (recorder), "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += strstr (lines[i], part) != NULL;
  return n;
}

/* --- limits --- */

/* A stack with frames of the kernel and of the program; markers do not count. */
static guint
make_chain (guint64 *chain, guint n_kernel, guint n_user)
{
  guint n = 0;

  chain[n++] = KERNEL;
  for (guint i = 0; i < n_kernel; i++)
    chain[n++] = 0xffffffff81000000 + i;
  chain[n++] = USER;
  for (guint i = 0; i < n_user; i++)
    chain[n++] = 0x401000 + i;
  return n;
}

static void
test_usual_limit (void)
{
  for (guint form = 0; form < 4; form++)
    {
      g_autoptr (Writer) writer
          = writer_new (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, WRITER_PLAIN);
      WriterAttr *attr = add_clock (writer);
      guint64 chain[MAX_CHAIN];
      g_autoptr (TbRecorder) recorder = NULL;

      add_sample (writer, attr, 100, chain, make_chain (chain, 7, 120)); /* 127 */
      add_sample (writer, attr, 101, chain, make_chain (chain, 7, 119)); /* 128 words, 126 frames */
      add_sample (writer, attr, 102, chain, make_chain (chain, 0, 127));
      add_sample (writer, attr, 103, chain, make_chain (chain, 1, 2));
      recorder = import_writer (writer);
      g_assert_cmpuint (count_lines (recorder, " sample "), ==, 4);
      g_assert_cmpuint (count_lines (recorder, " " CUT ">"), ==, 2);
      assert_contains (recorder_log_get_facts (recorder), "fact stacks-cut=2\n");
      assert_contains (recorder_log_get_facts (recorder), "fact stacks-recorded=4\n");
      assert_contains (recorder_log_get_facts (recorder), "fact stack-limit=127\n");
      assert_contains (recorder_log_get_facts (recorder),
                       "warning 2 of 4 stacks were cut by the kernel at 127 frames: ");
      assert_contains (recorder_log_get_facts (recorder), "kernel.perf_event_max_stack");
    }
}

/* The call stack of a sample with an exact address is that of the interrupt a little later, which
 * may be on the other side of the border to the kernel. */
static void
test_exact_address (void)
{
  static const guint64 chain[] = { USER, 0x40123a, 0x402000 };
  static const guint64 in_kernel[] = { KERNEL, 0xffffffff81000010, USER, 0x40123a };
  SampleHead head = { 0x401234, 10, 11, 100, 1, chain, G_N_ELEMENTS (chain) };

  for (guint form = 0; form < 4; form++)
    {
      g_autoptr (Writer) writer
          = writer_new (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, WRITER_PLAIN);
      WriterAttr *attr = add_clock (writer);
      g_autoptr (TbRecorder) recorder = NULL;

      head.chain = chain;
      head.n_chain = G_N_ELEMENTS (chain);
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);
      writer_end (writer);
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
      writer_end (writer);
      head.chain = in_kernel;
      head.n_chain = G_N_ELEMENTS (in_kernel);
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);
      writer_end (writer);
      head.ip = 0xffffffff81000020;
      head.chain = chain;
      head.n_chain = G_N_ELEMENTS (chain);
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP);
      writer_end (writer);
      head.ip = 0x401234;
      recorder = import_writer (writer);
      g_assert_cmpuint (count_lines (recorder, "<fffffffffffffe00 401234 402000>"), ==, 1);
      g_assert_cmpuint (count_lines (recorder, "<fffffffffffffe00 40123a 402000>"), ==, 1);
      g_assert_cmpuint (count_lines (recorder, "<fffffffffffffe00 401234>"), ==, 1);
      g_assert_cmpuint (count_lines (recorder, "<ffffffffffffff80 ffffffff81000020 "
                                               "fffffffffffffe00 40123a 402000>"),
                        ==, 1);
    }
}

static void
test_own_limit (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  WriterAttr *attr = add_clock (writer);
  guint64 chain[MAX_CHAIN];
  g_autoptr (TbRecorder) recorder = NULL;

  attr->max_stack = 64;
  add_sample (writer, attr, 100, chain, make_chain (chain, 4, 60));
  add_sample (writer, attr, 101, chain, make_chain (chain, 4, 59));
  recorder = import_writer (writer);
  g_assert_cmpuint (count_lines (recorder, " " CUT ">"), ==, 1);
  assert_contains (recorder_log_get_facts (recorder), "fact stack-limit=64\n");
  assert_contains (recorder_log_get_facts (recorder),
                   "warning 1 of 2 stacks was cut by the kernel at 64 frames: ");
}

/* A longer stack shows that the usual limit did not apply. The one that did is unknown. */
static void
test_unknown_limit (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  WriterAttr *attr = add_clock (writer);
  guint64 chain[MAX_CHAIN];
  g_autoptr (TbRecorder) recorder = NULL;

  add_sample (writer, attr, 100, chain, make_chain (chain, 0, 300));
  add_sample (writer, attr, 101, chain, make_chain (chain, 0, 127));
  recorder = import_writer (writer);
  g_assert_cmpuint (count_lines (recorder, CUT), ==, 0);
  assert_lacks (recorder_log_get_facts (recorder), "stacks-cut");
  assert_lacks (recorder_log_get_facts (recorder), "warning");
}

/* --- parts that were recorded later --- */

#define COOKIE 0x100000007

static void
add_deferred_sample (Writer *writer,
                     const WriterAttr *attr,
                     guint64 time,
                     gint32 tid,
                     guint64 cookie)
{
  const guint64 chain[] = { KERNEL, 0xffffffff81000100, DEFERRED, cookie };
  SampleHead head = { 0xffffffff81000100, 10, tid, time, 1, chain, G_N_ELEMENTS (chain) };

  begin_sample (writer, attr, &head, PERF_RECORD_MISC_KERNEL);
  writer_end (writer);
}

static void
add_user_part (Writer *writer,
               const WriterAttr *attr,
               guint64 time,
               gint32 tid,
               guint64 cookie,
               gboolean with_marker)
{
  writer_begin (writer, CALLCHAIN_DEFERRED, 0);
  put_u64 (writer, cookie);
  put_u64 (writer, with_marker ? 3 : 2);
  if (with_marker)
    put_u64 (writer, USER);
  put_u64 (writer, 0x401234);
  put_u64 (writer, 0x401000);
  writer_put_trailer (writer, attr, 10, tid, time, 1);
  writer_end (writer);
}

#define WHOLE "sample 777 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 401000>\n"
#define KERNEL_PART "sample 777 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00>\n"

static void
test_deferred (void)
{
  for (guint form = 0; form < 12; form++)
    {
      g_autoptr (Writer) writer
          = writer_new (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, form / 4);
      WriterAttr *attr = add_clock (writer);
      g_autoptr (TbRecorder) recorder = NULL;
      const char *facts;

      attr->flags |= (guint64) 1 << FLAG_DEFER;
      add_deferred_sample (writer, attr, 100, 11, COOKIE);
      add_deferred_sample (writer, attr, 110, 11, COOKIE); /* the same stay in the kernel */
      end_round (writer);
      end_round (writer);
      end_round (writer);
      add_user_part (writer, attr, 200, 12, COOKIE, FALSE); /* of another thread */
      add_user_part (writer, attr, 300, 11, COOKIE, form & 4);
      add_deferred_sample (writer, attr, 310, 11, COOKIE + 1); /* without a partner */
      add_deferred_sample (writer, attr, 320, 11, COOKIE);     /* after its partner */
      recorder = import_writer (writer);
      g_assert_cmpstr (recorder_log_get_text (recorder), ==,
                       "100 1 10/11 " WHOLE "110 1 10/11 " WHOLE "310 1 10/11 " KERNEL_PART
                       "320 1 10/11 " KERNEL_PART);
      facts = recorder_log_get_facts (recorder);
      assert_contains (facts, "fact stacks-deferred=4\n");
      assert_contains (facts, "fact stacks-without-user=2\n");
      assert_contains (facts, "warning 2 of 4 stacks that the kernel records in two parts have no "
                              "user part");
      assert_lacks (facts, "CALLCHAIN_DEFERRED");
    }
}

/* Counts and records that contradict their size. */
static void
test_deferred_damage (void)
{
  static const guint64 counts[] = { 3, 1000, G_MAXUINT64, (guint64) 1 << 61 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      WriterAttr *attr = add_clock (writer);
      g_autoptr (TbRecorder) recorder = NULL;

      attr->flags |= (guint64) 1 << FLAG_DEFER;
      add_deferred_sample (writer, attr, 100, 11, COOKIE);
      writer_begin (writer, CALLCHAIN_DEFERRED, 0);
      put_u64 (writer, COOKIE);
      put_u64 (writer, counts[i]);
      put_u64 (writer, 0x401234);
      put_u64 (writer, 0x401000);
      writer_put_trailer (writer, attr, 10, 11, 200, 1);
      writer_end (writer);
      writer_begin (writer, CALLCHAIN_DEFERRED, 0);
      writer_end (writer);
      recorder = import_writer (writer);
      g_assert_cmpstr (recorder_log_get_text (recorder), ==, "100 1 10/11 " KERNEL_PART);
    }
}

/* --- sums of waits --- */

static WriterAttr *
add_waits (Writer *writer, gboolean in_raw)
{
  guint64 type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME
                 | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

  return writer_add_attr (writer, PERF_TYPE_SOFTWARE, BPF_OUTPUT, 1,
                          type | (in_raw ? PERF_SAMPLE_RAW : PERF_SAMPLE_CALLCHAIN), "offcpu-time");
}

/* As perf writes it: into the data of a BPF program since 6.15, where the thread precedes the
 * process if it is a single wait. */
static void
add_wait (Writer *writer, const WriterAttr *attr, guint64 time, gint32 tid, guint n_frames)
{
  gboolean in_raw = (attr->sample_type & PERF_SAMPLE_RAW) != 0;

  writer_begin (writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
  put_u64 (writer, attr->ids[0]);
  put_u64 (writer, in_raw ? 0 : 0x402000);
  put_u32 (writer, in_raw ? 0 : 10);
  put_u32 (writer, in_raw ? 0 : tid);
  put_u64 (writer, time);
  put_u64 (writer, 0);
  put_u64 (writer, in_raw ? 0 : 5000000);
  if (in_raw)
    {
      put_u32 (writer, (4 + n_frames) * 8 + 4);
      put_u32 (writer, time < SUM_TIME ? tid : 10);
      put_u32 (writer, time < SUM_TIME ? 10 : tid);
      put_u64 (writer, 5000000);
    }
  put_u64 (writer, n_frames + 1);
  put_u64 (writer, USER);
  for (guint i = 0; i < n_frames; i++)
    put_u64 (writer, 0x402000 + i * 16);
  if (in_raw)
    put_u32 (writer, 0);
  writer_end (writer);
}

#define WAIT_STACK "<fffffffffffffe00 402000 402010>\n"

static void
test_waits (void)
{
  for (guint form = 0; form < 8; form++)
    {
      gboolean in_raw = form & 4;
      g_autoptr (Writer) writer
          = writer_new (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, WRITER_PLAIN);
      WriterAttr *clock = add_clock (writer), *waits = add_waits (writer, in_raw);
      const guint64 chain[] = { USER, 0x401234 };
      g_autoptr (TbRecorder) recorder = NULL;
      g_autofree char *expected
          = g_strdup_printf ("100 1 10/11 sample 777 0 0 <fffffffffffffe00 401234>\n"
                             "150 %s 10/12 counter code=2 5000000 0 0 'offcpu-time' " WAIT_STACK
                             "200 1 10/11 sample 777 0 0 <fffffffffffffe00 401234>\n"
                             "200 %s 10/11 counter code=3 5000000 0 0 'offcpu-time' " WAIT_STACK
                             "200 %s 10/12 counter code=3 5000000 0 0 'offcpu-time' " WAIT_STACK,
                             in_raw ? "-1" : "0", in_raw ? "-1" : "0", in_raw ? "-1" : "0");

      writer->feature_bits = ALL_FEATURES;
      clock->sample_type |= PERF_SAMPLE_IDENTIFIER;
      add_sample (writer, clock, 100, chain, 2);
      add_wait (writer, waits, 150, 12, 2); /* longer than --off-cpu-thresh */
      add_sample (writer, clock, 200, chain, 2);
      add_wait (writer, waits, SUM_TIME, 11, 2);
      add_wait (writer, waits, SUM_TIME + 1, 12, 2);
      recorder = import_writer (writer);
      g_assert_cmpstr (recorder_log_get_text (recorder), ==, expected);
      assert_contains (recorder_log_get_facts (recorder), "fact sampled=cpu-clock\n");
      assert_lacks (recorder_log_get_facts (recorder), "damaged");
    }
}

/* perf keeps 32 frames of each of these stacks. */
static void
test_cut_waits (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  WriterAttr *waits = add_waits (writer, FALSE);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  add_wait (writer, waits, SUM_TIME, 11, 31);
  add_wait (writer, waits, SUM_TIME + 1, 11, 32);
  recorder = import_writer (writer);
  g_assert_cmpuint (count_lines (recorder, " counter code=3 "), ==, 2);
  g_assert_cmpuint (count_lines (recorder, " " CUT ">"), ==, 1);
  assert_contains (recorder_log_get_facts (recorder), "fact stack-limit=32\n");
  assert_contains (recorder_log_get_facts (recorder), "warning 1 stack of waits was cut by perf");
}

/* Data that ends within its stack. */
static void
test_damaged_wait (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  WriterAttr *waits = add_waits (writer, TRUE);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  add_wait (writer, waits, SUM_TIME, 11, 4);
  writer->records->data[writer->record_start + 8 * 7] -= 8;
  recorder = import_writer (writer);
  g_assert_cmpuint (count_lines (recorder, "counter"), ==, 0);
  assert_contains (recorder_log_get_facts (recorder), "1 sample is damaged");
}

/* --- counters --- */

/* Periods of different events are never added, and no event but cycles measures time. */
static void
test_counters (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  const guint64 chain[] = { USER, 0x401234 };
  const guint64 type = USUAL | PERF_SAMPLE_IDENTIFIER;
  WriterAttr *first = writer_add_attr (writer, PERF_TYPE_RAW, 0x1c0, 1000, type, "one"),
             *second = writer_add_attr (writer, PERF_TYPE_RAW, 0x2c0, 1000, type, "two");
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  add_sample (writer, first, 100, chain, 2);
  add_sample (writer, second, 101, chain, 2);
  recorder = import_writer (writer);
  g_assert_cmpstr (recorder_log_get_text (recorder), ==,
                   "100 1 10/11 counter 777 0 0 'one' <fffffffffffffe00 401234>\n"
                   "100 1 10/11 mark 0 0 0 'one' <fffffffffffffe00 401234>\n"
                   "101 1 10/11 counter 777 0 0 'two' <fffffffffffffe00 401234>\n"
                   "101 1 10/11 mark 0 0 0 'two' <fffffffffffffe00 401234>\n");
  assert_lacks (recorder_log_get_facts (recorder), "fact sampled=");
}

/* One clock in two parts, and one that counts the same time again. */
static void
test_parts_of_clock (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  const guint64 chain[] = { USER, 0x401234 };
  const guint64 type = USUAL | PERF_SAMPLE_IDENTIFIER;
  static const char *const names[] = { "cycles:u", "cycles:k", "cycles" };
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    writer_add_attr (writer, PERF_TYPE_HARDWARE, 0, 1000, type, names[i]);
  writer->attrs[0].flags |= 1 << FLAG_EXCLUDE_KERNEL;
  writer->attrs[1].flags |= 1 << FLAG_EXCLUDE_USER;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    add_sample (writer, &writer->attrs[i], 100 + i, chain, 2);
  recorder = import_writer (writer);
  g_assert_cmpuint (count_lines (recorder, " sample 777 "), ==, 2);
  g_assert_cmpuint (count_lines (recorder, " counter 777 0 0 'cycles'"), ==, 1);
  assert_contains (recorder_log_get_facts (recorder), "fact sampled=cycles:u+cycles:k\n");
  assert_lacks (recorder_log_get_facts (recorder), "sample-mode");
}

static void
add_group_sample (Writer *writer, guint64 time, gint32 tid, guint64 clock, guint64 faults)
{
  const WriterAttr *leader = &writer->attrs[0];

  writer_begin (writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
  put_u64 (writer, leader->ids[0]);
  put_u64 (writer, 0x401234);
  put_u32 (writer, 10);
  put_u32 (writer, tid);
  put_u64 (writer, time);
  put_u64 (writer, 2);
  put_u64 (writer, clock);
  put_u64 (writer, leader->ids[0]);
  put_u64 (writer, 0);
  put_u64 (writer, faults);
  put_u64 (writer, writer->attrs[1].ids[0]);
  put_u64 (writer, 0);
  writer_end (writer);
}

/* Each sample of a group stands for what its counters counted since the thread's sample before. */
static void
test_group (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  const guint64 type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME
                       | PERF_SAMPLE_READ;
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1000, type, "cpu-clock");
  writer_add_attr (writer, PERF_TYPE_SOFTWARE, 2, 0, type, "page-faults");
  for (guint i = 0; i < 2; i++)
    {
      writer->attrs[i].read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST;
      writer->attrs[i].flags |= 1 << FLAG_INHERIT;
    }
  add_group_sample (writer, 100, 11, 1000, 5);
  add_group_sample (writer, 200, 11, 2500, 5); /* no faults since */
  add_group_sample (writer, 300, 12, 1000, 1); /* another thread counts by itself */
  add_group_sample (writer, 400, 11, 3000, 9);
  recorder = import_writer (writer);
  g_assert_cmpstr (recorder_log_get_text (recorder), ==,
                   "100 -1 10/11 sample 1000 0 0 <fffffffffffffe00 401234>\n"
                   "100 -1 10/11 counter 5 0 0 'page-faults' <fffffffffffffe00 401234>\n"
                   "200 -1 10/11 sample 1500 0 0 <fffffffffffffe00 401234>\n"
                   "300 -1 10/12 sample 1000 0 0 <fffffffffffffe00 401234>\n"
                   "300 -1 10/12 counter 1 0 0 'page-faults' <fffffffffffffe00 401234>\n"
                   "400 -1 10/11 sample 500 0 0 <fffffffffffffe00 401234>\n"
                   "400 -1 10/11 counter 4 0 0 'page-faults' <fffffffffffffe00 401234>\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-stacks/exact-address", test_exact_address);
  g_test_add_func ("/perf-data-stacks/usual-limit", test_usual_limit);
  g_test_add_func ("/perf-data-stacks/own-limit", test_own_limit);
  g_test_add_func ("/perf-data-stacks/unknown-limit", test_unknown_limit);
  g_test_add_func ("/perf-data-stacks/deferred", test_deferred);
  g_test_add_func ("/perf-data-stacks/deferred-damage", test_deferred_damage);
  g_test_add_func ("/perf-data-stacks/waits", test_waits);
  g_test_add_func ("/perf-data-stacks/cut-waits", test_cut_waits);
  g_test_add_func ("/perf-data-stacks/damaged-wait", test_damaged_wait);
  g_test_add_func ("/perf-data-stacks/counters", test_counters);
  g_test_add_func ("/perf-data-stacks/parts-of-clock", test_parts_of_clock);
  g_test_add_func ("/perf-data-stacks/group", test_group);
  return g_test_run ();
}
