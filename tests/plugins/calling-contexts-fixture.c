/* calling-contexts-fixture.c: calling-contexts reports, and their paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-fixture.h"

/* A saved report must open again. */
static TbReport *
check_reopens (TbReport *report)
{
  g_autoptr (JsonNode) json = tb_report_to_json (report);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) again = tb_report_from_json (json, &error);

  g_assert_no_error (error);
  return report;
}

TbReport *
contexts_analyze (TbTrace *trace, ...)
{
  TbReport *report;
  va_list options;

  va_start (options, trace);
  report = report_run_valist ("calling-contexts", trace, NULL, options);
  va_end (options);
  return check_reopens (report);
}

TbReport *
contexts_compare (TbTrace *base, TbTrace *other, ...)
{
  TbReport *report;
  va_list options;

  va_start (options, other);
  report = report_compare_valist ("calling-contexts", base, other, NULL, options);
  va_end (options);
  return check_reopens (report);
}

/* "A 600/0 B 100/100*": functions of a path with total and own time; * marks the hottest one. */
char *
contexts_describe_path (JsonObject *path)
{
  GString *text = g_string_new (NULL);
  JsonArray *frames = json_object_get_array_member (path, "frames");

  for (guint i = 0; i < json_array_get_length (frames); i++)
    {
      JsonObject *frame = json_array_get_object_element (frames, i);

      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "%s",
                              i > 0 ? " " : "", json_object_get_string_member (frame, "function"),
                              summary_get_int (frame, "total_ns"),
                              summary_get_int (frame, "own_ns"),
                              json_object_get_boolean_member (frame, "hot") ? "*" : "");
    }
  return g_string_free (text, FALSE);
}

void
contexts_assert_path (TbReport *report, guint rank, gint64 cost, const char *expected)
{
  JsonObject *path = summary_get_element (report_get_summary (report), "paths", rank - 1);
  g_autofree char *text = contexts_describe_path (path);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (summary_get_int (path, "rank"), ==, rank);
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, cost);
}
