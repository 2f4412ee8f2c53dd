/* test-documents.c: test of the output of documents (files, pages, paper), of figures as tables,
 * malformed figures, notes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-figure.h"
#include "shell-fixture.h"
#include "widgets/tailback-gtk.h"

static const char *const kinds[]
    = { "timeline", "flame", "histogram", "heatmap", "graph", "table" };

/* Returns the output of an action that writes to an address. */
static char *
write_to (TbWindow *window, const char *action, const char *name, gboolean as_path, gsize *length)
{
  g_autoptr (GFile) file = shell_temporary (name);
  g_autofree char *address = as_path ? g_file_get_path (file) : g_file_get_uri (file);
  g_autofree char *saved = g_strdup_printf ("“%s” saved", name);
  g_autoptr (GError) error = NULL;
  char *contents;

  shell_activate (window, action, g_variant_new_string (address));
  shell_wait_text (GTK_WIDGET (window), saved);
  g_file_load_contents (file, NULL, &contents, length, NULL, &error);
  g_assert_no_error (error);
  return contents;
}

/* The page is well-formed and without scripts: names remain text. */
static void
started (GMarkupParseContext *context,
         const char *name,
         const char **names,
         const char **values,
         gpointer data,
         GError **error)
{
  g_assert_cmpstr (name, !=, "img");
  g_assert_cmpstr (name, !=, "script");
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_assert_false (g_str_has_prefix (names[i], "on"));
      g_assert_cmpstr (names[i], !=, "src");
      if (g_str_equal (names[i], "href"))
        g_assert_cmpint (values[i][0], ==, '#');
    }
}

static void
assert_harmless (const char *text)
{
  const GMarkupParser parser = { .start_element = started };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, text, -1, &error);
  g_assert_no_error (error);
}

static void
test_export (void)
{
  TbWindow *window = shell_new_window ();

  shell_open_every_figure (window);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *png = NULL, *svg = NULL, *pdf = NULL, *csv = NULL, *name = NULL;
      gsize length;

      shell_show_figure (window, kinds[i]);
      name = g_strconcat (kinds[i], ".png", NULL);
      png = write_to (window, "export-figure-to", name, FALSE, &length);
      g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
      memcpy (name + strlen (kinds[i]), ".svg", 4);
      svg = write_to (window, "export-figure-to", name, FALSE, &length);
      assert_harmless (svg);
      memcpy (name + strlen (kinds[i]), ".pdf", 4);
      pdf = write_to (window, "export-figure-to", name, FALSE, &length);
      g_assert_cmpmem (pdf, 5, "%PDF-", 5);
      memcpy (name + strlen (kinds[i]), ".csv", 4);
      csv = write_to (window, "export-figure-to", name, FALSE, &length);
      g_assert_nonnull (strstr (csv, ","));
      g_assert_nonnull (strstr (csv, "\r\n"));
      g_assert_true (g_utf8_validate (csv, (gssize) length, NULL));
    }
  shell_close_window (window);
}

/* A failed write is reported, and the existing file stays. */
static gboolean
has_alert (gpointer window)
{
  return shell_find (window, "AdwAlertDialog", NULL) != NULL;
}

static void
test_refused (void)
{
  TbWindow *window = shell_new_window ();

  shell_open_every_figure (window);
  shell_activate (window, "export-figure-to",
                  g_variant_new_string ("file:///proc/nowhere/figure.svg"));
  shell_wait (has_alert, window, "the refusal");
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  shell_activate (window, "export-report-to",
                  g_variant_new_string ("file:///proc/nowhere/report.html"));
  shell_wait (has_alert, window, "the refusal of the page");
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  shell_close_window (window);
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (; (text = strstr (text, part)) != NULL; text++)
    n++;
  return n;
}

static void
test_report (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GRegex) empty = g_regex_new ("<meta[^>]*>|<!DOCTYPE html>", 0, 0, NULL);
  g_autofree char *page = NULL, *xml = NULL;
  gsize length;

  shell_open_every_figure (window);
  page = write_to (window, "export-report-to", "report.html", FALSE, &length);
  xml = g_regex_replace (empty, page, -1, 0, "", 0, NULL);
  assert_harmless (xml);
  g_assert_cmpuint (count (page, "role=\"img\""), >=, G_N_ELEMENTS (kinds) - 1);
  g_assert_nonnull (strstr (page, "id=\"every-figure\""));
  g_assert_nonnull (strstr (page, "id=\"threads\""));
  /* Nothing is fetched: no address, no import, no style from another file. */
  g_assert_null (strstr (page, "@import"));
  g_assert_cmpuint (count (page, "url("), ==, count (page, "url(#"));
  g_assert_null (strstr (page, "http://"));
  g_assert_null (strstr (page, "https://"));
  shell_close_window (window);
}

static void
test_print (void)
{
  TbWindow *window = shell_new_window ();
  g_autofree char *pdf = NULL;
  gsize length;

  shell_open_every_figure (window);
  shell_show_figure (window, "graph");
  pdf = write_to (window, "print-to", "printed.pdf", TRUE, &length);
  g_assert_cmpmem (pdf, 5, "%PDF-", 5);
  g_assert_cmpuint (length, >, 1000);
  shell_close_window (window);
}

/* Each figure as a table, with the same selection. */
static gboolean
has_table (gpointer window)
{
  return shell_find (window, "TbTableView", NULL) != NULL;
}

static gboolean
has_no_table (gpointer window)
{
  return !has_table (window);
}

static void
test_as_table (void)
{
  TbWindow *window = shell_new_window ();
  TbDocument *document = shell_open_every_figure (window);
  GtkBitset *selected;

  for (guint i = 0; i + 1 < G_N_ELEMENTS (kinds); i++)
    {
      shell_show_figure (window, kinds[i]);
      g_assert_true (has_no_table (window));
      shell_activate (window, "show-as-table", NULL);
      shell_wait (has_table, window, kinds[i]);
      g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==,
                       kinds[i]);
    }
  shell_show_figure (window, "graph");
  g_assert_true (has_table (window));
  shell_picture (window, "graph-as-table");
  tb_focus_select_item (tb_document_get_focus (document), "graph", "a-b", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  selected = gtk_selection_model_get_selection (gtk_column_view_get_model (
      GTK_COLUMN_VIEW (shell_find (GTK_WIDGET (window), "GtkColumnView", NULL))));
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 1);
  g_clear_pointer (&selected, gtk_bitset_unref);
  shell_activate (window, "show-as-table", NULL);
  shell_wait (has_no_table, window, "the graph");
  shell_show_figure (window, "table");
  g_assert_false (shell_is_enabled (window, "show-as-table"));
  shell_close_window (window);
}

/* An invalid figure is refused with the name of the plug-in, and the previous report stays. */
static gboolean
is_refused (gpointer item)
{
  return tb_analysis_item_get_error (item) != NULL;
}

static void
test_malformed (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *item = tb_document_find_analysis (document, "every-figure");
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_analysis_item_set_option (item, "malformed", "true", &error));
  g_assert_no_error (error);
  g_assert_true (
      tb_document_page_show_analysis (tb_window_get_document_page (window), "every-figure"));
  shell_wait (is_refused, item, "the refusal");
  g_assert_null (tb_analysis_item_get_report (item));
  g_assert_cmpstr (
      tb_analysis_item_get_error (item)->message, ==,
      "Every Figure failed: every-figure: the plug-in made an invalid figure “timeline”: intervals "
      "overlap, end before they begin or have an unknown state (track 0). Its report is not shown; "
      "report this to the author of the plug-in.");
  shell_wait_settled (document);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "intervals overlap"));
  shell_picture (window, "malformed");
  shell_close_window (window);
}

/* Bookmarks have notes, which are restored when the recording is opened again. */
static void
copied (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  tb_document_save_copy_finish (TB_DOCUMENT (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

static gboolean
has_entry (gpointer window)
{
  GtkWidget *dialog = GTK_WIDGET (adw_application_window_get_visible_dialog (window));

  return dialog != NULL && shell_find (dialog, "GtkEntry", NULL) != NULL
         && shell_find (dialog, "GtkButton", "_Save") != NULL;
}

static void
edit_bookmark (TbWindow *window, const char *was, const char *name, const char *note)
{
  GtkWidget *dialog, *view, *row;

  row = gtk_widget_get_ancestor (
      shell_find_text (shell_find (GTK_WIDGET (window), "TbSidebar", NULL), was),
      GTK_TYPE_LIST_BOX_ROW);
  g_signal_emit_by_name (shell_find (row, "GtkButton", NULL), "clicked"); /* the first: edits it */
  shell_wait (has_entry, window, "the bookmark's name");
  dialog = GTK_WIDGET (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  shell_picture (window, "bookmark");
  gtk_editable_set_text (GTK_EDITABLE (shell_find (dialog, "GtkEntry", NULL)), name);
  view = shell_find (dialog, "GtkTextView", NULL);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), note, -1);
  g_signal_emit_by_name (shell_find (dialog, "GtkButton", "_Save"), "clicked");
}

static void
test_notes (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox (), copy = shell_temporary ("notes.tailback");
  TbDocument *document = shell_open (window, file);
  gboolean done = FALSE;
  const TbBookmark *bookmarks;
  guint n;

  tb_document_save_copy_async (document, copy, NULL, copied, &done);
  shell_wait (is_true, &done, "the copy");
  document = shell_open (window, copy);
  shell_activate (window, "add-bookmark", NULL);
  bookmarks = tb_session_get_bookmarks (tb_document_get_session (document), &n);
  g_assert_cmpuint (n, ==, 1);
  edit_bookmark (window, bookmarks[0].name, "The stall", "before the commit\nsee the <disk>");
  bookmarks = tb_session_get_bookmarks (tb_document_get_session (document), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (bookmarks[0].name, ==, "The stall\nbefore the commit\nsee the <disk>");
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "GtkLabel", "The stall"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "see the <disk>"));
  shell_picture (window, "notes");
  shell_close_window (window);

  window = shell_new_window ();
  document = shell_open (window, copy);
  bookmarks = tb_session_get_bookmarks (tb_document_get_session (document), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (bookmarks[0].name, ==, "The stall\nbefore the commit\nsee the <disk>");
  shell_close_window (window);
}

/* A selection in a figure is described in words. */
static void
test_sentence (void)
{
  TbWindow *window = shell_new_window ();
  TbDocument *document = shell_open_every_figure (window);
  static const char *const stack[] = { "main", NULL };
  GtkWidget *details;

  shell_show_figure (window, "histogram");
  tb_focus_select_item (tb_document_get_focus (document), "histogram", "peak-1", TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window),
                                     "values (61 % of all) are from 64 ns to below 256 ns."));
  shell_picture (window, "sentence");

  /* A box of a merged flame: its share of the total, beside its place. */
  shell_show_figure (window, "flame");
  tb_focus_select_item (tb_document_get_focus (document), "flame", "0", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, stack);
  details = shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL);
  g_assert_nonnull (shell_find_text (details, "100 % of the total"));
  g_assert_nonnull (shell_find (details, "GtkLabel", "main"));
  shell_picture (window, "sentence-flame");
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/documents/export", test_export);
  g_test_add_func ("/documents/refused", test_refused);
  g_test_add_func ("/documents/report", test_report);
  g_test_add_func ("/documents/print", test_print);
  g_test_add_func ("/documents/as-table", test_as_table);
  g_test_add_func ("/documents/malformed", test_malformed);
  g_test_add_func ("/documents/notes", test_notes);
  g_test_add_func ("/documents/sentence", test_sentence);
  return g_test_run ();
}
