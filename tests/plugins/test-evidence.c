/* test-evidence.c: nothing is concluded from what was not recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report-reader.h"
#include "story.h"
#include "trace/tb-trace-evidence.h"

static const char *const analyses[]
    = { "threads", "control-paths", "wait-graph", "latency-peaks", "calling-contexts", "locks" };

/* A thread is sampled each ms, forks another, and is not sampled for 80 ms in between, in which it
 * slept or not: as "perf record -g" records it. */
static TbTrace *
open_samples (void)
{
  Story *story = story_new ("main worker");

  for (guint ms = 1; ms <= 10; ms++)
    story_sample (story, ms * 1000, 0, 11, "main;compute");
  story_fork (story, 10500, 0, 11, 12);
  for (guint ms = 91; ms <= 100; ms++)
    story_sample (story, ms * 1000, 0, 11, "main;compute");
  for (guint ms = 20; ms <= 40; ms++)
    story_sample (story, ms * 1000, 1, 12, "start;work");
  story_exit (story, 101000, 0, 11);
  return story_open (story);
}

static void
add_work (Story *story)
{
  story_switch (story, 0, 0, 0, "R", 11);
  story_sample (story, 1000, 0, 11, "main;compute");
  story_switch_with_stack (story, 2000, 0, 11, "S", 0, "main;read");
  story_switch (story, 5000, 0, 0, "R", 11);
  story_switch (story, 6000, 0, 11, "S", 0);
}

static void
assert_null (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  g_assert_true (json_object_get_null_member (object, member));
}

static JsonObject *
get_evidence (TbReport *report)
{
  g_assert_nonnull (tb_report_get_evidence (report));
  return json_node_get_object (tb_report_get_evidence (report));
}

static void
assert_strings (JsonObject *object, const char *member, const char *expected)
{
  g_autofree char *found = summary_join_strings (object, member);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_samples_evidence (void)
{
  g_autoptr (TbTrace) trace = open_samples ();
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *evidence = get_evidence (report);

  g_assert_cmpstr (json_object_get_string_member (evidence, "switches"), ==, "none");
  g_assert_cmpstr (json_object_get_string_member (evidence, "samples"), ==, "time");
  g_assert_false (json_object_get_boolean_member (evidence, "wakings"));
  g_assert_false (json_object_get_boolean_member (evidence, "calls"));
  assert_strings (evidence, "answers", "profile");
  assert_strings (evidence, "missing", "running waiting waiting-for-cpu causes functions calls");
  g_assert_true (report_has_warning (report, "perf record -a -g -e sched:sched_switch"));
}

/* No state of any thread is known, though one was forked. */
static void
test_samples_states (void)
{
  g_autoptr (TbTrace) trace = open_samples ();
  const TbIntervals *intervals = tb_trace_get_intervals (trace);

  g_assert_cmpuint (intervals->n, >, 0);
  for (gsize i = 0; i < intervals->n; i++)
    g_assert_cmpuint (intervals->state[i], ==, TB_STATE_UNKNOWN);
  g_assert_false (tb_trace_has_states (trace, recording_find_thread (trace, 11)));
}

static void
test_samples_threads (void)
{
  static const char *const unknown[]
      = { "running_ns", "runnable_ns", "interruptible_ns", "uninterruptible_ns", "stopped_ns",
          "switches",   "waits" };
  g_autoptr (TbTrace) trace = open_samples ();
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *thread = summary_get_element (report_get_summary (report), "threads", 0);

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    assert_null (thread, unknown[i]);
  /* The thread with the most samples comes first. */
  g_assert_cmpint (summary_get_int (thread, "tid"), ==, 12);
  g_assert_cmpint (summary_get_int (thread, "samples"), ==, 21);
  g_assert_cmpint (summary_get_int (thread, "unknown_ns"), ==,
                   summary_get_int (thread, "last_ns") - summary_get_int (thread, "first_ns"));
  g_assert_null (strstr (tb_report_get_headline (report), " ran 0"));
  g_assert_nonnull (strstr (tb_report_get_headline (report), "41"));
}

/* No finding rests on states that are unknown. */
/* Each sample stands for its period, here 1 ms, and the time between two is bridged up to three
 * periods. What is drawn is an estimate: no interval is drawn as running. */
static void
test_samples_timeline (void)
{
  Story *story = story_new ("main");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbTimelineFigure *timeline;
  guint index;
  g_autofree char *label = NULL;
  TbTimelineTrack track;
  gint64 estimated = 0;

  for (guint ms = 1; ms <= 100; ms += ms == 10 ? 81 : ms == 93 ? 3 : 1)
    story_add (story, ms * 1000, "0,sample,,,,,,,11,,1000000,,main;compute,,");
  story_exit (story, 101000, 0, 11);
  trace = story_open (story);
  report = report_run ("threads", trace, NULL, NULL);
  timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  index = report_find_track (timeline, "main");
  tb_timeline_figure_get_track (timeline, index, &track);
  for (gsize i = 0; i < track.n; i++)
    {
      g_assert_true (track.paint[i] == TB_PAINT_ESTIMATED || track.paint[i] == TB_PAINT_UNKNOWN);
      if (i > 0)
        g_assert_cmpint (track.start[i], ==, track.end[i - 1]);
      if (track.paint[i] == TB_PAINT_ESTIMATED)
        estimated += track.end[i] - track.start[i];
      if (track.start[i] == 90000000)
        {
          g_assert_cmpuint (track.paint[i], ==, TB_PAINT_ESTIMATED);
          g_assert_cmpint (track.end[i], ==, 100000000);
          label = tb_timeline_figure_get_label (timeline, index, i, TRUE);
        }
    }
  g_assert_nonnull (label);
  g_assert_nonnull (strstr (label, "estimated from 8 samples"));
  /* To 10 ms, and from 90 to 100 ms. */
  g_assert_cmpint (estimated, ==, 20000000);
}

static void
test_samples_findings (void)
{
  g_autoptr (TbTrace) trace = open_samples ();

  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) report = report_try (analyses[i], trace, NULL, &error, NULL);

      if (g_str_equal (analyses[i], "control-paths"))
        {
          g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
          continue;
        }
      g_assert_no_error (error);
      if (g_str_equal (analyses[i], "calling-contexts"))
        continue;
      g_assert_cmpuint (tb_report_get_n_findings (report), ==, 0);
    }
}

static void
test_samples_operations (void)
{
  g_autoptr (TbTrace) trace = open_samples ();
  g_autoptr (TbReport) report = report_run ("latency-peaks", trace, NULL, NULL);

  g_assert_cmpuint (summary_count (report_get_summary (report), "operations"), ==, 0);
}

static void
test_samples_graph (void)
{
  g_autoptr (TbTrace) trace = open_samples ();
  g_autoptr (TbReport) report = report_run ("wait-graph", trace, NULL, NULL);

  g_assert_nonnull (strstr (tb_report_get_headline (report), "unknown"));
  g_assert_cmpuint (summary_count (report_get_summary (report), "bottlenecks"), ==, 0);
}

/* Wake-ups alone do not show that the woken thread waited, or how long. */
static void
test_wakeups (void)
{
  Story *story = story_new ("main worker");
  g_autoptr (TbTrace) trace = NULL;
  const TbIntervals *intervals;

  for (guint ms = 1; ms <= 10; ms++)
    story_wake (story, ms * 1000, 0, 11, 12);
  trace = story_open (story);
  intervals = tb_trace_get_intervals (trace);
  for (gsize i = 0; i < intervals->n; i++)
    g_assert_cmpuint (intervals->state[i], ==, TB_STATE_UNKNOWN);
  g_assert_cmpint (tb_trace_get_evidence (trace)->switches, ==, TB_SWITCHES_NONE);
}

static void
test_switches (void)
{
  Story *story = story_new ("main");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *evidence, *thread;

  add_work (story);
  trace = story_open (story);
  report = report_run ("threads", trace, NULL, NULL);
  evidence = get_evidence (report);
  assert_strings (evidence, "answers", "profile running waiting functions");
  assert_strings (evidence, "missing", "waiting-for-cpu causes calls");
  thread = summary_get_element (report_get_summary (report), "threads", 0);
  g_assert_cmpint (summary_get_int (thread, "running_ns"), ==, 3000000);
  g_assert_cmpint (summary_get_int (thread, "waits"), ==, 1);
  /* When the sleep ended is not known. */
  assert_null (thread, "runnable_ns");
  assert_null (thread, "waiting_ns");
  g_assert_cmpint (summary_get_int (thread, "runnable_low_ns"), ==, 0);
  g_assert_cmpint (summary_get_int (thread, "waiting_high_ns"), ==, 3000000);
}

/* Without wake-ups, a thread waited for a CPU at least while it was preempted. */
static void
test_preempted (void)
{
  Story *story = story_new ("main other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *thread;
  TbFinding *finding;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 2000, 0, 11, "R", 12);
  story_switch (story, 6000, 0, 12, "S", 11);
  story_switch (story, 8000, 0, 11, "S", 12);
  story_switch (story, 9000, 0, 12, "S", 0);
  trace = story_open (story);
  report = report_run ("threads", trace, NULL, NULL);
  thread = summary_find (report_get_summary (report), "threads", "name", "main");
  assert_null (thread, "runnable_ns");
  g_assert_cmpint (summary_get_int (thread, "runnable_low_ns"), ==, 4000000);
  finding = findings_get_with (report, "cpu-contention", "thread", "main");
  finding_assert_integer (finding, "runnable_low_ns", 4000000);
  g_assert_nonnull (strstr (tb_finding_get_text (finding), "at least 4"));
}

/* Without what ended the waits, no thread is idle, and nothing is saturated or not. Without the
 * switches, no change can be replayed. */
static void
test_no_causes (void)
{
  Story *story = story_new ("main other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbTrace) samples = NULL;
  g_autoptr (GError) error = NULL;

  add_work (story);
  trace = story_open (story);
  report = report_run ("wait-graph", trace, NULL, NULL);
  g_assert_cmpuint (findings_count (report, "idle-threads"), ==, 0);
  g_assert_cmpuint (findings_count (report, "no-saturation"), ==, 0);
  g_clear_object (&report);
  samples = open_samples ();
  report = report_try ("wait-graph", samples, NULL, &error, "what-if", "cpus=2", NULL);
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_assert_null (report);
  g_assert_nonnull (strstr (error->message, "sched:sched_waking"));
  g_assert_null (strchr (error->message, '\n'));
}

/* A thread is off its CPU for a part of the time, preempted or for an unknown reason. */
static TbTrace *
open_without_wakeups (const char *state)
{
  Story *story = story_new ("main other");

  story_switch (story, 0, 0, 0, "R", 11);
  for (guint ms = 1; ms < 40; ms += 4)
    {
      story_switch (story, ms * 1000, 0, 11, state, 12);
      story_switch (story, (ms + 1) * 1000, 0, 12, state, 11);
    }
  story_switch (story, 40000, 0, 11, "R", 11);
  return story_open (story);
}

/* Without wake-ups, no wait limits the throughput if nothing waited, which is not known of a thread
 * that left its CPU for an unknown reason. How long threads were runnable is known then, too, in
 * sentences as in figures. */
static void
test_waits_without_wakeups (void)
{
  for (guint is_known = 0; is_known < 2; is_known++)
    {
      g_autoptr (TbTrace) trace = open_without_wakeups (is_known ? "R" : "-");
      g_autoptr (TbReport) report = report_run ("wait-graph", trace, NULL, NULL);
      JsonObject *summary = report_get_summary (report);
      JsonObject *vertex = summary_find (summary, "vertices", "name", "main");
      TbGraphFigure *graph = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
      g_autofree char *text = tb_report_to_text (report, 0);
      guint index = 0;

      while (!g_str_equal (tb_graph_figure_get_vertex (graph, index)->name, "main"))
        index++;
      g_test_message ("%s: %s", tb_report_get_headline (report),
                      tb_graph_figure_get_vertex (graph, index)->detail);
      g_assert_cmpint (tb_trace_get_evidence (trace)->switches, ==, TB_SWITCHES_SYSTEM);
      /* Both threads run or are runnable all the time. */
      g_assert_cmpuint (findings_count (report, "execution-bottleneck"), ==, is_known ? 2 : 0);
      g_assert_cmpuint (findings_count (report, "unknown-time"), ==, !is_known);
      g_assert_true ((strstr (tb_report_get_headline (report), "unknown") == NULL) == is_known);
      g_assert_true (json_object_get_null_member (vertex, "runnable_ns") == !is_known);
      g_assert_true (g_str_has_suffix (tb_graph_figure_get_vertex (graph, index)->detail, "—")
                     == !is_known);
      g_assert_true ((strstr (text, "runnable without a CPU") != NULL) == is_known);
    }
}

/* A recording of a process and what it starts has the runs of another thread just before and after
 * theirs. What it did else is unknown, also if one of them wakes it. */
static void
test_outside_of_target (void)
{
  Story *story = story_new ("main");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *thread;

  g_string_prepend (story, "# fact: scope=command\n# fact: target-pid=10\n");
  story_name (story, 99, "cc1/cc1", 98);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 1000, 0, 11, "S", 99);
  story_switch (story, 2000, 0, 99, "R", 11);
  story_switch (story, 3000, 0, 11, "S", 99);
  story_switch (story, 4000, 0, 99, "S", 11);
  story_wake (story, 4500, 0, 11, 99);
  story_switch (story, 5000, 0, 11, "S", 99);
  trace = story_open (story);
  report = report_run ("threads", trace, NULL, NULL);
  thread = summary_find (report_get_summary (report), "threads", "name", "cc1");
  g_assert_cmpint (summary_get_int (thread, "running_ns"), ==, 2000000);
  g_assert_cmpint (summary_get_int (thread, "runnable_ns"), ==, 0);
  g_assert_cmpint (summary_get_int (thread, "waiting_ns"), ==, 0);
  g_assert_cmpint (summary_get_int (thread, "unknown_ns"), ==, 3000000);
  thread = summary_find (report_get_summary (report), "threads", "name", "main");
  g_assert_cmpint (summary_get_int (thread, "waits"), ==, 2);
}

/* A comparison has what both recordings have. */
static void
test_comparison (void)
{
  g_autoptr (TbTrace) samples = open_samples ();
  Story *story = story_new ("main");
  g_autoptr (TbTrace) switches = NULL;
  g_autoptr (TbReport) report = NULL;

  add_work (story);
  switches = story_open_as (story, "switches");
  report = report_compare ("threads", samples, switches, NULL, NULL);
  assert_strings (get_evidence (report), "answers", "profile");
}

/* The evidence survives JSON, and a report without it is read too. */
static void
test_json (void)
{
  g_autoptr (TbTrace) trace = open_samples ();
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) again = tb_report_from_json (node, &error);
  g_autoptr (TbReport) without = NULL;

  g_assert_no_error (error);
  g_assert_true (json_node_equal (tb_report_get_evidence (report), tb_report_get_evidence (again)));
  json_object_remove_member (json_node_get_object (node), "evidence");
  without = tb_report_from_json (node, &error);
  g_assert_no_error (error);
  g_assert_null (tb_report_get_evidence (without));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/evidence/outside-of-target", test_outside_of_target);
  g_test_add_func ("/evidence/samples/evidence", test_samples_evidence);
  g_test_add_func ("/evidence/preempted", test_preempted);
  g_test_add_func ("/evidence/no-causes", test_no_causes);
  g_test_add_func ("/evidence/waits-without-wake-ups", test_waits_without_wakeups);
  g_test_add_func ("/evidence/samples/states", test_samples_states);
  g_test_add_func ("/evidence/samples/threads", test_samples_threads);
  g_test_add_func ("/evidence/samples/timeline", test_samples_timeline);
  g_test_add_func ("/evidence/samples/findings", test_samples_findings);
  g_test_add_func ("/evidence/samples/operations", test_samples_operations);
  g_test_add_func ("/evidence/samples/graph", test_samples_graph);
  g_test_add_func ("/evidence/wakeups", test_wakeups);
  g_test_add_func ("/evidence/switches", test_switches);
  g_test_add_func ("/evidence/comparison", test_comparison);
  g_test_add_func ("/evidence/json", test_json);
  return recording_run_tests ();
}
