/* test-conventional-input.c: conventional keys, mouse actions and touch gestures in the whole
 * window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/lsan_interface.h>
#endif

#include "shell-fixture.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define MS G_GINT64_CONSTANT (1000000)

static gboolean
has_dialog (gpointer window)
{
  return adw_application_window_get_visible_dialog (window) != NULL;
}

static gboolean
has_no_dialog (gpointer window)
{
  return !has_dialog (window);
}

static void
close_dialog (ShellTimeline *self, const char *type_name)
{
  shell_wait (has_dialog, self->window, type_name);
  g_assert_nonnull (shell_find (GTK_WIDGET (self->window), type_name, NULL));
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (self->window)));
  shell_wait (has_no_dialog, self->window, "the end of the dialog");
  gtk_widget_grab_focus (self->view);
}

static gboolean
searches (gpointer data)
{
  ShellTimeline *self = data;
  GtkWidget *focused = gtk_window_get_focus (GTK_WINDOW (self->window));

  return focused != NULL && gtk_widget_get_ancestor (focused, GTK_TYPE_SEARCH_ENTRY) != NULL;
}

/* Keys of the window, not of the figure. */
static void
test_window_keys (ShellTimeline *self, gconstpointer data)
{
  guint n;

  ui_key (GTK_WIDGET (self->window), "ctrl+shift+p");
  close_dialog (self, "TbCommandPalette");
  ui_key (GTK_WIDGET (self->window), "question");
  close_dialog (self, "AdwPreferencesGroup");
  ui_key (GTK_WIDGET (self->window), "ctrl+question");
  close_dialog (self, "AdwPreferencesGroup");

  tb_focus_select_item (self->focus, "timeline", NULL, shell_find_thread (self->document, "auth"),
                        31 * MS, 117 * MS, NULL);
  ui_key (GTK_WIDGET (self->window), "m");
  tb_session_get_bookmarks (tb_document_get_session (self->document), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_nonnull (
      shell_find_text (shell_find (GTK_WIDGET (self->window), "TbSidebar", NULL), "auth (1168)"));
  ui_key (GTK_WIDGET (self->window), "ctrl+d");
  tb_session_get_bookmarks (tb_document_get_session (self->document), &n);
  g_assert_cmpuint (n, ==, 2);

  ui_key (GTK_WIDGET (self->window), "ctrl+f");
  shell_wait (searches, self, "the search");
  /* In an entry the keys are text, not commands. */
  ui_key (GTK_WIDGET (self->window), "m");
  tb_session_get_bookmarks (tb_document_get_session (self->document), &n);
  g_assert_cmpuint (n, ==, 2);
  ui_key (GTK_WIDGET (self->window), "Escape");
  gtk_widget_grab_focus (self->view);
  ui_key (GTK_WIDGET (self->window), "slash");
  shell_wait (searches, self, "the search");
}

static gboolean
has_flame (gpointer window)
{
  return shell_find (window, "TbFlameCanvas", NULL) != NULL;
}

/* A chronological figure, which has single-letter keys of its own. */
static void
test_mark_in_flame (ShellTimeline *self, gconstpointer data)
{
  GtkWidget *canvas;
  guint n;

  tb_focus_select_thread (self->focus, shell_find_thread (self->document, "curl"));
  shell_activate (self->window, "explain", NULL);
  shell_wait_settled (self->document);
  shell_wait (has_flame, self->window, "the paths");
  canvas = shell_find (GTK_WIDGET (self->window), "TbFlameCanvas", NULL);
  ui_frames (canvas, 2);
  gtk_widget_grab_focus (canvas);
  ui_key (GTK_WIDGET (self->window), "m");
  tb_session_get_bookmarks (tb_document_get_session (self->document), &n);
  g_assert_cmpuint (n, ==, 1);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_read (gpointer data)
{
  return *(char **) data != NULL;
}

static gboolean
has_table (gpointer window)
{
  return shell_find (window, "TbTableView", NULL) != NULL;
}

/* Copying as values has a key that reaches the table; the application's own keys do not reach
 * it. */
static void
test_copy (ShellTimeline *self, gconstpointer data)
{
  GtkWidget *table;
  g_autofree char *text = NULL;

  shell_activate (self->window, "show-figure", g_variant_new_string ("states"));
  shell_wait (has_table, self->window, "the table");
  table = shell_find (GTK_WIDGET (self->window), "TbTableView", NULL);
  ui_frames (table, 2);
  gtk_widget_grab_focus (table);
  tb_focus_select_thread (self->focus, shell_find_thread (self->document, "auth"));
  ui_frames (table, 2);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (table), "before");
  ui_key (GTK_WIDGET (self->window), "ctrl+alt+c");
  g_assert_false (has_dialog (self->window));
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (table), NULL, on_text, &text);
  shell_wait (is_read, &text, "what was copied");
  g_assert_cmpstr (text, !=, "before");
  g_assert_true (g_str_has_suffix (text, "\r\n"));
  g_assert_nonnull (strstr (text, "\r\ndovecot/auth,1168,"));
}

static void
assert_view (ShellTimeline *self, double from_ms, double to_ms)
{
  gint64 from, to;

  tb_focus_get_view (self->focus, &from, &to);
  g_assert_cmpfloat_with_epsilon ((double) from / MS, from_ms, .01);
  g_assert_cmpfloat_with_epsilon ((double) to / MS, to_ms, .01);
}

static void
double_click (GtkWidget *widget, double x, double y)
{
  ui_point (widget, x, y);
  ui_input ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  ui_frames (widget, 3);
}

/* A double click on an interval zooms to it; beside all intervals it zooms to everything. */
static void
test_double_click (ShellTimeline *self, gconstpointer data)
{
  TbTimelineView *view = TB_TIMELINE_VIEW (self->view);
  TbTimelineFigure *figure
      = TB_TIMELINE_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (self->view)));
  guint32 auth = shell_find_thread (self->document, "auth");
  guint track = 0;
  gint64 from, to, chosen_from, chosen_to;
  double x, y;

  for (TbTimelineTrack info; track < tb_timeline_figure_get_n_tracks (figure); track++)
    {
      tb_timeline_figure_get_track (figure, track, &info);
      if (info.thread == auth)
        break;
    }
  tb_timeline_view_get_position (view, track, 70 * MS, &x, &y);
  double_click (self->view, x, y);
  g_assert_true (tb_focus_get_time (self->focus, &chosen_from, &chosen_to));
  tb_focus_get_view (self->focus, &from, &to);
  g_assert_cmpint (from, <=, chosen_from);
  g_assert_cmpint (to, >=, chosen_to);
  g_assert_cmpint (to - from, <, 2 * (chosen_to - chosen_from));
  ui_key (GTK_WIDGET (self->window), "Escape");
  /* The heading of a process has no intervals. */
  ui_key (GTK_WIDGET (self->window), "0");
  assert_view (self, 0, 265);
}

/* Without a touch screen, the gesture is called with the values it would receive. */
static void
test_pinch (ShellTimeline *self, gconstpointer data)
{
  GtkGesture *pinch = ui_find_controller (shell_find (self->view, "TbTimelineCanvas", NULL),
                                          GTK_TYPE_GESTURE_ZOOM);
  gint64 from, to;

  g_assert_nonnull (pinch);
  g_signal_emit_by_name (pinch, "begin", NULL);
  g_signal_emit_by_name (pinch, "scale-changed", 2.);
  tb_focus_get_view (self->focus, &from, &to);
  g_assert_cmpfloat_with_epsilon ((double) (to - from) / MS, 132.5, .01);
  g_signal_emit_by_name (pinch, "scale-changed", 1.);
  assert_view (self, 0, 265);
}

/* A scrolled figure continues for a while: GTK's kinetic scrolling does so in scrolled windows. */
static void
test_kinetic (ShellTimeline *self, gconstpointer data)
{
  static const char *const canvases[] = { "TbTimelineCanvas", "TbFlameCanvas" };
  static const char *const figures[] = { "timeline", "off-cpu" };

  for (guint i = 0; i < G_N_ELEMENTS (canvases); i++)
    {
      GtkWidget *canvas, *scrolled;

      shell_activate (self->window, "show-figure", g_variant_new_string (figures[i]));
      ui_frames (GTK_WIDGET (self->window), 2);
      canvas = shell_find (GTK_WIDGET (self->window), canvases[i], NULL);
      g_assert_nonnull (canvas);
      scrolled = gtk_widget_get_ancestor (canvas, GTK_TYPE_SCROLLED_WINDOW);
      g_assert_nonnull (scrolled);
      g_assert_true (gtk_scrolled_window_get_kinetic_scrolling (GTK_SCROLLED_WINDOW (scrolled)));
    }
}

/* Tabs */

static gboolean
has_two_pages (gpointer view)
{
  return adw_tab_view_get_n_pages (view) == 2;
}

/* A tab dropped on the tab bar of another window moves there and works. */
static void
test_drag_between_windows (ShellTimeline *self, gconstpointer data)
{
  TbWindow *other = shell_new_window ();
  g_autoptr (GFile) inbox = shell_inbox ();
  g_autoptr (GFile) copy = shell_temporary ("dragged.csv");
  AdwTabView *from, *to;
  AdwTabPage *page;

  g_assert_true (g_file_copy (inbox, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));
  shell_open (other, copy);
  from = ADW_TAB_VIEW (shell_find (GTK_WIDGET (self->window), "AdwTabView", NULL));
  to = ADW_TAB_VIEW (shell_find (GTK_WIDGET (other), "AdwTabView", NULL));
  page = adw_tab_view_get_selected_page (from);
  /* The same call as the tab bar's drop handler. */
  adw_tab_view_transfer_page (from, page, to, 0);
  shell_wait (has_two_pages, to, "both tabs in one window");
  adw_tab_view_set_selected_page (to, page);
  g_assert_true (tb_window_has_document (other, inbox));
  g_assert_false (tb_window_has_document (self->window, inbox));
  tb_focus_select_thread (self->focus, shell_find_thread (self->document, "auth"));
  g_assert_true (shell_is_enabled (other, "clear-selection"));
  g_assert_false (shell_is_enabled (self->window, "clear-selection"));
  shell_close_window (other);
}

static GtkWidget *
find_tab (GtkWidget *widget, AdwTabPage *page)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwTab") && gtk_widget_get_mapped (widget))
    {
      g_autoptr (AdwTabPage) shown = NULL;

      g_object_get (widget, "page", &shown, NULL);
      return shown == page ? widget : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_tab (child, page);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_three_pages (gpointer view)
{
  return adw_tab_view_get_n_pages (view) == 3;
}

static TbWindow *
new_window_at (int x, const char *const *names)
{
  TbWindow *window = shell_new_window ();
  g_autofree char *id = NULL, *place = g_strdup_printf ("%d", x);

  gtk_window_set_default_size (GTK_WINDOW (window), 780, 700);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GFile) inbox = shell_inbox (), copy = shell_temporary (names[i]);

      g_assert_true (g_file_copy (inbox, copy, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));
      shell_open (window, copy);
    }
  ui_frames (GTK_WIDGET (window), 5);
  id = ui_window_id (GTK_WIDGET (window));
  ui_input ("windowmove", "--sync", id, place, "0", NULL);
  return window;
}

/* libadwaita 1.7 leaks a reference to the icon of each dragged tab (adw-tab-box.c,
 * create_drag_icon()): allocations during a drag are not checked. */
static void
set_leaks_ignored (gboolean is_ignored)
{
#ifdef __SANITIZE_ADDRESS__
  if (is_ignored)
    __lsan_disable ();
  else
    __lsan_enable ();
#endif
}

/* With the pointer, from the tab bar of one window to that of another. */
static void
test_drag_by_pointer (ShellTimeline *self, gconstpointer data)
{
  static const char *const left_names[] = { "one.csv", "two.csv", NULL };
  static const char *const right_names[] = { "three.csv", "four.csv", NULL };
  TbWindow *left = new_window_at (0, left_names), *right = new_window_at (800, right_names);
  AdwTabView *from = ADW_TAB_VIEW (shell_find (GTK_WIDGET (left), "AdwTabView", NULL));
  AdwTabView *to = ADW_TAB_VIEW (shell_find (GTK_WIDGET (right), "AdwTabView", NULL));
  AdwTabPage *page = adw_tab_view_get_nth_page (from, 1);
  GtkWidget *tab = find_tab (GTK_WIDGET (left), page);
  GtkWidget *target = find_tab (GTK_WIDGET (right), adw_tab_view_get_nth_page (to, 0));
  graphene_point_t place;

  g_assert_nonnull (tab);
  g_assert_nonnull (target);
  /* Tabs are recreated while a tab hovers over them, so the position of the bar is stored. */
  g_assert_true (
      gtk_widget_compute_point (target, GTK_WIDGET (to),
                                &GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (target) / 2,
                                                      (float) gtk_widget_get_height (target) / 2),
                                &place));
  ui_point (tab, gtk_widget_get_width (tab) / 2., gtk_widget_get_height (tab) / 2.);
  ui_input ("mousedown", "1", NULL);
  ui_frames (GTK_WIDGET (left), 5);
  set_leaks_ignored (TRUE);
  for (guint i = 1; i <= 4; i++)
    ui_point (GTK_WIDGET (from), 200, i * 60);
  for (guint i = 0; i < 6; i++)
    {
      ui_point (GTK_WIDGET (to), place.x + i, place.y);
      ui_frames (GTK_WIDGET (right), 4);
    }
  set_leaks_ignored (FALSE);
  ui_input ("mouseup", "1", NULL);
  shell_wait (has_three_pages, to, "the tab in the other window");
  g_assert_cmpint (adw_tab_view_get_n_pages (from), ==, 1);
  g_assert_cmpint (adw_tab_view_get_page_position (to, page), >=, 0);
  shell_close_window (left);
  shell_close_window (right);
}

static gboolean
is_open (gpointer overview)
{
  return adw_tab_overview_get_open (overview);
}

static gboolean
is_closed (gpointer overview)
{
  return !is_open (overview);
}

static void
test_overview (ShellTimeline *self, gconstpointer data)
{
  GtkWidget *overview = shell_find (GTK_WIDGET (self->window), "AdwTabOverview", NULL);

  ui_key (GTK_WIDGET (self->window), "ctrl+shift+o");
  shell_wait (is_open, overview, "the overview of tabs");
  g_assert_nonnull (shell_find_text (overview, "inbox.csv"));
  ui_key (GTK_WIDGET (self->window), "Escape");
  shell_wait (is_closed, overview, "its end");
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add ("/habits/window-keys", ShellTimeline, NULL, shell_timeline_set_up, test_window_keys,
              shell_timeline_tear_down);
  g_test_add ("/habits/mark-in-flame", ShellTimeline, NULL, shell_timeline_set_up,
              test_mark_in_flame, shell_timeline_tear_down);
  g_test_add ("/habits/copy", ShellTimeline, NULL, shell_timeline_set_up, test_copy,
              shell_timeline_tear_down);
  g_test_add ("/habits/double-click", ShellTimeline, NULL, shell_timeline_set_up, test_double_click,
              shell_timeline_tear_down);
  g_test_add ("/habits/pinch", ShellTimeline, NULL, shell_timeline_set_up, test_pinch,
              shell_timeline_tear_down);
  g_test_add ("/habits/kinetic", ShellTimeline, NULL, shell_timeline_set_up, test_kinetic,
              shell_timeline_tear_down);
  g_test_add ("/habits/drag-between-windows", ShellTimeline, NULL, shell_timeline_set_up,
              test_drag_between_windows, shell_timeline_tear_down);
  g_test_add ("/habits/drag-by-pointer", ShellTimeline, NULL, shell_timeline_set_up,
              test_drag_by_pointer, shell_timeline_tear_down);
  g_test_add ("/habits/overview", ShellTimeline, NULL, shell_timeline_set_up, test_overview,
              shell_timeline_tear_down);
  return g_test_run ();
}
