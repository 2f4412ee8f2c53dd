/* test-narrow-window.c: the application in narrow windows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "shell-texts.h"
#include "ui-test.h"

static gboolean
has_process_dialog (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbProcessDialog", NULL);

  return dialog != NULL && shell_find (dialog, "GtkLabel", "nginx") != NULL;
}

static gboolean
is_narrow (gpointer page)
{
  gboolean narrow;

  g_object_get (page, "narrow", &narrow, NULL);
  return narrow;
}

/* On a phone the figure has most of the height, also with the banner about unsaved recordings. */
static gboolean
is_figure_large (gpointer window)
{
  GtkWidget *page = shell_find (window, "TbAnalysisPage", NULL);
  GtkWidget *frame = page != NULL ? shell_find (page, "GtkPaned", NULL) : NULL;

  return frame != NULL
         && 100 * gtk_widget_get_height (frame) >= 55 * gtk_widget_get_height (window);
}

/* Text that is cut for lack of room has the complete text as a tooltip. */
static void
assert_readable (GtkWidget *widget)
{
  g_auto (GStrv) cut = shell_texts_list_cut (widget);

  for (guint i = 0; cut[i] != NULL; i++)
    g_test_fail_printf ("\"%s\" is cut", cut[i]);
}

/* Waits for the layout, which takes some frames. */
static void
wait_figure_large (TbWindow *window, TbDocument *document, const char *analysis, const char *figure)
{
  shell_activate (window, "show-analysis", g_variant_new_string (analysis));
  shell_wait_settled (document);
  shell_activate (window, "show-figure", g_variant_new_string (figure));
  ui_frames (GTK_WIDGET (window), 3);
  shell_wait (is_figure_large, window, figure);
  assert_readable (GTK_WIDGET (window));
}

static void
test_phone (void)
{
  static const char *const figures[][2] = { { "threads", "timeline" },
                                            { "threads", "off-cpu" },
                                            { "threads", "states" },
                                            { "wait-graph", "wait-graph" },
                                            { "calling-contexts", "heat" } };
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = shell_inbox ();
  TbWindow *window;
  TbDocument *document;

  g_settings_set (settings, "window-size", "(ii)", 360, 720);
  window = shell_new_window ();
  document = shell_open (window, file);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "Not saved"));
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    wait_figure_large (window, document, figures[i][0], figures[i][1]);
  /* The search entry appears on request. */
  g_assert_null (shell_find (GTK_WIDGET (window), "GtkSearchEntry", NULL));
  shell_activate (window, "search", NULL);
  ui_frames (GTK_WIDGET (window), 2);
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "GtkSearchEntry", NULL));
  g_assert_true (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (window))));
  ui_key (GTK_WIDGET (window), "Escape");
  g_assert_null (shell_find (GTK_WIDGET (window), "GtkSearchEntry", NULL));
  shell_close_window (window);
  g_settings_set (settings, "window-size", "(ii)", 1440, 900);
}

/* The What-if pane replaces the figure temporarily; with enough room both are shown. */
static gboolean
shows_what_if (gpointer window)
{
  GtkWidget *pane = shell_find (window, "TbScenariosPane", NULL);

  return pane != NULL && gtk_widget_get_mapped (pane)
         && 100 * gtk_widget_get_height (pane) >= 50 * gtk_widget_get_height (window);
}

static gboolean
shows_graph (gpointer window)
{
  GtkWidget *view = shell_find (window, "TbGraphView", NULL);

  return view != NULL && gtk_widget_get_mapped (view);
}

static gboolean
shows_both (gpointer window)
{
  GtkWidget *pane = shell_find (window, "TbScenariosPane", NULL);

  return pane != NULL && gtk_widget_get_mapped (pane) && shows_graph (window);
}

/* The button has a label or, after a moment if there is no room, an icon. */
static GtkWidget *
find_try_button (TbWindow *window)
{
  GtkWidget *button = shell_find (GTK_WIDGET (window), "GtkToggleButton", "_What If…");

  return button != NULL ? button
                        : shell_find (GTK_WIDGET (window), "GtkToggleButton",
                                      "Predict the effect of a change (Ctrl+I)");
}

static void
test_what_if_pane (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = shell_inbox ();
  TbWindow *window;
  TbDocument *document;

  g_settings_set (settings, "window-size", "(ii)", 360, 720);
  window = shell_new_window ();
  document = shell_open (window, file);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait_settled (document);
  shell_wait (shows_graph, window, "the graph");
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL),
                              "analysis.try", NULL);
  shell_wait (shows_what_if, window, "what can be tried");
  g_assert_false (shows_graph (window));
  shell_picture (window, "narrow-trials");
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 800);
  shell_wait (shows_both, window, "both where there is room");
  gtk_window_set_default_size (GTK_WINDOW (window), 360, 720);
  shell_wait (shows_what_if, window, "what can be tried again");
  g_assert_false (shows_graph (window));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_try_button (window)), FALSE);
  shell_wait (shows_graph, window, "the graph again");
  shell_close_window (window);
  g_settings_set (settings, "window-size", "(ii)", 1440, 900);
}

/* Figure names that do not fit beside each other become a list. */
static gboolean
has_choice (gpointer window)
{
  GtkWidget *page = shell_find (window, "TbAnalysisPage", NULL);

  return shell_find (page, "GtkDropDown", NULL) != NULL
         && shell_find (page, "AdwInlineViewSwitcher", NULL) == NULL;
}

static gboolean
has_switcher (gpointer window)
{
  GtkWidget *page = shell_find (window, "TbAnalysisPage", NULL);

  return shell_find (page, "GtkDropDown", NULL) == NULL
         && shell_find (page, "AdwInlineViewSwitcher", NULL) != NULL;
}

static void
test_full (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  shell_wait (has_switcher, window, "few names");
  shell_activate (window, "show-analysis", g_variant_new_string ("calling-contexts"));
  shell_wait_settled (document);
  shell_wait (has_choice, window, "a list of many names");
  shell_activate (window, "show-analysis", g_variant_new_string ("threads"));
  shell_wait (has_switcher, window, "few names again");
  shell_close_window (window);
}

/* On the narrowest phone the header bar has room for everything, with tabs too. */
static void
test_two_tabs (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = shell_inbox ();
  g_autoptr (GFile) copy = shell_temporary ("beside.tailback");
  g_autoptr (GError) error = NULL;
  TbWindow *window;
  GtkWidget *bar;
  int least;

  g_settings_set (settings, "window-size", "(ii)", 350, 640);
  window = shell_new_window ();
  g_file_copy (file, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  shell_open (window, file);
  shell_open (window, copy);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  ui_frames (GTK_WIDGET (window), 3);
  bar = shell_find (GTK_WIDGET (window), "AdwHeaderBar", NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_nonnull (shell_find (bar, "AdwTabButton", NULL));
  g_assert_cmpint (least, <=, 350);
  shell_close_window (window);
  g_settings_set (settings, "window-size", "(ii)", 1440, 900);
}

static gboolean
is_sidebar_shown (gpointer window)
{
  return shell_find (window, "TbSidebar", NULL) != NULL;
}

static void
test_narrow (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document;
  TbWindow *window;

  g_settings_set (settings, "window-size", "(ii)", 360, 640);
  window = shell_new_window ();
  shell_picture (window, "narrow-start");
  document = shell_open (window, file);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 400);
  shell_picture (window, "narrow");
  shell_activate (window, "toggle-sidebar", NULL);
  shell_wait (is_sidebar_shown, window, "the sidebar");
  shell_wait_settled (document);
  ui_frames (GTK_WIDGET (window), 10);
  shell_picture (window, "narrow-sidebar");
  assert_readable (GTK_WIDGET (window));
  shell_close_window (window);
  g_settings_set (settings, "window-size", "(ii)", 1440, 900);
}

static gboolean
is_sidebar_hidden (gpointer window)
{
  return !is_sidebar_shown (window);
}

/* The sidebar, shown from anywhere, stays until an item is chosen, even the current one. */
static void
test_sidebar (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document;
  TbWindow *window;
  GtkWidget *row;

  g_settings_set (settings, "window-size", "(ii)", 360, 640);
  window = shell_new_window ();
  document = shell_open (window, file);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  shell_activate (window, "show-analysis", g_variant_new_string ("wait-graph"));
  shell_wait_settled (document);
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL),
                              "analysis.try", NULL);
  g_assert_true (is_sidebar_hidden (window));
  shell_activate (window, "toggle-sidebar", NULL);
  shell_wait_settled (document);
  ui_frames (GTK_WIDGET (window), 10);
  g_assert_true (is_sidebar_shown (window));
  shell_picture (window, "narrow-sidebar-trials");
  row = gtk_widget_get_ancestor (
      shell_find_text (shell_find (GTK_WIDGET (window), "TbSidebar", NULL), "Wait Graph"),
      GTK_TYPE_LIST_BOX_ROW);
  gtk_widget_activate (row);
  shell_wait (is_sidebar_hidden, window, "the sidebar to go");
  shell_close_window (window);
  g_settings_set (settings, "window-size", "(ii)", 1440, 900);
}

static gboolean
has_options_dialog (gpointer window)
{
  return shell_find (window, "TbOptionsDialog", NULL) != NULL;
}

static void
assert_fits (TbWindow *window, const char *type_name)
{
  GtkWidget *dialog = shell_find (GTK_WIDGET (window), type_name, NULL);

  g_assert_nonnull (dialog);
  g_assert_cmpint (gtk_widget_get_width (dialog), <=, gtk_widget_get_width (GTK_WIDGET (window)));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 400);
}

static void
close_dialog (TbWindow *window)
{
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
}

/* The explanation of a process, and its options, in a narrow dark window. */
static void
test_narrow_explained (void)
{
  GSettings *settings = tb_application_get_settings (shell_get_application ());
  g_autoptr (GFile) file = shell_inbox ();
  TbWindow *window;
  TbDocument *document;

  g_settings_set (settings, "window-size", "(ii)", 400, 800);
  g_settings_set_string (settings, "style", "dark");
  window = shell_new_window ();
  document = shell_open (window, file);
  shell_wait (is_narrow, tb_window_get_document_page (window), "the narrow layout");
  shell_activate (window, "explain-process", NULL);
  shell_wait (has_process_dialog, window, "the processes");
  assert_fits (window, "TbProcessDialog");
  assert_readable (GTK_WIDGET (window));
  shell_picture (window, "narrow-processes");
  close_dialog (window);
  tb_focus_select_thread (tb_document_get_focus (document), shell_find_thread (document, "curl"));
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  /* Icons alone do not distinguish two flames. */
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "GtkLabel", "Over Time"));
  shell_picture (window, "narrow-explained");
  shell_activate (window, "show-figure", g_variant_new_string ("explanation"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "GtkLabel", "Explanation"));
  shell_picture (window, "narrow-explanation");
  shell_activate (window, "show-figure", g_variant_new_string ("processes"));
  shell_picture (window, "narrow-timeline");
  shell_activate (window, "options", NULL);
  shell_wait (has_options_dialog, window, "the options");
  assert_fits (window, "TbOptionsDialog");
  shell_picture (window, "narrow-options");
  close_dialog (window);
  shell_activate (window, "compare", NULL);
  assert_fits (window, "TbCompareDialog");
  shell_picture (window, "narrow-compare");
  close_dialog (window);
  shell_close_window (window);
  g_settings_set_string (settings, "style", "light");
  g_settings_set (settings, "window-size", "(ii)", 1440, 900);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/narrow/two-tabs", test_two_tabs);
  g_test_add_func ("/narrow/document", test_narrow);
  g_test_add_func ("/narrow/explained", test_narrow_explained);
  g_test_add_func ("/narrow/phone", test_phone);
  g_test_add_func ("/narrow/sidebar", test_sidebar);
  g_test_add_func ("/narrow/crowded", test_full);
  g_test_add_func ("/narrow/trials", test_what_if_pane);
  return g_test_run ();
}
