/* test-peaks-page.c: from an operation to its peaks, their parts, and a call on the timeline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/flame/tb-flame-figure.h"
#include "report/table/tb-table-figure.h"
#include "session/schema/tb-schema.h"
#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  TbAnalysisItem *item;
} Fixture;

static gboolean
has_figure (gpointer data, const char *id)
{
  TbReport *report = tb_analysis_item_get_report (data);

  return report != NULL && tb_report_find_figure (report, id) != NULL;
}

static gboolean
has_operations (gpointer item)
{
  return has_figure (item, "operations");
}

static gboolean
has_histogram (gpointer item)
{
  return has_figure (item, "histogram");
}

static TbTableFigure *
get_table (Fixture *fixture, const char *id)
{
  return TB_TABLE_FIGURE (tb_report_find_figure (tb_analysis_item_get_report (fixture->item), id));
}

/* Only calls of the slow peak. */
static gboolean
has_only_peak_2 (gpointer item)
{
  TbReport *report = tb_analysis_item_get_report (item);
  TbFigure *calls = report != NULL ? tb_report_find_figure (report, "calls") : NULL;

  return calls != NULL && tb_table_figure_get_n_rows (TB_TABLE_FIGURE (calls)) == 40;
}

static GtkSelectionModel *
get_rows (Fixture *fixture)
{
  GtkWidget *table = shell_find (GTK_WIDGET (fixture->window), "TbTableView", NULL);
  GtkWidget *view = table != NULL ? shell_find (table, "GtkColumnView", NULL) : NULL;

  g_assert_nonnull (view);
  return gtk_column_view_get_model (GTK_COLUMN_VIEW (view));
}

static void
expand (Fixture *fixture)
{
  GtkWidget *page = shell_find (GTK_WIDGET (fixture->window), "TbAnalysisPage", NULL);

  g_assert_true (gtk_widget_activate_action (page, "analysis.expand", NULL));
}

static void
open_operations (Fixture *fixture)
{
  g_autoptr (GFile) file = shell_write_reads (FALSE);

  fixture->window = shell_new_window ();
  fixture->document = shell_open (fixture->window, file);
  shell_activate (fixture->window, "show-analysis", g_variant_new_string ("latency-peaks"));
  fixture->item = tb_document_find_analysis (fixture->document, "latency-peaks");
  g_assert_nonnull (fixture->item);
  shell_wait (has_operations, fixture->item, "no operations");
  shell_wait_settled (fixture->document);
  shell_picture (fixture->window, "latency-peaks-operations");
}

/* Selects the row of an operation. */
static void
choose_operation (Fixture *fixture, const char *operation)
{
  TbFocus *focus = tb_document_get_focus (fixture->document);

  for (guint i = 0; g_strcmp0 (tb_focus_get_item (focus), operation) != 0; i++)
    {
      g_assert_cmpuint (i, <, g_list_model_get_n_items (G_LIST_MODEL (get_rows (fixture))));
      gtk_selection_model_select_item (get_rows (fixture), i, TRUE);
    }
}

/* Selects the row of the reads in the table of operations, and searches them. */
static void
fixture_init (Fixture *fixture)
{
  open_operations (fixture);
  choose_operation (fixture, "syscall:read");
  expand (fixture);
  shell_wait (has_histogram, fixture->item, "no histogram");
  shell_wait_settled (fixture->document);
}

static void
choose_peak (Fixture *fixture)
{
  tb_focus_select_item (tb_document_get_focus (fixture->document), "histogram", "peak-2",
                        TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
}

/* A row of the counters selects a box of the tree. */
static void
check_counters (Fixture *fixture, TbFlameFigure *tree)
{
  TbFocus *focus = tb_document_get_focus (fixture->document);
  GtkWidget *view;
  guint box;

  shell_activate (fixture->window, "show-figure", g_variant_new_string ("counters"));
  gtk_selection_model_select_item (get_rows (fixture), 1, TRUE);
  shell_picture (fixture->window, "latency-peaks-counters");
  box = tb_flame_figure_find_item (tree, tb_focus_get_item (focus));
  g_assert_cmpuint (box, !=, TB_ID_NONE);
  g_assert_nonnull (
      strstr (tb_flame_figure_get_node (tree, box)->detail, "largest part in 40 of 40 calls"));
  shell_activate (fixture->window, "show-figure", g_variant_new_string ("tree"));
  view = shell_find (GTK_WIDGET (fixture->window), "TbFlameView", NULL);
  g_assert_nonnull (view);
  shell_picture (fixture->window, "latency-peaks-tree-box");
}

static void
test_peak (void)
{
  Fixture fixture;
  TbFlameFigure *tree;
  g_autofree char *copy = NULL;

  fixture_init (&fixture);
  g_assert_nonnull (shell_find (GTK_WIDGET (fixture.window), "TbHistogramView", NULL));
  choose_peak (&fixture);
  shell_picture (fixture.window, "latency-peaks-histogram");
  /* The peak's row is selected in the table of peaks. */
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("peaks"));
  copy = tb_table_view_copy (
      TB_TABLE_VIEW (shell_find (GTK_WIDGET (fixture.window), "TbTableView", NULL)));
  g_assert_nonnull (strstr (copy, "Peak 2"));
  g_assert_null (strstr (copy, "Peak 1"));
  g_assert_nonnull (strstr (copy, "ended by flusher"));
  shell_picture (fixture.window, "latency-peaks-peaks");
  expand (&fixture);
  shell_wait (has_only_peak_2, fixture.item, "the peak was not looked into alone");
  shell_wait_settled (fixture.document);
  tree = TB_FLAME_FIGURE (
      tb_report_find_figure (tb_analysis_item_get_report (fixture.item), "tree"));
  g_assert_cmpuint (
      tb_flame_figure_get_node (tree, tb_flame_figure_get_first_root (tree))->next_sibling, ==,
      TB_ID_NONE);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("tree"));
  shell_picture (fixture.window, "latency-peaks-tree");
  check_counters (&fixture, tree);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("time-lapse"));
  shell_picture (fixture.window, "latency-peaks-time-lapse");
  shell_close_window (fixture.window);
}

/* A row of the calls selects a time of a thread, which the timeline shows. */
static void
test_call (void)
{
  Fixture fixture;
  TbFocus *focus;
  gint64 from, to;
  GtkWidget *timeline;

  fixture_init (&fixture);
  focus = tb_document_get_focus (fixture.document);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("calls"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (get_rows (&fixture))), ==,
                    tb_table_figure_get_n_rows (get_table (&fixture, "calls")));
  gtk_selection_model_select_item (get_rows (&fixture), 0, TRUE);
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (to - from, ==, SHELL_LONGEST_READ_US * 1000);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==,
                    shell_find_thread (fixture.document, "reader"));
  shell_picture (fixture.window, "latency-peaks-calls");
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("calls-timeline"));
  timeline = shell_find (GTK_WIDGET (fixture.window), "TbTimelineView", NULL);
  g_assert_nonnull (timeline);
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (to - from, ==, SHELL_LONGEST_READ_US * 1000);
  shell_picture (fixture.window, "latency-peaks-timeline");
  shell_close_window (fixture.window);
}

static gboolean
has_finished (gpointer item)
{
  return !tb_analysis_item_is_running (item)
         && (tb_analysis_item_get_report (item) != NULL
             || tb_analysis_item_get_error (item) != NULL);
}

/* Checks that the control paths are those of the selected thread, with the call as the shown
 * range. */
static void
check_explained (Fixture *fixture)
{
  TbFocus *focus = tb_document_get_focus (fixture->document);
  TbAnalysisItem *explainer = tb_document_get_explainer (fixture->document);
  gint64 from, to;
  GtkWidget *button = shell_find (shell_find (GTK_WIDGET (fixture->window), "TbDetailsPane", NULL),
                                  "GtkButton", "Explain");

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  g_assert_nonnull (explainer);
  shell_wait (has_finished, explainer, "the explanation");
  shell_wait_settled (fixture->document);
  g_assert_no_error (tb_analysis_item_get_error (explainer));
  g_assert_true (tb_analysis_item_has_text (explainer, "process"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (fixture->window), "reader"));
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (to - from, ==, SHELL_LONGEST_READ_US * 1000);
}

static void
test_explain (void)
{
  Fixture fixture;

  fixture_init (&fixture);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("calls"));
  gtk_selection_model_select_item (get_rows (&fixture), 0, TRUE);
  shell_picture (fixture.window, "latency-peaks-explain-offered");
  check_explained (&fixture);
  shell_picture (fixture.window, "latency-peaks-explained");
  shell_close_window (fixture.window);
}

/* A peak is represented by its longest call. */
static void
test_explain_peak (void)
{
  Fixture fixture;
  TbFocus *focus;

  fixture_init (&fixture);
  focus = tb_document_get_focus (fixture.document);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("peaks"));
  gtk_selection_model_select_item (get_rows (&fixture), 1, TRUE);
  g_assert_cmpstr (tb_focus_get_figure (focus), ==, "histogram");
  g_assert_cmpstr (tb_focus_get_item (focus), ==, "peak-2");
  shell_picture (fixture.window, "latency-peaks-explain-peak");
  check_explained (&fixture);
  shell_close_window (fixture.window);
}

/* Counts the rows of the calls with the latencies of the selected bins, one by one. */
static guint
count_chosen (Fixture *fixture)
{
  TbFocus *focus = tb_document_get_focus (fixture->document);
  TbTableFigure *calls = get_table (fixture, "calls");
  guint column, first, end, n = 0;
  TbHistogramFigure *histogram = tb_table_figure_get_histogram (calls, &column);

  g_assert_nonnull (histogram);
  g_assert_cmpstr (tb_focus_get_figure (focus), ==, "histogram");
  g_assert_true (
      tb_histogram_figure_find_item (histogram, tb_focus_get_item (focus), &first, &end));
  for (guint row = 0; row < tb_table_figure_get_n_rows (calls); row++)
    {
      gint64 latency = tb_table_figure_get_integer (calls, row, column);

      n += latency >= tb_histogram_figure_get_bin (histogram, first)->from
           && latency < tb_histogram_figure_get_bin (histogram, end - 1)->to;
    }
  return n;
}

static guint
count_selected (Fixture *fixture)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (get_rows (fixture));

  return gtk_bitset_get_size (selected);
}

/* Brushing latencies in the histogram selects the calls with these latencies. */
static void
test_brush (void)
{
  static const double parts[][2] = { { .5, .97 }, { .02, .5 }, { .02, .97 } };
  Fixture fixture;
  guint most = 0;

  fixture_init (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      GtkWidget *canvas;
      g_autofree char *item = NULL;

      shell_activate (fixture.window, "show-figure", g_variant_new_string ("histogram"));
      ui_frames (GTK_WIDGET (fixture.window), 3);
      canvas = shell_find (GTK_WIDGET (fixture.window), "TbHistogramCanvas", NULL);
      g_assert_nonnull (canvas);
      ui_drag (canvas, gtk_widget_get_width (canvas) * parts[i][0],
               gtk_widget_get_height (canvas) / 2., gtk_widget_get_width (canvas) * parts[i][1],
               gtk_widget_get_height (canvas) / 2., NULL);
      item = g_strdup (tb_focus_get_item (tb_document_get_focus (fixture.document)));
      shell_activate (fixture.window, "show-figure", g_variant_new_string ("calls"));
      ui_frames (GTK_WIDGET (fixture.window), 3);
      g_assert_cmpuint (count_selected (&fixture), ==, count_chosen (&fixture));
      most = MAX (most, count_selected (&fixture));
      /* Looking at them does not change the selection. */
      g_assert_cmpstr (tb_focus_get_item (tb_document_get_focus (fixture.document)), ==, item);
      shell_picture (fixture.window, "latency-peaks-brushed");
    }
  g_assert_cmpuint (most, ==, tb_table_figure_get_n_rows (get_table (&fixture, "calls")));
  shell_close_window (fixture.window);
}

/* Only the calls in the drawn range. */
static gboolean
has_drawn (gpointer item)
{
  TbReport *report = tb_analysis_item_get_report (item);
  TbHistogramFigure *histogram
      = report != NULL ? TB_HISTOGRAM_FIGURE (tb_report_find_figure (report, "histogram")) : NULL;

  return histogram != NULL && tb_histogram_figure_get_n_marks (histogram) == 1
         && tb_table_figure_get_n_rows (TB_TABLE_FIGURE (tb_report_find_figure (report, "calls")))
                == 40;
}

/* A range drawn in the histogram is searched instead of peaks. */
static void
test_draw (void)
{
  Fixture fixture;
  GtkWidget *canvas;

  fixture_init (&fixture);
  shell_activate (fixture.window, "show-figure", g_variant_new_string ("histogram"));
  ui_frames (GTK_WIDGET (fixture.window), 3);
  canvas = shell_find (GTK_WIDGET (fixture.window), "TbHistogramCanvas", NULL);
  g_assert_nonnull (canvas);
  ui_drag (canvas, gtk_widget_get_width (canvas) * .5, gtk_widget_get_height (canvas) / 2.,
           gtk_widget_get_width (canvas) * .99, gtk_widget_get_height (canvas) / 2., NULL);
  shell_picture (fixture.window, "latency-peaks-range");
  expand (&fixture);
  shell_wait (has_drawn, fixture.item, "the range that was drawn");
  shell_wait_settled (fixture.document);
  shell_picture (fixture.window, "latency-peaks-drawn");
  shell_close_window (fixture.window);
}

static gboolean
has_dialog (gpointer window)
{
  return shell_find (window, "TbRecordDialog", NULL) != NULL;
}

static gboolean
has_function (gpointer dialog)
{
  GtkWidget *row = shell_find (dialog, "AdwActionRow", "_Function");

  return row != NULL
         && g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "vfs_read");
}

/* If stacks show too little of the calls, recording all of them is offered: the assistant has the
 * function filled in. */
static void
test_record (void)
{
  Fixture fixture;
  GtkWidget *dialog, *page;

  open_operations (&fixture);
  page = shell_find (GTK_WIDGET (fixture.window), "TbAnalysisPage", NULL);
  choose_operation (&fixture, "syscall:read");
  g_assert_null (tb_analysis_page_get_recording_label (TB_ANALYSIS_PAGE (page)));
  choose_operation (&fixture, "function:vfs_read@[kernel]");
  g_assert_cmpstr (tb_analysis_page_get_recording_label (TB_ANALYSIS_PAGE (page)), ==,
                   "Record All Calls of vfs_read…");
  g_assert_true (gtk_widget_activate_action (page, "analysis.record", NULL));
  shell_wait (has_dialog, fixture.window, "the recording assistant");
  dialog = shell_find (GTK_WIDGET (fixture.window), "TbRecordDialog", NULL);
  shell_wait (has_function, dialog, "the function");
  shell_picture (fixture.window, "latency-peaks-record");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  shell_close_window (fixture.window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/peaks-page/peak", test_peak);
  g_test_add_func ("/peaks-page/call", test_call);
  g_test_add_func ("/peaks-page/brush", test_brush);
  g_test_add_func ("/peaks-page/draw", test_draw);
  g_test_add_func ("/peaks-page/explain", test_explain);
  g_test_add_func ("/peaks-page/explain-peak", test_explain_peak);
  g_test_add_func ("/peaks-page/record", test_record);
  return g_test_run ();
}
