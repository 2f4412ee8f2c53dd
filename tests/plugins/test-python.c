/* test-python.c: test of analyses written in Python
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "recording.h"
#include "small-session.h"

#ifdef HAVE_INTROSPECTION

static TbTrace *trace;

static TbAnalysis *
create (const char *id)
{
  g_autoptr (GError) error = NULL;
  TbAnalysis *analysis = tb_engine_create_analysis (tb_engine_get_default (), id, &error);

  g_assert_no_error (error);
  return analysis;
}

static void
set (TbAnalysis *analysis, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;

  tb_option_set_from_text (G_OBJECT (analysis), name, text, &error);
  g_assert_no_error (error);
}

static void
count_progress (double share, const char *what, gpointer data)
{
  g_assert_cmpfloat (share, ==, 0.5);
  g_assert_cmpstr (what, ==, "counting");
  (*(guint *) data)++;
}

typedef struct
{
  TbAnalysis *analysis;
  TbSelection *selection;
  guint n_progress;
  TbReport *report;
  GError *error;
} Run;

static gpointer
run_in_thread (gpointer data)
{
  Run *run = data;

  run->report = tb_analysis_run (run->analysis, trace, run->selection, count_progress,
                                 &run->n_progress, NULL, &run->error);
  return NULL;
}

/* As in the application: the object is created in the main thread and run in another one. */
static void
run (Run *result, TbAnalysis *analysis, TbSelection *selection)
{
  *result = (Run) { .analysis = analysis, .selection = selection };
  g_thread_join (g_thread_new ("analysis", run_in_thread, result));
}

static void
test_report (void)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbAnalysis) analysis = create ("counting");
  g_autoptr (JsonNode) options = NULL;
  g_autofree char *json = NULL;
  TbTableFigure *table;
  Run result;

  set (analysis, "least", "2");
  set (analysis, "grace", "1.5us");
  run (&result, analysis, selection);
  g_assert_no_error (result.error);
  g_assert_cmpuint (result.n_progress, ==, 1);
  g_assert_cmpstr (tb_report_get_analysis (result.report), ==, "counting");
  g_assert_cmpint (json_object_get_int_member (
                       json_node_get_object (tb_report_get_summary (result.report)), "switches"),
                   ==, 9);
  g_assert_cmpuint (tb_report_get_n_findings (result.report), ==, 1);
  table = TB_TABLE_FIGURE (tb_report_find_figure (result.report, "counts"));
  g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==, 3); /* the helper ran once */
  g_assert_cmpint (tb_table_figure_get_integer (table, 0, 1), ==, 3);
  options = tb_report_get_options (result.report);
  json = json_to_string (options, FALSE);
  g_assert_cmpstr (json, ==, "{\"count\":\"next\",\"least\":2,\"grace\":1500}");
  g_object_unref (result.report);
}

static void
test_selection (void)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbAnalysis) analysis = create ("counting");
  g_autoptr (GError) error = NULL;
  Run result;

  tb_selection_add_thread_by_name (selection, "helper", &error);
  g_assert_no_error (error);
  run (&result, analysis, selection);
  g_assert_no_error (result.error);
  g_assert_cmpuint (tb_table_figure_get_n_rows (
                        TB_TABLE_FIGURE (tb_report_find_figure (result.report, "counts"))),
                    ==, 1);
  g_object_unref (result.report);
}

static void
test_choices (void)
{
  g_autoptr (TbAnalysis) analysis = create ("counting");
  g_autofree char *description = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "count", "both", &error));
  g_assert_cmpstr (error->message, ==,
                   "invalid value of option count, “both”: use one of next, prev");
  description = tb_option_describe (G_OBJECT (analysis), "count");
  g_assert_nonnull (strstr (description, "one of next (Which is next), prev (Which was before)"));
}

static void
test_failures (void)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbAnalysis) polite = create ("raising");
  Run result;

  run (&result, polite, selection);
  g_assert_null (result.report);
  g_assert_error (result.error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  g_assert_cmpstr (result.error->message, ==, "raising: the recording is too short");
  g_clear_error (&result.error);

  /* Python prints an exception to stderr; the caller must get an error in any case. */
  if (g_test_subprocess ())
    {
      g_autoptr (TbAnalysis) rude = create ("raising");

      set (rude, "politely", "no");
      run (&result, rude, selection);
      g_assert_null (result.report);
      g_assert_cmpstr (result.error->message, ==,
                       "raising: ValueError: an accident (raising.py, line 22)");
      g_clear_error (&result.error);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*ValueError: an accident*");
}

static void
test_list (void)
{
  /* libpeas warns with Python's own message */
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_autoptr (GPtrArray) list = tb_engine_list (tb_engine_get_default ());
  guint n_seen = 0;

  g_log_set_always_fatal (fatal);
  for (guint i = 0; i < list->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (list, i);

      if (strcmp (info->id, "not-python") == 0)
        {
          g_assert_cmpstr (info->error, ==,
                           "it cannot be loaded: SyntaxError: '(' was never closed "
                           "(not_python.py, line 1)");
          n_seen++;
        }
      if (strcmp (info->id, "counting") == 0)
        {
          g_assert_null (info->error);
          g_assert_cmpstr (info->kind, ==, "analysis");
          n_seen++;
        }
    }
  g_assert_cmpuint (n_seen, ==, 2);
}

int
main (int argc, char **argv)
{
  int status;

  /* The engine finds the typelib beside the library. */
  g_unsetenv ("GI_TYPELIB_PATH");
  g_test_init (&argc, &argv, NULL);
  trace = small_session_open ();
  g_test_add_func ("/extend/python/report", test_report);
  g_test_add_func ("/extend/python/selection", test_selection);
  g_test_add_func ("/extend/python/choices", test_choices);
  g_test_add_func ("/extend/python/failures", test_failures);
  g_test_add_func ("/extend/python/list", test_list);
  status = recording_run_tests ();
  g_object_unref (trace);
  return status;
}

#else

static void
test_skipped (void)
{
  g_test_skip ("built without introspection, which plug-ins in Python need");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/extend/python", test_skipped);
  return g_test_run ();
}

#endif
