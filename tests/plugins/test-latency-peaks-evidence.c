/* test-latency-peaks-evidence.c: test of what latency-peaks concludes from incomplete evidence:
 * causes of little time, calls without a sample, the cost of recorded probes, live searches that
 * ended early, histograms that a search changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

/* --- how the time is shared --- */

/* Each call of outer spends the same time in several functions. */
static TbTrace *
open_parts (const char *name, int n_parts)
{
  Story *story = story_new ("caller");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (int i = 0; i < 30; i++, time += 1000)
    {
      story_call (story, time, 0, 11, "outer");
      for (int part = 0; part < n_parts; part++)
        {
          g_autofree char *function = g_strdup_printf ("part%d", part + 1);

          story_call (story, time + 1 + part * 600 / n_parts, 0, 11, function);
          story_return (story, time + (part + 1) * 600 / n_parts, 0, 11, function);
        }
      story_return (story, time + 601, 0, 11, "outer");
    }
  return story_open_as (story, name);
}

static void
test_shares (void)
{
  g_autoptr (TbTrace) two = open_parts ("two", 2);
  g_autoptr (TbTrace) five = open_parts ("five", 5);
  g_autoptr (TbReport) halves = peaks_analyze (two, "function:outer");
  g_autoptr (TbReport) fifths = peaks_analyze (five, "function:outer");
  JsonObject *peak = peaks_get_peak (halves, 0);
  TbFinding *finding = peaks_get_finding (fifths, 0);

  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 2);
  g_assert_true (json_object_get_null_member (peak, "shared_by"));
  peak = peaks_get_peak (fifths, 0);
  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 0);
  g_assert_cmpuint (summary_count (peak, "shared_by"), ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (
        json_object_get_double_member (summary_get_element (peak, "shared_by", i), "share"), 0.2,
        0.01);
  g_assert_nonnull (strstr (tb_finding_get_text (finding), "no part has a third of their time: "));
  g_assert_nonnull (strstr (tb_finding_get_text (finding), "part1 itself 20 %"));
  finding_assert_integer (finding, "shares", 4);
}

/* --- samples --- */

/* Calls of outer that run for long; sampled of them have samples, all in work. */
static TbTrace *
open_sampled (const char *name, int n, int sampled)
{
  Story *story = story_new ("caller");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  story_sample (story, 20, 0, 11, "main");
  for (int i = 0; i < n; i++, time += 1000)
    {
      story_call (story, time, 0, 11, "outer");
      if (i < sampled)
        story_sample (story, time + 200, 0, 11, "main;outer;work");
      story_return (story, time + 400, 0, 11, "outer");
    }
  return story_open_as (story, name);
}

/* Only the 92 calls with a sample decide, although most of the 201 have none. */
static void
test_not_sampled (void)
{
  g_autoptr (TbTrace) trace = open_sampled ("some", 201, 92);
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:outer");
  JsonObject *peak = peaks_get_peak (report, 0);

  peaks_assert_cause (report, 0, "function", "function:outer work", NULL);
  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 201);
  g_assert_cmpint (json_object_get_int_member (peak, "unsampled"), ==, 109);
  g_assert_cmpstr (json_object_get_string_member (peak, "status"), ==, "found");
  g_assert_nonnull (strstr (tb_finding_get_text (peaks_get_finding (report, 0)),
                            "Not sampled: 109 of 201 calls."));
  finding_assert_integer (peaks_get_finding (report, 0), "unsampled_calls", 109);
}

static void
test_few_sampled (void)
{
  g_autoptr (TbTrace) few = open_sampled ("few", 201, 7);
  g_autoptr (TbTrace) none = open_sampled ("none", 201, 0);
  g_autoptr (TbReport) of_few = peaks_analyze (few, "function:outer");
  g_autoptr (TbReport) of_none = peaks_analyze (none, "function:outer");

  g_assert_cmpstr (json_object_get_string_member (peaks_get_peak (of_few, 0), "status"), ==,
                   "in-progress");
  g_assert_nonnull (strstr (tb_finding_get_text (peaks_get_finding (of_few, 0)),
                            "Not sampled: 194 of 201 calls. Only 7 of the 20 calls"));
  peaks_assert_cause (of_none, 0, "function", "function:outer", "running, not sampled");
  g_assert_cmpstr (json_object_get_string_member (peaks_get_peak (of_none, 0), "status"), ==,
                   "in-progress");
}

/* --- the cost of recorded probes --- */

/* outer calls middle, which calls inner several times; the times include those of the probes. */
static TbTrace *
open_probed (const char *name, int n_inner, int every, const char *cost)
{
  Story *story = story_new ("caller");
  g_autoptr (GError) error = NULL;
  TbTrace *trace;
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (int i = 0; i < 30; i++, time += 10000)
    {
      int length = n_inner * every;

      story_call (story, time, 0, 11, "outer");
      story_call (story, time + 10, 0, 11, "middle");
      for (int j = 0; j < n_inner; j++)
        {
          story_call (story, time + 10 + j * every, 0, 11, "inner");
          story_return (story, time + 11 + j * every, 0, 11, "inner");
        }
      story_return (story, time + 10 + length, 0, 11, "middle");
      story_return (story, time + 20 + length, 0, 11, "outer");
    }
  trace = story_open_as (story, name);
  if (cost != NULL)
    tb_session_set_fact (tb_trace_get_session (trace), "cost-probed-call-ns", cost, &error);
  g_assert_no_error (error);
  return trace;
}

static gint64
get_total (TbReport *report, const char *label)
{
  JsonObject *peak = peaks_get_peak (report, 0);

  return json_object_get_int_member (peaks_find_in_tree (peak, label), "total_ns") / 30;
}

/* 10 calls of inner and one of middle, 3 µs each: 30 µs are taken off middle, and 33 off outer, in
 * which those of middle are. */
static void
test_probe_cost (void)
{
  g_autoptr (TbTrace) trace = open_probed ("cost", 10, 5, "3000");
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:outer");
  JsonObject *summary = report_get_summary (report), *peak = peaks_get_peak (report, 0);
  TbFinding *finding = findings_get (report, "recorded-probe-cost");

  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 30 * (70000 - 33000));
  g_assert_cmpint (json_object_get_int_member (peak, "total_ns"), ==, 30 * (70000 - 33000));
  g_assert_cmpint (get_total (report, "function:outer"), ==, 70000 - 33000);
  g_assert_cmpint (get_total (report, "middle"), ==, 50000 - 30000);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (peak, "parts"),
                                               "probes_ns"),
                   ==, 30 * 33000);
  finding_assert_integer (finding, "cost_ns", 30 * 33000);
  finding_assert_integer (finding, "uncertainty_ns", 30 * 11000);
}

/* Probes that seem to take longer than the call: a third of its own time is left, as their cost is
 * known to a third. Of middle, 100 µs of 200 are its own. */
static void
test_probe_cost_too_high (void)
{
  g_autoptr (TbTrace) trace = open_probed ("high", 100, 2, "5000");
  g_autoptr (TbTrace) unknown = open_probed ("unknown", 100, 2, NULL);
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:outer");
  g_autoptr (TbReport) without = peaks_analyze (unknown, "function:outer");
  JsonObject *peak = peaks_get_peak (report, 0);

  g_assert_cmpint (json_object_get_int_member (peak, "total_ns"), ==, 30 * (220000 - 66667 - 5000));
  g_assert_cmpint (get_total (report, "middle"), >, 0);
  g_assert_cmpint (json_object_get_int_member (peaks_get_peak (without, 0), "total_ns"), ==,
                   30 * 220000);
  findings_get (without, "probe-cost-unknown");
}

/* Whether a recording of unknown probe cost continues a live search in which outer took 2 µs
 * to 4 µs, as probes cost call_ns there. */
static gboolean
is_resumed (const char *name, int call_ns)
{
  g_autoptr (TbTrace) trace = open_probed (name, 10, 5, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *state = g_strdup_printf (
      "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:outer\","
      "\"status\":\"found\",\"resolution\":1,\"from_bin\":16,\"to_bin\":16,"
      "\"cost\":{\"call_ns\":%d},\"bins\":[[11,30,90000]],\"nodes\":[]}",
      call_ns);

  report = peaks_try_analyze (trace, "function:outer", "resume", state, &error);
  g_assert_no_error (error);
  return json_object_get_boolean_member (json_object_get_object_member (report_get_summary (report),
                                                                        "distance"),
                                         "same");
}

/* Unknown cost: the state has the number of probed calls (10 of inner and one of middle in each
 * call of 70 µs), by which a live search compares its own times with these. */
static void
test_probed_calls (void)
{
  g_autoptr (TbTrace) trace = open_probed ("probed-calls", 10, 5, NULL);
  g_autoptr (TbTrace) measured = open_probed ("measured-calls", 10, 5, "3000");
  g_autoptr (TbReport) report = peaks_analyze (trace, "function:outer");
  g_autoptr (TbReport) without = peaks_analyze (measured, "function:outer");
  JsonObject *state = json_object_get_object_member (report_get_summary (report), "state");
  JsonArray *row;

  g_assert_cmpuint (summary_count (state, "probed_calls"), ==, 1);
  row = json_array_get_array_element (json_object_get_array_member (state, "probed_calls"), 0);
  g_assert_cmpint (json_array_get_int_element (row, 0), ==, 16);
  g_assert_cmpint (json_array_get_int_element (row, 1), ==, 30 * 11);
  state = json_object_get_object_member (report_get_summary (without), "state");
  g_assert_false (json_object_has_member (state, "probed_calls"));
  /* Twice the cost of 12 probed calls is 96 µs or 48 µs. */
  g_assert_true (is_resumed ("explained", 4000));
  g_assert_false (is_resumed ("unexplained", 2000));
}

/* --- live searches --- */

static TbTrace *
open_live (const char *name, const char *state)
{
  TbRecorder *recorder = recording_new (name);
  TbEvent existing = { .time = 1, .kind = TB_EVENT_EXISTING, .tid = 7, .pid = 7 };

  tb_recorder_set_fact (recorder, "latency", state);
  existing.text = tb_recorder_intern_string (recorder, "server", -1);
  tb_recorder_add (recorder, &existing);
  return recording_open (recorder);
}

/* The chosen range replaces the peaks that it overlaps; the others remain, are in the number of
 * peaks and marked in the histogram, and nothing is reported about them. */
static void
test_live_ranges (void)
{
  static const char *const state
      = "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:handle\","
        "\"status\":\"found\",\"resolution\":1,\"bins\":[[9,400,300000],[15,60,2000000],"
        "[16,20,1000000],[21,30,90000000]],\"peaks\":[[9,9],[15,16],[21,21]],\"peak\":2,"
        "\"from_bin\":16,\"to_bin\":17,\"calls_looked_into\":20,\"nodes\":[{\"id\":0,"
        "\"parent\":-1,\"kind\":\"function\",\"name\":\"handle\",\"phase\":3,\"opened\":true,"
        "\"root_cause\":true,\"self_cause\":true,\"open_calls\":20,\"self_maxcount\":20,"
        "\"total_ns\":1000000,\"self_ns\":1000000}],\"slices\":[]}";
  g_autoptr (TbTrace) trace = open_live ("live-ranges", state);
  g_autoptr (TbReport) report = peaks_analyze (trace, "");
  JsonObject *summary = report_get_summary (report);
  static const char *const statuses[] = { "not-examined", "found", "not-examined" };

  g_assert_nonnull (strstr (tb_report_get_headline (report), "number of peaks: 3"));
  g_assert_cmpuint (summary_count (summary, "peaks"), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (json_object_get_string_member (summary_get_element (summary, "peaks", i),
                                                    "status"),
                     ==, statuses[i]);
  g_assert_cmpint (json_object_get_int_member (summary_get_element (summary, "peaks", 1), "to_bin"),
                   ==, 17);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, i)), !=,
                     "unexplained-latency-peak");
}

/* A search made calls longer; resuming compares with the calls from before it. */
static void
test_resumed_distribution (void)
{
  static const char *const format
      = "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:outer\","
        "\"resolution\":1,\"status\":\"in-progress\",\"from_bin\":16,\"to_bin\":19,"
        "\"calls_looked_into\":5,\"bins\":[[18,30,9000000],[24,300,9000000000]],%s\"nodes\":[]}";
  g_autoptr (TbTrace) trace = open_sampled ("resumed", 30, 0);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_autofree char *with = g_strdup_printf (format, "\"bins_at_choice\":[[18,30]],");
  g_autofree char *without = g_strdup_printf (format, "");
#pragma GCC diagnostic pop
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) same = peaks_try_analyze (trace, "function:outer", "resume", with, &error);
  g_autoptr (TbReport) other = NULL;

  g_assert_no_error (error);
  other = peaks_try_analyze (trace, "function:outer", "resume", without, &error);
  g_assert_no_error (error);
  findings_get (same, "resumed-search");
  findings_get (other, "search-not-resumed");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/evidence/shares", test_shares);
  g_test_add_func ("/latency-peaks/evidence/not-sampled", test_not_sampled);
  g_test_add_func ("/latency-peaks/evidence/few-sampled", test_few_sampled);
  g_test_add_func ("/latency-peaks/evidence/probe-cost", test_probe_cost);
  g_test_add_func ("/latency-peaks/evidence/probe-cost-too-high", test_probe_cost_too_high);
  g_test_add_func ("/latency-peaks/evidence/probed-calls", test_probed_calls);
  g_test_add_func ("/latency-peaks/evidence/live-ranges", test_live_ranges);
  g_test_add_func ("/latency-peaks/evidence/resumed-distribution", test_resumed_distribution);
  return recording_run_tests ();
}
