/* latency-peaks-fixture.c: latency-peaks reports, and a recording of calls
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
  return report_try ("latency-peaks", trace, NULL, error, "operation", operation, option, value,
                     NULL);
}

TbReport *
peaks_analyze (TbTrace *trace, const char *operation)
{
  return report_run ("latency-peaks", trace, NULL, "operation", operation, NULL);
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
  JsonObject *peak = summary_get_element (report_get_summary (report), "peaks", index);
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

  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 1);
  cause = summary_get_element (peak, "root_causes", 0);
  g_assert_cmpstr (json_object_get_string_member (cause, "kind"), ==, kind);
  summary_assert_strings (cause, "path", path);
  if (detail == NULL)
    g_assert_true (json_object_get_null_member (cause, "detail"));
  else
    g_assert_cmpstr (json_object_get_string_member (cause, "detail"), ==, detail);
}

JsonObject *
peaks_find_in_tree (JsonObject *peak, const char *label)
{
  JsonObject *node = summary_find (peak, "tree", "function", label);

  if (node == NULL)
    g_error ("no node %s", label);
  return node;
}

JsonObject *
peaks_find_operation (JsonObject *summary, const char *id)
{
  JsonObject *operation = summary_find (summary, "operations", "operation", id);

  if (operation == NULL)
    g_error ("no operation %s", id);
  return operation;
}

TbTrace *
peaks_open_empty_reads (void)
{
  Story *story = story_new ("reader other");
  int time = 100;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 100; i++, time += 10)
    {
      story_enter (story, time, 0, 11, "read");
      story_leave (story, time + 1, 0, 11);
    }
  for (guint i = 0; i < 40; i++, time += 100)
    {
      story_enter (story, time, 0, 11, "read");
      story_interrupt (story, time + 1, time + 31, 0, "timer");
      story_leave (story, time + 33, 0, 11);
    }
  for (guint i = 0; i < 30; i++, time += 5000)
    {
      story_enter (story, time, 0, 11, "read");
      story_switch (story, time + 1, 0, 11, "R", 12);
      story_switch (story, time + 4001, 0, 12, "S", 11);
      story_leave (story, time + 4002, 0, 11);
    }
  return story_open (story);
}
