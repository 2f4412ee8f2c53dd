/* test-calling-contexts-samples.c: test of the analysis "calling-contexts" on recordings of samples
 * without thread switches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "../test-mode.h"
#include "calling-contexts-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

/* A stack lists functions, outermost first; NULL: none. With "?" first it is broken. */
typedef struct
{
  gint64 time; /* ns */
  gint32 tid;
  guint64 weight;
  const char *stack;
} Sample;

static guint32
intern_stack (TbRecorder *recorder, const char *text)
{
  gboolean is_broken = text[0] == '?';
  g_auto (GStrv) names = g_strsplit (text + is_broken, ";", -1);
  guint n = g_strv_length (names);
  g_autofree guint32 *frames = g_new (guint32, n);
  g_autofree guint8 *flags = g_new0 (guint8, n);

  for (guint i = 0; i < n; i++)
    frames[i] = tb_recorder_intern_named_frame (recorder, names[i], "app", FALSE);
  flags[0] = is_broken ? TB_STACK_BROKEN : 0;
  return tb_recorder_intern_stack (recorder, frames, flags, n);
}

/* event: what was sampled; NULL: the recorder's own clock. frequency: NULL none */
static TbRecorder *
new_recording (const char *name, const char *event, const char *frequency)
{
  TbRecorder *recorder = recording_new (name);

  tb_recorder_add_host (recorder, "host", "", "x86_64", 1, 0);
  if (event != NULL)
    tb_recorder_set_fact (recorder, "sampled", event);
  if (frequency != NULL)
    tb_recorder_set_fact (recorder, "sample-frequency", frequency);
  return recorder;
}

static void
add_sample (TbRecorder *recorder, const Sample *sample)
{
  TbEvent event = recording_make_event (sample->time, TB_EVENT_SAMPLE, 0, sample->tid);

  event.pid = sample->tid;
  event.a = sample->weight;
  if (sample->stack != NULL)
    event.stack = intern_stack (recorder, sample->stack);
  tb_recorder_add (recorder, &event);
}

static TbTrace *
open_samples (const char *name,
              const char *event,
              const char *frequency,
              const Sample *samples,
              guint n)
{
  TbRecorder *recorder = new_recording (name, event, frequency);

  for (guint i = 0; i < n; i++)
    add_sample (recorder, &samples[i]);
  return recording_open (recorder);
}

/* Thread 11 sleeps for a second below "wait", with a millisecond between other samples. */
static const Sample sleeper[] = {
  { 1 * MS, 11, 1 * MS, "main;work" },
  { 2 * MS, 11, 1 * MS, "main;work" },
  { 3 * MS, 11, 1 * MS, "main;wait" },
  { 1003 * MS, 11, 1 * MS, "main;work;inner" },
};

static TbTrace *
open_sleeper (const char *name, const char *event, const char *frequency)
{
  return open_samples (name, event, frequency, sleeper, G_N_ELEMENTS (sleeper));
}

static JsonObject *
get_frame (TbReport *report, guint path, guint frame)
{
  return summary_get_element (summary_get_element (report_get_summary (report), "paths", path),
                              "frames", frame);
}

static void
assert_null (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  g_assert_true (json_object_get_null_member (object, member));
}

/* --- what is shown --- */

/* Nothing is inferred between samples: a sleep is not the time of the function seen before it. */
static void
test_sleep (void)
{
  g_autoptr (TbTrace) trace = open_sleeper ("sleep", NULL, NULL);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *coverage = json_object_get_object_member (summary, "coverage");

  contexts_assert_path (report, 1, 3 * MS,
                        "main 4000000/0 work 3000000/2000000* inner 1000000/1000000");
  contexts_assert_path (report, 2, 1 * MS, "main 4000000/0 wait 1000000/1000000*");
  g_assert_cmpint (summary_get_int (summary, "own_ns"), ==, 4 * MS);
  g_assert_cmpint (summary_get_int (summary, "samples"), ==, 4);
  g_assert_cmpstr (json_object_get_string_member (summary, "sample_time"), ==, "weight");
  assert_null (summary, "instances");
  assert_null (coverage, "wall_share");
  assert_null (summary_get_element (coverage, "threads", 0), "covered_ns");
  assert_null (summary_get_element (coverage, "threads", 0), "wall_share");
  g_assert_cmpint (summary_get_int (get_frame (report, 0, 0), "samples"), ==, 4);
  g_assert_cmpint (summary_get_int (get_frame (report, 0, 1), "samples"), ==, 3);
  g_assert_cmpint (summary_get_int (get_frame (report, 0, 1), "own_samples"), ==, 2);
  assert_null (get_frame (report, 0, 1), "count");
  assert_null (get_frame (report, 0, 1), "longest_ns");
  assert_null (get_frame (report, 0, 1), "longest");
  assert_null (summary_get_element (summary, "functions_top", 0), "count");
  assert_null (summary_get_element (summary, "functions_top", 0), "mean_ns");
  g_assert_cmpint (summary_get_int (summary_get_element (summary, "functions_top", 0), "samples"),
                   ==, 2);
  g_assert_cmpint (summary_get_int (summary_get_element (summary, "modules", 0), "samples"), ==, 4);
}

static void
test_findings (void)
{
  g_autoptr (TbTrace) trace = open_sleeper ("findings", NULL, NULL);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  TbFinding *finding = findings_get_with (report, "costly-context", "function", "work");
  g_autoptr (JsonNode) json = tb_report_to_json (report);
  JsonArray *findings = json_object_get_array_member (json_node_get_object (json), "findings");

  finding_assert_string (finding, "caller", "main");
  finding_assert_integer (finding, "own_ns", 2 * MS);
  finding_assert_number (finding, "share", 0.5);
  finding_assert_integer (finding, "samples", 2);
  g_assert_nonnull (strstr (tb_finding_get_text (finding), "of CPU time itself"));
  g_assert_nonnull (strstr (tb_report_get_headline (report), "of CPU time itself"));
  g_assert_cmpuint (findings_count (report, "coverage"), ==, 0);
  for (guint i = 0; i < json_array_get_length (findings); i++)
    {
      JsonObject *values
          = json_object_get_object_member (json_array_get_object_element (findings, i), "values");

      g_assert_false (json_object_has_member (values, "count"));
      g_assert_false (json_object_has_member (values, "longest_ns"));
    }
}

static gboolean
has_column (TbReport *report, const char *id, const char *column)
{
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, id));

  for (guint i = 0; i < tb_table_figure_get_n_columns (table); i++)
    if (g_str_equal (tb_table_figure_get_column_id (table, i), column))
      return TRUE;
  return FALSE;
}

static void
test_figures (void)
{
  static const char *const tables[] = { "paths", "frames", "functions", "modules", "layers" };
  static const char *const of_calls[] = { "calls", "longest", "when" };
  g_autoptr (TbTrace) trace = open_sleeper ("figures", NULL, NULL);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_assert_true (has_column (report, tables[i], "samples"));
      for (guint k = 0; k < G_N_ELEMENTS (of_calls); k++)
        g_assert_false (has_column (report, tables[i], of_calls[k]));
    }
  g_assert_null (tb_report_find_figure (report, "calls"));
  g_assert_null (tb_report_find_figure (report, "coverage"));
  g_assert_nonnull (tb_report_find_figure (report, "contexts"));
  g_assert_cmpuint (tb_graph_figure_get_n_edges (tree), ==, 4);
}

/* --- what a sample stands for --- */

static void
test_frequency (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, 100, "main;slow" },
    { 2 * MS, 11, 600, "main;fast" },
    { 9 * MS, 11, 100, "main;slow" },
    { 900 * MS, 11, 0, "main;slow" },
  };
  g_autoptr (TbTrace) trace = open_samples ("frequency", "cycles:u", "1000", samples, 4);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  JsonObject *summary = report_get_summary (report);

  /* Shares are those of the weights, the whole is four periods. */
  contexts_assert_path (report, 1, 3 * MS, "main 4000000/0 fast 3000000/3000000*");
  contexts_assert_path (report, 2, 1 * MS, "main 4000000/0 slow 1000000/1000000*");
  g_assert_cmpint (summary_get_int (get_frame (report, 1, 1), "samples"), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (summary, "sample_time"), ==, "frequency");
  g_assert_false (report_has_warning (report, "estimates"));
}

/* The median distance of a thread's samples: not that to another thread's, and not a sleep. */
static void
test_fixed_count (void)
{
  const Sample samples[] = {
    { 10 * MS, 11, 5000, "main;a" }, { 11 * MS, 12, 5000, "main;b" },
    { 14 * MS, 11, 5000, "main;a" }, { 15 * MS, 12, 5000, "main;b" },
    { 18 * MS, 11, 5000, "main;a" }, { 1800 * MS, 11, 5000, "main;c" },
  };
  g_autoptr (TbTrace) trace = open_samples ("fixed", "cycles", NULL, samples, 6);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  contexts_assert_path (report, 1, 12 * MS, "main 24000000/0 a 12000000/12000000*");
  contexts_assert_path (report, 2, 8 * MS, "main 24000000/0 b 8000000/8000000*");
  g_assert_cmpstr (json_object_get_string_member (report_get_summary (report), "sample_time"), ==,
                   "distance");
  g_assert_true (report_has_warning (report, "times are estimates"));
}

/* Without weights, as in text, each sample counts the same. */
static void
test_no_weights (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("weightless", STACK (1000, "sample", "a") STACK (3000, "sample", "a")
                                            STACK (5000, "sample", "b"));
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  contexts_assert_path (report, 1, 4000, "a 4000/4000*");
  contexts_assert_path (report, 2, 2000, "b 2000/2000*");
}

/* A single sample has no distance from another one. Its share is measured all the same. */
static void
test_unknown_time (void)
{
  g_autoptr (TbTrace) trace = open_samples ("single", "cycles", NULL, sleeper, 1);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  finding_assert_number (findings_get (report, "costly-context"), "share", 1);
  g_assert_cmpstr (json_object_get_string_member (report_get_summary (report), "sample_time"), ==,
                   "unknown");
  g_assert_true (report_has_warning (report, "only the shares are measured"));
}

static void
test_huge_weights (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, G_MAXUINT64, "main;a" },
    { 2 * MS, 11, G_MAXUINT64, "main;b" },
    { 3 * MS, 11, G_MAXUINT64, "main;b" },
  };
  g_autoptr (TbTrace) trace = open_samples ("huge", NULL, NULL, samples, 3);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  finding_assert_number (findings_get_with (report, "costly-context", "function", "b"), "share",
                         2.0 / 3);
  g_assert_cmpint (summary_get_int (report_get_summary (report), "own_ns"), >, 0);
}

/* --- which samples count --- */

/* A broken stack is a context of its own, also among whole ones. A sample without a stack is in no
 * context, and reported. */
static void
test_broken (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, MS, "main;read" },
    { 2 * MS, 11, MS, "main;read" },
    { 3 * MS, 11, MS, "?read" },
    { 4 * MS, 11, MS, NULL },
  };
  g_autoptr (TbTrace) trace = open_samples ("broken", NULL, NULL, samples, 4);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *events = json_object_get_object_member (summary, "events");

  contexts_assert_path (report, 1, 2 * MS, "main 2000000/0 read 2000000/2000000*");
  contexts_assert_path (report, 2, 1 * MS, "read 1000000/1000000*");
  g_assert_cmpint (summary_get_int (summary, "samples"), ==, 4);
  g_assert_cmpint (summary_get_int (summary, "own_ns"), ==, 3 * MS);
  g_assert_cmpint (summary_get_int (events, "broken_used"), ==, 1);
  g_assert_cmpint (summary_get_int (events, "broken_set_aside"), ==, 0);
  g_assert_cmpint (summary_get_int (events, "without_stack"), ==, 1);
  g_assert_true (report_has_warning (report, "do not reach the start"));
  g_assert_true (report_has_warning (report, "has no stack"));
}

/* perf record without -g: which function ran is known, and no remedy for broken chains helps. */
static void
test_without_callers (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, MS, "?main" },
    { 2 * MS, 11, MS, "?read" },
    { 3 * MS, 11, MS, "?read" },
  };
  g_autoptr (TbTrace) trace = open_samples ("callers", NULL, NULL, samples, 3);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);

  contexts_assert_path (report, 1, 2 * MS, "read 2000000/2000000*");
  g_assert_true (report_has_warning (report, "No sample has a caller"));
  g_assert_false (report_has_warning (report, "do not reach the start"));
}

/* The range is half-open, but the last sample of a recording lies at its very end. */
static void
test_range (void)
{
  static const struct
  {
    gint64 from;
    gint64 to;
    gint64 n;
  } ranges[] = {
    { 1 * MS, 1003 * MS, 4 }, { 1 * MS, 3 * MS, 2 }, { 2 * MS, 4 * MS, 2 }, { 4 * MS, 5 * MS, 0 }
  };
  g_autoptr (TbTrace) trace = open_sleeper ("range", NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autoptr (TbSelection) selection = tb_selection_new (trace);
      g_autoptr (TbReport) report = NULL;

      tb_selection_set_range (selection, ranges[i].from, ranges[i].to);
      report = report_run ("calling-contexts", trace, selection, NULL);
      g_assert_cmpint (summary_get_int (report_get_summary (report), "samples"), ==, ranges[i].n);
      g_assert_cmpint (summary_get_int (report_get_summary (report), "own_ns"), ==,
                       ranges[i].n * MS);
    }
}

static void
test_threads (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, MS, "main;a" },
    { 2 * MS, 12, MS, "main;b" },
    { 3 * MS, 12, MS, "main;b" },
    { 4 * MS, 0, MS, "idle" },
  };
  g_autoptr (TbTrace) trace = open_samples ("threads", NULL, NULL, samples, 4);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) all = contexts_analyze (trace, NULL);
  g_autoptr (TbReport) of_process = contexts_analyze (trace, "process", "12", NULL);
  g_autoptr (TbReport) of_thread = NULL;

  tb_selection_add_thread (selection, recording_find_thread (trace, 11));
  of_thread = report_run ("calling-contexts", trace, selection, NULL);
  contexts_assert_path (all, 1, 2 * MS, "main 3000000/0 b 2000000/2000000*");
  contexts_assert_path (of_process, 1, 2 * MS, "main 2000000/0 b 2000000/2000000*");
  contexts_assert_path (of_thread, 1, 1 * MS, "main 1000000/0 a 1000000/1000000*");
}

/* A function in several frames of a stack uses the time of the sample once. */
static void
test_recursion (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, MS, "main;again;again" },
    { 2 * MS, 11, MS, "main;again;again;again" },
  };
  g_autoptr (TbTrace) trace = open_samples ("recursion", NULL, NULL, samples, 2);
  g_autoptr (TbReport) report = contexts_analyze (trace, NULL);
  JsonObject *function = summary_get_element (report_get_summary (report), "functions_top", 0);

  g_assert_cmpint (summary_get_int (function, "own_ns"), ==, 2 * MS);
  g_assert_cmpint (summary_get_int (function, "samples"), ==, 2);
}

/* Calls are inferred where there are switches, or samples are not wanted. */
static void
test_other_evidence (void)
{
  g_autoptr (TbTrace) switches
      = story_open_lines ("switches", LINE (100, "switch", "0,R,11,,,,,,,,,,")
                                          STACK (100, "sample", "a") STACK (500, "sample", "a"));
  g_autoptr (TbTrace) marks
      = story_open_lines ("marks", STACK (100, "mark", "a") STACK (200, "sample", "b")
                                       STACK (500, "mark", "a"));
  g_autoptr (TbReport) of_switches = contexts_analyze (switches, NULL);
  g_autoptr (TbReport) of_marks = contexts_analyze (marks, "events", "mark", NULL);
  TbReport *const reports[] = { of_switches, of_marks };

  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      contexts_assert_path (reports[i], 1, 400, "a 400/400*");
      g_assert_cmpint (summary_get_int (get_frame (reports[i], 0, 0), "count"), ==, 1);
      assert_null (get_frame (reports[i], 0, 0), "samples");
      assert_null (report_get_summary (reports[i]), "samples");
    }
}

static void
test_unused_options (void)
{
  g_autoptr (TbTrace) trace = open_sleeper ("options", NULL, NULL);
  g_autoptr (TbReport) plain = contexts_analyze (trace, NULL);
  g_autoptr (TbReport) report = contexts_analyze (trace, "cost", "mean", "interval", "1s",
                                                  "estimate", "conservative", NULL);

  contexts_assert_path (report, 1, 3 * MS,
                        "main 4000000/0 work 3000000/2000000* inner 1000000/1000000");
  g_assert_true (report_has_warning (report, "do not show calls"));
  g_assert_false (report_has_warning (plain, "do not show calls"));
}

static void
test_cancelled (void)
{
  g_autoptr (TbTrace) trace = open_sleeper ("cancelled", NULL, NULL);
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("calling-contexts", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (tb_analysis_run (analysis, trace, NULL, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- comparison --- */

static void
test_compare (void)
{
  const Sample samples[] = {
    { 1 * MS, 11, 1 * MS, "main;wait" },  { 2 * MS, 11, 40 * MS, "main;work" },
    { 3 * MS, 11, 40 * MS, "main;work" }, { 4 * MS, 11, 40 * MS, "main;work" },
    { 5 * MS, 11, 40 * MS, "main;work" }, { 6 * MS, 11, 40 * MS, "main;work" },
    { 7 * MS, 11, 1 * MS, "main;new" },
  };
  g_autoptr (TbTrace) base = open_sleeper ("compare-base", NULL, NULL);
  g_autoptr (TbTrace) other
      = open_samples ("compare-other", NULL, NULL, samples, G_N_ELEMENTS (samples));
  g_autoptr (TbReport) report = contexts_compare (base, other, NULL);
  g_autoptr (TbReport) same = contexts_compare (base, base, NULL);
  TbFinding *finding = findings_get (report, "context-growth");
  JsonObject *frame = get_frame (report, 0, 1);

  finding_assert_string (finding, "function", "work");
  finding_assert_integer (finding, "delta_ns", 198 * MS);
  g_assert_cmpint (summary_get_int (frame, "samples"), ==, 5);
  assert_null (frame, "count");
  assert_null (summary_get_element (report_get_summary (report), "functions_top", 0), "mean_ns");
  findings_get (same, "no-difference");
  /* One sample more is chance. */
  g_assert_true (json_object_get_boolean_member (summary_find (report_get_summary (report),
                                                               "differences", "id", "main;new"),
                                                 "within_noise"));
}

/* Time with waits is not compared with CPU time: the samples of both sides are counted. */
static void
test_compare_with_switches (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) base = open_sleeper ("without-switches", NULL, NULL);
  g_autoptr (TbTrace) other = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 1000, 0, 0, "S", 11);
  for (guint i = 0; i < 3; i++)
    story_add (story, 1000 * (i + 1), "0,sample,,,,,,,11,,1000000,,main@app;wait@app,,");
  story_switch (story, 3001, 0, 11, "S", 0);
  story_switch (story, 900000, 0, 0, "S", 11);
  other = story_open_as (story, "with-switches");
  report = contexts_compare (base, other, NULL);
  summary = report_get_summary (report);
  g_assert_true (report_has_warning (report, "compared by their samples"));
  g_assert_cmpint (summary_get_int (json_object_get_object_member (summary, "other"), "own_ns"), ==,
                   3 * MS);
  g_assert_cmpint (summary_get_int (summary_find (summary, "differences", "id", "main;wait"),
                                    "delta"),
                   ==, 2 * MS);
}

static void
test_compare_without_samples (void)
{
  Story *story = story_new (NULL);
  g_autoptr (TbTrace) base = open_sleeper ("samples-only", NULL, NULL);
  g_autoptr (TbTrace) other = NULL;
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("calling-contexts", NULL);
  g_autoptr (GError) error = NULL;

  story_switch_with_stack (story, 1000, 0, 11, "S", 0, "main;wait");
  story_switch (story, 900000, 0, 0, "S", 11);
  other = story_open_as (story, "switches-only");
  g_assert_null (tb_analysis_compare (analysis, base, other, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
  g_assert_null (strchr (error->message, '\n'));
}

/* --- against plain sums --- */

typedef struct
{
  gint64 own;
  gint64 total;
  gint64 samples;
} Sums;

static Sums *
get_sums (GHashTable *all, const char *path)
{
  Sums *sums = g_hash_table_lookup (all, path);

  if (sums == NULL)
    {
      sums = g_new0 (Sums, 1);
      g_hash_table_insert (all, g_strdup (path), sums);
    }
  return sums;
}

static void
add_sums (GHashTable *all, const Sample *sample)
{
  g_autofree char *path = g_strdup (sample->stack + (sample->stack[0] == '?'));
  char *end;

  get_sums (all, path)->own += (gint64) sample->weight;
  do
    {
      get_sums (all, path)->total += (gint64) sample->weight;
      get_sums (all, path)->samples++;
      end = strrchr (path, ';');
      if (end != NULL)
        *end = '\0';
    }
  while (end != NULL);
}

static void
assert_frames (TbReport *report, GHashTable *all)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < summary_count (report_get_summary (report), "paths"); i++)
    {
      JsonObject *path_object = summary_get_element (report_get_summary (report), "paths", i);
      g_autoptr (GString) path = g_string_new (NULL);

      for (guint k = 0; k < summary_count (path_object, "frames"); k++)
        {
          JsonObject *frame = summary_get_element (path_object, "frames", k);
          const Sums *sums;

          g_string_append_printf (path, "%s%s", k > 0 ? ";" : "",
                                  json_object_get_string_member (frame, "function"));
          sums = g_hash_table_lookup (all, path->str);
          g_assert_nonnull (sums);
          g_assert_cmpint (summary_get_int (frame, "own_ns"), ==, sums->own);
          g_assert_cmpint (summary_get_int (frame, "total_ns"), ==, sums->total);
          g_assert_cmpint (summary_get_int (frame, "samples"), ==, sums->samples);
          g_hash_table_add (found, g_strdup (path->str));
        }
    }
  g_assert_cmpuint (g_hash_table_size (found), ==, g_hash_table_size (all));
}

static void
test_random (void)
{
  for (guint round = 0; round < test_rounds (100, 15); round++)
    {
      g_autofree char *name = g_strdup_printf ("random-%u", round);
      g_autoptr (GHashTable) all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      TbRecorder *recorder = new_recording (name, "cpu-clock", NULL);
      guint n = (guint) g_test_rand_int_range (1, 300);
      gint64 time = 0, sum = 0;
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;

      for (guint i = 0; i < n; i++)
        {
          g_autoptr (GString) stack = g_string_new (g_test_rand_int_range (0, 8) == 0 ? "?" : "");
          Sample sample = { .time = time += g_test_rand_int_range (0, 1000000),
                            .tid = g_test_rand_int_range (11, 15),
                            .weight = (guint64) g_test_rand_int_range (1, 1000000) };

          for (int k = g_test_rand_int_range (0, 6); k >= 0; k--)
            g_string_append_printf (stack, "%c%s", 'a' + g_test_rand_int_range (0, 3),
                                    k > 0 ? ";" : "");
          sample.stack = stack->str;
          sum += (gint64) sample.weight;
          add_sample (recorder, &sample);
          add_sums (all, &sample);
        }
      trace = recording_open (recorder);
      report = contexts_analyze (trace, "top", "0", NULL);
      assert_frames (report, all);
      g_assert_cmpint (summary_get_int (report_get_summary (report), "own_ns"), ==, sum);
      g_assert_cmpint (summary_get_int (report_get_summary (report), "samples"), ==, n);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/samples/sleep", test_sleep);
  g_test_add_func ("/calling-contexts/samples/findings", test_findings);
  g_test_add_func ("/calling-contexts/samples/figures", test_figures);
  g_test_add_func ("/calling-contexts/samples/frequency", test_frequency);
  g_test_add_func ("/calling-contexts/samples/fixed-count", test_fixed_count);
  g_test_add_func ("/calling-contexts/samples/no-weights", test_no_weights);
  g_test_add_func ("/calling-contexts/samples/unknown-time", test_unknown_time);
  g_test_add_func ("/calling-contexts/samples/huge-weights", test_huge_weights);
  g_test_add_func ("/calling-contexts/samples/broken", test_broken);
  g_test_add_func ("/calling-contexts/samples/without-callers", test_without_callers);
  g_test_add_func ("/calling-contexts/samples/range", test_range);
  g_test_add_func ("/calling-contexts/samples/threads", test_threads);
  g_test_add_func ("/calling-contexts/samples/recursion", test_recursion);
  g_test_add_func ("/calling-contexts/samples/other-evidence", test_other_evidence);
  g_test_add_func ("/calling-contexts/samples/unused-options", test_unused_options);
  g_test_add_func ("/calling-contexts/samples/cancelled", test_cancelled);
  g_test_add_func ("/calling-contexts/samples/compare", test_compare);
  g_test_add_func ("/calling-contexts/samples/compare-with-switches", test_compare_with_switches);
  g_test_add_func ("/calling-contexts/samples/compare-without-samples",
                   test_compare_without_samples);
  g_test_add_func ("/calling-contexts/samples/random", test_random);
  return recording_run_tests ();
}
