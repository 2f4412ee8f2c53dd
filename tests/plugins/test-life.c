/* test-life.c: test that the time of a thread's exit is its own until its last switch, and its
 * parent's wait for it, and that threads, spins and units of work have the names that the program
 * gave them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"
#include "report-reader.h"
#include "story.h"

#define MS G_GINT64_CONSTANT (1000000)
#define PARENT 10
#define CHILD 20

/* --- exits --- */

/* The child exits after 10 ms. Its memory is freed for 30 ms more, in which it even waits, before
 * it notifies its parent and leaves its CPU. */
static TbTrace *
open_slow_exit (void)
{
  Story *story = story_new (NULL);

  g_string_append (story, "# fact: command-pid=10\n");
  story_name (story, PARENT, "parent", PARENT);
  story_switch (story, 0, 0, 0, "R", PARENT);
  story_fork (story, 1000, 0, PARENT, CHILD);
  story_add (story, 1000, "1,name,,,,%d,,,%d,,,%s,,,", CHILD, CHILD, "hungry");
  story_switch (story, 1000, 1, 0, "R", CHILD);
  story_switch_with_stack (story, 1100, 0, PARENT, "S", 0, "main@parent;wait4@libc.so");
  story_exit (story, 11000, 1, CHILD);
  story_switch (story, 20000, 1, CHILD, "D", 0);
  story_wake_by_timer (story, 21000, 1, CHILD);
  story_switch (story, 21010, 1, 0, "R", CHILD);
  story_wake (story, 40990, 1, CHILD, PARENT);
  story_switch (story, 41000, 1, CHILD, "Z", 0);
  story_switch (story, 41000, 0, 0, "R", PARENT);
  story_end (story, 42000, 0, PARENT);
  return story_open_as (story, "slow-exit");
}

static void
test_slow_exit (void)
{
  g_autoptr (TbTrace) trace = open_slow_exit ();
  g_autoptr (TbReport) threads = report_run ("threads", trace, NULL, NULL);
  g_autoptr (TbReport) paths = control_paths_explain (trace, "parent");
  g_autoptr (TbReport) graph = report_run ("wait-graph", trace, NULL, NULL);
  JsonObject *child = summary_find (report_get_summary (threads), "threads", "name", "hungry");
  JsonObject *parent = summary_find (report_get_summary (threads), "threads", "name", "parent");
  JsonObject *summary = control_paths_get_summary (paths), *edge;

  g_assert_cmpint (json_object_get_int_member (child, "running_ns"), ==, 38990000);
  g_assert_cmpint (json_object_get_int_member (child, "last_ns")
                       - json_object_get_int_member (child, "first_ns"),
                   ==, 40 * MS);
  g_assert_cmpint (json_object_get_int_member (parent, "waiting_ns"), ==, 39890000);
  /* All of it is explained by the child, which ran for most of the time, also after its exit. */
  g_assert_cmpint (json_object_get_int_member (control_paths_find_contributor (summary, "hungry"),
                                               "running_ns"),
                   ==, 38990000);
  g_assert_cmpint (control_paths_get_category (summary, "other_path"), ==, 0);
  edge = summary_get_element (report_get_summary (graph), "edges", 0);
  g_assert_cmpint (json_object_get_int_member (edge, "plain_ns"), ==, 39890000);
}

/* --- names --- */

/* A thread has the name of its creator, then of the program, then one of its own. */
static TbTrace *
open_renamed (void)
{
  Story *story = story_new (NULL);

  story_name (story, PARENT, "java", PARENT);
  story_name (story, 11, "java", PARENT);
  story_switch (story, 0, 0, 0, "R", PARENT);
  story_switch (story, 0, 1, 0, "R", 11);
  story_add (story, 500, "1,name,,,,%d,,,%d,,,%s,,,", PARENT, 11, "Thread-0");
  story_add (story, 900, "1,name,,,,%d,,,%d,,,%s,,,", PARENT, 11, "cacher");
  for (guint i = 0; i < 10; i++)
    {
      gint64 time = 1000 + 2000 * i;

      story_add (story, time, "1,spin_begin,,,,,,,11,,,,,,");
      story_add (story, time + 500, "1,spin_end,,,,%d,,,11,,,,,,", PARENT);
      story_add (story, time + 600, "1,mark,,,,,,,11,,,work,,,");
      story_sleep (story, time + 700, time + 1900, 0, PARENT, 1, 11);
    }
  story_switch (story, 22000, 1, 11, "S", 0);
  story_switch (story, 22000, 0, PARENT, "S", 0);
  return story_open_as (story, "renamed");
}

static void
test_names (void)
{
  g_autoptr (TbTrace) trace = open_renamed ();
  g_autoptr (TbReport) threads = report_run ("threads", trace, NULL, NULL);
  g_autoptr (TbReport) graph
      = report_run ("wait-graph", trace, NULL, "merge-similar", "false", NULL);
  g_autofree char *text = tb_report_to_text (graph, 0);

  g_assert_nonnull (summary_find (report_get_summary (threads), "threads", "name", "cacher"));
  g_assert_nonnull (summary_find (report_get_summary (graph), "vertices", "name", "cacher"));
  g_test_message ("%s", text);
  g_assert_null (strstr (text, "Thread-0"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/life/slow-exit", test_slow_exit);
  g_test_add_func ("/life/names", test_names);
  return recording_run_tests ();
}
