/* test-wait-page.c: from an edge of the wait graph to its row, its stacks and its occurrences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-graph-figure.h"
#include "session/tb-schema.h"
#include "shell-fixture.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  TbDocumentPage *page;
  TbGraphFigure *figure;
  guint edge;
} Fixture;

static gboolean
has_report (gpointer item)
{
  return tb_analysis_item_get_report (item) != NULL;
}

/* The edge with most occurrences in the graph of the sample recording. */
static void
fixture_init (Fixture *fixture)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbAnalysisItem *item;
  TbGraphOccurrences occurrences;
  gsize most = 0;

  fixture->window = shell_new_window ();
  fixture->document = shell_open (fixture->window, file);
  shell_activate (fixture->window, "show-analysis", g_variant_new_string ("wait-graph"));
  item = tb_document_find_analysis (fixture->document, "wait-graph");
  g_assert_nonnull (item);
  shell_wait (has_report, item, "no report");
  shell_wait_settled (fixture->document);
  fixture->figure
      = TB_GRAPH_FIGURE (tb_report_find_figure (tb_analysis_item_get_report (item), "wait-graph"));
  for (guint i = 0; i < tb_graph_figure_get_n_edges (fixture->figure); i++)
    {
      tb_graph_figure_get_occurrences (fixture->figure, i, &occurrences);
      if (occurrences.n > most)
        {
          most = occurrences.n;
          fixture->edge = i;
        }
    }
  g_assert_cmpuint (most, >, 0);
}

static void
select_edge (Fixture *fixture)
{
  tb_focus_select_item (tb_document_get_focus (fixture->document), "wait-graph",
                        tb_graph_figure_get_edge (fixture->figure, fixture->edge)->id, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
}

static GtkWidget *
get_pane (Fixture *fixture)
{
  return shell_find (GTK_WIDGET (fixture->window), "TbDetailsPane", NULL);
}

static void
test_graph (void)
{
  Fixture fixture;
  const TbGraphEdge *edge;
  g_autofree char *title = NULL;
  GtkWidget *view;

  fixture_init (&fixture);
  view = shell_find (GTK_WIDGET (fixture.window), "TbGraphView", NULL);
  g_assert_nonnull (view);
  edge = tb_graph_figure_get_edge (fixture.figure, fixture.edge);
  title = g_strdup_printf ("%s → %s", tb_graph_figure_get_vertex (fixture.figure, edge->from)->name,
                           tb_graph_figure_get_vertex (fixture.figure, edge->to)->name);
  g_assert_null (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  select_edge (&fixture);
  g_assert_nonnull (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  g_assert_nonnull (shell_find_text (get_pane (&fixture), title));
  g_assert_nonnull (shell_find_text (get_pane (&fixture), "Occurrences"));
  shell_picture (fixture.window, "wait-graph");
  shell_close_window (fixture.window);
}

/* The row of the table is the same thing. */
static void
test_table (void)
{
  Fixture fixture;
  g_autofree char *copy = NULL;
  GtkWidget *table;

  fixture_init (&fixture);
  select_edge (&fixture);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("edges"));
  table = shell_find (GTK_WIDGET (fixture.window), "TbTableView", NULL);
  g_assert_nonnull (table);
  copy = tb_table_view_copy (TB_TABLE_VIEW (table));
  g_assert_nonnull (
      strstr (copy, tb_graph_figure_get_vertex (fixture.figure,
                                                tb_graph_figure_get_edge (fixture.figure, fixture.edge)->from)
                        ->name));
  shell_picture (fixture.window, "wait-graph-edges");
  shell_close_window (fixture.window);
}

/* From one occurrence to the next; the edge stays selected. */
static void
test_occurrences (void)
{
  TbGraphOccurrences occurrences;
  Fixture fixture;
  TbFocus *focus;
  gint64 from, to;

  fixture_init (&fixture);
  focus = tb_document_get_focus (fixture.document);
  tb_graph_figure_get_occurrences (fixture.figure, fixture.edge, &occurrences);
  g_assert_cmpuint (occurrences.n, >, 1);
  g_assert_false (shell_is_enabled (fixture.window, "next-occurrence"));
  select_edge (&fixture);
  g_assert_true (shell_is_enabled (fixture.window, "next-occurrence"));
  for (gsize i = 0; i < 2; i++)
    {
      shell_activate (fixture.window, "next-occurrence", NULL);
      g_assert_true (tb_focus_get_time (focus, &from, &to));
      g_assert_cmpint (from, ==, occurrences.from[i]);
      g_assert_cmpint (to, ==, occurrences.to[i]);
      g_assert_cmpuint (tb_focus_get_thread (focus), ==, occurrences.thread[i]);
      g_assert_cmpstr (tb_focus_get_item (focus), ==,
                       tb_graph_figure_get_edge (fixture.figure, fixture.edge)->id);
    }
  shell_activate (fixture.window, "previous-occurrence", NULL);
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (from, ==, occurrences.from[0]);
  g_assert_nonnull (shell_find (get_pane (&fixture), "TbEdgeDetails", NULL));
  shell_picture (fixture.window, "wait-graph-occurrence");
  shell_close_window (fixture.window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/wait-page/graph", test_graph);
  g_test_add_func ("/wait-page/table", test_table);
  g_test_add_func ("/wait-page/occurrences", test_occurrences);
  return g_test_run ();
}
