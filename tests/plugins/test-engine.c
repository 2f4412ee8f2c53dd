/* test-engine.c: test of loading valid and broken plug-ins, and of setting their options
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <locale.h>

#include "extend/plugins/tb-engine.h"

static TbAnalysis *
create_good (void)
{
  g_autoptr (GError) error = NULL;
  TbAnalysis *analysis = tb_engine_create_analysis (tb_engine_get_default (), "good", &error);

  g_assert_no_error (error);
  g_assert_true (TB_IS_ANALYSIS (analysis));
  return analysis;
}

static const TbPluginInfo *
find_info (GPtrArray *list, const char *id)
{
  for (guint i = 0; i < list->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (list, i);

      if (strcmp (info->id, id) == 0)
        return info;
    }
  g_error ("no plug-in %s", id);
}

static void
test_list (void)
{
  static const struct
  {
    const char *id;
    const char *in_error;
  } broken[] = {
    { "garbage", "garbage.plugin” cannot be read" },
    { "missing-module", "libfixture-missing.so does not exist" },
    { "missing-symbol", "tb_function_of_a_newer_version" },
    { "newer-interface", "was made for version 2 of the plug-in interface, but this Tailback has "
                         "version 1" },
    { "no-entry", "peas_register_types() is missing" },
    { "no-interface", "does not state for which version" },
    { "no-module-line", "has no module" },
    { "not-a-module", "cannot be loaded" },
    { "odd-interface", "X-Tailback-API=1.x" },
    { "short-type", "of the type TbAnalysis: " },
    { "short-type", "too short" },
    { "wrong-loader", "unknown loader “lua”" },
    { "wrong-type", "of the type TbAnalysis" },
  };
  g_autoptr (GPtrArray) list = tb_engine_list (tb_engine_get_default ());
  const TbPluginInfo *good = find_info (list, "good");

  g_assert_cmpstr (good->kind, ==, "analysis");
  g_assert_cmpstr (good->name, ==, "Good");
  g_assert_cmpstr (good->description, ==, "Does what it should");
  g_assert_null (good->error);
  g_assert_cmpint (good->preference, ==, 7);
  for (guint i = 1; i < list->len; i++)
    {
      const TbPluginInfo *previous = g_ptr_array_index (list, i - 1);
      const TbPluginInfo *info = g_ptr_array_index (list, i);

      g_assert_cmpint (strcmp (previous->kind, info->kind), <=, 0);
      if (strcmp (previous->kind, info->kind) == 0)
        g_assert_cmpint (strcmp (previous->id, info->id), <, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      const TbPluginInfo *info = find_info (list, broken[i].id);

      g_assert_nonnull (info->error);
      g_test_message ("%s: %s", info->id, info->error);
      if (!strstr (info->error, broken[i].in_error))
        g_error ("%s: \"%s\" does not have \"%s\"", info->id, info->error, broken[i].in_error);
    }
}

/* The built-in ones come first, in the order in which they are explained. */
static void
test_list_of_analyses (void)
{
  static const char *const first[]
      = { "threads", "control-paths", "wait-graph", "latency-peaks", "calling-contexts", "locks" };
  g_autoptr (GPtrArray) list = tb_engine_list_analyses (tb_engine_get_default ());

  g_assert_cmpuint (list->len, >, G_N_ELEMENTS (first) + 2);
  for (guint i = 0; i < list->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (list, i);

      g_assert_cmpstr (info->kind, ==, "analysis");
      if (i < G_N_ELEMENTS (first))
        g_assert_cmpstr (info->id, ==, first[i]);
      else if (i > G_N_ELEMENTS (first))
        g_assert_cmpint (
            g_utf8_collate (((const TbPluginInfo *) g_ptr_array_index (list, i - 1))->name,
                            info->name),
            <=, 0);
    }
}

static void
test_create_broken (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_engine_create_analysis (tb_engine_get_default (), "not-a-module", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "not-a-module"));
}

static void
test_create_unknown (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_engine_create_analysis (tb_engine_get_default (), "god", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "good"));
  g_clear_error (&error);
  g_assert_null (tb_engine_create_importer (tb_engine_get_default (), "good", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (tb_engine_create_analysis (tb_engine_get_default (), "", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_assert_true (g_str_has_prefix (error->message, "no analysis was named: use one of "));
}

static void
test_disabled (void)
{
  static const char *const off[] = { "analysis/good", "importer/good", "analysis/absent", NULL };
  TbEngine *engine = tb_engine_get_default ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (TbAnalysis) before = create_good ();
  g_autoptr (TbAnalysis) after = NULL;

  tb_engine_set_disabled (engine, off);
  list = tb_engine_list (engine);
  for (guint i = 0; i < list->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (list, i);

      g_assert_cmpint (info->disabled, ==,
                       strcmp (info->id, "good") == 0 && strcmp (info->kind, "analysis") == 0);
    }
  g_assert_null (tb_engine_create_analysis (engine, "good", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "the analysis good is switched off"));
  tb_engine_set_disabled (engine, NULL);
  g_assert_false (find_info (list, "good")->disabled);
  after = create_good ();
}

static void
test_objects_are_new (void)
{
  g_autoptr (TbAnalysis) one = create_good ();
  g_autoptr (TbAnalysis) two = create_good ();

  g_assert_true (one != two);
}

static void
check_option (const char *name, const char *text, const char *json)
{
  g_autoptr (TbAnalysis) analysis = create_good ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *got = NULL;

  tb_option_set_from_text (G_OBJECT (analysis), name, text, &error);
  if (json)
    {
      g_assert_no_error (error);
      node = tb_option_get_as_json (G_OBJECT (analysis), name);
      got = json_to_string (node, FALSE);
      g_assert_cmpstr (got, ==, json);
    }
  else
    {
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
      g_test_message ("%s", error->message);
    }
}

static void
test_options (void)
{
  check_option ("merge-similar", "no", "false");
  check_option ("merge_similar", "TRUE", "true");
  check_option ("merge_similar", "perhaps", NULL);
  check_option ("period", "10us", "10000");
  check_option ("period", "1.5ms", "1500000");
  check_option ("period", "2s", "2000000000");
  check_option ("period", "999", NULL);
  check_option ("period", "-10us", NULL);
  check_option ("period", "10 parsecs", NULL);
  check_option ("count", "100", "100");
  check_option ("count", "101", NULL);
  check_option ("count", "4294967297", NULL);
  check_option ("count", "-1", NULL);
  check_option ("count", "", NULL);
  check_option ("count", "1x", NULL);
  check_option ("threshold", "0.5", "0.5");
  check_option ("threshold", "50%", "0.5");
  check_option ("threshold", "1.01", NULL);
  check_option ("threshold", "nan", NULL);
  check_option ("threshold", "0,5", NULL);
  check_option ("failure", "silent", "\"silent\"");
  check_option ("failure", "loud", NULL);
  check_option ("kinds", "lock,pipe", "[\"lock\",\"pipe\"]");
  check_option ("kinds", "lock, socket", "[\"lock\",\"socket\"]");
  check_option ("kinds", "lock,file", NULL);
  check_option ("limit", "4k", "4096");
  check_option ("limit", "2MiB", "2097152");
  check_option ("limit", "99999999999T", NULL);
  check_option ("limit", "-1", NULL);
  check_option ("offset", "-10", "-10");
  check_option ("offset", "+3", "3");
  check_option ("offset", "-11", NULL);
  check_option ("hidden", "true", NULL);
  check_option ("nothing", "true", NULL);
  check_option ("failure", "\xff", NULL);
}

static void
test_option_errors_name_what_is_permitted (void)
{
  g_autoptr (TbAnalysis) analysis = create_good ();
  g_autoptr (GError) error = NULL;

  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "thresh", "1", &error));
  g_assert_cmpstr (
      error->message, ==,
      "unknown option “thresh” of good: use one of merge-similar, period, count, threshold, "
      "failure, kinds, limit, offset");
  g_clear_error (&error);
  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "failure", "x", &error));
  g_assert_cmpstr (error->message, ==,
                   "invalid value of option failure, “x”: use one of named, silent, none");
  g_clear_error (&error);
  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "count", "0", &error));
  g_assert_cmpstr (error->message, ==, "invalid value of option count, “0”: use 1…100");
}

static void
test_describe (void)
{
  g_autoptr (TbAnalysis) analysis = create_good ();
  g_autofree char *threshold = tb_option_describe (G_OBJECT (analysis), "threshold");
  g_autofree char *failure = tb_option_describe (G_OBJECT (analysis), "failure");

  g_assert_cmpstr (threshold, ==, "threshold  0…1, default 0.2: What counts as much");
  g_assert_cmpstr (
      failure, ==,
      "failure  one of named (With a name), silent (Without a word), none (Not at all), "
      "default named: How to fail");
}

static void
test_failed_run_is_named (void)
{
  g_autoptr (TbAnalysis) named = create_good ();
  g_autoptr (TbAnalysis) silent = create_good ();
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_analysis_run (named, NULL, NULL, NULL, NULL, NULL, &error));
  g_assert_cmpstr (error->message, ==, "good: nothing to explain");
  g_clear_error (&error);
  g_assert_false (tb_option_set_from_text (G_OBJECT (named), "count", "2", &error));
  g_assert_nonnull (strstr (error->message, "has started"));
  g_clear_error (&error);

  tb_option_set_from_text (G_OBJECT (silent), "failure", "silent", NULL);
  g_assert_null (tb_analysis_run (silent, NULL, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  g_assert_true (g_str_has_prefix (error->message, "good: "));
  g_clear_error (&error);

  g_assert_false (tb_analysis_can_compare (silent));
  g_assert_null (tb_analysis_compare (silent, NULL, NULL, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
}

static void
test_find_importer_refuses (void)
{
  g_autoptr (GFile) none = g_file_new_for_path ("/nonexistent/file");
  g_autoptr (GFile) folder = g_file_new_for_path ("/");
  g_autoptr (GFile) empty = g_file_new_for_path ("/dev/null");
  g_autoptr (GFile) self = g_file_new_for_path ("/proc/self/exe");
  GFile *files[] = { none, folder, empty, self };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (tb_engine_find_importer (tb_engine_get_default (), files[i], &error));
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
      g_assert_null (strchr (error->message, '\n'));
      g_test_message ("%s", error->message);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  /* GObject reports a type that it refuses as critical; the engine makes an error of that. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_test_add_func ("/extend/engine/list", test_list);
  g_test_add_func ("/extend/engine/list-of-analyses", test_list_of_analyses);
  g_test_add_func ("/extend/engine/create-broken", test_create_broken);
  g_test_add_func ("/extend/engine/create-unknown", test_create_unknown);
  g_test_add_func ("/extend/engine/disabled", test_disabled);
  g_test_add_func ("/extend/engine/objects-are-new", test_objects_are_new);
  g_test_add_func ("/extend/option/set", test_options);
  g_test_add_func ("/extend/option/errors", test_option_errors_name_what_is_permitted);
  g_test_add_func ("/extend/option/describe", test_describe);
  g_test_add_func ("/extend/engine/failed-run", test_failed_run_is_named);
  g_test_add_func ("/extend/engine/find-importer-refuses", test_find_importer_refuses);
  return g_test_run ();
}
