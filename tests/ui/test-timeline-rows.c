/* test-timeline-rows.c: rows of a timeline, and their order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "timeline-fixture.h"

static void
test_collapse (void)
{
  Fixture fixture;
  GtkWidget *row;

  fixture_init (&fixture, sample_timeline (), 265);
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "Left");
  row = get_row (&fixture, 0);
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_EXPANDED, FALSE);
  gtk_test_accessible_assert_property (get_row (&fixture, 1), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "nginx 812");
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), ==, 16);
  ui_key (fixture.view, "space");
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), ==, 18);
  /* An item selected elsewhere expands its heading. */
  ui_key (fixture.view, "Left");
  tb_focus_select_thread (fixture.focus, 11);
  ui_frames (fixture.view, 2);
  gtk_test_accessible_assert_property (get_row (&fixture, 2), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "resolver");
  gtk_test_accessible_assert_state (get_row (&fixture, 2), GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  fixture_clear (&fixture);
}

static gboolean
shows_two (gpointer view)
{
  return tb_timeline_view_get_n_shown (view) == 2;
}

static void
test_search (void)
{
  Fixture fixture;
  TbTimelineView *view;

  fixture_init (&fixture, sample_timeline (), 265);
  view = TB_TIMELINE_VIEW (fixture.view);
  g_assert_cmpuint (tb_timeline_view_get_n_shown (view), ==, 12);
  tb_figure_view_set_search (GTK_WIDGET (view), "process:dovecot auth");
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (tb_timeline_view_get_n_shown (view), ==, 2);
  gtk_test_accessible_assert_property (get_row (&fixture, 1), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "auth");
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), ==, 3);
  /* Interval lengths are searched in a thread. */
  tb_figure_view_set_search (GTK_WIDGET (view), "longer:246ms");
  ui_wait (shows_two, view);
  tb_figure_view_set_search (GTK_WIDGET (view), "no such thing");
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (tb_timeline_view_get_n_shown (view), ==, 0);
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  tb_figure_view_set_search (GTK_WIDGET (view), NULL);
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), ==, 18);
  fixture_clear (&fixture);
}

/* Only as many rows exist as fit, however many tracks there are, and all can be reached. */
static void
test_many (void)
{
  guint n = test_rounds (100000, 20000);
  g_autofree char *last = g_strdup_printf ("thread %u", n - 1);
  Fixture fixture;

  fixture_init (&fixture, sample_timeline_random (n, n), 60000);
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), <, 40);
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "ctrl+End");
  assert_focused_row (&fixture, last);
  ui_key (fixture.view, "Page_Up");
  ui_key (fixture.view, "Page_Down");
  assert_focused_row (&fixture, last);
  tb_focus_select_thread (fixture.focus, 5001);
  ui_frames (fixture.view, 2);
  g_assert_true (tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 5000, SAMPLE_START,
                                                NULL, NULL));
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), <, 40);
  ui_key (fixture.view, "ctrl+Home");
  assert_focused_row (&fixture, "process 1000");
  fixture_clear (&fixture);
}

/* The rows are a single Tab stop, at the last focused row. */
static void
test_focus_order (void)
{
  g_autoptr (TbTimelineFigure) figure = sample_timeline ();
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *strip = tb_overview_strip_new (focus), *view = tb_timeline_view_new (figure, focus);
  GtkWidget *button = gtk_button_new_with_label ("after");
  GtkWindow *window;

  gtk_box_append (GTK_BOX (box), strip);
  gtk_box_append (GTK_BOX (box), view);
  gtk_box_append (GTK_BOX (box), button);
  window = ui_window (box, 800, 700);
  gtk_widget_grab_focus (strip);
  ui_key (view, "Tab");
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (gtk_window_get_focus (window)), ==, "TbTimelineRow");
  ui_key (view, "Down");
  ui_key (view, "Down");
  ui_key (view, "Tab");
  /* The sort button is below the names. */
  g_assert_nonnull (gtk_widget_get_ancestor (gtk_window_get_focus (window), GTK_TYPE_MENU_BUTTON));
  ui_key (view, "Tab");
  g_assert_true (gtk_widget_is_focus (button));
  ui_key (view, "shift+Tab");
  ui_key (view, "shift+Tab");
  gtk_test_accessible_assert_property (gtk_window_get_focus (window), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "resolver");
  ui_key (view, "shift+Tab");
  g_assert_true (gtk_widget_is_focus (strip));
  ui_close (window);
}

static double
get_y (Fixture *fixture, guint track)
{
  double y = -1e9;

  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture->view), track, SAMPLE_START, NULL, &y);
  return y;
}

/* A pinned row stays at the top, whatever is scrolled and sorted, and keeps its intervals. */
static void
test_pin (void)
{
  Fixture fixture;
  GtkWidget *scroller;
  GtkAdjustment *adjustment;
  guint track;
  double y, x;

  fixture_init (&fixture, sample_timeline_random (200, 4000), 60000);
  scroller = gtk_widget_get_ancestor (ui_find (fixture.view, "TbTimelineCanvas"),
                                      GTK_TYPE_SCROLLED_WINDOW);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  tb_focus_select_thread (fixture.focus, 151);
  ui_frames (fixture.view, 2);
  gtk_widget_grab_focus (fixture.view);
  assert_focused_row (&fixture, "thread 150");
  ui_key (fixture.view, "p");
  assert_focused_row (&fixture, "thread 150");
  y = get_y (&fixture, 150);
  g_assert_cmpfloat (y, <, 60);
  for (guint i = 0; i < 5; i++)
    {
      gtk_adjustment_set_value (adjustment, i * 997);
      ui_frames (fixture.view, 2);
      g_assert_cmpfloat (get_y (&fixture, 150), ==, y);
    }
  /* Above the rows scrolled below it. */
  x = 400;
  tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view), x, y, &track, NULL);
  g_assert_cmpuint (track, ==, 150);
  g_object_set (fixture.view, "sort", "waiting", NULL);
  ui_frames (fixture.view, 2);
  g_assert_cmpfloat (get_y (&fixture, 150), ==, y);
  gtk_widget_activate_action (fixture.view, "timeline.unpin-all", NULL);
  gtk_adjustment_set_value (adjustment, 0);
  ui_frames (fixture.view, 2);
  g_assert_true (get_y (&fixture, 150) != y);
  fixture_clear (&fixture);
}

/* The heading of the scrolled rows stays visible, and a click on it is a click on the heading. */
static void
test_sticky (void)
{
  Fixture fixture;
  GtkWidget *scroller, *canvas;
  GtkAdjustment *adjustment;
  guint n_shown, track;

  fixture_init (&fixture, sample_timeline_random (200, 4000), 60000);
  canvas = ui_find (fixture.view, "TbTimelineCanvas");
  scroller = gtk_widget_get_ancestor (canvas, GTK_TYPE_SCROLLED_WINDOW);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  gtk_adjustment_set_value (adjustment, 29 * 4 + 10);
  ui_frames (fixture.view, 2);
  /* The heading covers the tracks there. */
  g_assert_false (
      tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view), 400, 12, &track, NULL));
  g_assert_cmpuint (track, ==, G_MAXUINT);
  tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view), 400, 40, &track, NULL);
  g_assert_cmpuint (track, !=, G_MAXUINT);
  /* The row with keyboard focus is not hidden below it. */
  tb_focus_select_thread (fixture.focus, 3);
  ui_frames (fixture.view, 2);
  g_assert_cmpfloat (get_y (&fixture, 2), >=, 29);
  n_shown = ui_count (fixture.view, "TbTimelineRow");
  gtk_widget_activate_action (fixture.view, "timeline.collapse-all", NULL);
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (n_shown, >, 10);
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), <=, 30 * 29 + 640);
  gtk_widget_activate_action (fixture.view, "timeline.expand-all", NULL);
  ui_frames (fixture.view, 2);
  fixture_clear (&fixture);
}

/* Groups and tracks sorted by each criterion, compared with sums over all intervals. */
static void
test_sort (void)
{
  Fixture fixture;
  double last = -1;
  gint64 before = G_MAXINT64;
  g_autofree char *sort = NULL;
  guint order[12];

  fixture_init (&fixture, sample_timeline (), 265);
  g_object_set (fixture.view, "sort", "longest-wait", NULL);
  g_object_get (fixture.view, "sort", &sort, NULL);
  g_assert_cmpstr (sort, ==, "longest-wait");
  ui_frames (fixture.view, 2);
  for (guint i = 0; i < 12; i++)
    order[i] = i;
  for (guint i = 0; i < 12; i++)
    for (guint k = i + 1; k < 12; k++)
      if (get_y (&fixture, order[k]) < get_y (&fixture, order[i]))
        {
          guint swap = order[i];

          order[i] = order[k];
          order[k] = swap;
        }
  /* Each group begins with its longest track, which is not longer than that of the group before. */
  for (guint i = 0; i < 12; i++)
    {
      TbTimelineTrack track;
      gint64 longest = 0;

      tb_timeline_figure_get_track (fixture.figure, order[i], &track);
      for (gsize k = 0; track.thread != TB_ID_NONE && k < track.n; k++)
        if (track.paint[k] == TB_PAINT_RUNNABLE || track.paint[k] == TB_PAINT_WAITING
            || track.paint[k] == TB_PAINT_DISK || track.paint[k] == TB_PAINT_UNINTERRUPTIBLE
            || track.paint[k] == TB_PAINT_NETWORK)
          longest = MAX (longest, track.end[k] - track.start[k]);
      if (get_y (&fixture, order[i]) - last > 40)
        {
          g_assert_cmpint (longest, <=, before);
          before = longest;
        }
      else
        g_assert_cmpint (longest, <=, before);
      last = get_y (&fixture, order[i]);
    }
  g_object_set (fixture.view, "sort", "recorded", NULL);
  ui_frames (fixture.view, 2);
  for (guint i = 0; i + 1 < 12; i++)
    g_assert_cmpfloat (get_y (&fixture, i), <, get_y (&fixture, i + 1));
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/timeline-rows/collapse", test_collapse);
  g_test_add_func ("/timeline-rows/search", test_search);
  g_test_add_func ("/timeline-rows/many", test_many);
  g_test_add_func ("/timeline-rows/focus-order", test_focus_order);
  g_test_add_func ("/timeline-rows/pin", test_pin);
  g_test_add_func ("/timeline-rows/sticky", test_sticky);
  g_test_add_func ("/timeline-rows/sort", test_sort);
  return g_test_run ();
}
