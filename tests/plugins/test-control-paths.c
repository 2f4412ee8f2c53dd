/* test-control-paths.c: the rules of the analysis "control-paths", each on a recording small enough to reckon by hand
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

static TbReport *
explain (TbTrace *trace, const char *process)
{
  g_autoptr (GError) error = NULL;
  TbReport *report = control_paths_try (trace, NULL, &error, "process", process, NULL);

  g_assert_no_error (error);
  return report;
}

/* The two of the shared fixture: front hands orders to back. */
static void
test_pipes (void)
{
  g_autoptr (TbTrace) trace = control_paths_open ("pipes.csv", NULL);
  g_autoptr (TbReport) report = explain (trace, "front");
  JsonObject *summary = control_paths_get_summary (report);
  JsonObject *back = control_paths_find_contributor (summary, "back");
  g_autofree char *chain = control_paths_join (back, "called_through");

  g_assert_cmpint (json_object_get_int_member (summary, "wall_ns"), ==, 10000000);
  /* What follows no sleep, or comes before none, has no two neighbours to tell its functions from. back worked beside front from 4.1 to 4.5, from 6.05 to 6.5 and from 9.2 to the end. */
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, 11650000);
  control_paths_assert_categories (summary, "understood_functions", 4500000, "not_sampled", 3950000 + 800000,
                                   "inferred_functions", 1550000 + 850000, NULL);
  g_assert_cmpint (json_object_get_int_member (back, "running_ns"), ==, 1550000 + 850000 + 800000);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (back, "share"), 0.155, 1e-9);
  g_assert_cmpstr (chain, ==, "front back");
  g_assert_true (control_paths_has_finding (report, "back (pid 20) running"));
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  control_paths_fixture_init ();
  g_test_add_func ("/control-paths/pipes", test_pipes);
  result = g_test_run ();
  control_paths_fixture_clear ();
  return result;
}
