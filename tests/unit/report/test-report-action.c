/* test-report-action.c: test of report actions of items, and of their outcomes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/tb-report-action.h"

static const TbReportAction factor = { .figure = "graph",
                                       .item = "a>b",
                                       .option = "what-if",
                                       .text = "edge:a>b*{}",
                                       .label = "waits × {} of what they were",
                                       .least = 0,
                                       .most = 10,
                                       .standard = .5,
                                       .digits = 2 };
static const TbReportAction plain = { .figure = "graph",
                                      .item = "a>b",
                                      .option = "what-if",
                                      .text = "lock:{}=free",
                                      .label = "no thread waits for {}" };
static const TbReportAction general = { .option = "what-if",
                                        .text = "cpus={}",
                                        .label = "{} cpus",
                                        .least = 1,
                                        .most = 4096,
                                        .standard = 4 };

static void
test_fill (void)
{
  static const struct
  {
    const TbReportAction *offer;
    double number;
    const char *text;
    const char *label;
  } cases[] = {
    { &factor, .5, "edge:a>b*0.50", "waits × 0.50 of what they were" },
    { &factor, -1, "edge:a>b*0.00", "waits × 0.00 of what they were" },
    { &factor, 1e9, "edge:a>b*10.00", "waits × 10.00 of what they were" },
    { &plain, 3, "lock:{}=free", "no thread waits for {}" },
    { &general, 3.4, "cpus=3", "3 cpus" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text
          = tb_report_action_insert_number (cases[i].offer, cases[i].offer->text, cases[i].number);
      g_autofree char *label
          = tb_report_action_insert_number (cases[i].offer, cases[i].offer->label, cases[i].number);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_cmpstr (label, ==, cases[i].label);
    }
}

static void
test_list (void)
{
  g_autoptr (TbReport) report = tb_report_new ("test", "Test", 0, 1);
  g_autoptr (GPtrArray) none = tb_report_list_actions (report, "graph", "a>b");
  g_autoptr (GPtrArray) of_edge = NULL;
  g_autoptr (GPtrArray) of_all = NULL;
  g_autoptr (GPtrArray) of_other = NULL;
  g_autofree char *name = NULL;

  g_assert_cmpuint (none->len, ==, 0);
  tb_report_add_action (report, &factor);
  tb_report_add_action (report, &general);
  tb_report_add_action (report, &plain);
  of_edge = tb_report_list_actions (report, "graph", "a>b");
  of_all = tb_report_list_actions (report, "", "");
  of_other = tb_report_list_actions (report, "table", "a>b");
  g_assert_cmpuint (of_edge->len, ==, 2);
  g_assert_cmpstr (((const TbReportAction *) g_ptr_array_index (of_edge, 0))->text, ==,
                   "edge:a>b*{}");
  g_assert_true (((const TbReportAction *) g_ptr_array_index (of_edge, 0))->text != factor.text);
  g_assert_true (tb_report_action_has_number (g_ptr_array_index (of_edge, 0)));
  g_assert_false (tb_report_action_has_number (g_ptr_array_index (of_edge, 1)));
  g_assert_cmpuint (of_all->len, ==, 1);
  g_assert_cmpuint (of_other->len, ==, 0);
  name = tb_report_action_describe (g_ptr_array_index (of_all, 0));
  g_assert_cmpstr (name, ==, "… cpus");
}

static void
test_outcomes (void)
{
  g_autoptr (TbReport) report = tb_report_new ("test", "Test", 0, 1);
  TbScenarioOutcome outcome
      = { .option = "what-if", .text = "cpus=4", .sentence = "as fast", .before = 2, .after = 1 };
  const TbScenarioOutcome *found;

  g_assert_null (tb_report_find_outcome (report, "what-if", "cpus=4"));
  tb_report_add_outcome (report, &outcome);
  found = tb_report_find_outcome (report, "what-if", "cpus=4");
  g_assert_nonnull (found);
  g_assert_cmpstr (found->sentence, ==, "as fast");
  g_assert_cmpstr (found->detail, ==, "");
  g_assert_cmpfloat (found->before, ==, 2);
  g_assert_null (tb_report_find_outcome (report, "what-if", "cpus=5"));
  g_assert_null (tb_report_find_outcome (report, "other", "cpus=4"));
}

/* A saved report has the same actions, and the same outcomes of those that were run. */
static void
test_json (void)
{
  const TbScenarioOutcome outcome = { .option = "what-if",
                                      .text = "cpus=4",
                                      .sentence = "1 s instead of 2 s",
                                      .detail = "much",
                                      .before = 2,
                                      .after = 1,
                                      .low = .5,
                                      .high = 1.5,
                                      .more_is_better = TRUE };
  g_autoptr (TbReport) report = tb_report_new ("test", "Test", 0, 1);
  g_autoptr (TbReport) read = NULL;
  g_autoptr (JsonNode) before = tb_report_to_json (report);
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) again = NULL;
  g_autoptr (GPtrArray) of_edge = NULL;
  g_autoptr (GError) error = NULL;
  const TbScenarioOutcome *found;

  g_assert_false (json_object_has_member (json_node_get_object (before), "offers"));
  tb_report_add_action (report, &factor);
  tb_report_add_action (report, &plain);
  tb_report_add_action (report, &general);
  tb_report_add_outcome (report, &outcome);
  node = tb_report_to_json (report);
  read = tb_report_from_json (node, &error);
  g_assert_no_error (error);
  again = tb_report_to_json (read);
  g_assert_true (json_node_equal (node, again));
  of_edge = tb_report_list_actions (read, "graph", "a>b");
  g_assert_cmpuint (of_edge->len, ==, 2);
  g_assert_true (tb_report_action_has_number (g_ptr_array_index (of_edge, 0)));
  g_assert_false (tb_report_action_has_number (g_ptr_array_index (of_edge, 1)));
  found = tb_report_find_outcome (read, "what-if", "cpus=4");
  g_assert_nonnull (found);
  g_assert_cmpstr (found->sentence, ==, outcome.sentence);
  g_assert_cmpfloat (found->high, ==, 1.5);
  g_assert_true (found->more_is_better);
}

/* A report may come from an untrusted source. */
static void
test_wrong_json (void)
{
  static const char *const wrong[] = {
    "\"offers\": 3",
    "\"offers\": [3]",
    "\"offers\": [{}]",
    "\"offers\": [{\"kind\": \"burn\", \"figure\": \"\", \"item\": \"\", \"option\": \"\", "
    "\"text\": \"\", "
    "\"label\": \"\"}]",
    "\"offers\": [{\"kind\": \"try\", \"figure\": 1, \"item\": \"\", \"option\": \"\", \"text\": "
    "\"\", "
    "\"label\": \"\"}]",
    "\"offers\": [{\"kind\": \"try\", \"figure\": \"\", \"item\": \"\", \"option\": \"\", "
    "\"text\": \"\", "
    "\"label\": \"\", \"digits\": 10}]",
    "\"outcomes\": {}",
    "\"outcomes\": [{\"option\": \"o\", \"text\": \"t\", \"sentence\": \"s\"}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "{\"format\": \"tailback-report\", \"version\": 1, \"analysis\": \"a\", "
          "\"title\": \"t\", \"range\": {\"from_ns\": 0, \"to_ns\": 1}, \"summary\": {}, "
          "\"findings\": [], \"figures\": [], %s}",
          wrong[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = json_from_string (text, &error);
      g_autoptr (TbReport) report = NULL;

      g_assert_no_error (error);
      report = tb_report_from_json (node, &error);
      g_assert_null (report);
      g_assert_nonnull (error);
      g_assert_cmpuint (error->domain, ==, TB_REPORT_ERROR);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/offer/fill", test_fill);
  g_test_add_func ("/offer/list", test_list);
  g_test_add_func ("/offer/outcomes", test_outcomes);
  g_test_add_func ("/offer/json", test_json);
  g_test_add_func ("/offer/wrong-json", test_wrong_json);
  return g_test_run ();
}
