/* test-explain.c: analyses of a part of a recording, of one process, and with changed options
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-fixture.h"
#include "shell/document/tb-limit-bar.h"
#include "session/schema/tb-schema.h"
#include "ui-test.h"
#include "widgets/flame/tb-flame-view.h"
#include "widgets/timeline/tb-timeline-view.h"

#define MS G_GINT64_CONSTANT (1000000)

static TbAnalysisItem *
find_analysis (TbDocument *document, const char *id)
{
  TbAnalysisItem *item = tb_document_find_analysis (document, id);

  g_assert_nonnull (item);
  return item;
}

/* Counts the rows of the thread table: as many as selected threads. */
static guint
count_threads (TbDocument *document)
{
  TbReport *report = tb_analysis_item_get_report (find_analysis (document, "threads"));
  TbFigure *figure = tb_report_find_figure (report, "timeline");
  TbTimelineTrack track;
  guint n = 0;

  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (TB_TIMELINE_FIGURE (figure)); i++)
    {
      tb_timeline_figure_get_track (TB_TIMELINE_FIGURE (figure), i, &track);
      n += track.thread != TB_ID_NONE;
    }
  return n;
}

static GtkWidget *
find_bar (TbWindow *window)
{
  return shell_find (GTK_WIDGET (window), "TbLimitBar", NULL);
}

static void
press (GtkWidget *root, const char *type_name, const char *text)
{
  GtkWidget *button = shell_find (root, type_name, text);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

/* Presses the button that contains a text. */
static void
press_around (GtkWidget *root, const char *part)
{
  GtkWidget *text = shell_find_text (root, part);

  g_assert_nonnull (text);
  g_signal_emit_by_name (gtk_widget_get_ancestor (text, GTK_TYPE_BUTTON), "clicked");
}

static void
test_limits (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  guint32 auth = shell_find_thread (document, "auth");
  gint64 from, to;

  g_assert_cmpuint (count_threads (document), ==, 8);
  g_assert_null (find_bar (window));
  g_assert_false (shell_is_enabled (window, "analyse-selection"));
  g_assert_false (shell_is_enabled (window, "analyse-process"));

  /* A thread and a range. */
  tb_focus_select_thread (focus, auth);
  tb_focus_select_range (focus, 30 * MS, 118 * MS);
  shell_activate (window, "analyse-selection", NULL);
  shell_wait_settled (document);
  g_assert_cmpuint (count_threads (document), ==, 1);
  tb_report_get_range (tb_analysis_item_get_report (find_analysis (document, "threads")), &from,
                       &to);
  g_assert_cmpint (from, ==, 30 * MS);
  g_assert_cmpint (to, ==, 118 * MS);
  g_assert_nonnull (shell_find_text (find_bar (window), "auth (1168)"));
  g_assert_nonnull (shell_find_text (find_bar (window), "88 ms, from 30"));
  shell_picture (window, "limited");

  /* Back in steps, then at once. */
  press_around (find_bar (window), "88 ms");
  shell_wait_settled (document);
  g_assert_false (tb_document_get_analysed_range (document, &from, &to));
  g_assert_cmpuint (count_threads (document), ==, 1);
  tb_focus_get_view (focus, &from, &to);
  g_assert_cmpint (to - from, ==, 265 * MS);
  press_around (find_bar (window), "auth (1168)");
  shell_wait_settled (document);
  g_assert_cmpuint (count_threads (document), ==, 8);
  g_assert_null (find_bar (window));

  shell_activate (window, "analyse-process", NULL);
  shell_wait_settled (document);
  g_assert_cmpuint (count_threads (document), ==, 3);
  g_assert_nonnull (shell_find_text (find_bar (window), "dovecot (702), 3 threads"));
  press (find_bar (window), "GtkButton", "Analyze _Everything");
  shell_wait_settled (document);
  g_assert_false (tb_document_is_limited (document));
  g_assert_false (shell_is_enabled (window, "analyse-all"));
  shell_close_window (window);
}

/* An interval selects its time; its thread alone is a different selection. */
static void
test_interval (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  gint64 from, to;

  tb_focus_select_item (tb_document_get_focus (document), "timeline", NULL,
                        shell_find_thread (document, "curl"), 15 * MS, 260800000, NULL);
  shell_activate (window, "analyse-selection", NULL);
  shell_wait_settled (document);
  g_assert_cmpuint (count_threads (document), >, 1);
  g_assert_true (tb_document_get_analysed_range (document, &from, &to));
  g_assert_cmpint (from, ==, 15 * MS);
  g_assert_cmpint (to, ==, 260800000);
  shell_activate (window, "analyse-all-times", NULL);
  shell_activate (window, "analyse-thread", NULL);
  shell_wait_settled (document);
  g_assert_cmpuint (count_threads (document), ==, 1);
  g_assert_false (tb_document_get_analysed_range (document, &from, &to));
  shell_close_window (window);
}

static const char *
get_headline (TbDocument *document)
{
  TbReport *report = tb_analysis_item_get_report (find_analysis (document, "control-paths"));

  return report != NULL ? tb_report_get_headline (report) : NULL;
}

static gboolean
is_activatable_finding (gpointer window)
{
  return shell_find (window, "TbFindingRow", NULL) != NULL;
}

static void
test_explain (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbFocus *focus = tb_document_get_focus (document);
  GtkWidget *row;
  gint64 from, to;

  g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), "explain"));
  g_assert_false (shell_is_enabled (window, "explain"));
  tb_focus_select_thread (focus, shell_find_thread (document, "curl"));
  press (shell_find (GTK_WIDGET (window), "TbDetailsPane", NULL), "GtkButton", "Explain");
  shell_wait_settled (document);
  g_assert_cmpstr (get_headline (document), ==, "process “1160” thread “” grace 100000");
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "process “1160”"));
  shell_picture (window, "explained");

  /* A finding leads to its figure, its row and its time. */
  shell_wait (is_activatable_finding, window, "the finding");
  g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, "first");
  row = shell_find (GTK_WIDGET (window), "TbFindingRow", NULL);
  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  g_assert_cmpstr (tb_document_page_get_figure (tb_window_get_document_page (window)), ==, "steps");
  g_assert_cmpstr (tb_focus_get_item (focus), ==, "second-step");
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (from, ==, 265 * MS / 4);

  /* For another process, the results of the first are not shown. */
  tb_focus_select_thread (focus, shell_find_thread (document, "auth"));
  shell_activate (window, "explain", NULL);
  g_assert_null (get_headline (document));
  shell_wait_settled (document);
  g_assert_cmpstr (get_headline (document), ==, "process “702” thread “1168” grace 100000");
  shell_close_window (window);
}

static gboolean
has_options (gpointer window)
{
  GtkWidget *dialog = shell_find (window, "TbOptionsDialog", NULL);

  return dialog != NULL && shell_find (dialog, "AdwEntryRow", NULL) != NULL;
}

static GtkWidget *
open_options (TbWindow *window)
{
  shell_activate (window, "options", NULL);
  shell_wait (has_options, window, "the options");
  return shell_find (GTK_WIDGET (window), "TbOptionsDialog", NULL);
}

static gboolean
is_closed (gpointer window)
{
  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)) == NULL;
}

static gboolean
is_running (gpointer item)
{
  return tb_analysis_item_is_running (item);
}

static void
type_option (GtkWidget *dialog, const char *title, const char *text)
{
  GtkWidget *row = shell_find (dialog, "AdwEntryRow", title);

  g_assert_nonnull (row);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

static void
test_options (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  TbAnalysisItem *item = find_analysis (document, "control-paths");
  GtkWidget *dialog;

  shell_activate (window, "show-analysis", g_variant_new_string ("control-paths"));
  shell_wait_settled (document);
  g_assert_cmpstr (get_headline (document), ==, "process “” thread “” grace 100000");

  dialog = open_options (window);
  type_option (dialog, "Process", "nginx");
  type_option (dialog, "Grace", "1 fortnight");
  g_assert_false (gtk_widget_is_sensitive (shell_find (dialog, "GtkButton", "_Analyze")));
  shell_picture (window, "options");
  type_option (dialog, "Grace", "1ms");
  press (dialog, "GtkButton", "_Analyze");
  shell_wait (is_closed, window, "the dialog to close");
  shell_wait_settled (document);
  g_assert_cmpstr (get_headline (document), ==, "process “nginx” thread “” grace 1000000");

  /* After cancelling the dialog the options are unchanged. */
  dialog = open_options (window);
  type_option (dialog, "Process", "never");
  adw_dialog_force_close (ADW_DIALOG (dialog));
  dialog = open_options (window);
  g_assert_cmpstr (gtk_editable_get_text (
                       GTK_EDITABLE (shell_find (dialog, "AdwEntryRow", "Process"))),
                   ==, "nginx");

  /* A long run is cancelled; the previous report stays. */
  adw_switch_row_set_active (ADW_SWITCH_ROW (shell_find (dialog, "AdwSwitchRow", "Endless")), TRUE);
  press (dialog, "GtkButton", "_Analyze");
  shell_wait (is_running, item, "the run");
  shell_wait (is_closed, window, "the dialog to close");
  shell_picture (window, "analyzing-again");
  gtk_widget_activate_action (shell_find (GTK_WIDGET (window), "TbAnalysisPage", NULL),
                              "analysis.cancel", NULL);
  shell_wait_settled (document);
  g_assert_cmpstr (get_headline (document), ==, "process “nginx” thread “” grace 1000000");

  /* The analysis refuses an option: the reason is shown, and the options can still be changed. */
  dialog = open_options (window);
  gtk_widget_activate_action (dialog, "options.reset", NULL);
  g_assert_cmpstr (gtk_editable_get_text (
                       GTK_EDITABLE (shell_find (dialog, "AdwEntryRow", "Grace"))),
                   ==, "100us");
  type_option (dialog, "Process", "nobody");
  press (dialog, "GtkButton", "_Analyze");
  shell_wait_settled (document);
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "The Analysis Failed"));
  g_assert_nonnull (shell_find_text (GTK_WIDGET (window), "nobody"));
  g_assert_nonnull (shell_find (GTK_WIDGET (window), "GtkButton", "_Options…"));
  shell_wait (is_closed, window, "the dialog to close");
  shell_picture (window, "analysis-failed");
  shell_close_window (window);
}

static gboolean
is_menu_open (gpointer window)
{
  GtkWidget *menu = shell_find (window, "GtkPopoverMenu", NULL);

  return menu != NULL && gtk_widget_get_mapped (menu) && shell_find_text (menu, "xplain") != NULL;
}

/* With the mouse: the menu applies to the item under the pointer. */
static void
test_menu (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  guint32 auth = shell_find_thread (document, "auth");
  TbTimelineTrack track;
  GtkWidget *view;
  double x, y;
  guint i = 0;

  ui_frames (GTK_WIDGET (window), 4); /* until the layout has settled */
  view = shell_find (GTK_WIDGET (window), "TbTimelineView", NULL);
  do
    tb_timeline_figure_get_track (TB_TIMELINE_FIGURE (
                                      tb_figure_view_get_figure (TB_FIGURE_VIEW (view))),
                                  i++, &track);
  while (track.thread != auth);
  g_assert_true (tb_timeline_view_get_position (TB_TIMELINE_VIEW (view), i - 1, 50 * MS, &x, &y));
  ui_point (view, x, y);
  ui_input ("click", "3", NULL);
  shell_wait (is_menu_open, window, "the menu");
  g_assert_cmpuint (tb_focus_get_thread (tb_document_get_focus (document)), ==, auth);
  shell_picture (window, "menu");
  gtk_popover_popdown (GTK_POPOVER (shell_find (GTK_WIDGET (window), "GtkPopoverMenu", NULL)));
  shell_activate (window, "explain", NULL);
  shell_wait_settled (document);
  g_assert_cmpstr (get_headline (document), ==, "process “702” thread “1168” grace 100000");
  shell_close_window (window);
}

static gboolean
is_menu_up (gpointer window)
{
  GtkWidget *menu = shell_find (window, "GtkPopoverMenu", NULL);

  return menu != NULL && gtk_widget_get_mapped (menu);
}

typedef struct
{
  GtkWidget *view;
  guint node;
  double x;
  double y;
} Box;

static gboolean
find_box (gpointer data)
{
  Box *box = data;

  for (box->y = 2; box->y < gtk_widget_get_height (box->view); box->y += 5)
    for (box->x = 20; box->x < gtk_widget_get_width (box->view); box->x += 5)
      {
        box->node = tb_flame_view_get_node_at (TB_FLAME_VIEW (box->view), box->x, box->y);
        /* The pointer has whole pixels: a point at an edge of the box may be outside. */
        if (box->node != TB_ID_NONE
            && tb_flame_view_get_node_at (TB_FLAME_VIEW (box->view), box->x - 2, box->y - 2)
                   == box->node
            && tb_flame_view_get_node_at (TB_FLAME_VIEW (box->view), box->x + 2, box->y + 2)
                   == box->node)
          return TRUE;
      }
  return FALSE;
}

/* Boxes are laid out by a thread, and once more when the size of the view changes. */
static void
wait_for_box (Box *box)
{
  Box before;

  do
    {
      shell_wait (find_box, box, "boxes");
      before = *box;
      ui_frames (box->view, 10);
    }
  while (!find_box (box) || before.node != box->node || before.x != box->x || before.y != box->y);
}

static gboolean
has_two_panes (gpointer view)
{
  return ui_count (view, "TbFlameCanvas") == 2;
}

/* The actions of a figure's view are in the menu too, for the item under the pointer. */
/* Whether an entry of the menu or of one below it begins with the text. */
static gboolean
has_entry (GMenuModel *menu, const char *text)
{
  static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *label = NULL;

      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label)
          && g_str_has_prefix (label, text))
        return TRUE;
      for (guint k = 0; k < G_N_ELEMENTS (links); k++)
        {
          g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, links[k]);

          if (below != NULL && has_entry (below, text))
            return TRUE;
        }
    }
  return FALSE;
}

static void
test_menu_of_view (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  GtkWidget *view, *menu, *figures;
  GMenuModel *model;
  Box box;

  shell_wait_settled (document);
  shell_activate (window, "show-figure", g_variant_new_string ("off-cpu"));
  view = shell_find (GTK_WIDGET (window), "TbFlameView", NULL);
  g_assert_nonnull (view);
  ui_frames (GTK_WIDGET (window), 4);
  box.view = view;
  wait_for_box (&box);
  ui_point (view, box.x, box.y);
  ui_input ("click", "3", NULL);
  shell_wait (is_menu_up, window, "the menu");
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (view)), ==, box.node);
  menu = shell_find (GTK_WIDGET (window), "GtkPopoverMenu", NULL);
  figures = gtk_widget_get_parent (menu);
  g_assert_true (gtk_widget_is_ancestor (view, figures));
  g_assert_nonnull (shell_find_text (menu, "In This"));
  /* The menu is that of the flame: its entries do not repeat that. */
  model = gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (menu));
  g_assert_true (has_entry (model, "Show Callers and Callees"));
  g_assert_false (has_entry (model, "Flame: "));
  g_assert_true (gtk_widget_activate_action (menu, "figure.do", "s", "flame.sandwich"));
  shell_wait (has_two_panes, view, "callers and callees");
  gtk_popover_popdown (GTK_POPOVER (menu));
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/explain/limits", test_limits);
  g_test_add_func ("/explain/interval", test_interval);
  g_test_add_func ("/explain/explain", test_explain);
  g_test_add_func ("/explain/options", test_options);
  g_test_add_func ("/explain/menu", test_menu);
  g_test_add_func ("/explain/menu-of-view", test_menu_of_view);
  return g_test_run ();
}
