/* test-latency-peaks-cases.c: test of the paper's use cases on recordings: directories read from
 * disk, with a resumed search; a lock and its flusher; overlapping peaks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

/* --- recursive reading of directories --- */

/* Reads at the end of a directory, from memory and from the disk. */
static Story *
read_directories (guint n)
{
  Story *story = story_new ("grep other");
  int time = 100;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < n; i++, time += 5000)
    {
      int length = i % 3 == 0 ? 1 : i % 3 == 1 ? 40 : 2600;

      story_enter (story, time, 0, 11, "getdents64");
      if (i % 3 == 2)
        {
          story_add (story, time + 4, "0,io_insert,,,,,,,11,vda,4096,,,8,");
          story_add (story, time + 14, "0,io_issue,,,,,,,11,vda,4096,,,8,");
          story_switch_with_stack (
              story, time + 15, 0, 11, "D", 0,
              "main;getdents64@libc.so.6;entry_SYSCALL_64@[kernel];iterate_dir@[kernel];"
              "ext4_readdir@[kernel];ext4_bread@[kernel];io_schedule@[kernel];schedule@[kernel]");
          story_add (story, time + 2500, "0,irq_entry,,,,,,,,vda,,,,,");
          story_add (story, time + 2500, "0,io_complete,,,,,,,11,vda,4096,,,8,");
          story_wake (story, time + 2501, 0, 0, 11);
          story_add (story, time + 2502, "0,irq_exit,,,,,,,,vda,,,,,");
          story_switch (story, time + 2503, 0, 0, "R", 11);
        }
      story_leave (story, time + length, 0, 11);
    }
  return story;
}

#define DISK_PATH "syscall:getdents64 iterate_dir ext4_readdir ext4_bread io_schedule"
#define DISK_DETAIL "waits (block-io), ended by vda, processed by the device"

static void
test_directories (void)
{
  g_autoptr (TbTrace) first = story_open_as (read_directories (90), "first");
  g_autoptr (TbTrace) second = story_open_as (read_directories (120), "second");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = peaks_analyze (first, "getdents64");
  g_autoptr (TbReport) chosen = peaks_try_analyze (first, "getdents64", "peak", "3", &error);
  g_autoptr (TbReport) resumed = NULL;
  g_autoptr (TbReport) device = NULL;
  g_autofree char *state = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 3);
  peaks_assert_cause (report, 0, "function", "syscall:getdents64", NULL);
  peaks_assert_cause (report, 1, "function", "syscall:getdents64", NULL);
  peaks_assert_cause (report, 2, "asynchronous", DISK_PATH, DISK_DETAIL);
  /* The asynchronous part of the first search is resumed with another recording. */
  state = json_to_string (json_object_get_member (report_get_summary (chosen), "state"), FALSE);
  resumed = peaks_try_analyze (second, "getdents64", "resume", state, &error);
  g_assert_no_error (error);
  peaks_assert_cause (resumed, 0, "asynchronous", DISK_PATH, DISK_DETAIL);
  g_assert_cmpint (json_object_get_int_member (peaks_get_peak (resumed, 0), "drilled"), ==,
                   30 + 40);
  /* The device's work as an operation of its own. */
  device = peaks_analyze (second, "block:other");
  peaks_assert_cause (device, 0, "asynchronous", "block:other", "processed by the device");
}

/* --- a lock that a flusher holds at times --- */

static void
test_lock (void)
{
  Story *story = story_new ("reader flusher");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) table = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *operation, *peak, *period;
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 600000)
    {
      story_add (story, time, "0,sleep,,lock,,,,,11,,0,futex=bkl,,64,0");
      story_switch_with_stack (story, time, 0, 11, "S", 0, "main;touch_atime@fs;lock_kernel@fs");
      story_wake (story, time + 30000, 1, 12, 11);
      story_switch (story, time + 30001, 0, 0, "R", 11);
    }
  trace = story_open (story);
  table = peaks_analyze (trace, "");
  operation = peaks_find_operation (report_get_summary (table), "lock:bkl");
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 30);
  report = peaks_analyze (trace, "lock:bkl");
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 1);
  peak = peaks_get_peak (report, 0);
  peaks_assert_cause (report, 0, "wait", "lock:bkl",
                      "waits (lock), ended by flusher (12), running during the wait");
  period = json_object_get_object_member (peak, "periodicity");
  g_assert_cmpint (json_object_get_int_member (period, "period_ns"), >, 590000000);
  g_assert_cmpint (json_object_get_int_member (period, "period_ns"), <, 610000000);
}

/* --- two call paths with nearly equal latencies --- */

static void
test_overlapping (void)
{
  Story *story = story_new ("caller other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 200; i++, time += 1000)
    {
      const char *path = i % 2 == 0 ? "left" : "right";
      int length = i % 2 == 0 ? 90 + (int) (i % 60) : 120 + (int) (i % 90);

      story_call (story, time, 0, 11, "f0");
      story_call (story, time + 2, 0, 11, path);
      story_return (story, time + length - 2, 0, 11, path);
      story_return (story, time + length, 0, 11, "f0");
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "function:f0");
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 1);
  peak = peaks_get_peak (report, 0);
  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 2);
  summary_assert_strings (summary_get_element (peak, "root_causes", 0), "path",
                          "function:f0 right");
  summary_assert_strings (summary_get_element (peak, "root_causes", 1), "path", "function:f0 left");
}

/* --- a live search, resumed with a recording --- */

static void
test_live_state (void)
{
  static const char *const state
      = "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"syscall:getdents64\","
        "\"resolution\":"
        "1,"
        "\"status\":\"found\",\"from_bin\":21,\"to_bin\":21,\"calls_looked_into\":20,"
        "\"bins\":[[9,30,30000],[15,30,1200000],[21,30,78000000]],"
        "\"nodes\":[{\"id\":0,\"parent\":-1,\"kind\":\"syscall\",\"name\":\"getdents64\",\"key\":"
        "217,"
        "\"phase\":3,\"opened\":true,\"root_cause\":true,\"self_cause\":false,\"calls\":20,\"open_"
        "calls\":20,"
        "\"total_ns\":52000000,\"self_ns\":2000000,\"self_maxcount\":0,\"maxcount\":0,\"entered\":"
        "20},"
        "{\"id\":1,\"parent\":0,\"kind\":\"wait\",\"name\":\"uninterruptible\",\"key\":2,\"phase\":"
        "0,"
        "\"opened\":false,\"root_cause\":true,\"self_cause\":false,\"calls\":20,\"maxcount\":20,"
        "\"callee_ns\":50000000,\"entered\":20}]}";
  g_autoptr (TbTrace) trace = story_open (read_directories (120));
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = peaks_try_analyze (trace, "getdents64", "resume", state, &error);
  JsonObject *summary;

  g_assert_no_error (error);
  summary = report_get_summary (report);
  g_assert_true (
      json_object_get_boolean_member (json_object_get_object_member (summary, "distance"), "same"));
  g_assert_cmpuint (summary_count (summary, "peaks"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (peaks_get_peak (report, 0), "drilled"), ==, 20 + 40);
  finding_assert_string (findings_get (report, "resumed-search"), "operation",
                         "syscall:getdents64");
}

/* --- work of other threads for the calls of a peak --- */

/* A client sends requests to a server and waits for every other one. The server also works for
 * another client, and both read a disk, the client also for itself. */
static TbTrace *
serve (void)
{
  Story *story = story_new ("client server");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 60; i++, time += 10000)
    {
      story_enter (story, time, 0, 11, "read");
      if (i % 2 == 0)
        {
          story_leave (story, time + 3, 0, 11);
          story_request (story, time + 10, time + 10 + 1, time + 10 + 300, 0, 11, 4096, 8);
          story_call (story, time + 1000, 1, 12, "serve");
          story_return (story, time + 3000, 1, 12, "serve");
          continue;
        }
      story_request (story, time + 2, time + 2 + 1, time + 2 + 2, 0, 11, 4096, 8);
      story_switch_with_stack (story, time + 5, 0, 11, "S", 0, "main;read");
      story_call (story, time + 10, 1, 12, "serve");
      story_wake (story, time + 2000, 1, 12, 11);
      story_switch (story, time + 2001, 0, 0, "R", 11);
      story_leave (story, time + 2010, 0, 11);
      story_return (story, time + 2020, 1, 12, "serve");
    }
  return story_open (story);
}

static void
assert_served (TbTrace *trace, const char *operation, const char *state, guint calls, guint of)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = peaks_try_analyze (trace, operation, "resume", state, &error);
  JsonObject *summary, *served;
  TbFinding *finding;

  g_assert_no_error (error);
  summary = report_get_summary (report);
  served = json_object_get_object_member (summary, "served");
  g_assert_cmpint (json_object_get_int_member (summary, "calls"), ==, calls);
  g_assert_cmpint (json_object_get_int_member (served, "of_calls"), ==, of);
  g_assert_cmpstr (json_object_get_string_member (served, "operation"), ==, "syscall:read");
  finding = findings_get (report, "served-calls");
  finding_assert_string (finding, "served_operation", "syscall:read");
  finding_assert_integer (finding, "count", calls);
  finding_assert_integer (finding, "all_calls", of);
}

static void
test_served (void)
{
  g_autoptr (TbTrace) trace = serve ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) slow = peaks_try_analyze (trace, "read", "from-bin", "16", NULL);
  g_autoptr (TbReport) none = NULL;
  g_autofree char *state
      = json_to_string (json_object_get_member (report_get_summary (slow), "state"), FALSE);
  g_autoptr (TbReport) all = peaks_analyze (trace, "function:serve");

  g_assert_cmpint (json_object_get_int_member (report_get_summary (all), "calls"), ==, 60);
  assert_served (trace, "function:serve", state, 30, 60);
  assert_served (trace, "block:other", state, 30, 60);
  none = peaks_try_analyze (trace, "syscall:write", "resume", state, &error);
  g_assert_null (none);
  g_assert_nonnull (error);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/cases/directories", test_directories);
  g_test_add_func ("/latency-peaks/cases/lock", test_lock);
  g_test_add_func ("/latency-peaks/cases/overlapping", test_overlapping);
  g_test_add_func ("/latency-peaks/cases/live-state", test_live_state);
  g_test_add_func ("/latency-peaks/cases/served", test_served);
  return recording_run_tests ();
}
