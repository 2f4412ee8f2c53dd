/* test-calling-contexts.c: test of the analysis "calling-contexts" on recordings from text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "../test-mode.h"
#include "calling-contexts-fixture.h"

/* --- figures of the paper --- */

static void
test_table_1 (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/calling-contexts-figure-3.csv");
  g_autoptr (TbReport) conservative = contexts_analyze (trace, "estimate", "conservative", NULL);
  g_autoptr (TbReport) aggressive = contexts_analyze (trace, "estimate", "aggressive", NULL);
  JsonObject *summary = report_get_summary (conservative);

  /* A(t1,t4), B(t1,t2), D(t1,t2), C(t3,t4), D'(t3,t3) */
  g_assert_cmpint (json_object_get_int_member (summary, "instances"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (summary, "contexts"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (summary, "functions"), ==, 4);
  g_assert_cmpuint (summary_count (report_get_summary (conservative), "paths"), ==, 2);
  contexts_assert_path (conservative, 1, 500, "A 600/200 C 300/300* D 0/0");
  contexts_assert_path (conservative, 2, 300, "A 600/200* B 100/0 D 100/100");
  /* Each function ends where another one begins. */
  contexts_assert_path (aggressive, 1, 300, "A 600/0 B 300/0 D 300/300*");
  contexts_assert_path (aggressive, 2, 300, "A 600/0 C 300/0 D 300/300*");
}

static void
test_figure_4 (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/calling-contexts-figure-4.csv");
  g_autoptr (TbReport) report = contexts_analyze (trace, "estimate", "aggressive", NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *module;

  contexts_assert_path (report, 1, 800, "A 1000/500* B 300/200 D 100/100");
  contexts_assert_path (report, 2, 700, "A 1000/500* C 200/200");
  g_assert_cmpfloat (json_object_get_double_member (summary_get_element (summary, "paths", 0),
                                                    "share"),
                     ==, 0.8);
  g_assert_cmpfloat (json_object_get_double_member (summary_get_element (summary, "paths", 1),
                                                    "share"),
                     ==, 0.2);
  module = summary_get_element (summary, "modules", 1);
  g_assert_cmpstr (json_object_get_string_member (module, "module"), ==, "lib");
  g_assert_cmpint (json_object_get_int_member (module, "own_ns"), ==, 400);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (summary, "layers"),
                                               "kernel_ns"),
                   ==, 100);
}

/* --- ends and boundaries of calls --- */

static gint64
get_longest (TbReport *report, const char *item)
{
  TbTableFigure *frames = TB_TABLE_FIGURE (tb_report_find_figure (report, "frames"));
  guint row = 0, column = 0;

  while (!g_str_equal (tb_table_figure_get_row_item (frames, row), item))
    row++;
  while (!g_str_equal (tb_table_figure_get_column_id (frames, column), "longest"))
    column++;
  return tb_table_figure_get_integer (frames, row, column);
}

static void
test_returns_split (void)
{
  /* Two calls of one function in one context are two instances in the kernel. */
  g_autoptr (TbTrace) trace
      = story_open_lines ("split", STACK (100, "sys_enter", "main;read;sys_read@[kernel]")
                                       LINE (300, "sys_exit", ",,,,,,11,,0,,,,")
                                           STACK (400, "sys_enter", "main;read;sys_read@[kernel]")
                                               LINE (900, "sys_exit", ",,,,,,11,,0,,,,")
                                                   STACK (1000, "mark", "main"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  JsonObject *path = summary_get_element (report_get_summary (report), "paths", 0);
  JsonObject *frame = summary_get_element (path, "frames", 2);

  g_assert_cmpstr (json_object_get_string_member (frame, "function"), ==, "sys_read");
  g_assert_cmpint (json_object_get_int_member (frame, "count"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (summary_get_element (path, "frames", 1), "count"),
                   ==, 1);
  /* The boundaries are the ends of the calls; the second call began between two events. */
  g_assert_cmpint (json_object_get_int_member (frame, "total_ns"), >=, 700);
  g_assert_cmpint (json_object_get_int_member (frame, "total_ns"), <=, 800);
  /* The second is the longest call in those estimates that know its duration. */
  g_assert_cmpint (summary_get_int (json_object_get_object_member (frame, "total"), "aggressive"),
                   ==, 700);
  g_assert_cmpint (summary_get_int (json_object_get_object_member (frame, "longest"), "aggressive"),
                   ==, 500);
  g_assert_cmpint (summary_get_int (json_object_get_object_member (frame, "longest"),
                                    "conservative"),
                   ==, 0);
  g_assert_cmpint (summary_get_int (json_object_get_object_member (frame, "longest"), "refined"),
                   ==, summary_get_int (frame, "longest_ns"));
  g_assert_cmpint (summary_get_int (frame, "longest_ns"), >=, 500);
  g_assert_cmpint (get_longest (report, "1/2"), ==, summary_get_int (frame, "longest_ns"));
}

static void
test_sleep_stays_inside (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("sleep",
                          LINE (0, "switch", "0,R,11,,,,,,,,,,")
                              LINE (100, "switch", "11,S,0,,,,,,,,wait_here;poll,,")
                                  LINE (5000, "switch", "0,R,11,,,,,,,,,,")
                                      LINE (5300, "switch", "11,S,0,,,,,,,,wait_here;poll,,")
                                          LINE (6000, "switch", "0,R,11,,,,,,,,,,"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  contexts_assert_path (report, 1, 5900, "wait_here 5900/0 poll 5900/5900*");
}

static void
test_losses (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("lost", STACK (100, "mark", "a;b") STACK (200, "mark", "a;b")
                                      LINE (300, "lost", ",,,,,,,,7,,,,") STACK (400, "mark", "a;b")
                                          STACK (500, "mark", "a;b"));
  g_autoptr (TbReport) report = contexts_analyze (trace, "estimate", "conservative", NULL);

  /* Events were lost between any two stacks up to 300. */
  contexts_assert_path (report, 1, 100, "a 100/0 b 100/100*");
  g_assert_true (report_has_warning (report, "Lost events"));
  g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "instances"), ==, 6);
}

/* A new program has none of the old program's frames, and the exit of a thread ends all calls. */
static void
test_exec_and_exit (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("life",
                          STACK (100, "mark", "a;b") LINE (200, "exec", ",,,,,,11,,,/bin/new,,,")
                              STACK (300, "mark", "a;b") LINE (400, "exit", ",,,,,,11,,,,,,")
                                  LINE (900, "mark", ",,,,,,12,,,x,c,,")
                                      LINE (1000, "mark", ",,,,,,12,,,x,c,,"));
  g_autoptr (TbReport) aggressive = contexts_analyze (trace, "estimate", "aggressive", NULL);
  g_autoptr (TbReport) refined = contexts_analyze (trace, NULL);
  JsonObject *frame
      = summary_get_element (summary_get_element (report_get_summary (aggressive), "paths", 0),
                             "frames", 1);

  contexts_assert_path (aggressive, 1, 200, "a 200/0 b 200/200*");
  g_assert_cmpint (summary_get_int (frame, "count"), ==, 2);
  /* The call began at some time after the start of the new program, before which there was
   * nothing. */
  frame = summary_get_element (summary_get_element (report_get_summary (refined), "paths", 0),
                               "frames", 1);
  g_assert_cmpint (summary_get_int (frame, "total_ns"), >, 200);
  g_assert_cmpint (summary_get_int (frame, "total_ns"), <, 300);
}

/* Frames of a new program are unknown after lost events. */
static void
test_losses_at_start (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("lost-start",
                          LINE (100, "exec", ",,,,,,11,,,/bin/new,,,")
                              LINE (300, "lost", ",,,,,,,,7,,,,") STACK (400, "mark", "a;b")
                                  STACK (500, "mark", "a;b"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  contexts_assert_path (report, 1, 100, "a 100/0 b 100/100*");
  g_assert_cmpint (summary_get_int (json_object_get_object_member (report_get_summary (report),
                                                                   "events"),
                                    "losses_met"),
                   ==, 0);
}

/* Events were lost before the first call and after the last one: no call was cut. */
static void
test_losses_between_calls (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("lost-between", STACK (100, "mark", "a") STACK (200, "mark", "a")
                                              LINE (300, "lost", ",,,,,,,,7,,,,"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  g_assert_false (report_has_warning (report, "cut off 0"));
}

static void
test_events_option (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("events",
                          LINE (100, "switch", "0,R,11,,,,,,,,,,") STACK (100, "sample", "a")
                              STACK (200, "mark", "b") STACK (300, "sample", "a"));
  g_autoptr (TbReport) all = contexts_analyze (trace, NULL);
  g_autoptr (TbReport) samples
      = contexts_analyze (trace, "events", "sample", "estimate", "conservative", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (summary_count (report_get_summary (all), "paths"), ==, 2);
  contexts_assert_path (samples, 1, 200, "a 200/200*");
  g_assert_null (report_try ("calling-contexts", trace, NULL, &error, "events", "moon", NULL));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
}

#define SWITCH(time, rest) LINE (time, "switch", rest)

/* The finding names the function and the thread's state during its longest call. */
static void
test_reasons (void)
{
  static const struct
  {
    const char *state;
    const char *between;
  } cases[] = {
    { "running", "" },
    { "preempted", SWITCH (200, "11,R,0,,,,,,,,,,") SWITCH (800, "0,R,11,,,,,,,,,,") },
    { "waiting", SWITCH (200, "11,S,0,,,,,,,,a,,") LINE (790, "wakeup", ",,,0,11,,,,,,,,")
                     SWITCH (800, "0,R,11,,,,,,,,,,") },
    { "runnable", SWITCH (200, "11,S,0,,,,,,,,a,,") LINE (210, "wakeup", ",,,0,11,,,,,,,,")
                      SWITCH (800, "0,R,11,,,,,,,,,,") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *lines
          = g_strconcat (SWITCH (0, "0,R,11,,,,,,,,,,") STACK (100, "mark", "a"), cases[i].between,
                         STACK (900, "mark", "a") SWITCH (1000, "11,S,0,,,,,,,,,,"), NULL);
      g_autoptr (TbTrace) trace = story_open_lines (cases[i].state, lines);
      g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
      TbFinding *finding
          = findings_get_with (report, "costly-context", "longest_state", cases[i].state);
      const char *lead = tb_finding_find_item (finding, "wait-graph/wait-graph");
      gboolean waits = g_str_equal (cases[i].state, "waiting");
      guint n_threads;

      /* A wait has a lead to the thread that was waited for. */
      g_assert_true ((lead != NULL) == waits);
      g_assert_true (finding_is_null (finding, "longest_wait") == !waits);
      if (lead != NULL)
        g_assert_cmpuint (tb_finding_get_threads (finding, &n_threads)[0], ==,
                          g_ascii_strtoull (lead, NULL, 10));
    }
}

/* --- bad input --- */

static void
test_no_stacks (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("none", LINE (0, "switch", "0,R,11,,,,,,,,,,")
                                      LINE (100, "switch", "11,S,0,,,,,,,,,,"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  g_assert_cmpuint (summary_count (report_get_summary (report), "paths"), ==, 0);
  g_assert_true (report_has_warning (report, "No event has a stack"));
  findings_get (report, "no-stacks");
  g_assert_true (JSON_NODE_HOLDS_NULL (json_object_get_member (
      json_object_get_object_member (report_get_summary (report), "coverage"), "context_share")));
}

/* Stacks of one thread. Where a letter selects it, a stack is broken: it ends at libc. */
static TbTrace *
open_broken (const char *name, const char *letters)
{
  TbRecorder *recorder = recording_new (name);
  const guint32 whole[] = { tb_recorder_intern_named_frame (recorder, "main", "app", FALSE),
                            tb_recorder_intern_named_frame (recorder, "read", "libc", FALSE) };
  const guint8 fine[] = { 0, 0 }, flags[] = { TB_STACK_BROKEN };
  guint32 text = tb_recorder_intern_string (recorder, "mark", -1);

  tb_recorder_add_host (recorder, "host", "", "x86_64", 1, 0);
  for (guint i = 0; letters[i] != '\0'; i++)
    {
      TbEvent event
          = { .time = 100 * (i + 1), .kind = TB_EVENT_MARK, .tid = 11, .pid = 11, .text = text };

      event.stack = letters[i] == 'b' ? tb_recorder_intern_stack (recorder, &whole[1], flags, 1)
                                      : tb_recorder_intern_stack (recorder, whole, fine, 2);
      tb_recorder_add (recorder, &event);
    }
  return recording_open (recorder);
}

static void
test_broken (void)
{
  g_autoptr (TbTrace) some = open_broken ("some-broken", "wwbww");
  g_autoptr (TbTrace) all = open_broken ("all-broken", "bbbbb");
  g_autoptr (TbReport) of_some = contexts_analyze (some, NULL);
  g_autoptr (TbReport) of_all = contexts_analyze (all, NULL);
  JsonObject *events = json_object_get_object_member (report_get_summary (of_some), "events");

  /* A broken stack among whole ones is excluded, and reported. */
  contexts_assert_path (of_some, 1, 400, "main 400/0 read 400/400*");
  g_assert_cmpint (json_object_get_int_member (events, "broken_set_aside"), ==, 1);
  g_assert_true (report_has_warning (of_some, "do not reach the start of their thread; 1 of "
                                              "these were left out"));
  /* If all stacks are broken, they are used. */
  contexts_assert_path (of_all, 1, 400, "read 400/400*");
  g_assert_true (report_has_warning (of_all, "do not reach the start of their thread and are "
                                             "contexts of their own"));
}

static void
test_deep_recursion (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  for (guint i = 0; i < 20; i++)
    {
      g_string_append_printf (lines, "%u,0,mark,,,,,,,11,,,x,main", 100 * i);
      for (guint k = 0; k < 3000 - i % 3; k++)
        g_string_append (lines, ";again");
      g_string_append (lines, ",,\n");
    }
  trace = story_open_lines ("deep", lines->str);
  report = contexts_analyze (trace, NULL);
  g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "functions"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "contexts"), ==, 3);
}

/* --- single calls --- */

/* "100-200 …": times of the calls of a frame, which is found by the item of its cell. */
static char *
list_calls (TbReport *report, const char *item)
{
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  GString *text = g_string_new (NULL);
  TbGraphOccurrences calls;

  tb_graph_figure_get_occurrences (tree, tb_graph_figure_find_edge (tree, item), &calls);
  for (gsize i = 0; i < calls.n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, i > 0 ? " " : "",
                            calls.from[i], calls.to[i]);
  return g_string_free (text, FALSE);
}

/* Table 1 above asserts the order of the paths: A C D is the first of one estimate, A B D of the
 * other. */
static void
test_figure_3 (void)
{
  static const struct
  {
    const char *estimate, *item, *calls;
  } expected[] = {
    { "conservative", "1/0", "100-700" }, { "conservative", "1/1", "400-700" },
    { "conservative", "1/2", "400-400" }, { "conservative", "2/1", "100-200" },
    { "conservative", "2/2", "100-200" }, { "aggressive", "1/0", "100-700" },
    { "aggressive", "1/1", "100-400" },   { "aggressive", "1/2", "100-400" },
    { "aggressive", "2/1", "400-700" },   { "aggressive", "2/2", "400-700" },
  };
  g_autoptr (TbTrace) trace = story_open_file ("plugins/calling-contexts-figure-3.csv");

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (TbReport) report
          = contexts_analyze (trace, "estimate", expected[i].estimate, NULL);
      g_autofree char *calls = list_calls (report, expected[i].item);

      g_assert_cmpstr (calls, ==, expected[i].calls);
    }
}

static void
test_calls (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("calls",
                          STACK (0, "mark", "main;read@libc") STACK (100, "mark", "main;draw@app")
                              STACK (150, "mark", "main;read@libc")
                                  STACK (950, "mark", "main;draw@app")
                                      STACK (1000, "mark", "main"));
  g_autoptr (TbReport) report = contexts_analyze (trace, "estimate", "aggressive", NULL);
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  TbFigure *heat = tb_report_find_figure (report, "heat"),
           *frames = tb_report_find_figure (report, "frames");
  TbHistogramFigure *histogram = TB_HISTOGRAM_FIGURE (tb_report_find_figure (report, "calls"));
  TbGraphOccurrences calls;
  guint edge, shared, last;
  guint64 n_calls, ns;

  /* A cell of the heat map refers to the calls of its frame; the calls of "read" are the
   * hottest. */
  g_assert_cmpstr (tb_figure_get_item_owner (heat), ==, "tree");
  g_assert_cmpstr (tb_figure_get_item_owner (frames), ==, "tree");
  edge = tb_graph_figure_find_edge (tree, "1/1");
  g_assert_cmpuint (edge, !=, TB_ID_NONE);
  g_assert_cmpstr (
      tb_graph_figure_get_vertex (tree, tb_graph_figure_get_edge (tree, edge)->to)->name, ==,
      "read");
  tb_graph_figure_get_occurrences (tree, edge, &calls);
  g_assert_cmpuint (calls.n, ==, 2);
  g_assert_cmpint (calls.from[0], ==, 0);
  g_assert_cmpint (calls.to[0], ==, 100);
  g_assert_cmpint (calls.from[1], ==, 150);
  g_assert_cmpint (calls.to[1], ==, 950);
  g_assert_cmpuint (calls.thread[0], ==, calls.thread[1]);
  /* The highest row is the first path: its hottest frame is marked 0, the caller 1, as in
   * IntroPerf's Figure 7. */
  last = tb_heatmap_figure_get_n_rows (TB_HEATMAP_FIGURE (heat)) - 1;
  g_assert_cmpuint (tb_heatmap_figure_get_number (TB_HEATMAP_FIGURE (heat), last, 0), ==, 1);
  g_assert_cmpuint (tb_heatmap_figure_get_number (TB_HEATMAP_FIGURE (heat), last, 1), ==, 0);
  /* A frame shared by paths is one edge. */
  shared = tb_graph_figure_find_edge (tree, "1/0");
  g_assert_cmpuint (shared, ==, tb_graph_figure_find_edge (tree, "2/0"));
  g_assert_cmpuint (tb_graph_figure_find_edge (tree, "3/0"), ==, TB_ID_NONE);
  tb_graph_figure_get_occurrences (tree, shared, &calls);
  g_assert_cmpuint (calls.n, ==, 1);

  tb_histogram_figure_get_sum (histogram, 0, 0, tb_histogram_figure_get_n_bins (histogram),
                               &n_calls, &ns);
  g_assert_cmpuint (n_calls, ==, 2);
  g_assert_cmpuint (ns, ==, 900);
}

/* --- coverage --- */

/* A recording from 0 to 1000 of the session clock. Thread 11 is known all the time, 12 never, and
 * 13 for about the first half. */
static TbTrace *
open_half_known (const char *name, int half)
{
  g_autofree char *lines = g_strdup_printf (
      STACK (0, "mark", "a") LINE (0, "mark", ",,,,,,13,,,x,a;b,,")
          LINE (100, "mark", ",,,,,,12,,,x,,,") "%d,0,mark,,,,,,,13,,,x,a;b,,\n" LINE (
              900, "mark", ",,,,,,12,,,x,,,") STACK (1000, "mark", "a"),
      half);

  return story_open_lines (name, lines);
}

static void
assert_thread (TbReport *report, guint index, gint64 tid, gint64 covered, double share)
{
  JsonObject *coverage = json_object_get_object_member (report_get_summary (report), "coverage");
  JsonObject *thread = summary_get_element (coverage, "threads", index);
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "coverage"));

  g_assert_cmpint (summary_get_int (thread, "tid"), ==, tid);
  g_assert_cmpint (summary_get_int (thread, "covered_ns"), ==, covered);
  g_assert_cmpint (summary_get_int (thread, "life_ns"), ==, 1000);
  g_assert_cmpfloat (json_object_get_double_member (thread, "wall_share"), ==, share);
  g_assert_cmpint (tb_table_figure_get_integer (table, index, 1), ==, covered);
  g_assert_cmpfloat (tb_table_figure_get_double (table, index, 3), ==, share);
}

static void
test_coverage (void)
{
  g_autoptr (TbTrace) half = open_half_known ("half", 500);
  g_autoptr (TbTrace) less = open_half_known ("less", 499);
  g_autoptr (TbReport) report = contexts_analyze (half, "estimate", "conservative", NULL);
  g_autoptr (TbReport) of_less = contexts_analyze (less, "estimate", "conservative", NULL);
  g_autoptr (TbReport) compared = contexts_compare (half, less, "estimate", "conservative", NULL);
  g_autofree char *text = tb_report_to_text (report, 0);

  assert_thread (report, 0, 11, 1000, 1);
  assert_thread (report, 1, 13, 500, 0.5);
  assert_thread (report, 2, 12, 0, 0);
  g_assert_cmpfloat (json_object_get_double_member (
                         json_object_get_object_member (report_get_summary (report), "coverage"),
                         "wall_share"),
                     ==, 0.5);
  g_assert_nonnull (
      strstr (text, "A function is known for 50 % of the threads' time; there are too few"));
  /* The warning is shown for less than half only. */
  g_assert_false (report_has_warning (report, "Stacks show where threads were"));
  g_assert_cmpfloat (json_object_get_double_member (
                         json_object_get_object_member (report_get_summary (of_less), "coverage"),
                         "wall_share"),
                     ==, 1499 / 3000.0);
  g_assert_true (
      report_has_warning (of_less, "Stacks show where threads were for 50 % of their time only"));
  g_assert_true (report_has_warning (compared, "Other recording: Stacks show where threads were"));
}

/* Good-Turing estimate: 1 minus the share of events in contexts that occurred once, given at least
 * 100 events. */
static void
test_unseen (void)
{
  static const guint n_events[] = { 99, 120 };

  for (guint i = 0; i < G_N_ELEMENTS (n_events); i++)
    {
      Story *story = story_new (NULL);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *coverage;

      for (guint k = 0; k < n_events[i]; k++)
        {
          g_autofree char *stack
              = k < 3 ? g_strdup_printf ("main;once_%u", k) : g_strdup ("main;often");

          story_add_at (story, 100 * (k + 1), "0,mark,,,,,,,11,,,x,%s,,", stack);
        }
      trace = story_open_as (story, i == 0 ? "few" : "many");
      report = contexts_analyze (trace, NULL);
      coverage = json_object_get_object_member (report_get_summary (report), "coverage");
      g_assert_true (json_object_get_null_member (coverage, "context_share")
                     == (n_events[i] < 100));
      if (n_events[i] < 100)
        continue;
      g_assert_true (json_object_get_boolean_member (coverage, "estimated"));
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (coverage, "context_share"),
                                      1 - 3 / 120.0, 1e-9);
    }
}

/* --- accuracy against probed calls --- */

static double
get_error (JsonObject *accuracy, const char *level, const char *estimate, const char *what)
{
  JsonObject *errors = json_object_get_object_member (accuracy, "errors");

  return json_object_get_double_member (
      json_object_get_object_member (json_object_get_object_member (errors, level), estimate),
      what);
}

static void
assert_covered (JsonObject *accuracy,
                const char *member,
                gint64 all,
                gint64 seen,
                gint64 slowest,
                gint64 slowest_seen)
{
  JsonObject *covered = json_object_get_object_member (accuracy, member);

  g_assert_cmpint (json_object_get_int_member (covered, "all"), ==, all);
  g_assert_cmpint (json_object_get_int_member (covered, "seen"), ==, seen);
  g_assert_cmpint (json_object_get_int_member (covered, "slowest"), ==, slowest);
  g_assert_cmpint (json_object_get_int_member (covered, "slowest_seen"), ==, slowest_seen);
}

#define PROBED(time, function, stack) LINE (time, "call", ",,,,,,11,,," function "," stack ",,")
#define RETURNED(time, function) LINE (time, "return", ",,,,,,11,,," function ",,,")

static void
test_accuracy (void)
{
  g_autoptr (TbTrace) trace = story_open_lines (
      "truth", STACK (50, "mark", "main") PROBED (100, "f", "main;f") STACK (150, "mark", "main;f")
                   RETURNED (300, "f") PROBED (400, "f", "main;f") RETURNED (450, "f")
                       PROBED (500, "g", "main;g") STACK (600, "mark", "main;g") RETURNED (700, "g")
                           STACK (800, "mark", "main") PROBED (850, "g", "main;g")
                               STACK (900, "mark", "main;g"));
  g_autoptr (TbTrace) without = story_open_lines ("no-truth", STACK (50, "mark", "main"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  g_autoptr (TbReport) nothing = contexts_analyze (without, NULL);
  JsonObject *accuracy = json_object_get_object_member (report_get_summary (report), "truth");

  g_assert_true (
      JSON_NODE_HOLDS_NULL (json_object_get_member (report_get_summary (nothing), "truth")));
  g_assert_cmpint (json_object_get_int_member (accuracy, "functions"), ==, 2);
  /* The last call of g did not return; an instance is inferred anyway. */
  g_assert_cmpint (json_object_get_int_member (accuracy, "open"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (accuracy, "unmatched"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (accuracy, "merged"), ==, 0);
  assert_covered (accuracy, "calls", 3, 2, 1, 1);
  assert_covered (accuracy, "contexts", 2, 2, 1, 1);
  /* f took 200 and g 200: one event in each, the next ones at 600 and 800. */
  g_assert_cmpfloat (get_error (accuracy, "calls", "conservative", "median_ns"), ==, 200);
  g_assert_cmpfloat (get_error (accuracy, "calls", "conservative", "median_share"), ==, 1);
  g_assert_cmpfloat (get_error (accuracy, "calls", "aggressive", "median_ns"), ==, (250 + 0) / 2.0);
  g_assert_cmpfloat (get_error (accuracy, "instances", "aggressive", "median_share"), ==, 1.25 / 2);
  g_assert_cmpfloat (get_error (accuracy, "singles", "aggressive", "median_share"), ==, 1.25 / 2);
  g_assert_true (json_object_get_null_member (accuracy, "between_ns"));
  /* All calls of f took 250 in total, with or without an event. */
  g_assert_cmpfloat (get_error (accuracy, "functions", "conservative", "median_ns"), ==,
                     (250 + 200) / 2.0);
  g_assert_cmpfloat (get_error (accuracy, "contexts", "aggressive", "median_ns"), ==,
                     (200 + 0) / 2.0);
}

/* Several calls in one loop. No event shows that they ended in between. */
static void
test_accuracy_merged (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("merged",
                          LINE (100, "switch", "0,R,11,,,,,,,,,,") PROBED (100, "f", "main;f")
                              STACK (110, "sample", "main;f") RETURNED (200, "f")
                                  PROBED (300, "f", "main;f") RETURNED (350, "f")
                                      PROBED (400, "f", "main;f") STACK (450, "sample", "main;f")
                                          RETURNED (500, "f") STACK (600, "sample", "main"));
  g_autoptr (TbReport) report = contexts_analyze (trace, "events", "sample", NULL);
  g_autoptr (TbReport) thinned
      = contexts_analyze (trace, "events", "sample", "interval", "200ns", NULL);
  JsonObject *accuracy = json_object_get_object_member (report_get_summary (report), "truth");

  g_assert_cmpint (json_object_get_int_member (accuracy, "merged"), ==, 1);
  assert_covered (accuracy, "calls", 3, 2, 1, 1);
  /* From 110 to 450: against single calls of 100 each, or against their sum. */
  g_assert_cmpfloat (get_error (accuracy, "calls", "conservative", "median_ns"), ==, 240);
  g_assert_cmpfloat (get_error (accuracy, "instances", "conservative", "median_ns"), ==, 140);
  /* Without the call in which no event lies. */
  g_assert_cmpfloat (json_object_get_double_member (accuracy, "between_ns"), ==, 200);
  g_assert_true (json_object_get_null_member (
      json_object_get_object_member (
          json_object_get_object_member (json_object_get_object_member (accuracy, "errors"),
                                         "singles"),
          "refined"),
      "median_ns"));
  /* Of the samples only the second is 200 ns after the first event. */
  accuracy = json_object_get_object_member (report_get_summary (thinned), "truth");
  assert_covered (accuracy, "calls", 3, 1, 1, 0);
}

/* Random nested calls, and those of them with events, counted call by call. */
static void
test_accuracy_random (void)
{
  for (guint round = 0; round < test_rounds (50, 10); round++)
    {
      Story *story = story_new (NULL);
      g_autofree char *name = g_strdup_printf ("random-truth-%u", round);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      struct
      {
        char function;
        gboolean seen;
      } open[6];
      guint depth = 0, n_calls = 0, n_seen = 0;
      JsonObject *accuracy;

      for (gint64 time = 1; time < 200; time++)
        {
          g_autoptr (GString) stack = g_string_new ("main");
          guint what = (guint) g_test_rand_int_range (0, 3);

          if (what == 0 && depth < G_N_ELEMENTS (open))
            {
              open[depth].function = (char) ('a' + g_test_rand_int_range (0, 3));
              open[depth++].seen = FALSE;
            }
          else if (what == 1 && depth > 0)
            {
              depth--;
              n_calls++;
              n_seen += open[depth].seen;
              story_add_at (story, time, "0,return,,,,,,,11,,,%c,,,", open[depth].function);
              continue;
            }
          else if (what != 2)
            continue;
          for (guint i = 0; i < depth; i++)
            g_string_append_printf (stack, ";%c", open[i].function);
          if (what == 0)
            story_add_at (story, time, "0,call,,,,,,,11,,,%c,%s,,", open[depth - 1].function,
                          stack->str);
          else
            {
              story_add_at (story, time, "0,mark,,,,,,,11,,,x,%s,,", stack->str);
              for (guint i = 0; i < depth; i++)
                open[i].seen = TRUE;
            }
        }
      story_add_at (story, 300, "0,mark,,,,,,,11,,,x,main,,");
      trace = story_open_as (story, name);
      report = contexts_analyze (trace, NULL);
      if (n_calls == 0)
        continue;
      accuracy = json_object_get_object_member (report_get_summary (report), "truth");
      g_assert_cmpint (
          json_object_get_int_member (json_object_get_object_member (accuracy, "calls"), "all"), ==,
          n_calls);
      g_assert_cmpint (
          json_object_get_int_member (json_object_get_object_member (accuracy, "calls"), "seen"),
          ==, n_seen);
      g_assert_cmpint (json_object_get_int_member (accuracy, "open"), ==, depth);
      g_assert_cmpint (json_object_get_int_member (accuracy, "split"), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/table-1", test_table_1);
  g_test_add_func ("/calling-contexts/figure-4", test_figure_4);
  g_test_add_func ("/calling-contexts/returns-split", test_returns_split);
  g_test_add_func ("/calling-contexts/sleep-stays-inside", test_sleep_stays_inside);
  g_test_add_func ("/calling-contexts/losses", test_losses);
  g_test_add_func ("/calling-contexts/losses-at-start", test_losses_at_start);
  g_test_add_func ("/calling-contexts/losses-between-calls", test_losses_between_calls);
  g_test_add_func ("/calling-contexts/life", test_exec_and_exit);
  g_test_add_func ("/calling-contexts/events", test_events_option);
  g_test_add_func ("/calling-contexts/reasons", test_reasons);
  g_test_add_func ("/calling-contexts/coverage", test_coverage);
  g_test_add_func ("/calling-contexts/unseen", test_unseen);
  g_test_add_func ("/calling-contexts/no-stacks", test_no_stacks);
  g_test_add_func ("/calling-contexts/broken", test_broken);
  g_test_add_func ("/calling-contexts/deep-recursion", test_deep_recursion);
  g_test_add_func ("/calling-contexts/figure-3", test_figure_3);
  g_test_add_func ("/calling-contexts/calls", test_calls);
  g_test_add_func ("/calling-contexts/truth/beside", test_accuracy);
  g_test_add_func ("/calling-contexts/truth/merged", test_accuracy_merged);
  g_test_add_func ("/calling-contexts/truth/random", test_accuracy_random);
  return recording_run_tests ();
}
