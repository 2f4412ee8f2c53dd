/* test-wait-graph-compare.c: test of comparing two recordings: the same part of both, and workers
 * separated from background threads by their load
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define LENGTH 1000000 /* µs */

/* In each round a timer wakes the first thread, which lets the second one work and waits for it.
 * stack: of the second thread's wait, NULL: unknown. */
static void
add_pair_with_stack (Story *story, int cpu, int tid, int period, gboolean works, const char *stack)
{
  story_switch (story, 0, cpu, 0, "R", tid);
  story_switch (story, 0, cpu + 1, 0, "R", tid + 1);
  story_switch (story, 10, cpu, tid, "S", 0);
  story_switch (story, 20, cpu + 1, tid + 1, "S", 0);
  for (int t = 1000; t + period <= LENGTH; t += period)
    {
      story_wake_by_timer (story, t, cpu, tid);
      story_switch (story, t, cpu, 0, "R", tid);
      story_wake (story, t + 1000, cpu, tid, tid + 1);
      story_switch (story, t + 1000, cpu + 1, 0, "R", tid + 1);
      story_switch (story, t + 1001, cpu, tid, "S", 0);
      story_wake (story, t + 3000, cpu + 1, tid + 1, tid);
      story_switch (story, t + 3000, cpu, 0, "R", tid);
      story_switch_with_stack (story, t + 3001, cpu + 1, tid + 1, "S", 0, stack);
      if (works)
        story_add (story, t + 3500, "%d,mark,,,,,,,%d,,,work,,,", cpu, tid);
      story_switch (story, t + 4000, cpu, tid, "S", 0);
    }
}

static void
add_pair (Story *story, int cpu, int tid, int period, gboolean works)
{
  add_pair_with_stack (story, cpu, tid, period, works, "");
}

/* Both threads are mostly busy, and wait for one another in turn. */
static void
add_busy_pair (Story *story, int cpu, int tid)
{
  story_switch (story, 0, cpu, 0, "R", tid);
  story_switch (story, 0, cpu + 1, 0, "R", tid + 1);
  for (int t = 1000; t + 25000 <= LENGTH; t += 25000)
    {
      story_sleep (story, t, t + 5000, cpu, tid, cpu + 1, tid + 1);
      story_sleep (story, t + 10000, t + 15000, cpu + 1, tid + 1, cpu, tid);
    }
}

/* A server with requests at that period, a heartbeat, and a pair of threads busy with other
 * work. */
static TbTrace *
open_load (const char *name, int period)
{
  Story *story = story_new ("server worker beat listener spin1 spin2");

  add_pair (story, 0, 11, period, TRUE);
  add_pair (story, 2, 13, 25000, FALSE);
  add_busy_pair (story, 4, 15);
  story_add (story, LENGTH, "0,mark,,,,,,,11,,,end,,,");
  return story_open_as (story, name);
}

/* option, value: NULL for none. */
static TbReport *
compare_with (TbTrace *base,
              TbTrace *other,
              gint64 from,
              gint64 to,
              const char *thread,
              const char *option,
              const char *value)
{
  g_autoptr (TbSelection) selection = tb_selection_new (other);

  if (to > 0)
    tb_selection_set_range (selection, from, to);
  if (thread != NULL)
    g_assert_true (tb_selection_add_thread_by_name (selection, thread, NULL));
  return report_compare ("wait-graph", base, other, selection, option, value, NULL);
}

static TbReport *
compare (TbTrace *base, TbTrace *other, gint64 from, gint64 to, const char *thread)
{
  return compare_with (base, other, from, to, thread, NULL, NULL);
}

/* Whether the knot with a vertex of that name is background: 1 yes, 0 no, -1 no such knot. */
static int
is_background (JsonObject *summary, const char *name)
{
  for (guint i = 0; i < summary_count (summary, "bottlenecks"); i++)
    {
      JsonObject *bottleneck = summary_get_element (summary, "bottlenecks", i);
      JsonArray *names = json_object_get_array_member (bottleneck, "names");

      for (guint j = 0; j < json_array_get_length (names); j++)
        if (g_str_equal (json_array_get_string_element (names, j), name))
          return json_object_get_boolean_member (bottleneck, "background");
    }
  return -1;
}

static const char *
get_role (JsonObject *summary, const char *name)
{
  JsonObject *role = summary_find (summary, "roles", "name", name);

  return role != NULL ? json_object_get_string_member (role, "role") : NULL;
}

/* In a single recording a server that is mostly idle looks like background, and a busy pair like
 * workers. */
static void
test_roles (void)
{
  g_autoptr (TbTrace) low = open_load ("low", 40000);
  g_autoptr (TbTrace) high = open_load ("high", 10000);
  g_autoptr (TbReport) alone = wait_graph_analyze (high, "merge-similar", "false", NULL);
  g_autoptr (TbReport) report = compare (low, high, 0, 0, NULL);
  g_autoptr (TbReport) swapped = compare (high, low, 0, 0, NULL);
  JsonObject *summary = wait_graph_get_summary (alone);
  TbReport *const reports[] = { report, swapped };

  g_assert_cmpint (is_background (summary, "server"), ==, 1);
  g_assert_cmpint (is_background (summary, "beat"), ==, 1);
  g_assert_cmpint (is_background (summary, "spin1"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      JsonObject *comparison = report_get_summary (reports[i]);
      JsonObject *busier = json_object_get_object_member (comparison, i == 0 ? "other" : "base");
      g_autofree char *names = NULL;

      g_assert_cmpstr (get_role (comparison, "server"), ==, "worker");
      g_assert_cmpstr (get_role (comparison, "worker"), ==, "worker");
      g_assert_cmpstr (get_role (comparison, "beat"), ==, "background");
      g_assert_cmpstr (get_role (comparison, "listener"), ==, "background");
      g_assert_cmpstr (get_role (comparison, "spin1"), ==, "background");
      g_assert_cmpint (is_background (busier, "server"), ==, 0);
      g_assert_cmpint (is_background (busier, "beat"), ==, 1);
      g_assert_cmpint (is_background (busier, "spin1"), ==, 1);
      names = finding_join_strings (findings_get (reports[i], "background-threads"), "names");
      g_assert_cmpstr (names, ==, "beat,listener,spin1,spin2");
    }
}

/* Workers and background threads chosen by the user. */
static void
test_options (void)
{
  static const struct
  {
    const char *option;
    const char *value;
    int server;
    int beat;
  } cases[] = {
    { NULL, NULL, 0, 1 },
    { "workers", "beat", 0, 0 },
    { "background", "server", 1, 1 },
  };
  g_autoptr (TbTrace) low = open_load ("stated low", 40000);
  g_autoptr (TbTrace) high = open_load ("stated high", 10000);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report
          = compare_with (low, high, 0, 0, NULL, cases[i].option, cases[i].value);
      JsonObject *comparison = report_get_summary (report);
      JsonObject *busier = json_object_get_object_member (comparison, "other");
      TbFinding *finding;

      g_assert_cmpstr (get_role (comparison, "server"), ==, "worker");
      g_assert_cmpstr (get_role (comparison, "beat"), ==, "background");
      g_assert_cmpint (is_background (busier, "server"), ==, cases[i].server);
      g_assert_cmpint (is_background (busier, "beat"), ==, cases[i].beat);
      finding = findings_get (report, "work-rate-change");
      finding_assert_string (finding, "unit", "mark:work");
      finding_assert_number (finding, "base_per_second", 24);
      finding_assert_number (finding, "other_per_second", 99);
      finding_assert_number (finding, "factor", 99.0 / 24);
    }
}

/* As many client threads as workers, which are merged; a heartbeat, its listener, and a pair busy
 * with other work. */
static TbTrace *
open_pool (const char *name, int n_workers, const char *beat)
{
  g_autofree char *names = g_strdup_printf ("%s listener spin1 spin2", beat);
  Story *story = story_new (names);

  add_pair (story, 0, 11, 25000, FALSE);
  add_busy_pair (story, 2, 13);
  for (int i = 0; i < n_workers; i++)
    {
      int tid = 15 + 2 * i;

      story_add (story, 0, "0,name,,,,10,,,%d,,,client%d,,,", tid, i);
      story_name (story, tid + 1, "worker", 10);
      add_pair_with_stack (story, 4 + 2 * i, tid, 20000, TRUE, "main;serve;take");
    }
  story_add (story, LENGTH, "0,mark,,,,,,,11,,,end,,,");
  return story_open_as (story, name);
}

/* Whether both recordings have an edge with that ID. */
static gboolean
has_difference (JsonObject *comparison, const char *id)
{
  for (guint i = 0; i < summary_count (comparison, "differences"); i++)
    {
      JsonObject *difference = summary_get_element (comparison, "differences", i);

      if (g_str_equal (json_object_get_string_member (difference, "id"), id)
          && json_object_get_int_member (difference, "base") > 0
          && json_object_get_int_member (difference, "other") > 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether a finding is about an edge from a vertex of that name. */
static gboolean
has_edge_from (TbReport *report, const char *name)
{
  g_autofree char *begin = g_strdup_printf ("%s >", name);

  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      JsonObject *values = tb_finding_get_values (tb_report_get_finding (report, i));

      if (g_str_has_prefix (json_object_get_string_member_with_default (values, "edge", ""), begin))
        return TRUE;
    }
  return FALSE;
}

/* More load is served by more threads: merged vertices match between recordings, whatever their
 * number of threads. */
static void
test_numbers (void)
{
  static const struct
  {
    const char *beat;
    int n[2];
    const char *name;   /* name of the workers' vertex */
    const char *busier; /* its name in the other recording */
    const char *role;   /* role of the heartbeat; NULL: none, as loads are equal */
  } cases[] = {
    { "beat", { 2, 4 }, "worker", "worker ×4", "background" },
    { "beat", { 1, 4 }, "worker", "worker ×4", "background" },
    { "worker", { 2, 4 }, "worker ×N", "worker ×4", "background" },
    /* Vertices of one name cannot be matched. */
    { "worker", { 1, 4 }, "worker", "worker ×4", "worker" },
    { "beat", { 4, 4 }, "worker", "worker ×4", NULL },
    { "worker", { 4, 4 }, "worker ×N", "worker ×4", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) low = open_pool ("few", cases[i].n[0], cases[i].beat);
      g_autoptr (TbTrace) high = open_pool ("many", cases[i].n[1], cases[i].beat);
      g_autoptr (TbReport) report = compare (low, high, 0, 0, NULL);
      JsonObject *comparison = report_get_summary (report);
      JsonObject *other = json_object_get_object_member (comparison, "other");
      g_autofree char *edge = g_strdup_printf ("%s > client0", cases[i].name);

      g_test_message ("case %u", i);
      g_assert_nonnull (wait_graph_find_vertex (other, cases[i].busier));
      g_assert_cmpint (json_object_get_null_member (comparison, "roles"), ==,
                       cases[i].role == NULL);
      if (cases[i].role != NULL)
        {
          g_assert_cmpstr (get_role (comparison, cases[i].name), ==, "worker");
          g_assert_cmpstr (get_role (comparison, cases[i].beat), ==, cases[i].role);
        }
      g_assert_false (has_edge_from (report, "worker ×4"));
      g_assert_true (has_difference (comparison, edge));
    }
}

/* Two recordings of one load do not separate workers from background threads. */
static void
test_same_load (void)
{
  g_autoptr (TbTrace) one = open_load ("one", 20000);
  g_autoptr (TbTrace) two = open_load ("two", 20000);
  g_autoptr (TbReport) report = compare (one, two, 0, 0, NULL);
  JsonObject *comparison = report_get_summary (report);

  g_assert_true (json_node_is_null (json_object_get_member (comparison, "roles")));
  g_assert_cmpint (is_background (json_object_get_object_member (comparison, "other"), "server"),
                   ==, 1);
  g_assert_cmpint (is_background (json_object_get_object_member (comparison, "other"), "spin1"), ==,
                   0);
}

/* The selection of the other recording is applied to the base: the same times from its start, and
 * threads by name. */
static void
test_selected (void)
{
  g_autoptr (TbTrace) base = open_load ("base", 20000);
  g_autoptr (TbTrace) other = open_load ("selected", 20000);
  g_autoptr (TbReport) report = NULL;
  JsonObject *comparison;
  gint64 from, to;

  tb_trace_get_range (other, &from, &to);
  report = compare (base, other, from + 200 * MS, from + 500 * MS, "server");
  comparison = report_get_summary (report);
  for (guint i = 0; i < 2; i++)
    {
      JsonObject *summary = json_object_get_object_member (comparison, i == 0 ? "base" : "other");
      JsonObject *edge = wait_graph_find_edge (summary, "server", "app");

      g_assert_cmpint (json_object_get_int_member (summary, "recorded_ns"), ==, 300 * MS);
      /* The other threads of the process are one vertex outside the selection. */
      g_assert_nonnull (wait_graph_find_vertex (summary, "server"));
      g_assert_null (wait_graph_find_vertex (summary, "worker"));
      g_assert_nonnull (edge);
      g_assert_cmpint (json_object_get_int_member (edge, "waits"), ==, 15);
    }
  for (guint i = 0; i < summary_count (comparison, "differences"); i++)
    g_assert_cmpint (json_object_get_int_member (summary_get_element (comparison, "differences", i),
                                                 "delta"),
                     ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/compare/roles", test_roles);
  g_test_add_func ("/wait-graph/compare/options", test_options);
  g_test_add_func ("/wait-graph/compare/numbers", test_numbers);
  g_test_add_func ("/wait-graph/compare/same-load", test_same_load);
  g_test_add_func ("/wait-graph/compare/selected", test_selected);
  return recording_run_tests ();
}
