/* test-wait-graph-input.c: test of the analysis "wait-graph" on faulty recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
test_no_wakings (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 1000, 0, 11, "S", 12);
  story_switch (story, 5000, 0, 12, "S", 11);
  story_switch (story, 9000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpuint (summary_count (summary, "edges"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "unmatched_waits"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (summary, "unmatched_ns"), ==, 8 * MS);
  g_assert_true (report_has_warning (report, "No wake-ups were recorded"));
  /* The wait of B was not over at the end of the recording. */
  g_assert_cmpint (json_object_get_int_member (summary, "open_waits"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (summary, "open_ns"), ==, 4 * MS);
  g_assert_true (report_has_warning (report, "1 wait of 4 ms (50 % of the waiting) has no known "
                                             "end"));
}

/* The command A waits for B of another program, and still waits at the end. A third program waits
 * three times, and what ended that was not reported; with_loss: also once of A. */
static TbReport *
analyze_losses_outside (gboolean with_loss)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;

  g_string_append (story, "# fact: command-pid=11\n");
  story_name (story, 11, "A", 11);
  story_name (story, 12, "B", 12);
  story_name (story, 13, "C", 13);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep (story, 1000, 3000, 0, 11, 1, 12);
  story_switch (story, 0, 2, 0, "R", 13);
  for (gint64 i = 1; i < 4; i++)
    {
      story_switch (story, 1000 * i, 2, 13, "S", 0);
      story_switch (story, 1000 * i + 900, 2, 0, "R", 13);
    }
  if (with_loss)
    {
      story_switch (story, 4000, 0, 11, "S", 0);
      story_switch (story, 5000, 0, 0, "R", 11);
    }
  story_switch (story, 6000, 0, 11, "S", 0);
  story_switch (story, 9000, 1, 12, "S", 0);
  trace = story_open_as (story, with_loss ? "loss" : "loss-outside");
  return wait_graph_analyze_command (trace, NULL);
}

/* Waits of other programs, and those that were not over at the end, are missing in no result. */
static void
test_losses_outside (void)
{
  g_autoptr (TbReport) report = analyze_losses_outside (FALSE);
  g_autoptr (TbReport) with_loss = analyze_losses_outside (TRUE);
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpint (json_object_get_int_member (summary, "unmatched_waits"), >=, 4);
  g_assert_cmpint (json_object_get_int_member (summary, "open_waits"), >=, 1);
  g_assert_false (report_has_warning (report, "no known end"));
  g_assert_true (report_has_warning (with_loss, "1 wait of 1 ms (17 % of the waiting) has no known "
                                                "end"));
}

/* A waits for B from 1 to 3 ms, recorded by sched_wakeup and, with_waking, also by sched_waking. */
static TbTrace *
record_wakeups (gboolean with_waking)
{
  TbRecorder *recorder = recording_new (with_waking ? "both" : "late");
  TbEvent event;

  for (gint32 i = 0; i < 2; i++)
    {
      recording_name (recorder, 11 + i, i == 0 ? "A" : "B", -1);
      recording_switch (recorder, 0, (guint16) i, 0, 'R', 11 + i);
    }
  recording_switch (recorder, 1 * MS, 0, 11, 'S', 0);
  event = recording_make_event (3 * MS, TB_EVENT_WAKEUP, 1, 12);
  event.a = 11;
  if (with_waking)
    tb_recorder_add (recorder, &event);
  event.flags = TB_WAKEUP_LATE;
  tb_recorder_add (recorder, &event);
  recording_switch (recorder, 3 * MS, 0, 0, 'R', 11);
  recording_switch (recorder, 4 * MS, 0, 11, 'R', 0);
  return recording_open (recorder);
}

static void
test_sched_wakeup_alone (void)
{
  for (gint with_waking = FALSE; with_waking <= TRUE; with_waking++)
    {
      g_autoptr (TbTrace) trace = record_wakeups (with_waking);
      g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);

      wait_graph_assert_edge (wait_graph_get_summary (report), "A", "B", 2 * MS, 2 * MS, 1);
      g_assert_cmpint (report_has_warning (report, "sched_wakeup only"), ==, !with_waking);
      g_assert_false (report_has_warning (report, "No wake-ups were recorded"));
    }
}

/* Nothing is joined across a lost range: a wait that it cuts is not in the graph. */
static void
test_losses (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep (story, 1000, 2000, 0, 11, 1, 12);
  story_switch (story, 3000, 0, 11, "S", 0);
  story_switch (story, 4000, 1, 12, "R", 12);
  story_add (story, 5000, "1,lost,,,,,,,,,7,,,,");
  story_wake (story, 8000, 1, 12, 11);
  story_switch (story, 8000, 0, 0, "R", 11);
  story_switch (story, 9000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "A", "B", 1 * MS, 1 * MS, 1);
  g_assert_true (report_has_warning (report, "lost"));
}

/* An impossible cycle of busy waits is cut, counted and reported. */
static void
test_circle (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_add (story, 1000, "0,spin_begin,,,,,,,11,,,,,,");
  story_add (story, 2000, "1,spin_begin,,,,,,,12,,,,,,");
  story_add (story, 4000, "0,spin_end,,,,12,,,11,,,,,,");
  story_add (story, 5000, "1,spin_end,,,,11,,,12,,,,,,");
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 1);
  g_assert_true (report_has_warning (report, "would close a circle"));
  wait_graph_assert_edge (summary, "A", "B", 3 * MS, 3 * MS, 1);
  /* B → A was cut: A waits for B for 2 of its 3 ms, and the chain ends there. */
  wait_graph_assert_edge (summary, "B", "A", 5 * MS, 3 * MS, 1);
}

static void
test_alone_and_nothing (void)
{
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbTrace) empty = NULL;
  g_autoptr (TbReport) nothing = NULL;
  g_autofree char *text = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 4000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  finding_assert_string (findings_get (report, "execution-bottleneck"), "name", "A (11)");
  finding_assert_number (findings_get (report, "execution-bottleneck"), "running_share", 1);
  g_assert_cmpuint (summary_count (wait_graph_get_summary (report), "edges"), ==, 0);

  empty = story_open (story_new ("A"));
  nothing = wait_graph_analyze (empty, NULL);
  g_assert_cmpint (json_object_get_int_member (wait_graph_get_summary (nothing), "recorded_ns"), ==,
                   0);
  text = tb_report_to_text (nothing, 80);
  g_assert_nonnull (text);
}

/* All threads sleep from the beginning to the end. An earlier wake-up shows that these are
 * recorded. What they sleep for is not known, so the report has no requests. */
static void
test_idle (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_wake (story, 50, 0, 11, 12);
  story_switch (story, 100, 0, 11, "S", 12);
  story_switch (story, 200, 0, 12, "S", 0);
  story_switch (story, 10000, 0, 0, "R", 0);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  findings_get (report, "mostly-asleep");
  g_assert_cmpuint (findings_count (report, "no-saturation"), ==, 0);
  g_assert_null (strstr (tb_report_get_headline (report), "request"));
  g_assert_cmpint (json_object_get_int_member (wait_graph_get_summary (report), "unmatched_waits"),
                   ==, 2);
}

/* What a thread did for more than half of the time was not recorded: it may have been busy, so
 * neither it nor the whole is idle. */
static void
test_unknown_load (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_wake (story, 50, 0, 11, 12);
  story_switch (story, 100, 0, 11, "S", 12);
  story_add (story, 200, "0,lost,,,,,,,,,7,,,,");
  story_switch (story, 9000, 0, 12, "S", 0);
  story_switch (story, 10000, 0, 0, "R", 0);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  g_assert_cmpuint (findings_count (report, "no-saturation"), ==, 0);
  g_assert_cmpuint (findings_count (report, "idle-threads"), ==, 0);
  g_assert_nonnull (strstr (tb_report_get_headline (report), "unknown"));
}

/* The waker was never recorded running, or is not even named. */
static void
test_unrecorded_wakers (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep (story, 1000, 3000, 0, 11, 3, 99);
  story_sleep (story, 5000, 6000, 0, 11, 4, -1);
  story_sleep (story, 1000, 8000, 1, 12, 0, 11);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "A", "thread 99", 4 * MS, 2 * MS, 1);
  wait_graph_assert_edge (summary, "A", "unknown", 2 * MS, 1 * MS, 1);
  wait_graph_assert_edge (summary, "B", "A", 7 * MS, 7 * MS, 1);
  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
}

/* All events are simultaneous, again and again: no wait is longer than 0, none is negative, none
 * stays open. */
static void
test_equal_times (void)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  for (int t = 0; t < 3000; t += 1000)
    for (int tid = 11; tid <= 13; tid++)
      {
        story_switch (story, t, tid - 11, 0, "R", tid);
        story_sleep (story, t, t, tid - 11, tid, tid == 13 ? 0 : tid - 10,
                     tid == 13 ? 11 : tid + 1);
        story_switch (story, t, tid - 11, tid, "R", 0);
      }
  story_switch (story, 3000, 0, 0, "R", 11);
  story_sleep (story, 3000, 7000, 0, 11, 1, 12);
  story_switch (story, 7000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "A", "B", 4 * MS, 4 * MS, 1);
  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    g_assert_cmpint (json_object_get_int_member (summary_get_element (summary, "edges", i),
                                                 "weight_ns"),
                     >=, 0);
  for (guint i = 0; i < summary_count (summary, "vertices"); i++)
    {
      JsonObject *vertex = summary_get_element (summary, "vertices", i);

      g_assert_cmpint (json_object_get_int_member (vertex, "waiting_ns"), ==,
                       g_str_equal (json_object_get_string_member (vertex, "name"), "A") ? 4 * MS
                                                                                         : 0);
    }
}

/* Each thread is woken by one that sleeps itself, in a cycle. is_outside: the recorded command is
 * another program. */
static TbTrace *
open_circle_of_wakers (gboolean is_outside)
{
  Story *story = story_new ("A B C");

  if (is_outside)
    {
      g_string_append (story, "# fact: command-pid=20\n");
      story_name (story, 20, "tool", 20);
      story_switch (story, 0, 4, 0, "R", 20);
      story_switch (story, 9000, 4, 20, "S", 0);
    }
  for (int tid = 11; tid <= 13; tid++)
    {
      story_switch (story, 0, tid - 11, 0, "R", tid);
      story_switch (story, 1000, tid - 11, tid, "S", 0);
    }
  for (int tid = 11; tid <= 13; tid++)
    story_wake (story, 5000, 3, tid == 13 ? 11 : tid + 1, tid);
  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 5000, tid - 11, 0, "R", tid);
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open_as (story, is_outside ? "circle-outside" : "circle");
}

static void
test_wrong_wakers (void)
{
  g_autoptr (TbTrace) trace = open_circle_of_wakers (FALSE);
  g_autoptr (TbTrace) outside = open_circle_of_wakers (TRUE);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) of_tool = wait_graph_analyze_command (outside, NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 1);
  g_assert_true (report_has_warning (report, "would close a circle"));
  g_assert_cmpint (json_object_get_int_member (wait_graph_get_summary (of_tool), "cycles_cut"), ==,
                   1);
  g_assert_false (report_has_warning (of_tool, "would close a circle"));
  /* The last wait to begin is cut: the chains of the others end there, so no weight exceeds three
   * delays. */
  wait_graph_assert_edge (summary, "A", "B", 4 * MS, 4 * MS, 1);
  wait_graph_assert_edge (summary, "B", "C", 8 * MS, 4 * MS, 1);
  wait_graph_assert_edge (summary, "C", "A", 12 * MS, 4 * MS, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/input/alone-and-nothing", test_alone_and_nothing);
  g_test_add_func ("/wait-graph/input/circle", test_circle);
  g_test_add_func ("/wait-graph/input/equal-times", test_equal_times);
  g_test_add_func ("/wait-graph/input/idle", test_idle);
  g_test_add_func ("/wait-graph/input/unknown-load", test_unknown_load);
  g_test_add_func ("/wait-graph/input/losses", test_losses);
  g_test_add_func ("/wait-graph/input/losses-outside", test_losses_outside);
  g_test_add_func ("/wait-graph/input/no-wakings", test_no_wakings);
  g_test_add_func ("/wait-graph/input/sched-wakeup-alone", test_sched_wakeup_alone);
  g_test_add_func ("/wait-graph/input/unseen-wakers", test_unrecorded_wakers);
  g_test_add_func ("/wait-graph/input/wrong-wakers", test_wrong_wakers);
  return recording_run_tests ();
}
