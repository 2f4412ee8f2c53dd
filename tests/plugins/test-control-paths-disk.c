/* test-control-paths-disk.c: test of the rules of the analysis "control-paths" about disks:
 * requests of others, kernel threads, swap, running while the disk works
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

/* A request issued by another thread, on the device that woke the waiter, counts as what was waited
 * for. */
static void
test_request_of_other (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 10, "reader", 10);
  story_name (story, 30, "flusher", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 30);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0,
                           "main@reader;read@libc.so;folio_wait_bit_common@[kernel]");
  story_add (story, 1200, "1,io_insert,,,,,,,30,vda,4096,,,100,");
  story_add (story, 1200, "1,io_issue,,,,,,,30,vda,4096,,,100,");
  story_add (story, 3000, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, 3000, "0,io_complete,,,,,,,30,vda,4096,,,100,");
  story_wake (story, 3000, 0, 0, 10);
  story_add (story, 3000, "0,irq_exit,,,,,,,,vda,,,,,");
  story_switch (story, 3000, 0, 0, "R", 10);
  story_end (story, 4000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "reader");
  summary = control_paths_get_summary (report);
  control_paths_assert_categories (summary, "not_sampled", 2000000, "blocking_io", 1800000,
                                   "kernel_block", 200000, NULL);
}

/* The flush of an fsync(): a kernel worker, once it gets a CPU, issues it to the device for the
 * thread that woke it. */
static void
test_request_by_worker (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *of;
  TbFinding *finding;

  story_name (story, 10, "writer", 10);
  story_name (story, 30, "kworker/1:0H", 30);
  story_name (story, 40, "hog", 40);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 40);
  story_wake (story, 900, 0, 10, 30);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, "main@writer;fsync@libc.so");
  story_switch (story, 3000, 1, 40, "R", 30);
  story_add (story, 3100, "1,io_issue,,,,,,,30,vda,0,,,0,");
  story_switch (story, 3200, 1, 30, "I", 40);
  story_add (story, 4000, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, 4000, "0,io_complete,,,,,,,30,vda,0,,,0,");
  story_wake (story, 4000, 0, 0, 10);
  story_add (story, 4000, "0,irq_exit,,,,,,,,vda,,,,,");
  story_switch (story, 4000, 0, 0, "R", 10);
  story_end (story, 5000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "writer");
  summary = control_paths_get_summary (report);
  control_paths_assert_categories (summary, "not_sampled", 2200000, "blocking_io", 800000,
                                   "scheduler", 2000000, NULL);
  /* All of that is the writer's wait for the disk. */
  g_assert_null (control_paths_find_contributor (summary, "kworker/1:0H"));
  of = control_paths_find_contributor (summary, "writer");
  g_assert_cmpint (json_object_get_int_member (of, "io_ns"), ==, 3000000);
  g_assert_cmpint (json_object_get_int_member (of, "running_ns"), ==, 2000000);
  g_assert_cmpint (json_object_get_int_member (of, "disk_runnable_ns"), ==, 2000000);
  g_assert_cmpint (json_object_get_int_member (of, "disk_running_ns"), ==, 200000);
  finding = tb_report_get_finding (report, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "disk-wait");
  finding_assert_string (finding, "wait_function", "fsync");
  finding_assert_integer (finding, "activity_ns", 3000000);
  finding_assert_integer (finding, "own_ns", 5000000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "(3 ms; for 200 µs of that, kernel threads ran, for 2 ms they waited "
                            "for a CPU)"));
}

/* A worker issues the request late, and its run before that was not reported: the writer waits for
 * the disk all the time, unless a loss makes that unknown as well. */
static void
check_unknown_worker (gboolean is_lost)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 10, "writer", 10);
  story_name (story, 30, "kworker/1:0H", 30);
  story_name (story, 40, "hog", 40);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 40);
  story_switch (story, 500, 1, 40, "R", 30);
  story_switch (story, 600, 1, 30, "I", 40);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, "main@writer;fsync@libc.so");
  if (is_lost)
    story_add (story, 2500, "0,lost,,,,,,,,,100,,,,");
  story_switch (story, 3000, 1, 30, "I", 40);
  story_wake (story, 4000, 1, 40, 30);
  story_switch (story, 4000, 1, 40, "R", 30);
  story_add (story, 4000, "1,io_issue,,,,,,,30,vda,0,,,0,");
  story_switch (story, 4100, 1, 30, "I", 40);
  story_add (story, 5000, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, 5000, "0,io_complete,,,,,,,30,vda,0,,,0,");
  story_wake (story, 5000, 0, 0, 10);
  story_add (story, 5000, "0,irq_exit,,,,,,,,vda,,,,,");
  story_switch (story, 5000, 0, 0, "R", 10);
  story_end (story, 6000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "writer");
  summary = control_paths_get_summary (report);
  if (is_lost)
    control_paths_assert_categories (summary, "not_sampled", 2000000, "unaccounted", 4000000, NULL);
  else
    control_paths_assert_categories (summary, "not_sampled", 2100000, "blocking_io", 3900000, NULL);
}

static void
test_unknown_worker (void)
{
  check_unknown_worker (FALSE);
  check_unknown_worker (TRUE);
}

/* The wake-up of a thread was not reported. What it waited for is known if its call shows that. */
static void
check_unknown_end (const char *call, const char *category)
{
  Story *story = story_new (NULL);
  g_autofree char *stack = g_strdup_printf ("main@writer;%s@libc.so", call);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_name (story, 10, "writer", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, stack);
  story_switch (story, 5000, 0, 0, "R", 10);
  story_switch_with_stack (story, 6000, 0, 10, "S", 0, "main@writer;nanosleep@libc.so");
  story_wake_by_timer (story, 7000, 0, 10);
  story_switch (story, 7000, 0, 0, "R", 10);
  story_end (story, 8000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "writer");
  control_paths_assert_categories (control_paths_get_summary (report), "not_sampled", 2000000,
                                   "inferred_functions", 1000000, "deliberate_sleep", 1000000,
                                   category, 4000000, NULL);
  g_assert_cmpuint (findings_count (report, "uncertain-time"), ==, 1);
}

static void
test_unknown_end (void)
{
  check_unknown_end ("fsync", "blocking_io");
  check_unknown_end ("ioctl", "unaccounted");
}

/* A reader that waits for the disk three times, each time this long, in these functions. Returns
 * the finding of these waits. */
static TbFinding *
find_disk_waits (const char *const *functions, const gint64 *lengths, TbReport **report)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  gint64 time = 0;

  story_name (story, 10, "reader", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *stack = g_strdup_printf ("main@reader;%s@libc.so", functions[i]);
      g_autofree char *issue = g_strdup_printf ("0,io_issue,,,,,,,10,vda,%u,,,%u,", i, i);
      g_autofree char *complete = g_strdup_printf ("0,io_complete,,,,,,,10,vda,%u,,,%u,", i, i);

      story_add (story, time += 100, "%s", issue);
      story_switch_with_stack (story, time, 0, 10, "D", 0, stack);
      time += lengths[i];
      story_add (story, time, "0,irq_entry,,,,,,,,vda,,,,,");
      story_add (story, time, "%s", complete);
      story_wake (story, time, 0, 0, 10);
      story_add (story, time, "0,irq_exit,,,,,,,,vda,,,,,");
      story_switch (story, time, 0, 0, "R", 10);
    }
  story_end (story, time + 100, 0, 10);
  trace = story_open (story);
  *report = control_paths_explain (trace, "reader");
  return findings_get (*report, "disk-wait");
}

/* The function of the longest wait stands for all only if it has most of their time. */
static void
test_disk_functions (void)
{
  const char *const functions[] = { "lstat", "read", "getdents" }, *const alike[]
                                                                   = { "read", "lstat", "read" };
  const gint64 lengths[] = { 1000, 2000, 1500 }, mostly[] = { 4000, 1000, 4000 };
  g_autoptr (TbReport) spread = NULL;
  g_autoptr (TbReport) one = NULL;

  g_assert_true (finding_is_null (find_disk_waits (functions, lengths, &spread), "wait_function"));
  finding_assert_string (find_disk_waits (alike, mostly, &one), "wait_function", "read");
}

/* A disk with a limit: a kernel worker issues the request of an fsync() when a timer has ended its
 * wait. What it waits for is a part of the wait for the disk, unless that is for something else. */
static void
check_limited_disk (const char *stack, gboolean is_disk, gboolean by_thread)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;
  TbFinding *finding;

  story_name (story, 10, "writer", 10);
  story_name (story, 30, "kworker/1:0", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 900, 1, 0, "R", 30);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, stack);
  story_switch (story, 1010, 1, 30, "I", 0);
  if (by_thread)
    {
      story_name (story, 40, "other", 40);
      story_switch (story, 0, 2, 0, "R", 40);
      story_wake (story, 8000, 2, 40, 30);
      story_end (story, 10000, 2, 40);
    }
  else
    story_wake_by_timer (story, 8000, 1, 30);
  story_switch (story, 8000, 1, 0, "R", 30);
  story_wake (story, 9000, 1, 30, 10);
  story_switch (story, 9000, 0, 0, "R", 10);
  story_end (story, 9000, 1, 30);
  story_end (story, 10000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "writer");
  summary = control_paths_get_summary (report);
  control_paths_assert_categories (summary, "not_sampled", 3110000,
                                   is_disk ? "blocking_io" : "timed_out", 6990000, NULL);
  finding = tb_report_get_finding (report, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, is_disk ? "disk-wait" : "timeout-wait");
  finding_assert_string (finding, "process", is_disk ? "writer" : "kworker/1:0");
  g_assert_null (control_paths_find_contributor (summary, "other"));
}

/* What the thread slept for is its wait also while it is ready to run again. */
static void
test_late_run (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_name (story, 10, "writer", 10);
  story_name (story, 30, "kworker/1:0", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 900, 1, 0, "R", 30);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0,
                           "main@writer;fsync@libc.so;io_schedule@[kernel]");
  story_switch (story, 1010, 1, 30, "I", 0);
  story_wake_by_timer (story, 8000, 1, 30);
  story_switch (story, 8000, 1, 0, "R", 30);
  story_wake (story, 8900, 1, 30, 10);
  story_switch (story, 9000, 0, 0, "R", 10);
  story_end (story, 9000, 1, 30);
  story_end (story, 10000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "writer");
  finding_assert_string (findings_get (report, "disk-wait"), "wait_function", "fsync");
}

static void
test_limited_disk (void)
{
  check_limited_disk ("main@writer;fsync@libc.so;io_schedule@[kernel]", TRUE, FALSE);
  check_limited_disk ("main@writer;ioctl@libc.so;drm_wait@[kernel]", FALSE, FALSE);
  /* A thread gives the worker other work. */
  check_limited_disk ("main@writer;fsync@libc.so;io_schedule@[kernel]", TRUE, TRUE);
}

/* A page fault at an address of a mapped file, or of none. */
static void
check_fault (const char *file, const char *address, const char *code)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 10, "app", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_add (story, 1000, "0,sleep,,fault,,,,,10,%s,,,,%s,", file, address);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, "main@app;touch@app");
  story_add (story, 1000, "0,io_issue,,,,,,,10,vda,4096,,,100,");
  story_add (story, 9000, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, 9000, "0,io_complete,,,,,,,10,vda,4096,,,100,");
  story_wake (story, 9000, 0, 0, 10);
  story_add (story, 9000, "0,irq_exit,,,,,,,,vda,,,,,");
  story_switch (story, 9000, 0, 0, "R", 10);
  story_end (story, 10000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "app");
  finding = tb_report_get_finding (report, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, code);
  finding_assert_integer (finding, "activity_ns", 8000000);
  finding_assert_integer (finding, "swap_ns", strcmp (code, "swap-wait") == 0 ? 8000000 : 0);
}

static void
test_swap (void)
{
  check_fault ("", "139637976727552", "swap-wait");
  check_fault ("/usr/lib/libapp.so", "139637976727552", "disk-wait");
  /* The address was not recorded: nothing shows that it is of no file. */
  check_fault ("", "", "disk-wait");
}

/* A reader that runs, issues a request, runs on for a while and waits for the request. If it ran
 * faster in that while, it would only wait longer. */
static TbFinding *
find_first_of_reader (gint64 before, gint64 meanwhile, gint64 wait, TbReport **report)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  gint64 time = 0;

  story_name (story, 10, "reader", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *place = g_strdup_printf ("10,vda,%u,,,%u,", i, i);

      story_add (story, time += before, "0,io_issue,,,,,,,%s", place);
      story_switch_with_stack (story, time += meanwhile, 0, 10, "D", 0, "main@reader;read@libc.so");
      story_add (story, time += wait, "0,irq_entry,,,,,,,,vda,,,,,");
      story_add (story, time, "0,io_complete,,,,,,,%s", place);
      story_wake (story, time, 0, 0, 10);
      story_add (story, time, "0,irq_exit,,,,,,,,vda,,,,,");
      story_switch (story, time, 0, 0, "R", 10);
    }
  story_end (story, time + 10, 0, 10);
  trace = story_open (story);
  *report = control_paths_explain (trace, "reader");
  return tb_report_get_finding (*report, 0);
}

static void
test_overlap (void)
{
  g_autoptr (TbReport) slow = NULL;
  g_autoptr (TbReport) quick = NULL;
  TbFinding *finding = find_first_of_reader (1000, 3000, 2000, &slow);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "disk-wait");
  finding_assert_integer (finding, "activity_ns", 6000000);
  finding_assert_integer (finding, "disk_overlap_ns", 9000000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding),
                            "(6 ms; it ran for 9 ms more while the disk worked for it)"));
  /* It runs longer without a request than with one. */
  finding = find_first_of_reader (3000, 1000, 500, &quick);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding_assert_integer (finding, "disk_overlap_ns", 3000000);
  g_assert_null (strstr (tb_finding_get_text (finding), "running 12"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths/others-request", test_request_of_other);
  g_test_add_func ("/control-paths/request-by-worker", test_request_by_worker);
  g_test_add_func ("/control-paths/unknown-worker", test_unknown_worker);
  g_test_add_func ("/control-paths/unknown-end", test_unknown_end);
  g_test_add_func ("/control-paths/disk-functions", test_disk_functions);
  g_test_add_func ("/control-paths/limited-disk", test_limited_disk);
  g_test_add_func ("/control-paths/late-run", test_late_run);
  g_test_add_func ("/control-paths/swap", test_swap);
  g_test_add_func ("/control-paths/overlap", test_overlap);
  return recording_run_tests ();
}
