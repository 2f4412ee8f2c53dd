/* test-calling-contexts.c: the analysis "calling-contexts" on recordings written down as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "tailback.h"

#define HEADER                                                                                               \
  "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket\n"

static char *folder;

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

static TbTrace *
open_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "plugins", name, NULL);

  return open_csv (path, "file");
}

static TbTrace *
open_text (const char *name, const char *lines)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.csv", folder, name);
  g_autofree char *whole = g_strconcat (HEADER, lines, NULL);

  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  return open_csv (path, name);
}

static TbAnalysis *
create_analysis (const char *options)
{
  g_auto (GStrv) parts = g_strsplit (options, " ", -1);
  g_autoptr (GError) error = NULL;
  TbAnalysis *analysis = tb_engine_create_analysis (tb_engine_get_default (), "calling-contexts", &error);

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
static TbReport *
analyze (TbTrace *trace, const char *options)
{
  g_autoptr (TbAnalysis) analysis = create_analysis (options);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (TbReport) again = NULL;
  TbReport *report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  /* What is saved opens again. */
  json = tb_report_to_json (report);
  again = tb_report_from_json (json, &error);
  g_assert_no_error (error);
  return report;
}

static JsonObject *
get_summary (TbReport *report)
{
  return json_node_get_object (tb_report_get_summary (report));
}

static JsonObject *
get_element (JsonObject *object, const char *member, guint index)
{
  return json_array_get_object_element (json_object_get_array_member (object, member), index);
}

/* "A 600/0 B 100/100*": functions of a path with total and own time, * the hottest. */
static char *
describe_path (JsonObject *path)
{
  GString *text = g_string_new (NULL);
  JsonArray *frames = json_object_get_array_member (path, "frames");

  for (guint i = 0; i < json_array_get_length (frames); i++)
    {
      JsonObject *frame = json_array_get_object_element (frames, i);

      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "%s", i > 0 ? " " : "",
                              json_object_get_string_member (frame, "function"),
                              json_object_get_int_member (frame, "total_ns"),
                              json_object_get_int_member (frame, "own_ns"),
                              json_object_get_boolean_member (frame, "hot") ? "*" : "");
    }
  return g_string_free (text, FALSE);
}

static void
assert_path (TbReport *report, guint rank, gint64 cost, const char *expected)
{
  JsonObject *path = get_element (get_summary (report), "paths", rank - 1);
  g_autofree char *text = describe_path (path);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (json_object_get_int_member (path, "rank"), ==, rank);
  g_assert_cmpint (json_object_get_int_member (path, "cost_ns"), ==, cost);
}

static guint
count (TbReport *report, const char *member)
{
  return json_array_get_length (json_object_get_array_member (get_summary (report), member));
}

static gboolean
has_warning (TbReport *report, const char *part)
{
  const char *const *warnings = tb_report_get_warnings (report);

  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return TRUE;
  return FALSE;
}

/* --- the paper's --- */

static void
test_table_1 (void)
{
  g_autoptr (TbTrace) trace = open_file ("calling-contexts-figure-3.csv");
  g_autoptr (TbReport) conservative = analyze (trace, "estimate=conservative");
  g_autoptr (TbReport) aggressive = analyze (trace, "estimate=aggressive");
  JsonObject *summary = get_summary (conservative);

  /* A(t1,t4), B(t1,t2), D(t1,t2), C(t3,t4), D'(t3,t3) */
  g_assert_cmpint (json_object_get_int_member (summary, "instances"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (summary, "contexts"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (summary, "functions"), ==, 4);
  g_assert_cmpuint (count (conservative, "paths"), ==, 2);
  assert_path (conservative, 1, 500, "A 600/200 C 300/300* D 0/0");
  assert_path (conservative, 2, 300, "A 600/200* B 100/0 D 100/100");
  /* Each function ends where another begins. */
  assert_path (aggressive, 1, 300, "A 600/0 B 300/0 D 300/300*");
  assert_path (aggressive, 2, 300, "A 600/0 C 300/0 D 300/300*");
}

static void
test_figure_4 (void)
{
  g_autoptr (TbTrace) trace = open_file ("calling-contexts-figure-4.csv");
  g_autoptr (TbReport) report = analyze (trace, "estimate=aggressive");
  JsonObject *summary = get_summary (report);
  JsonObject *module;

  assert_path (report, 1, 800, "A 1000/500* B 300/200 D 100/100");
  assert_path (report, 2, 700, "A 1000/500* C 200/200");
  g_assert_cmpfloat (json_object_get_double_member (get_element (summary, "paths", 0), "share"), ==, 0.8);
  g_assert_cmpfloat (json_object_get_double_member (get_element (summary, "paths", 1), "share"), ==, 0.2);
  module = get_element (summary, "modules", 1);
  g_assert_cmpstr (json_object_get_string_member (module, "module"), ==, "lib");
  g_assert_cmpint (json_object_get_int_member (module, "own_ns"), ==, 400);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (summary, "layers"),
                                               "kernel_ns"),
                   ==, 100);
}

/* --- what else is known --- */

#define LINE(time, kind, rest) #time ",0," kind "," rest "\n"
#define STACK(time, kind, stack) LINE (time, kind, ",,,,,,11,,,x," stack ",,")

static void
test_returns_split (void)
{
  /* Two calls of the same in the same place are two in the kernel. */
  g_autoptr (TbTrace) trace
      = open_text ("split", STACK (100, "sys_enter", "main;read;sys_read@[kernel]") LINE (300, "sys_exit",
                                                                                          ",,,,,,11,,0,,,,")
                                STACK (400, "sys_enter", "main;read;sys_read@[kernel]")
                                    LINE (900, "sys_exit", ",,,,,,11,,0,,,,") STACK (1000, "sample", "main"));
  g_autoptr (TbReport) report = analyze (trace, "");
  JsonObject *path = get_element (get_summary (report), "paths", 0);
  JsonObject *frame = get_element (path, "frames", 2);

  g_assert_cmpstr (json_object_get_string_member (frame, "function"), ==, "sys_read");
  g_assert_cmpint (json_object_get_int_member (frame, "count"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (get_element (path, "frames", 1), "count"), ==, 1);
  /* The boundaries are where the calls ended; it entered the second between two events. */
  g_assert_cmpint (json_object_get_int_member (frame, "total_ns"), >=, 700);
  g_assert_cmpint (json_object_get_int_member (frame, "total_ns"), <=, 800);
}

static void
test_sleep_stays_inside (void)
{
  g_autoptr (TbTrace) trace
      = open_text ("sleep", LINE (0, "switch", "0,R,11,,,,,,,,,,")
                                LINE (100, "switch", "11,S,0,,,,,,,,wait_here;poll,,")
                                    LINE (5000, "switch", "0,R,11,,,,,,,,,,")
                                        LINE (5300, "switch", "11,S,0,,,,,,,,wait_here;poll,,")
                                            LINE (6000, "switch", "0,R,11,,,,,,,,,,"));
  g_autoptr (TbReport) report = analyze (trace, "");

  assert_path (report, 1, 5900, "wait_here 5900/0 poll 5900/5900*");
}

static void
test_losses (void)
{
  g_autoptr (TbTrace) trace
      = open_text ("lost", STACK (100, "sample", "a;b") STACK (200, "sample", "a;b")
                               LINE (300, "lost", ",,,,,,,,7,,,,") STACK (400, "sample", "a;b")
                                   STACK (500, "sample", "a;b"));
  g_autoptr (TbReport) report = analyze (trace, "estimate=conservative");

  /* Something was lost between any two up to 300. */
  assert_path (report, 1, 100, "a 100/0 b 100/100*");
  g_assert_true (has_warning (report, "Lost events"));
  g_assert_cmpint (json_object_get_int_member (get_summary (report), "instances"), ==, 6);
}

static void
test_events_option (void)
{
  g_autoptr (TbTrace) trace
      = open_text ("events", STACK (100, "sample", "a") STACK (200, "mark", "b") STACK (300, "sample", "a"));
  g_autoptr (TbReport) all = analyze (trace, "");
  g_autoptr (TbReport) samples = analyze (trace, "events=sample estimate=conservative");
  g_autoptr (TbAnalysis) wrong = create_analysis ("events=moon");
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (count (all, "paths"), ==, 2);
  assert_path (samples, 1, 200, "a 200/200*");
  g_assert_null (tb_analysis_run (wrong, trace, selection, NULL, NULL, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
}

/* --- bad input --- */

static void
test_no_stacks (void)
{
  g_autoptr (TbTrace) trace
      = open_text ("none", LINE (0, "switch", "0,R,11,,,,,,,,,,") LINE (100, "switch", "11,S,0,,,,,,,,,,"));
  g_autoptr (TbReport) report = analyze (trace, "");

  g_assert_cmpuint (count (report, "paths"), ==, 0);
  g_assert_true (has_warning (report, "No event has a stack"));
  g_assert_true (JSON_NODE_HOLDS_NULL (
      json_object_get_member (json_object_get_object_member (get_summary (report), "coverage"),
                              "context_share")));
}

/* Stacks of one thread, each ended at libc where a letter says so. */
static TbTrace *
open_broken (const char *name, const char *letters)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.tailback", folder, name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, &error);
  g_autoptr (TbSession) session = NULL;
  const guint32 whole[] = { tb_recorder_intern_named_frame (recorder, "main", "app", FALSE),
                            tb_recorder_intern_named_frame (recorder, "read", "libc", FALSE) };
  const guint8 fine[] = { 0, 0 }, flags[] = { TB_STACK_BROKEN };
  TbTrace *trace;

  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "host", "", "x86_64", 1, 0);
  for (guint i = 0; letters[i] != '\0'; i++)
    {
      TbEvent event = { .time = 100 * (i + 1), .kind = TB_EVENT_SAMPLE, .tid = 11, .pid = 11, .a = 1 };

      event.stack = letters[i] == 'b' ? tb_recorder_intern_stack (recorder, &whole[1], flags, 1)
                                      : tb_recorder_intern_stack (recorder, whole, fine, 2);
      tb_recorder_add (recorder, &event);
    }
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static void
test_broken (void)
{
  g_autoptr (TbTrace) some = open_broken ("some-broken", "wwbww");
  g_autoptr (TbTrace) all = open_broken ("all-broken", "bbbbb");
  g_autoptr (TbReport) of_some = analyze (some, "");
  g_autoptr (TbReport) of_all = analyze (all, "");
  JsonObject *events = json_object_get_object_member (get_summary (of_some), "events");

  /* A broken one among whole ones is left out, and told. */
  assert_path (of_some, 1, 400, "main 400/0 read 400/400*");
  g_assert_cmpint (json_object_get_int_member (events, "broken_set_aside"), ==, 1);
  g_assert_true (has_warning (of_some, "do not reach the start"));
  /* Where there are no others they are better than nothing. */
  assert_path (of_all, 1, 400, "read 400/400*");
  g_assert_true (has_warning (of_all, "do not reach the start"));
}

static void
test_deep_recursion (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  for (guint i = 0; i < 20; i++)
    {
      g_string_append_printf (lines, "%u,0,sample,,,,,,,11,,,,main", 100 * i);
      for (guint k = 0; k < 3000 - i % 3; k++)
        g_string_append (lines, ";again");
      g_string_append (lines, ",,\n");
    }
  trace = open_text ("deep", lines->str);
  report = analyze (trace, "");
  g_assert_cmpint (json_object_get_int_member (get_summary (report), "functions"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (get_summary (report), "contexts"), ==, 3);
}

/* --- two recordings --- */

static TbReport *
compare (TbTrace *base, TbTrace *other, const char *options)
{
  g_autoptr (TbAnalysis) analysis = create_analysis (options);
  g_autoptr (TbSelection) selection = tb_selection_new (other);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (TbReport) again = NULL;
  TbReport *report = tb_analysis_compare (analysis, base, other, selection, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  json = tb_report_to_json (report);
  again = tb_report_from_json (json, &error);
  g_assert_no_error (error);
  return report;
}

static gint64
get_int (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_object_get_int_member (object, member);
}

static const char base_lines[] = STACK (0, "sample", "main;parse@app;copy@libc")
    STACK (100, "sample", "main;draw@app") STACK (400, "sample", "main;old@plug")
        STACK (450, "sample", "main;draw@app") STACK (500, "sample", "main");
static const char other_lines[]
    = STACK (0, "sample", "main;parse@app;copy@libc") STACK (900, "sample", "main;draw@app")
        STACK (1200, "sample", "main;new@plug") STACK (1300, "sample", "main");

static void
test_compare (void)
{
  g_autoptr (TbTrace) base = open_text ("base", base_lines);
  g_autoptr (TbTrace) other = open_text ("other", other_lines);
  g_autoptr (TbReport) report = compare (base, other, "estimate=aggressive");
  JsonObject *summary = get_summary (report);
  JsonObject *path = get_element (summary, "paths", 0);
  JsonArray *frames = json_object_get_array_member (path, "frames");

  g_assert_cmpuint (count (report, "paths"), ==, 3);
  g_assert_cmpint (get_int (path, "cost_ns"), ==, 800);
  g_assert_cmpint (get_int (path, "base_ns"), ==, 100);
  g_assert_cmpint (get_int (path, "other_ns"), ==, 900);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (frames, 2), "function"), ==,
                   "copy");
  g_assert_true (json_object_get_boolean_member (json_array_get_object_element (frames, 2), "hot"));
  /* What is new counts in full, what is gone is a gain. */
  path = get_element (summary, "paths", 1);
  g_assert_cmpint (get_int (path, "cost_ns"), ==, 100);
  g_assert_true (json_object_get_null_member (path, "base_ns"));
  path = get_element (summary, "gains", 0);
  g_assert_cmpint (get_int (path, "cost_ns"), ==, -50);
  g_assert_true (json_object_get_null_member (path, "other_ns"));
  g_assert_cmpstr (
      tb_finding_get_text (tb_report_get_finding (report, 0)), ==,
      "copy called from parse costs 800 ns more than in the base recording (89 % of what grew).");
  g_assert_cmpint (get_int (get_element (summary, "modules", 0), "own_ns"), ==, 900);
  g_assert_cmpint (get_int (get_element (summary, "modules", 0), "base_ns"), ==, 100);
  g_assert_nonnull (json_object_get_object_member (summary, "base"));
  g_assert_cmpuint (count (report, "differences"), >=, 4);
}

static void
test_compare_same (void)
{
  g_autoptr (TbTrace) base = open_text ("base", base_lines);
  g_autoptr (TbTrace) other = open_text ("same", base_lines);
  g_autoptr (TbReport) report = compare (base, other, "");
  JsonObject *summary = get_summary (report);

  g_assert_cmpuint (count (report, "gains"), ==, 0);
  for (guint i = 0; i < count (report, "paths"); i++)
    {
      g_assert_cmpint (get_int (get_element (summary, "paths", i), "cost_ns"), ==, 0);
      g_assert_true (json_object_get_boolean_member (get_element (summary, "paths", i), "within_noise"));
    }
}

static void
test_compare_nothing_common (void)
{
  g_autoptr (TbTrace) base = open_text ("base", base_lines);
  g_autoptr (TbTrace) other
      = open_text ("foreign", STACK (0, "sample", "start;go") STACK (70, "sample", "start"));
  g_autoptr (TbTrace) empty = open_text ("empty", LINE (0, "switch", "0,R,11,,,,,,,,,,"));
  g_autoptr (TbReport) foreign = compare (base, other, "estimate=aggressive");
  g_autoptr (TbReport) from_nothing = compare (empty, other, "estimate=aggressive");
  g_autoptr (TbReport) to_nothing = compare (base, empty, "estimate=aggressive normalize=duration");

  g_assert_true (has_warning (foreign, "no calling context in common"));
  g_assert_cmpint (get_int (get_element (get_summary (foreign), "paths", 0), "cost_ns"), ==, 70);
  g_assert_cmpint (get_int (get_element (get_summary (from_nothing), "paths", 0), "cost_ns"), ==, 70);
  g_assert_cmpuint (count (to_nothing, "paths"), ==, 0);
  g_assert_cmpuint (count (to_nothing, "gains"), ==, 3);
}

/* Calls of very different length: what one recording drew of them says little about another. */
static void
test_compare_noise (void)
{
  g_autoptr (GString) base = g_string_new (NULL);
  g_autoptr (GString) other = g_string_new (NULL);
  g_autoptr (TbTrace) base_trace = NULL;
  g_autoptr (TbTrace) other_trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *path;
  gint64 time[2] = { 0, 0 };

  for (guint i = 0; i < 40; i++)
    for (guint side = 0; side < 2; side++)
      {
        GString *lines = side == 0 ? base : other;
        gint64 vague = i % 2 == side ? 10 : 5000 + 40 * side, steady = side == 0 ? 100 : 130;

        g_string_append_printf (lines, "%" G_GINT64_FORMAT ",0,sample,,,,,,,11,,,,main;vague,,\n",
                                time[side]);
        time[side] += vague;
        g_string_append_printf (lines, "%" G_GINT64_FORMAT ",0,sample,,,,,,,11,,,,main;steady,,\n",
                                time[side]);
        time[side] += steady + (i % 3);
      }
  base_trace = open_text ("noise-base", base->str);
  other_trace = open_text ("noise-other", other->str);
  report = compare (base_trace, other_trace, "estimate=aggressive");
  path = get_element (get_summary (report), "paths", 0);
  g_assert_false (json_object_get_boolean_member (path, "within_noise"));
  g_assert_cmpstr (json_object_get_string_member (get_element (path, "frames", 1), "function"), ==, "steady");
  g_assert_cmpint (get_int (path, "low_ns"), >, 0);
  path = get_element (get_summary (report), "paths", 1);
  g_assert_true (json_object_get_boolean_member (path, "within_noise"));
  g_assert_cmpint (get_int (path, "low_ns"), <, 0);
}

int
main (int argc, char **argv)
{
  int result;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("tailback-contexts-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/calling-contexts/table-1", test_table_1);
  g_test_add_func ("/calling-contexts/figure-4", test_figure_4);
  g_test_add_func ("/calling-contexts/returns-split", test_returns_split);
  g_test_add_func ("/calling-contexts/sleep-stays-inside", test_sleep_stays_inside);
  g_test_add_func ("/calling-contexts/losses", test_losses);
  g_test_add_func ("/calling-contexts/events", test_events_option);
  g_test_add_func ("/calling-contexts/no-stacks", test_no_stacks);
  g_test_add_func ("/calling-contexts/broken", test_broken);
  g_test_add_func ("/calling-contexts/deep-recursion", test_deep_recursion);
  g_test_add_func ("/calling-contexts/compare/paths", test_compare);
  g_test_add_func ("/calling-contexts/compare/same", test_compare_same);
  g_test_add_func ("/calling-contexts/compare/nothing-common", test_compare_nothing_common);
  g_test_add_func ("/calling-contexts/compare/noise", test_compare_noise);
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
