/* test-wait-graph-actions.c: test that the what-if actions of edges and vertices can be run
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-figure.h"
#include "report/tb-report-action.h"
#include "wait-graph-fixture.h"

/* Every action is a valid element of the option, and the analysis predicts its effect. */
static guint
try_actions (TbTrace *trace, TbReport *report, const char *figure, const char *item)
{
  g_autoptr (GPtrArray) actions = tb_report_list_actions (report, figure, item);

  for (guint i = 0; i < actions->len; i++)
    {
      const TbReportAction *action = g_ptr_array_index (actions, i);
      g_autofree char *text = NULL;
      g_autofree char *label = NULL;
      g_autoptr (TbReport) tried = NULL;
      const TbScenarioOutcome *outcome;

      if (action->kind == TB_REPORT_ACTION_ASSERT)
        continue;
      text = tb_report_action_insert_number (action, action->text, action->standard);
      label = tb_report_action_insert_number (action, action->label, action->standard);
      tried = wait_graph_analyze (trace, action->option, text, NULL);
      outcome = tb_report_find_outcome (tried, action->option, text);

      g_assert_cmpint (action->kind, ==, TB_REPORT_ACTION_TRY);
      g_assert_null (strstr (label, "{}"));
      g_assert_nonnull (outcome);
      g_assert_cmpfloat (outcome->low, <=, outcome->after);
      g_assert_cmpfloat (outcome->high, >=, outcome->after);
      g_assert_nonnull (strstr (outcome->sentence, " instead of "));
      g_assert_nonnull (strstr (outcome->detail, text));
    }
  return actions->len;
}

static void
try_all (TbTrace *trace)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  TbGraphFigure *figure = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
  guint n_of_edges = 0;

  g_assert_cmpuint (try_actions (trace, report, "", ""), ==, 1); /* CPUs */
  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    n_of_edges
        += try_actions (trace, report, "wait-graph", tb_graph_figure_get_edge (figure, i)->id);
  g_assert_cmpuint (n_of_edges, >=, 2);
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    try_actions (trace, report, "wait-graph", tb_graph_figure_get_vertex (figure, i)->id);
}

static void
test_figures (void)
{
  g_autoptr (TbTrace) one = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbTrace) three = story_open_file ("plugins/wait-graph-figure-3.csv");

  try_all (one);
  try_all (three);
}

/* A meaningless change is rejected when the option is set, before any run. */
static void
test_checked (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = report_create_analysis ("wait-graph", "what-if", "edge:A>B*0.5, cpus=2;cpus=4", NULL);
  g_auto (GStrv) set = NULL;

  g_assert_false (
      tb_option_set_from_text (G_OBJECT (analysis), "what-if", "cpus=2, edge:A", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "edge:A>B*FACTOR"));
  g_object_get (analysis, "what-if", &set, NULL);
  g_assert_cmpuint (g_strv_length (set), ==, 2);
  g_assert_cmpstr (set[1], ==, "cpus=2;cpus=4");
}

/* The only action that merges or unmerges the vertex of that name. */
static const TbReportAction *
find_expansion (TbReport *report, const char *name)
{
  JsonObject *vertex = wait_graph_find_vertex (wait_graph_get_summary (report), name);
  g_autoptr (GPtrArray) actions = NULL;
  const TbReportAction *found = NULL;

  g_assert_nonnull (vertex);
  actions
      = tb_report_list_actions (report, "wait-graph", json_object_get_string_member (vertex, "id"));
  for (guint i = 0; i < actions->len; i++)
    {
      const TbReportAction *action = g_ptr_array_index (actions, i);

      if (action->kind == TB_REPORT_ACTION_TRY)
        continue;
      g_assert_null (found);
      g_assert_cmpstr (action->option, ==, "unmerge");
      found = action;
    }
  return found;
}

static void
check_expanded (TbTrace *trace, const char *merged, const char *member)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  const TbReportAction *action = find_expansion (report, merged);
  g_autoptr (TbReport) unmerged = NULL;
  guint n_before = summary_count (wait_graph_get_summary (report), "vertices");
  JsonObject *summary;

  g_assert_nonnull (action);
  g_assert_cmpint (action->kind, ==, TB_REPORT_ACTION_ADD);
  unmerged = wait_graph_analyze (trace, "unmerge", action->text, NULL);
  summary = wait_graph_get_summary (unmerged);
  g_assert_null (wait_graph_find_vertex (summary, merged));
  g_assert_cmpuint (summary_count (summary, "vertices"), ==, n_before + 1);
  g_assert_cmpint (find_expansion (unmerged, member)->kind, ==, TB_REPORT_ACTION_REMOVE);
  g_assert_cmpstr (find_expansion (unmerged, member)->text, ==, action->text);
}

/* Two threads of each kind: workers that wait at the same place, and tasks started by one thread.
 * Each kind can be unmerged while the other stays merged. */
static void
test_unmerge (void)
{
  Story *story = story_new ("worker worker C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) alone = NULL;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int i = 0; i < 4; i++)
    for (int tid = 11; tid <= 12; tid++)
      {
        int t = 1000 + i * 4000 + (tid - 11) * 2000;

        story_switch_with_stack (story, t, tid - 11, tid, "S", 0, "main;work;wait");
        story_wake (story, t + 1500, 2, 13, tid);
        story_switch (story, t + 1500, tid - 11, 0, "R", tid);
      }
  for (int i = 0; i < 2; i++)
    {
      int t = 20000 + i * 4000, task = 21 + i;

      story_fork (story, t, 2, 13, task);
      story_add (story, t, "2,name,,,,10,,,%d,,,task,,,", task);
      story_switch (story, t, 3, 0, "R", task);
      story_end (story, t + 1000, 3, task);
    }
  story_add (story, 40000, "2,mark,,,,,,,13,,,end,,,");
  trace = story_open (story);
  check_expanded (trace, "worker ×2", "worker");
  check_expanded (trace, "task ×2", "task");
  alone = wait_graph_analyze (trace, NULL);
  g_assert_null (find_expansion (alone, "C"));
  g_assert_nonnull (find_expansion (alone, "worker ×2"));
}

/* A and B take turns with a lock in allocated memory, B and C with the lock next to it. Each lock
 * is taken in a function of its own. */
static TbTrace *
open_locks (const char *name, guint heap)
{
  static const struct
  {
    int tid, holder;
    const char *stack;
    guint address;
  } waits[] = { { 11, 12, "main@app;push@app;lock@libc", 0x500 },
                { 12, 11, "main@app;push@app;lock@libc", 0x500 },
                { 13, 12, "main@app;log@app;lock@libc", 0x540 } };
  Story *story = story_new ("A B C");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int round = 0; round < 5; round++)
    for (guint i = 0; i < G_N_ELEMENTS (waits); i++)
      {
        int tid = waits[i].tid, from = round * 6000 + (int) i * 2000 + 100;

        story_add (story, from, "%d,sleep,,lock,,,,,%d,[heap],-1,futex,,%u,0", tid - 11, tid,
                   heap + waits[i].address);
        story_switch_with_stack (story, from, tid - 11, tid, "S", 0, waits[i].stack);
        story_wake (story, from + 1500, waits[i].holder - 11, waits[i].holder, tid);
        story_switch (story, from + 1500, tid - 11, 0, "R", tid);
      }
  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 30000, tid - 11, tid, "R", tid);
  return story_open_as (story, name);
}

static gint64
predict (TbTrace *trace, const char *change)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "what-if", change, NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  return json_object_get_int_member (summary_get_element (summary, "what_if", 0), "waits");
}

/* The address differs in each run, so a lock can also be named by the function that waits for
 * it. */
static void
test_locks (void)
{
  static const struct
  {
    const char *change;
    gint64 waits; /* waits changed */
  } cases[] = {
    { "lock:heap 0x5500 (push)=free", 10 },
    { "lock:heap * (push)=free", 10 },
    { "lock:*(log)=free", 5 },
    { "lock:heap 0x55?0*=free", 15 },
    { "lock:*=free", 15 },
  };
  g_autoptr (TbTrace) trace = open_locks ("locks", 0x5000);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "merge-similar", "no", NULL);
  JsonObject *edge = wait_graph_find_edge (wait_graph_get_summary (report), "A", "B");
  g_autofree char *item = g_strdup_printf ("%s>%s", json_object_get_string_member (edge, "from"),
                                           json_object_get_string_member (edge, "to"));
  g_autoptr (GPtrArray) actions = tb_report_list_actions (report, "wait-graph", item);
  guint n_actions = 0;

  for (guint i = 0; i < actions->len; i++)
    n_actions += g_strcmp0 (((const TbReportAction *) g_ptr_array_index (actions, i))->text,
                            cases[0].change)
                 == 0;
  g_assert_cmpuint (n_actions, ==, 1);
  g_assert_cmpstr (json_object_get_string_member (edge, "lock"), ==, "heap 0x5500 (push)");
  g_assert_nonnull (findings_find (report, "lock", "heap 0x5500 (push)"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (predict (trace, cases[i].change), ==, cases[i].waits);
}

/* Also in a second recording, in which the lock has another address. */
static void
test_locks_elsewhere (void)
{
  static const char *const changes[][2]
      = { { "lock:heap * (push)=free", NULL }, { "lock:heap 0x5500 (push)=free", NULL } };
  g_autoptr (TbTrace) trace = open_locks ("here", 0x5000);
  g_autoptr (TbTrace) other = open_locks ("elsewhere", 0x8000);
  g_autoptr (GPtrArray) more = g_ptr_array_new ();

  g_ptr_array_add (more, other);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
      g_autoptr (TbSelection) selection = tb_selection_new (trace);
      g_autoptr (TbReport) report = NULL;

      g_object_set (analysis, "what-if", changes[i], "more-traces", more, NULL);
      report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);
      if (i == 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/offers/figures", test_figures);
  g_test_add_func ("/wait-graph/offers/locks", test_locks);
  g_test_add_func ("/wait-graph/offers/locks-elsewhere", test_locks_elsewhere);
  g_test_add_func ("/wait-graph/offers/checked", test_checked);
  g_test_add_func ("/wait-graph/offers/apart", test_unmerge);
  return recording_run_tests ();
}
