/* test-perf-data.c: test of the reader of perf.data files on files written byte by byte
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <linux/perf_event.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "perf-data-checks.h"
#include "recorder-log.h"
#include "tb-perf-tracepoint-format.h"
#include "tb-perf-import.h"

static const char scenario_text[]
    = "1001 -1 20/20 existing 1 0 0 'worker'\n"
      "1001 -1 20/20 mapping 4194304 8192 4096 /usr/bin/worker[deadbeef]\n"
      "1001 -1 20/20 mapping 8323072 8192 4096 "
      "/usr/lib/libx.so[bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]\n"
      "1001 1 30/30 fork 31 30 0\n"
      "1005 0 20/20 io-issue 5000 4096 0 'WS' 8:1(block) <ffffffffffffff80 ffffffff81000100 "
      "fffffffffffffe00 "
      "401234 401000>\n"
      "1010 1 20/20 sample 777 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 "
      "401000>\n"
      "1015 0 30/31 sys-enter args=10,11,12,13,14,15 'write' <ffffffffffffff80 ffffffff81000100 "
      "fffffffffffffe00 401234 401000>\n"
      "1020 1 20/20 switch S 0 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 "
      "401000>\n"
      "1025 0 30/31 sys-exit -11 0 0 'write' <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 "
      "401234 "
      "401000>\n"
      "1030 1 0/0 irq-entry 9 0 0 'disk0' disk0(irq) <ffffffffffffff80 ffffffff81000100 "
      "fffffffffffffe00 "
      "401234 401000>\n"
      "1031 1 0/0 io-complete 5000 4096 0 'WS' 8:1(block) <ffffffffffffff80 ffffffff81000100 "
      "fffffffffffffe00 401234 401000>\n"
      "1032 1 0/0 wakeup flags=1 20 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 "
      "401000>\n"
      "1034 1 0/0 irq-exit 9 0 0 disk0(irq) <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 "
      "401234 "
      "401000>\n"
      "1035 0 -1/-1 lost 17 1025 0\n"
      "1040 1 0/0 switch R 20 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 "
      "401000>\n"
      "1045 0 -1/31 name 0 0 0 'p31'\n"
      "1045 0 -1/55 name 0 0 0 'p55'\n"
      "1045 0 30/31 switch + 55 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 "
      "401000>\n"
      "1050 0 50/55 softirq-entry 3 0 0 <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 401234 "
      "401000>\n"
      "1055 0 50/55 irq-entry code=2 236 0 0 'local_timer' <ffffffffffffff80 ffffffff81000100 "
      "fffffffffffffe00 401234 401000>\n"
      "1060 0 50/55 call 0 0 0 'compute' <ffffffffffffff80 ffffffff81000100 fffffffffffffe00 "
      "401234 401000>\n"
      "1065 0 50/55 return 4202496 0 0 'compute' <ffffffffffffff80 ffffffff81000100 "
      "fffffffffffffe00 401234 "
      "401000>\n"
      "1070 0 50/55 mark 0 0 0 'own:note' 'count=-3 what=hello where=0xdead list=7,8' "
      "<ffffffffffffff80 "
      "ffffffff81000100 fffffffffffffe00 401234 401000>\n"
      "1075 0 50/55 counter 777 0 0 'page-faults' <fffffffffffffe00 401000>\n"
      "1075 0 50/55 mark 0 0 0 'page-faults' <fffffffffffffe00 401000>\n"
      "1075 0 50/55 sample 777 0 0 <[virtual machine]>\n"
      "1080 0 50/55 name 0 0 0 'newname'\n"
      "1090 0 20/20 exec 0 0 0 'program'\n"
      "1091 1 20/20 mapping 5242880 8192 4096 /usr/bin/program[deadbeef]\n"
      "1105 0 -1/-1 lost 5 1075 0\n"
      "1110 1 20/20 exit 0 0 0\n"
      "1110 -1 40/40 existing 1 0 0\n"
      "1110 -1 -1/-1 lost 8 1001 0\n";

static void
assert_same_lines (const char *text, const char *expected)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) expected_lines = g_strsplit (expected, "\n", -1);

  for (guint i = 0; lines[i] != NULL || expected_lines[i] != NULL; i++)
    {
      g_assert_cmpstr (lines[i], ==, expected_lines[i]);
      if (lines[i] == NULL)
        break;
    }
}

/* The same recording in every form gives the same events. */
static void
test_scenario (void)
{
  for (guint form = 0; form < 12; form++)
    {
      gboolean big_endian = form & 1;
      WriterMode mode = form & 2 ? WRITER_PIPE : WRITER_FILE;
      WriterPacking packing = form / 4;
      g_autoptr (GByteArray) bytes = make_scenario (big_endian, mode, packing);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbRecorder) recorder = import_bytes (bytes->data, bytes->len, &error);
      const char *facts;

      g_test_message ("%s endian, %s, packing %d", big_endian ? "big" : "little",
                      mode == WRITER_PIPE ? "pipe" : "file", packing);
      g_assert_no_error (error);
      assert_same_lines (recorder_log_get_text (recorder), scenario_text);
      g_assert_cmpuint (recorder_log_get_n_late (recorder), ==, 0);
      facts = recorder_log_get_facts (recorder);
      assert_contains (facts, "host testhost 6.1.0-test x86_64 4\n");
      assert_contains (facts, "fact collector=perf-data\n");
      assert_contains (facts, "fact clock=perf\n");
      assert_contains (facts, "fact command='two words'\n");
      assert_contains (facts, "fact clock-realtime-ns=1699999999999995000\n");
      assert_contains (facts, "fact sampled=cpu-clock\n");
      assert_contains (facts, "warning 1 sample was taken inside a virtual machine: ");
      assert_contains (facts, "warning 1 time the kernel throttled samples");
      assert_lacks (facts, "22 events were lost");
      assert_contains (facts, "warning 8 more events were lost at unknown times");
      assert_contains (facts, "AUX 1, ITRACE_START 1, NAMESPACES 1, KSYMBOL 1, BPF_EVENT 1, CGROUP "
                              "1, TEXT_POKE 1, UNKNOWN 1");
      assert_lacks (facts, "cut-short");
      assert_lacks (facts, "left out:");
      assert_lacks (facts, "contradict");
    }
}

/* --- fields of samples --- */

static void
expect_row (GString *expected, guint64 type, const SampleHead *head, guint weight)
{
  gsize start = expected->len;

  g_string_append_printf (expected, "%" G_GUINT64_FORMAT " %d %d/%d sample %u 0 0", head->time,
                          type & PERF_SAMPLE_CPU ? (int) head->cpu : -1,
                          type & PERF_SAMPLE_TID ? head->pid : -1,
                          type & PERF_SAMPLE_TID ? head->tid : -1, weight);
  if (type & PERF_SAMPLE_CALLCHAIN && head->n_chain > 0)
    for (guint i = 0; i < head->n_chain; i++)
      g_string_append_printf (expected, "%s%" G_GINT64_MODIFIER "x", i == 0 ? " <" : " ",
                              head->chain[i]);
  else if (type & PERF_SAMPLE_IP)
    g_string_append_printf (expected, " <%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x",
                            (guint64) USER, head->ip);
  g_string_append (expected, strchr (expected->str + start, '<') ? ">\n" : "\n");
}

/* The counts of a sample's group are those of begin_sample(), of one event, and each count stands
 * for what was counted since the one before. */
static void
expect_sample (GString *expected, const WriterAttr *attr, const SampleHead *head)
{
  guint64 type = attr->sample_type;

  if ((type & PERF_SAMPLE_READ) == 0 || (attr->read_format & PERF_FORMAT_ID) == 0)
    {
      expect_row (expected, type, head, type & PERF_SAMPLE_PERIOD ? 777 : 4321);
      return;
    }
  expect_row (expected, type, head, 0xc0);
  for (guint i = 1; i < 3 && (attr->read_format & PERF_FORMAT_GROUP) != 0; i++)
    expect_row (expected, type, head, 1);
}

static void
test_sample_formats (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (Writer) writer = writer_new (round & 1, WRITER_FILE, WRITER_PLAIN);
      guint64 chain[8];
      guint n_raw = g_test_rand_int_range (0, 40) & ~7;
      gboolean has_stack = g_test_rand_bit ();
      SampleHead head = {
        .ip = 0x400000 + (guint32) g_test_rand_int (),
        .pid = g_test_rand_int_range (1, 1000),
        .tid = g_test_rand_int_range (1, 1000),
        .time = g_test_rand_int_range (1, G_MAXINT32),
        .cpu = g_test_rand_int_range (0, 300),
        .chain = chain,
        .n_chain = g_test_rand_int_range (0, G_N_ELEMENTS (chain)),
      };
      g_autoptr (TbRecorder) recorder = NULL;
      g_autoptr (GString) expected = g_string_new (NULL);
      WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 4321, 0, "cpu-clock");
      guint64 type;

      /* Any combination, but always with a time: without one, a sample has no position. */
      attr->sample_type = type
          = ((guint32) g_test_rand_int () & ((1u << 25) - 1)) | PERF_SAMPLE_TIME;
      attr->read_format = g_test_rand_int_range (0, 32);
      attr->branch_type = (g_test_rand_bit () ? PERF_SAMPLE_BRANCH_HW_INDEX : 0)
                          | (g_test_rand_bit () ? PERF_SAMPLE_BRANCH_COUNTERS : 0);
      attr->registers = 0xff0fff;
      attr->stack = 64;
      for (guint i = 0; i < G_N_ELEMENTS (chain); i++)
        chain[i] = i == 0 ? USER : 0x400000 + (guint32) g_test_rand_int ();

      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
      if (type & PERF_SAMPLE_RAW)
        {
          begin_raw (writer, 1, 0, 1);
          for (guint i = 0; i < n_raw; i++)
            put_u8 (writer, i);
          end_raw (writer);
        }
      if (type & PERF_SAMPLE_BRANCH_STACK)
        {
          put_u64 (writer, 2);
          if (attr->branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
            put_u64 (writer, -1);
          for (guint i = 0; i < 6; i++)
            put_u64 (writer, 0xb0 + i);
          for (guint i = 0; i < 2 && attr->branch_type & PERF_SAMPLE_BRANCH_COUNTERS; i++)
            put_u64 (writer, i);
        }
      if (type & PERF_SAMPLE_REGS_USER)
        {
          put_u64 (writer, has_stack ? 2 : 0);
          for (guint i = 0; i < 20 && has_stack; i++)
            put_u64 (writer, i);
        }
      if (type & PERF_SAMPLE_STACK_USER)
        {
          put_u64 (writer, has_stack ? 64 : 0);
          for (guint i = 0; i < 8 && has_stack; i++)
            put_u64 (writer, i);
          if (has_stack)
            put_u64 (writer, 32);
        }
      if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
        put_u64 (writer, 1);
      for (guint bit = 15; bit < 25; bit++)
        if ((type >> bit & 1) != 0 && bit != 16 && bit != 18 && bit != 20 && bit != 24)
          put_u64 (writer, bit);
      writer_end (writer);

      recorder = import_writer (writer);
      expect_sample (expected, attr, &head);
      assert_same_lines (recorder_log_get_text (recorder), expected->str);
      assert_lacks (recorder_log_get_facts (recorder), "contradict");
    }
}

/* Attributes of older and newer kernels. */
static void
test_attr_sizes (void)
{
  static const guint sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 4; i++)
    {
      g_autoptr (Writer) writer
          = writer_new (i & 1, i & 2 ? WRITER_PIPE : WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;
      SampleHead head = { 0x1234, 5, 6, 100, 0, NULL, 0 };
      WriterAttr *first = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 99, USUAL, "cpu-clock");
      WriterAttr *second
          = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 3, 1, USUAL, "context-switches");

      first->size = sizes[i / 4];
      second->size = sizes[i / 4];
      begin_sample (writer, first, &head, PERF_RECORD_MISC_USER);
      writer_end (writer);
      head.time = 101;
      begin_sample (writer, second, &head, PERF_RECORD_MISC_KERNEL);
      writer_end (writer);
      recorder = import_writer (writer);
      assert_same_lines (recorder_log_get_text (recorder),
                         "100 0 5/6 sample 777 0 0 <fffffffffffffe00 1234>\n"
                         "101 0 5/6 counter 777 0 0 'context-switches' <ffffffffffffff80 1234>\n"
                         "101 0 5/6 mark 0 0 0 'context-switches' <ffffffffffffff80 1234>\n");
    }
}

/* Samples of several CPUs, in perf's rounds, are emitted in the order of a stable sort by time. */
static void
test_order (void)
{
  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, round % 3);
      g_autoptr (TbRecorder) recorder = NULL;
      const WriterAttr *attr
          = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
      guint n_cpus = g_test_rand_int_range (1, 9);
      guint64 window = g_test_rand_int_range (1, 1000);
      guint64 from = 1;
      guint n = 0;
      GArray *times;

      for (guint i = 0; i < 40; i++)
        {
          for (guint cpu = 0; cpu < n_cpus; cpu++)
            {
              SampleHead head = { 1, 1, 1, from, cpu, NULL, 0 };
              guint n_samples = g_test_rand_int_range (0, 20);

              for (guint j = 0; j < n_samples; j++)
                {
                  /* The time may reach into the next round, which then has earlier events. */
                  head.time += g_test_rand_int_range (0, 2 * window / 20 + 1);
                  begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
                  writer_end (writer);
                  n++;
                }
            }
          end_round (writer);
          from += window;
          if (i > 0)
            continue;
          from += window;
        }
      recorder = import_writer (writer);
      times = recorder_log_get_times (recorder);
      g_assert_cmpuint (recorder_log_get_n_late (recorder), ==, 0);
      if (strstr (recorder_log_get_facts (recorder), "arrived too late") != NULL)
        g_error ("%s", recorder_log_get_facts (recorder));
      g_assert_cmpuint (times->len, ==, n);
      for (guint i = 1; i < times->len; i++)
        g_assert_cmpint (g_array_index (times, gint64, i - 1), <=,
                         g_array_index (times, gint64, i));
    }
}

/* Events that violate the order of perf's rounds are counted, not emitted. */
static void
test_late (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  const WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
  static const guint64 times[] = { 100, 0, 200, 0, 300, 0, 150, 50, 0, 400 };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      SampleHead head = { 1, 1, 1, times[i], 0, NULL, 0 };

      if (times[i] == 0)
        {
          end_round (writer);
          continue;
        }
      begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
      writer_end (writer);
    }
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, 4);
  assert_contains (recorder_log_get_facts (recorder),
                   "warning 2 samples came later than perf's order of rounds allows");
}

/* A kernel that recorded switches in records of their own only. */
static void
test_switch_records (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  const WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");

  for (guint i = 0; i < 2; i++)
    {
      writer_begin (writer, PERF_RECORD_SWITCH_CPU_WIDE,
                    PERF_RECORD_MISC_SWITCH_OUT | (i ? 1 << 14 : 0));
      put_u32 (writer, i ? 7 : 0);
      put_u32 (writer, i ? 7 : 0);
      writer_put_trailer (writer, attr, 5, 6, 100 + i * 10, 3);
      writer_end (writer);
      writer_begin (writer, PERF_RECORD_SWITCH_CPU_WIDE, 0);
      put_u32 (writer, 5);
      put_u32 (writer, 6);
      writer_put_trailer (writer, attr, i ? 7 : 0, i ? 7 : 0, 101 + i * 10, 3);
      writer_end (writer);
    }
  recorder = import_writer (writer);
  assert_same_lines (recorder_log_get_text (recorder),
                     "100 3 5/6 switch ? 0 0 0\n110 3 5/6 switch + 7 7 0\n");
}

static void
test_sampled_tracepoints (void)
{
  g_autoptr (Writer) writer = writer_new (TRUE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  writer->attrs[2].flags |= 1u << FLAG_FREQUENCY;
  writer->attrs[3].period = 5;
  writer->attrs[0].flags |= 1u << FLAG_CLOCKID;
  writer->attrs[0].clockid = 1;
  recorder = import_writer (writer);
  assert_contains (recorder_log_get_facts (recorder),
                   "not counted: sched:sched_switch, sched:sched_waking.");
  assert_contains (recorder_log_get_facts (recorder), "fact clock=monotonic\n");
}

/* --- network --- */

#define SOCKET 0x1234
static const char state_format[]
    = "name: inet_sock_set_state\nID: 400\n" COMMON
      "\tfield:const void * skaddr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:int "
      "oldstate;\toffset:16;\tsize:4;\tsigned:1;\n"
      "\tfield:int newstate;\toffset:20;\tsize:4;\tsigned:1;\n\tfield:__u16 "
      "sport;\toffset:24;\tsize:2;\tsigned:0;\n"
      "\tfield:__u16 dport;\toffset:26;\tsize:2;\tsigned:0;\n\tfield:__u16 "
      "family;\toffset:28;\tsize:2;\tsigned:0;\n"
      "\tfield:__u16 protocol;\toffset:30;\tsize:2;\tsigned:0;\n\tfield:__u8 "
      "saddr[4];\toffset:32;\tsize:4;\tsigned:0;\n"
      "\tfield:__u8 daddr[4];\toffset:36;\tsize:4;\tsigned:0;\n\tfield:__u8 "
      "saddr_v6[16];\toffset:40;\tsize:16;\tsigned:0;\n"
      "\tfield:__u8 daddr_v6[16];\toffset:56;\tsize:16;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char length_format[]
    = "name: sock_send_length\nID: 401\n" COMMON
      "\tfield:void * sk;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:__u16 "
      "family;\toffset:16;\tsize:2;\tsigned:0;\n"
      "\tfield:__u16 protocol;\toffset:18;\tsize:2;\tsigned:0;\n\tfield:int "
      "ret;\toffset:20;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char probe_format[]
    = "name: tcp_probe\nID: 402\n" COMMON
      "\tfield:__u8 saddr[28];\toffset:8;\tsize:28;\tsigned:0;\n\tfield:__u8 "
      "daddr[28];\toffset:36;\tsize:28;\tsigned:0;\n"
      "\tfield:__u16 sport;\toffset:64;\tsize:2;\tsigned:0;\n\tfield:__u16 "
      "dport;\toffset:66;\tsize:2;\tsigned:0;\n"
      "\tfield:__u16 data_len;\toffset:68;\tsize:2;\tsigned:0;\n\tfield:const "
      "void * skaddr;\toffset:72;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char receive_format[]
    = "name: netif_receive_skb\nID: 403\n" COMMON
      "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int "
      "len;\toffset:16;\tsize:4;\tsigned:0;\n"
      "\tfield:__data_loc char[] name;\toffset:20;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";
static const char queue_format[]
    = "name: net_dev_queue\nID: 404\n" COMMON
      "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:unsigned int "
      "len;\toffset:16;\tsize:4;\tsigned:0;\n"
      "\tfield:__data_loc char[] name;\toffset:20;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";

static void
put_socket_address (Writer *writer, guint family, const guint8 *address, gsize n)
{
  put_u16 (writer, family);
  put_u16 (writer, 0x1111);
  if (n == 16)
    put_u32 (writer, 0);
  put_bytes (writer, address, n);
  for (gsize i = (n == 16 ? 8 : 4) + n; i < 28; i++)
    put_u8 (writer, 0);
}

static void
begin_plain_tracepoint (Writer *writer, guint attr, guint64 time)
{
  SampleHead head = { 1, 7, 8, time, 0, NULL, 0 };

  begin_sample (writer, &writer->attrs[attr], &head, PERF_RECORD_MISC_KERNEL);
  begin_raw (writer, writer->attrs[attr].config, 0, 8);
}

static void
add_packet (Writer *writer, guint attr, guint64 time)
{
  begin_plain_tracepoint (writer, attr, time);
  put_u64 (writer, 1);
  put_u32 (writer, 1500);
  put_u32 (writer, 5 << 16 | 24);
  put_name (writer, "eth0", 8);
  end_tracepoint (writer);
}

static void
test_network (void)
{
  for (guint big_endian = 0; big_endian < 2; big_endian++)
    {
      g_autoptr (Writer) writer = writer_new (big_endian, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;
      static const char *const names[] = { "sock:inet_sock_set_state", "sock:sock_send_length",
                                           "tcp:tcp_probe", "net:netif_receive_skb" };
      static const guint8 v6[16] = { 0xfe, 0x80, [15] = 1 };

      writer->feature_bits = ALL_FEATURES;
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 400 + i, 1, USUAL | PERF_SAMPLE_RAW,
                         names[i]);
      writer_add_format (writer, "sock", state_format);
      writer_add_format (writer, "sock", length_format);
      writer_add_format (writer, "tcp", probe_format);
      writer_add_format (writer, "net", receive_format);
      begin_plain_tracepoint (writer, 0, 100);
      put_u64 (writer, SOCKET);
      put_u32 (writer, 2);
      put_u32 (writer, 1);
      put_u16 (writer, 40000);
      put_u16 (writer, 443);
      put_u16 (writer, 2);
      put_u16 (writer, 6);
      put_bytes (writer, "\x0a\0\0\1\x0a\0\0\2", 8);
      for (guint i = 0; i < 4; i++)
        put_u64 (writer, 0);
      end_tracepoint (writer);
      begin_plain_tracepoint (writer, 1, 110);
      put_u64 (writer, SOCKET);
      put_u16 (writer, 2);
      put_u16 (writer, 6);
      put_u32 (writer, 512);
      end_tracepoint (writer);
      begin_plain_tracepoint (writer, 1, 111); /* failed: nothing was sent */
      put_u64 (writer, SOCKET);
      put_u16 (writer, 2);
      put_u16 (writer, 6);
      put_u32 (writer, -32);
      end_tracepoint (writer);
      begin_plain_tracepoint (writer, 2, 120);
      put_socket_address (writer, 10, v6, 16);
      put_socket_address (writer, 10, v6, 16);
      put_u16 (writer, 80);
      put_u16 (writer, 81);
      put_u16 (writer, 99);
      put_u16 (writer, 0);
      put_u64 (writer, 0x77);
      end_tracepoint (writer);
      add_packet (writer, 3, 130);

      recorder = import_writer (writer);
      assert_same_lines (
          recorder_log_get_text (recorder),
          "100 0 7/8 net-connect 4660 0 0 'tcp' '10.0.0.2:443' '10.0.0.1:40000'\n"
          "110 0 7/8 net-send 4660 512 0 'tcp' '10.0.0.2:443' '10.0.0.1:40000'\n"
          "120 0 7/8 net-receive 119 99 0 'tcp' '[fe80::1]:81' '[fe80::1]:80'\n"
          "130 0 7/8 mark 0 0 0 'net:netif_receive_skb' 'skbaddr=0x1 len=1500 name=eth0'\n");
    }
}

/* Without socket events, packets at an interface are used. */
static void
test_packets (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_PIPE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 403, 1, USUAL | PERF_SAMPLE_RAW,
                   "net:netif_receive_skb");
  writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 404, 1, USUAL | PERF_SAMPLE_RAW,
                   "net:net_dev_queue");
  writer_add_format (writer, "net", receive_format);
  writer_add_format (writer, "net", queue_format);
  add_packet (writer, 0, 100);
  add_packet (writer, 1, 110);
  recorder = import_writer (writer);
  assert_same_lines (recorder_log_get_text (recorder),
                     "100 0 7/8 net-receive 0 1500 0 'eth0'\n110 0 7/8 net-send 0 1500 0 'eth0'\n");
}

/* --- formats of tracepoints --- */

static void
test_format (void)
{
  g_autoptr (TbPerfFormat) today
      = tb_perf_format_parse ("sched", scenario_switch_format, strlen (scenario_switch_format));
  g_autoptr (TbPerfFormat) old = NULL;
  g_autoptr (TbPerfFormat) odd = NULL;
  static const char old_text[]
      = "name: sched_switch\nID: 1\nformat:\n"
        "\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n\nprint fmt: "
        "\"%s\", REC->prev_state & (1024-1) ? "
        "__print_flags(REC->prev_state & (1024-1), \"|\", { 1, \"S\"} , { 2, \"D\" "
        "}, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, "
        "{ 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" "
        "}, { 1024, \"N\" }) : \"R\", REC->prev_state "
        "& 2048 ? \"+\" : \"\"\n";
  static const char odd_text[]
      = "name: odd\nID: 7\nformat:\n\tfield:;\toffset:0;\tsize:2;\n\tfield:nospace;\toffset:0;"
        "\tsize:2;\tsigned:0;\n\tfield:int "
        "far;\toffset:4294967295;\tsize:4;\tsigned:1;\n\tfield:u8 "
        "raw[3];\toffset:4;\tsize:3;"
        "\tsigned:0;\n\tfield:__data_loc char[] text;\toffset:0;\tsize:4;\tsigned:0;\n";
  static const guint8 raw[8] = { 4, 0, 200, 0, 'a', 'b', 'c', 'd' };
  TbPerfStates states;
  gsize length;

  g_assert_nonnull (today);
  g_assert_cmpuint (today->id, ==, 300);
  g_assert_cmpstr (tb_perf_format_find (today, "prev_comm")->name, ==, "prev_comm");
  g_assert_cmpint (tb_perf_format_find (today, "prev_comm")->kind, ==, TB_PERF_FIELD_TEXT);
  g_assert_null (tb_perf_format_find (today, "prev"));
  tb_perf_format_read_states (today, &states);
  g_assert_cmpint (tb_perf_states_get_letter (&states, 0), ==, 'R');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 1), ==, 'S');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 2), ==, 'D');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 0x80), ==, 'I');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 0x100), ==, '+');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 0x1000), ==, 'R');

  old = tb_perf_format_parse ("sched", old_text, sizeof old_text - 1);
  tb_perf_format_read_states (old, &states);
  g_assert_cmpint (tb_perf_states_get_letter (&states, 16), ==, 'Z');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 32), ==, 'X');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 128 | 2), ==, 'D');
  g_assert_cmpint (tb_perf_states_get_letter (&states, 2048), ==, '+');

  odd = tb_perf_format_parse ("own", odd_text, sizeof odd_text - 1);
  g_assert_cmpuint (odd->fields->len, ==, 3);
  g_assert_cmpint (tb_perf_field_get_number (tb_perf_format_find (odd, "far"), raw, sizeof raw,
                                             FALSE),
                   ==, 0);
  g_assert_null (
      tb_perf_field_get_text (tb_perf_format_find (odd, "text"), raw, sizeof raw, FALSE, &length));
  g_assert_cmpuint (length, ==, 0);
  tb_perf_field_get_bytes (tb_perf_format_find (odd, "raw"), raw, sizeof raw, FALSE, &length);
  g_assert_cmpuint (length, ==, 3);
  g_assert_null (tb_perf_format_parse ("own", "name: x\n", 8));
}

/* A flush of a disk is issued for one sector and completes for another. The request that caused it
 * completes without an event. */
static void
test_flush (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  static const struct
  {
    guint attr;
    guint64 sector;
    const char *operation;
  } steps[] = { { 9, 0, "FF" }, { 10, G_MAXUINT64, "FF" }, { 10, 0, "WS" } };

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      begin_tracepoint (writer, steps[i].attr, 0, 0, 100 + i, 0);
      put_u32 (writer, 8u << 20 | 1);
      put_u32 (writer, 0);
      put_u64 (writer, steps[i].sector);
      put_u64 (writer, 0);
      put_name (writer, steps[i].operation, 8);
      end_tracepoint (writer);
    }
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_IO_ISSUE), ==, 1);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_IO_COMPLETE), ==, 1);
  assert_contains (recorder_log_get_text (recorder), "101 0 0/0 io-complete 0 0 0 'FF' 8:1(block)");
}

/* perf may record forks long before switches. The time in between is a lost range, though no event
 * was dropped. */
static void
test_blind_start (void)
{
  for (guint forks = 0; forks < 2; forks++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;

      writer->feature_bits = ALL_FEATURES;
      add_attrs (writer);
      add_comm (writer, 30, 30, "shell", 1000, 0);
      if (forks)
        add_task (writer, PERF_RECORD_FORK, 31, 30, 31, 30, 2000);
      add_switch (writer, 0, 5000000, 0, 0, 30);
      add_task (writer, PERF_RECORD_FORK, 32, 30, 32, 30, 6000000);
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_LOST), ==, forks);
      if (!forks)
        continue;
      assert_contains (recorder_log_get_text (recorder), "5000000 -1 -1/-1 lost 0 1000 0");
      assert_contains (recorder_log_get_facts (recorder), "0.005 s before it recorded switches");
    }
}

/* In a recording with a ring of the last events only, the list of threads comes at the end. */
static void
test_listing_at_end (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;
  WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
  SampleHead head = { 0x400100, 20, 20, 100, 0, NULL, 0 };

  attr->flags |= 1u << FLAG_WRITE_BACKWARD;
  begin_sample (writer, attr, &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
  add_comm (writer, 20, 20, "worker", 0, 0);
  add_mmap2 (writer, 20, 0x400000, "/usr/bin/worker", TRUE, 0);
  recorder = import_writer (writer);
  assert_same_lines (recorder_log_get_text (recorder),
                     "100 -1 20/20 existing 0 0 0 'worker'\n"
                     "100 -1 20/20 mapping 4194304 8192 4096 /usr/bin/worker[deadbeef]\n"
                     "100 0 20/20 sample 777 0 0 <fffffffffffffe00 400100>\n");
}

/* --- comparison with perf itself --- */

static char *
run_perf (const char *path, const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_ptr_array_add (argv, (gpointer) "perf");
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, (gpointer) "-i");
  g_ptr_array_add (argv, (gpointer) path);
  g_ptr_array_add (argv, NULL);
  if (!g_spawn_sync (NULL, (char **) argv->pdata, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL,
                     &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    return NULL;
  return g_steal_pointer (&output);
}

static guint
count_lines (const char *text, const char *with)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += strstr (lines[i], with) != NULL;
  return n;
}

static void
test_beside_perf (void)
{
  static const char *const script[] = { "script", "--no-inline", "-F", "event", NULL };
  static const char *const header[] = { "report", "--header-only", NULL };
  g_autofree char *perf = g_find_program_in_path ("perf");
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *events = NULL;
  g_autofree char *facts = NULL;
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = NULL;

  if (perf == NULL)
    {
      g_test_skip ("perf is not installed");
      return;
    }
  write_scenario (writer, FALSE);
  bytes = writer_finish (writer);
  recorder = import_bytes (bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  folder = g_dir_make_tmp ("tailback-perf-XXXXXX", NULL);
  path = g_build_filename (folder, "perf.data", NULL);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  events = run_perf (path, script);
  facts = run_perf (path, header);
  g_unlink (path);
  g_rmdir (folder);
  g_assert_nonnull (events);
  g_assert_nonnull (facts);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==,
                    count_lines (events, "sched:sched_switch"));
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_WAKEUP), ==,
                    count_lines (events, "sched:sched_waking"));
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_IO_ISSUE), ==,
                    count_lines (events, "block:block_rq_issue"));
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SYS_ENTER), ==,
                    count_lines (events, "raw_syscalls:sys_enter"));
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_CALL), ==,
                    count_lines (events, "probe_work:compute:"));
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_RETURN), ==,
                    count_lines (events, "compute__return"));
  assert_contains (facts, "hostname : testhost");
  assert_contains (facts, "os release : 6.1.0-test");
  assert_contains (facts, "nrcpus avail : 4");
}

/* Writes the scenario in all its forms as files: the seeds of the fuzz target. */
static int
write_forms (const char *folder)
{
  for (guint form = 0; form < 12; form++)
    {
      g_autofree char *name = g_strdup_printf ("scenario-%s-%s-%u", form & 1 ? "be" : "le",
                                               form & 2 ? "pipe" : "file", form / 4);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GByteArray) bytes
          = make_scenario (form & 1, form & 2 ? WRITER_PIPE : WRITER_FILE, form / 4);

      if (!g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL))
        return 1;
    }
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--write-forms") == 0)
    return write_forms (argv[2]);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data/scenario", test_scenario);
  g_test_add_func ("/perf-data/sample-formats", test_sample_formats);
  g_test_add_func ("/perf-data/attr-sizes", test_attr_sizes);
  g_test_add_func ("/perf-data/order", test_order);
  g_test_add_func ("/perf-data/late", test_late);
  g_test_add_func ("/perf-data/switch-records", test_switch_records);
  g_test_add_func ("/perf-data/sampled-tracepoints", test_sampled_tracepoints);
  g_test_add_func ("/perf-data/network", test_network);
  g_test_add_func ("/perf-data/packets", test_packets);
  g_test_add_func ("/perf-data/flush", test_flush);
  g_test_add_func ("/perf-data/blind-start", test_blind_start);
  g_test_add_func ("/perf-data/listing-at-end", test_listing_at_end);
  g_test_add_func ("/perf-data/format", test_format);
  g_test_add_func ("/perf-data/beside-perf", test_beside_perf);
  return g_test_run ();
}
