/* test-programs.c: test of the programs that processes execute one after another: in the trace, and
 * in "threads" and "wait-graph"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "threads-fixture.h"
#include "trace/tb-trace-programs.h"

/* Process 10 "auth" lives before the recording, executes two programs at 2 ms and 5 ms, and ends at
 * 9 ms. Its thread 11 "helper" ends with the first exec. Process 30 "client" waits for its end. */
static Story *
write_chain (void)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "auth", 10);
  story_name (story, 11, "helper", 10);
  story_name (story, 30, "client", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 11);
  story_switch (story, 0, 2, 0, "R", 30);
  story_switch_with_stack (story, 500, 2, 30, "S", 0, "main@client;read@libc.so");
  story_sample (story, 1000, 0, 10, "main@auth");
  story_end (story, 2000, 1, 11);
  story_exec (story, 2000, 0, 10, "/usr/lib/authhelper");
  story_sample (story, 3000, 0, 10, "main@authhelper");
  story_sample (story, 4000, 0, 10, "main@authhelper");
  story_exec (story, 5000, 0, 10, "/usr/lib/checkpassword");
  story_switch_with_stack (story, 6000, 0, 10, "S", 0, "main@checkpassword;nanosleep@libc.so");
  story_wake_by_timer (story, 7000, 0, 10);
  story_switch (story, 7000, 0, 0, "R", 10);
  story_wake (story, 8999, 0, 10, 30);
  story_switch (story, 9000, 2, 0, "R", 30);
  story_end (story, 9000, 0, 10);
  story_end (story, 10000, 2, 30);
  return story;
}

static void
assert_program (const TbPrograms *programs,
                guint32 thread,
                gint64 us,
                const char *name,
                gint64 from_us,
                gint64 to_us)
{
  const TbProgram *program
      = tb_programs_get (programs, tb_programs_find (programs, thread, us * 1000));

  g_assert_nonnull (program);
  g_assert_cmpstr (program->name, ==, name);
  g_assert_cmpint (program->from, ==, from_us < 0 ? G_MININT64 : from_us * 1000);
  g_assert_cmpint (program->to, ==, to_us < 0 ? G_MAXINT64 : to_us * 1000);
}

static TbPrograms *
find_programs (TbTrace *trace)
{
  g_autoptr (GError) error = NULL;
  TbPrograms *programs = tb_programs_new (trace, &error);

  g_assert_no_error (error);
  return programs;
}

static void
assert_description (const TbPrograms *programs,
                    guint32 thread,
                    gint64 from_us,
                    gint64 to_us,
                    const char *expected)
{
  g_autofree char *text = tb_programs_describe (programs, thread, from_us * 1000, to_us * 1000);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_trace (void)
{
  g_autoptr (TbTrace) trace = story_open (write_chain ());
  g_autoptr (TbPrograms) programs = find_programs (trace);
  guint32 thread = recording_find_thread (trace, 10);
  guint32 helper = recording_find_thread (trace, 11);
  guint n;

  assert_program (programs, thread, 0, "auth", -1, 2000);
  assert_program (programs, thread, 1999, "auth", -1, 2000);
  assert_program (programs, thread, 2000, "authhelper", 2000, 5000);
  assert_program (programs, thread, 9999, "checkpassword", 5000, -1);
  tb_programs_list (programs, thread, &n);
  g_assert_cmpuint (n, ==, 3);
  assert_description (programs, thread, 0, 9000, "auth → authhelper → checkpassword");
  assert_description (programs, thread, 2000, 9000, "authhelper → checkpassword");
  assert_description (programs, thread, 2500, 4500, "authhelper");
  assert_description (programs, thread, 1900, 4900, "authhelper");
  assert_description (programs, thread, 5000, 9000, NULL);
  /* The thread that executed nothing. */
  tb_programs_list (programs, helper, &n);
  g_assert_cmpuint (n, ==, 0);
  assert_program (programs, helper, 0, "auth", -1, 2000);
  assert_description (programs, helper, 0, 9000, NULL);
}

/* A change of the name is no exec; four programs are named by three and "…"; a program that
 * executes itself is named once; of two execs at one time, the last counts. */
static void
test_names (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbPrograms) programs = NULL;
  guint32 renamed, many, itself, twice;
  guint n;

  for (gint32 tid = 10; tid <= 40; tid += 10)
    story_name (story, tid, "sh", tid);
  story_switch (story, 0, 0, 0, "R", 10);
  story_add (story, 1000, "0,name,,,,,,,10,,,worker,,,");
  for (int i = 0; i < 4; i++)
    {
      g_autofree char *program = g_strdup_printf ("/bin/p%d", i);

      story_exec (story, 1000 + 2000 * i, 0, 20, program);
    }
  story_exec (story, 2000, 0, 30, "/bin/sh");
  story_exec (story, 3000, 0, 40, "/bin/first");
  story_exec (story, 3000, 0, 40, "/bin/second");
  story_switch (story, 9000, 0, 10, "S", 0);
  trace = story_open (story);
  programs = find_programs (trace);
  renamed = recording_find_thread (trace, 10);
  many = recording_find_thread (trace, 20);
  itself = recording_find_thread (trace, 30);
  twice = recording_find_thread (trace, 40);
  tb_programs_list (programs, renamed, &n);
  g_assert_cmpuint (n, ==, 0);
  assert_program (programs, renamed, 500, "worker", -1, -1);
  assert_description (programs, many, 0, 9000, "sh → p0 → p1 → …");
  assert_description (programs, many, 5000, 9000, "p2 → p3");
  /* A program that it was for less than a tenth of the range. */
  assert_description (programs, many, 6500, 9000, "p2 → p3");
  assert_description (programs, many, 6800, 9000, NULL);
  assert_description (programs, itself, 0, 9000, NULL);
  tb_programs_list (programs, itself, &n);
  g_assert_cmpuint (n, ==, 2);
  assert_description (programs, twice, 0, 9000, "sh → second");
  assert_program (programs, twice, 3000, "second", 3000, -1);
}

/* The name before the exec was not recorded: it is not that of the program which was executed. */
static void
test_unknown_name (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbPrograms) programs = NULL;
  guint32 thread;

  story_switch (story, 0, 0, 0, "R", 10);
  story_exec (story, 2000, 0, 10, "/bin/compiler");
  story_switch (story, 3000, 0, 10, "S", 0);
  trace = story_open (story);
  programs = find_programs (trace);
  thread = recording_find_thread (trace, 10);
  assert_program (programs, thread, 1000, NULL, -1, 2000);
  assert_program (programs, thread, 2000, "compiler", 2000, -1);
  assert_description (programs, thread, 0, 3000, NULL);
}

static JsonObject *
find_thread (JsonObject *summary, gint64 tid)
{
  for (guint i = 0; i < summary_count (summary, "threads"); i++)
    {
      JsonObject *thread = summary_get_element (summary, "threads", i);

      if (json_object_get_int_member (thread, "tid") == tid)
        return thread;
    }
  g_error ("no thread %d in the summary", (int) tid);
}

static void
assert_part (JsonObject *thread, guint index, const char *name, gint64 from, gint64 to, gint64 ran)
{
  JsonObject *part = summary_get_element (thread, "programs", index);

  g_assert_cmpstr (json_object_get_string_member (part, "name"), ==, name);
  g_assert_cmpint (summary_get_int (part, "start_ns"), ==, from * 1000);
  g_assert_cmpint (summary_get_int (part, "end_ns"), ==, to * 1000);
  g_assert_cmpint (summary_get_int (part, "running_ns"), ==, ran * 1000);
}

/* The row of the table of states with this name. */
static guint
find_row (TbTableFigure *table, const char *name)
{
  for (guint i = 0; i < tb_table_figure_get_n_rows (table); i++)
    if (g_strcmp0 (tb_table_figure_get_text (table, i, 0), name) == 0)
      return i;
  return TB_ID_NONE;
}

static void
assert_running (TbTableFigure *table, const char *name, gint64 us)
{
  guint row = find_row (table, name);

  g_assert_cmpuint (row, !=, TB_ID_NONE);
  g_assert_cmpint (tb_table_figure_get_integer (table, row, 2), ==, us * 1000);
}

static void
test_threads (void)
{
  g_autoptr (TbTrace) trace = story_open (write_chain ());
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  JsonObject *summary = threads_get_summary (report);
  JsonObject *thread = find_thread (summary, 10), *helper = find_thread (summary, 11);
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "states"));
  TbTimelineFigure *timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));

  /* One object for each thread, as before. */
  g_assert_cmpuint (summary_count (summary, "threads"), ==, 3);
  g_assert_cmpint (summary_get_int (thread, "running_ns"), ==, 8000000);
  g_assert_cmpstr (json_object_get_string_member (thread, "process"), ==, "checkpassword");
  g_assert_cmpuint (summary_count (thread, "programs"), ==, 3);
  assert_part (thread, 0, "auth", 0, 2000, 2000);
  assert_part (thread, 1, "authhelper", 2000, 5000, 3000);
  assert_part (thread, 2, "checkpassword", 5000, 9000, 3000);
  g_assert_cmpint (summary_get_int (summary_get_element (thread, "programs", 0), "samples"), ==, 1);
  g_assert_cmpint (summary_get_int (summary_get_element (thread, "programs", 1), "samples"), ==, 2);
  g_assert_cmpint (summary_get_int (summary_get_element (thread, "programs", 2), "waiting_ns"), ==,
                   1000000);
  g_assert_cmpstr (json_object_get_string_member (helper, "process"), ==, "auth");
  g_assert_cmpuint (summary_count (helper, "programs"), ==, 1);
  assert_part (helper, 0, "helper", 0, 2000, 2000);

  g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==, 5);
  assert_running (table, "auth", 2000);
  assert_running (table, "authhelper", 3000);
  assert_running (table, "checkpassword", 3000);
  assert_running (table, "auth/helper", 2000);
  g_assert_cmpuint (report_find_track (timeline, "auth → authhelper → checkpassword"), !=,
                    TB_ID_NONE);
}

/* The label of an interval and the flames name the program of that time. */
static void
test_threads_figures (void)
{
  g_autoptr (TbTrace) trace = story_open (write_chain ());
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  TbTimelineFigure *timeline = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  TbFlameFigure *flame = TB_FLAME_FIGURE (tb_report_find_figure (report, "on-cpu"));
  guint track = report_find_track (timeline, "auth → authhelper → checkpassword");
  g_autofree char *first = tb_timeline_figure_get_label (timeline, track, 0, TRUE);
  g_autofree char *second = tb_timeline_figure_get_label (timeline, track, 1, TRUE);
  guint n_auth = 0, n_helper = 0;

  g_assert_true (g_str_has_prefix (first, "auth (10): ran 2"));
  g_assert_true (g_str_has_prefix (second, "authhelper (10): ran 3"));
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (flame); i++)
    {
      const char *name = tb_flame_figure_get_node (flame, i)->name;

      n_auth += g_strcmp0 (name, "auth (10)") == 0;
      n_helper += g_strcmp0 (name, "authhelper (10)") == 0;
    }
  g_assert_cmpuint (n_auth, ==, 1);
  g_assert_cmpuint (n_helper, ==, 1);
}

static JsonObject *
find_edge (JsonObject *summary, JsonObject *from, JsonObject *to)
{
  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    {
      JsonObject *edge = summary_get_element (summary, "edges", i);

      if (g_str_equal (json_object_get_string_member (edge, "from"),
                       json_object_get_string_member (from, "id"))
          && g_str_equal (json_object_get_string_member (edge, "to"),
                          json_object_get_string_member (to, "id")))
        return edge;
    }
  return NULL;
}

/* Checks the vertex of a program, and what "client" waits for it. Times are in µs. */
static JsonObject *
assert_vertex (JsonObject *summary,
               const char *name,
               gint64 from,
               gint64 to,
               gint64 ran,
               gint64 plain,
               gint64 weight)
{
  JsonObject *vertex = summary_find (summary, "vertices", "name", name);
  JsonObject *client = summary_find (summary, "vertices", "name", "client");
  JsonObject *program, *edge;

  g_assert_nonnull (vertex);
  g_assert_cmpstr (json_object_get_string_member (vertex, "kind"), ==, "thread");
  g_assert_cmpuint (summary_count (vertex, "members"), ==, 1);
  g_assert_cmpint (summary_get_int (vertex, "running_ns"), ==, ran * 1000);
  g_assert_cmpuint (summary_count (vertex, "programs"), ==, 1);
  program = summary_get_element (vertex, "programs", 0);
  g_assert_cmpstr (json_object_get_string_member (program, "name"), ==, name);
  g_assert_cmpint (summary_get_int (program, "start_ns"), ==, from * 1000);
  g_assert_cmpint (summary_get_int (program, "end_ns"), ==, to * 1000);
  edge = find_edge (summary, client, vertex);
  g_assert_nonnull (edge);
  g_assert_cmpint (summary_get_int (edge, "plain_ns"), ==, plain * 1000);
  g_assert_cmpint (summary_get_int (edge, "weight_ns"), ==, weight * 1000);
  g_assert_cmpint (summary_get_int (edge, "waits"), ==, 1);
  return vertex;
}

/* Each program is a vertex, with its own times and edges. What waits for the process waits for one
 * program after another. */
static void
test_wait_graph (void)
{
  g_autoptr (TbTrace) trace = story_open (write_chain ());
  g_autoptr (TbReport) report = report_run ("wait-graph", trace, NULL, NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *timer = summary_find (summary, "vertices", "kind", "timer");
  JsonObject *auth = assert_vertex (summary, "auth", 0, 2000, 2000, 1500, 1500);
  JsonObject *helper = assert_vertex (summary, "authhelper", 2000, 5000, 3000, 3000, 3000);
  JsonObject *last = assert_vertex (summary, "checkpassword", 5000, 9000, 3000, 3999, 3999);
  JsonObject *edge = find_edge (summary, last, timer);

  g_assert_cmpstr (json_object_get_string_member (auth, "id"), !=,
                   json_object_get_string_member (last, "id"));
  /* The sleep delays the client as well, but is none of the earlier programs'. */
  g_assert_nonnull (edge);
  g_assert_cmpint (summary_get_int (edge, "plain_ns"), ==, 1000000);
  g_assert_cmpint (summary_get_int (edge, "weight_ns"), ==, 2000000);
  g_assert_null (find_edge (summary, auth, timer));
  g_assert_null (find_edge (summary, helper, timer));
  g_assert_true (json_object_get_null_member (timer, "programs"));
}

/* Outside of the target, too: the threads of a process are one vertex for each program. */
static void
test_wait_graph_outside (void)
{
  g_autoptr (TbTrace) trace = story_open (write_chain ());
  g_autoptr (TbReport) report = report_run ("wait-graph", trace, NULL, "target", "client", NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *auth = summary_find (summary, "vertices", "name", "auth");
  JsonObject *last = summary_find (summary, "vertices", "name", "checkpassword");

  g_assert_nonnull (auth);
  g_assert_nonnull (last);
  /* With the helper, which ended at the first exec. */
  g_assert_cmpuint (summary_count (auth, "members"), ==, 2);
  g_assert_cmpint (summary_get_int (auth, "running_ns"), ==, 4000000);
  g_assert_cmpuint (summary_count (last, "members"), ==, 1);
  g_assert_cmpint (summary_get_int (last, "running_ns"), ==, 3000000);
}

/* The shell before the program is no part of its busy share, and a change of one does not change
 * waits for the other. Times are in µs. */
static void
test_what_if (void)
{
  g_autoptr (TbTrace) trace = story_open (write_chain ());
  g_autoptr (TbReport) report = report_run ("wait-graph", trace, NULL, "what-if",
                                            "edge:client>auth*0,edge:client>checkpassword*0", NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *earlier = summary_get_element (summary, "what_if", 0);
  JsonObject *last = summary_get_element (summary, "what_if", 1);

  /* The wait ends with the last program, so that only a change of its wait makes the client
   * faster. */
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (earlier, "after"),
                                  json_object_get_double_member (earlier, "before"), 1000);
  g_assert_cmpfloat (json_object_get_double_member (last, "after"), <,
                     json_object_get_double_member (last, "before") - 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/programs/trace", test_trace);
  g_test_add_func ("/programs/names", test_names);
  g_test_add_func ("/programs/unknown-name", test_unknown_name);
  g_test_add_func ("/programs/threads", test_threads);
  g_test_add_func ("/programs/threads-figures", test_threads_figures);
  g_test_add_func ("/programs/wait-graph", test_wait_graph);
  g_test_add_func ("/programs/wait-graph-outside", test_wait_graph_outside);
  g_test_add_func ("/programs/what-if", test_what_if);
  return recording_run_tests ();
}
