/* test-perf-data-claims.c: test of what perf.data files are evidence of: which samples measure CPU
 * time and how much, whether all CPUs were recorded, how long calls took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "perf-data-checks.h"
#include "perf-data-scenario.h"

#define RAW 4 /* type of the events that the CPU's maker numbers */

static void
add_sample (Writer *writer, guint attr, gint32 tid, guint cpu, guint64 time)
{
  SampleHead head = { 0x400100, tid, tid, time, cpu, NULL, 0 };

  begin_sample (writer, &writer->attrs[attr], &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
}

/* Only cycles and clocks show where time goes, by whichever number a CPU counts cycles. */
static void
test_units (void)
{
  static const struct
  {
    guint32 type;
    guint64 config;
    const char *name;
    gboolean is_time;
  } events[] = {
    { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cycles:P", TRUE },
    { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, "task-clock", TRUE },
    { RAW, 0x3c, "cpu/cycles/", TRUE },
    { RAW, 0x11, "armv8_pmuv3/cpu_cycles/u", TRUE },
    { RAW, 0x3c, "cycles:u", TRUE },
    { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions", FALSE },
    { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, "cache-references", FALSE },
    { PERF_TYPE_HW_CACHE, 3, "LLC-loads", FALSE },
    { RAW, 0x1cd, "cpu/mem-loads/pp", FALSE },
    { RAW, 0xc4, "cycles_of_something", FALSE },
    { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page-faults", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;

      writer->feature_bits = ALL_FEATURES;
      g_test_message ("%s", events[i].name);
      writer_add_attr (writer, events[i].type, events[i].config, 1000, USUAL, events[i].name);
      add_sample (writer, 0, 7, 0, 100);
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SAMPLE), ==, events[i].is_time);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_COUNTER), ==, !events[i].is_time);
      if (events[i].is_time)
        assert_contains (recorder_log_get_facts (recorder), "fact sampled=");
      else
        assert_lacks (recorder_log_get_facts (recorder), "fact sampled=");
    }
}

/* The first samples of a recording follow one another quickly, until the frequency is reached. They
 * stand for no more time than passed. */
static void
test_bursts (void)
{
  for (guint with_cpu = 0; with_cpu < 2; with_cpu++)
    for (guint n_quick = 0; n_quick <= 10; n_quick += 10)
      {
        g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
        g_autoptr (TbRecorder) recorder = NULL;
        guint64 time = 1000000;
        WriterAttr *attr;

        writer->feature_bits = ALL_FEATURES;
        attr = writer_add_attr (writer, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1000,
                                with_cpu ? USUAL : USUAL & ~PERF_SAMPLE_CPU, "cycles");
        attr->flags |= 1u << FLAG_COMM | 1u << FLAG_FREQUENCY;
        add_comm (writer, 7, 7, "worker", time, 0);
        for (guint i = 0; i < n_quick; i++)
          add_sample (writer, 0, 7, 3, time += 2000);
        for (guint i = 0; i < 10; i++)
          add_sample (writer, 0, 7, 3, time += i % 2 ? 900000 : 1100000);
        add_sample (writer, 0, 0, 3, time += 100); /* idle */
        recorder = import_writer (writer);
        assert_contains (recorder_log_get_facts (recorder), "fact sample-frequency=1000\n");
        if (n_quick == 0)
          assert_lacks (recorder_log_get_facts (recorder), "fact sample-period-ns");
        else /* ten of 2 us, ten of 1 ms */
          assert_contains (recorder_log_get_facts (recorder), "fact sample-period-ns=501000\n");
      }
}

/* That all CPUs were recorded is shown by perf's options, by samples of idle CPUs, or by switches
 * of CPUs. */
static void
test_coverage (void)
{
  static const struct
  {
    const char *command_line;
    gint32 tid;
    gboolean is_part;
  } cases[] = {
    { "perf record -g ./worker", 7, TRUE },   { "perf record -p 7", 7, TRUE },
    { "perf record -ag ./worker", 7, FALSE }, { "perf record -g ./worker", 0, FALSE },
    { "perf sched record", 7, FALSE },        { "perf", 7, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;

      writer->feature_bits = ALL_FEATURES;
      writer->command_line = cases[i].command_line;
      writer_add_attr (writer, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1000, USUAL,
                       "cpu-clock");
      add_sample (writer, 0, cases[i].tid, 0, 100);
      recorder = import_writer (writer);
      if (cases[i].is_part)
        assert_contains (recorder_log_get_facts (recorder), "fact coverage=part\n");
      else
        assert_lacks (recorder_log_get_facts (recorder), "fact coverage");
    }
}

/* perf inject replaces perf's command line by its own. A "sleep" whose samples are not the only
 * ones was the duration of the recording. */
static void
test_duration (void)
{
  for (gint32 other = 0; other < 2; other++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;
      WriterAttr *attr;

      writer->feature_bits = ALL_FEATURES;
      writer->command_line = "perf inject -i perf.data -o out.data";
      attr = writer_add_attr (writer, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1000, USUAL,
                              "cpu-clock");
      attr->flags |= 1u << FLAG_COMM | 1u << FLAG_TASK;
      add_comm (writer, 7, 7, "perf-exec", 100, 0);
      add_sample (writer, 0, 7, 0, 105);
      add_comm (writer, 7, 7, "sleep", 110, PERF_RECORD_MISC_COMM_EXEC);
      add_sample (writer, 0, 7, 0, 120);
      if (other)
        add_sample (writer, 0, 9, 0, 130);
      recorder = import_writer (writer);
      if (other)
        assert_lacks (recorder_log_get_facts (recorder), "fact command");
      else
        assert_contains (recorder_log_get_facts (recorder), "fact command-pid=7\n");
    }
}

#define PROBE_FORMAT(name, id, field)                                                              \
  "name: " name "\nID: " id "\n" COMMON "\tfield:unsigned long " field                             \
  ";\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n"

/* How long a function ran is known only if its returns are probed, too. */
static void
test_entries (void)
{
  for (guint with_return = 0; with_return < 2; with_return++)
    {
      g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
      g_autoptr (TbRecorder) recorder = NULL;

      writer->feature_bits = ALL_FEATURES;
      writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 400, 1, USUAL | PERF_SAMPLE_RAW,
                       "probe_worker:main");
      writer_add_format (writer, "probe_worker", PROBE_FORMAT ("main", "400", "__probe_ip"));
      if (with_return)
        {
          writer_add_attr (writer, PERF_TYPE_TRACEPOINT, 401, 1, USUAL | PERF_SAMPLE_RAW,
                           "probe_worker:main__return");
          writer_add_format (writer, "probe_worker",
                             PROBE_FORMAT ("main__return", "401", "__probe_func"));
        }
      begin_tracepoint (writer, 0, 0, 20, 100, 0);
      put_u64 (writer, 0x400100);
      end_tracepoint (writer);
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_CALL), ==, with_return);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MARK), ==, !with_return);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-claims/units", test_units);
  g_test_add_func ("/perf-data-claims/bursts", test_bursts);
  g_test_add_func ("/perf-data-claims/coverage", test_coverage);
  g_test_add_func ("/perf-data-claims/duration", test_duration);
  g_test_add_func ("/perf-data-claims/entries", test_entries);
  return g_test_run ();
}
