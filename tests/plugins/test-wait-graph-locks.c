/* test-wait-graph-locks.c: test of the lock and the holders of an edge, and that a thread join and
 * a condition are not locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define MUTEX "main@app;take@app;pthread_mutex_lock@libc.so.6"
#define CONDITION "main@app;take@app;pthread_cond_wait@libc.so.6"
#define JOIN "main@app;finish@app;__pthread_clockjoin_ex@libc.so.6"
#define UNKNOWN_WAIT "main@app;finish@app;libc.so.6+0x8a3f1@libc.so.6"

static Story *
begin (const char *names, int n)
{
  Story *story = story_new (names);

  for (int tid = 11; tid < 11 + n; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  return story;
}

static TbTrace *
finish (Story *story, int us)
{
  story_switch (story, us, 0, 11, "R", 11);
  return story_open (story);
}

static JsonObject *
find_row (TbReport *report, const char *from, const char *to, TbTableFigure **table, guint *row)
{
  g_autofree char *item = NULL;
  JsonObject *edge = wait_graph_find_edge (wait_graph_get_summary (report), from, to);

  item = g_strdup_printf ("%s>%s", json_object_get_string_member (edge, "from"),
                          json_object_get_string_member (edge, "to"));
  *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "edges"));
  for (*row = 0; !g_str_equal (tb_table_figure_get_row_item (*table, *row), item);)
    ++*row;
  return edge;
}

static char *
get_cell (TbTableFigure *table, guint row, const char *column)
{
  guint i = 0;

  while (!g_str_equal (tb_table_figure_get_column_id (table, i), column))
    i++;
  g_assert_true (tb_table_figure_is_known (table, row, i));
  return tb_table_figure_format_cell (table, row, i);
}

/* The lock is in the summary, the table, the graph, the report actions and a finding. name NULL:
 * only in the summary. */
static void
assert_lock (TbReport *report, const char *from, const char *to, const char *name, gboolean is_end)
{
  TbTableFigure *table;
  TbGraphFigure *graph = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
  guint row;
  JsonObject *edge = find_row (report, from, to, &table, &row);
  g_autofree char *cell = get_cell (table, row, "lock");
  const char *item = tb_table_figure_get_row_item (table, row);
  g_autofree char *sentence
      = g_strdup_printf (is_end ? "most of it for the %s" : "most of it for the lock %s", name);
  g_autofree char *text = g_strdup_printf ("lock:%s=free", name);
  g_autoptr (GPtrArray) actions = tb_report_list_actions (report, "wait-graph", item);
  gboolean has_action = FALSE;

  g_assert_cmpstr (json_object_get_string_member (edge, "lock"), ==, name);
  g_assert_cmpstr (cell, ==, name);
  g_assert_true (g_str_has_prefix (
      tb_graph_figure_get_edge (graph, tb_graph_figure_find_edge (graph, item))->detail, sentence));
  g_assert_nonnull (findings_find (report, "lock", name));
  for (guint i = 0; i < actions->len; i++)
    has_action
        |= g_strcmp0 (((const TbReportAction *) g_ptr_array_index (actions, i))->text, text) == 0;
  g_assert_cmpint (has_action, ==, !is_end);
}

static void
assert_holder (JsonObject *edge, guint index, const char *name, gint64 waits, gint64 ns)
{
  JsonObject *holder = summary_get_element (edge, "holders", index);

  g_assert_cmpstr (json_object_get_string_member (holder, "name"), ==, name);
  g_assert_cmpint (json_object_get_int_member (holder, "waits"), ==, waits);
  g_assert_cmpint (json_object_get_int_member (holder, "ns"), ==, ns);
}

/* A waits for the end of B. The function on the stack shows it or, without a stack, only exits of
 * threads ever ended a wait on that address. */
static void
test_end (void)
{
  static const char *const stacks[] = { JOIN, UNKNOWN_WAIT, "" };

  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    {
      Story *story = begin ("A B", 2);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *edge;

      story_wait_for_lock (story, 1000, 9000, 11, 12, 0x7000, stacks[i]);
      story_end (story, 9005, 1, 12);
      trace = finish (story, 10000);
      report = wait_graph_analyze (trace, NULL);
      assert_lock (report, "A", "B", "end of B (12)", TRUE);
      edge = wait_graph_find_edge (wait_graph_get_summary (report), "A", "B");
      g_assert_cmpuint (summary_count (edge, "holders"), ==, 1);
      assert_holder (edge, 0, "B", 1, 8 * MS);
    }
}

/* A thread releases a lock and exits at once. A function shows that it is a lock, or another thread
 * released it and went on. */
static void
test_lock_at_end (void)
{
  for (guint has_stacks = 0; has_stacks < 2; has_stacks++)
    {
      Story *story = begin ("A B C", 3);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      g_autofree char *name = g_strdup (has_stacks ? "0x7000 (take)" : "0x7000 (finish)");

      if (!has_stacks)
        story_wait_for_lock (story, 200, 400, 11, 13, 0x7000, UNKNOWN_WAIT);
      story_wait_for_lock (story, 1000, 9000, 11, 12, 0x7000, has_stacks ? MUTEX : UNKNOWN_WAIT);
      story_end (story, 9005, 1, 12);
      trace = finish (story, 10000);
      report = wait_graph_analyze (trace, NULL);
      assert_lock (report, "A", "B", name, FALSE);
    }
}

/* A condition is no lock, and no thread releases it: the edge's text does not use these words. */
static void
test_condition (void)
{
  Story *story = begin ("A B", 2);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbGraphFigure *graph;
  TbTableFigure *table;
  const char *item;
  guint row;

  story_wait_for_lock (story, 1000, 9000, 11, 12, 0x7000, CONDITION);
  trace = finish (story, 10000);
  report = wait_graph_analyze (trace, NULL);
  find_row (report, "A", "B", &table, &row);
  item = tb_table_figure_get_row_item (table, row);
  graph = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
  g_assert_true (g_str_has_prefix (
      tb_graph_figure_get_edge (graph, tb_graph_figure_find_edge (graph, item))->detail,
      "most of it for 0x7000 (take)"));
}

/* Each join has an address of its own: together they are one wait for thread ends. */
static void
test_ends (void)
{
  Story *story = begin ("A", 1);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *edge;

  for (int tid = 21; tid <= 23; tid++)
    {
      story_fork (story, 500, 0, 11, tid);
      story_add (story, 500, "0,name,,,,10,,,%d,,,task,,,", tid);
      story_switch (story, 600, tid - 11, 0, "R", tid);
      story_wait_for_lock (story, 700, 800, tid, 11, 0x7000, MUTEX);
      story_wait_for_lock (story, 1000 + (tid - 21) * 3000, 3000 + (tid - 21) * 3200, 11, tid,
                           (guint) tid * 0x1000, JOIN);
      story_end (story, 3010 + (tid - 21) * 3200, tid - 11, tid);
    }
  trace = finish (story, 10000);
  report = wait_graph_analyze (trace, NULL);
  assert_lock (report, "A", "task ×3", "end of 3 threads", TRUE);
  edge = wait_graph_find_edge (wait_graph_get_summary (report), "A", "task ×3");
  g_assert_cmpuint (summary_count (edge, "holders"), ==, 3);
  assert_holder (edge, 0, "task", 1, 2400000);
}

/* Workers merged into one vertex take turns with a lock: its self-loop names the workers that held
 * it. */
static void
test_holders (void)
{
  Story *story = begin ("worker-1 worker-2 worker-3", 3);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *cell = NULL;
  g_autofree char *holders = NULL;
  TbTableFigure *table;
  TbFinding *finding;
  JsonObject *edge;
  guint row;

  for (int i = 0; i < 5; i++)
    {
      story_wait_for_lock (story, i * 10000 + 100, i * 10000 + 1100, 13, 11, 0x7000, MUTEX);
      story_wait_for_lock (story, i * 10000 + 1200, i * 10000 + 3200, 12, 13, 0x7000, MUTEX);
      story_wait_for_lock (story, i * 10000 + 3300, i * 10000 + 7300, 11, 12, 0x7000, MUTEX);
    }
  trace = finish (story, 50000);
  report = wait_graph_analyze (trace, NULL);
  assert_lock (report, "worker ×3", "worker ×3", "0x7000 (take)", FALSE);
  edge = find_row (report, "worker ×3", "worker ×3", &table, &row);
  g_assert_cmpuint (summary_count (edge, "holders"), ==, 3);
  assert_holder (edge, 0, "worker-2", 5, 20 * MS);
  assert_holder (edge, 1, "worker-3", 5, 10 * MS);
  assert_holder (edge, 2, "worker-1", 5, 5 * MS);
  cell = get_cell (table, row, "holders");
  g_assert_cmpstr (cell, ==, "worker-2 (12), worker-3 (13) and worker-1 (11)");
  finding = findings_find (report, "lock", "0x7000 (take)");
  holders = finding_join_strings (finding, "lock_holders");
  g_assert_cmpstr (holders, ==, "worker-2 (12),worker-3 (13),worker-1 (11)");
  finding_assert_integer (finding, "lock_holders_count", 3);
}

/* A quarter of the time that three wait is not most of it, though it is more than half of one
 * thread's. */
static void
test_not_most (void)
{
  Story *story = begin ("worker-1 worker-2 worker-3", 3);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *cell = NULL;
  TbTableFigure *table;
  JsonObject *edge;
  guint row;

  for (int i = 0; i < 12; i++)
    {
      int tid = 11 + i % 3;

      story_wait_for_lock (story, i * 4000 + 100, i * 4000 + 3100, tid, 11 + (i + 1) % 3,
                           0x7000 + (guint) i % 4 * 64, MUTEX);
    }
  trace = finish (story, 50000);
  report = wait_graph_analyze (trace, NULL);
  edge = find_row (report, "worker ×3", "worker ×3", &table, &row);
  g_assert_false (json_object_get_null_member (edge, "lock"));
  cell = get_cell (table, row, "lock");
  g_assert_cmpstr (cell, ==, "");
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      JsonObject *values = tb_finding_get_values (tb_report_get_finding (report, i));

      g_assert_true (!json_object_has_member (values, "lock")
                     || json_object_get_null_member (values, "lock"));
    }
}

/* A wait for something else names no lock and no holder. */
static void
test_none (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  TbTableFigure *table;
  guint row;
  JsonObject *edge = find_row (report, "A", "B", &table, &row);
  g_autofree char *cell = get_cell (table, row, "lock");

  g_assert_true (json_object_get_null_member (edge, "lock"));
  g_assert_true (json_object_get_null_member (edge, "holders"));
  g_assert_cmpstr (cell, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/locks/end", test_end);
  g_test_add_func ("/wait-graph/locks/lock-at-end", test_lock_at_end);
  g_test_add_func ("/wait-graph/locks/condition", test_condition);
  g_test_add_func ("/wait-graph/locks/ends", test_ends);
  g_test_add_func ("/wait-graph/locks/holders", test_holders);
  g_test_add_func ("/wait-graph/locks/not-most", test_not_most);
  g_test_add_func ("/wait-graph/locks/none", test_none);
  return recording_run_tests ();
}
