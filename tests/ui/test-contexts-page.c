/* test-contexts-page.c: from a cell of the heat map of calling contexts to the calls it stands for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-figure.h"
#include "session/tb-schema.h"
#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define ROUNDS 12

/* A program that parses and looks up in turn; what it looks up takes longer each time. */
static GFile *
write_calls (const char *name, int slower)
{
  GString *text
      = g_string_new ("time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
                      "1000000,0,name,,,,,,,11,,,app,\n1000000,0,switch,0,R,11,,,,,,,,\n");
  g_autoptr (GError) error = NULL;
  GFile *file = shell_temporary (name);
  gint64 time = 1000000;

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT
                              ",0,sample,,,,,,,11,,,,main@app;serve@app;parse@libparse.so;"
                              "copy@libc.so.6\n",
                              time);
      time += 300000;
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT
                              ",0,sample,,,,,,,11,,,,main@app;serve@app;lookup@libindex.so;"
                              "strcmp@libc.so.6\n",
                              time);
      time += 100000 * (gint64) (i + 1) * slower;
      g_string_append_printf (text,
                              "%" G_GINT64_FORMAT
                              ",0,sample,,,,,,,11,,,,main@app;serve@app;lookup@libindex.so;"
                              "strcmp@libc.so.6\n",
                              time);
      time += 1000;
      g_string_append_printf (text, "%" G_GINT64_FORMAT ",0,sample,,,,,,,11,,,,main@app;serve@app\n", time);
      time += 50000;
    }
  g_string_append_printf (text, "%" G_GINT64_FORMAT ",0,switch,11,S,0,,,,,,,,\n", time);
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  g_string_free (text, TRUE);
  return file;
}

static gboolean
has_report (gpointer item)
{
  return tb_analysis_item_get_report (item) != NULL;
}

static TbReport *
show_contexts (TbWindow *window, TbDocument *document, const char *figure)
{
  TbAnalysisItem *item = tb_document_find_analysis (document, "calling-contexts");

  g_assert_nonnull (item);
  shell_activate (window, "show-analysis", g_variant_new_string ("calling-contexts"));
  shell_wait (has_report, item, "the report");
  shell_wait_settled (document);
  shell_activate (window, "show-figure", g_variant_new_string (figure));
  return tb_analysis_item_get_report (item);
}

/* The hottest cell, by the keyboard; then one call after the other. */
static void
test_cell (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_calls ("calls.csv", 1);
  TbDocument *document = shell_open (window, file);
  TbReport *report = show_contexts (window, document, "heat");
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  TbFocus *focus = tb_document_get_focus (document);
  GtkWidget *canvas = shell_find (GTK_WIDGET (window), "TbHeatmapCanvas", NULL);
  TbGraphOccurrences calls;
  gint64 from, to, view_from, view_to;
  guint edge;

  g_assert_nonnull (canvas);
  g_assert_false (shell_is_enabled (window, "next-occurrence"));
  g_assert_true (gtk_widget_grab_focus (canvas));
  ui_key (GTK_WIDGET (window), "Down");
  g_assert_cmpstr (tb_focus_get_figure (focus), ==, "tree");
  edge = tb_graph_figure_find_edge (tree, tb_focus_get_item (focus));
  g_assert_cmpuint (edge, !=, TB_ID_NONE);
  g_assert_cmpstr (tb_graph_figure_get_vertex (tree, tb_graph_figure_get_edge (tree, edge)->to)->name, ==,
                   "strcmp");
  g_assert_nonnull (shell_find_text (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), "Occurrences"));
  shell_picture (window, "contexts-heat");

  tb_graph_figure_get_occurrences (tree, edge, &calls);
  g_assert_cmpuint (calls.n, ==, ROUNDS);
  for (guint i = 0; i < 3; i++)
    {
      ui_key (GTK_WIDGET (window), "period");
      g_assert_true (tb_focus_get_time (focus, &from, &to));
      g_assert_cmpint (from, ==, calls.from[i]);
      g_assert_cmpint (to, ==, calls.to[i]);
      g_assert_cmpuint (tb_focus_get_thread (focus), ==, calls.thread[i]);
    }
  /* The timeline has it, too. */
  shell_activate (window, "show-analysis", g_variant_new_string ("threads"));
  shell_wait_settled (document);
  tb_focus_get_view (focus, &view_from, &view_to);
  g_assert_cmpint (view_from, <=, from);
  g_assert_cmpint (view_to, >=, to);
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  shell_picture (window, "contexts-call");
  shell_close_window (window);
}

/* The row of a frame means the same calls. */
static void
test_row (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_calls ("calls.csv", 1);
  TbDocument *document = shell_open (window, file);
  GtkWidget *table;

  show_contexts (window, document, "frames");
  table = shell_find (GTK_WIDGET (window), "TbTableView", NULL);
  g_assert_nonnull (table);
  tb_focus_select_item (tb_document_get_focus (document), "tree", "1/2", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  g_assert_true (shell_is_enabled (window, "next-occurrence"));
  shell_activate (window, "show-figure", g_variant_new_string ("tree"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbGraphView", NULL));
  shell_picture (window, "contexts-tree");
  shell_close_window (window);
}

static void
look_at_comparison (const char *style)
{
  static const char *const figures[] = { "tree", "heat", "contexts", "paths" };
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) base = write_calls ("before.csv", 1);
  g_autoptr (GFile) other = write_calls ("after.csv", 4);
  TbWindow *window;
  TbDocument *document;

  g_settings_set_string (settings, "style", style);
  window = shell_new_window ();
  document = tb_document_page_get_document (tb_window_compare (window, base, other, TRUE));
  shell_wait_settled (document);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      g_autofree char *name = g_strdup_printf ("contexts-compared-%s-%s", figures[i], style);
      TbReport *report = show_contexts (window, document, figures[i]);

      g_assert_nonnull (tb_report_find_figure (report, figures[i]));
      shell_picture (window, name);
    }
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "strcmp called from lookup costs"));
  shell_close_window (window);
  g_settings_set_string (settings, "style", "light");
}

static void
test_comparison (void)
{
  look_at_comparison ("light");
  look_at_comparison ("dark");
}

#define LONG_NAME                                                                                            \
  "std::map<std::string, std::vector<std::pair<unsigned int, std::shared_ptr<Connection>>>>::"               \
  "insert_or_assign_of_all_that_came_in_since_the_last_time"

/* Of a name that is too long both ends are to be read in its row, all of it beside. */
static void
test_long_name (void)
{
  TbWindow *window = shell_new_window ();
  GFile *file = shell_temporary ("long.csv");
  static const char text[]
      = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
        "1000000,0,name,,,,,,,11,,,app,\n1000000,0,switch,0,R,11,,,,,,,,\n"
        "1100000,0,sample,,,,,,,11,,,,\"main@app;" LONG_NAME "@libconnection.so\"\n"
        "1900000,0,sample,,,,,,,11,,,,main@app\n2000000,0,switch,11,S,0,,,,,,,,\n";
  g_autoptr (GError) error = NULL;
  TbDocument *document;
  GtkWidget *table, *label;

  g_file_replace_contents (file, text, sizeof text - 1, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  document = shell_open (window, file);
  show_contexts (window, document, "paths");
  table = shell_find (GTK_WIDGET (window), "TbTableView", NULL);
  label = shell_find (table, "GtkLabel", LONG_NAME "@libconnection.so");
  g_assert_nonnull (label);
  g_assert_true (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (label)), ==, PANGO_ELLIPSIZE_MIDDLE);
  shell_picture (window, "contexts-long-name");
  tb_focus_select_item (tb_document_get_focus (document), "paths", "1", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  g_assert_nonnull (shell_find_text (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), LONG_NAME));
  shell_picture (window, "contexts-long-name-details");
  shell_close_window (window);
  g_object_unref (file);
}

/* What is looked up waits for another thread. */
static GFile *
write_waits (void)
{
  GString *text
      = g_string_new ("time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
                      "1000000,0,name,,,,,,,11,,,app,\n1000000,0,name,,,,,,,12,,,index,\n"
                      "1000000,0,switch,0,R,11,,,,,,,,\n");
  g_autoptr (GError) error = NULL;
  GFile *file = shell_temporary ("waits.csv");
  gint64 time = 1000000;

  for (guint i = 0; i < ROUNDS; i++)
    {
      static const char line[] = "%" G_GINT64_FORMAT ",0,%s\n";

      g_string_append_printf (text, line, time += 100000, "sample,,,,,,,11,,,,main@app;parse@app");
      g_string_append_printf (text, line, time += 100000, "wakeup,,,,11,12,,,,,,main@app;lookup@app");
      g_string_append_printf (text, line, time += 1000, "switch,11,S,12,,,,,,,,main@app;lookup@app");
      g_string_append_printf (text, line, time += 2000000 + 1000 * i,
                              "wakeup,,,,12,11,,,,,,main@app;serve@app");
      g_string_append_printf (text, line, time += 1000, "switch,12,S,11,,,,,,,,main@app;serve@app");
      g_string_append_printf (text, line, time += 1000, "sample,,,,,,,11,,,,main@app;lookup@app");
    }
  g_string_append_printf (text, "%" G_GINT64_FORMAT ",0,switch,11,S,0,,,,,,,,\n", time);
  g_file_replace_contents (file, text->str, text->len, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  g_string_free (text, TRUE);
  return file;
}

static gboolean
has_lead (gpointer window)
{
  return shell_find_text (window, "mostly waiting") != NULL;
}

typedef struct
{
  TbDocument *document;
  const char *figure;
} Selected;

static gboolean
is_selected (gpointer data)
{
  const Selected *selected = data;
  TbSelectedEdge edge;

  return tb_document_get_edge (selected->document, &edge)
         && g_str_equal (tb_figure_get_id (TB_FIGURE (edge.figure)), selected->figure);
}

/* From "mostly waiting" to whom it waits for: by the keyboard, before the other analysis was ever looked at and behind it. */
static void
test_follow (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = write_waits ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  Selected selected = { document, "wait-graph" };

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *row, *button;
      TbSelectedEdge edge;
      const TbGraphEdge *found;
      gint64 from, to;

      show_contexts (window, document, "paths");
      shell_wait (has_lead, window, "the finding");
      row = gtk_widget_get_ancestor (shell_find_text (GTK_WIDGET (window), "mostly waiting"),
                                     GTK_TYPE_LIST_BOX_ROW);
      button = shell_find (row, "GtkButton", NULL);
      g_assert_true (gtk_widget_get_visible (button));
      gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Show in Wait Graph");
      if (i == 0)
        shell_picture (window, "contexts-waits");
      g_assert_true (gtk_widget_grab_focus (button));
      ui_key (GTK_WIDGET (window), "Return");
      shell_wait (is_selected, &selected, "the edge");
      g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, "wait-graph");
      g_assert_true (tb_document_get_edge (document, &edge));
      found = tb_graph_figure_get_edge (edge.figure, edge.edge);
      g_assert_cmpstr (tb_graph_figure_get_vertex (edge.figure, found->from)->name, ==, "app");
      g_assert_cmpstr (tb_graph_figure_get_vertex (edge.figure, found->to)->name, ==, "index");
      g_assert_cmpuint (tb_focus_get_thread (focus), ==, shell_find_thread (document, "app"));
      g_assert_true (tb_focus_get_time (focus, &from, &to));
      g_assert_cmpint (to - from, >, 2000000);
    }
  shell_wait_settled (document);
  shell_picture (window, "contexts-followed");
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/contexts-page/cell", test_cell);
  g_test_add_func ("/contexts-page/row", test_row);
  g_test_add_func ("/contexts-page/long-name", test_long_name);
  g_test_add_func ("/contexts-page/follow", test_follow);
  g_test_add_func ("/contexts-page/comparison", test_comparison);
  return g_test_run ();
}
