/* test-perf-data-namespace.c: test of perf.data files that were recorded inside a container: the
 * records have other thread IDs than the fields of tracepoints
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perf-data-checks.h"
#include "perf-data-scenario.h"

#define OFFSET (1 << 22) /* of outside IDs that a thread inside has too */
#define ZOMBIE 0x20

static Writer *
begin (void)
{
  Writer *writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  return writer;
}

/* The sample has the ID of the namespace, its fields the ID of the host. */
static void
begin_event (Writer *writer, guint attr, guint cpu, gint32 own, gint32 host, guint64 time)
{
  SampleHead head = { .ip = KERNEL, .pid = MIN (own, 2), .tid = own, .time = time, .cpu = cpu };

  begin_sample (writer, &writer->attrs[attr], &head, PERF_RECORD_MISC_KERNEL);
  begin_raw (writer, writer->attrs[attr].config, 1, host);
}

static void
switch_to (Writer *writer, guint64 time, gint32 own, gint32 host, guint64 state, gint32 next)
{
  begin_event (writer, 2, 1, own, host, time);
  put_u32 (writer, next);
  put_u32 (writer, host);
  put_name (writer, "a", 16);
  put_name (writer, "b", 16);
  put_u64 (writer, state);
  end_tracepoint (writer);
}

static void
wake (Writer *writer, guint64 time, gint32 own, gint32 host, gint32 wakee)
{
  begin_event (writer, 3, 0, own, host, time);
  put_name (writer, "b", 16);
  put_u32 (writer, wakee);
  end_tracepoint (writer);
}

static void
sample (Writer *writer, guint64 time, gint32 own)
{
  SampleHead head = { .ip = USER, .pid = MIN (own, 2), .tid = own, .time = time, .cpu = 1 };

  begin_sample (writer, &writer->attrs[0], &head, PERF_RECORD_MISC_USER);
  writer_end (writer);
}

/* Time, task, kind and numbers of all events of some kinds. */
static void
assert_events (TbRecorder *recorder, const char *kinds, const char *expected)
{
  g_auto (GStrv) lines = g_strsplit (recorder_log_get_text (recorder), "\n", -1);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

      /* switches have the state before their numbers */
      if (g_strv_length (words) > 5 && strstr (kinds, words[3]) != NULL)
        g_string_append_printf (found, "%s %s %s %s\n", words[0], words[2], words[3],
                                words[g_str_equal (words[3], "switch") ? 5 : 4]);
    }
  g_assert_cmpstr (found->str, ==, expected);
}

/* A thread is woken before it has an event of its own; the host's thread 2 is not that of the
 * container, and only thread 0 of the host is idle. */
static void
test_joined (void)
{
  g_autoptr (Writer) writer = begin ();
  g_autoptr (TbRecorder) recorder = NULL;
  const char *facts;

  add_task (writer, PERF_RECORD_FORK, 2, 1, 2, 1, 90);
  wake (writer, 100, 0, 50, 120);
  switch_to (writer, 110, 0, 50, 1, 120);
  sample (writer, 115, 2);
  wake (writer, 118, 2, 120, 2);
  switch_to (writer, 120, 2, 120, 1, 2);
  sample (writer, 125, 0);
  switch_to (writer, 130, 0, 2, 1, 0);
  sample (writer, 135, 0);
  switch_to (writer, 140, 0, 0, 0, 120);
  switch_to (writer, 150, -1, 120, ZOMBIE, 50);
  recorder = import_writer (writer);
  assert_events (recorder, "switch wakeup",
                 "100 -1/50 wakeup 2\n"
                 "110 -1/50 switch 2\n"
                 "118 2/2 wakeup 4194306\n"
                 "120 2/2 switch 4194306\n"
                 "130 -1/4194306 switch 0\n"
                 "140 0/0 switch 2\n"
                 "150 -1/2 switch 50\n");
  assert_contains (recorder_log_get_text (recorder), "\n115 1 2/2 sample");
  assert_contains (recorder_log_get_text (recorder), "\n125 1 -1/4194306 sample");
  assert_contains (recorder_log_get_text (recorder), "\n135 1 0/0 sample");
  facts = recorder_log_get_facts (recorder);
  assert_contains (facts, "fact switches=joined\n");
  assert_contains (facts, "fact host-thread-ids=2 120\n");
  assert_contains (facts, "warning Recorded inside a container: of 2 threads outside of it");
  assert_contains (facts, "warning 1 thread outside of the container has an ID that a thread");
  assert_lacks (facts, "fact coverage=container\n");
}

/* After its last switch, the host's ID of a thread is that of another one. */
static void
test_reused (void)
{
  g_autoptr (Writer) writer = begin ();
  g_autoptr (TbRecorder) recorder = NULL;

  switch_to (writer, 100, 2, 120, 1, 50);
  switch_to (writer, 110, 0, 50, 1, 120);
  switch_to (writer, 120, -1, 120, ZOMBIE, 50);
  switch_to (writer, 130, 0, 50, 1, 120);
  switch_to (writer, 140, 0, 120, ZOMBIE, 50);
  switch_to (writer, 150, 0, 50, 1, 120);
  switch_to (writer, 160, 3, 120, 1, 50);
  recorder = import_writer (writer);
  assert_events (recorder, "switch",
                 "100 2/2 switch 50\n"
                 "110 -1/50 switch 2\n"
                 "120 -1/2 switch 50\n"
                 "130 -1/50 switch 120\n"
                 "140 -1/120 switch 50\n"
                 "150 -1/50 switch 3\n"
                 "160 2/3 switch 50\n");
  assert_contains (recorder_log_get_facts (recorder), "fact host-thread-ids=2 120, 3 120\n");
}

/* A living thread has two IDs, or two living threads one: nothing is joined. */
static void
test_contradictory (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Writer) writer = begin ();
      g_autoptr (TbRecorder) recorder = NULL;

      switch_to (writer, 100, 2, 120, 1, 50);
      switch_to (writer, 110, 0, 50, 1, 120);
      if (i == 0)
        switch_to (writer, 120, 3, 120, 1, 50);
      else if (i == 1)
        switch_to (writer, 120, 2, 121, 1, 50);
      else
        switch_to (writer, 120, 0, 120, 1, 50);
      wake (writer, 130, 0, 50, 120);
      recorder = import_writer (writer);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_SWITCH), ==, 0);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_WAKEUP), ==, 0);
      g_assert_cmpuint (recorder_log_count (recorder, TB_EVENT_MARK), ==, i == 2 ? 1 : 2);
      assert_contains (recorder_log_get_facts (recorder), "contradict each other");
      assert_lacks (recorder_log_get_facts (recorder), "fact switches=");
    }
}

/* Without tracepoints, the records of threads outside show nothing. */
static void
test_records_only (void)
{
  g_autoptr (Writer) writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (TbRecorder) recorder = NULL;

  writer->feature_bits = ALL_FEATURES;
  writer->command_line = "perf record -a sleep 1";
  writer_add_attr (writer, PERF_TYPE_SOFTWARE, 0, 1, USUAL, "cpu-clock");
  add_task (writer, PERF_RECORD_FORK, 0, 0, 0, 0, 90);
  add_task (writer, PERF_RECORD_FORK, 7, 0, 7, 0, 95);
  add_mmap2 (writer, 0, 0x400000, "/usr/bin/outside", FALSE, 96);
  sample (writer, 100, 2);
  sample (writer, 110, 0);
  add_task (writer, PERF_RECORD_EXIT, 0, 0, 0, 0, 120);
  recorder = import_writer (writer);
  assert_events (recorder, "fork exit mapping sample",
                 "95 0/-1 fork 7\n96 0/0 mapping 4194304\n100 2/2 sample 777\n");
  assert_contains (recorder_log_get_facts (recorder),
                   "warning 1 sample was left out: it is of an idle CPU or of a thread outside");
  /* Although perf recorded all CPUs. */
  assert_contains (recorder_log_get_facts (recorder), "fact coverage=container\n");
}

/* Before 4.20, Linux wrote 0 for threads that have ended, without any container. */
static void
test_ended (void)
{
  g_autoptr (Writer) writer = begin ();
  g_autoptr (TbRecorder) recorder = NULL;

  switch_to (writer, 100, 50, 50, 1, 120);
  switch_to (writer, 110, 120, 120, 1, 50);
  switch_to (writer, 120, 50, 50, 1, 120);
  switch_to (writer, 130, 0, 120, ZOMBIE, 50);
  recorder = import_writer (writer);
  assert_contains (recorder_log_get_text (recorder), "\n130 1 -1/120 switch Z 50 ");
  assert_lacks (recorder_log_get_facts (recorder), "container");
}

/* The exit of a thread is recorded before its last switch, of which the sample has no thread any
 * more; the host's number is that of another thread from then on. */
static void
test_exit_before_last_switch (void)
{
  g_autoptr (Writer) writer = begin ();
  g_autoptr (TbRecorder) recorder = NULL;

  add_task (writer, PERF_RECORD_FORK, 2, 1, 2, 1, 90);
  switch_to (writer, 110, 0, 50, 1, 120);
  wake (writer, 118, 2, 120, 50);
  add_task (writer, PERF_RECORD_EXIT, 2, 1, 2, 1, 140);
  switch_to (writer, 150, -1, 120, ZOMBIE, 50);
  add_task (writer, PERF_RECORD_FORK, 9, 1, 9, 1, 160);
  switch_to (writer, 170, 0, 50, 1, 120);
  wake (writer, 175, 9, 120, 50);
  switch_to (writer, 180, 9, 120, 1, 50);
  recorder = import_writer (writer);
  assert_events (recorder, "switch wakeup",
                 "110 -1/50 switch 2\n"
                 "118 2/2 wakeup 50\n"
                 "150 -1/2 switch 50\n"
                 "170 -1/50 switch 9\n"
                 "175 2/9 wakeup 50\n"
                 "180 2/9 switch 50\n");
  assert_lacks (recorder_log_get_facts (recorder), "contradict");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data/namespace/joined", test_joined);
  g_test_add_func ("/perf-data/namespace/reused", test_reused);
  g_test_add_func ("/perf-data/namespace/contradictory", test_contradictory);
  g_test_add_func ("/perf-data/namespace/records-only", test_records_only);
  g_test_add_func ("/perf-data/namespace/ended", test_ended);
  g_test_add_func ("/perf-data/namespace/exit-before-last-switch", test_exit_before_last_switch);
  return g_test_run ();
}
