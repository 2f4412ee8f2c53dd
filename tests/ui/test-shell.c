/* test-shell.c: user actions in the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "shell-fixture.h"
#include "shell/document/tb-finding-row.h"
#include "shell/window/tb-preview-timeline.h"
#include "ui-test.h"
#include "widgets/flame/tb-flame-view.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
test_start (void)
{
  TbWindow *window = shell_new_window ();

  g_assert_nonnull (shell_find (GTK_WIDGET (window), "AdwStatusPage", NULL));
  g_assert_null (tb_window_get_document_page (window));
  g_assert_true (shell_is_enabled (window, "record"));
  g_assert_true (shell_is_enabled (window, "open"));
  g_assert_false (shell_is_enabled (window, "save-copy"));
  g_assert_false (shell_is_enabled (window, "close-tab"));
  g_assert_false (shell_is_enabled (window, "add-bookmark"));
  shell_picture (window, "start");
  shell_close_window (window);
}

static void
test_open (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *threads = tb_document_find_analysis (document, "threads");
  gint64 from, to;

  g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
  g_assert_true (tb_document_is_imported (document));
  g_assert_nonnull (threads);
  g_assert_null (tb_analysis_item_get_error (threads));
  g_assert_nonnull (tb_analysis_item_get_report (threads));
  g_assert_cmpuint (tb_analysis_item_get_n_findings (threads), >, 0);
  tb_focus_get_extent (tb_document_get_focus (document), &from, &to);
  g_assert_cmpint (from, ==, 0);
  g_assert_cmpint (to, ==, 265 * MS);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "8 threads · 5 processes"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbFindingRow", NULL));
  g_assert_true (shell_is_enabled (window, "save-copy"));
  shell_picture (window, "document");

  /* Opening the same file again shows the same tab. */
  g_assert_true (tb_document_page_get_document (tb_window_open (window, file, TRUE)) == document);
  shell_close_window (window);
}

/* Control+F on a search with text selects it, so that typing replaces it. */
static void
assert_search_selects (TbWindow *window)
{
  GtkEditable *entry;
  int from, to;

  shell_activate (window, "search", NULL);
  entry = GTK_EDITABLE (shell_find (GTK_WIDGET (window), "GtkSearchEntry", NULL));
  gtk_editable_set_text (entry, "auth");
  gtk_editable_set_position (entry, -1);
  shell_activate (window, "search", NULL);
  g_assert_true (gtk_editable_get_selection_bounds (entry, &from, &to));
  g_assert_cmpint (from, ==, 0);
  g_assert_cmpint (to, ==, strlen ("auth"));
  gtk_editable_set_text (entry, "");
}

static void
test_figures (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbReport *report = tb_analysis_item_get_report (tb_document_find_analysis (document, "threads"));
  guint n = tb_report_get_n_figures (report);

  g_assert_cmpuint (n, >=, 4);
  for (guint i = 0; i < n; i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);
      g_autofree char *name = g_strdup_printf ("figure-%s", tb_figure_get_id (figure));

      shell_activate (window, "show-figure", g_variant_new_string (tb_figure_get_id (figure)));
      g_assert_true (tb_document_page_show_figure (tb_window_get_document_page (window),
                                                   tb_figure_get_id (figure)));
      shell_picture (window, name);
    }
  shell_activate (window, "next-figure", NULL); /* from the last to the first */
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbTimelineView", NULL));
  assert_search_selects (window);
  shell_close_window (window);
}

static gboolean
has_chain (gpointer window)
{
  return shell_find (window, "GtkLabel", "Chain of Causes") != NULL;
}

static void
test_details (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  guint32 curl = shell_find_thread (document, "curl");
  static const char *const expected[]
      = { "nginx (812)", "php-cgi (934)", "imap-login (1165)", "auth (1168)" };
  GtkWidget *details;

  g_assert_false (shell_is_enabled (window, "clear-selection"));
  tb_focus_select_item (focus, "timeline", NULL, curl, 15 * MS, 260800000, NULL);
  details = shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL);
  shell_wait (has_chain, details, "the chain of causes");
  g_assert_nonnull (shell_find_text (details, "curl waits 24"));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_nonnull (shell_find (details, "GtkLabel", expected[i]));
  g_assert_nonnull (shell_find_text (details, "runs sha512_rounds"));
  g_assert_nonnull (shell_find (details, "GtkLabel", "curl_multi_poll"));
  g_assert_nonnull (shell_find (details, "GtkLabel", "libcurl.so.4"));
  shell_picture (window, "details");

  shell_activate (window, "zoom-selection", NULL);
  shell_activate (window, "clear-selection", NULL);
  g_assert_nonnull (shell_find_text (details, "Nothing Selected"));
  tb_focus_select_thread (focus, curl);
  g_assert_nonnull (shell_find_text (details, "curl (1160)"));
  shell_close_window (window);
}

static void
test_selection (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *threads = tb_document_find_analysis (document, "threads");
  gint64 from, to;

  g_assert_false (shell_is_enabled (window, "analyse-selection"));
  tb_focus_select_range (tb_document_get_focus (document), 30 * MS, 118 * MS);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "88 ms selected of 265 ms"));
  shell_activate (window, "analyse-selection", NULL);
  shell_wait_settled (document);
  tb_report_get_range (tb_analysis_item_get_report (threads), &from, &to);
  g_assert_cmpint (from, ==, 30 * MS);
  g_assert_cmpint (to, ==, 118 * MS);
  shell_picture (window, "selection");
  shell_activate (window, "analyse-all", NULL);
  shell_wait_settled (document);
  tb_report_get_range (tb_analysis_item_get_report (threads), &from, &to);
  g_assert_cmpint (to - from, ==, 265 * MS);
  g_assert_false (shell_is_enabled (window, "analyse-all"));
  shell_close_window (window);
}

/* The built analysis: its page, and the targets of its findings. */
static void
test_explain (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  TbAnalysisItem *item = tb_document_get_explainer (document);
  TbReport *report;
  guint n_navigable = 0;

  tb_focus_select_thread (focus, shell_find_thread (document, "curl"));
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  g_assert_no_error (tb_analysis_item_get_error (item));
  report = tb_analysis_item_get_report (item);
  g_assert_nonnull (report);
  g_assert_nonnull (strstr (tb_report_get_headline (report), "curl"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), tb_report_get_headline (report)));
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);
      const char *figure = tb_finding_get_figure (finding);

      if (figure == NULL)
        continue;
      g_assert_nonnull (tb_report_find_figure (report, figure));
      n_navigable++;
    }
  g_assert_cmpuint (n_navigable, >, 0);
  shell_picture (window, "explained-curl");
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      g_autofree char *name
          = g_strdup_printf ("explained-%s", tb_figure_get_id (tb_report_get_figure (report, i)));

      shell_activate (window, "show-figure",
                      g_variant_new_string (tb_figure_get_id (tb_report_get_figure (report, i))));
      shell_picture (window, name);
    }
  shell_close_window (window);
}

/* The first visible finding that leads to a box of a flame. */
static gboolean
find_navigable (gpointer window)
{
  GtkWidget *row = shell_find (window, "TbFindingRow", NULL);

  return row != NULL
         && tb_finding_get_n_places (tb_finding_row_get_finding (TB_FINDING_ROW (row))) > 1;
}

static void
assert_navigated_to (TbWindow *window, TbFinding *finding, guint place)
{
  TbDocument *document = tb_document_page_get_document (tb_window_get_document_page (window));
  TbFocus *focus = tb_document_get_focus (document);
  GtkWidget *view = shell_find (GTK_WIDGET (window), "TbFlameView", NULL);
  TbFlameFigure *figure = TB_FLAME_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (view)));
  guint node = tb_flame_view_get_selected (TB_FLAME_VIEW (view));
  g_autofree char *item = NULL;
  const char *expected;

  g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==,
                   tb_finding_get_place (finding, place, &expected));
  g_assert_cmpuint (node, !=, TB_ID_NONE);
  item = tb_flame_figure_get_item (figure, node);
  g_assert_cmpstr (item, ==, expected);
  g_assert_cmpstr (tb_focus_get_item (focus), ==, expected);
  g_assert_true (tb_focus_get_time (focus, NULL, NULL));
}

/* With the keyboard: Enter on a finding leads to its box, which gets the keyboard focus and is
 * described. */
static void
test_navigate_to_box (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  GtkWidget *row, *canvas;
  TbFinding *finding;
  char *description;

  tb_focus_select_thread (tb_document_get_focus (document), shell_find_thread (document, "curl"));
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  shell_wait (find_navigable, window, "a finding that leads somewhere");
  row = shell_find (GTK_WIDGET (window), "TbFindingRow", NULL);
  finding = tb_finding_row_get_finding (TB_FINDING_ROW (row));
  g_assert_cmpstr (json_object_get_string_member (tb_finding_get_values (finding), "process"), ==,
                   "dovecot");
  gtk_widget_grab_focus (row);
  ui_key (GTK_WIDGET (window), "Return");
  assert_navigated_to (window, finding, 0);
  canvas = shell_find (GTK_WIDGET (window), "TbFlameCanvas", NULL);
  g_assert_true (gtk_widget_is_focus (canvas));
  gtk_test_accessible_assert_role (canvas, GTK_ACCESSIBLE_ROLE_TREE);
  description = gtk_test_accessible_check_property (GTK_ACCESSIBLE (canvas),
                                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  g_assert_nonnull (strstr (description, "ms from"));
  g_free (description);
  shell_picture (window, "led-to-box");

  /* In the other figures too, and the current kind of figure is kept. */
  shell_activate (window, "show-figure", g_variant_new_string ("consolidated"));
  assert_navigated_to (window, finding, 1);
  shell_activate (window, "clear-selection", NULL);
  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  assert_navigated_to (window, finding, 1);
  shell_activate (window, "show-figure", g_variant_new_string ("contributors"));
  g_assert_cmpstr (tb_focus_get_item (tb_document_get_focus (document)), ==,
                   tb_finding_get_item (finding));
  /* Another selection is not reverted by a change of the figure. */
  tb_focus_select_thread (tb_document_get_focus (document), shell_find_thread (document, "nginx"));
  shell_activate (window, "show-figure", g_variant_new_string ("chronological"));
  g_assert_null (tb_focus_get_item (tb_document_get_focus (document)));
  shell_close_window (window);
}

static gboolean
has_process_dialog (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbProcessDialog", NULL);

  return dialog != NULL && shell_find (dialog, "GtkLabel", "nginx") != NULL;
}

/* Without a process of interest the page asks for one instead of failing. */
static void
test_process_prompt (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *item = tb_document_get_explainer (document);
  GtkWidget *dialog;

  shell_activate (window, "show-analysis", g_variant_new_string (tb_analysis_item_get_id (item)));
  shell_wait_settled (document);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Choose a Process"));
  shell_picture (window, "ask-process");
  g_signal_emit_by_name (shell_find (GTK_WIDGET (window), "GtkButton", "Choose a _Process…"),
                         "clicked");
  shell_wait (has_process_dialog, window, "the processes");
  shell_picture (window, "processes-of-recording");
  dialog = shell_find (GTK_WIDGET (window), "TbProcessDialog", NULL);
  gtk_editable_set_text (GTK_EDITABLE (shell_find (dialog, "GtkSearchEntry", NULL)), "ngin");
  g_signal_emit_by_name (shell_find (dialog, "GtkSearchEntry", NULL), "activate");
  shell_wait_settled (document);
  g_assert_no_error (tb_analysis_item_get_error (item));
  g_assert_nonnull (strstr (tb_report_get_headline (tb_analysis_item_get_report (item)), "nginx"));
  shell_close_window (window);
}

static void
test_bookmarks (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  guint n;
  const TbBookmark *bookmarks;

  tb_focus_select_item (tb_document_get_focus (document), NULL, NULL,
                        shell_find_thread (document, "auth"), 31 * MS, 117 * MS, NULL);
  shell_activate (window, "add-bookmark", NULL);
  bookmarks = tb_session_get_bookmarks (tb_document_get_session (document), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), bookmarks[0].name));
  g_assert_true (g_str_has_prefix (bookmarks[0].name, "auth (1168)"));
  tb_document_remove_bookmark (document, bookmarks[0].id);
  tb_session_get_bookmarks (tb_document_get_session (document), &n);
  g_assert_cmpuint (n, ==, 0);
  shell_close_window (window);
}

static void
finished (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static gboolean
is_set (gpointer data)
{
  return *(gpointer *) data != NULL;
}

static GFile *
save_copy (TbDocument *document, const char *name)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GFile *copy = shell_temporary (name);

  tb_document_save_copy_async (document, copy, NULL, finished, &result);
  shell_wait (is_set, &result, "the copy");
  tb_document_save_copy_finish (document, result, &error);
  g_assert_no_error (error);
  return copy;
}

static void
test_save_copy (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  g_autoptr (GFile) copy = NULL;

  shell_activate (window, "add-bookmark", NULL);
  copy = save_copy (document, "copy.tailback");
  document = shell_open (window, copy);
  g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
  g_assert_false (tb_document_is_imported (document));
  g_assert_true (tb_session_is_writable (tb_document_get_session (document)));
  shell_picture (window, "two-tabs");
  shell_activate (window, "close-tab", NULL);
  shell_activate (window, "close-tab", NULL);
  g_assert_null (tb_window_get_document_page (window));
  shell_close_window (window);
}

typedef struct
{
  TbWindow *window;
  guint n_pictures;
} FirstPicture;

/* Checks the first picture as soon as it appears. */
static void
check_first_picture (TbDocument *document, GParamSpec *pspec, gpointer data)
{
  FirstPicture *self = data;
  TbAnalysisItem *threads = tb_document_find_analysis (document, "threads");

  if (tb_document_get_state (document) != TB_DOCUMENT_SKETCHED)
    return;
  self->n_pictures++;
  g_assert_null (tb_document_get_trace (document));
  g_assert_null (tb_analysis_item_get_report (threads));
  g_assert_true (tb_document_is_pending (document, threads));
  g_assert_false (tb_document_is_settled (document));
  g_assert_nonnull (tb_document_get_preview (document));
  g_assert_nonnull (shell_find (GTK_WIDGET (self->window), "TbTimelineView", NULL));
  g_assert_nonnull (shell_find (GTK_WIDGET (self->window), "TbOverviewStrip", NULL));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (self->window), "details are still being read"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (self->window), "8 threads · 5 processes"));
  tb_focus_set_view (tb_document_get_focus (document), 30 * MS, 118 * MS);
  tb_focus_select_item (tb_document_get_focus (document), "timeline", NULL,
                        shell_find_thread (document, "curl"), 35 * MS, 36 * MS, NULL);
}

/* Opens a session in a new window; returns its document, settled. */
static TbDocument *
open_and_look (FirstPicture *self, GFile *file)
{
  TbDocument *document;

  self->window = shell_new_window ();
  self->n_pictures = 0;
  document = tb_document_page_get_document (tb_window_open (self->window, file, TRUE));
  g_signal_connect (document, "notify::state", G_CALLBACK (check_first_picture), self);
  shell_wait_settled (document);
  return document;
}

/* The report has the same tracks in the same order, then those of devices. */
static void
check_same_tracks (TbTimelineFigure *preview, TbDocument *document)
{
  TbReport *report = tb_analysis_item_get_report (tb_document_find_analysis (document, "threads"));
  TbTimelineFigure *figure = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  gint64 from, to;

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (preview); i++)
    {
      TbTimelineTrack coarse, exact;
      TbTimelineCoverage coarse_ns, exact_ns;

      tb_timeline_figure_get_track (preview, i, &coarse);
      tb_timeline_figure_get_track (figure, i, &exact);
      g_assert_cmpstr (coarse.id, ==, exact.id);
      g_assert_cmpstr (coarse.name, ==, exact.name);
      g_assert_cmpstr (coarse.group, ==, exact.group);
      g_assert_cmpuint (coarse.thread, ==, exact.thread);
      tb_timeline_figure_get_coverage (preview, i, from, to, &coarse_ns);
      tb_timeline_figure_get_coverage (figure, i, from, to, &exact_ns);
      g_assert_cmpint (coarse_ns.ns[TB_PAINT_RUNNING], ==, exact_ns.ns[TB_PAINT_RUNNING]);
      g_assert_cmpint (coarse_ns.ns[TB_PAINT_RUNNABLE], ==, exact_ns.ns[TB_PAINT_RUNNABLE]);
    }
}

/* Replaces the overview by a single row, or by none. */
static void
put_overview (GFile *file, gsize n)
{
  static const gint64 start = 20 * MS, end = 10 * MS;
  static const guint32 thread = 1;
  static const guint8 state = 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);
  GBytes *columns[TB_OVERVIEW_N_COLUMNS] = {
    [TB_OVERVIEW_START] = g_bytes_new_static (&start, n * sizeof start),
    [TB_OVERVIEW_END] = g_bytes_new_static (&end, n * sizeof end),
    [TB_OVERVIEW_THREAD] = g_bytes_new_static (&thread, n * sizeof thread),
    [TB_OVERVIEW_STATE] = g_bytes_new_static (&state, n * sizeof state),
  };

  g_assert_no_error (error);
  tb_session_put_table (session, TB_TABLE_OVERVIEW, columns, n, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < TB_OVERVIEW_N_COLUMNS; i++)
    g_bytes_unref (columns[i]);
}

static void
test_first_picture (void)
{
  FirstPicture check_first_picture = { NULL };
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  g_autoptr (GFile) copy = save_copy (shell_open (window, file), "first-look.tailback");
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTimelineFigure) preview = NULL;
  TbDocument *document;
  gint64 from, to;

  shell_close_window (window);
  document = open_and_look (&check_first_picture, copy);
  g_assert_cmpuint (check_first_picture.n_pictures, ==, 1);
  g_assert_null (tb_document_get_preview (document));
  g_assert_null (
      shell_find_text (GTK_WIDGET (check_first_picture.window), "details are still being read"));
  tb_focus_get_view (tb_document_get_focus (document), &from, &to);
  g_assert_cmpint (from, ==, 30 * MS);
  g_assert_cmpint (to, ==, 118 * MS);
  g_assert_null (
      shell_find_text (shell_find (GTK_WIDGET (check_first_picture.window), "TbDetailsPane", NULL),
                       "Nothing Selected"));
  session = g_object_ref (tb_document_get_session (document));
  preview = tb_preview_timeline_new (session);
  g_assert_cmpuint (tb_timeline_figure_get_n_tracks (preview), ==, 8);
  check_same_tracks (preview, document);
  g_clear_object (&session);
  shell_close_window (check_first_picture.window);

  /* Without an overview, or with an inconsistent one, the recording still opens, and has a new
   * overview the next time. */
  for (gsize n = 0; n < 2; n++)
    {
      g_autoptr (GError) error = NULL;

      put_overview (copy, n);
      session = tb_session_open (copy, NULL, &error);
      g_assert_no_error (error);
      g_assert_null (tb_preview_timeline_new (session));
      g_clear_object (&session);
      document = open_and_look (&check_first_picture, copy);
      g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_READY);
      g_assert_nonnull (
          tb_analysis_item_get_report (tb_document_find_analysis (document, "threads")));
      shell_close_window (check_first_picture.window);
      session = tb_session_open (copy, NULL, &error);
      g_clear_object (&preview);
      preview = tb_preview_timeline_new (session);
      g_assert_nonnull (preview);
      g_clear_object (&session);
    }
}

static void
check_refused (TbWindow *window, GFile *file)
{
  TbDocument *document = shell_open (window, file);
  const GError *error = tb_document_get_error (document);

  g_assert_cmpint (tb_document_get_state (document), ==, TB_DOCUMENT_FAILED);
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Could Not Open “"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "GtkButton", "_Try Again"));
  shell_picture (window, "error");
  shell_activate (window, "close-tab", NULL);
}

static void
check_contents_refused (TbWindow *window, const char *contents, gsize length)
{
  g_autoptr (GFile) file = shell_temporary ("hostile <b>&amp;.tailback");
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, contents, length, NULL, FALSE, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  check_refused (window, file);
}

static void
test_hostile (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) inbox = shell_inbox ();
  g_autoptr (GFile) missing = shell_temporary ("missing.tailback");
  g_autoptr (GFile) directory = shell_temporary (".");
  g_autoptr (GFile) copy = save_copy (shell_open (window, inbox), "whole.tailback");
  g_autofree char *session = NULL;
  gsize length;
  char noise[4096];

  g_file_load_contents (copy, NULL, &session, &length, NULL, NULL);
  for (gsize i = 0; i < sizeof noise; i++)
    noise[i] = g_test_rand_int ();
  noise[0] = '\0';

  check_refused (window, missing);
  check_refused (window, directory);
  check_contents_refused (window, "", 0);
  check_contents_refused (window, noise, sizeof noise);
  check_contents_refused (window, "time_ns,cpu,kind\nnonsense", 25);
  check_contents_refused (window, "PERFILE2", 8);
  check_contents_refused (window, session, 100);
  check_contents_refused (window, session, 5000);
  memset (session + 100, 0xff, MIN (length - 100, 60000));
  check_contents_refused (window, session, length);
  shell_close_window (window);
}

static void
test_styles (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  GSettings *settings = tb_application_get_settings (shell_get_application ());

  shell_open (window, file);
  g_settings_set_string (settings, "style", "dark");
  g_assert_true (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  shell_picture (window, "dark");
  g_settings_set_string (settings, "style", "light");
  g_assert_false (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  shell_close_window (window);
}

static void
test_restore (void)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbWindow *window = shell_new_window ();

  shell_open (window, file);
  shell_close_window (window); /* stores the open documents */
  window = shell_new_window ();
  tb_application_restore (shell_get_application (), window);
  g_assert_nonnull (tb_window_get_document_page (window));
  shell_wait_settled (tb_document_page_get_document (tb_window_get_document_page (window)));
  shell_close_window (window);
}

static void
test_dialogs (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();

  shell_open (window, file);
  g_action_group_activate_action (G_ACTION_GROUP (shell_get_application ()), "preferences", NULL);
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "TbPreferencesDialog", NULL));
  shell_picture (window, "preferences");
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  g_action_group_activate_action (G_ACTION_GROUP (shell_get_application ()), "about", NULL);
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "AdwAboutDialog", NULL));
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/shell/start", test_start);
  g_test_add_func ("/shell/open", test_open);
  g_test_add_func ("/shell/figures", test_figures);
  g_test_add_func ("/shell/details", test_details);
  g_test_add_func ("/shell/selection", test_selection);
  g_test_add_func ("/shell/explain", test_explain);
  g_test_add_func ("/shell/led-to-box", test_navigate_to_box);
  g_test_add_func ("/shell/ask-process", test_process_prompt);
  g_test_add_func ("/shell/bookmarks", test_bookmarks);
  g_test_add_func ("/shell/save-copy", test_save_copy);
  g_test_add_func ("/shell/first-look", test_first_picture);
  g_test_add_func ("/shell/hostile", test_hostile);
  g_test_add_func ("/shell/styles", test_styles);
  g_test_add_func ("/shell/restore", test_restore);
  g_test_add_func ("/shell/dialogs", test_dialogs);
  return g_test_run ();
}
