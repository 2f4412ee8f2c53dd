/* threads-fixture.c: small recordings and their "threads" reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "finding-checks.h"
#include "threads-fixture.h"

static char *folder;

int
threads_run_tests (void)
{
  g_autofree char *csv = NULL;
  g_autofree char *session = threads_make_session_path ();
  int status = g_test_run ();

  csv = g_build_filename (folder, "input.csv", NULL);
  g_unlink (csv);
  g_unlink (session);
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
  return status;
}

char *
threads_make_session_path (void)
{
  if (folder == NULL)
    {
      folder = g_dir_make_tmp ("tailback-threads-XXXXXX", NULL);
      g_assert_nonnull (folder);
    }
  return g_build_filename (folder, "session.tailback", NULL);
}

TbTrace *
threads_finish_trace (TbRecorder *recorder)
{
  g_autofree char *path = threads_make_session_path ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = NULL;
  TbTrace *trace;

  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

TbRecorder *
threads_new_recorder (void)
{
  g_autofree char *path = threads_make_session_path ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  TbRecorder *recorder = tb_recorder_new (file, TRUE, &error);

  g_assert_no_error (error);
  return recorder;
}

TbTrace *
threads_open_trace (const char *name, const char *text)
{
  g_autoptr (TbRecorder) recorder = threads_new_recorder ();
  g_autofree char *csv_path
      = text != NULL ? g_build_filename (folder, "input.csv", NULL)
                     : g_test_build_filename (G_TEST_DIST, "fixtures", "events", name, NULL);
  g_autoptr (GFile) csv = g_file_new_for_path (csv_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", &error);

  g_assert_no_error (error);
  if (text != NULL)
    g_assert_true (g_file_set_contents (csv_path, text, -1, NULL));
  tb_importer_import (importer, csv, recorder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return threads_finish_trace (recorder);
}

TbReport *
threads_analyze (TbTrace *trace, TbSelection *selection, const char *option, const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "threads", &error);
  g_autoptr (TbSelection) whole = tb_selection_new (trace);
  TbReport *report;

  g_assert_no_error (error);
  if (option != NULL)
    {
      tb_option_set_from_text (G_OBJECT (analysis), option, value, &error);
      g_assert_no_error (error);
    }
  report = tb_analysis_run (analysis, trace, selection != NULL ? selection : whole, NULL, NULL,
                            NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  return report;
}

static void
check_sums (JsonObject *summary)
{
  static const char *const members[] = { "running_ns",         "runnable_ns", "interruptible_ns",
                                         "uninterruptible_ns", "stopped_ns",  "unknown_ns" };
  JsonArray *threads = json_object_get_array_member (summary, "threads");
  gint64 before = G_MAXINT64;

  g_assert_cmpuint (json_array_get_length (threads), >, 0);
  for (guint i = 0; i < json_array_get_length (threads); i++)
    {
      JsonObject *thread = json_array_get_object_element (threads, i);
      gint64 sum = 0;

      for (guint k = 0; k < G_N_ELEMENTS (members); k++)
        sum += json_object_get_int_member (thread, members[k]);
      g_assert_cmpint (sum, ==,
                       json_object_get_int_member (thread, "last_ns")
                           - json_object_get_int_member (thread, "first_ns"));
      g_assert_cmpint (json_object_get_int_member (thread, "running_ns"), <=, before);
      before = json_object_get_int_member (thread, "running_ns");
      g_assert_cmpint (json_object_get_int_member (thread, "tid"), !=, 0);
    }
}

JsonObject *
threads_get_summary (TbReport *report)
{
  JsonObject *summary = json_node_get_object (tb_report_get_summary (report));

  check_sums (summary);
  return summary;
}
