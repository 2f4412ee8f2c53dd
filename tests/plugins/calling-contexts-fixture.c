/* calling-contexts-fixture.c: recordings from text and their calling-contexts reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "calling-contexts-fixture.h"
#include "finding-checks.h"

#define HEADER                                                                                     \
  "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket\n"

char *folder;

static TbTrace *
open_csv (const char *path, const char *name)
{
  g_autofree char *session_path = g_strdup_printf ("%s/%s.tailback", folder, name);
  g_autoptr (GFile) csv = g_file_new_for_path (path);
  g_autoptr (GFile) file = g_file_new_for_path (session_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", &error);
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (TbSession) session = NULL;
  TbTrace *trace;

  g_assert_no_error (error);
  recorder = tb_recorder_new (file, TRUE, &error);
  g_assert_no_error (error);
  tb_importer_import (importer, csv, recorder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

TbTrace *
open_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "plugins", name, NULL);

  return open_csv (path, "file");
}

TbTrace *
open_text (const char *name, const char *lines)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.csv", folder, name);
  g_autofree char *whole = g_strconcat (HEADER, lines, NULL);

  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  return open_csv (path, name);
}

TbAnalysis *
create_analysis (const char *options)
{
  g_auto (GStrv) parts = g_strsplit (options, " ", -1);
  g_autoptr (GError) error = NULL;
  TbAnalysis *analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "calling-contexts", &error);

  g_assert_no_error (error);
  for (guint i = 0; parts[i] != NULL && *parts[i] != '\0'; i++)
    {
      char *value = strchr (parts[i], '=');

      *value++ = '\0';
      tb_option_set_from_text (G_OBJECT (analysis), parts[i], value, &error);
      g_assert_no_error (error);
    }
  return analysis;
}

/* options: "name=value …" */
TbReport *
analyze (TbTrace *trace, const char *options)
{
  g_autoptr (TbAnalysis) analysis = create_analysis (options);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (TbReport) again = NULL;
  TbReport *report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  findings_assert_codes (report);
  /* A saved report must open again. */
  json = tb_report_to_json (report);
  again = tb_report_from_json (json, &error);
  g_assert_no_error (error);
  return report;
}

JsonObject *
get_summary (TbReport *report)
{
  return json_node_get_object (tb_report_get_summary (report));
}

JsonObject *
get_element (JsonObject *object, const char *member, guint index)
{
  return json_array_get_object_element (json_object_get_array_member (object, member), index);
}

/* "A 600/0 B 100/100*": functions of a path with total and own time; * marks the hottest one. */
char *
describe_path (JsonObject *path)
{
  GString *text = g_string_new (NULL);
  JsonArray *frames = json_object_get_array_member (path, "frames");

  for (guint i = 0; i < json_array_get_length (frames); i++)
    {
      JsonObject *frame = json_array_get_object_element (frames, i);

      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "%s",
                              i > 0 ? " " : "", json_object_get_string_member (frame, "function"),
                              json_object_get_int_member (frame, "total_ns"),
                              json_object_get_int_member (frame, "own_ns"),
                              json_object_get_boolean_member (frame, "hot") ? "*" : "");
    }
  return g_string_free (text, FALSE);
}

void
assert_path (TbReport *report, guint rank, gint64 cost, const char *expected)
{
  JsonObject *path = get_element (get_summary (report), "paths", rank - 1);
  g_autofree char *text = describe_path (path);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (json_object_get_int_member (path, "rank"), ==, rank);
  g_assert_cmpint (json_object_get_int_member (path, "cost_ns"), ==, cost);
}

guint
count (TbReport *report, const char *member)
{
  return json_array_get_length (json_object_get_array_member (get_summary (report), member));
}

gboolean
has_warning (TbReport *report, const char *part)
{
  const char *const *warnings = tb_report_get_warnings (report);

  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return TRUE;
  return FALSE;
}

TbReport *
compare (TbTrace *base, TbTrace *other, const char *options)
{
  g_autoptr (TbAnalysis) analysis = create_analysis (options);
  g_autoptr (TbSelection) selection = tb_selection_new (other);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (TbReport) again = NULL;
  TbReport *report
      = tb_analysis_compare (analysis, base, other, selection, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  findings_assert_codes (report);
  json = tb_report_to_json (report);
  again = tb_report_from_json (json, &error);
  g_assert_no_error (error);
  return report;
}

gint64
get_int (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_object_get_int_member (object, member);
}

int
run_tests (void)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;
  int result;

  folder = g_dir_make_tmp ("tailback-contexts-XXXXXX", NULL);
  g_assert_nonnull (folder);
  result = g_test_run ();
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return result;
}
