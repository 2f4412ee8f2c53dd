/* test-compare.c: comparison of two recordings in one tab
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/table/tb-table-figure.h"
#include "shell-dialogs.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

/* The threads of the inbox recording, one of which waits longer, with another clock. */
static GFile *
write_other (const char *name)
{
  static const char contents[]
      = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text\n"
        "7000000000,0,name,,,,,,,1160,,,curl\n7000000000,0,switch,0,R,1160,,,,,,,\n"
        "7003000000,0,switch,1160,S,0,,,,,,,\n7400000000,1,switch,0,R,1160,,,,,,,\n"
        "7400100000,1,switch,1160,S,0,,,,,,,\n";
  g_autoptr (GError) error = NULL;
  GFile *file = shell_temporary (name);

  g_file_replace_contents (file, contents, strlen (contents), NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

static TbDocument *
compare (TbWindow *window, GFile *base, GFile *other)
{
  TbDocument *document
      = tb_document_page_get_document (tb_window_compare (window, base, other, TRUE));

  shell_wait_settled (document);
  return document;
}

static void
test_document (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = shell_inbox ();
  g_autoptr (GFile) other
      = write_other ("other with a name that is so long that no window has room for all of it.csv");
  TbDocument *document = compare (window, base, other), *swapped;
  TbAnalysisItem *threads = tb_document_find_analysis (document, "threads");
  TbReport *report = tb_analysis_item_get_report (threads);
  JsonObject *summary;

  g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
  g_assert_true (tb_document_is_comparison (document));
  g_assert_nonnull (report);
  summary = json_node_get_object (tb_report_get_summary (report));
  g_assert_true (json_object_has_member (summary, "base")
                 && json_object_has_member (summary, "other"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbTableView", NULL));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbFindingRow", NULL));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Base: "));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Other: "));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "base: 8 threads · 5 processes"));
  g_assert_null (shell_find (GTK_WIDGET (window), "AdwBanner", NULL));

  /* Actions for a single recording are disabled. */
  g_assert_false (shell_is_enabled (window, "save-copy"));
  g_assert_false (shell_is_enabled (window, "add-bookmark"));
  g_assert_false (g_action_group_has_action (G_ACTION_GROUP (window), "explain"));
  tb_focus_select_thread (tb_document_get_focus (document), 1);
  g_assert_false (shell_is_enabled (window, "analyse-selection"));
  shell_picture (window, "comparison");

  /* The same comparison is shown in the same tab; the swapped one is another tab. */
  g_assert_true (compare (window, base, other) == document);
  shell_activate (window, "swap-comparison", NULL);
  swapped = tb_document_page_get_document (tb_window_get_document_page (window));
  g_assert_true (swapped != document);
  g_assert_true (g_file_equal (tb_document_get_file (swapped), base));
  shell_wait_settled (swapped);
  g_assert_nonnull (tb_analysis_item_get_report (tb_document_find_analysis (swapped, "threads")));

  /* A single recording has its own tab. */
  g_assert_true (shell_open (window, base) != swapped);
  shell_close_window (window);
}

/* A finding leads to its row. */
static void
test_finding (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = shell_inbox ();
  g_autoptr (GFile) other = write_other ("other.csv");
  TbDocument *document = compare (window, base, other);
  GtkWidget *row = shell_find (GTK_WIDGET (window), "TbFindingRow", NULL);

  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  g_assert_cmpstr (tb_focus_get_figure (tb_document_get_focus (document)), ==, "differences");
  g_assert_nonnull (tb_focus_get_item (tb_document_get_focus (document)));
  shell_close_window (window);
}

static gboolean
has_row (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbCompareDialog", NULL);

  return dialog != NULL && shell_find (dialog, "AdwActionRow", "inbox.csv") != NULL;
}

static gboolean
shows_comparison (gpointer window)
{
  TbDocumentPage *page = tb_window_get_document_page (window);

  return page != NULL && tb_document_is_comparison (tb_document_page_get_document (page));
}

static void
test_dialog (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = shell_inbox ();
  g_autoptr (GFile) other = write_other ("other.csv");
  TbDocument *document;
  GtkWidget *dialog;

  g_assert_false (shell_is_enabled (window, "compare"));
  shell_open (window, base);
  shell_open (window, other);
  shell_activate (window, "compare", NULL);
  shell_wait (has_row, window, "the recordings to compare with");
  dialog = shell_find (GTK_WIDGET (window), "TbCompareDialog", NULL);
  g_assert_nonnull (shell_find_text (dialog, "“other.csv” is compared with"));
  shell_picture (window, "compare-dialog");
  gtk_widget_activate (shell_find (dialog, "AdwActionRow", "inbox.csv"));
  shell_wait (shows_comparison, window, "the comparison");
  document = tb_document_page_get_document (tb_window_get_document_page (window));
  shell_wait_settled (document);
  g_assert_true (g_file_equal (tb_document_get_base_file (document), base));
  g_assert_true (g_file_equal (tb_document_get_file (document), other));
  shell_close_window (window);
}

static void
check_refused (TbWindow *window, GFile *base, GFile *other)
{
  TbDocument *document = compare (window, base, other);

  g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_FAILED);
  g_assert_null (strchr (tb_document_get_error (document)->message, '\n'));
  g_assert_nonnull (strstr (tb_document_get_error (document)->message, "missing.csv"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Open “"));
  shell_activate (window, "close-tab", NULL);
}

static void
test_hostile (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) whole = shell_inbox ();
  g_autoptr (GFile) missing = shell_temporary ("missing.csv");

  check_refused (window, missing, whole);
  check_refused (window, whole, missing);
  check_refused (window, missing, missing);

  /* Closed during the comparison. */
  tb_window_compare (window, whole, whole, TRUE);
  shell_activate (window, "close-tab", NULL);
  shell_close_window (window);
}

static void
test_restore (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = shell_inbox ();
  g_autoptr (GFile) other = write_other ("other.csv");

  compare (window, base, other);
  shell_close_window (window);
  window = shell_new_window ();
  tb_application_restore (shell_get_application (), window);
  g_assert_true (shows_comparison (window));
  shell_wait_settled (tb_document_page_get_document (tb_window_get_document_page (window)));
  shell_close_window (window);
}

/* Checks the numbers of compared recordings. */
static void
assert_recordings (TbReport *report, gint64 n_base, gint64 n_other)
{
  guint n_found = 0;

  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);
      JsonObject *values = tb_finding_get_values (finding);

      if (g_strcmp0 (tb_finding_get_code (finding), "compared-recordings") != 0)
        continue;
      g_assert_cmpint (json_object_get_int_member (values, "base_recordings"), ==, n_base);
      g_assert_cmpint (json_object_get_int_member (values, "other_recordings"), ==, n_other);
      n_found++;
    }
  g_assert_cmpuint (n_found, ==, 1);
}

/* Several recordings a side, normalized by the chosen method. */
static void
test_several (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) other_files = g_ptr_array_new_with_free_func (g_object_unref);
  TbDocument *document;
  TbReport *report;
  JsonObject *summary;

  g_ptr_array_add (bases, write_other ("base-1.csv"));
  g_ptr_array_add (bases, write_other ("base-2.csv"));
  g_ptr_array_add (bases, write_other ("base-3.csv"));
  g_ptr_array_add (other_files, shell_inbox ());
  document = tb_document_page_get_document (
      tb_window_compare_several (window, bases, other_files, TRUE));
  shell_wait_settled (document);
  g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
  report = tb_analysis_item_get_report (tb_document_find_analysis (document, "threads"));
  g_assert_nonnull (report);
  summary = json_node_get_object (tb_report_get_summary (report));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (
                        json_object_get_object_member (summary, "recordings"), "base")),
                    ==, 3);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "and 2 more"));
  assert_recordings (report, 3, 1);

  /* Another normalization gives another report. */
  g_assert_cmpstr (tb_document_get_normalization (document), ==, "");
  tb_document_set_normalization (document, "none");
  shell_wait_settled (document);
  report = tb_analysis_item_get_report (tb_document_find_analysis (document, "threads"));
  g_assert_true (json_object_get_null_member (json_node_get_object (tb_report_get_summary (report)),
                                              "normalized_by"));
  g_assert_true (shell_is_enabled (window, "add-to-base")
                 && shell_is_enabled (window, "add-to-other"));
  shell_picture (window, "comparison-several");

  /* They are restored at the next start. */
  shell_close_window (window);
  window = shell_new_window ();
  tb_application_restore (shell_get_application (), window);
  g_assert_true (shows_comparison (window));
  document = tb_document_page_get_document (tb_window_get_document_page (window));
  g_clear_pointer (&bases, g_ptr_array_unref);
  bases = tb_document_list_side (document, TRUE);
  g_assert_cmpuint (bases->len, ==, 3);
  shell_wait_settled (document);
  shell_close_window (window);
}

/* --- more recordings of a side --- */

static void
choose (TbWindow *window, const char *action, const char *const *names)
{
  g_autoptr (GFile) inside = shell_temporary ("inside");
  g_autoptr (GFile) folder = g_file_get_parent (inside);

  shell_choose_files (window, action, NULL, folder, names);
}

static TbDocument *
get_document (TbWindow *window)
{
  return tb_document_page_get_document (tb_window_get_document_page (window));
}

static gboolean
is_other_document (gpointer data)
{
  gpointer *both = data;

  return get_document (both[0]) != both[1];
}

/* Returns the resulting tab's document. */
static TbDocument *
add (TbWindow *window, const char *action, const char *const *names)
{
  gpointer both[2] = { window, get_document (window) };

  choose (window, action, names);
  shell_wait (is_other_document, both, "the comparison of more");
  shell_wait_settled (get_document (window));
  return get_document (window);
}

static void
assert_side (TbDocument *document, gboolean base, const char *const *names)
{
  g_autoptr (GPtrArray) files = tb_document_list_side (document, base);

  g_assert_cmpuint (files->len, ==, g_strv_length ((char **) names));
  for (guint i = 0; i < files->len; i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < files->len; k++)
        {
          g_autofree char *name = g_file_get_basename (g_ptr_array_index (files, k));

          found |= g_str_equal (name, names[i]);
        }
      g_assert_true (found);
    }
}

static gboolean
is_duplicate_reported (gpointer window)
{
  return shell_find_text (window, "Already part of this side") != NULL;
}

#define NAMES(...)                                                                                 \
  (const char *const[])                                                                            \
  {                                                                                                \
    __VA_ARGS__, NULL                                                                              \
  }

static void
test_add (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = write_other ("add-1.csv");
  g_autoptr (GFile) two = write_other ("add-2.csv");
  g_autoptr (GFile) three = write_other ("add-3.csv");
  g_autoptr (GFile) four = write_other ("add-4.csv");
  g_autoptr (GFile) notes = shell_temporary ("notes.txt");
  g_autoptr (GFile) other = shell_inbox ();
  TbDocument *first = compare (window, base, other), *more, *most;
  TbReport *report;

  /* A single recording has no sides to add to. */
  choose (window, "add-to-base", (const char *const[]) { NULL });
  g_assert_true (get_document (window) == first);

  /* A recording that is already included is not added again. */
  more = add (window, "add-to-base", NAMES ("add-1.csv", "add-2.csv", "add-3.csv"));
  g_assert_cmpint (tb_document_get_state (more), ==, TB_DOCUMENT_READY);
  assert_side (more, TRUE, NAMES ("add-1.csv", "add-2.csv", "add-3.csv"));
  assert_side (more, FALSE, NAMES ("inbox.csv"));
  choose (window, "add-to-base", NAMES ("add-3.csv"));
  g_assert_true (get_document (window) == more);
  shell_wait (is_duplicate_reported, window, "what is there already to be told of");

  most = add (window, "add-to-other", NAMES ("add-4.csv"));
  assert_side (most, TRUE, NAMES ("add-1.csv", "add-2.csv", "add-3.csv"));
  assert_side (most, FALSE, NAMES ("inbox.csv", "add-4.csv"));
  report = tb_analysis_item_get_report (tb_document_find_analysis (most, "threads"));
  assert_recordings (report, 3, 2);

  /* A file that is no recording is reported, and the previous comparison stays. */
  g_file_replace_contents (notes, "no recording\n", 13, NULL, FALSE, 0, NULL, NULL, NULL);
  more = add (window, "add-to-other", NAMES ("notes.txt"));
  g_assert_cmpint (tb_document_get_state (more), ==, TB_DOCUMENT_FAILED);
  g_assert_nonnull (strstr (tb_document_get_error (more)->message, "notes.txt"));
  g_assert_null (strchr (tb_document_get_error (more)->message, '\n'));
  shell_activate (window, "close-tab", NULL);
  g_assert_true (get_document (window) == most);
  shell_close_window (window);
}

/* Sorting by value works in the table over all recordings too, whose rows contain durations and
 * counts. */
static void
test_sorted (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) other_files = g_ptr_array_new_with_free_func (g_object_unref);
  TbDocument *document;
  GtkColumnView *view;
  TbTableFigure *figure;
  guint column = 0;

  g_ptr_array_add (bases, write_other ("base-1.csv"));
  g_ptr_array_add (bases, write_other ("base-2.csv"));
  g_ptr_array_add (other_files, shell_inbox ());
  document = tb_document_page_get_document (
      tb_window_compare_several (window, bases, other_files, TRUE));
  shell_wait_settled (document);
  shell_activate (window, "show-figure", g_variant_new_string ("recordings"));
  view = GTK_COLUMN_VIEW (shell_find (GTK_WIDGET (window), "GtkColumnView", NULL));
  figure = TB_TABLE_FIGURE (tb_figure_view_get_figure (
      TB_FIGURE_VIEW (gtk_widget_get_ancestor (GTK_WIDGET (view), TB_TYPE_TABLE_VIEW))));
  while (!g_str_equal (tb_table_figure_get_column_id (figure, column), "delta"))
    column++;
  g_assert_true (tb_table_figure_is_numeric (figure, column));
  {
    g_autoptr (GtkColumnViewColumn) item
        = g_list_model_get_item (gtk_column_view_get_columns (view), column);
    g_autofree char *csv = NULL;
    g_auto (GStrv) lines = NULL;
    double before = G_MAXDOUBLE;

    gtk_column_view_sort_by_column (view, item, GTK_SORT_DESCENDING);
    csv = tb_table_view_copy_csv (
        TB_TABLE_VIEW (gtk_widget_get_ancestor (GTK_WIDGET (view), TB_TYPE_TABLE_VIEW)));
    lines = g_strsplit (csv, "\r\n", -1);
    g_assert_cmpuint (g_strv_length (lines), >, 4);
    for (guint i = 1; lines[i][0] != '\0'; i++)
      {
        g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
        char *end;
        double value = g_ascii_strtod (fields[column], &end);

        g_assert_true (end > fields[column] && *end == '\0');
        g_assert_cmpfloat (value, <=, before);
        before = value;
      }
  }
  shell_close_window (window);
}

/* Every analysis that can compare is offered. */
static void
test_analyses (void)
{
  static const char *const ids[] = { "threads", "calling-contexts", "wait-graph", "locks" };
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = shell_inbox ();
  g_autoptr (GFile) other = write_other ("other.csv");
  TbDocument *document = compare (window, base, other);

  g_assert_nonnull (tb_document_find_analysis (document, "control-paths"));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      TbAnalysisItem *item = tb_document_find_analysis (document, ids[i]);

      g_assert_nonnull (item);
      tb_document_ensure_report (document, item);
      shell_wait_settled (document);
      g_assert_no_error (tb_analysis_item_get_error (item));
      g_assert_nonnull (tb_analysis_item_get_report (item));
    }
  shell_close_window (window);
}

static gboolean
is_narrow (gpointer page)
{
  gboolean narrow;

  g_object_get (page, "narrow", &narrow, NULL);
  return narrow;
}

/* As in test-narrow-window.c for one recording: the figure has most of the height of a phone. */
static gboolean
is_figure_large (gpointer window)
{
  GtkWidget *page = shell_find (window, "TbAnalysisPage", NULL);
  GtkWidget *frame = page != NULL ? shell_find (page, "GtkPaned", NULL) : NULL;

  return frame != NULL
         && 100 * gtk_widget_get_height (frame) >= 55 * gtk_widget_get_height (window);
}

static void
wait_figure_large (TbWindow *window, TbDocument *document, const char *analysis)
{
  g_autofree char *picture = g_strdup_printf ("comparison-narrow-%s", analysis);

  shell_activate (window, "show-analysis", g_variant_new_string (analysis));
  shell_wait_settled (document);
  ui_frames (GTK_WIDGET (window), 3);
  shell_wait (is_figure_large, window, analysis);
  shell_picture (window, picture);
}

static void
test_narrow (void)
{
  static const char *const analyses[] = { "threads", "calling-contexts", "wait-graph", "locks" };
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) other_files = g_ptr_array_new_with_free_func (g_object_unref);
  TbWindow *window;
  TbDocument *document;

  g_ptr_array_add (bases, shell_inbox ());
  g_ptr_array_add (
      other_files,
      write_other ("other with a name that is so long that no window has room for all of it.csv"));
  g_settings_set (settings, "window-size", "(ii)", 360, 720);
  g_settings_set_string (settings, "style", "dark");
  window = shell_new_window ();
  document = compare (window, bases->pdata[0], other_files->pdata[0]);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 400);
  shell_picture (window, "comparison-narrow");
  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    wait_figure_large (window, document, analyses[i]);
  /* Several recordings a side are normalized by a method that can be chosen. */
  shell_activate (window, "close-tab", NULL);
  g_ptr_array_add (bases, write_other ("base-2.csv"));
  document = tb_document_page_get_document (
      tb_window_compare_several (window, bases, other_files, TRUE));
  shell_wait_settled (document);
  wait_figure_large (window, document, "threads");
  g_settings_set_string (settings, "style", "light");
  shell_close_window (window);
  g_settings_set (settings, "window-size", "(ii)", 1280, 800);
}

/* A cancelled comparison ends at once, the previous report stays, and the comparison can be
 * restarted. */
static void
test_cancelled (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) base = shell_inbox ();
  g_autoptr (GFile) other = write_other ("cancelled.csv");
  TbDocument *document = compare (window, base, other);
  TbAnalysisItem *threads = tb_document_find_analysis (document, "threads");
  TbReport *report = tb_analysis_item_get_report (threads);

  g_assert_nonnull (report);
  tb_document_run (document, threads);
  g_assert_true (tb_analysis_item_is_running (threads));
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL),
                              "analysis.cancel", NULL);
  g_assert_false (tb_analysis_item_is_running (threads));
  shell_wait_settled (document);
  ui_frames (GTK_WIDGET (window), 20);
  g_assert_true (tb_analysis_item_get_report (threads) == report);
  tb_document_run (document, threads);
  shell_wait_settled (document);
  g_assert_true (tb_analysis_item_get_report (threads) != report);
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/compare/document", test_document);
  g_test_add_func ("/compare/cancelled", test_cancelled);
  g_test_add_func ("/compare/finding", test_finding);
  g_test_add_func ("/compare/dialog", test_dialog);
  g_test_add_func ("/compare/hostile", test_hostile);
  g_test_add_func ("/compare/restore", test_restore);
  g_test_add_func ("/compare/several", test_several);
  g_test_add_func ("/compare/add", test_add);
  g_test_add_func ("/compare/sorted", test_sorted);
  g_test_add_func ("/compare/analyses", test_analyses);
  g_test_add_func ("/compare/narrow", test_narrow);
  return g_test_run ();
}
