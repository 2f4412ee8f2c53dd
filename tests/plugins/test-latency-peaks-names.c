/* test-latency-peaks-names.c: test of choosing calls: ambiguous operation names, processes, and
 * calls answered by another host
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

static gint64
count_calls (TbTrace *trace, const char *operation)
{
  g_autoptr (TbReport) report = peaks_analyze (trace, operation);

  return json_object_get_int_member (report_get_summary (report), "calls");
}

/* A bare name selects a system call before a function, with a warning. A name of two functions is
 * an error that lists them. */
static void
test_names (void)
{
  Story *story = story_new ("caller other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (GError) error = NULL;
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 100)
    {
      story_enter (story, time, 0, 11, "read");
      story_leave (story, time + 3, 0, 11);
      story_call (story, time + 10, 0, 11, "read@libc.so.6");
      story_return (story, time + 14, 0, 11, "read@libc.so.6");
      story_call (story, time + 20, 0, 11, "f0@one");
      story_return (story, time + 25, 0, 11, "f0@one");
      if (i % 2 == 0)
        continue;
      story_call (story, time + 30, 0, 11, "f0@two");
      story_return (story, time + 36, 0, 11, "f0@two");
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "read");
  g_assert_cmpstr (json_object_get_string_member (report_get_summary (report), "operation"), ==,
                   "syscall:read");
  g_assert_true (report_has_warning (report, "read was interpreted as syscall:read"));
  g_assert_cmpint (count_calls (trace, "function:read"), ==, 30);
  g_assert_cmpint (count_calls (trace, "function:f0@one"), ==, 30);
  g_assert_cmpint (count_calls (trace, "f0@two"), ==, 15);
  g_assert_null (peaks_try_analyze (trace, "f0", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "ambiguous operation"));
  g_assert_nonnull (strstr (error->message, "function:f0@one"));
  g_assert_nonnull (strstr (error->message, "function:f0@two"));
}

/* Calls of one process, of one thread, or of all. */
static void
test_selection (void)
{
  Story *story = story_new ("reader other");
  g_autoptr (TbTrace) trace = NULL;
  gint64 counts[2] = { 0 };
  int time = 100;

  story_add_at (story, 10, "0,name,,,,20,,,21,,,elsewhere,,,");
  story_switch (story, 50, 0, 0, "R", 11);
  story_switch (story, 50, 1, 0, "R", 21);
  for (guint i = 0; i < 200; i++, time += 20)
    {
      gboolean is_second = g_test_rand_bit ();

      story_enter (story, time, is_second, is_second ? 21 : 11, "read");
      story_leave (story, time + 5, is_second, is_second ? 21 : 11);
      counts[is_second]++;
    }
  trace = story_open (story);
  g_assert_cmpint (count_calls (trace, "read"), ==, 200);
  for (guint i = 0; i < 4; i++)
    {
      static const char *const names[4] = { "10", "20", "11", "21" };
      g_autoptr (TbSelection) selection = tb_selection_new (trace);
      g_autoptr (TbReport) report = NULL;

      g_assert_true (i < 2 ? tb_selection_add_process_by_name (selection, names[i], NULL)
                           : tb_selection_add_thread_by_name (selection, names[i], NULL));
      report = report_run ("latency-peaks", trace, selection, "operation", "syscall:read", NULL);
      g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "calls"), ==,
                       counts[i % 2]);
    }
}

/* Waits for another host are served elsewhere, under the name of that host. */
static void
test_other_host (void)
{
  Story *story = story_new ("client other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *cause;
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 10000)
    {
      story_add (story, time - 10, "0,net_send,,,,,,,11,,100,10.0.0.1:80,,,7");
      story_enter (story, time, 0, 11, "recvfrom");
      story_switch_with_stack (
          story, time + 5, 0, 11, "S", 0,
          "main;recv@libc.so.6;entry_SYSCALL_64@[kernel];tcp_recvmsg@[kernel]");
      story_add (story, time + 3000, "0,softirq_entry,,,,,,3,,,,,,,");
      story_add (story, time + 3000, "0,net_receive,,,,,,,11,,200,10.0.0.1:80,,,7");
      story_wake (story, time + 3000, 0, 0, 11);
      story_add (story, time + 3000, "0,softirq_exit,,,,,,3,,,,,,,");
      story_switch (story, time + 3001, 0, 0, "R", 11);
      story_leave (story, time + 3005, 0, 11);
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "recvfrom");
  cause = summary_get_element (peaks_get_peak (report, 0), "root_causes", 0);
  g_assert_cmpstr (json_object_get_string_member (cause, "kind"), ==, "asynchronous");
  g_assert_nonnull (strstr (json_object_get_string_member (cause, "detail"), "10.0.0.1:80"));
  summary_assert_strings (cause, "path", "syscall:recvfrom tcp_recvmsg");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/names/names", test_names);
  g_test_add_func ("/latency-peaks/names/selection", test_selection);
  g_test_add_func ("/latency-peaks/names/other-host", test_other_host);
  return recording_run_tests ();
}
