/* test-report.c: test of reports, of their JSON, and of JSON that is rejected
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

  tb_finding_set_code (finding, "disk-wait");
  tb_finding_set_time (finding, "wait_ns", 5);
  tb_finding_set_string (finding, "thread", "cp");
  tb_finding_set_range (finding, 11, 12);
  tb_finding_add_thread (finding, 3);
  tb_report_add_finding (report, finding);
  tb_report_set_uncertainty (report, 7, 8);
  tb_report_add_warning (report, "w");
  tb_report_add_warning (report, "w");
  text = json_to_text (tb_report_to_json (report));
  g_assert_cmpstr (
      text, ==,
      "{\"format\":\"tailback-report\",\"version\":1,\"analysis\":\"threads\",\"title\":"
      "\"Threads\","
      "\"headline\":null,\"range\":{\"from_ns\":10,\"to_ns\":20},\"options\":{},"
      "\"uncertain\":{\"lost_events\":7,\"lost_ns\":8,\"warnings\":[\"w\"],\"remarks\":[]},"
      "\"summary\":{},"
      "\"findings\":[{\"code\":\"disk-wait\",\"severity\":\"high\",\"text\":\"it waits\","
      "\"values\":{\"wait_ns\":5,\"thread\":\"cp\"},\"weight_ns\":5,\"share\":0.5,"
      "\"refs\":{\"from_ns\":11,\"to_ns\":12,\"threads\":[\"3\"],\"stack\":[],\"figure\":null,"
      "\"item\":null}}],\"figures\":[]}");
}

/* --- codes and values --- */

static TbFinding *
make_coded_finding (void)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_LOW, "f", 1, NAN);

  tb_finding_set_code (finding, "lock-contention");
  tb_finding_set_time (finding, "wait_ns", G_MAXINT64);
  tb_finding_set_integer (finding, "delta_ns", -1);
  tb_finding_set_time (finding, "unknown_ns", TB_TIME_NONE);
  tb_finding_set_integer (finding, "count", -1);
  tb_finding_set_number (finding, "share", 1. / 3);
  tb_finding_set_number (finding, "unknown_share", NAN);
  tb_finding_set_number (finding, "factor", INFINITY);
  tb_finding_set_string (finding, "lock", "heap \"0x55\"\n→");
  tb_finding_set_string (finding, "process", NULL);
  tb_finding_set_strings (finding, "waiters", (const char *const[]) { "worker", "", "main", NULL });
  tb_finding_set_strings (finding, "holders", (const char *const[]) { NULL });
  return finding;
}

static void
assert_values (TbFinding *finding)
{
  JsonObject *values = tb_finding_get_values (finding);
  JsonArray *waiters = json_object_get_array_member (values, "waiters");

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "lock-contention");
  g_assert_cmpuint (json_object_get_size (values), ==, 11);
  g_assert_cmpint (json_object_get_int_member (values, "wait_ns"), ==, G_MAXINT64);
  g_assert_cmpint (json_object_get_int_member (values, "delta_ns"), ==, -1);
  g_assert_true (json_object_get_null_member (values, "unknown_ns"));
  /* Only times can be unknown, not differences and counts. */
  g_assert_cmpint (json_object_get_int_member (values, "count"), ==, -1);
  g_assert_cmpfloat (json_object_get_double_member (values, "share"), ==, 1. / 3);
  g_assert_true (json_object_get_null_member (values, "unknown_share"));
  g_assert_true (json_object_get_null_member (values, "factor"));
  g_assert_cmpstr (json_object_get_string_member (values, "lock"), ==, "heap \"0x55\"\n→");
  g_assert_true (json_object_get_null_member (values, "process"));
  g_assert_cmpuint (json_array_get_length (waiters), ==, 3);
  g_assert_cmpstr (json_array_get_string_element (waiters, 1), ==, "");
  g_assert_cmpstr (json_array_get_string_element (waiters, 2), ==, "main");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (values, "holders")), ==,
                    0);
}

static void
test_values (void)
{
  g_autoptr (TbFinding) finding = make_coded_finding ();
  g_autoptr (TbFinding) plain = tb_finding_new (TB_SEVERITY_LOW, "f", 1, NAN);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = json_to_text (tb_finding_to_json (finding));
  g_autoptr (JsonNode) node = json_from_string (text, &error);
  g_autoptr (TbFinding) read = NULL;
  g_autofree char *again = NULL;

  g_assert_null (tb_finding_get_code (plain));
  g_assert_cmpuint (json_object_get_size (tb_finding_get_values (plain)), ==, 0);
  assert_values (finding);
  g_assert_no_error (error);
  read = tb_finding_from_json (node, &error);
  g_assert_no_error (error);
  assert_values (read);
  again = json_to_text (tb_finding_to_json (read));
  g_assert_cmpstr (again, ==, text);
  /* The last value set replaces earlier ones. */
  tb_finding_set_code (finding, "disk-wait");
  tb_finding_set_number (finding, "wait_ns", 0.5);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "disk-wait");
  g_assert_cmpfloat (json_object_get_double_member (tb_finding_get_values (finding), "wait_ns"), ==,
                     0.5);
}

/* Reports saved before findings had codes and values. */
static void
test_values_of_old_reports (void)
{
  static const char *const old[] = {
    "{\"severity\":\"low\",\"text\":\"f\",\"weight_ns\":1,\"share\":null}",
    "{\"severity\":\"low\",\"text\":\"f\",\"code\":null,\"values\":{}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (old); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = json_from_string (old[i], &error);
      g_autoptr (TbFinding) finding = NULL;

      g_assert_no_error (error);
      finding = tb_finding_from_json (node, &error);
      g_assert_no_error (error);
      g_assert_null (tb_finding_get_code (finding));
      g_assert_cmpuint (json_object_get_size (tb_finding_get_values (finding)), ==, 0);
    }
}

/* A setter must reject what the parser would reject. */
static void
test_refused_values (void)
{
  static const char *const names[]
      = { "", "Code", "a b", "-a", "a-", "a--b", "1a", "é", "a.b", "a\n" };
  g_autofree char *too_long = g_strnfill (65, 'a');

  for (guint i = 0; i <= G_N_ELEMENTS (names); i++)
    {
      g_autoptr (TbFinding) finding = tb_finding_new (TB_SEVERITY_LOW, "f", 1, NAN);
      g_autofree char *code = g_strdup (i < G_N_ELEMENTS (names) ? names[i] : too_long);
      g_autofree char *value = g_strdelimit (g_strdup (code), "-", '_');

      g_test_expect_message ("tailback", G_LOG_LEVEL_CRITICAL, "*tb_finding_code_is_valid*");
      tb_finding_set_code (finding, code);
      g_test_assert_expected_messages ();
      g_assert_null (tb_finding_get_code (finding));
      for (guint setter = 0; setter < 4; setter++)
        {
          g_test_expect_message ("tailback", G_LOG_LEVEL_CRITICAL,
                                 "*tb_finding_value_name_is_valid*");
          if (setter == 0)
            tb_finding_set_integer (finding, value, 1);
          else if (setter == 1)
            tb_finding_set_number (finding, value, 1);
          else if (setter == 2)
            tb_finding_set_string (finding, value, "x");
          else
            tb_finding_set_strings (finding, value, (const char *const[]) { "x", NULL });
          g_test_assert_expected_messages ();
        }
      g_assert_cmpuint (json_object_get_size (tb_finding_get_values (finding)), ==, 0);
    }
}

/* begin, then "a0", "a1" and so on, each followed by `after`, then end. */
static char *
repeat (const char *begin, guint n, const char *after, const char *end)
{
  GString *text = g_string_new (begin);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s\"a%u\"%s", i > 0 ? "," : "", i, after);
  g_string_append (text, end);
  return g_string_free (text, FALSE);
}

/* rest: members of a finding. */
static gboolean
is_read (const char *rest)
{
  g_autofree char *text = g_strdup_printf ("{\"severity\":\"low\",\"text\":\"f\",%s}", rest);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = json_from_string (text, &error);
  g_autoptr (TbFinding) finding = NULL;

  g_assert_no_error (error);
  finding = tb_finding_from_json (node, &error);
  g_assert_true ((finding == NULL) == (error != NULL));
  if (finding == NULL)
    {
      g_assert_true (error->domain == TB_REPORT_ERROR);
      g_test_message ("%s", error->message);
    }
  return finding != NULL;
}

static void
test_hostile_values (void)
{
  static const char *const hostile[] = {
    "\"code\":3",
    "\"code\":\"\"",
    "\"code\":\"Lock\"",
    "\"code\":\"a b\"",
    "\"code\":\"a--b\"",
    "\"code\":\"a-\"",
    "\"code\":[]",
    "\"values\":null",
    "\"values\":[]",
    "\"values\":\"x\"",
    "\"values\":{\"\":1}",
    "\"values\":{\"A\":1}",
    "\"values\":{\"a-b\":1}",
    "\"values\":{\"a__b\":1}",
    "\"values\":{\"a\":true}",
    "\"values\":{\"a\":{}}",
    "\"values\":{\"a\":[1]}",
    "\"values\":{\"a\":[null]}",
    "\"values\":{\"a\":[[\"x\"]]}",
  };
  g_autofree char *most = repeat ("\"values\":{", 100, ":1", "}");
  g_autofree char *too_many = repeat ("\"values\":{", 101, ":1", "}");
  g_autofree char *longest = repeat ("\"values\":{\"a\":[", 1000, "", "]}");
  g_autofree char *too_long = repeat ("\"values\":{\"a\":[", 1001, "", "]}");

  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    if (is_read (hostile[i]))
      g_error ("was not refused: %s", hostile[i]);
  g_assert_true (is_read (most));
  g_assert_false (is_read (too_many));
  g_assert_true (is_read (longest));
  g_assert_false (is_read (too_long));
  g_assert_true (is_read ("\"values\":{\"a\":null,\"b\":0.5,\"c\":\"x\",\"d\":[],\"e\":1}"));
}

/* Places added by name precede the single place that older reports had. */
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

#define HEAD                                                                                       \
  "{\"format\":\"tailback-report\",\"version\":1,\"analysis\":\"a\",\"title\":\"t\",\"range\":{"   \
  "\"from_ns\":"                                                                                   \
  "0,\"to_ns\":9},"
#define BODY "\"summary\":{},\"findings\":[],\"figures\":[]}"
#define FIGURE(data)                                                                               \
  HEAD "\"summary\":{},\"findings\":[],\"figures\":[{\"id\":\"f\",\"title\":\"t\"," data "}]}"
#define TRACK(data)                                                                                \
  FIGURE ("\"kind\":\"timeline\",\"from_ns\":0,\"to_ns\":9,\"paints\":[\"none\",\"running\"],"     \
          "\"arrows\":[],"                                                                         \
          "\"lost\":[],"                                                                           \
          "\"tracks\":[{\"id\":\"1\",\"name\":\"n\"," data "}]")
#define NODES(data)                                                                                \
  FIGURE ("\"kind\":\"flame\",\"unit\":\"ns\",\"paints\":[\"user\"],\"strings\":[\"s\"],"          \
          "\"nodes\":{" data "}")

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
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"weight_ns\":\"x\"}],"
         "\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"refs\":{\"threads\":["
         "\"x\"]}}],"
         "\"figures\":[]}",
    HEAD "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"refs\":{\"places\":[{"
         "\"figure\":"
         "\"f\"}]}}],"
         "\"figures\":[]}",
    HEAD
    "\"summary\":{},\"findings\":[{\"severity\":\"low\",\"text\":\"\",\"refs\":{\"places\":[3]}}],"
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
    FIGURE ("\"kind\":\"timeline\",\"from_ns\":0,\"to_ns\":9,\"paints\":[],\"tracks\":[],"
            "\"arrows\":[[0,0,0,"
            "0]],\"lost\":[]"),
    FIGURE (
        "\"kind\":\"timeline\",\"from_ns\":9,\"to_ns\":0,\"paints\":[],\"tracks\":[],\"arrows\":[],"
        "\"lost\":[]"),
    FIGURE (
        "\"kind\":\"timeline\",\"from_ns\":0,\"to_ns\":9,\"paints\":[],\"tracks\":[],\"arrows\":[],"
        "\"lost\":[{\"track\":0,\"from_ns\":0,\"to_ns\":1,\"count\":1}]"),
    NODES ("\"parent\":[0],\"name\":[0],\"module\":[0],\"paint\":[0],\"own\":[1],\"count\":[1]"),
    NODES ("\"parent\":[1,-1],\"name\":[0,0],\"module\":[0,0],\"paint\":[0,0],\"own\":[1,1],"
           "\"count\":[1,1]"),
    NODES ("\"parent\":[-1],\"name\":[1],\"module\":[0],\"paint\":[0],\"own\":[1],\"count\":[1]"),
    NODES ("\"parent\":[-1],\"name\":[0],\"module\":[0],\"paint\":[1],\"own\":[1],\"count\":[1]"),
    NODES ("\"parent\":[-1],\"name\":[0],\"module\":[0],\"paint\":[0],\"own\":[-1],\"count\":[1]"),
    FIGURE ("\"kind\":\"table\",\"columns\":[{\"id\":\"a\",\"title\":\"A\",\"type\":\"colour\"}],"
            "\"rows\":[]"),
    FIGURE ("\"kind\":\"table\",\"columns\":[{\"id\":\"a\",\"title\":\"A\",\"type\":\"count\"}],"
            "\"rows\":[{\"item\":\"\",\"cells\":[]}]"),
    FIGURE ("\"kind\":\"table\",\"columns\":[{\"id\":\"a\",\"title\":\"A\",\"type\":\"count\"}],"
            "\"rows\":[{\"item\":\"\",\"cells\":[\"x\"]}]"),
  };
  static const char *const fine[] = {
    HEAD BODY,
    TRACK ("\"start_ns\":[1,2],\"end_ns\":[2,4],\"paint\":[1,0]"),
    NODES ("\"parent\":[-1,0],\"name\":[0,0],\"module\":[0,0],\"paint\":[0,0],\"own\":["
           "9223372036854775807,"
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

/* --- a summary that is made when it is needed --- */

typedef struct
{
  guint n_made;
  guint n_freed;
} Made;

static JsonNode *
make_summary (gpointer data)
{
  Made *made = data;
  g_autoptr (JsonObject) object = json_object_new ();

  g_assert_false (g_cancellable_is_cancelled (g_cancellable_get_current ()));
  made->n_made++;
  json_object_set_int_member (object, "waits", 3);
  return json_node_init_object (json_node_alloc (), object);
}

static void
free_made (gpointer data)
{
  ((Made *) data)->n_freed++;
}

static void
test_late_summary (void)
{
  g_autoptr (TbReport) report = tb_report_new ("a", "t", 0, 1);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;
  Made made = { 0 }, unused = { 0 };

  tb_report_set_summary_func (report, make_summary, &unused, free_made);
  tb_report_set_summary_func (report, make_summary, &made, free_made);
  g_assert_cmpuint (unused.n_made, ==, 0);
  g_assert_cmpuint (unused.n_freed, ==, 1);
  text = tb_report_to_text (report, 0);
  g_assert_cmpuint (made.n_made, ==, 0);
  g_cancellable_cancel (cancelled);
  g_cancellable_push_current (cancelled);
  node = tb_report_to_json (report);
  g_cancellable_pop_current (cancelled);
  g_assert_cmpint (json_object_get_int_member (
                       json_object_get_object_member (json_node_get_object (node), "summary"),
                       "waits"),
                   ==, 3);
  g_assert_cmpint (
      json_object_get_int_member (json_node_get_object (tb_report_get_summary (report)), "waits"),
      ==, 3);
  g_assert_cmpuint (made.n_made, ==, 1);
  g_assert_cmpuint (made.n_freed, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/report/round-trip", test_round_trip);
  g_test_add_func ("/report/report/contract", test_contract);
  g_test_add_func ("/report/report/values", test_values);
  g_test_add_func ("/report/report/values/old", test_values_of_old_reports);
  g_test_add_func ("/report/report/values/refused", test_refused_values);
  g_test_add_func ("/report/report/values/hostile", test_hostile_values);
  g_test_add_func ("/report/report/places", test_places);
  g_test_add_func ("/report/report/sorted", test_findings_are_sorted);
  g_test_add_func ("/report/report/refused", test_refused);
  g_test_add_func ("/report/report/late-summary", test_late_summary);
  return g_test_run ();
}
