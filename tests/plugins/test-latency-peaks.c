/* test-latency-peaks.c: test of the analysis "latency-peaks" on recordings with known results
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

static void
test_read_nothing (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();
  g_autoptr (TbReport) report = peaks_analyze (trace, "read");
  JsonObject *summary = report_get_summary (report);

  g_assert_cmpstr (json_object_get_string_member (summary, "operation"), ==, "syscall:read");
  g_assert_cmpint (json_object_get_int_member (summary, "calls"), ==, 170);
  g_assert_cmpuint (summary_count (summary, "peaks"), ==, 3);
  peaks_assert_cause (report, 0, "function", "syscall:read", NULL);
  peaks_assert_cause (report, 1, "interrupt", "syscall:read", "timer interrupt");
  peaks_assert_cause (report, 2, "preemption", "syscall:read", "preempted");
  g_assert_true (report_has_warning (report, "read was interpreted as syscall:read"));
}

static void
assert_more (TbReport *report, guint peak, guint index, gint64 more_ns, const char *place)
{
  JsonObject *more = summary_get_element (peaks_get_peak (report, peak), "explanation", index);

  g_assert_cmpint (json_object_get_int_member (more, "more_ns"), ==, more_ns);
  g_assert_cmpstr (json_object_get_string_member (more, "place"), ==, place);
}

/* Calls of 1 µs, of 33 µs with 30 µs of timer interrupts, and of 4002 µs with 4000 µs of another
 * process: parts of each, and what the longer ones have more of. */
static void
test_explained (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();
  g_autoptr (TbReport) report = peaks_analyze (trace, "read");
  static const gint64 parts[3][3]
      = { { 100, 0, 0 }, { 40 * 3, 40 * 30, 0 }, { 30 * 2, 0, 30 * 4000 } };
  static const char *const names[3] = { "running_ns", "interrupt_ns", "preempted_ns" };

  g_assert_cmpuint (summary_count (peaks_get_peak (report, 0), "explanation"), ==, 0);
  g_assert_cmpuint (summary_count (peaks_get_peak (report, 1), "explanation"), ==, 2);
  assert_more (report, 1, 0, 30000, "syscall:read: timer interrupt");
  assert_more (report, 1, 1, 2000, "syscall:read itself");
  /* 1 µs of 4001 is not reported. */
  g_assert_cmpuint (summary_count (peaks_get_peak (report, 2), "explanation"), ==, 1);
  assert_more (report, 2, 0, 4000000, "syscall:read: preempted");
  finding_assert_integer (peaks_get_finding (report, 1), "more_ns", 32000);
  finding_assert_integer (peaks_get_finding (report, 1), "more_1_ns", 30000);
  for (guint peak = 0; peak < 3; peak++)
    for (guint i = 0; i < 3; i++)
      g_assert_cmpint (json_object_get_int_member (
                           json_object_get_object_member (peaks_get_peak (report, peak), "parts"),
                           names[i]),
                       ==, parts[peak][i] * 1000);
}

/* A single call: the third interrupted one, then the first preempted one. */
static void
test_one_call (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();
  g_autoptr (GError) error = NULL;
  static const struct
  {
    int us;
    gint64 took, more;
    const char *kind, *detail, *place;
  } calls[] = { { 1100 + 2 * 100 + 20, 33000, 30000, "interrupt", "timer interrupt",
                  "syscall:read: timer interrupt" },
                { 5100, 4002000, 4000000, "preemption", "preempted", "syscall:read: preempted" } };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *time = g_strdup_printf ("%d000", calls[i].us);
      g_autoptr (TbReport) report = peaks_try_analyze (trace, "read", "call", time, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 2);
      g_assert_cmpint (json_object_get_int_member (peaks_get_peak (report, 0), "count"), ==, 100);
      g_assert_cmpint (json_object_get_int_member (peaks_get_peak (report, 1), "count"), ==, 1);
      g_assert_cmpint (json_object_get_int_member (peaks_get_peak (report, 1), "total_ns"), ==,
                       calls[i].took);
      peaks_assert_cause (report, 1, calls[i].kind, "syscall:read", calls[i].detail);
      assert_more (report, 1, 0, calls[i].more, calls[i].place);
    }
  g_assert_null (peaks_try_analyze (trace, "read", "call", "1", &error));
  g_assert_nonnull (strstr (error->message, "no call of syscall:read ran at that time"));
  g_clear_error (&error);
  g_assert_null (peaks_try_analyze (trace, "read", "call", "100500", &error));
  g_assert_nonnull (strstr (error->message, "no peak of faster calls"));
}

/* Tries the report actions in the table of the longest calls of a peak; the fastest peak has
 * none. */
static guint
try_actions (TbTrace *trace, const char *peak)
{
  g_autoptr (TbReport) report = peaks_try_analyze (trace, "read", "peak", peak, NULL);
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "calls"));
  guint n_actions = 0;

  for (guint row = 0; row < tb_table_figure_get_n_rows (table); row++)
    {
      g_autoptr (GPtrArray) actions
          = tb_report_list_actions (report, "calls", tb_table_figure_get_row_item (table, row));
      g_autoptr (TbReport) one = NULL;
      g_autoptr (GError) error = NULL;
      const TbReportAction *action;

      if (actions->len == 0)
        continue;
      action = g_ptr_array_index (actions, 0);
      one = peaks_try_analyze (trace, "read", action->option, action->text, &error);
      g_assert_no_error (error);
      g_assert_cmpint (json_object_get_int_member (peaks_get_peak (one, 1), "count"), ==, 1);
      g_assert_cmpint (json_object_get_int_member (peaks_get_peak (one, 1), "total_ns"), ==,
                       4002000);
      n_actions++;
    }
  g_assert_cmpuint (tb_table_figure_get_n_rows (table), >=, n_actions);
  return n_actions;
}

static void
test_actions (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();

  g_assert_cmpuint (try_actions (trace, "1"), ==, 0);
  g_assert_cmpuint (try_actions (trace, "3"), ==, 30);
}

static void
call_function (Story *story, int time, const char *name)
{
  story_call (story, time, 0, 11, name);
  story_return (story, time + 20, 0, 11, name);
}

/* A bare name selects a system call before a function, and a warning reports the choice. An
 * ambiguous function name is an error. */
static void
test_bare_names (void)
{
  Story *story = story_new ("reader");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) bare = NULL, whole = NULL;
  g_autoptr (GError) error = NULL;

  story_switch (story, 10, 0, 0, "R", 11);
  for (int i = 0, time = 100; i < 40; i++, time += 200)
    {
      story_enter (story, time, 0, 11, "read");
      story_leave (story, time + 10, 0, 11);
      call_function (story, time + 20, "read@one");
      call_function (story, time + 50, "scan@one");
      call_function (story, time + 80, "scan@two");
    }
  trace = story_open (story);
  bare = peaks_analyze (trace, "read");
  g_assert_cmpstr (json_object_get_string_member (report_get_summary (bare), "operation"), ==,
                   "syscall:read");
  g_assert_true (
      g_strv_contains (tb_report_get_warnings (bare), "read was interpreted as syscall:read"));
  whole = peaks_analyze (trace, "function:read@one");
  g_assert_cmpint (json_object_get_int_member (report_get_summary (whole), "calls"), ==, 40);
  g_assert_cmpuint (g_strv_length ((char **) tb_report_get_warnings (whole)), ==,
                    g_strv_length ((char **) tb_report_get_warnings (bare)) - 1);
  g_assert_null (peaks_try_analyze (trace, "scan", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "ambiguous operation"));
}

/* Bins chosen by a range of latencies: all bins that overlap the range. */
static void
test_latencies (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report
      = peaks_try_analyze (trace, "read", "latencies", "20000..5000000", &error);
  g_autoptr (GPtrArray) of_any = NULL, of_bin = NULL, back = NULL;
  JsonObject *peak;

  g_assert_no_error (error);
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 1);
  peak = summary_get_element (report_get_summary (report), "peaks", 0);
  g_assert_cmpint (json_object_get_int_member (peak, "from_ns"), ==, 1 << 14);
  g_assert_cmpint (json_object_get_int_member (peak, "to_ns"), ==, 1 << 23);
  g_assert_cmpint (json_object_get_int_member (peak, "count"), ==, 70);
  /* The bins of the histogram have the report action. Chosen bins have one that returns to all
   * peaks. */
  of_any = tb_report_list_actions (report, "histogram", "1024..4096");
  g_assert_cmpuint (of_any->len, ==, 1);
  g_assert_cmpstr (((TbReportAction *) of_any->pdata[0])->option, ==, "latencies");
  g_assert_cmpstr (((TbReportAction *) of_any->pdata[0])->text, ==, TB_REPORT_ACTION_ANY);
  of_bin = tb_report_list_actions (report, "histogram", "bin-0");
  g_assert_cmpuint (of_bin->len, ==, 1);
  g_assert_cmpstr (((TbReportAction *) of_bin->pdata[0])->text, ==, "512..1024");
  back = tb_report_list_actions (report, "histogram", "peak-1");
  g_assert_cmpuint (back->len, ==, 1);
  g_assert_cmpstr (((TbReportAction *) back->pdata[0])->text, ==, "");
  g_assert_null (peaks_try_analyze (trace, "read", "latencies", "4096..1024", &error));
  g_assert_nonnull (strstr (error->message, "invalid latencies"));
}

static void
test_operations (void)
{
  g_autoptr (TbTrace) trace = peaks_open_empty_reads ();
  g_autoptr (TbReport) report = peaks_analyze (trace, "");
  JsonObject *summary = report_get_summary (report), *operation;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (summary_count (summary, "operations"), ==, 3);
  operation = peaks_find_operation (summary, "syscall:read");
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 170);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==,
                   (100 * 1 + 40 * 33 + 30 * 4002) * G_GINT64_CONSTANT (1000));
  g_assert_cmpint (json_object_get_int_member (operation, "peaks"), ==, 3);
  g_assert_null (peaks_try_analyze (trace, "write", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "syscall:read"));
  g_clear_error (&error);
  g_assert_null (peaks_try_analyze (trace, "read", "peak", "4", &error));
  g_assert_nonnull (strstr (error->message, "3 peaks"));
}

/* Reads from the page cache and from the disk; the latter wait for an I/O request. */
static void
test_cache_and_disk (void)
{
  Story *story = story_new ("reader waker");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) block = NULL;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 60; i++, time += 3000)
    {
      story_enter (story, time, 0, 11, "read");
      if (i % 2 == 1)
        {
          story_add (story, time + 1, "0,io_insert,,,,,,,11,vda,4096,,,8,");
          story_add (story, time + 11, "0,io_issue,,,,,,,11,vda,4096,,,8,");
          story_switch_with_stack (story, time + 12, 0, 11, "D", 0,
                                   "main;read@libc.so.6;entry_SYSCALL_64@[kernel];vfs_read@["
                                   "kernel];io_schedule@[kernel];"
                                   "schedule@[kernel]");
          story_add (story, time + 2000, "0,irq_entry,,,,,,,,vda,,,,,");
          story_add (story, time + 2000, "0,io_complete,,,,,,,11,vda,4096,,,8,");
          story_wake (story, time + 2001, 0, 0, 11);
          story_add (story, time + 2002, "0,irq_exit,,,,,,,,vda,,,,,");
          story_switch (story, time + 2003, 0, 0, "R", 11);
        }
      story_leave (story, time + (i % 2 == 1 ? 2005 : 4), 0, 11);
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "syscall:read");
  peaks_assert_cause (report, 0, "function", "syscall:read", NULL);
  peaks_assert_cause (report, 1, "asynchronous", "syscall:read vfs_read io_schedule",
                      "waits (block-io), ended by vda, processed by the device");
  block = peaks_analyze (trace, "block:other");
  peaks_assert_cause (block, 0, "asynchronous", "block:other", "processed by the device");
}

/* A probed function calls another one often, and one such call may be long. Then that call is the
 * cause, otherwise the loop is. */
static void
test_loop (void)
{
  Story *story = story_new ("looper");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 60; i++, time += 1000)
    {
      int step = i % 2 == 0 ? 2 : 90;

      story_call (story, time, 0, 11, "outer");
      for (int j = 0; j < (i % 2 == 0 ? 20 : 2); j++)
        {
          story_call (story, time + j * step, 0, 11, "inner");
          story_return (story, time + j * step + (j == 0 ? step : 1), 0, 11, "inner");
        }
      story_return (story, time + (i % 2 == 0 ? 40 : 100), 0, 11, "outer");
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "function:outer");
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 1);
  g_clear_object (&report);
  report = peaks_try_analyze (trace, "function:outer", "to-bin", "15", NULL);
  peaks_assert_cause (report, 0, "function", "function:outer", NULL);
  g_clear_object (&report);
  report = peaks_try_analyze (trace, "function:outer", "from-bin", "16", NULL);
  peaks_assert_cause (report, 0, "function", "function:outer inner", NULL);
}

/* Each level of a recursion is a function of its own. Nested calls of the operation belong to the
 * outer call. */
static void
test_recursion (void)
{
  Story *story = story_new ("walker");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 100)
    {
      story_call (story, time, 0, 11, "walk");
      story_call (story, time + 1, 0, 11, "walk");
      story_call (story, time + 2, 0, 11, "walk");
      story_return (story, time + 18, 0, 11, "walk");
      story_return (story, time + 19, 0, 11, "walk");
      story_return (story, time + 20, 0, 11, "walk");
    }
  trace = story_open (story);
  report = peaks_analyze (trace, "walk");
  peaks_assert_cause (report, 0, "function", "function:walk walk walk", NULL);
  peak = peaks_get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (peak, "nested"), ==, 60);
  g_clear_object (&report);
  report = peaks_try_analyze (trace, "walk", "max-depth", "1", NULL);
  g_assert_cmpstr (json_object_get_string_member (peaks_get_peak (report, 0), "status"), ==,
                   "depth-reached");
  g_clear_object (&report);
  report = peaks_try_analyze (trace, "walk", "decision-calls", "31", NULL);
  g_assert_cmpstr (json_object_get_string_member (peaks_get_peak (report, 0), "status"), ==,
                   "in-progress");
}

/* Too few calls, calls that never return, waits without stacks, lost events: all are reported, and
 * nothing is invented. */
static void
test_bad_input (void)
{
  Story *story = story_new ("reader waker");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *text = NULL;

  story_switch (story, time, 0, 0, "R", 11);
  story_enter (story, time, 0, 11, "once");
  story_leave (story, time + 5, 0, 11);
  for (guint i = 0; i < 30; i++, time += 200)
    {
      story_enter (story, time + 10, 0, 11, "read");
      story_switch (story, time + 11, 0, 11, "S", 0);
      if (i == 10)
        story_add (story, time + 50, "0,lost,,,,,,,,,7,,,,");
      story_wake (story, time + 100, 1, 12, 11);
      story_switch (story, time + 100, 0, 0, "R", 11);
      story_leave (story, time + 101, 0, 11);
    }
  story_enter (story, time + 20, 0, 11, "pause");
  story_switch (story, time + 30, 0, 11, "S", 0);
  trace = story_open (story);
  report = peaks_analyze (trace, "once");
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 0);
  finding_assert_integer (findings_get (report, "too-few-calls"), "count", 1);
  g_clear_object (&report);
  report = peaks_analyze (trace, "pause");
  g_assert_cmpuint (summary_count (report_get_summary (report), "bins"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "open_calls"), ==, 1);
  finding_assert_integer (findings_get (report, "open-calls"), "count", 1);
  g_clear_object (&report);
  report = peaks_analyze (trace, "read");
  g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "uncertain_calls"), >,
                   0);
  finding_assert_integer (findings_get (report, "lost-events"), "count", 7);
  g_assert_cmpint (finding_get_integer (peaks_get_finding (report, 0), "uncertain_calls"), >, 0);
  g_assert_cmpint (finding_get_integer (peaks_get_finding (report, 0), "unplaced_ns"), >, 0);
  text = tb_report_to_text (report, 100);
  g_assert_nonnull (strstr (text, "syscall:read"));
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/read-nothing", test_read_nothing);
  g_test_add_func ("/latency-peaks/explained", test_explained);
  g_test_add_func ("/latency-peaks/one-call", test_one_call);
  g_test_add_func ("/latency-peaks/offers", test_actions);
  g_test_add_func ("/latency-peaks/bare-names", test_bare_names);
  g_test_add_func ("/latency-peaks/latencies", test_latencies);
  g_test_add_func ("/latency-peaks/operations", test_operations);
  g_test_add_func ("/latency-peaks/cache-and-disk", test_cache_and_disk);
  g_test_add_func ("/latency-peaks/loop", test_loop);
  g_test_add_func ("/latency-peaks/recursion", test_recursion);
  g_test_add_func ("/latency-peaks/bad-input", test_bad_input);
  return recording_run_tests ();
}
