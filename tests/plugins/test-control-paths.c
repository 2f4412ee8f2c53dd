/* test-control-paths.c: test of each rule of the analysis "control-paths" on a recording small
 * enough to compute by hand
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

/* The box in a flame that a finding refers to, and the process of that box. */
static const TbFlameNode *
find_box (TbReport *report, TbFinding *finding, const char *figure, const char **process)
{
  TbFlameFigure *flame = TB_FLAME_FIGURE (tb_report_find_figure (report, figure));
  guint node = tb_flame_figure_find_item (flame, tb_finding_find_item (finding, figure));

  g_assert_cmpuint (node, !=, TB_ID_NONE);
  for (guint at = node; at != TB_ID_NONE && *process == NULL;
       at = tb_flame_figure_get_node (flame, at)->parent)
    if (tb_flame_figure_get_node (flame, at)->paint == TB_FLAME_PROCESS)
      *process = tb_flame_figure_get_node (flame, at)->name;
  return tb_flame_figure_get_node (flame, node);
}

/* Findings refer to the boxes that they are about, in both flames: over time and consolidated. */
static void
test_references (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbReport) report = control_paths_explain (trace, "front");
  const TbFlameNode *box;
  const char *process = NULL, *same = NULL;
  TbFinding *back = findings_get_with (report, "cpu-bound", "process", "back");

  finding_assert_integer (back, "pid", 20);
  box = find_box (report, back, "chronological", &process);
  g_assert_cmpstr (process, ==, "back (20)");
  g_assert_cmpint (box->paint, !=, TB_FLAME_PROCESS);
  g_assert_cmpstr (find_box (report, back, "consolidated", &same)->name, ==, box->name);
  g_assert_cmpstr (same, ==, process);
}

/* The shared fixture: front hands orders to back. */
static void
test_pipes (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbReport) report = control_paths_explain (trace, "front");
  JsonObject *summary = control_paths_get_summary (report);
  JsonObject *back = control_paths_find_contributor (summary, "back");
  g_autofree char *chain = summary_join_strings (back, "called_through");
  g_autofree char *called_through = NULL;
  TbFinding *finding;

  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 10000000);
  /* A run at the start or the end, with no sleep on one side, has no two neighbours from which its
   * functions could be inferred. back worked in parallel to front from 4.1 to 4.5, from 6.05 to 6.5
   * and from 9.2 to the end. */
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 11650000);
  control_paths_assert_categories (summary, "understood_functions", 4500000, "not_sampled",
                                   3950000 + 800000, "inferred_functions", 1550000 + 850000, NULL);
  g_assert_cmpint (json_object_get_int_member (back, "running_ns"), ==, 1550000 + 850000 + 800000);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (back, "share"), 0.155, 1e-9);
  g_assert_cmpstr (chain, ==, "front back");
  finding = findings_get_with (report, "cpu-bound", "process", "back");
  finding_assert_integer (finding, "pid", 20);
  finding_assert_number (finding, "share", 0.155);
  finding_assert_integer (finding, "wall_ns", 10000000);
  called_through = finding_join_strings (finding, "called_through");
  g_assert_cmpstr (called_through, ==, "front,back");
}

/* asker calls worker, at first through relay. The share of relay is so small that the summary hides
 * it. */
static TbTrace *
open_relay (void)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "asker", 10);
  story_name (story, 20, "relay", 20);
  story_name (story, 30, "worker", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch (story, 0, 2, 0, "R", 30);
  story_switch_with_stack (story, 10, 1, 20, "S", 0, "main@relay;wait@relay");
  story_switch_with_stack (story, 10, 2, 30, "S", 0, "main@worker;wait@worker");
  story_wake (story, 990, 0, 10, 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@asker;ask@asker");
  story_switch (story, 1000, 1, 0, "R", 20);
  story_wake (story, 1005, 1, 20, 30);
  story_switch_with_stack (story, 1010, 1, 20, "S", 0, "main@relay;wait@relay");
  story_switch (story, 1010, 2, 0, "R", 30);
  story_wake (story, 1195, 2, 30, 20);
  story_switch (story, 1195, 1, 0, "R", 20);
  story_switch_with_stack (story, 1196, 2, 30, "S", 0, "main@worker;wait@worker");
  story_wake (story, 1200, 1, 20, 10);
  story_switch (story, 1200, 0, 0, "R", 10);
  story_switch_with_stack (story, 1205, 1, 20, "S", 0, "main@relay;wait@relay");
  story_wake (story, 1990, 0, 10, 30);
  story_switch_with_stack (story, 2000, 0, 10, "S", 0, "main@asker;ask@asker");
  story_switch (story, 2000, 2, 0, "R", 30);
  story_wake (story, 99990, 2, 30, 10);
  story_switch (story, 99995, 0, 0, "R", 10);
  story_switch_with_stack (story, 100000, 2, 30, "S", 0, "main@worker;wait@worker");
  story_switch_with_stack (story, 100100, 0, 10, "S", 0, "main@asker;rest@asker");
  return story_open (story);
}

/* Links are drawn through hidden threads. */
static void
test_hidden (void)
{
  static const gint64 expected[][2]
      = { { 990, 1005 }, { 1195, 1200 }, { 1990, 1990 }, { 99990, 99990 } };
  g_autoptr (TbTrace) trace = open_relay ();
  g_autoptr (TbReport) all = control_paths_explain (trace, "asker");
  g_autoptr (TbReport) report
      = report_run ("control-paths", trace, NULL, "process", "asker", "summary", "true", NULL);
  TbTimelineFigure *figure;
  const guint32 *from_track, *to_track;
  const gint64 *from_time, *to_time;
  guint asker, worker;

  figure = TB_TIMELINE_FIGURE (tb_report_find_figure (all, "processes"));
  g_assert_cmpuint (report_find_track (figure, "relay"), !=, TB_ID_NONE);
  g_assert_cmpuint (tb_timeline_figure_get_arrows (figure, &from_track, &from_time, &to_track,
                                                   &to_time),
                    ==, 6);
  figure = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "processes"));
  g_assert_cmpuint (report_find_track (figure, "relay"), ==, TB_ID_NONE);
  asker = report_find_track (figure, "asker");
  worker = report_find_track (figure, "worker");
  g_assert_cmpuint (tb_timeline_figure_get_arrows (figure, &from_track, &from_time, &to_track,
                                                   &to_time),
                    ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpuint (from_track[i], ==, i % 2 == 0 ? asker : worker);
      g_assert_cmpuint (to_track[i], ==, i % 2 == 0 ? worker : asker);
      g_assert_cmpint (from_time[i], ==, 1000 * expected[i][0]);
      g_assert_cmpint (to_time[i], ==, 1000 * expected[i][1]);
    }
}

/* asker (10) runs 0…1 ms and waits 1…5 ms on CPU 0 for helper (20), which runs on CPU 1 from begin
 * to end µs. helper slept before and was woken by a timer, not by a thread of interest. */
static TbReport *
open_helper (gint64 begin, gint64 end)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;

  story_name (story, 10, "asker", 10);
  story_name (story, 20, "helper", 20);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 10, 1, 20, "S", 0, "main@helper;wait@helper");
  if (begin < 1000)
    {
      story_wake_by_timer (story, begin, 1, 20);
      story_switch (story, begin, 1, 0, "R", 20);
    }
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@asker;ask@asker");
  story_wake (story, 5000, 1, 20, 10);
  story_switch (story, 5000, 0, 0, "R", 10);
  story_switch_with_stack (story, end, 1, 20, "S", 0, "main@helper;wait@helper");
  story_switch_with_stack (story, 8000, 0, 10, "S", 0, "main@asker;rest@asker");
  trace = story_open (story);
  return control_paths_explain (trace, "asker");
}

/* Rule 2: a child may begin 100 µs before the sleep and end 100 µs after it. The overlap is added
 * to total time. */
static void
test_grace (void)
{
  g_autoptr (TbReport) fits = open_helper (900, 5100);
  g_autoptr (TbReport) early = open_helper (899, 5100);
  g_autoptr (TbReport) late = open_helper (900, 5101);
  JsonObject *summary = control_paths_get_summary (fits);

  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 8000000);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 8200000);
  g_assert_cmpint (control_paths_get_category (summary, "other_path"), ==, 0);
  g_assert_cmpuint (control_paths_get_dropped (summary, "before"), ==, 0);

  /* One µs more: only the part within the sleep belongs to the child; the rest was work for
   * others. */
  summary = control_paths_get_summary (early);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 8100000);
  g_assert_cmpuint (control_paths_get_dropped (summary, "before"), ==, 1);
  /* With a wider grace the child would contain all of the run. */
  g_assert_cmpuint (findings_count (fits, "grace-sensitivity"), ==, 0);
  summary = control_paths_get_summary (late);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 8100000);
  g_assert_cmpuint (control_paths_get_dropped (summary, "after"), ==, 1);
  g_assert_cmpint (summary_count (summary, "paths"), ==, 1);
}

/* A finding reports that the result depends on the grace. */
static void
test_wider_grace (void)
{
  g_autoptr (TbReport) report = open_helper (500, 5100);

  control_paths_get_summary (report);
  finding_assert_integer (findings_get (report, "grace-sensitivity"), "grace_ns", 1000000);
}

/* Rule 4: a child that began while its parent still ran is split. Its first part is a path of its
 * own, which is waited for at its end. */
static void
test_split (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *path;

  story_name (story, 10, "boss", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_fork (story, 1000, 0, 10, 20);
  story_switch (story, 1020, 1, 0, "R", 20);
  story_switch_with_stack (story, 4000, 0, 10, "S", 0, "main@boss;wait@boss");
  story_wake (story, 9000, 1, 20, 10);
  story_switch (story, 9010, 0, 0, "R", 10);
  story_exit (story, 9020, 1, 20);
  story_switch (story, 9030, 1, 20, "X", 0);
  story_switch (story, 10000, 0, 10, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "boss");
  summary = control_paths_get_summary (report);
  /* 10 ms, 2.98 ms of the child in parallel, and 20 µs from the end of the wait to its last
   * switch. */
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==,
                   10000000 + 2980000 + 20000);
  g_assert_cmpint (summary_count (summary, "paths"), ==, 2);
  path = summary_get_element (summary, "paths", 1);
  g_assert_cmpint (json_object_get_int_member (path, "wall_ns"), ==, 2980000);
  g_assert_false (json_object_get_boolean_member (path, "asynchronous"));
  g_assert_cmpint (control_paths_get_category (summary, "other_path"), ==, 0);
}

/* A poll loop with three waits: the first two time out. */
static TbReport *
open_poll_loop (gint64 run_us, const char *last_stack)
{
  const char *stack = "main@poller;poll@libc.so";
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  gint64 time = 1000;

  story_name (story, 10, "poller", 10);
  story_name (story, 20, "worker", 20);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 10, 1, 20, "S", 0, "main@worker;get@worker");
  story_wake (story, 900, 0, 10, 20);
  story_switch (story, 910, 1, 0, "R", 20);
  for (guint i = 0; i < 2; i++)
    {
      story_switch_with_stack (story, time, 0, 10, "S", 0, stack);
      story_wake_by_timer (story, time + 2000, 0, 10);
      story_switch (story, time + 2000, 0, 0, "R", 10);
      time += 2000 + run_us;
    }
  story_switch_with_stack (story, time, 0, 10, "S", 0, last_stack);
  story_wake (story, 7000, 1, 20, 10);
  story_switch (story, 7000, 0, 0, "R", 10);
  story_switch_with_stack (story, 7050, 1, 20, "S", 0, "main@worker;get@worker");
  story_switch (story, 8000, 0, 10, "S", 0);
  trace = story_open (story);
  return control_paths_explain (trace, "poller");
}

static void
test_poll_loop (void)
{
  const char *stack = "main@poller;poll@libc.so";
  g_autoptr (TbReport) loop = open_poll_loop (99, stack);
  g_autoptr (TbReport) slow = open_poll_loop (100, stack);
  g_autoptr (TbReport) elsewhere = open_poll_loop (99, "main@poller;read@libc.so");
  JsonObject *summary = control_paths_get_summary (loop);

  /* The worker covers all three waits, so none timed out. It also ran during the two short runs, 90
   * µs before and 50 µs after. */
  g_assert_cmpint (control_paths_get_category (summary, "timed_out"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==,
                   8000000 + 2 * 99000 + 90000 + 50000);
  summary = control_paths_get_summary (slow);
  g_assert_cmpint (control_paths_get_category (summary, "timed_out"), ==, 4000000);
  summary = control_paths_get_summary (elsewhere);
  g_assert_cmpint (control_paths_get_category (summary, "timed_out"), ==, 4000000);
}

/* a calls b, b calls c, and c answers a. c is a layer in between; its work before the call does not
 * count. */
static void
test_triangle (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *order = NULL;
  g_autofree char *chain = NULL;
  JsonObject *summary;

  story_name (story, 10, "a", 10);
  story_name (story, 20, "b", 20);
  story_name (story, 30, "c", 30);
  story_switch (story, 0, 1, 0, "R", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 100, 1, 30, "S", 20, "main@c;serve@c");
  story_switch_with_stack (story, 200, 1, 20, "S", 0, "main@b;serve@b");
  story_wake (story, 3000, 0, 10, 20);
  story_switch_with_stack (story, 3010, 0, 10, "S", 0, "main@a;call@a");
  story_switch (story, 3020, 1, 0, "R", 20);
  story_wake (story, 4000, 1, 20, 30);
  story_switch (story, 4010, 0, 0, "R", 30);
  story_switch_with_stack (story, 4020, 1, 20, "S", 0, "main@b;serve@b");
  story_wake (story, 6000, 0, 30, 10);
  story_switch_with_stack (story, 6000, 0, 30, "S", 10, "main@c;serve@c");
  story_switch (story, 7000, 0, 10, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "a");
  summary = control_paths_get_summary (report);
  /* a 3.01 + 1, b 1 (and 10 µs into c), c 1.99. All are not sampled except between two sleeps with
   * equal stacks. 10 µs are from a's sleep to b's start. */
  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 7000000);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 7010000);
  control_paths_assert_categories (summary, "not_sampled", 4010000, "inferred_functions",
                                   1000000 + 1990000, "scheduler", 10000, NULL);
  order = summary_join_strings (summary_get_element (summary, "paths", 0), "processes");
  g_assert_cmpstr (order, ==, "a b c");
  chain = summary_join_strings (control_paths_find_contributor (summary, "b"), "called_through");
  g_assert_cmpstr (chain, ==, "a c b");
  g_assert_cmpint (control_paths_get_category (summary, "unaccounted"), ==, 0);
}

/* The shell forks, and the child executes another program: one process, two programs, without a gap
 * in between. */
static void
test_exec (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *order = NULL;
  JsonObject *summary;

  story_name (story, 10, "shell", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_fork (story, 1000, 0, 10, 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 20, "main@shell;wait@libc.so");
  story_exec (story, 2000, 0, 20, "/bin/compiler");
  story_wake (story, 5000, 0, 20, 10);
  story_exit (story, 5000, 0, 20);
  story_switch (story, 5000, 0, 20, "X", 10);
  story_switch (story, 6000, 0, 10, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "shell");
  summary = control_paths_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 6000000);
  order = summary_join_strings (summary_get_element (summary, "paths", 0), "processes");
  g_assert_cmpstr (order, ==, "shell compiler");
  g_assert_cmpint (json_object_get_int_member (control_paths_find_contributor (summary, "compiler"),
                                               "running_ns"),
                   ==, 3000000);
}

/* Preempted runs stay in their layer. The time of an interrupt is taken out of the run. */
static void
test_involuntary (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 10, "victim", 10);
  story_name (story, 20, "other", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_sample (story, 500, 0, 10, "main@victim;work@victim");
  story_switch_with_stack (story, 1000, 0, 10, "R", 20, "main@victim;work@victim");
  story_switch (story, 3000, 0, 20, "S", 10);
  story_add (story, 4000, "0,irq_entry,,,,,,,,eth0,,,,,");
  story_add (story, 4300, "0,irq_exit,,,,,,,,eth0,,,,,");
  story_switch (story, 5000, 0, 10, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "victim");
  summary = control_paths_get_summary (report);
  control_paths_assert_categories (summary, "understood_functions", 1000000, "involuntary", 2300000,
                                   "not_sampled", 1700000, NULL);
}

/* A service that is sent a message but not waited for. */
static void
test_asynchronous (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *path;

  story_name (story, 10, "main", 10);
  story_name (story, 20, "logger", 20);
  story_name (story, 30, "stranger", 30);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 100, 1, 20, "S", 30, "main@logger;get@logger");
  story_wake (story, 1000, 0, 10, 20);
  story_switch_with_stack (story, 1000, 1, 30, "S", 20, "main@stranger;idle@stranger");
  story_switch_with_stack (story, 3000, 1, 20, "S", 30, "main@logger;get@logger");
  /* Later work of the logger for the stranger does not belong to main. */
  story_wake (story, 4000, 1, 30, 20);
  story_switch_with_stack (story, 4000, 1, 30, "S", 20, "main@stranger;idle@stranger");
  story_switch_with_stack (story, 6000, 1, 20, "S", 0, "main@logger;get@logger");
  story_switch (story, 7000, 0, 10, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "main");
  summary = control_paths_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 7000000 + 2000000);
  path = summary_get_element (summary, "paths", 1);
  g_assert_true (json_object_get_boolean_member (path, "asynchronous"));
  g_assert_cmpint (json_object_get_int_member (path, "wall_ns"), ==, 2000000);
}

/* One wait of each kind that no thread ends, on an otherwise idle machine. */
static void
test_waits (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *files = NULL;
  g_autofree char *peers = NULL;
  JsonObject *summary, *of;

  story_name (story, 10, "all", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  /* Disk: 100 µs before the request, 200 µs queued, 700 µs in service, then 50 µs runnable. */
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, "main@all;fsync@libc.so");
  story_add (story, 1100, "0,io_insert,,,,,,,10,vda,4096,/var/log/x,,100,");
  story_add (story, 1300, "0,io_issue,,,,,,,10,vda,4096,/var/log/x,,100,");
  story_add (story, 2000, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, 2000, "0,io_complete,,,,,,,10,vda,4096,,,100,");
  story_wake (story, 2000, 0, 0, 10);
  story_add (story, 2000, "0,irq_exit,,,,,,,,vda,,,,,");
  story_switch (story, 2050, 0, 0, "R", 10);
  /* Network: 1 ms. */
  story_add (story, 2900, "0,net_send,,,,,,,10,,100,10.0.0.1:80,,,7");
  story_switch_with_stack (story, 3000, 0, 10, "S", 0, "main@all;recv@libc.so");
  story_add (story, 4000, "0,softirq_entry,,,,,,3,,,,,,,");
  story_add (story, 4000, "0,net_receive,,,,,,,10,,200,10.0.0.1:80,,,7");
  story_wake (story, 4000, 0, 0, 10);
  story_add (story, 4000, "0,softirq_exit,,,,,,3,,,,,,,");
  story_switch (story, 4000, 0, 0, "R", 10);
  /* A deliberate sleep of 1 ms, a poll of 2 ms that times out, an interrupt after 1 ms. */
  story_switch_with_stack (story, 5000, 0, 10, "S", 0,
                           "main@all;nanosleep@libc.so;do_nanosleep@[kernel]");
  story_wake_by_timer (story, 6000, 0, 10);
  story_switch (story, 6000, 0, 0, "R", 10);
  story_switch_with_stack (story, 7000, 0, 10, "S", 0, "main@all;poll@libc.so");
  story_wake_by_timer (story, 9000, 0, 10);
  story_switch (story, 9000, 0, 0, "R", 10);
  story_switch_with_stack (story, 10000, 0, 10, "S", 0, "main@all;ioctl@libc.so");
  story_wake_by_device (story, 11000, 0, "", 10);
  story_switch (story, 11000, 0, 0, "R", 10);
  story_end (story, 12000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "all");
  summary = control_paths_get_summary (report);
  g_assert_cmpint (control_paths_get_category (summary, "kernel_block"), ==, 100000);
  g_assert_cmpint (control_paths_get_category (summary, "io_queue"), ==, 200000);
  g_assert_cmpint (control_paths_get_category (summary, "blocking_io"), ==, 700000);
  g_assert_cmpint (control_paths_get_category (summary, "scheduler"), ==, 50000);
  g_assert_cmpint (control_paths_get_category (summary, "network"), ==, 1000000);
  g_assert_cmpint (control_paths_get_category (summary, "deliberate_sleep"), ==, 1000000);
  g_assert_cmpint (control_paths_get_category (summary, "timed_out"), ==, 2000000);
  g_assert_cmpint (control_paths_get_category (summary, "hardware"), ==, 1000000);
  g_assert_cmpint (control_paths_get_category (summary, "unaccounted"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 12000000);
  g_assert_cmpfloat (json_object_get_double_member (summary, "accounted_share"), ==, 1.0);
  of = control_paths_find_contributor (summary, "all");
  files = summary_join_strings (of, "files");
  peers = summary_join_strings (of, "peers");
  g_assert_cmpstr (files, ==, "/var/log/x");
  g_assert_cmpstr (peers, ==, "10.0.0.1:80");
  g_assert_cmpint (json_object_get_int_member (of, "io_ns"), ==, 900000);
}

static void
add_answer (Story *story, gint64 us)
{
  story_add (story, us, "0,softirq_entry,,,,,,3,,,,,,,");
  story_add (story, us, "0,net_receive,,,,,,,10,,200,10.0.0.1:80,,,7");
  story_wake (story, us, 0, 0, 10);
  story_add (story, us, "0,softirq_exit,,,,,,3,,,,,,,");
  story_switch (story, us, 0, 0, "R", 10);
}

/* The paper's figure: a request sent in two pieces and answered in two is one operation, from the
 * second piece to the second answer, with a link at each wake-up. A message without an answer is no
 * operation. */
static void
test_network_operation (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbTimelineFigure *figure;
  TbTimelineTrack track;
  const guint32 *from, *to;
  const gint64 *from_time, *to_time;
  guint network = G_MAXUINT, n_links = 0;
  gsize n_arrows;

  story_name (story, 10, "browser", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_add (story, 1000, "0,net_send,,,,,,,10,tcp,100,10.0.0.1:80,,,7");
  story_add (story, 1500, "0,net_send,,,,,,,10,tcp,100,10.0.0.1:80,,,7");
  story_switch_with_stack (story, 2000, 0, 10, "S", 0, "main@browser;recv@libc.so");
  add_answer (story, 4000);
  story_switch_with_stack (story, 4500, 0, 10, "S", 0, "main@browser;recv@libc.so");
  add_answer (story, 6000);
  story_add (story, 6500, "0,net_send,,,,,,,10,tcp,100,10.0.0.1:80,,,7");
  story_end (story, 7000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "browser");
  figure = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "processes"));
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      tb_timeline_figure_get_track (figure, i, &track);
      if (g_str_has_prefix (track.id, "network:"))
        {
          g_assert_cmpuint (network, ==, G_MAXUINT);
          network = i;
        }
    }
  g_assert_cmpuint (network, !=, G_MAXUINT);
  tb_timeline_figure_get_track (figure, network, &track);
  g_assert_cmpstr (track.name, ==, "10.0.0.1:80");
  g_assert_cmpuint (track.n, ==, 1);
  g_assert_cmpint (track.start[0], ==, 1500000);
  g_assert_cmpint (track.end[0], ==, 6000000);
  n_arrows = tb_timeline_figure_get_arrows (figure, &from, &from_time, &to, &to_time);
  for (gsize i = 0; i < n_arrows; i++)
    if (from[i] == network || to[i] == network)
      {
        const gint64 expected[] = { 1500000, 4000000, 6000000 };

        g_assert_cmpuint (n_links, <, G_N_ELEMENTS (expected));
        g_assert_cmpint (from_time[i], ==, expected[n_links]);
        g_assert_true ((n_links == 0) == (to[i] == network));
        n_links++;
      }
  g_assert_cmpuint (n_links, ==, 3);
}

/* Each of three processes of one name works for the one before, the last one for most of the
 * time. */
static void
test_equal_callers (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;
  g_autofree char *chain = NULL;

  for (gint32 tid = 10; tid <= 40; tid += 10)
    {
      story_name (story, tid, tid == 40 ? "packer" : "git", tid);
      story_switch (story, 0, tid / 10, 0, "R", tid);
      if (tid > 10)
        story_switch_with_stack (story, 10, tid / 10, tid, "S", 0, "main@git;wait@git");
    }
  for (gint32 tid = 10; tid < 40; tid += 10)
    {
      story_wake (story, 900 + tid, tid / 10, tid, tid + 10);
      story_switch (story, 900 + tid, tid / 10 + 1, 0, "R", tid + 10);
      story_switch_with_stack (story, 905 + tid, tid / 10, tid, "S", 0, "main@git;ask@git");
    }
  for (gint32 tid = 40; tid > 10; tid -= 10)
    {
      gint64 time = 9000 - tid;

      story_wake (story, time, tid / 10, tid, tid - 10);
      story_switch (story, time, tid / 10 - 1, 0, "R", tid - 10);
      story_switch_with_stack (story, time + 2, tid / 10, tid, "S", 0, "main@git;wait@git");
    }
  story_end (story, 9100, 1, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "10");
  finding = findings_get_with (report, "cpu-bound", "process", "packer");
  chain = finding_join_strings (finding, "called_through");
  g_assert_cmpstr (chain, ==, "git,git,git,packer");
  g_assert_true (g_str_has_suffix (tb_finding_get_text (finding), ", on behalf of git."));
  g_assert_null (strstr (tb_finding_get_text (finding), "git, on behalf of git"));
}

/* The command starts as a part of the recorder. It wakes a thread of the recorder, and its kernel
 * worker a thread of another program that waits for the disk: neither works for the command. */
static void
test_recorder (void)
{
  static const char *const sync = "main@tool;fsync@libc.so;io_schedule@[kernel]";
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *of;

  g_string_append (story, "# fact: recorder-pid=40\n# fact: command-pid=10\n");
  story_name (story, 30, "kworker/1:0", 30);
  story_name (story, 40, "tailback-cli", 40);
  story_name (story, 42, "session-writer", 40);
  story_name (story, 50, "other", 50);
  story_switch (story, 0, 1, 0, "R", 42);
  story_switch (story, 0, 2, 0, "R", 50);
  story_switch (story, 0, 3, 0, "R", 40);
  story_switch (story, 50, 1, 42, "S", 0);
  story_switch_with_stack (story, 60, 2, 50, "D", 0, sync);
  story_fork (story, 100, 3, 40, 10);
  story_switch (story, 110, 0, 0, "R", 10);
  story_exec (story, 300, 0, 10, "tool");
  story_wake (story, 1000, 0, 10, 42);
  story_switch (story, 1010, 1, 0, "R", 42);
  story_wake (story, 1900, 0, 10, 30);
  story_switch_with_stack (story, 2000, 0, 10, "D", 0, sync);
  story_switch (story, 2010, 2, 0, "R", 30);
  story_wake (story, 2100, 2, 30, 50);
  story_wake (story, 2200, 2, 30, 10);
  story_switch (story, 2200, 0, 0, "R", 10);
  story_switch (story, 2210, 2, 30, "I", 50);
  story_end (story, 5000, 0, 10);
  story_end (story, 5000, 2, 50);
  story_switch (story, 5000, 1, 42, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "10");
  summary = control_paths_get_summary (report);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (summary, "paths")), ==, 1);
  of = control_paths_find_contributor (summary, "Recording itself");
  g_assert_cmpint (json_object_get_int_member (of, "running_ns"), ==, 190000);
  g_assert_null (control_paths_find_contributor (summary, "tailback-cli"));
  g_assert_null (control_paths_find_contributor (summary, "other"));
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    g_assert_null (strstr (tb_finding_get_text (tb_report_get_finding (report, i)), "Recording"));
}

/* The paper's curl: a worker ends. The poller notices it when its own timeout expires, unless the
 * worker wakes it. */
static TbReport *
open_resolver (gboolean wakes)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  gint64 end = wakes ? 3000 : 8000;

  story_name (story, 10, "curl", 10);
  story_name (story, 20, "curl/resolver", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_fork (story, 1000, 0, 10, 20);
  story_switch (story, 1000, 1, 0, "R", 20);
  story_switch_with_stack (story, 1050, 0, 10, "S", 0, "main@curl;wait_resolv@curl;poll@libc.so");
  if (wakes)
    story_wake (story, 3000, 1, 20, 10);
  story_end (story, 3000, 1, 20);
  if (!wakes)
    story_wake_by_timer (story, 8000, 0, 10);
  story_switch (story, end, 0, 0, "R", 10);
  story_end (story, end + 1000, 0, 10);
  trace = story_open (story);
  return control_paths_explain (trace, "10");
}

static void
test_oversleep (void)
{
  g_autoptr (TbReport) before = open_resolver (FALSE);
  g_autoptr (TbReport) after = open_resolver (TRUE);
  JsonObject *summary = control_paths_get_summary (before);
  TbFinding *oversleep;
  JsonObject *of;

  g_assert_cmpuint (summary_count (summary, "oversleeps"), ==, 1);
  of = summary_get_element (summary, "oversleeps", 0);
  g_assert_cmpint (json_object_get_int_member (of, "total_ns"), ==, 5000000);
  g_assert_cmpint (json_object_get_int_member (of, "count"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (of, "function"), ==, "poll");
  oversleep = findings_get (before, "oversleep");
  finding_assert_integer (oversleep, "total_ns", 5000000);
  finding_assert_integer (oversleep, "count", 1);
  finding_assert_integer (oversleep, "tid", 10);
  finding_assert_integer (oversleep, "awaited_tid", 20);
  finding_assert_string (oversleep, "function", "poll");
  summary = control_paths_get_summary (after);
  g_assert_cmpuint (summary_count (summary, "oversleeps"), ==, 0);
  g_assert_cmpint (control_paths_get_category (summary, "timed_out"), ==, 0);
}

/* A thread sleeps until its timeout while another thread ends: one that it created, one created by
 * a third thread, or one of a pool that it woke. It waits for none of them. */
static void
test_no_oversleep (void)
{
  for (guint how = 0; how < 3; how++)
    {
      Story *story = story_new (NULL);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      gint32 creator = how == 0 ? 10 : 30;

      story_name (story, 10, "video", 10);
      story_name (story, 30, "video/other", 10);
      story_switch (story, 0, 0, 0, "R", 10);
      story_switch (story, 0, 1, 0, "R", 30);
      if (how < 2)
        story_fork (story, 500, creator == 10 ? 0 : 1, creator, 20);
      story_switch (story, 600, 1, 30, "S", how < 2 ? 20 : 0);
      for (gint64 frame = 0; frame < 5; frame++)
        {
          gint64 from = 1000 + frame * 10000, to = from + 9000;

          if (how == 2)
            {
              story_wake (story, from - 100, 0, 10, 30);
              story_switch (story, from - 50, 1, 0, "R", 30);
            }
          story_switch_with_stack (story, from, 0, 10, "S", 0,
                                   "main@video;show_frame@video;poll@libc.so");
          /* This thread is able to wake the other, as it does once. */
          if (how == 2 && frame == 3)
            story_wake (story, to - 10, 1, 30, 10);
          if (how == 2)
            story_switch_with_stack (story, frame == 3 ? to - 5 : from + 3000, 1, 30, "S", 0,
                                     "main@video;next@video;poll@libc.so");
          if (how < 2 && frame == 2)
            {
              story_end (story, from + 3000, 1, 20);
            }
          if (how < 2 || frame != 3)
            story_wake_by_timer (story, to, 0, 10);
          story_switch (story, to, 0, 0, "R", 10);
        }
      story_end (story, 60000, 0, 10);
      trace = story_open (story);
      report = control_paths_explain (trace, "10");
      g_assert_cmpuint (summary_count (control_paths_get_summary (report), "oversleeps"), ==, 0);
      g_assert_cmpuint (findings_count (report, "oversleep"), ==, 0);
    }
}

/* A sample may come a little late. One that comes later is dropped. */
static void
test_late_samples (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 10, "seen", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 1000, 0, 10, "S", 0);
  story_sample (story, 1019, 0, 10, "main@seen");
  story_wake_by_timer (story, 2000, 0, 10);
  story_switch (story, 2000, 0, 0, "R", 10);
  story_switch (story, 3000, 0, 10, "S", 0);
  story_sample (story, 3020, 0, 10, "main@seen");
  story_wake_by_timer (story, 4000, 0, 10);
  story_switch (story, 4000, 0, 0, "R", 10);
  story_end (story, 5000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "seen");
  summary = control_paths_get_summary (report);
  control_paths_assert_categories (summary, "understood_functions", 1000000, "not_sampled", 2000000,
                                   "timed_out", 2000000, NULL);
  g_assert_cmpint (json_object_get_int_member (summary, "samples_dropped"), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths/pipes", test_pipes);
  g_test_add_func ("/control-paths/places", test_references);
  g_test_add_func ("/control-paths/hidden", test_hidden);
  g_test_add_func ("/control-paths/grace", test_grace);
  g_test_add_func ("/control-paths/wider-grace", test_wider_grace);
  g_test_add_func ("/control-paths/split", test_split);
  g_test_add_func ("/control-paths/poll-loop", test_poll_loop);
  g_test_add_func ("/control-paths/triangle", test_triangle);
  g_test_add_func ("/control-paths/exec", test_exec);
  g_test_add_func ("/control-paths/involuntary", test_involuntary);
  g_test_add_func ("/control-paths/asynchronous", test_asynchronous);
  g_test_add_func ("/control-paths/waits", test_waits);
  g_test_add_func ("/control-paths/network-operation", test_network_operation);
  g_test_add_func ("/control-paths/equal-callers", test_equal_callers);
  g_test_add_func ("/control-paths/recorder", test_recorder);
  g_test_add_func ("/control-paths/oversleep", test_oversleep);
  g_test_add_func ("/control-paths/no-oversleep", test_no_oversleep);
  g_test_add_func ("/control-paths/late-samples", test_late_samples);
  return recording_run_tests ();
}
