/* test-wait-graph-idle-in.c: test of idle waits for new work, which are detected by the functions
 * in which threads wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-report-action.h"
#include "wait-graph-fixture.h"

#define ROUNDS 10

/* A works for 6 ms on an item, hands it to B, and waits until B has worked on it for 4 ms. B waits
 * for the next item. */
static TbTrace *
open_queue (void)
{
  Story *story = story_new ("A B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 1, 1, 0, "R", 12);
  story_switch_with_stack (story, 2, 1, 12, "S", 0, "main@app;pop@app;sleep@libc");
  for (int i = 0; i < ROUNDS; i++)
    {
      int t = i * 10000;

      story_add (story, t + 6000, "0,wakeup,,,,11,12,,,,,,main@app;give@app,,");
      story_switch (story, t + 6000, 1, 0, "R", 12);
      story_switch_with_stack (story, t + 6001, 0, 11, "S", 0, "main@app;ask@app;sleep@libc");
      story_wake (story, t + 10000, 1, 12, 11);
      story_switch (story, t + 10000, 0, 0, "R", 11);
      story_switch_with_stack (story, t + 10001, 1, 12, "S", 0, "main@app;pop@app;sleep@libc");
    }
  return story_open (story);
}

static gboolean
is_new_work (JsonObject *summary, const char *from, const char *to)
{
  JsonObject *edge = wait_graph_find_edge (summary, from, to);

  g_assert_nonnull (edge);
  g_assert_false (json_object_get_boolean_member (edge, "idle"));
  return json_object_get_boolean_member (edge, "new_work");
}

static void
test_queue (void)
{
  static const struct
  {
    const char *functions;
    gboolean pop, ask;
    const char *first;   /* waiter of the first edge to look at */
    gint64 bound;        /* µs */
    const char *unknown; /* value that matches nothing; NULL: all match */
  } cases[] = {
    { "", FALSE, FALSE, "B", 59989, NULL },
    { "pop", TRUE, FALSE, "A", 39990, NULL },
    { "p?p", TRUE, FALSE, "A", 39990, NULL },
    { "other,p*", TRUE, FALSE, "A", 39990, "function named “other”" },
    { "p*,pop", TRUE, FALSE, "A", 39990, NULL },
    { "app:pop", TRUE, FALSE, "A", 39990, NULL },
    { "libc:pop", FALSE, FALSE, "B", 59989, "function named “libc:pop”" },
    { "app::pop", FALSE, FALSE, "B", 59989, "function named “app::pop”" },
    { "po", FALSE, FALSE, "B", 59989, "function named “po”" },
    { "give", FALSE, FALSE, "B", 59989, "function named “give”" },
    { "ask", FALSE, TRUE, "B", 59989, NULL },
    { "libc:sleep", TRUE, TRUE, "B", 0, NULL },
    { "main", TRUE, TRUE, "B", 0, NULL },
    { "edge:B>A", TRUE, FALSE, "A", 39990, NULL },
    { "edge:A>B", FALSE, TRUE, "B", 59989, NULL },
    { "edge:B>A,edge:A>B", TRUE, TRUE, "B", 0, NULL },
    { "edge:B>C", FALSE, FALSE, "B", 59989, "no edge “edge:B>C”" },
    { "pop,edge:A>A", TRUE, FALSE, "A", 39990, "no edge “edge:A>A”" },
    { "edge:A>B,pop", TRUE, TRUE, "B", 0, NULL },
    { "edge:pop", FALSE, FALSE, "B", 59989, "function named “edge:pop”" },
  };
  g_autoptr (TbTrace) trace = open_queue ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = wait_graph_analyze (trace, "idle-in", cases[i].functions, NULL);
      JsonObject *summary = wait_graph_get_summary (report), *bottleneck;
      JsonArray *edges;
      const char *first;

      g_assert_cmpint (report_has_warning (report, "idle-in: "), ==, cases[i].unknown != NULL);
      g_assert_true (cases[i].unknown == NULL || report_has_warning (report, cases[i].unknown));
      g_assert_cmpint (is_new_work (summary, "B", "A"), ==, cases[i].pop);
      g_assert_cmpint (is_new_work (summary, "A", "B"), ==, cases[i].ask);
      g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
      bottleneck = summary_get_element (summary, "bottlenecks", 0);
      edges = json_object_get_array_member (bottleneck, "edges");
      g_assert_cmpuint (json_array_get_length (edges), ==, 2);
      first = json_array_get_string_element (json_array_get_array_element (edges, 0), 0);
      g_assert_cmpstr (
          first, ==,
          json_object_get_string_member (wait_graph_find_vertex (summary, cases[i].first), "id"));
      g_assert_cmpint (json_object_get_int_member (bottleneck, "gain_upper_bound_ns") / 1000, ==,
                       cases[i].bound);
    }
}

/* The only assert or retract action of an edge. */
static const TbReportAction *
find_assertion (TbReport *report, const char *from, const char *to)
{
  JsonObject *edge = wait_graph_find_edge (wait_graph_get_summary (report), from, to);
  g_autofree char *item = g_strdup_printf ("%s>%s", json_object_get_string_member (edge, "from"),
                                           json_object_get_string_member (edge, "to"));
  g_autoptr (GPtrArray) actions = tb_report_list_actions (report, "wait-graph", item);
  const TbReportAction *found = NULL;

  for (guint i = 0; i < actions->len; i++)
    {
      const TbReportAction *action = g_ptr_array_index (actions, i);

      if (action->kind == TB_REPORT_ACTION_TRY)
        continue;
      g_assert_null (found);
      g_assert_cmpstr (action->option, ==, "idle-in");
      found = action;
    }
  return found;
}

/* An edge's action asserts that it is idle; then the edge has an action that retracts just that. If
 * a function name asserts it, the edge has no action. */
static void
test_assertion (void)
{
  g_autoptr (TbTrace) trace = open_queue ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  const TbReportAction *action = find_assertion (report, "B", "A");
  g_autoptr (TbReport) asserted = NULL;
  g_autoptr (TbReport) named = wait_graph_analyze (trace, "idle-in", "edge:B>A", NULL);
  g_autoptr (TbReport) by_function = wait_graph_analyze (trace, "idle-in", "pop", NULL);

  g_assert_cmpint (action->kind, ==, TB_REPORT_ACTION_ASSERT);
  asserted = wait_graph_analyze (trace, "idle-in", action->text, NULL);
  g_assert_true (is_new_work (wait_graph_get_summary (asserted), "B", "A"));
  g_assert_cmpint (find_assertion (asserted, "B", "A")->kind, ==, TB_REPORT_ACTION_RETRACT);
  g_assert_cmpstr (find_assertion (asserted, "B", "A")->text, ==, action->text);
  g_assert_cmpint (find_assertion (asserted, "A", "B")->kind, ==, TB_REPORT_ACTION_ASSERT);
  g_assert_cmpstr (find_assertion (named, "B", "A")->text, ==, "edge:B>A");
  g_assert_null (find_assertion (by_function, "B", "A"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/new-work/queue", test_queue);
  g_test_add_func ("/wait-graph/new-work/assertion", test_assertion);
  return recording_run_tests ();
}
