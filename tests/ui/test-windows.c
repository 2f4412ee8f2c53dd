/* test-windows.c: test of several windows, of opening by drop, of unsaved and of recovered
 * recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-figure.h"
#include "shell-fixture.h"
#include "shell/window/tb-recent.h"
#include "shell/window/tb-unsaved.h"
#include "widgets/tailback-gtk.h"

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

/* A text is no file, and an empty list has none: nothing is opened. */
static void
test_drop_refused (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) copy = make_copy ("named.csv");
  g_auto (GValue) text = G_VALUE_INIT, none = G_VALUE_INIT;
  GtkDropTarget *target = find_drop_target (shell_find (GTK_WIDGET (window), "GtkStack", NULL));
  gboolean taken = TRUE;

  g_value_init (&text, G_TYPE_STRING);
  g_value_take_string (&text, g_file_get_uri (copy));
  g_signal_emit_by_name (target, "drop", &text, 5., 5., &taken);
  g_assert_false (taken);
  taken = TRUE;
  g_value_init (&none, GDK_TYPE_FILE_LIST);
  g_signal_emit_by_name (target, "drop", &none, 5., 5., &taken);
  g_assert_false (taken);
  g_assert_null (tb_window_get_document_page (window));
  /* GTK does not offer it a text at all. */
  g_assert_false (
      gdk_content_formats_contain_gtype (gtk_drop_target_get_formats (target), G_TYPE_STRING));
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
  g_test_add_func ("/windows/windows", test_windows);
  g_test_add_func ("/windows/drop", test_drop);
  g_test_add_func ("/windows/drop-refused", test_drop_refused);
  g_test_add_func ("/windows/drop-folder", test_drop_folder);
  g_test_add_func ("/windows/unsaved", test_unsaved);
  g_test_add_func ("/windows/recovered", test_recovered);
  return g_test_run ();
}
