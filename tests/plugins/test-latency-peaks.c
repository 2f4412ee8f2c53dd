/* test-latency-peaks.c: the analysis "latency-peaks" on recordings whose truth is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

static TbReport *
try_analyze (TbTrace *trace, const char *operation, const char *option, const char *value, GError **error)
{
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", error);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);

  g_assert_nonnull (analysis);
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "operation", operation, NULL));
  if (option != NULL)
    g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), option, value, NULL));
  return tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, error);
}

static TbReport *
analyze (TbTrace *trace, const char *operation)
{
  g_autoptr (GError) error = NULL;
  TbReport *report = try_analyze (trace, operation, NULL, NULL, &error);

  g_assert_no_error (error);
  return report;
}

static void
enter (Story *story, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (story, "%d000,%d,sys_enter,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

static void
leave (Story *story, int us, int cpu, int tid)
{
  g_string_append_printf (story, "%d000,%d,sys_exit,,,,,,,%d,,0,,,,\n", us, cpu, tid);
}

static void
interrupt (Story *story, int from, int to, int cpu, const char *device)
{
  g_string_append_printf (story, "%d000,%d,irq_entry,,,,,,,,%s,,,,,\n", from, cpu, device);
  g_string_append_printf (story, "%d000,%d,irq_exit,,,,,,,,%s,,,,,\n", to, cpu, device);
}

static JsonObject *
get_summary (TbReport *report)
{
  return json_node_get_object (tb_report_get_summary (report));
}

/* Whatever is looked into: its parts are all there is. */
static JsonObject *
get_peak (TbReport *report, guint index)
{
  JsonObject *peak = wait_graph_get_element (get_summary (report), "peaks", index);
  JsonObject *parts
      = json_object_get_null_member (peak, "parts") ? NULL : json_object_get_object_member (peak, "parts");

  if (parts != NULL && json_object_get_int_member (peak, "nested") == 0)
    g_assert_cmpint (json_object_get_int_member (parts, "running_ns")
                         + json_object_get_int_member (parts, "waiting_ns")
                         + json_object_get_int_member (parts, "preempted_ns")
                         + json_object_get_int_member (parts, "run_queue_ns")
                         + json_object_get_int_member (parts, "interrupt_ns")
                         + json_object_get_int_member (parts, "unknown_ns"),
                     ==, json_object_get_int_member (peak, "total_ns"));
  return peak;
}

static void
assert_cause (TbReport *report, guint index, const char *kind, const char *path, const char *detail)
{
  JsonObject *peak = get_peak (report, index);
  JsonObject *cause;

  g_assert_cmpuint (wait_graph_count (peak, "root_causes"), ==, 1);
  cause = wait_graph_get_element (peak, "root_causes", 0);
  g_assert_cmpstr (json_object_get_string_member (cause, "kind"), ==, kind);
  wait_graph_assert_strings (cause, "path", path);
  if (detail == NULL)
    g_assert_true (json_object_get_null_member (cause, "detail"));
  else
    g_assert_cmpstr (json_object_get_string_member (cause, "detail"), ==, detail);
}

/* Two processes read nothing: at times an interrupt comes in between, at times the other process. */
static TbTrace *
read_nothing (void)
{
  Story *story = story_new ("reader other");
  int time = 100;

  go (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 100; i++, time += 10)
    {
      enter (story, time, 0, 11, "read");
      leave (story, time + 1, 0, 11);
    }
  for (guint i = 0; i < 40; i++, time += 100)
    {
      enter (story, time, 0, 11, "read");
      interrupt (story, time + 1, time + 31, 0, "timer");
      leave (story, time + 33, 0, 11);
    }
  for (guint i = 0; i < 30; i++, time += 5000)
    {
      enter (story, time, 0, 11, "read");
      go (story, time + 1, 0, 11, "R", 12);
      go (story, time + 4001, 0, 12, "S", 11);
      leave (story, time + 4002, 0, 11);
    }
  return story_open (story);
}

static void
test_read_nothing (void)
{
  g_autoptr (TbTrace) trace = read_nothing ();
  g_autoptr (TbReport) report = analyze (trace, "read");
  JsonObject *summary = get_summary (report);

  g_assert_cmpstr (json_object_get_string_member (summary, "operation"), ==, "syscall:read");
  g_assert_cmpint (json_object_get_int_member (summary, "calls"), ==, 170);
  g_assert_cmpuint (wait_graph_count (summary, "peaks"), ==, 3);
  assert_cause (report, 0, "function", "syscall:read", NULL);
  assert_cause (report, 1, "interrupt", "syscall:read", "timer interrupt");
  assert_cause (report, 2, "preemption", "syscall:read", "is preempted");
  g_assert_true (wait_graph_has_warning (report, "read was taken for syscall:read"));
}

static void
test_operations (void)
{
  g_autoptr (TbTrace) trace = read_nothing ();
  g_autoptr (TbReport) report = analyze (trace, "");
  JsonObject *summary = get_summary (report), *operation;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (wait_graph_count (summary, "operations"), ==, 1);
  operation = wait_graph_get_element (summary, "operations", 0);
  g_assert_cmpstr (json_object_get_string_member (operation, "operation"), ==, "syscall:read");
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 170);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==,
                   (100 * 1 + 40 * 33 + 30 * 4002) * G_GINT64_CONSTANT (1000));
  g_assert_cmpint (json_object_get_int_member (operation, "peaks"), ==, 3);
  g_assert_null (try_analyze (trace, "write", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "syscall:read"));
  g_clear_error (&error);
  g_assert_null (try_analyze (trace, "read", "peak", "4", &error));
  g_assert_nonnull (strstr (error->message, "3 peaks"));
}

int
main (int argc, char *argv[])
{
  int status;

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/latency-peaks/read-nothing", test_read_nothing);
  g_test_add_func ("/latency-peaks/operations", test_operations);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
