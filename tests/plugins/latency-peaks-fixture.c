/* latency-peaks-fixture.c: synthetic recordings of calls and their latency-peaks reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

TbReport *
peaks_try_analyze (TbTrace *trace,
                   const char *operation,
                   const char *option,
                   const char *value,
                   GError **error)
{
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", error);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  TbReport *report;

  g_assert_nonnull (analysis);
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "operation", operation, NULL));
  if (option != NULL)
    g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), option, value, NULL));
  report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, error);
  if (report != NULL)
    findings_assert_codes (report);
  return report;
}

TbReport *
peaks_analyze (TbTrace *trace, const char *operation)
{
  g_autoptr (GError) error = NULL;
  TbReport *report = peaks_try_analyze (trace, operation, NULL, NULL, &error);

  g_assert_no_error (error);
  return report;
}

void
peaks_script_enter (Script *script, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (script, "%d000,%d,sys_enter,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

void
peaks_script_leave (Script *script, int us, int cpu, int tid)
{
  g_string_append_printf (script, "%d000,%d,sys_exit,,,,,,,%d,,0,,,,\n", us, cpu, tid);
}

void
peaks_script_call (Script *script, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (script, "%d000,%d,call,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

void
peaks_script_return (Script *script, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (script, "%d000,%d,return,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

void
peaks_script_interrupt (Script *script, int from, int to, int cpu, const char *device)
{
  g_string_append_printf (script, "%d000,%d,irq_entry,,,,,,,,%s,,,,,\n", from, cpu, device);
  g_string_append_printf (script, "%d000,%d,irq_exit,,,,,,,,%s,,,,,\n", to, cpu, device);
}

JsonObject *
peaks_get_summary (TbReport *report)
{
  return json_node_get_object (tb_report_get_summary (report));
}

TbFinding *
peaks_get_finding (TbReport *report, guint index)
{
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);

      if (json_object_get_int_member_with_default (tb_finding_get_values (finding), "peak", 0)
          == index + 1)
        return finding;
    }
  g_error ("no finding is about peak %u", index + 1);
}

/* The parts of a peak must add up to its total time. */
JsonObject *
peaks_get_peak (TbReport *report, guint index)
{
  JsonObject *peak = wait_graph_get_element (peaks_get_summary (report), "peaks", index);
  JsonObject *parts = json_object_get_null_member (peak, "parts")
                          ? NULL
                          : json_object_get_object_member (peak, "parts");

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

void
peaks_assert_cause (TbReport *report,
                    guint index,
                    const char *kind,
                    const char *path,
                    const char *detail)
{
  JsonObject *peak = peaks_get_peak (report, index);
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

JsonObject *
peaks_find_in_tree (JsonObject *peak, const char *label)
{
  for (guint i = 0; i < wait_graph_count (peak, "tree"); i++)
    {
      JsonObject *node = wait_graph_get_element (peak, "tree", i);

      if (g_str_equal (json_object_get_string_member (node, "function"), label))
        return node;
    }
  g_error ("no node %s", label);
}

JsonObject *
peaks_find_operation (JsonObject *summary, const char *id)
{
  for (guint i = 0; i < wait_graph_count (summary, "operations"); i++)
    {
      JsonObject *operation = wait_graph_get_element (summary, "operations", i);

      if (g_str_equal (json_object_get_string_member (operation, "operation"), id))
        return operation;
    }
  g_error ("no operation %s", id);
}

TbTrace *
peaks_open_empty_reads (void)
{
  Script *script = script_new ("reader other");
  int time = 100;

  switch_thread (script, time, 0, 0, "R", 11);
  for (guint i = 0; i < 100; i++, time += 10)
    {
      peaks_script_enter (script, time, 0, 11, "read");
      peaks_script_leave (script, time + 1, 0, 11);
    }
  for (guint i = 0; i < 40; i++, time += 100)
    {
      peaks_script_enter (script, time, 0, 11, "read");
      peaks_script_interrupt (script, time + 1, time + 31, 0, "timer");
      peaks_script_leave (script, time + 33, 0, 11);
    }
  for (guint i = 0; i < 30; i++, time += 5000)
    {
      peaks_script_enter (script, time, 0, 11, "read");
      switch_thread (script, time + 1, 0, 11, "R", 12);
      switch_thread (script, time + 4001, 0, 12, "S", 11);
      peaks_script_leave (script, time + 4002, 0, 11);
    }
  return script_open (script);
}
