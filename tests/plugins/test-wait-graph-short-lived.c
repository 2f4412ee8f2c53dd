/* test-wait-graph-short-lived.c: test of merging short-lived threads into one vertex, without false
 * cycles
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define ROUNDS 4

/* In each round C starts a task and waits for its end, then for B. The exit of a task is recorded
 * 100 µs before it wakes C. */
static TbTrace *
open_rounds (void)
{
  Story *story = story_new ("C B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int i = 0; i < ROUNDS; i++)
    {
      int t = 1000 + i * 10000, task = 21 + i;

      story_fork (story, t, 0, 11, task);
      story_add (story, t, "0,name,,,,10,,,%d,,,task,,,", task);
      story_switch (story, t, 2, 0, "R", task);
      story_switch (story, t + 100, 0, 11, "S", 0);
      story_exit (story, t + 1900, 2, task);
      story_wake (story, t + 2000, 2, task, 11);
      story_switch (story, t + 2000, 0, 0, "R", 11);
      story_switch (story, t + 2010, 2, task, "X", 0);
      story_sleep (story, t + 3000, t + 9000, 0, 11, 1, 12);
    }
  story_add (story, 41000, "1,mark,,,,,,,12,,,end,,,");
  return story_open (story);
}

/* While no task lives, the vertex waits for C, and so for B while C waits for it: 6 ms a round.
 * This is not a cycle. */
static void
test_ends (void)
{
  g_autoptr (TbTrace) trace = open_rounds ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *edge = wait_graph_find_edge (summary, "C", "B");

  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 0);
  g_assert_false (report_has_warning (report, "circle"));
  g_assert_nonnull (wait_graph_find_vertex (summary, "task ×4"));
  g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, ROUNDS * 6 * MS);
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), ==, 2 * ROUNDS * 6 * MS);
  edge = wait_graph_find_edge (summary, "C", "task ×4");
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), ==, ROUNDS * 19 * MS / 10);
}

/* Two tasks sleep at once. One waits for C, which waits for the other task, and the other waits for
 * B; with among_them one waits for the other. */
static TbTrace *
open_crossed (gboolean among_them)
{
  Story *story = story_new ("C B");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_fork (story, 1000, 0, 11, 21);
  story_add (story, 1000, "0,name,,,,10,,,21,,,task,,,");
  story_fork (story, 1000, 0, 11, 22);
  story_add (story, 1000, "0,name,,,,10,,,22,,,task,,,");
  story_switch (story, 1000, 2, 0, "R", 21);
  story_switch (story, 1000, 3, 0, "R", 22);
  story_switch (story, 2000, 2, 21, "S", 0);
  story_switch (story, 2000, 3, 22, "S", 0);
  story_switch (story, 2000, 0, 11, "S", 0);
  story_wake (story, 6000, 1, 12, 22);
  story_switch (story, 6000, 3, 0, "R", 22);
  story_wake (story, 6100, 3, 22, 11);
  story_switch (story, 6100, 0, 0, "R", 11);
  if (among_them)
    story_wake (story, 6200, 3, 22, 21);
  else
    story_wake (story, 6200, 0, 11, 21);
  story_switch (story, 6200, 2, 0, "R", 21);
  story_end (story, 6300, 2, 21);
  story_end (story, 6400, 3, 22);
  story_add (story, 20000, "1,mark,,,,,,,12,,,end,,,");
  return story_open (story);
}

/* Only the merged vertex is in a cycle of waits. The cycle is cut and counted, but no waker is
 * reported as wrong. */
static void
test_circle (void)
{
  g_autoptr (TbTrace) trace = open_crossed (FALSE);
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) unmerged = wait_graph_analyze (trace, "merge-short-lived", "off", NULL);
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 1);
  g_assert_false (report_has_warning (report, "circle"));
  /* From 2 to 6 ms both wait: half of that time for each. */
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_edge (summary, "task ×2", "B"),
                                               "plain_ns"),
                   ==, 2 * MS);
  summary = wait_graph_get_summary (unmerged);
  g_assert_cmpint (json_object_get_int_member (summary, "cycles_cut"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "merged_cycles"), ==, 0);
}

/* A task that waits for another one of the vertex is a self-loop, not a cycle. */
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
  /* C waits for the vertex during that time. */
  g_assert_cmpint (json_object_get_int_member (loop, "weight_ns"), ==, 4 * MS);
}

/* C starts two readers and two writers with one name. Their entry functions make them two
 * vertices. */
static void
test_entries (void)
{
  static const char *const entries[]
      = { "start_thread;read_one;wait", "start_thread;write_one;wait" };
  Story *story = story_new ("C B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) off = NULL;
  JsonObject *summary;
  guint n_tasks = 0, n_threads = 0;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int i = 0; i < 4; i++)
    {
      int t = 1000 + i * 5000, task = 21 + i;
      g_autofree char *name = g_strdup_printf ("0,name,,,,10,,,%d,,,task,,,", task);

      story_fork (story, t, 0, 11, task);
      story_add (story, t, "%s", name);
      story_switch (story, t, 2, 0, "R", task);
      /* Readers wait for 1 ms, writers for 2 ms. */
      story_switch_with_stack (story, t + 1000, 2, task, "S", 0, entries[i % 2]);
      story_wake (story, t + 2000 + i % 2 * 1000, 1, 12, task);
      story_switch (story, t + 2000 + i % 2 * 1000, 2, 0, "R", task);
      story_end (story, t + 4000, 2, task);
    }
  story_add (story, 30000, "1,mark,,,,,,,12,,,end,,,");
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  for (guint i = 0; i < summary_count (summary, "vertices"); i++)
    {
      JsonObject *vertex = summary_get_element (summary, "vertices", i);

      if (!g_str_has_prefix (json_object_get_string_member (vertex, "name"), "task"))
        continue;
      n_tasks++;
      g_assert_cmpuint (summary_count (vertex, "members"), ==, 2);
      n_threads += summary_count (vertex, "members");
    }
  g_assert_cmpuint (n_tasks, ==, 2);
  g_assert_cmpuint (n_threads, ==, 4);
  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    {
      JsonObject *edge = summary_get_element (summary, "edges", i);
      JsonArray *stack;

      if (json_object_get_null_member (edge, "waiter_stack"))
        continue;
      stack = json_object_get_array_member (edge, "waiter_stack");
      g_assert_cmpint (json_object_get_int_member (edge, "waits"), ==, 2);
      g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==,
                       g_str_equal (json_array_get_string_element (stack, 1), "read_one") ? 2 * MS
                                                                                          : 4 * MS);
      n_tasks--;
    }
  g_assert_cmpuint (n_tasks, ==, 0);
  off = wait_graph_analyze (trace, "merge-short-lived", "off", "merge-similar", "false", NULL);
  g_assert_cmpuint (summary_count (wait_graph_get_summary (off), "vertices"), >=, 6);
}

/* --- which threads are merged --- */

static void
start_task (Story *story, int us, int creator, const char *name, int task, int cpu)
{
  story_fork (story, us, 0, creator, task);
  story_add (story, us, "0,name,,,,10,,,%d,,,%s,,,", task, name);
  story_switch (story, us, cpu, 0, "R", task);
}

/* A task lives for 4 ms, and waits 1 ms of that for B at the given place. */
static void
add_task (Story *story, int us, int creator, const char *name, int task, const char *stack)
{
  start_task (story, us, creator, name, task, 3);
  if (stack != NULL)
    {
      story_switch_with_stack (story, us + 1000, 3, task, "S", 0, stack);
      story_wake (story, us + 2000, 2, 13, task);
      story_switch (story, us + 2000, 3, 0, "R", task);
    }
  story_end (story, us + 4000, 3, task);
}

static Story *
make_creators (void)
{
  Story *story = story_new ("C1 C2 B");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  return story;
}

static TbTrace *
end_story (Story *story)
{
  story_add (story, 60000, "1,mark,,,,,,,12,,,end,,,");
  return story_open (story);
}

static guint
count_vertices (JsonObject *summary, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < summary_count (summary, "vertices"); i++)
    n += g_str_equal (json_object_get_string_member (summary_get_element (summary, "vertices", i),
                                                     "name"),
                      name);
  return n;
}

/* Vertices to which a vertex has edges. */
static char *
list_wakers (JsonObject *summary, JsonObject *vertex)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < summary_count (summary, "vertices"); i++)
    {
      JsonObject *to = summary_get_element (summary, "vertices", i);

      for (guint j = 0; j < summary_count (summary, "edges"); j++)
        {
          JsonObject *edge = summary_get_element (summary, "edges", j);

          if (g_str_equal (json_object_get_string_member (edge, "from"),
                           json_object_get_string_member (vertex, "id"))
              && g_str_equal (json_object_get_string_member (edge, "to"),
                              json_object_get_string_member (to, "id")))
            g_string_append_printf (names, "%s ", json_object_get_string_member (to, "name"));
        }
    }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* Two creators start two tasks each, with the same entry function. They are two vertices, because
 * the creator is what a vertex waits for while none of its tasks lives. */
static void
test_creators (void)
{
  Story *story = make_creators ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *all = NULL;
  g_autoptr (GString) wakers = g_string_new (NULL);
  JsonObject *summary;

  for (int i = 0; i < 4; i++)
    add_task (story, 1000 + i * 5000, 11 + i % 2, "task", 21 + i, "start_thread;work;wait");
  trace = end_story (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpuint (count_vertices (summary, "task ×2"), ==, 2);
  for (guint i = 0; i < summary_count (summary, "vertices"); i++)
    {
      JsonObject *vertex = summary_get_element (summary, "vertices", i);
      g_autofree char *of = NULL;

      if (!g_str_equal (json_object_get_string_member (vertex, "name"), "task ×2"))
        continue;
      of = list_wakers (summary, vertex);
      g_string_append_printf (wakers, "%s; ", of);
    }
  g_assert_cmpstr (wakers->str, ==, "C1 B ; C2 B ; ");
}

/* One thread starts four stages, each of which starts two leaves. */
static TbTrace *
open_stages (void)
{
  Story *story = make_creators ();

  for (int i = 0; i < 4; i++)
    {
      int t = 1000 + i * 5000;

      start_task (story, t, 11, "stage", 21 + i, 3);
      for (int j = 0; j < 2; j++)
        {
          start_task (story, t + 500 + j * 1500, 21 + i, "leaf", 31 + 2 * i + j, 4);
          story_end (story, t + 1500 + j * 1500, 4, 31 + 2 * i + j);
        }
      story_end (story, t + 4000, 3, 21 + i);
    }
  return end_story (story);
}

/* Tasks of merged creators are merged. If the creators are unmerged, each has a vertex of its own
 * tasks. */
static void
test_nested (void)
{
  g_autoptr (TbTrace) trace = open_stages ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) unmerged
      = wait_graph_analyze (trace, "unmerge", "stage", "merge-similar", "no", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *edge = wait_graph_find_edge (summary, "leaf ×8", "stage ×4");

  /* All of the time but the 1 ms for which each leaf runs. */
  g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, 52 * MS);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_edge (summary, "stage ×4", "C1"),
                                               "plain_ns"),
                   ==, 44 * MS);
  summary = wait_graph_get_summary (unmerged);
  g_assert_cmpuint (count_vertices (summary, "stage"), ==, 4);
  g_assert_cmpuint (count_vertices (summary, "leaf ×2"), ==, 4);
  g_assert_null (wait_graph_find_vertex (summary, "leaf ×8"));
  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    {
      edge = summary_get_element (summary, "edges", i);
      g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, 58 * MS);
    }
  g_assert_cmpuint (summary_count (summary, "edges"), ==, 4);
}

/* A thread that lives for half of the time, or from before the start, is not short-lived. */
static void
test_long_lived (void)
{
  Story *story = make_creators ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_add (story, 0, "0,name,,,,10,,,20,,,task,,,");
  story_switch (story, 0, 5, 0, "R", 20);
  story_end (story, 500, 5, 20);
  start_task (story, 1000, 11, "task", 21, 4);
  story_end (story, 31000, 4, 21);
  add_task (story, 1000, 11, "task", 22, NULL);
  add_task (story, 11000, 11, "task", 23, NULL);
  trace = end_story (story);
  report = wait_graph_analyze (trace, "merge-similar", "no", NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpuint (count_vertices (summary, "task ×2"), ==, 1);
  g_assert_cmpuint (count_vertices (summary, "task"), ==, 2);
}

/* Threads that never sleep have no known entry function. They are merged with others of their name
 * if those have only one entry function. */
static void
test_never_asleep (void)
{
  static const char *const lock = "start_thread;work;lock", *const other
                                                            = "start_thread;write;lock";

  for (guint several = 0; several < 2; several++)
    {
      const char *const stacks[]
          = { NULL, lock, NULL, lock, several ? other : NULL, several ? other : NULL };
      Story *story = make_creators ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *summary;

      for (int i = 0; i < (int) G_N_ELEMENTS (stacks); i++)
        add_task (story, 1000 + i * 5000, 11, "task", 21 + i, stacks[i]);
      trace = end_story (story);
      report = wait_graph_analyze (trace, NULL);
      summary = wait_graph_get_summary (report);
      g_assert_cmpuint (count_vertices (summary, "task ×6"), ==, several ? 0 : 1);
      g_assert_cmpuint (count_vertices (summary, "task ×2"), ==, several ? 3 : 0);
    }
}

/* Functions without a symbol are distinguished by address. The entry function is one of the
 * program, not one of the library or the kernel that starts threads. */
static void
test_unresolved (void)
{
  static const struct
  {
    const char *names[2];
    const char *stacks[2];
    gboolean is_one;
  } cases[] = {
    { { "task", "task" }, { "start_thread;app+0x10;wait", "start_thread;app+0x20;wait" }, FALSE },
    { { "task", "task" }, { "start_thread;app+0x10;wait", "start_thread;app+0x10;wait" }, TRUE },
    { { "red", "blue" }, { "start_thread;app+0x10;wait", "start_thread;app+0x10;wait" }, FALSE },
    { { "red", "blue" },
      { "libc.so.6+0x10;work;wait", "ld-linux-x86-64.so.2+0x20;[kernel]+0x30;work;wait" },
      TRUE },
    { { "red", "blue" }, { "start_thread;operator+;wait", "start_thread;operator+;wait" }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Story *story = make_creators ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      guint n_of_two = 0, n_of_four = 0;
      JsonObject *summary;

      for (int j = 0; j < 4; j++)
        add_task (story, 1000 + j * 5000, 11, cases[i].names[j % 2], 21 + j,
                  cases[i].stacks[j % 2]);
      trace = end_story (story);
      report = wait_graph_analyze (trace, "merge-similar", "no", NULL);
      summary = wait_graph_get_summary (report);
      for (guint j = 0; j < summary_count (summary, "vertices"); j++)
        {
          JsonObject *vertex = summary_get_element (summary, "vertices", j);

          n_of_two += summary_count (vertex, "members") == 2;
          n_of_four += summary_count (vertex, "members") == 4;
        }
      g_test_message ("case %u", i);
      g_assert_cmpuint (n_of_two, ==, cases[i].is_one ? 0 : 2);
      g_assert_cmpuint (n_of_four, ==, cases[i].is_one ? 1 : 0);
    }
}

/* --- times of the merged vertex --- */

/* The first task is woken at 3.5 ms but gets a CPU at 3.8: until then the vertex does not wait. */
static void
test_runnable (void)
{
  Story *story = story_new ("C B D");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *vertex;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  start_task (story, 1000, 11, "task", 21, 3);
  start_task (story, 2000, 11, "task", 22, 4);
  story_switch (story, 2100, 3, 21, "S", 0);
  story_switch (story, 2500, 4, 22, "S", 0);
  story_wake (story, 3500, 1, 12, 21);
  story_switch (story, 3800, 3, 0, "R", 21);
  story_end (story, 3900, 3, 21);
  story_wake (story, 4000, 2, 13, 22);
  story_switch (story, 4000, 4, 0, "R", 22);
  story_end (story, 4200, 4, 22);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  vertex = wait_graph_find_vertex (summary, "task ×2");
  wait_graph_assert_edge (summary, "task ×2", "B", 500000, 500000, 1);
  wait_graph_assert_edge (summary, "task ×2", "D", 600000, 600000, 1);
  g_assert_cmpint (json_object_get_int_member (wait_graph_find_edge (summary, "task ×2", "D"),
                                               "bound_ns"),
                   ==, 1100000);
  /* Together with its waiting that is the whole time. */
  g_assert_cmpint (json_object_get_int_member (vertex, "running_ns"), ==, 1800000);
  g_assert_cmpint (json_object_get_int_member (vertex, "runnable_ns"), ==, 300000);
  g_assert_cmpint (json_object_get_int_member (vertex, "waiting_ns"), ==, 7900000);
}

/* Two tasks wait at once, for B from 2.5 to 3.5 ms and for D until 4, except for 100 µs in which
 * the first one runs. B and D belong to one process outside the target and are one vertex: time
 * with one or both waits open counts once. */
static void
test_union (void)
{
  Story *story = story_new ("C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *edge;

  story_name (story, 10, "app", 10);
  story_name (story, 30, "helper", 30);
  story_name (story, 31, "helper/B", 30);
  story_name (story, 32, "helper/D", 30);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 31);
  story_switch (story, 0, 2, 0, "R", 32);
  start_task (story, 1000, 11, "task", 21, 3);
  start_task (story, 2000, 11, "task", 22, 4);
  story_switch (story, 2100, 3, 21, "S", 0);
  story_switch (story, 2500, 4, 22, "S", 0);
  story_wake (story, 3500, 1, 31, 21);
  story_switch (story, 3500, 3, 0, "R", 21);
  story_end (story, 3600, 3, 21);
  story_wake (story, 4000, 2, 32, 22);
  story_switch (story, 4000, 4, 0, "R", 22);
  story_end (story, 4200, 4, 22);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "target", "app", NULL);
  edge = wait_graph_find_edge (wait_graph_get_summary (report), "task ×2", "helper");
  g_assert_cmpint (json_object_get_int_member (edge, "bound_ns"), ==, 1400000);
  g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, 1400000);
  g_assert_cmpint (json_object_get_int_member (edge, "longest_ns"), ==, 1400000);
  g_assert_cmpint (json_object_get_int_member (edge, "waits"), ==, 2);
}

/* A timer wakes C every 4 ms. C starts four tasks, which run for 1.5 ms in parallel. As one thread
 * they run 37 % of the time. */
static void
test_side_by_side (void)
{
  Story *story = story_new ("C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *vertex;

  for (int i = 0; i < 10; i++)
    {
      int t = i * 4000;

      story_add (story, t, "0,softirq_entry,,,,,,1,,,,,,,");
      if (i > 0)
        story_wake (story, t, 0, 0, 11);
      story_add (story, t + 1, "0,softirq_exit,,,,,,1,,,,,,,");
      story_switch (story, t + 1, 0, 0, "R", 11);
      for (int j = 0; j < 4; j++)
        {
          start_task (story, t + 10, 11, "task", 21 + 4 * i + j, 1 + j);
          story_end (story, t + 1510, 1 + j, 21 + 4 * i + j);
        }
      story_switch (story, t + 20, 0, 11, "S", 0);
    }
  story_add (story, 40000, "0,mark,,,,,,,11,,,end,,,");
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  g_assert_cmpuint (findings_count (report, "execution-bottleneck"), ==, 0);
  g_assert_cmpuint (findings_count (report, "joint-execution-bottleneck"), ==, 0);
  finding_assert_number (findings_get (report, "mostly-asleep"), "until_timer_share",
                         .9 * 2490 / 4000);
  vertex = wait_graph_find_vertex (wait_graph_get_summary (report), "task ×40");
  g_assert_cmpint (json_object_get_int_member (vertex, "running_ns"), ==, 15 * MS);
  g_assert_cmpint (json_object_get_int_member (vertex, "runnable_ns"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (vertex, "waiting_ns"), ==, 25 * MS);
}

/* An idle disk waits for the vertex of the tasks that send it requests, whichever of them that
 * is. */
static void
test_device (void)
{
  Story *story = make_creators ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *edge;

  for (int i = 0; i < 2; i++)
    {
      int t = 1000 + i * 5000;

      add_task (story, t, 11, "task", 21 + i, NULL);
      story_add (story, t + 1000, "3,io_issue,,,,,,,%d,vda,4096,,,%d,", 21 + i, 1 + i);
      story_add (story, t + 2000, "3,io_complete,,,,,,,,vda,4096,,,%d,", 1 + i);
    }
  trace = end_story (story);
  report = wait_graph_analyze (trace, NULL);
  edge = wait_graph_find_edge (wait_graph_get_summary (report), "vda", "task ×2");
  g_assert_nonnull (edge);
  g_assert_true (json_object_get_boolean_member (edge, "idle"));
  g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, 58 * MS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/short-lived/ends", test_ends);
  g_test_add_func ("/wait-graph/short-lived/circle", test_circle);
  g_test_add_func ("/wait-graph/short-lived/loop", test_loop);
  g_test_add_func ("/wait-graph/short-lived/entries", test_entries);
  g_test_add_func ("/wait-graph/short-lived/creators", test_creators);
  g_test_add_func ("/wait-graph/short-lived/nested", test_nested);
  g_test_add_func ("/wait-graph/short-lived/long-lived", test_long_lived);
  g_test_add_func ("/wait-graph/short-lived/never-asleep", test_never_asleep);
  g_test_add_func ("/wait-graph/short-lived/unresolved", test_unresolved);
  g_test_add_func ("/wait-graph/short-lived/runnable", test_runnable);
  g_test_add_func ("/wait-graph/short-lived/union", test_union);
  g_test_add_func ("/wait-graph/short-lived/side-by-side", test_side_by_side);
  g_test_add_func ("/wait-graph/short-lived/device", test_device);
  return recording_run_tests ();
}
