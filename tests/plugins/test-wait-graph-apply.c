/* test-wait-graph-apply.c: test that applied proposals of annotations equal a recording with those
 * annotations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define N_WAITERS 3
#define ROUNDS 12
#define N_SCRIPTS 20

/* --- false wake-ups --- */

/* One round of a waiter on its CPU: it sleeps, has some false wake-ups, and then works. us: start
 * of the round; returns its end. */
static int
add_round (Story *story, GRand *rand, int us, int waiter, gboolean marked)
{
  int tid = 11 + waiter, waker = 20 + waiter;
  int n_false = g_rand_int_range (rand, 1, 4);
  g_autofree char *stack = g_strdup_printf ("main;take%d;block", waiter);

  story_switch_with_stack (story, us, waiter, tid, "S", 0, stack);
  for (int i = 0; i <= n_false; i++)
    {
      int run = i < n_false ? g_rand_int_range (rand, 2, 45) : g_rand_int_range (rand, 60, 400);

      us += g_rand_int_range (rand, 50, 800);
      story_wake (story, us, waker, 11 + N_WAITERS + g_rand_int_range (rand, 0, 2), tid);
      us += g_rand_int_range (rand, 0, 10);
      story_switch (story, us, waiter, 0, "R", tid);
      if (marked && i < n_false)
        story_add_at (story, (gint64) us * 1000 + 500, "%d,false_wakeup,,,,,,,%d,,,,,,", waiter,
                      tid);
      us += run;
      if (i < n_false)
        story_switch_with_stack (story, us, waiter, tid, "S", 0, stack);
    }
  return us;
}

static TbTrace *
open_false_wakeups (guint32 seed, gboolean marked)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Story *story = story_new ("C D E A B");

  for (int i = 0; i < N_WAITERS; i++)
    {
      int us = 100 + i * 37;

      story_switch (story, 0, i, 0, "R", 11 + i);
      for (int round = 0; round < ROUNDS; round++)
        us = add_round (story, rand, us, i, marked);
    }
  for (int i = 0; i < 2; i++)
    {
      story_switch (story, 0, 10 + i, 0, "R", 11 + N_WAITERS + i);
      story_switch (story, 60000, 10 + i, 11 + N_WAITERS + i, "R", 11 + N_WAITERS + i);
    }
  return story_open_as (story, marked ? "marked" : "plain");
}

static void
assert_same (JsonObject *one, JsonObject *two, const char *member)
{
  JsonNode *left = json_object_get_member (one, member),
           *right = json_object_get_member (two, member);
  g_autofree char *left_text = json_to_string (left, FALSE);
  g_autofree char *right_text = json_to_string (right, FALSE);

  g_assert_cmpstr (left_text, ==, right_text);
}

static void
assert_same_graph (JsonObject *one, JsonObject *two)
{
  static const char *const members[]
      = { "edges", "set_aside", "components", "bottlenecks", "unmatched_waits", "proposals" };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    assert_same (one, two, members[i]);
  g_assert_cmpuint (summary_count (one, "vertices"), ==, summary_count (two, "vertices"));
  for (guint i = 0; i < summary_count (one, "vertices"); i++)
    for (guint j = 0; j < 4; j++)
      {
        static const char *const times[] = { "id", "running_ns", "runnable_ns", "waiting_ns" };

        assert_same (summary_get_element (one, "vertices", i),
                     summary_get_element (two, "vertices", i), times[j]);
      }
}

/* The same recording with and without annotations: applied proposals make the results equal. */
static void
test_as_recorded (void)
{
  for (guint i = 0; i < N_SCRIPTS; i++)
    {
      guint32 seed = g_test_rand_int ();
      g_autoptr (TbTrace) marked = open_false_wakeups (seed, TRUE);
      g_autoptr (TbTrace) plain = open_false_wakeups (seed, FALSE);
      g_autoptr (TbReport) recorded = wait_graph_analyze (marked, "merge-similar", "false", NULL);
      g_autoptr (TbReport) before = wait_graph_analyze (plain, "merge-similar", "false", NULL);
      g_autoptr (TbReport) after
          = wait_graph_analyze (plain, "merge-similar", "false", "apply", "all", NULL);
      JsonObject *with = wait_graph_get_summary (recorded),
                 *without = wait_graph_get_summary (before);
      JsonObject *applied = wait_graph_get_summary (after);
      gint64 n = 0;

      g_assert_cmpuint (summary_count (without, "proposals"), ==, N_WAITERS);
      g_assert_cmpuint (summary_count (without, "applied"), ==, 0);
      g_assert_cmpuint (summary_count (applied, "applied"), ==, N_WAITERS);
      assert_same_graph (with, applied);
      for (guint j = 0; j < N_WAITERS; j++)
        n += json_object_get_int_member (summary_get_element (applied, "applied", j), "count");
      g_assert_cmpuint ((guint64) n, ==, tb_trace_get_counts (marked)->merged_false_wakeups);
      g_assert_false (report_has_warning (after, "applied marks"));
      findings_get_with (after, "applied-false-wakeup", "name", "C");
      /* The recorded data is unchanged. */
      g_assert_cmpuint (tb_trace_get_counts (plain)->merged_false_wakeups, ==, 0);
    }
}

/* --- busy waiting --- */

#define FIRST_SAMPLE 2000
#define LAST_SAMPLE 5000

/* A finally sleeps until B wakes it. Before that it runs the same function for 3 ms without a
 * system call. */
static TbTrace *
open_spins (gboolean marked)
{
  Story *story = story_new ("A B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_enter (story, 10, 0, 11, "read");
  story_add (story, 20, "0,sys_exit,,,,,,,11,,,read,,,");
  if (marked)
    {
      story_add (story, FIRST_SAMPLE, "0,spin_begin,,,,,,,11,,,,,,");
      story_add (story, LAST_SAMPLE, "0,spin_end,,,,12,,,11,,,,,,");
    }
  for (int us = FIRST_SAMPLE; us <= LAST_SAMPLE; us += 200)
    story_sample (story, us, 0, 11, "main;lock;spin");
  story_sample (story, LAST_SAMPLE + 200, 0, 11, "main;work");
  for (int us = 6000; us <= 8000; us += 1000)
    story_sleep (story, us, us + 700, 0, 11, 1, 12);
  story_switch (story, 10000, 0, 11, "R", 11);
  story_switch (story, 10000, 1, 12, "R", 12);
  return story_open_as (story, marked ? "marked" : "plain");
}

static void
test_spins (void)
{
  g_autoptr (TbTrace) marked = open_spins (TRUE);
  g_autoptr (TbTrace) plain = open_spins (FALSE);
  g_autoptr (TbReport) recorded = wait_graph_analyze (marked, NULL);
  g_autoptr (TbReport) before = wait_graph_analyze (plain, NULL);
  g_autoptr (TbReport) after = wait_graph_analyze (plain, "apply", "spin", NULL);
  g_autoptr (TbReport) other = wait_graph_analyze (plain, "apply", "false-wakeup", NULL);
  TbFinding *finding;

  wait_graph_assert_edge (wait_graph_get_summary (before), "A", "B", 2100000, 2100000, 3);
  wait_graph_assert_edge (wait_graph_get_summary (recorded), "A", "B", 5100000, 5100000, 4);
  assert_same_graph (wait_graph_get_summary (recorded), wait_graph_get_summary (after));
  finding = findings_get (after, "applied-busy-wait");
  finding_assert_string (finding, "name", "A");
  finding_assert_integer (finding, "count", 1);
  finding_assert_string (finding, "function", "spin");
  finding_assert_integer (finding, "running_ns", 3000000);
  assert_same_graph (wait_graph_get_summary (before), wait_graph_get_summary (other));
  g_assert_true (report_has_warning (other, "apply: no proposed mark is named “false-wakeup”"));
}

/* A prediction and a comparison must use the graph with the applied proposals. */
static void
test_further (void)
{
  g_autoptr (TbTrace) marked = open_spins (TRUE);
  g_autoptr (TbTrace) plain = open_spins (FALSE);
  g_autoptr (TbReport) recorded = wait_graph_analyze (marked, "what-if", "edge:A>B*0.5", NULL);
  g_autoptr (TbReport) before = wait_graph_analyze (plain, "what-if", "edge:A>B*0.5", NULL);
  g_autoptr (TbReport) after
      = wait_graph_analyze (plain, "what-if", "edge:A>B*0.5", "apply", "spin", NULL);
  JsonObject *progress = summary_get_element (wait_graph_get_summary (after), "what_if", 0);

  assert_same (wait_graph_get_summary (recorded), wait_graph_get_summary (after), "what_if");
  g_assert_cmpint (json_object_get_int_member (progress, "waits"), ==, 4);
  progress = summary_get_element (wait_graph_get_summary (before), "what_if", 0);
  g_assert_cmpint (json_object_get_int_member (progress, "waits"), ==, 3);
}

static JsonObject *
compare (guint32 seed, gboolean marked, const char *apply, TbReport **report)
{
  g_autoptr (TbTrace) base = open_false_wakeups (seed, marked);
  g_autoptr (TbTrace) other = open_false_wakeups (seed + 1, marked);

  *report = report_compare ("wait-graph", base, other, NULL, "merge-similar", "false", "apply",
                            apply, NULL);
  return report_get_summary (*report);
}

static void
test_compared (void)
{
  g_autoptr (TbReport) recorded = NULL;
  g_autoptr (TbReport) plain = NULL;
  g_autoptr (TbReport) applied = NULL;
  JsonObject *with = compare (1, TRUE, "", &recorded), *without = compare (1, FALSE, "", &plain);
  JsonObject *after = compare (1, FALSE, "all", &applied);
  g_autofree char *before_text
      = json_to_string (json_object_get_member (without, "differences"), FALSE);
  g_autofree char *after_text
      = json_to_string (json_object_get_member (after, "differences"), FALSE);

  assert_same (with, after, "differences");
  g_assert_cmpstr (before_text, !=, after_text);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (
        summary_count (json_object_get_object_member (after, i == 0 ? "base" : "other"), "applied"),
        ==, N_WAITERS);
}

/* --- names of proposals --- */

static guint
count_applied (TbTrace *trace, const char *text)
{
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "merge-similar", "false", "apply", text, NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpuint (summary_count (summary, "applied") + summary_count (summary, "proposals"), ==,
                    N_WAITERS);
  return summary_count (summary, "applied");
}

static void
test_names (void)
{
  static const struct
  {
    const char *text;
    guint n;
  } cases[] = { { "all", 3 },
                { "false-wakeup", 3 },
                { "spin", 0 },
                { "false-wakeup:C", 1 },
                { "false-wakeup:C:block", 1 },
                { "false-wakeup:C:other", 0 },
                { "false-wakeup:C,false-wakeup:E", 2 },
                { "false-wakeup:C,false-wakeup:C:block", 1 },
                { "spin:C", 0 },
                { "C", 0 },
                { "", 0 } };
  g_autoptr (TbTrace) trace = open_false_wakeups (1, FALSE);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "merge-similar", "false", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (count_applied (trace, cases[i].text), ==, cases[i].n);
  for (guint i = 0; i < N_WAITERS; i++)
    {
      JsonObject *proposal = summary_get_element (wait_graph_get_summary (report), "proposals", i);

      g_assert_cmpuint (count_applied (trace, json_object_get_string_member (proposal, "apply")),
                        ==, 1);
    }
}

/* C has false wake-ups in functions with commas in their names. */
static TbTrace *
open_commas (void)
{
  static const char stack[] = "\"main@app;std::map<int, long>::at(int, long)@app\"";
  Story *story = story_new ("A B C");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int us = 0; us < 8000; us += 2000)
    {
      story_switch_with_stack (story, us + 100, 2, 13, "S", 0, stack);
      story_wake (story, us + 600, 0, 11, 13);
      story_switch (story, us + 600, 2, 0, "R", 13);
      story_switch_with_stack (story, us + 610, 2, 13, "S", 0, stack);
      story_wake (story, us + 900, 1, 12, 13);
      story_switch (story, us + 900, 2, 0, "R", 13);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

static void
test_commas (void)
{
  g_autoptr (TbTrace) trace = open_commas ();
  g_autoptr (TbReport) report = NULL;
  JsonObject *applied;

  report = wait_graph_analyze (trace, "merge-similar", "false", "apply",
                               "spin:A,false-wakeup:C:std::map<int, long>::at(int, long)", NULL);
  g_assert_true (report_has_warning (report, "no proposed mark is named “spin:A”"));
  g_assert_false (report_has_warning (report, "false-wakeup"));
  g_assert_cmpuint (summary_count (wait_graph_get_summary (report), "applied"), ==, 1);
  applied = summary_get_element (wait_graph_get_summary (report), "applied", 0);
  g_assert_cmpstr (json_object_get_string_member (applied, "function"), ==,
                   "std::map<int, long>::at(int, long)");
}

/* --- report actions --- */

static const TbReportAction *
get_action (TbReport *report, const char *item)
{
  g_autoptr (GPtrArray) actions = tb_report_list_actions (report, "proposals", item);

  g_assert_cmpuint (actions->len, ==, 1);
  return g_ptr_array_index (actions, 0);
}

/* A finding refers to its row. The row of a proposal has an action that applies it; an applied one
 * has an action that retracts it. */
static void
test_actions (void)
{
  g_autoptr (TbTrace) trace = open_false_wakeups (2, FALSE);
  g_autoptr (TbReport) before = wait_graph_analyze (trace, "merge-similar", "false", NULL);
  g_autoptr (TbReport) after = NULL;
  const char *item = json_object_get_string_member (
      summary_get_element (wait_graph_get_summary (before), "proposals", 0), "apply");
  const TbReportAction *action = get_action (before, item);
  guint n_led = 0;

  g_assert_cmpint (action->kind, ==, TB_REPORT_ACTION_ADD);
  g_assert_cmpstr (action->option, ==, "apply");
  for (guint i = 0; i < tb_report_get_n_findings (before); i++)
    n_led += g_strcmp0 (tb_finding_find_item (tb_report_get_finding (before, i), "proposals"), item)
             == 0;
  g_assert_cmpuint (n_led, ==, 1);
  g_assert_cmpuint (tb_table_figure_get_n_rows (
                        TB_TABLE_FIGURE (tb_report_find_figure (before, "proposals"))),
                    ==, N_WAITERS);
  after = wait_graph_analyze (trace, "merge-similar", "false", "apply", action->text, NULL);
  g_assert_cmpint (get_action (after, item)->kind, ==, TB_REPORT_ACTION_REMOVE);
  g_assert_cmpstr (get_action (after, item)->text, ==, action->text);
  g_assert_cmpuint (tb_table_figure_get_n_rows (
                        TB_TABLE_FIGURE (tb_report_find_figure (after, "proposals"))),
                    ==, N_WAITERS);
}

/* --- progress --- */

typedef struct
{
  double share;
  guint n;
} Progress;

static void
note_progress (double share, const char *what, gpointer data)
{
  Progress *progress = data;

  g_assert_cmpfloat (share, >=, progress->share);
  g_assert_cmpfloat (share, <=, 1);
  progress->share = share;
  progress->n++;
}

/* The graph is computed twice, but progress must not start anew; the same holds for two
 * recordings. */
static void
test_progress (void)
{
  g_autoptr (TbTrace) trace = open_false_wakeups (1, FALSE);
  g_autoptr (TbTrace) other = open_false_wakeups (2, FALSE);
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", "apply", "all", NULL);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) compared = NULL;
  g_autoptr (GError) error = NULL;
  Progress progress = { 0 }, progress_of_two = { 0 };

  report = tb_analysis_run (analysis, trace, selection, note_progress, &progress, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (progress.n, >, 10);
  compared = tb_analysis_compare (analysis, other, trace, selection, note_progress,
                                  &progress_of_two, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (progress_of_two.n, >=, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/apply/as-recorded", test_as_recorded);
  g_test_add_func ("/wait-graph/apply/spins", test_spins);
  g_test_add_func ("/wait-graph/apply/further", test_further);
  g_test_add_func ("/wait-graph/apply/compared", test_compared);
  g_test_add_func ("/wait-graph/apply/names", test_names);
  g_test_add_func ("/wait-graph/apply/commas", test_commas);
  g_test_add_func ("/wait-graph/apply/offers", test_actions);
  g_test_add_func ("/wait-graph/apply/progress", test_progress);
  return recording_run_tests ();
}
