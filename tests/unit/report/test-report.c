/* test-report.c: reports, their JSON and what is refused of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "random-figures.h"

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);

  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (TbReport) report = random_report (rand);
      g_autofree char *text = json_to_text (tb_report_to_json (report));
      g_autofree char *again = NULL;
      g_autofree char *rendered = tb_report_to_text (report, 100);
      g_autofree char *rendered_again = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = json_from_string (text, &error);
      g_autoptr (TbReport) read = NULL;

      g_assert_no_error (error);
      read = tb_report_from_json (node, &error);
      g_assert_no_error (error);
      again = json_to_text (tb_report_to_json (read));
      g_assert_true (g_str_equal (text, again));
      rendered_again = tb_report_to_text (read, 100);
      g_assert_true (g_str_equal (rendered, rendered_again));
    }
}

static void
test_contract (void)
{
  g_autoptr (TbReport) report = tb_report_new ("threads", "Threads", 10, 20);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_HIGH, "it waits", 5, 0.5);
  g_autofree char *text = NULL;

  tb_finding_set_range (finding, 11, 12);
  tb_finding_add_thread (finding, 3);
  tb_report_add_finding (report, finding);
  tb_report_set_uncertainty (report, 7, 8);
  tb_report_add_warning (report, "w");
  tb_report_add_warning (report, "w");
  text = json_to_text (tb_report_to_json (report));
  g_assert_cmpstr (
      text, ==,
      "{\"format\":\"tailback-report\",\"version\":1,\"analysis\":\"threads\",\"title\":\"Threads\","
      "\"headline\":null,\"range\":{\"from_ns\":10,\"to_ns\":20},\"options\":{},"
      "\"uncertain\":{\"lost_events\":7,\"lost_ns\":8,\"warnings\":[\"w\"]},\"summary\":{},"
      "\"findings\":[{\"severity\":\"high\",\"text\":\"it waits\",\"weight_ns\":5,\"share\":0.5,"
      "\"refs\":{\"from_ns\":11,\"to_ns\":12,\"threads\":[\"3\"],\"stack\":[],\"figure\":null,"
      "\"item\":null}}],\"figures\":[]}");
}

/* Places that were added come before the one that reports had before there were more. */
static void
test_places (void)
{
  g_autoptr (TbFinding) finding = tb_finding_new (TB_SEVERITY_LOW, "f", 1, NAN);
  g_autoptr (TbFinding) read = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;
  const char *item;

  tb_finding_set_place (finding, "table", "7");
  g_assert_cmpuint (tb_finding_get_n_places (finding), ==, 0);
  tb_finding_add_place (finding, "flame", "3");
  tb_finding_add_place (finding, "sums", "9");
  node = tb_finding_to_json (finding);
  read = tb_finding_from_json (node, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tb_finding_get_n_places (read), ==, 2);
  g_assert_cmpstr (tb_finding_get_place (read, 0, &item), ==, "flame");
  g_assert_cmpstr (item, ==, "3");
  g_assert_cmpstr (tb_finding_find_item (read, "sums"), ==, "9");
  g_assert_cmpstr (tb_finding_find_item (read, "table"), ==, "7");
  g_assert_null (tb_finding_find_item (read, "other"));
  g_assert_null (tb_finding_find_item (read, NULL));
}

static void
test_findings_are_sorted (void)
{
  g_autoptr (TbReport) report = tb_report_new ("a", "A", 0, 1);
  static const gint64 weights[] = { 5, TB_TIME_NONE, 9, 5, 7 };
  static const char *const expected[] = { "2", "4", "0", "3", "1" };

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      tb_report_add_finding (report, tb_finding_new (TB_SEVERITY_INFO, text, weights[i], NAN));
    }
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (tb_finding_get_text (tb_report_get_finding (report, i)), ==, expected[i]);
}

#define HEAD                                                                                                 \
  "{\"format\":\"tailback-report\",\"version\":1,\"analysis\":\"a\",\"title\":\"t\",\"range\":{\"from_ns\":" \
  "0,\"to_ns\":9},"
#define BODY "\"summary\":{},\"findings\":[],\"figures\":[]}"
#define FIGURE(data)                                                                                         \
  HEAD "\"summary\":{},\"findings\":[],\"figures\":[{\"id\":\"f\",\"title\":\"t\"," data "}]}"
#define TRACK(data)                                                                                          \
  FIGURE ("\"kind\":\"timeline\",\"from_ns\":0,\"to_ns\":9,\"paints\":[\"none\",\"running\"],\"arrows\":[]," \
          "\"lost\":[],"                                                                                     \
          "\"tracks\":[{\"id\":\"1\",\"name\":\"n\"," data "}]")
#define NODES(data)                                                                                          \
  FIGURE ("\"kind\":\"flame\",\"unit\":\"ns\",\"paints\":[\"user\"],\"strings\":[\"s\"],\"nodes\":{" data "}")

static void
test_refused (void)
{
  static const char *const hostile[] = {
    "[]",
    "null",
    "3",
    "{}",
    "{\"format\":7,\"version\":1}",
    "{\"format\":\"tailback-info\",\"version\":1}",
    "{\"format\":\"tailback-report\",\"version\":2}",
    "{\"format\":\"tailback-report\",\"version\":-1}",
    HEAD "\"summary\":[],\"findings\":[],\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":{},\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[1],\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"awful\",\"text\":\"\"}],\"figures\":[]}",
    HEAD
    "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"weight_ns\":\"x\"}],\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"refs\":{\"threads\":[\"x\"]}}],"
         "\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"refs\":{\"places\":[{\"figure\":"
         "\"f\"}]}}],"
         "\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"refs\":{\"places\":[3]}}],"
         "\"figures\":[]}",
    FIGURE ("\"kind\":\"cube\""),
    FIGURE ("\"kind\":\"timeline\""),
    FIGURE ("\"kind\":\"flame\""),
    FIGURE ("\"kind\":\"table\""),
    TRACK ("\"start_ns\":[1,2],\"end_ns\":[2],\"paint\":[1,1]"),
    TRACK ("\"start_ns\":[1,2],\"end_ns\":[3,4],\"paint\":[1,1]"),
    TRACK ("\"start_ns\":[2],\"end_ns\":[1],\"paint\":[1]"),
    TRACK ("\"start_ns\":[1],\"end_ns\":[2],\"paint\":[2]"),
    TRACK ("\"start_ns\":[1],\"end_ns\":[2],\"paint\":[-1]"),
    TRACK ("\"start_ns\":[1.5],\"end_ns\":[2],\"paint\":[1]"),
    TRACK ("\"start_ns\":[1],\"end_ns\":[9223372036854775807],\"paint\":[1]"),
    TRACK ("\"thread\":-1,\"start_ns\":[],\"end_ns\":[],\"paint\":[]"),
    FIGURE ("\"kind\":\"timeline\",\"from_ns\":0,\"to_ns\":9,\"paints\":[],\"tracks\":[],\"arrows\":[[0,0,0,"
            "0]],\"lost\":[]"),
    FIGURE ("\"kind\":\"timeline\",\"from_ns\":9,\"to_ns\":0,\"paints\":[],\"tracks\":[],\"arrows\":[],"
            "\"lost\":[]"),
    FIGURE ("\"kind\":\"timeline\",\"from_ns\":0,\"to_ns\":9,\"paints\":[],\"tracks\":[],\"arrows\":[],"
            "\"lost\":[{\"track\":0,\"from_ns\":0,\"to_ns\":1,\"count\":1}]"),
    NODES ("\"parent\":[0],\"name\":[0],\"module\":[0],\"paint\":[0],\"own\":[1],\"count\":[1]"),
    NODES ("\"parent\":[1,-1],\"name\":[0,0],\"module\":[0,0],\"paint\":[0,0],\"own\":[1,1],\"count\":[1,1]"),
    NODES ("\"parent\":[-1],\"name\":[1],\"module\":[0],\"paint\":[0],\"own\":[1],\"count\":[1]"),
    NODES ("\"parent\":[-1],\"name\":[0],\"module\":[0],\"paint\":[1],\"own\":[1],\"count\":[1]"),
    NODES ("\"parent\":[-1],\"name\":[0],\"module\":[0],\"paint\":[0],\"own\":[-1],\"count\":[1]"),
    FIGURE (
        "\"kind\":\"table\",\"columns\":[{\"id\":\"a\",\"title\":\"A\",\"type\":\"colour\"}],\"rows\":[]"),
    FIGURE ("\"kind\":\"table\",\"columns\":[{\"id\":\"a\",\"title\":\"A\",\"type\":\"count\"}],"
            "\"rows\":[{\"item\":\"\",\"cells\":[]}]"),
    FIGURE ("\"kind\":\"table\",\"columns\":[{\"id\":\"a\",\"title\":\"A\",\"type\":\"count\"}],"
            "\"rows\":[{\"item\":\"\",\"cells\":[\"x\"]}]"),
  };
  static const char *const fine[] = {
    HEAD BODY,
    TRACK ("\"start_ns\":[1,2],\"end_ns\":[2,4],\"paint\":[1,0]"),
    NODES ("\"parent\":[-1,0],\"name\":[0,0],\"module\":[0,0],\"paint\":[0,0],\"own\":[9223372036854775807,"
           "9223372036854775807],\"count\":[1,1]"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = json_from_string (hostile[i], &error);

      g_assert_no_error (error);
      if (tb_report_from_json (node, &error))
        g_error ("was not refused: %s", hostile[i]);
      g_assert_nonnull (error);
      g_assert_true (error->domain == TB_REPORT_ERROR);
      g_test_message ("%s", error->message);
    }
  for (guint i = 0; i < G_N_ELEMENTS (fine); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = json_from_string (fine[i], &error);
      g_autoptr (TbReport) report = NULL;

      g_assert_no_error (error);
      report = tb_report_from_json (node, &error);
      g_assert_no_error (error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/report/round-trip", test_round_trip);
  g_test_add_func ("/report/report/contract", test_contract);
  g_test_add_func ("/report/report/places", test_places);
  g_test_add_func ("/report/report/sorted", test_findings_are_sorted);
  g_test_add_func ("/report/report/refused", test_refused);
  return g_test_run ();
}
