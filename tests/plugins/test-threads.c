/* test-threads.c: test of the analysis "threads" on small recordings with known results
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "threads-fixture.h"

/* The thread of the summary with this TID. */
static JsonObject *
find_thread (JsonObject *summary, gint64 tid)
{
  for (guint i = 0; i < summary_count (summary, "threads"); i++)
    {
      JsonObject *thread = summary_get_element (summary, "threads", i);

      if (json_object_get_int_member (thread, "tid") == tid)
        return thread;
    }
  g_error ("no thread %d in the summary", (int) tid);
}

#define assert_ns(thread, member, expected)                                                        \
  g_assert_cmpint (summary_get_int (thread, member), ==, expected)

/* The first waker is the one for which the thread waited most. */
static void
assert_first_waker (JsonObject *thread,
                    const char *name,
                    const char *kind,
                    gint64 count,
                    gint64 wait_ns)
{
  JsonObject *waker;

  g_assert_cmpuint (summary_count (thread, "wakers"), >, 0);
  waker = summary_get_element (thread, "wakers", 0);
  if (name == NULL)
    g_assert_true (json_object_get_null_member (waker, "name"));
  else
    g_assert_cmpstr (json_object_get_string_member (waker, "name"), ==, name);
  g_assert_cmpstr (json_object_get_string_member (waker, "kind"), ==, kind);
  assert_ns (waker, "count", count);
  assert_ns (waker, "wait_ns", wait_ns);
}

/* --- pipes --- */

static void
test_pipes (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *summary = threads_get_summary (report);
  JsonObject *front = find_thread (summary, 10), *back = find_thread (summary, 20);
  TbFinding *wait = findings_get_with (report, "thread-wait", "thread", "back");

  assert_ns (front, "running_ns", 8450000);
  assert_ns (front, "runnable_ns", 50000);
  assert_ns (front, "interruptible_ns", 1500000);
  assert_ns (front, "first_ns", 0);
  assert_ns (front, "last_ns", 10000000);
  assert_ns (front, "switches", 2);
  assert_ns (front, "waits", 1);
  assert_ns (back, "running_ns", 6200000);
  assert_ns (back, "runnable_ns", 300000);
  assert_ns (back, "interruptible_ns", 5500000);
  assert_ns (back, "last_ns", 12000000);
  g_assert_cmpstr (json_object_get_string_member (back, "process"), ==, "back");
  assert_first_waker (front, "back", "thread", 1, 1500000);
  assert_first_waker (back, "front", "thread", 2, 5500000);
  finding_assert_integer (wait, "tid", 20);
  finding_assert_integer (wait, "wait_ns", 5500000);
  finding_assert_integer (wait, "lifetime_ns", 12000000);
  finding_assert_number (wait, "awaited_share", 1);
  finding_assert_string (wait, "awaited_thread", "front");
  finding_assert_integer (wait, "awaited_tid", 10);
  finding_assert_string (wait, "function", "read");
  finding_assert_integer (wait, "more_threads", 0);
}

static void
test_pipes_trace (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  guint32 front = recording_find_thread (trace, 10);
  gssize row = tb_trace_find_interval (trace, front, 5000000);
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autofree char *label = NULL;
  g_auto (GStrv) functions = NULL;

  g_assert_cmpint (row, >=, 0);
  g_assert_cmpint (intervals->start[row], ==, 4500000);
  g_assert_cmpint (intervals->end[row], ==, 6000000);
  g_assert_cmpint (tb_trace_get_wait_kind (trace, row), ==, TB_WAIT_PIPE);
  label = tb_trace_describe_interval (trace, row);
  g_assert_cmpstr (label, ==, "read");
  functions = tb_trace_get_stack_functions (trace, intervals->stack[row]);
  g_assert_cmpuint (g_strv_length (functions), ==, 5);
  g_assert_cmpstr (functions[0], ==, "main");
  g_assert_cmpstr (functions[3], ==, "pipe_read");
  g_assert_cmpint (tb_trace_find_interval (trace, front, 10000000), ==, -1);
  g_assert_cmpstr (tb_trace_get_warnings (trace)[0], ==, NULL);
}

/* Data stored in the session equals the data computed anew. */
static void
test_reopened (void)
{
  g_autoptr (TbTrace) first = story_open_file ("fixtures/events/devices.csv");
  g_autoptr (GFile) file = g_object_ref (tb_session_get_file (tb_trace_get_session (first)));
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);
  g_autoptr (TbTrace) second = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERVAL)), ==,
                    tb_trace_get_intervals (first)->n);
  second = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint column = 0; column < TB_INTERVAL_N_COLUMNS; column++)
    {
      g_autoptr (GBytes) a = tb_trace_get_interval_column (first, column);
      g_autoptr (GBytes) b = tb_trace_get_interval_column (second, column);

      g_assert_true (g_bytes_equal (a, b));
    }
  g_assert_cmpmem (tb_trace_get_counts (first), sizeof (TbTraceCounts),
                   tb_trace_get_counts (second), sizeof (TbTraceCounts));
}

/* Values of a thread; unknown ones are null. */
static void
test_thread_values (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbFinding) finding = tb_finding_new (TB_SEVERITY_INFO, "f", 1, 1);

  tb_finding_set_thread (finding, NULL, trace, recording_find_thread (trace, 20));
  tb_finding_set_thread (finding, "holder_", trace, recording_find_thread (trace, 10));
  tb_finding_set_thread (finding, "idle_", trace, TB_THREAD_IDLE);
  tb_finding_set_thread (finding, "no_", trace, TB_ID_NONE);
  g_assert_cmpuint (json_object_get_size (tb_finding_get_values (finding)), ==, 16);
  finding_assert_string (finding, "thread", "back");
  finding_assert_integer (finding, "tid", 20);
  finding_assert_string (finding, "process", "back");
  finding_assert_integer (finding, "pid", 20);
  finding_assert_string (finding, "holder_thread", "front");
  finding_assert_integer (finding, "holder_tid", 10);
  finding_assert_integer (finding, "idle_tid", 0);
  g_assert_true (finding_is_null (finding, "idle_pid"));
  g_assert_true (finding_is_null (finding, "no_thread"));
  g_assert_true (finding_is_null (finding, "no_tid"));
  g_assert_true (finding_is_null (finding, "no_process"));
  g_assert_true (finding_is_null (finding, "no_pid"));
}

/* --- devices --- */

static void
assert_device_waits (TbReport *report)
{
  TbFinding *disk = findings_get (report, "disk-wait");
  TbFinding *timer = findings_get (report, "timer-wait");

  finding_assert_string (disk, "thread", "writer");
  finding_assert_integer (disk, "tid", 30);
  finding_assert_number (disk, "running_share", 0.13);
  finding_assert_integer (disk, "lifetime_ns", 10000000);
  finding_assert_integer (disk, "awaited_ns", 3820000);
  finding_assert_string (disk, "awaited", "vda");
  finding_assert_string (disk, "awaited_kind", "device");
  finding_assert_string (disk, "function", "fsync");
  finding_assert_string (disk, "object", "/var/log/x");
  finding_assert_string (timer, "thread", "sleeper");
  finding_assert_integer (timer, "tid", 31);
  finding_assert_integer (timer, "wait_ns", 4810000);
  finding_assert_integer (timer, "lifetime_ns", 10000000);
  finding_assert_number (timer, "awaited_share", 4010000. / 4810000);
  finding_assert_string (timer, "awaited_kind", "timer");
  finding_assert_string (timer, "function", "nanosleep");
  g_assert_true (finding_is_null (timer, "object"));
}

/* An fsync() that the disk ends, and a longer one that a kernel worker ends: both are for the
 * disk. */
static void
test_disk_workers (void)
{
  static const char *const stack = "main@writer;fsync@libc.so;io_schedule@[kernel]";
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 10, "writer", 10);
  story_name (story, 30, "kworker/1:0", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 30);
  story_switch_with_stack (story, 1000, 0, 10, "D", 0, stack);
  story_add (story, 1000, "0,io_issue,,,,,,,10,vda,4096,/var/log/x,,100,");
  story_add (story, 4000, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, 4000, "0,io_complete,,,,,,,10,vda,4096,,,100,");
  story_wake (story, 4000, 0, 0, 10);
  story_add (story, 4000, "0,irq_exit,,,,,,,,vda,,,,,");
  story_switch (story, 4000, 0, 0, "R", 10);
  story_switch_with_stack (story, 5000, 0, 10, "D", 0, stack);
  story_wake (story, 9000, 1, 30, 10);
  story_switch (story, 9000, 0, 0, "R", 10);
  story_end (story, 10000, 0, 10);
  story_end (story, 10000, 1, 30);
  trace = story_open (story);
  report = report_run ("threads", trace, NULL, NULL);
  finding = findings_get (report, "disk-wait");
  finding_assert_string (finding, "thread", "writer");
  finding_assert_integer (finding, "disk_ns", 7000000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding), "it waited 7 ms for the disk vda"));
}

static void
test_devices (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/devices.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *summary = threads_get_summary (report);

  assert_first_waker (find_thread (summary, 30), "vda", "device", 1, 3820000);
  assert_ns (find_thread (summary, 30), "uninterruptible_ns", 3820000);
  assert_first_waker (find_thread (summary, 31), "timer", "timer", 1, 4010000);
  assert_first_waker (find_thread (summary, 32), "10.0.0.1:80", "network", 1, 4020000);
  assert_first_waker (find_thread (summary, 33), NULL, "interrupt", 1, 4010000);
  assert_ns (find_thread (summary, 40), "running_ns", 10000000);
  assert_device_waits (report);
  /* The interrupted thread must not be reported as the waker. */
  g_assert_null (findings_find (report, "awaited", "other"));
  g_assert_null (findings_find (report, "awaited_thread", "other"));
}

static void
test_devices_timeline (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/devices.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  TbTimelineFigure *timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  guint writer = report_find_track (timeline, "writer"), vda = report_find_track (timeline, "vda");
  TbTimelineCoverage coverage;
  TbTimelineTrack track;
  g_autofree char *short_label = NULL;
  g_autofree char *long_label = NULL;
  g_autofree char *request = NULL;
  g_autofree char *on_cpu = NULL;
  gsize wait = tb_timeline_figure_find (timeline, writer, 2000000);

  tb_timeline_figure_get_coverage (timeline, writer, 0, 10000000, &coverage);
  g_assert_cmpint (coverage.ns[TB_PAINT_DISK], ==, 3820000);
  g_assert_cmpint (coverage.ns[TB_PAINT_RUNNING], ==, 1300000);
  tb_timeline_figure_get_coverage (timeline, report_find_track (timeline, "client"), 0, 10000000,
                                   &coverage);
  g_assert_cmpint (coverage.ns[TB_PAINT_NETWORK], ==, 4020000);

  short_label = tb_timeline_figure_get_label (timeline, writer, wait, FALSE);
  g_assert_cmpstr (short_label, ==, "fsync → /var/log/x");
  long_label = tb_timeline_figure_get_label (timeline, writer, wait, TRUE);
  g_assert_cmpstr (long_label, ==, "writer (30): fsync → /var/log/x, waited 3.82 ms; ended by vda");

  tb_timeline_figure_get_track (timeline, vda, &track);
  g_assert_cmpstr (track.group, ==, "devices");
  g_assert_cmpuint (track.n, ==, 1);
  g_assert_cmpint (track.start[0], ==, 1100000);
  g_assert_cmpint (track.end[0], ==, 5010000);
  request = tb_timeline_figure_get_label (timeline, vda, 0, TRUE);
  g_assert_nonnull (strstr (request, "for writer (30), file /var/log/x"));

  tb_timeline_figure_get_track (timeline, report_find_track (timeline, "CPU 1"), &track);
  g_assert_cmpuint (track.n, ==, 1);
  on_cpu = tb_timeline_figure_get_label (timeline, report_find_track (timeline, "CPU 1"), 0, FALSE);
  g_assert_cmpstr (on_cpu, ==, "other (40)");
  g_assert_cmpuint (tb_timeline_figure_get_arrows (timeline, NULL, NULL, NULL, NULL), ==, 0);
}

/* A run has the function of its samples as its label. */
static void
test_labels_of_runs (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  TbTimelineFigure *timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  guint front = report_find_track (timeline, "front");
  g_autofree char *sampled = tb_timeline_figure_get_label (timeline, front, 0, FALSE);
  g_autofree char *sampled_long = tb_timeline_figure_get_label (timeline, front, 0, TRUE);
  g_autofree char *other
      = tb_timeline_figure_get_label (timeline, front,
                                      tb_timeline_figure_find (timeline, front, 7000000), FALSE);

  g_assert_cmpstr (sampled, ==, "price");
  g_assert_cmpstr (sampled_long, ==, "front (10): ran 4.5 ms on CPU 0, most samples in price");
  g_assert_cmpstr (other, ==, "");
}

static void
test_arrows (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  TbTimelineFigure *timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  guint front = report_find_track (timeline, "front"), back = report_find_track (timeline, "back");
  const guint32 *from, *to;
  const gint64 *from_time, *to_time;

  g_assert_cmpuint (tb_timeline_figure_get_arrows (timeline, &from, &from_time, &to, &to_time), ==,
                    3);
  g_assert_cmpuint (from[0], ==, front);
  g_assert_cmpuint (to[0], ==, back);
  g_assert_cmpint (to_time[0], ==, 4000000);
  g_assert_cmpuint (from[1], ==, back);
  g_assert_cmpint (to_time[1], ==, 6000000);
  g_assert_cmpint (to_time[2], ==, 9000000);
}

static const TbFlameNode *
find_node (TbFlameFigure *flame, const char *name)
{
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (flame); i++)
    if (g_str_equal (tb_flame_figure_get_node (flame, i)->name, name))
      return tb_flame_figure_get_node (flame, i);
  return NULL;
}

static void
test_flames (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbTrace) devices = NULL;
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, "by-thread", "true", NULL);
  g_autoptr (TbReport) other = NULL;
  TbFlameFigure *off = TB_FLAME_FIGURE (tb_report_find_figure (report, "off-cpu"));
  TbFlameFigure *on = TB_FLAME_FIGURE (tb_report_find_figure (report, "on-cpu"));

  g_assert_cmpuint (tb_flame_figure_get_total (off), ==, 7000000);
  g_assert_cmpuint (find_node (off, "read_answer")->total, ==, 1500000);
  g_assert_cmpuint (find_node (off, "read_order")->total, ==, 5500000);
  g_assert_cmpuint (find_node (off, "read_order")->own, ==, 0);
  g_assert_cmpuint (find_node (off, "read_order")->depth, ==, 3);
  g_assert_cmpint (find_node (off, "schedule")->paint, ==, TB_FLAME_KERNEL);
  g_assert_nonnull (on);
  g_assert_cmpuint (find_node (on, "price")->count, ==, 2);
  g_assert_null (find_node (on, "read_order"));

  devices = story_open_file ("fixtures/events/devices.csv");
  other = report_run ("threads", devices, NULL, NULL);
  off = TB_FLAME_FIGURE (tb_report_find_figure (other, "off-cpu"));
  g_assert_cmpuint (find_node (off, "/var/log/x")->own, ==, 3820000);
  g_assert_cmpint (find_node (off, "/var/log/x")->paint, ==, TB_FLAME_DISK);
  g_assert_cmpuint (find_node (off, "fsync")->total, ==, 3820000);
  g_assert_null (tb_report_find_figure (other, "on-cpu"));
}

/* --- selections --- */

static void
test_selection (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *back;
  TbTimelineFigure *timeline;
  TbTimelineTrack track;

  tb_selection_set_range (selection, 2000000, 7000000);
  tb_selection_add_thread (selection, recording_find_thread (trace, 20));
  report = report_run ("threads", trace, selection, NULL);
  summary = threads_get_summary (report);
  g_assert_cmpuint (summary_count (summary, "threads"), ==, 1);
  back = find_thread (summary, 20);
  assert_ns (back, "first_ns", 2000000);
  assert_ns (back, "last_ns", 7000000);
  assert_ns (back, "running_ns", 2400000);
  assert_ns (back, "runnable_ns", 100000);
  assert_ns (back, "interruptible_ns", 2500000);
  assert_ns (back, "switches", 1);
  assert_first_waker (back, "front", "thread", 2, 2500000);

  timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  tb_timeline_figure_get_track (timeline, report_find_track (timeline, "back"), &track);
  g_assert_cmpint (track.start[0], ==, 2000000);
  g_assert_cmpint (track.end[track.n - 1], ==, 7000000);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (timeline); i++)
    {
      tb_timeline_figure_get_track (timeline, i, &track);
      g_assert_cmpstr (track.name, !=, "front");
    }
}

/* --- annotations --- */

#define MARKS                                                                                      \
  "0,0,switch,0,R,1,,,,,,,\n5,0,mark,,,,,,,1,,,phase_begin=load\n10,0,mark,,,,,,,1,,,work\n"       \
  "20,0,mark,,,,,,,1,,,work=3\n30,0,mark,,,,,,,1,,,phase_end=load\n40,0,mark,,,,,,,1,,,phase_"     \
  "begin=run\n"                                                                                    \
  "42,0,mark,,,,,,,1,,,phase_begin=run\n45,0,spin_begin,,,,,,,1,,,\n50,0,mark,,,,,,,1,,,phase_"    \
  "end=run\n"                                                                                      \
  "60,0,spin_end,,,,,,,1,,,\n70,0,mark,,,,,,,1,,,work:page\n75,0,mark,,,,,,,1,,,phase_end=never\n" \
  "100,0,switch,1,S,0,,,,,,,\n"

/* Rows of the table of marks: "phase “load” 1 25". */
static char *
format_marks (TbReport *report)
{
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "marks"));
  GString *marks_text = g_string_new (NULL);

  for (guint row = 0; row < tb_table_figure_get_n_rows (table); row++)
    {
      g_string_append_printf (marks_text, "%s%s %d", row > 0 ? ", " : "",
                              tb_table_figure_get_text (table, row, 1),
                              (int) tb_table_figure_get_integer (table, row, 2));
      if (tb_table_figure_is_known (table, row, 3))
        g_string_append_printf (marks_text, " %d",
                                (int) tb_table_figure_get_integer (table, row, 3));
    }
  return g_string_free (marks_text, FALSE);
}

/* Boxes of a timeline track: "load 5-30, run 40-42". */
static char *
format_track (TbReport *report, const char *id)
{
  TbTimelineFigure *figure = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  GString *marks_text = g_string_new (NULL);
  TbTimelineTrack track;

  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    {
      tb_timeline_figure_get_track (figure, i, &track);
      for (gsize k = 0; g_str_equal (track.id, id) && k < track.n; k++)
        {
          g_autofree char *label = tb_timeline_figure_get_label (figure, i, k, FALSE);

          g_string_append_printf (marks_text, "%s%s %d-%d", k > 0 ? ", " : "", label,
                                  (int) track.start[k], (int) track.end[k]);
        }
    }
  return g_string_free (marks_text, FALSE);
}

/* Phases and marks over time: of nested phases the innermost is shown, and an end without a
 * beginning is ignored. */
static void
test_marks_over_time (void)
{
  g_autoptr (TbTrace) trace = story_open_lines ("story", MARKS);
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) part = NULL;
  g_autofree char *phases = format_track (report, "phases:1");
  g_autofree char *marks = format_track (report, "marks:1");
  g_autofree char *phases_of_part = NULL;
  g_autofree char *marks_of_part = NULL;

  g_assert_cmpstr (phases, ==, "load 5-30, run 40-42, run 42-50, run 50-100");
  g_assert_cmpstr (marks, ==, "work 10-11, work 20-21, work:page 70-71");
  tb_selection_set_range (selection, 15, 55);
  part = report_run ("threads", trace, selection, NULL);
  phases_of_part = format_track (part, "phases:1");
  marks_of_part = format_track (part, "marks:1");
  g_assert_cmpstr (phases_of_part, ==, "load 15-30, run 40-42, run 42-50, run 50-55");
  g_assert_cmpstr (marks_of_part, ==, "work 20-21");
}

static void
test_marks (void)
{
  g_autoptr (TbTrace) trace = story_open_lines ("story", MARKS);
  g_autoptr (TbTrace) without = NULL;
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) part = NULL;
  g_autoptr (TbReport) none = NULL;
  g_autofree char *marks_text = format_marks (report);
  g_autofree char *part_text = NULL;

  g_assert_cmpstr (marks_text, ==,
                   "phase “run” 1 60, phase “load” 1 25, spinning 1 15, work 4, work:page 1");
  assert_ns (find_thread (threads_get_summary (report), 1), "running_ns", 85);
  tb_selection_set_range (selection, 15, 55);
  part = report_run ("threads", trace, selection, NULL);
  part_text = format_marks (part);
  g_assert_cmpstr (part_text, ==, "phase “load” 1 15, phase “run” 1 15, spinning 1 10, work 3");
  without = story_open_file ("fixtures/events/pipes.csv");
  none = report_run ("threads", without, NULL, NULL);
  g_assert_null (tb_report_find_figure (none, "marks"));
}

/* --- unknown states --- */

static void
test_uncertain (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/uncertain.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *summary = threads_get_summary (report);
  TbTimelineFigure *timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  guint64 lost;

  tb_report_get_uncertainty (report, &lost, NULL);
  g_assert_cmpuint (lost, ==, 17);
  assert_ns (summary, "cpus_without_idle", 1);
  /* 51: known until the lost range; a switch that CPU 1 does not show is not inferred */
  assert_ns (find_thread (summary, 51), "running_ns", 1000000);
  assert_ns (find_thread (summary, 51), "unknown_ns", 7000000);
  g_assert_true (report_has_warning (report, "17 events were lost"));
  g_assert_true (
      report_has_warning (report, "1 CPU has switches to its idle task and none from it"));
  g_assert_true (report_has_warning (report, "No stacks were recorded"));
  g_assert_cmpuint (tb_timeline_figure_get_n_lost (timeline), ==, 1);
  finding_assert_integer (findings_get (report, "lost-events"), "count", 17);
  g_assert_cmpint (finding_get_integer (findings_get (report, "unknown-states"), "unknown_ns"), >=,
                   7000000);
}

/* Events that were lost before all others took no known time. */
static void
test_lost_at_start (void)
{
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *text = NULL;

  story_add (story, 0, "0,lost,,,,,,,,,7,,,,");
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 1000, 0, 11, "S", 0);
  trace = story_open_as (story, "lost-at-start");
  report = report_run ("threads", trace, NULL, NULL);
  text = tb_report_to_text (report, 0);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "7 events were lost; for how long"));
  g_assert_null (strstr (text, "within 0"));
}

static void
test_no_wakings (void)
{
  g_autoptr (TbTrace) trace = story_open_lines (
      "story", "0,0,switch,0,R,1,,,,,,\n10,0,switch,1,S,0,,,,,,\n50,0,switch,0,R,1,,,,,,\n"
               "90,0,switch,1,S,0,,,,,,\n");
  g_autofree char *warnings = g_strjoinv ("\n", (char **) tb_trace_get_warnings (trace));
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);

  g_assert_nonnull (strstr (warnings, "No wake-ups were recorded"));
  assert_first_waker (find_thread (threads_get_summary (report), 1), NULL, "unknown", 1, 40);
  g_assert_nonnull (strstr (tb_report_get_headline (report), "was not recorded"));
  g_assert_null (strstr (tb_report_get_headline (report), "at least"));
}

static void
test_no_events (void)
{
  g_autoptr (TbTrace) trace = story_open_lines ("story", "");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *summary = report_get_summary (report);

  g_assert_cmpuint (summary_count (summary, "threads"), ==, 0);
}

/* --- options --- */

static void
test_waking_grace (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("story", "0,0,switch,0,R,1,,,,,,\n0,1,switch,0,R,2,,,,,,\n"
                                   "950000,1,wakeup,,,,2,1,,,,\n1000000,0,switch,1,S,0,,,,,,\n"
                                   "3000000,0,switch,0,R,1,,,,,,\n4000000,0,switch,1,S,0,,,,,,\n");
  g_autoptr (TbReport) usual = report_run ("threads", trace, NULL, NULL);
  g_autoptr (TbReport) strict
      = report_run ("threads", trace, NULL, "wakeup-tolerance", "10us", NULL);

  assert_ns (find_thread (threads_get_summary (usual), 1), "runnable_ns", 2000000);
  assert_ns (find_thread (threads_get_summary (usual), 1), "interruptible_ns", 0);
  assert_ns (find_thread (threads_get_summary (strict), 1), "runnable_ns", 0);
  assert_ns (find_thread (threads_get_summary (strict), 1), "interruptible_ns", 2000000);
}

/* --- comparison --- */

static void
test_compare (void)
{
  g_autoptr (TbTrace) base = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbTrace) other
      = story_open_lines ("story",
                          "0,0,name,,,,,,,77,,,front\n0,0,switch,0,R,77,,,,,,,\n"
                          "3000000,0,switch,77,S,0,,,,,,,\n12000000,1,wakeup,,,,0,78,,,,,\n"
                          "12000000,1,switch,0,R,78,,,,,,,\n");
  g_autoptr (TbReport) same = report_compare ("threads", base, base, NULL, NULL);
  g_autoptr (TbReport) differs = report_compare ("threads", base, other, NULL, NULL);
  JsonArray *differences
      = json_object_get_array_member (report_get_summary (differs), "differences");
  JsonObject *first;
  TbFinding *wait;

  g_assert_cmpuint (tb_report_get_n_findings (same), ==, 1);
  findings_get (same, "no-difference");
  g_assert_cmpuint (json_array_get_length (differences), >, 0);
  first = json_array_get_object_element (differences, 0);
  g_assert_cmpstr (json_object_get_string_member (first, "id"), ==, "front/front");
  g_assert_cmpstr (json_object_get_string_member (first, "what"), ==, "waiting_ns");
  assert_ns (first, "base", 1500000);
  assert_ns (first, "other", 9000000);
  assert_ns (first, "delta", 7500000);
  g_assert_false (json_object_get_boolean_member (first, "within_noise"));
  wait = findings_get_with (differs, "wait-time-change", "thread", "front");
  finding_assert_string (wait, "process", "front");
  finding_assert_string (wait, "measure", "waiting_ns");
  finding_assert_integer (wait, "base_ns", 1500000);
  finding_assert_integer (wait, "other_ns", 9000000);
  finding_assert_integer (wait, "delta_ns", 7500000);
}

/* The selection is made in the other recording, in which clock and IDs differ from those of the
 * base. */
static void
test_compare_selection (void)
{
  g_autoptr (TbTrace) base
      = story_open_lines ("story",
                          "0,0,name,,,,,,,77,,,front\n0,0,name,,,,,,,78,,,back\n"
                          "0,0,switch,0,R,78,,,,,,,\n1000000,0,switch,78,S,77,,,,,,,\n"
                          "5000000,0,switch,77,S,0,,,,,,,\n6000000,1,switch,0,R,79,,,,,,,\n");
  g_autoptr (TbTrace) other = story_open_lines (
      "story", "70000000000,0,name,,,,,,,55,,,front\n70000000000,0,switch,0,R,55,,,,,,,\n"
               "70003000000,0,switch,55,S,0,,,,,,,\n70006000000,1,switch,0,R,56,,,,,,,\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSelection) selection = tb_selection_new (other);
  g_autoptr (TbReport) report = NULL;
  JsonArray *differences;
  gint64 from, to;

  tb_selection_add_thread_by_name (selection, "front", &error);
  g_assert_no_error (error);
  report = report_compare ("threads", base, other, selection, NULL);
  tb_report_get_range (report, &from, &to);
  g_assert_cmpint (from, ==, G_GINT64_CONSTANT (70000000000));
  differences = json_object_get_array_member (report_get_summary (report), "differences");
  g_assert_cmpuint (json_array_get_length (differences), >, 0);
  for (guint i = 0; i < json_array_get_length (differences); i++)
    {
      JsonObject *difference = json_array_get_object_element (differences, i);

      g_assert_cmpstr (json_object_get_string_member (difference, "id"), ==, "front/front");
      if (g_strcmp0 (json_object_get_string_member (difference, "what"), "running_ns") == 0)
        {
          assert_ns (difference, "base", 4000000);
          assert_ns (difference, "other", 3000000);
        }
    }
}

/* --- a report goes through JSON --- */

static void
test_round_trip (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/devices.csv");
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) back = tb_report_from_json (node, &error);
  g_autofree char *text = tb_report_to_text (report, 100);

  g_assert_no_error (error);
  g_assert_cmpuint (tb_report_get_n_figures (back), ==, tb_report_get_n_figures (report));
  g_assert_nonnull (strstr (text, "writer"));
}

static void
test_cancel (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbSelection) whole = tb_selection_new (trace);
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("threads", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (tb_analysis_run (analysis, trace, whole, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- missing callers --- */

/* A thread that waits for another in read(), with this stack. */
static TbTrace *
open_reader (const char *name, const char *stack)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "reader", 10);
  story_name (story, 20, "writer", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, stack);
  story_wake (story, 9000, 1, 20, 10);
  story_switch (story, 9000, 0, 0, "R", 10);
  story_switch (story, 10000, 0, 10, "S", 0);
  story_switch (story, 10000, 1, 20, "S", 0);
  return story_open_as (story, name);
}

static void
set_fact (TbTrace *trace, const char *name, const char *value)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_session_set_fact (tb_trace_get_session (trace), name, value, &error));
  g_assert_no_error (error);
}

/* option: NULL: the sentence has no remedy. */
static void
assert_remedy (TbTrace *trace, const char *option)
{
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  TbFinding *wait = findings_get_with (report, "thread-wait", "thread", "reader");
  const char *text = tb_finding_get_text (wait);

  g_test_message ("%s", text);
  finding_assert_string (wait, "function", "read");
  if (option == NULL)
    {
      g_assert_true (finding_is_null (wait, "caller_option"));
      g_assert_null (strstr (text, "caller"));
      return;
    }
  finding_assert_string (wait, "caller_option", option);
  g_assert_nonnull (strstr (text, "mostly in read (its caller is recorded "));
  g_assert_nonnull (strstr (text, option));
}

/* What gives the caller depends on what made the recording. */
static void
test_missing_caller (void)
{
  g_autoptr (TbTrace) trace = open_reader ("reader", "[broken];read@libc.so.6");

  assert_remedy (trace, NULL);
  set_fact (trace, "collector", "ebpf");
  assert_remedy (trace, "repair-stacks");
  set_fact (trace, TB_FACT_REPAIRED_STACKS, "yes");
  assert_remedy (trace, "dump-stacks");
  set_fact (trace, "collector", "perf");
  assert_remedy (trace, "dump-stacks");
  set_fact (trace, "collector", "perf-data");
  assert_remedy (trace, NULL);
  set_fact (trace, TB_FACT_USER_STACKS, TB_USER_STACKS_BY_DUMPS);
  assert_remedy (trace, NULL);
  set_fact (trace, TB_FACT_USER_STACKS, TB_USER_STACKS_BY_FRAME_POINTERS);
  assert_remedy (trace, "--call-graph dwarf");
}

static void
test_known_caller (void)
{
  g_autoptr (TbTrace) trace = open_reader ("known", "main@app;load@app;read@libc.so.6");
  g_autoptr (TbTrace) unnamed = open_reader ("unnamed", "[broken];app+0x1234@app;read@libc.so.6");

  set_fact (trace, "collector", "ebpf");
  assert_remedy (trace, NULL);
  /* The caller is known, its name is not. */
  set_fact (unnamed, "collector", "ebpf");
  set_fact (unnamed, TB_FACT_REPAIRED_STACKS, "yes");
  assert_remedy (unnamed, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/pipes", test_pipes);
  g_test_add_func ("/threads/pipes/trace", test_pipes_trace);
  g_test_add_func ("/threads/reopened", test_reopened);
  g_test_add_func ("/threads/missing-caller", test_missing_caller);
  g_test_add_func ("/threads/known-caller", test_known_caller);
  g_test_add_func ("/threads/values", test_thread_values);
  g_test_add_func ("/threads/devices", test_devices);
  g_test_add_func ("/threads/disk-workers", test_disk_workers);
  g_test_add_func ("/threads/devices/timeline", test_devices_timeline);
  g_test_add_func ("/threads/runs", test_labels_of_runs);
  g_test_add_func ("/threads/arrows", test_arrows);
  g_test_add_func ("/threads/flames", test_flames);
  g_test_add_func ("/threads/selection", test_selection);
  g_test_add_func ("/threads/uncertain", test_uncertain);
  g_test_add_func ("/threads/lost-at-start", test_lost_at_start);
  g_test_add_func ("/threads/no-wakings", test_no_wakings);
  g_test_add_func ("/threads/no-events", test_no_events);
  g_test_add_func ("/threads/waking-grace", test_waking_grace);
  g_test_add_func ("/threads/compare", test_compare);
  g_test_add_func ("/threads/compare-selection", test_compare_selection);
  g_test_add_func ("/threads/round-trip", test_round_trip);
  g_test_add_func ("/threads/marks", test_marks);
  g_test_add_func ("/threads/marks/over-time", test_marks_over_time);
  g_test_add_func ("/threads/cancel", test_cancel);
  return recording_run_tests ();
}
