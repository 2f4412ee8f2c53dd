/* test-latency-peaks-live.c: test of reports on what a live search stored in a recording: the time
 * of each node, from levels that were measured one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"
#include "recording.h"

/* In each call of f0 its thread waits 10 ms, four functions deeper, and then 5 ms for a CPU. Each
 * level has other calls, with the same times: ms, with that wait for a CPU. */
static const char head[]
    = "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:f0@p\",\"status\":"
      "\"found\",\"resolution\":1,\"bins\":[[12,60,240000],[23,20,300000000]],\"peaks\":[[12,12],"
      "[23,23]],\"peak\":2,\"from_bin\":23,\"to_bin\":23,\"calls_looked_into\":20,\"slices\":[],"
      "\"longest\":[],\"nodes\":[";

static void
add_opened (GString *state, int id, int parent, const char *name, const char *callee)
{
  g_string_append_printf (state,
                          "{\"id\":%d,\"parent\":%d,\"kind\":\"function\",\"name\":\"%s\","
                          "\"phase\":3,\"opened\":true,\"root_cause\":true,\"calls\":20,"
                          "\"open_calls\":20,\"maxcount\":20%s,\"total_ns\":200000000,"
                          "\"self_ns\":0},",
                          id, parent, name, callee);
}

static void
add_delay (GString *state, int id, int parent, gint64 ns)
{
  g_string_append_printf (state,
                          "{\"id\":%d,\"parent\":%d,\"kind\":\"run-queue\",\"name\":\"\","
                          "\"calls\":20,\"maxcount\":0,\"callee_ns\":%" G_GINT64_FORMAT "},",
                          id, parent, ns);
}

static char *
make_state (gint64 delay_below)
{
  static const char callee[] = ",\"callee_ns\":200000000";
  GString *state = g_string_new (head);

  add_opened (state, 0, -1, "f0", "");
  add_delay (state, 1, 0, 100000000);
  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%d", i);

      add_opened (state, 2 * i, 2 * i - 2, name, callee);
      add_delay (state, 2 * i + 1, 2 * i, delay_below);
    }
  g_string_append (state, "{\"id\":8,\"parent\":6,\"kind\":\"wait\",\"name\":\"\",\"key\":1,"
                          "\"phase\":0,\"root_cause\":true,\"calls\":20,\"maxcount\":20,"
                          "\"callee_ns\":200000000}]}");
  return g_string_free (state, FALSE);
}

static TbReport *
analyze_state (const char *state)
{
  TbRecorder *recorder = recording_new ("live");
  g_autoptr (TbTrace) trace = NULL;

  tb_recorder_set_fact (recorder, "latency", state);
  recording_name (recorder, 7, "p", 7);
  trace = recording_open (recorder);
  return report_run ("latency-peaks", trace, NULL, NULL);
}

static gint64
get_total (JsonObject *peak, const char *id, const char *member)
{
  JsonArray *tree = json_object_get_array_member (peak, "tree");

  for (guint i = 0; i < json_array_get_length (tree); i++)
    {
      JsonObject *node = json_array_get_object_element (tree, i);

      if (g_str_equal (json_object_get_string_member (node, "id"), id))
        return json_object_get_int_member (node, member);
    }
  g_error ("no node %s", id);
}

/* A disturbance of a call is one of its callees' as well: it is taken off once. */
static void
test_levels (void)
{
  g_autofree char *state = make_state (100000000);
  g_autoptr (TbReport) report = analyze_state (state);
  JsonObject *peak = summary_get_element (report_get_summary (report), "peaks", 1);
  JsonObject *cause;

  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, 1);
  cause = summary_get_element (peak, "root_causes", 0);
  g_assert_cmpstr (json_object_get_string_member (cause, "kind"), ==, "wait");
  g_assert_cmpint (json_object_get_int_member (cause, "total_ns"), ==, 200000000);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (cause, "share"), 2.0 / 3, 1e-6);
  for (int i = 0; i <= 6; i += 2)
    {
      g_autofree char *id = g_strdup_printf ("%d", i), *delay = g_strdup_printf ("%d", i + 1);

      g_assert_cmpint (get_total (peak, id, "total_ns"), ==, 300000000);
      g_assert_cmpint (get_total (peak, delay, "total_ns"), ==, 100000000);
      g_assert_cmpint (get_total (peak, delay, "own_ns"), ==, i < 6 ? 0 : 100000000);
    }
}

/* By chance the calls of a deeper level were disturbed more than those of the first, or less. */
static void
test_chance (void)
{
  g_autofree char *more = make_state (300000000), *less = make_state (40000000);
  g_autoptr (TbReport) report = analyze_state (more);
  JsonObject *peak = summary_get_element (report_get_summary (report), "peaks", 1);

  g_assert_cmpint (get_total (peak, "0", "total_ns"), ==, 300000000);
  g_assert_cmpint (get_total (peak, "6", "total_ns"), ==, 300000000);
  g_assert_cmpint (get_total (peak, "7", "own_ns"), ==, 100000000);
  g_clear_object (&report);
  report = analyze_state (less);
  peak = summary_get_element (report_get_summary (report), "peaks", 1);
  g_assert_cmpint (get_total (peak, "0", "total_ns"), ==, 300000000);
  g_assert_cmpint (get_total (peak, "1", "own_ns"), ==, 60000000);
  g_assert_cmpint (get_total (peak, "2", "total_ns"), ==, 240000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/live/levels", test_levels);
  g_test_add_func ("/latency-peaks/live/chance", test_chance);
  return recording_run_tests ();
}
