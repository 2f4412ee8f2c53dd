/* test-wait-graph-short-lived.c: threads that are started again and again, one vertex in a graph without false circles
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define ROUNDS 4

/* In each round C starts a task and waits for its end, then for B. A task tells that it exits 100 µs before it wakes C. */
static TbTrace *
open_rounds (void)
{
  Story *story = story_new ("C B");

  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 12);
  for (int i = 0; i < ROUNDS; i++)
    {
      int t = 1000 + i * 10000, task = 21 + i;
      g_autofree char *fork = g_strdup_printf ("0,fork,,,,11,%d,,,,,,,,", task);
      g_autofree char *name = g_strdup_printf ("0,name,,,,10,,,%d,,,task,,,", task);
      g_autofree char *exit = g_strdup_printf ("2,exit,,,,,,,%d,,,,,,", task);

      tell (story, t, fork);
      tell (story, t, name);
      go (story, t, 2, 0, "R", task);
      go (story, t + 100, 0, 11, "S", 0);
      tell (story, t + 1900, exit);
      wake (story, t + 2000, 2, task, 11);
      go (story, t + 2000, 0, 0, "R", 11);
      go (story, t + 2010, 2, task, "X", 0);
      sleep_and_wake (story, t + 3000, t + 9000, 0, 11, 1, 12);
    }
  tell (story, 41000, "1,mark,,,,,,,12,,,end,,,");
  sort_story (story);
  return story_open (story);
}

/* While no task lives, they wait for C, and so for B when C does: 6 ms a round. Nothing of that is a circle. */
static void
test_ends (void)
{
  g_autoptr (TbTrace) trace = open_rounds ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *edge = wait_graph_find_edge (summary, "C", "B");

  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 0);
  g_assert_false (wait_graph_has_warning (report, "circle"));
  g_assert_nonnull (wait_graph_find_vertex (summary, "task ×4"));
  g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, ROUNDS * 6 * MS);
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), ==, 2 * ROUNDS * 6 * MS);
  edge = wait_graph_find_edge (summary, "C", "task ×4");
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), ==, ROUNDS * 19 * MS / 10);
}

/* Two tasks sleep at once: the one for C, which waits for the other, and the other for B; or the one for the other. */
static TbTrace *
open_crossed (gboolean among_them)
{
  Story *story = story_new ("C B");

  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 12);
  tell (story, 1000, "0,fork,,,,11,21,,,,,,,,");
  tell (story, 1000, "0,name,,,,10,,,21,,,task,,,");
  tell (story, 1000, "0,fork,,,,11,22,,,,,,,,");
  tell (story, 1000, "0,name,,,,10,,,22,,,task,,,");
  go (story, 1000, 2, 0, "R", 21);
  go (story, 1000, 3, 0, "R", 22);
  go (story, 2000, 2, 21, "S", 0);
  go (story, 2000, 3, 22, "S", 0);
  go (story, 2000, 0, 11, "S", 0);
  wake (story, 6000, 1, 12, 22);
  go (story, 6000, 3, 0, "R", 22);
  wake (story, 6100, 3, 22, 11);
  go (story, 6100, 0, 0, "R", 11);
  if (among_them)
    wake (story, 6200, 3, 22, 21);
  else
    wake (story, 6200, 0, 11, 21);
  go (story, 6200, 2, 0, "R", 21);
  tell (story, 6300, "2,exit,,,,,,,21,,,,,,");
  go (story, 6300, 2, 21, "X", 0);
  tell (story, 6400, "3,exit,,,,,,,22,,,,,,");
  go (story, 6400, 3, 22, "X", 0);
  tell (story, 20000, "1,mark,,,,,,,12,,,end,,,");
  sort_story (story);
  return story_open (story);
}

/* Only as one vertex do they wait in a circle: it is cut and counted, but no waker is called wrong. */
static void
test_circle (void)
{
  g_autoptr (TbTrace) trace = open_crossed (FALSE);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) apart = wait_graph_analyze (trace, "merge-short-lived", "off", NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 1);
  g_assert_false (wait_graph_has_warning (report, "circle"));
  g_assert_true (wait_graph_has_finding (report, "is for somebody who waited for another of them"));
  /* From 2 to 6 ms both wait: half of that each. */
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_edge (summary, "task ×2", "B"), "plain_ns"),
                   ==, 2 * MS);
  summary = wait_graph_get_summary (apart);
  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 0);
  g_assert_false (wait_graph_has_finding (apart, "who waited for another of them"));
}

/* One that waits for another of them is a loop, not a circle. */
static void
test_loop (void)
{
  g_autoptr (TbTrace) trace = open_crossed (TRUE);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *loop = wait_graph_find_edge (summary, "task ×2", "task ×2");

  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 0);
  g_assert_nonnull (loop);
  g_assert_cmpint (json_object_get_int_member (loop, "plain_ns"), ==, 2 * MS);
  /* C hangs on them meanwhile. */
  g_assert_cmpint (json_object_get_int_member (loop, "weight_ns"), ==, 4 * MS);
}

/* C starts two of each: readers and writers, all called alike. By what they begin with they are two vertices. */
static void
test_entries (void)
{
  static const char *const entries[] = { "start_thread;read_one;wait", "start_thread;write_one;wait" };
  Story *story = story_new ("C B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) off = NULL;
  JsonObject *summary;
  guint n_tasks = 0, n_threads = 0;

  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 12);
  for (int i = 0; i < 4; i++)
    {
      int t = 1000 + i * 5000, task = 21 + i;
      g_autofree char *fork = g_strdup_printf ("0,fork,,,,11,%d,,,,,,,,", task);
      g_autofree char *name = g_strdup_printf ("0,name,,,,10,,,%d,,,task,,,", task);
      g_autofree char *exit = g_strdup_printf ("2,exit,,,,,,,%d,,,,,,", task);

      tell (story, t, fork);
      tell (story, t, name);
      go (story, t, 2, 0, "R", task);
      /* Readers wait for 1 ms, writers for 2. */
      go_with_stack (story, t + 1000, 2, task, "S", 0, entries[i % 2]);
      wake (story, t + 2000 + i % 2 * 1000, 1, 12, task);
      go (story, t + 2000 + i % 2 * 1000, 2, 0, "R", task);
      tell (story, t + 4000, exit);
      go (story, t + 4000, 2, task, "X", 0);
    }
  tell (story, 30000, "1,mark,,,,,,,12,,,end,,,");
  sort_story (story);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  for (guint i = 0; i < wait_graph_count (summary, "vertices"); i++)
    {
      JsonObject *vertex = wait_graph_get_element (summary, "vertices", i);

      if (!g_str_has_prefix (json_object_get_string_member (vertex, "name"), "task"))
        continue;
      n_tasks++;
      g_assert_cmpuint (wait_graph_count (vertex, "members"), ==, 2);
      n_threads += wait_graph_count (vertex, "members");
    }
  g_assert_cmpuint (n_tasks, ==, 2);
  g_assert_cmpuint (n_threads, ==, 4);
  for (guint i = 0; i < wait_graph_count (summary, "edges"); i++)
    {
      JsonObject *edge = wait_graph_get_element (summary, "edges", i);
      JsonArray *stack;

      if (json_object_get_null_member (edge, "waiter_stack"))
        continue;
      stack = json_object_get_array_member (edge, "waiter_stack");
      g_assert_cmpint (json_object_get_int_member (edge, "waits"), ==, 2);
      g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==,
                       g_str_equal (json_array_get_string_element (stack, 1), "read_one") ? 2 * MS : 4 * MS);
      n_tasks--;
    }
  g_assert_cmpuint (n_tasks, ==, 0);
  off = wait_graph_analyze (trace, "merge-short-lived", "off", "merge-similar", "false", NULL);
  g_assert_cmpuint (wait_graph_count (wait_graph_get_summary (off), "vertices"), >=, 6);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/short-lived/ends", test_ends);
  g_test_add_func ("/wait-graph/short-lived/circle", test_circle);
  g_test_add_func ("/wait-graph/short-lived/loop", test_loop);
  g_test_add_func ("/wait-graph/short-lived/entries", test_entries);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
