/* test-documents.c: what is made of a document for others: files, pages, paper; and what becomes of it when it is closed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-figure.h"
#include "shell-fixture.h"

static const char *const kinds[] = { "timeline", "flame", "histogram", "heatmap", "graph", "table" };

typedef struct
{
  TbWindow *window;
  const char *text;
} Told;

static gboolean
is_told (gpointer data)
{
  const Told *told = data;

  return shell_find_text (GTK_WIDGET (told->window), told->text) != NULL;
}

/* What an action that is given an address wrote there. */
static char *
write_to (TbWindow *window, const char *action, const char *name, gboolean as_path, gsize *length)
{
  g_autoptr (GFile) file = shell_temporary (name);
  g_autofree char *address = as_path ? g_file_get_path (file) : g_file_get_uri (file);
  g_autofree char *saved = g_strdup_printf ("“%s” saved", name);
  g_autoptr (GError) error = NULL;
  char *contents;

  shell_activate (window, action, g_variant_new_string (address));
  shell_wait (is_told, &(Told) { window, saved }, saved);
  g_file_load_contents (file, NULL, &contents, length, NULL, &error);
  g_assert_no_error (error);
  return contents;
}

static TbDocument *
open_every_figure (TbWindow *window)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  g_assert_true (tb_document_page_show_analysis (tb_window_get_document_page (window), "every-figure"));
  shell_wait_settled (document);
  return document;
}

static void
show_figure (TbWindow *window, const char *id)
{
  shell_activate (window, "show-figure", g_variant_new_string (id));
  g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, id);
}

/* A well-formed document without scripts: what a name holds stays text. */
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

  open_every_figure (window);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *png = NULL, *svg = NULL, *pdf = NULL, *csv = NULL, *name = NULL;
      gsize length;

      show_figure (window, kinds[i]);
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

/* What cannot be written is said, and what was there stays. */
static gboolean
has_alert (gpointer window)
{
  return shell_find (window, "AdwAlertDialog", NULL) != NULL;
}

static void
test_refused (void)
{
  TbWindow *window = shell_new_window ();

  open_every_figure (window);
  shell_activate (window, "export-figure-to", g_variant_new_string ("file:///proc/nowhere/figure.svg"));
  shell_wait (has_alert, window, "the refusal");
  adw_dialog_force_close (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  shell_activate (window, "export-report-to", g_variant_new_string ("file:///proc/nowhere/report.html"));
  shell_wait (has_alert, window, "the refusal of the page");
  adw_dialog_force_close (adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
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

  open_every_figure (window);
  page = write_to (window, "export-report-to", "report.html", FALSE, &length);
  xml = g_regex_replace (empty, page, -1, 0, "", 0, NULL);
  assert_harmless (xml);
  g_assert_cmpuint (count (page, "role=\"img\""), >=, G_N_ELEMENTS (kinds) - 1);
  g_assert_nonnull (strstr (page, "id=\"every-figure\""));
  g_assert_nonnull (strstr (page, "id=\"threads\""));
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

  open_every_figure (window);
  show_figure (window, "graph");
  pdf = write_to (window, "print-to", "printed.pdf", TRUE, &length);
  g_assert_cmpmem (pdf, 5, "%PDF-", 5);
  g_assert_cmpuint (length, >, 1000);
  shell_close_window (window);
}

/* Each figure as a table, in which the same things are selected. */
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
  TbDocument *document = open_every_figure (window);
  GtkBitset *selected;

  for (guint i = 0; i + 1 < G_N_ELEMENTS (kinds); i++)
    {
      show_figure (window, kinds[i]);
      g_assert_true (has_no_table (window));
      shell_activate (window, "show-as-table", NULL);
      shell_wait (has_table, window, kinds[i]);
      g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, kinds[i]);
    }
  show_figure (window, "graph");
  g_assert_true (has_table (window));
  shell_picture (window, "graph-as-table");
  tb_focus_select_item (tb_document_get_focus (document), "graph", "a-b", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  selected = gtk_selection_model_get_selection (
      gtk_column_view_get_model (GTK_COLUMN_VIEW (shell_find (GTK_WIDGET (window), "GtkColumnView", NULL))));
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 1);
  g_clear_pointer (&selected, gtk_bitset_unref);
  shell_activate (window, "show-as-table", NULL);
  shell_wait (has_no_table, window, "the graph");
  show_figure (window, "table");
  g_assert_false (shell_is_enabled (window, "show-as-table"));
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
  return g_test_run ();
}
