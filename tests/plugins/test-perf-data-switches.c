/* test-perf-data-switches.c: test of the thread switches of perf.data files: records of threads and
 * of CPUs, the tracepoint, and both
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perf-data-checks.h"
#include "perf-data-scenario.h"

#define OUT PERF_RECORD_MISC_SWITCH_OUT
#define PREEMPTED (OUT | 1 << 14)
#define FLAG_ENABLE_ON_EXEC 12
#define FLAG_SAMPLE_ID_ALL 18
#define FLAG_CONTEXT_SWITCH 26
#define ID_INDEX 69

static void
add_record (Writer *writer, guint16 misc, gint32 tid, guint64 time, guint32 cpu)
{
  writer_begin (writer, PERF_RECORD_SWITCH, misc);
  writer_put_trailer (writer, &writer->attrs[0], tid, tid, time, cpu);
  writer_end (writer);
}

static void
add_cpu_record (Writer *writer, guint16 misc, gint32 tid, gint32 other, guint64 time, guint32 cpu)
{
  writer_begin (writer, PERF_RECORD_SWITCH_CPU_WIDE, misc);
  put_u32 (writer, other);
  put_u32 (writer, other);
  writer_put_trailer (writer, &writer->attrs[0], tid, tid, time, cpu);
  writer_end (writer);
}

static Writer *
begin (guint64 sample_type)
{
  Writer *writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  WriterAttr *attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, sample_type, "cpu-clock");

  attr->flags |= 1u << FLAG_CONTEXT_SWITCH;
  return writer;
}

static Writer *
begin_with_tracepoint (void)
{
  Writer *writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  writer->attrs[0].flags |= 1u << FLAG_CONTEXT_SWITCH;
  return writer;
}

static void
assert_switches (TbRecorder *recorder, const char *expected)
{
  g_auto (GStrv) lines = g_strsplit (recorder_log_get_text (recorder), "\n", -1);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], " switch ") != NULL)
      {
        char *stack = strstr (lines[i], " <");

        if (stack != NULL)
          *stack = '\0';
        g_string_append_printf (found, "%s\n", lines[i]);
      }
  g_assert_cmpstr (found->str, ==, expected);
}

#define UNKNOWN "-1"

/* Without -a: each record has one thread, and no CPU unless it was asked for. */
static void
test_threads (void)
{
  static const guint64 types[]
      = { USUAL, USUAL & ~PERF_SAMPLE_CPU, USUAL & ~PERF_SAMPLE_IDENTIFIER };
  static const char *const cpus[] = { "3", "-1", "3" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (Writer) writer = begin (types[i]);
      g_autoptr (TbRecorder) recorder = NULL;
      g_autofree char *expected = NULL;

      add_record (writer, 0, 6, 100, 3);
      add_record (writer, OUT, 6, 110, 3);
      add_record (writer, 0, 6, 150, 3);
      add_record (writer, PREEMPTED, 6, 160, 3);
      recorder = import_writer (writer);
      expected = g_strdup_printf ("100 %s -1/-1 switch - 6 6 0\n"
                                  "110 %s 6/6 switch ? " UNKNOWN " 0 0\n"
                                  "150 %s -1/-1 switch - 6 6 0\n"
                                  "160 %s 6/6 switch + " UNKNOWN " 0 0\n",
                                  cpus[i], cpus[i], cpus[i], cpus[i]);
      assert_switches (recorder, expected);
      assert_contains (recorder_log_get_facts (recorder), "fact switches=thread\n");
      assert_contains (recorder_log_get_facts (recorder), "fact switch-stacks=none\n");
    }
}

/* Records without a thread, or without a time, show nothing. */
static void
test_anonymous (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Writer) writer = begin (i == 0 ? USUAL : USUAL & ~PERF_SAMPLE_TIME);
      g_autoptr (TbRecorder) recorder = NULL;

      if (i == 0)
        writer->attrs[0].flags &= ~(1u << FLAG_SAMPLE_ID_ALL);
      for (guint k = 0; k < 3; k++)
        {
          writer_begin (writer, PERF_RECORD_SWITCH, k % 2 ? OUT : 0);
          if (i == 1)
            writer_put_trailer (writer, &writer->attrs[0], 6, 6, 0, 0);
          writer_end (writer);
        }
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, 0);
      assert_contains (recorder_log_get_facts (recorder),
                       "warning 3 records of thread switches have no thread or no time");
      assert_lacks (recorder_log_get_facts (recorder), "fact switches=");
    }
}

/* The tracepoint, directly before the record of the same switch, has the state and the stack. Where
 * one of both is missing, the other remains. */
static void
test_threads_traced (void)
{
  g_autoptr (Writer) writer = begin_with_tracepoint ();
  g_autoptr (TbRecorder) recorder = NULL;

  add_record (writer, 0, 20, 100, 1);
  add_switch (writer, 1, 200, 20, 1, 30);
  add_record (writer, OUT, 20, 201, 1);
  add_record (writer, 0, 20, 300, 1);
  add_record (writer, OUT, 20, 401, 1); /* without the tracepoint */
  add_record (writer, 0, 20, 500, 1);
  add_switch (writer, 1, 600, 20, 2, 30); /* without the record */
  add_switch (writer, 1, 700, 20, 0, 30); /* and without the records before */
  add_record (writer, PREEMPTED, 20, 701, 1);
  recorder = import_writer (writer);
  assert_switches (recorder, "100 1 -1/-1 switch - 20 20 0\n"
                             "200 1 20/20 switch S " UNKNOWN " 0 0\n"
                             "300 1 -1/-1 switch - 20 20 0\n"
                             "401 1 20/20 switch ? " UNKNOWN " 0 0\n"
                             "500 1 -1/-1 switch - 20 20 0\n"
                             "600 1 20/20 switch D " UNKNOWN " 0 0\n"
                             "700 1 20/20 switch R " UNKNOWN " 0 0\n");
  assert_contains (recorder_log_get_facts (recorder), "fact switches=thread\n");
  assert_lacks (recorder_log_get_facts (recorder), "fact switch-stacks");
}

/* With -a: both records of a switch have both threads. */
static void
test_cpus (void)
{
  g_autoptr (Writer) writer = begin (USUAL);
  g_autoptr (TbRecorder) recorder = NULL;

  add_cpu_record (writer, 0, 6, 5, 100, 3); /* the record of the thread that left is lost */
  add_cpu_record (writer, OUT, 6, 0, 110, 3);
  add_cpu_record (writer, 0, 0, 6, 111, 3);
  add_cpu_record (writer, OUT, 0, 6, 120, 3);
  add_cpu_record (writer, 0, 6, 0, 121, 3);
  add_cpu_record (writer, PREEMPTED, 6, 7, 130, 3);
  add_cpu_record (writer, OUT, -1, 8, 140, 3); /* 7 ended */
  add_cpu_record (writer, 0, 8, -1, 141, 3);
  recorder = import_writer (writer);
  assert_switches (recorder, "100 3 5/5 switch - 6 6 0\n"
                             "110 3 6/6 switch ? 0 0 0\n"
                             "120 3 0/0 switch ? 6 6 0\n"
                             "130 3 6/6 switch + 7 7 0\n"
                             "140 3 -1/-1 switch ? 8 8 0\n");
  assert_lacks (recorder_log_get_facts (recorder), "fact switches=");
  assert_contains (recorder_log_get_facts (recorder), "fact switch-stacks=none\n");
}

static void
test_cpus_traced (void)
{
  g_autoptr (Writer) writer = begin_with_tracepoint ();
  g_autoptr (TbRecorder) recorder = NULL;

  add_switch (writer, 1, 100, 20, 1, 30);
  add_cpu_record (writer, OUT, 20, 30, 101, 1);
  add_cpu_record (writer, 0, 30, 20, 102, 1);
  add_cpu_record (writer, PREEMPTED, 30, 20, 201, 1); /* without the tracepoint */
  add_cpu_record (writer, 0, 20, 30, 202, 1);
  add_switch (writer, 1, 300, 20, 2, 30); /* without its records */
  add_switch (writer, 1, 400, 30, 2, 20);
  add_cpu_record (writer, OUT, -1, 20, 401, 1);
  add_cpu_record (writer, 0, 20, -1, 402, 1);
  add_switch (writer, 0, 403, 0, 0, 50); /* of another CPU */
  add_cpu_record (writer, OUT, 20, 0, 500, 1);
  recorder = import_writer (writer);
  assert_switches (recorder, "100 1 20/20 switch S 30 0 0\n"
                             "201 1 30/30 switch + 20 20 0\n"
                             "300 1 20/20 switch D 30 0 0\n"
                             "400 1 30/30 switch D 20 0 0\n"
                             "403 0 0/0 switch R 50 0 0\n"
                             "500 1 20/20 switch ? 0 0 0\n");
  assert_lacks (recorder_log_get_facts (recorder), "fact switches=");
}

/* The tracepoint of some threads alone shows when these left a CPU, not when they got one. */
static void
test_traced_threads (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  writer->attrs[2].flags |= 1u << FLAG_ENABLE_ON_EXEC;
  add_switch (writer, 1, 100, 20, 1, 30);
  add_switch (writer, 1, 200, 20, 1, 30);
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, 0);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MARK), ==, 2);
  assert_contains (recorder_log_get_text (recorder), "'sched:sched_switch'");
  assert_contains (recorder_log_get_facts (recorder),
                   "warning The event sched_switch was recorded");
}

/* perf inject --sched-stat copies switches to later times, with another period. */
static void
test_rewritten (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  writer->traced_period = 5000;
  add_switch (writer, 1, 100, 20, 1, 30);
  add_switch (writer, 1, 200, 20, 1, 30);
  recorder = import_writer (writer);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, 0);
  g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MARK), ==, 2);
  assert_contains (recorder_log_get_facts (recorder), "warning perf inject --sched-stat replaced");
}

/* Which of both was recorded also follows from perf's list of the events of each thread or CPU. */
static void
test_index (void)
{
  static const gint64 threads[] = { 20, -1 };

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;

      writer->feature_bits = ALL_FEATURES;
      add_attrs (writer);
      writer_begin (writer, ID_INDEX, 0);
      put_u64 (writer, 1);
      put_u64 (writer, 7);
      put_u64 (writer, 0);
      put_u64 (writer, 0);
      put_u64 (writer, (guint64) threads[i]);
      writer_end (writer);
      add_switch (writer, 1, 100, 20, 1, 30);
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, i == 0 ? 0 : 1);
    }
}

/* Records in an order that no kernel writes, of threads that do not exist, and cut short. */
static void
test_hostile (void)
{
  g_autoptr (Writer) writer = begin_with_tracepoint ();
  g_autoptr (TbRecorder) recorder = NULL;

  add_record (writer, 0, 6, 100, 3);
  add_record (writer, 0, 6, 110, 3);
  add_record (writer, OUT, 6, 120, 3);
  add_record (writer, OUT, 6, 130, 3);
  add_record (writer, OUT, 6, 90, 3);
  add_record (writer, OUT, -1, 140, 3);
  add_record (writer, 0, 0, 141, 3);
  add_record (writer, 0, G_MININT32, 142, 3);
  add_record (writer, 0, 7, 143, G_MAXUINT32);
  add_cpu_record (writer, OUT, 6, 6, 150, 3);
  add_cpu_record (writer, OUT, G_MININT32, G_MAXINT32, 151, G_MAXUINT32);
  writer_begin (writer, PERF_RECORD_SWITCH_CPU_WIDE, OUT);
  writer_end (writer);
  writer_begin (writer, ID_INDEX, 0);
  put_u64 (writer, G_MAXUINT64);
  writer_end (writer);
  recorder = import_writer (writer);
  assert_contains (recorder_log_get_facts (recorder), "4 records of thread switches have no");
  assert_contains (recorder_log_get_text (recorder), "90 3 6/6 switch ? " UNKNOWN " 0 0\n100 3");
  assert_contains (recorder_log_get_text (recorder), "120 3 6/6 switch ? " UNKNOWN " 0 0\n130 3");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data/switches/threads", test_threads);
  g_test_add_func ("/perf-data/switches/anonymous", test_anonymous);
  g_test_add_func ("/perf-data/switches/threads-traced", test_threads_traced);
  g_test_add_func ("/perf-data/switches/cpus", test_cpus);
  g_test_add_func ("/perf-data/switches/cpus-traced", test_cpus_traced);
  g_test_add_func ("/perf-data/switches/traced-threads", test_traced_threads);
  g_test_add_func ("/perf-data/switches/rewritten", test_rewritten);
  g_test_add_func ("/perf-data/switches/index", test_index);
  g_test_add_func ("/perf-data/switches/hostile", test_hostile);
  return g_test_run ();
}
