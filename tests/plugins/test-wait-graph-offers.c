/* test-wait-graph-offers.c: what edges and vertices offer to be tried can be tried
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-graph-figure.h"
#include "report/tb-offer.h"
#include "wait-graph-fixture.h"

/* Every offer is an element that the option takes, and of which the analysis says what would come of it. */
static guint
try_offers (TbTrace *trace, TbReport *report, const char *figure, const char *item)
{
  g_autoptr (GPtrArray) offers = tb_report_list_offers (report, figure, item);

  for (guint i = 0; i < offers->len; i++)
    {
      const TbOffer *offer = g_ptr_array_index (offers, i);
      g_autofree char *text = tb_offer_fill (offer, offer->text, offer->standard);
      g_autofree char *label = tb_offer_fill (offer, offer->label, offer->standard);
      g_autoptr (TbReport) tried = wait_graph_analyze (trace, offer->option, text, NULL);
      const TbOutcome *outcome = tb_report_find_outcome (tried, offer->option, text);

      g_assert_null (strstr (label, "{}"));
      g_assert_nonnull (outcome);
      g_assert_cmpfloat (outcome->low, <=, outcome->after);
      g_assert_cmpfloat (outcome->high, >=, outcome->after);
      g_assert_nonnull (strstr (outcome->sentence, " instead of "));
      g_assert_nonnull (strstr (outcome->detail, text));
    }
  return offers->len;
}

static void
try_all (TbTrace *trace)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  TbGraphFigure *figure = TB_GRAPH_FIGURE (tb_report_find_figure (report, "wait-graph"));
  guint n_of_edges = 0;

  g_assert_cmpuint (try_offers (trace, report, "", ""), ==, 1); /* cpus */
  for (guint i = 0; i < tb_graph_figure_get_n_edges (figure); i++)
    n_of_edges += try_offers (trace, report, "wait-graph", tb_graph_figure_get_edge (figure, i)->id);
  g_assert_cmpuint (n_of_edges, >=, 2);
  for (guint i = 0; i < tb_graph_figure_get_n_vertices (figure); i++)
    try_offers (trace, report, "wait-graph", tb_graph_figure_get_vertex (figure, i)->id);
}

static void
test_figures (void)
{
  g_autoptr (TbTrace) one = wait_graph_open_file ("wait-graph-figure-1.csv");
  g_autoptr (TbTrace) three = wait_graph_open_file ("wait-graph-figure-3.csv");

  try_all (one);
  try_all (three);
}

/* What has no sense is refused where it is written, before anything is run. */
static void
test_checked (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", &error);
  g_auto (GStrv) set = NULL;

  g_assert_no_error (error);
  g_assert_true (
      tb_option_set_from_text (G_OBJECT (analysis), "what-if", "edge:A>B*0.5, cpus=2;cpus=4", &error));
  g_assert_no_error (error);
  g_assert_false (tb_option_set_from_text (G_OBJECT (analysis), "what-if", "cpus=2, edge:A", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "edge:A>B*FACTOR"));
  g_object_get (analysis, "what-if", &set, NULL);
  g_assert_cmpuint (g_strv_length (set), ==, 2);
  g_assert_cmpstr (set[1], ==, "cpus=2;cpus=4");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/offers/figures", test_figures);
  g_test_add_func ("/wait-graph/offers/checked", test_checked);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
