/* test-control-paths-input.c: test of the analysis "control-paths" with incomplete, contradictory
 * and random recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "control-paths-fixture.h"

/* A cycle of calls, wakers that slept, and lost events in the middle: sums are still consistent,
 * and warnings report the contradictions. */
static void
test_contradictions (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;
  guint64 lost;

  story_name (story, 10, "one", 10);
  story_name (story, 20, "two", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@one;wait@one");
  story_switch_with_stack (story, 1000, 1, 20, "S", 0, "main@two;wait@two");
  /* Each thread wakes the other while both sleep. */
  story_wake (story, 2000, 1, 20, 10);
  story_wake (story, 2000, 0, 10, 20);
  story_switch (story, 2100, 0, 0, "R", 10);
  story_switch (story, 2100, 1, 0, "R", 20);
  story_add (story, 4000, "0,lost,,,,,,,,,7,,,,");
  story_switch_with_stack (story, 5000, 0, 10, "S", 0, "main@one;wait@one");
  story_wake (story, 6000, 1, 20, 10);
  story_switch (story, 6000, 0, 0, "R", 10);
  story_end (story, 7000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "one");
  summary = control_paths_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 7000000);
  g_assert_cmpuint (control_paths_get_dropped (summary, "not known to have run"), ==, 1);
  g_assert_cmpint (control_paths_get_category (summary, "other_path"), ==, 1000000);
  g_assert_cmpint (control_paths_get_category (summary, "unaccounted"), >, 0);
  tb_report_get_uncertainty (report, &lost, NULL);
  g_assert_cmpuint (lost, ==, 7);
  finding_assert_integer (findings_get (report, "unknown-time"), "unknown_ns", 2900000);
  finding_assert_string (findings_get (report, "unknown-time"), "thread", "one");
}

static void
test_no_wakeups (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 10, "alone", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 1000, 0, 10, "S", 0);
  story_switch (story, 4000, 0, 0, "R", 10);
  story_end (story, 5000, 0, 10);
  trace = story_open (story);
  report = control_paths_explain (trace, "alone");
  summary = control_paths_get_summary (report);
  control_paths_assert_categories (summary, "not_sampled", 2000000, "unaccounted", 3000000, NULL);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (summary, "accounted_share"), 0.4,
                                  1e-9);
  finding_assert_integer (findings_get (report, "unknown-wait"), "wait_ns", 3000000);
  g_assert_true (report_has_warning (report, "No wake-ups were recorded"));
}

static void
assert_refused (TbTrace *trace, const char *option, const char *value, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report
      = report_try ("control-paths", trace, NULL, &error, option, value, NULL);

  g_assert_null (report);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_choosing (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_name (story, 10, "make", 10);
  story_name (story, 30, "shell", 30);
  story_name (story, 31, "shell", 31);
  story_name (story, 40, "idler", 40);
  story_switch (story, 0, 1, 0, "R", 30);
  story_switch (story, 0, 0, 0, "R", 10);
  /* A make process created by the first one belongs to the same operation. */
  story_fork (story, 1000, 0, 10, 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 20, "main@make;wait@libc.so");
  story_switch (story, 2000, 1, 30, "S", 31);
  story_wake (story, 3000, 0, 20, 10);
  story_exit (story, 3000, 0, 20);
  story_switch (story, 3000, 0, 20, "X", 10);
  story_end (story, 4000, 0, 10);
  story_switch (story, 4000, 1, 31, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "make");
  summary = control_paths_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 4000000);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 4000000);

  assert_refused (trace, "process", "shell", "30, 31");
  assert_refused (trace, "process", "nobody", "its processes:");
  assert_refused (trace, "process", "", "no process is chosen");
  assert_refused (trace, "thread", "99", "no process is chosen");
  assert_refused (trace, "process", "idler", "never ran");

  /* Only one shell ran in this part of the time. */
  selection = tb_selection_new (trace);
  tb_selection_set_range (selection, 2500000, 4000000);
  g_clear_object (&report);
  report = report_run ("control-paths", trace, selection, "process", "shell", NULL);
  summary = control_paths_get_summary (report);
  g_assert_cmpstr (json_object_get_string_member (summary, "process"), ==, "shell");
  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 1500000);
}

/* A part of the time, and another thread as the base path. */
static void
test_selection (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  tb_selection_set_range (selection, 5000000, 7000000);
  report = report_run ("control-paths", trace, selection, "process", "front", NULL);
  summary = control_paths_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 2000000);
  tb_selection_set_range (selection, 11000000, 12000000);
  g_assert_null (report_try ("control-paths", trace, selection, &error, "process", "front", NULL));
  g_assert_nonnull (strstr (error->message, "chosen time"));
}

/* A wait that is cut by the end of the recording is reported as open. A PID used twice must be
 * disambiguated. */
static void
test_cut (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;
  TbFinding *wait;

  story_name (story, 10, "hanger", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 50);
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@hanger;wait_for_godot@hanger");
  story_switch (story, 9000, 1, 50, "S", 0);
  trace = story_open (story);
  report = control_paths_explain (trace, "hanger");
  summary = control_paths_get_summary (report);
  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 9000000);
  g_assert_cmpint (control_paths_get_category (summary, "unaccounted"), ==, 8000000);
  wait = findings_get (report, "unfinished-wait");
  finding_assert_integer (wait, "wait_ns", 8000000);
  finding_assert_string (wait, "activity", "wait_for_godot");
}

static void
test_pid_reused (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) trace = NULL;

  story_name (story, 10, "shell", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  for (gint64 i = 0; i < 2; i++)
    {
      story_fork (story, 1000 + 2000 * i, 0, 10, 20);
      story_switch (story, 1000 + 2000 * i, 0, 10, "S", 20);
      story_wake (story, 2000 + 2000 * i, 0, 20, 10);
      story_exit (story, 2000 + 2000 * i, 0, 20);
      story_switch (story, 2000 + 2000 * i, 0, 20, "X", 10);
    }
  story_switch (story, 5000, 0, 10, "S", 0);
  trace = story_open (story);
  assert_refused (trace, "process", "20", "id:");
}

static void
test_cancelled (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("fixtures/events/pipes.csv");
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = report_create_analysis ("control-paths", "process", "front", NULL);
  g_autoptr (TbReport) report = NULL;

  g_cancellable_cancel (cancellable);
  report = tb_analysis_run (analysis, trace, selection, NULL, NULL, cancellable, &error);
  g_assert_null (report);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Threads that run, wait, wake each other, read and lose events at random: sums must always be
 * consistent. */
static void
add_random_events (Story *story)
{
  const char *const stacks[]
      = { "main;poll@libc.so", "main;read@libc.so", "main;nanosleep@libc.so", NULL };
  gint32 on_cpu[2] = { 0, 0 };
  gboolean ready[6] = { FALSE, TRUE, TRUE, TRUE, TRUE, TRUE };
  gint64 time = 0;

  for (gint32 i = 1; i <= 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("thread-%d", i);

      story_name (story, i, name, i < 4 ? i : 1);
    }
  for (guint i = 0; i < 200; i++)
    {
      int cpu = g_test_rand_int_range (0, 2);
      gint32 thread = g_test_rand_int_range (1, 6);
      gint32 current = on_cpu[cpu];
      int what = g_test_rand_int_range (0, 40);

      time += g_test_rand_int_range (1, 400);
      if (what < 12 && ready[thread] && on_cpu[1 - cpu] != thread && current != thread)
        {
          gboolean preempted = current != 0 && g_test_rand_int_range (0, 4) == 0;

          story_switch_with_stack (story, time, cpu, current, preempted || current == 0 ? "R" : "S",
                                   thread, stacks[g_test_rand_int_range (0, 3)]);
          if (current != 0)
            ready[current] = preempted;
          on_cpu[cpu] = thread;
        }
      else if (what < 18 && current != 0)
        {
          story_switch_with_stack (story, time, cpu, current, what < 14 ? "D" : "S", 0,
                                   stacks[what % 3]);
          ready[current] = FALSE;
          on_cpu[cpu] = 0;
        }
      else if (what < 28 && !ready[thread])
        {
          if (current == 0 || what == 27)
            story_wake_by_timer (story, time, cpu, thread);
          else
            story_wake (story, time, cpu, current, thread);
          ready[thread] = TRUE;
        }
      else if (what < 32 && current != 0)
        story_sample (story, time, cpu, current, "main;work");
      else if (what < 34 && current != 0)
        {
          story_add (story, time, "%d,io_insert,,,,,,,%d,vda,512,,,%u,", cpu, current, i);
          story_add (story, time += 20, "%d,io_issue,,,,,,,%d,vda,512,,,%u,", cpu, current, i);
          story_add (story, time += 200, "%d,io_complete,,,,,,,%d,vda,512,,,%u,", cpu, current, i);
        }
      else if (what == 39 && g_test_rand_int_range (0, 8) == 0)
        story_add (story, time, "0,lost,,,,,,,,,3,,,,");
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < test_rounds (60, 12); round++)
    {
      Story *story = story_new (NULL);
      g_autoptr (TbTrace) trace = NULL;

      add_random_events (story);
      trace = story_open (story);
      for (guint i = 1; i <= 3; i++)
        {
          g_autofree char *process = g_strdup_printf ("thread-%u", i);
          g_autoptr (GError) error = NULL;
          g_autoptr (TbReport) report
              = report_try ("control-paths", trace, NULL, &error, "process", process, NULL);

          if (report != NULL)
            control_paths_get_summary (report);
          else
            g_assert_nonnull (strstr (error->message, "never ran"));
        }
    }
}

/* The process ran and waited for the disk. */
static void
assert_two_activities (TbFinding *finding)
{
  g_autofree char *called_through = finding_join_strings (finding, "called_through");

  finding_assert_integer (finding, "pid", 702);
  g_assert_cmpstr (called_through, ==, "curl,nginx,php-cgi,dovecot");
  finding_assert_string (finding, "function", "sha512_rounds");
  finding_assert_string (finding, "second_activity", "disk-wait");
  finding_assert_string (finding, "file", "login.log");
  finding_assert_integer (finding, "more_files", 0);
  g_assert_true (finding_is_null (finding, "peer"));
  finding_assert_string (finding, "wait_function", "fsync");
  g_assert_cmpint (finding_get_integer (finding, "activity_ns"), >=,
                   finding_get_integer (finding, "second_activity_ns"));
}

/* Text rendering of the synthetic recording, compared word for word. GOLDEN=1 in the environment
 * writes it anew. */
static void
test_inbox (void)
{
  g_autofree char *golden_path
      = g_test_build_filename (G_TEST_DIST, "plugins", "control-paths-inbox.txt", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "fixtures", "inbox.csv", NULL);
  g_autofree char *golden = NULL;
  g_autofree char *table = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (TbTrace) trace = story_open_path ("inbox", path);
  g_autoptr (TbReport) report = control_paths_explain (trace, "curl");

  control_paths_get_summary (report);
  assert_two_activities (findings_get_with (report, "cpu-bound", "process", "dovecot"));
  g_string_append_printf (text, "%s\n\n", tb_report_get_headline (report));
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    g_string_append_printf (text, "%s\n", tb_finding_get_text (tb_report_get_finding (report, i)));
  table = tb_figure_to_text (tb_report_find_figure (report, "explanation"), 100);
  g_string_append_printf (text, "\n%s", table);
  if (g_getenv ("GOLDEN") != NULL)
    g_file_set_contents (golden_path, text->str, -1, NULL);
  g_file_get_contents (golden_path, &golden, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, golden);
}

/* A program is in a system call with these arguments until a timer wakes it. */
static TbReport *
explain_call (const char *call, const guint64 *arguments)
{
  TbRecorder *recorder = recording_new ("control-paths-call");
  TbEvent enter = recording_make_event (900, TB_EVENT_SYS_ENTER, 0, 10);
  TbEvent exit = recording_make_event (9100, TB_EVENT_SYS_EXIT, 0, 10);
  g_autoptr (TbTrace) trace = NULL;

  enter.pid = exit.pid = 10;
  enter.text = exit.text = tb_recorder_intern_string (recorder, call, -1);
  enter.args = arguments;
  tb_recorder_add_host (recorder, "host", "", "x86_64", 1, 0);
  recording_name (recorder, 10, "app", 10);
  recording_switch (recorder, 0, 0, 0, 'R', 10);
  tb_recorder_add (recorder, &enter);
  recording_switch (recorder, 1000, 0, 10, 'S', 0);
  recording_switch (recorder, 9000, 0, 0, 'R', 10);
  tb_recorder_add (recorder, &exit);
  recording_switch (recorder, 10000, 0, 10, 'S', 0);
  tb_recorder_set_range (recorder, 0, 10000);
  trace = recording_open (recorder);
  return control_paths_explain (trace, "app");
}

/* A poll of no descriptors is a sleep, if its arguments were recorded. */
static void
test_empty_polls (void)
{
  static const struct
  {
    const char *call;
    guint64 arguments[6];
    gint64 slept;
  } cases[] = {
    { "select", { 0, 0, 0, 0, 0x7ffc1000 }, 8000 },
    { "select", { 4, 0x7ffc2000, 0, 0, 0x7ffc1000 }, 0 },
    { "select", { 0 }, 0 },
    { "pselect6", { 0, 0, 0, 0, 0x7ffc1000 }, 8000 },
    { "poll", { 0, 0, 8 }, 8000 },
    { "poll", { 0x7ffc2000, 1, 8 }, 0 },
    { "poll", { 0, 0, 0xffffffff /* no timeout */ }, 0 },
    { "ppoll", { 0, 0, 0x7ffc1000 }, 8000 },
    { "epoll_wait", { 5, 0x7ffc2000, 1, 8 }, 0 }, /* its set is not known */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = explain_call (cases[i].call, cases[i].arguments);
      JsonObject *summary = control_paths_get_summary (report);

      g_test_message ("%u %s", i, cases[i].call);
      g_assert_cmpint (control_paths_get_category (summary, "deliberate_sleep"), ==,
                       cases[i].slept);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths-input/contradictions", test_contradictions);
  g_test_add_func ("/control-paths-input/no-wakeups", test_no_wakeups);
  g_test_add_func ("/control-paths-input/choosing", test_choosing);
  g_test_add_func ("/control-paths-input/selection", test_selection);
  g_test_add_func ("/control-paths-input/cut", test_cut);
  g_test_add_func ("/control-paths-input/pid-reused", test_pid_reused);
  g_test_add_func ("/control-paths-input/cancelled", test_cancelled);
  g_test_add_func ("/control-paths-input/anything", test_random);
  g_test_add_func ("/control-paths-input/inbox", test_inbox);
  g_test_add_func ("/control-paths-input/empty-polls", test_empty_polls);
  return recording_run_tests ();
}
