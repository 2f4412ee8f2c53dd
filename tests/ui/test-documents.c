/* test-documents.c: output of documents (files, pages, paper), and closing them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-figure.h"
#include "shell-fixture.h"
#include "shell/commands/tb-command-list.h"
#include "shell/window/tb-recent.h"
#include "shell/window/tb-unsaved.h"
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

static TbDocument *
open_every_figure (TbWindow *window)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  g_assert_true (
      tb_document_page_show_analysis (tb_window_get_document_page (window), "every-figure"));
  shell_wait_settled (document);
  return document;
}

static void
show_figure (TbWindow *window, const char *id)
{
  shell_activate (window, "show-figure", g_variant_new_string (id));
  g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, id);
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

  open_every_figure (window);
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

  open_every_figure (window);
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

  open_every_figure (window);
  show_figure (window, "graph");
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
  TbDocument *document = open_every_figure (window);
  GtkBitset *selected;

  for (guint i = 0; i + 1 < G_N_ELEMENTS (kinds); i++)
    {
      show_figure (window, kinds[i]);
      g_assert_true (has_no_table (window));
      shell_activate (window, "show-as-table", NULL);
      shell_wait (has_table, window, kinds[i]);
      g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==,
                       kinds[i]);
    }
  show_figure (window, "graph");
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
  show_figure (window, "table");
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
      "overlap, end before they begin or have an unknown state. Its report is not shown; report "
      "this to the author of the plug-in.");
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
  TbDocument *document = open_every_figure (window);
  static const char *const stack[] = { "main", NULL };
  GtkWidget *details;

  show_figure (window, "histogram");
  tb_focus_select_item (tb_document_get_focus (document), "histogram", "peak-1", TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window),
                                     "values (61 % of all) are from 64 ns to below 256 ns."));
  shell_picture (window, "sentence");

  /* A box of a merged flame: its share of the total, beside its place. */
  show_figure (window, "flame");
  tb_focus_select_item (tb_document_get_focus (document), "flame", "0", TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, stack);
  details = shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL);
  g_assert_nonnull (shell_find_text (details, "100 % of the total"));
  g_assert_nonnull (shell_find (details, "GtkLabel", "main"));
  shell_picture (window, "sentence-flame");
  shell_close_window (window);
}

/* The command palette */

static GtkEditable *
get_palette_search (TbWindow *window)
{
  GtkWidget *palette = shell_find (GTK_WIDGET (window), "TbCommandPalette", NULL);
  GtkWidget *search = palette != NULL ? shell_find (palette, "GtkSearchEntry", NULL) : NULL;

  return search != NULL ? GTK_EDITABLE (search) : NULL;
}

static gboolean
has_palette (gpointer window)
{
  return get_palette_search (window) != NULL;
}

static gboolean
has_no_palette (gpointer window)
{
  return adw_application_window_get_visible_dialog (window) == NULL
         && shell_find (window, "TbCommandPalette", NULL) == NULL;
}

/* Every action has a title, except those used by programs only. */
static void
assert_listed (GActionGroup *group, const char *prefix)
{
  g_auto (GStrv) names = g_action_group_list_actions (group);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *action = g_strconcat (prefix, names[i], NULL);
      const char *title = tb_command_list_find_title (action);

      if (title == NULL)
        g_error ("%s is not in the list of commands: see app/shell/tb-command-list.c", action);
      if (*title == '\0' && !g_str_has_suffix (action, "-to")
          && !g_str_equal (names[i], "commands"))
        g_assert_nonnull (g_action_group_get_action_parameter_type (group, names[i]));
    }
}

/* So has every action of the figure views. */
static void
assert_figures_listed (void)
{
  const GType types[] = { TB_TYPE_FLAME_VIEW, TB_TYPE_TIMELINE_VIEW,  TB_TYPE_TABLE_VIEW,
                          TB_TYPE_GRAPH_VIEW, TB_TYPE_HISTOGRAM_VIEW, TB_TYPE_HEATMAP_VIEW };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GTypeClass) class = g_type_class_ref (types[i]);
      const GVariantType *type;
      const char *action, *property;
      GType owner;

      for (guint k = 0; gtk_widget_class_query_action (GTK_WIDGET_CLASS (class), k, &owner, &action,
                                                       &type, &property);
           k++)
        if (owner == types[i] && tb_command_list_find_title (action) == NULL)
          g_error ("%s is not in the list of commands: see app/shell/commands/tb-figure-commands.c",
                   action);
    }
}

static gboolean
shows_flame (gpointer window)
{
  return g_strcmp0 (tb_document_page_get_figure (tb_window_get_document_page (window)), "flame")
         == 0;
}

static gboolean
is_inverted (gpointer window)
{
  GtkWidget *view = shell_find (GTK_WIDGET (window), "TbFlameView", NULL);
  gboolean inverted = FALSE;

  if (view != NULL)
    g_object_get (view, "inverted", &inverted, NULL);
  return inverted;
}

/* Checks whether the single command with this title can be used now. */
static gboolean
is_offered (TbWindow *window, const char *title)
{
  GtkListView *view = GTK_LIST_VIEW (shell_find (GTK_WIDGET (window), "GtkListView", NULL));
  GListModel *found = G_LIST_MODEL (gtk_list_view_get_model (view));
  g_autoptr (TbCommandItem) item = NULL;

  gtk_editable_set_text (get_palette_search (window), title);
  g_assert_cmpuint (g_list_model_get_n_items (found), ==, 1);
  item = g_list_model_get_item (found, 0);
  return tb_command_item_is_enabled (item);
}

static void
test_palette (void)
{
  TbWindow *window = shell_new_window ();
  GtkListView *view;
  guint n_all, n_found;

  open_every_figure (window);
  show_figure (window, "graph");
  assert_listed (G_ACTION_GROUP (window), "win.");
  assert_figures_listed ();
  shell_activate (window, "commands", NULL);
  shell_wait (has_palette, window, "the palette");
  shell_picture (window, "palette");
  view = GTK_LIST_VIEW (shell_find (GTK_WIDGET (window), "GtkListView", NULL));
  n_all = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (view)));
  gtk_editable_set_text (get_palette_search (window), "FIGURE: fl");
  n_found = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (view)));
  g_assert_cmpuint (n_all, >, 50);
  g_assert_cmpuint (n_found, ==, 1);
  g_signal_emit_by_name (get_palette_search (window), "activate");
  shell_wait (shows_flame, window, "the flame");
  shell_wait (has_no_palette, window, "the end of the palette");

  /* In the visible flame: without a selected function, “show callers and callees” is not available.
   * */
  shell_activate (window, "commands", NULL);
  shell_wait (has_palette, window, "the palette with the flame");
  g_assert_false (is_offered (window, "flame: show callers and callees"));
  g_assert_true (is_offered (window, "flame: invert"));
  g_signal_emit_by_name (get_palette_search (window), "activate");
  shell_wait (is_inverted, window, "the inverted flame");
  shell_wait (has_no_palette, window, "the end of the palette");

  shell_activate (window, "commands", NULL);
  shell_wait (has_palette, window, "the palette again");
  gtk_editable_set_text (get_palette_search (window), "no such thing");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "No Command Found"));
  shell_activate (window, "commands", NULL);
  shell_wait (has_no_palette, window, "the end of the palette");
  shell_close_window (window);
}

static void
test_application_actions (void)
{
  static const char *const machines[] = { "compare", "new-recording", NULL };
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (shell_get_application ()));

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *action = g_strconcat ("app.", names[i], NULL);

      if (!g_strv_contains (machines, names[i]) && tb_command_list_find_title (action) == NULL)
        g_error ("%s is not in the list of commands: see app/shell/tb-command-list.c", action);
    }
}

/* Tabs and windows */

static GFile *
make_copy (const char *name)
{
  g_autoptr (GFile) inbox = shell_inbox ();
  GFile *copy = shell_temporary (name);
  g_autoptr (GError) error = NULL;

  g_file_copy (inbox, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return copy;
}

static GPtrArray *
list_windows (void)
{
  GPtrArray *windows = g_ptr_array_new ();

  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (shell_get_application ()));
       link != NULL; link = link->next)
    if (TB_IS_WINDOW (link->data))
      g_ptr_array_add (windows, link->data);
  return windows;
}

static gboolean
has_two_windows (gpointer data)
{
  g_autoptr (GPtrArray) windows = list_windows ();

  return windows->len == 2;
}

static TbWindow *
get_other (TbWindow *window)
{
  g_autoptr (GPtrArray) windows = list_windows ();

  return windows->pdata[0] == window ? windows->pdata[1] : windows->pdata[0];
}

static gboolean
has_two_stored (gpointer settings)
{
  g_autoptr (GVariant) windows = g_settings_get_value (settings, "open-windows");

  return g_variant_n_children (windows) == 2;
}

/* A tab is moved to another window and works there; both windows are restored at the next start. */
static void
test_windows (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window (), *other;
  g_autoptr (GFile) file = shell_inbox (), copy = make_copy ("second.csv");
  TbDocument *document;
  g_autoptr (GVariant) remembered = NULL;

  shell_open (window, copy);
  document = shell_open (window, file);
  shell_activate (window, "move-tab", NULL);
  shell_wait (has_two_windows, NULL, "the second window");
  other = get_other (window);
  g_assert_true (tb_window_has_document (other, file));
  g_assert_false (tb_window_has_document (window, file));
  g_assert_true (tb_window_has_document (window, copy));
  /* Its messages are shown there. */
  g_assert_false (shell_is_enabled (other, "clear-selection"));
  tb_focus_select_thread (tb_document_get_focus (document), shell_find_thread (document, "auth"));
  g_assert_true (shell_is_enabled (other, "clear-selection"));
  g_assert_false (shell_is_enabled (window, "clear-selection"));
  g_signal_emit_by_name (document, "message", "heard");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (other), "heard"));
  g_assert_null (shell_find_text (GTK_WIDGET (window), "heard"));

  shell_wait (has_two_stored, settings, "what is open");
  remembered = g_settings_get_value (settings, "open-windows");
  shell_close_window (other);
  /* A closed window is not restored while another exists. */
  g_assert_false (has_two_stored (settings));
  shell_close_window (window);
  g_settings_set_value (settings, "open-windows", remembered);
  window = shell_new_window ();
  tb_application_restore (shell_get_application (), window);
  shell_wait (has_two_windows, NULL, "both windows");
  other = get_other (window);
  g_assert_true (tb_window_has_document (window, copy));
  g_assert_true (tb_window_has_document (other, file));
  shell_close_window (other);
  shell_close_window (window);
}

/* Dropped files are opened; opened files are among the recent ones. */
static GtkDropTarget *
find_drop_target (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        return GTK_DROP_TARGET (controller);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkDropTarget *found = find_drop_target (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_recent (gpointer uri)
{
  GList *recent = tb_recent_list ();
  gboolean found = FALSE;

  for (GList *link = recent; link != NULL; link = link->next)
    found = found || g_str_equal (gtk_recent_info_get_uri (link->data), uri);
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
  return found;
}

static void
test_drop (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) copy = make_copy ("dropped.csv");
  g_autofree char *uri = g_file_get_uri (copy);
  g_auto (GValue) value = G_VALUE_INIT;
  GtkDropTarget *target = find_drop_target (shell_find (GTK_WIDGET (window), "GtkStack", NULL));
  gboolean taken = FALSE;

  g_assert_nonnull (target);
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (&copy, 1));
  g_signal_emit_by_name (target, "drop", &value, 5., 5., &taken);
  g_assert_true (taken);
  g_assert_true (tb_window_has_document (window, copy));
  shell_wait_settled (tb_document_page_get_document (tb_window_get_document_page (window)));
  shell_wait (is_recent, uri, "the list of recent files");
  shell_activate (window, "close-tab", NULL);
  g_assert_false (tb_window_has_document (window, copy));
  shell_activate (window, "open-uri", g_variant_new_string (uri));
  g_assert_true (tb_window_has_document (window, copy));
  shell_close_window (window);
}

/* perf record --threads writes a folder. */
static void
test_drop_folder (void)
{
  TbWindow *window = shell_new_window ();
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "cli", "fixtures", "perf-data", "threads.data", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_auto (GValue) value = G_VALUE_INIT;
  GtkDropTarget *target = find_drop_target (shell_find (GTK_WIDGET (window), "GtkStack", NULL));
  TbDocument *document;
  gboolean taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (&folder, 1));
  g_signal_emit_by_name (target, "drop", &value, 5., 5., &taken);
  g_assert_true (taken);
  document = tb_document_page_get_document (tb_window_get_document_page (window));
  shell_wait_settled (document);
  g_assert_no_error (tb_document_get_error (document));
  g_assert_nonnull (tb_document_get_trace (document));
  shell_close_window (window);
}

/* Unsaved recordings */

static gboolean
has_question (gpointer window)
{
  GtkWidget *keep = shell_find (window, "GtkButton", "_Keep");

  return keep != NULL && gtk_widget_get_mapped (keep);
}

static gboolean
has_no_question (gpointer window)
{
  return shell_find (window, "AdwAlertDialog", NULL) == NULL;
}

static void
answer (TbWindow *window, const char *label)
{
  shell_wait (has_question, window, "the question");
  g_signal_emit_by_name (shell_find (GTK_WIDGET (window), "GtkButton", label), "clicked");
  shell_wait (has_no_question, window, "the end of the question");
}

static gboolean
has_no_tab (gpointer window)
{
  return tb_window_get_document_page (window) == NULL;
}

static void
test_unsaved (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = make_copy ("unsaved.csv");

  tb_unsaved_add (settings, file);
  shell_open (window, file);
  shell_activate (window, "close-tab", NULL);
  shell_wait (has_question, window, "the question");
  shell_picture (window, "unsaved");
  answer (window, "_Cancel");
  g_assert_true (tb_window_has_document (window, file));
  gtk_window_close (GTK_WINDOW (window));
  answer (window, "_Cancel");
  g_assert_true (tb_window_has_document (window, file));
  g_assert_true (tb_unsaved_contains (settings, file));

  shell_activate (window, "close-tab", NULL);
  answer (window, "_Keep");
  shell_wait (has_no_tab, window, "the end of the tab");
  g_assert_true (g_file_query_exists (file, NULL));
  g_assert_false (tb_unsaved_contains (settings, file));
  shell_open (window, file);
  shell_activate (window, "close-tab", NULL); /* no second question */
  g_assert_true (has_no_tab (window));

  tb_unsaved_add (settings, file);
  shell_open (window, file);
  shell_activate (window, "close-tab", NULL);
  answer (window, "_Discard");
  shell_wait (has_no_tab, window, "the end of the tab");
  g_assert_false (g_file_query_exists (file, NULL));
  g_assert_false (tb_unsaved_contains (settings, file));
  shell_close_window (window);
}

/* A recording interrupted by a crash is recovered, whether or not the open files still exist. */
static void
test_recovered (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = make_copy ("crashed.csv"), gone = shell_temporary ("gone.csv");
  TbWindow *window = shell_new_window ();

  g_settings_set_boolean (settings, "restore-session", FALSE);
  tb_unsaved_add (settings, file);
  tb_unsaved_add (settings, gone);
  tb_application_restore (shell_get_application (), window);
  g_assert_true (tb_window_has_document (window, file));
  g_assert_false (tb_window_has_document (window, gone));
  g_assert_false (tb_unsaved_contains (settings, gone));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Recovered “crashed.csv”"));
  shell_wait_settled (tb_document_page_get_document (tb_window_get_document_page (window)));
  shell_close_window (window); /* kept: see shell_close_window() */
  g_assert_false (tb_unsaved_contains (settings, file));
  g_settings_reset (settings, "restore-session");
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
  g_test_add_func ("/documents/palette", test_palette);
  g_test_add_func ("/documents/application-actions", test_application_actions);
  g_test_add_func ("/documents/windows", test_windows);
  g_test_add_func ("/documents/drop", test_drop);
  g_test_add_func ("/documents/drop-folder", test_drop_folder);
  g_test_add_func ("/documents/unsaved", test_unsaved);
  g_test_add_func ("/documents/recovered", test_recovered);
  return g_test_run ();
}
