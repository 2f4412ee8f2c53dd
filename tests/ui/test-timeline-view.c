/* test-timeline-view.c: a timeline with mouse, keyboard and assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "timeline-fixture.h"

static void
test_accessible (void)
{
  Fixture fixture;
  GtkWidget *canvas, *row;

  fixture_init (&fixture, sample_timeline (), 265);
  canvas = ui_find (fixture.view, "TbTimelineCanvas");
  gtk_test_accessible_assert_role (canvas, GTK_ACCESSIBLE_ROLE_TABLE);
  gtk_test_accessible_assert_property (canvas, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline");
  gtk_test_accessible_assert_relation (canvas, GTK_ACCESSIBLE_RELATION_ROW_COUNT, 18);

  row = get_row (&fixture, 0);
  gtk_test_accessible_assert_role (row, GTK_ACCESSIBLE_ROLE_ROW);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, "curl 1160");
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "2 tracks");
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  gtk_test_accessible_assert_relation (row, GTK_ACCESSIBLE_RELATION_ROW_INDEX, 1);
  row = get_row (&fixture, 1);
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_LABEL, "curl");
  gtk_test_accessible_assert_property (row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "in curl 1160");
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_SELECTED, FALSE);

  tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), 0, 3);
  gtk_test_accessible_assert_state (row, GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  gtk_test_accessible_assert_property (
      row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      "in curl_multi_poll → 127.0.0.1:80, 247 ms, from 15.000\u00a0ms");
  gtk_test_accessible_assert_property (ui_find (fixture.view, "TbTimeAxis"),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Time from 0\u00a0ns to 265.0\u00a0ms");
  fixture_clear (&fixture);
}

/* Every interval at least two pixels wide is found at its middle. */
static void
test_hit (void)
{
  Fixture fixture;
  guint checked = 0;

  fixture_init (&fixture, sample_timeline (), 265);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (fixture.figure); i++)
    {
      TbTimelineTrack track;

      tb_timeline_figure_get_track (fixture.figure, i, &track);
      for (gsize k = 0; k < track.n; k++)
        {
          double x0, x1, y;
          gint64 from, to;
          guint found_track;
          gsize found;

          g_assert_true (tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), i,
                                                        track.start[k], &x0, &y));
          tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), i, track.end[k], &x1,
                                         NULL);
          if (x1 - x0 < 2.5)
            continue;
          g_assert_true (tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view),
                                                           (x0 + x1) / 2, y, &found_track, &found));
          g_assert_cmpuint (found_track, ==, i);
          g_assert_cmpuint (found, ==, k);
          tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), (x0 + x1) / 2, y);
          g_assert_true (tb_focus_get_time (fixture.focus, &from, &to));
          g_assert_cmpint (from, ==, track.start[k]);
          g_assert_cmpint (to, ==, track.end[k]);
          checked++;
        }
    }
  g_assert_cmpuint (checked, >, 80);
  g_assert_false (
      tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view), 20, 40, NULL, NULL));
  fixture_clear (&fixture);
}

static void
test_keyboard (void)
{
  Fixture fixture;
  gint64 from, to;

  fixture_init (&fixture, sample_timeline (), 265);
  gtk_widget_grab_focus (fixture.view);
  assert_focused_row (&fixture, "curl 1160");
  ui_key (fixture.view, "Down");
  assert_focused_row (&fixture, "curl");
  ui_key (fixture.view, "Right");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "track-0");
  g_assert_cmpuint (tb_focus_get_thread (fixture.focus), ==, 10);
  g_assert_true (tb_focus_get_time (fixture.focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START);
  ui_key (fixture.view, "Right");
  tb_focus_get_time (fixture.focus, &from, &to);
  g_assert_cmpint (to, ==, SAMPLE_START + 13800000);
  ui_key (fixture.view, "Left");
  ui_key (fixture.view, "Left");
  tb_focus_get_time (fixture.focus, &from, NULL);
  g_assert_cmpint (from, ==, SAMPLE_START);

  /* Enter zooms to the interval, with a margin. */
  ui_key (fixture.view, "Right");
  ui_key (fixture.view, "Return");
  assert_view_ms (&fixture, 8.8 - .625, 13.8 + .625, .001);
  /* Escape goes back step by step. */
  ui_key (fixture.view, "Escape");
  g_assert_null (tb_focus_get_item (fixture.focus));
  ui_key (fixture.view, "Escape");
  assert_view_ms (&fixture, 0, 265, .001);

  /* Around the middle, if the pointer is not over the plot. */
  ui_point (fixture.view, 5, 5);
  ui_key (fixture.view, "plus");
  assert_view_ms (&fixture, 26.5, 238.5, .01);
  ui_key (fixture.view, "ctrl+Left");
  assert_view_ms (&fixture, 26.5 - 21.2, 238.5 - 21.2, .01);
  ui_key (fixture.view, "0");
  assert_view_ms (&fixture, 0, 265, .001);

  ui_key (fixture.view, "ctrl+End");
  assert_focused_row (&fixture, "cpu 1");
  ui_key (fixture.view, "Down");
  assert_focused_row (&fixture, "cpu 1");
  ui_key (fixture.view, "ctrl+Home");
  assert_focused_row (&fixture, "curl 1160");
  fixture_clear (&fixture);
}

/* As in other tools: left-hand letters, and one key per action. */
static void
test_conventional_keys (void)
{
  Fixture fixture;
  gint64 from, to;
  guint n_threads;

  fixture_init (&fixture, sample_timeline (), 265);
  gtk_widget_grab_focus (fixture.view);
  ui_point (fixture.view, 5, 5);
  ui_key (fixture.view, "w");
  assert_view_ms (&fixture, 26.5, 238.5, .01);
  ui_key (fixture.view, "a");
  assert_view_ms (&fixture, 26.5 - 21.2, 238.5 - 21.2, .01);
  ui_key (fixture.view, "d");
  assert_view_ms (&fixture, 26.5, 238.5, .01);
  ui_key (fixture.view, "End");
  assert_view_ms (&fixture, 53, 265, .01);
  ui_key (fixture.view, "Home");
  assert_view_ms (&fixture, 0, 212, .01);
  ui_key (fixture.view, "s");
  assert_view_ms (&fixture, 0, 265, .01);

  ui_key (fixture.view, "Down");
  ui_key (fixture.view, "period");
  ui_key (fixture.view, "period");
  tb_focus_get_time (fixture.focus, &from, &to);
  g_assert_cmpint (to, ==, SAMPLE_START + 13800000);
  ui_key (fixture.view, "comma");
  tb_focus_get_time (fixture.focus, &from, NULL);
  g_assert_cmpint (from, ==, SAMPLE_START);
  ui_key (fixture.view, "period");
  ui_key (fixture.view, "f");
  assert_view_ms (&fixture, 8.8 - .625, 13.8 + .625, .001);
  ui_key (fixture.view, "ctrl+space");
  tb_focus_get_threads (fixture.focus, &n_threads);
  g_assert_cmpuint (n_threads, ==, 1);
  ui_key (fixture.view, "Escape");
  g_assert_null (tb_focus_get_item (fixture.focus));
  ui_key (fixture.view, "Escape");
  tb_focus_get_threads (fixture.focus, &n_threads);
  g_assert_cmpuint (n_threads, ==, 0);
  ui_key (fixture.view, "f");
  assert_view_ms (&fixture, 0, 265, .001);
  fixture_clear (&fixture);
}

static void
test_range_keys (void)
{
  Fixture fixture;
  gint64 from, to;

  fixture_init (&fixture, sample_timeline (), 265);
  gtk_widget_grab_focus (fixture.view);
  tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), 0, 3);
  ui_key (fixture.view, "r");
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START + 15 * SAMPLE_MS);
  g_assert_cmpint (to, ==, SAMPLE_START + 262 * SAMPLE_MS);
  tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), 2, 1);
  ui_key (fixture.view, "bracketright");
  tb_focus_get_range (fixture.focus, &from, &to);
  g_assert_cmpint (from, ==, SAMPLE_START + 15 * SAMPLE_MS);
  g_assert_cmpint (to, ==, SAMPLE_START + 17 * SAMPLE_MS);
  fixture_clear (&fixture);
}

static void
test_mouse (void)
{
  Fixture fixture;
  double x, y, x1;
  gint64 from, to, before_from, before_to;
  guint n_threads;

  fixture_init (&fixture, sample_timeline (), 265);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 5, SAMPLE_START + 70 * SAMPLE_MS,
                                 &x, &y);
  ui_click (fixture.view, x, y);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "track-5");
  tb_focus_get_time (fixture.focus, &from, &to);
  g_assert_cmpint (from, ==, SAMPLE_START + 30 * SAMPLE_MS);
  assert_focused_row (&fixture, "auth");
  g_assert_cmpfloat_with_epsilon ((double) (tb_focus_get_pointer (fixture.focus) - SAMPLE_START)
                                      / SAMPLE_MS,
                                  70, .5);

  /* A drag selects a range, as one step of the history, and does not pan. */
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 5, SAMPLE_START + 170 * SAMPLE_MS,
                                 &x1, NULL);
  ui_drag (fixture.view, x, y, x1, y, NULL);
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpfloat_with_epsilon ((double) (from - SAMPLE_START) / SAMPLE_MS, 70, .6);
  g_assert_cmpfloat_with_epsilon ((double) (to - SAMPLE_START) / SAMPLE_MS, 170, .6);
  assert_view_ms (&fixture, 0, 265, .001);

  tb_focus_go_back (fixture.focus);
  g_assert_false (tb_focus_get_range (fixture.focus, NULL, NULL));
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "track-5");
  tb_focus_go_forward (fixture.focus);
  g_assert_true (tb_focus_get_range (fixture.focus, NULL, NULL));

  /* The wheel with Ctrl zooms around the pointer. */
  ui_point (fixture.view, x, y);
  ui_input ("keydown", "ctrl", "click", "4", "keyup", "ctrl", NULL);
  ui_frames (fixture.view, 3);
  tb_focus_get_view (fixture.focus, &before_from, &before_to);
  g_assert_cmpint (before_to - before_from, <, 265 * SAMPLE_MS);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 5, SAMPLE_START + 70 * SAMPLE_MS,
                                 &x1, NULL);
  g_assert_cmpfloat_with_epsilon (x, x1, 1.5);

  /* A drag with Shift pans by the distance of the pointer. */
  ui_drag (fixture.view, x + 100, y, x + 60, y, "shift");
  tb_focus_get_view (fixture.focus, &from, &to);
  g_assert_cmpint (to - from, ==, before_to - before_from);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 5, SAMPLE_START + 70 * SAMPLE_MS,
                                 &x1, NULL);
  g_assert_cmpfloat_with_epsilon (x - 40, x1, 2);

  /* The wheel with Shift pans. */
  ui_point (fixture.view, x, y);
  ui_input ("keydown", "shift", "click", "5", "keyup", "shift", NULL);
  ui_frames (fixture.view, 3);
  tb_focus_get_view (fixture.focus, &before_from, &before_to);
  g_assert_cmpint (before_from, >, from);
  g_assert_cmpint (before_to - before_from, ==, to - from);

  /* Clicks with Ctrl add threads to the selection; a click on a heading adds all of its threads. */
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START, NULL, &y);
  ui_input ("keydown", "ctrl", NULL);
  ui_click (fixture.view, 60, y - 29);
  ui_input ("keyup", "ctrl", NULL);
  ui_frames (fixture.view, 3);
  tb_focus_get_threads (fixture.focus, &n_threads);
  g_assert_cmpuint (n_threads, ==, 2);
  gtk_test_accessible_assert_state (get_row (&fixture, 2), GTK_ACCESSIBLE_STATE_SELECTED, TRUE);

  /* A click beside all items clears the selection. */
  ui_click (fixture.view, 400, 580);
  g_assert_null (tb_focus_get_item (fixture.focus));
  fixture_clear (&fixture);
}

static gboolean
is_end_visible (gpointer focus)
{
  gint64 to, end;

  tb_focus_get_view (focus, NULL, &to);
  tb_focus_get_extent (focus, NULL, &end);
  return to == end;
}

/* A range dragged beyond the edge continues there. */
static void
test_edge (void)
{
  Fixture fixture;
  double x, y;
  gint64 from, to, begin = test_rounds (100, 180);

  fixture_init (&fixture, sample_timeline (), 265);
  tb_focus_set_view (fixture.focus, SAMPLE_START + begin * SAMPLE_MS,
                     SAMPLE_START + (begin + 50) * SAMPLE_MS);
  ui_frames (fixture.view, 2);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 5,
                                 SAMPLE_START + (begin + 20) * SAMPLE_MS, &x, &y);
  ui_point (fixture.view, x, y);
  ui_input ("mousedown", "1", NULL);
  ui_point (fixture.view, x + 40, y);
  ui_point (fixture.view, gtk_widget_get_width (fixture.view) - 1, y);
  ui_wait (is_end_visible, fixture.focus);
  ui_frames (fixture.view, 2);
  ui_input ("mouseup", "1", NULL);
  ui_frames (fixture.view, 2);
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpfloat_with_epsilon ((double) (from - SAMPLE_START) / SAMPLE_MS, begin + 20, .6);
  g_assert_cmpfloat_with_epsilon ((double) (to - SAMPLE_START) / SAMPLE_MS, 265, .6);
  fixture_clear (&fixture);
}

static void
test_axis (void)
{
  Fixture fixture;
  GtkWidget *axis;
  gint64 from, to;
  double x0, x1;
  graphene_rect_t bounds;

  fixture_init (&fixture, sample_timeline (), 265);
  axis = ui_find (fixture.view, "TbTimeAxis");
  g_assert_true (gtk_widget_compute_bounds (axis, fixture.view, &bounds));
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START + 50 * SAMPLE_MS,
                                 &x0, NULL);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START + 100 * SAMPLE_MS,
                                 &x1, NULL);
  /* Below the plot, aligned with it. */
  ui_drag (axis, x0 - bounds.origin.x, bounds.size.height / 2, x1 - bounds.origin.x,
           bounds.size.height / 2, NULL);
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpfloat_with_epsilon ((double) (from - SAMPLE_START) / SAMPLE_MS, 50, .6);
  g_assert_cmpfloat_with_epsilon ((double) (to - SAMPLE_START) / SAMPLE_MS, 100, .6);
  fixture_clear (&fixture);
}

/* Two views of one document. */
static void
test_shared (void)
{
  g_autoptr (TbTimelineFigure) figure = sample_timeline ();
  g_autoptr (TbTableFigure) table = sample_table ();
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *first = tb_timeline_view_new (figure, focus),
            *second = tb_timeline_view_new (figure, focus);
  GtkWidget *view = tb_table_view_new (table, focus);
  GtkWindow *window;
  g_autofree char *copied = NULL;

  gtk_widget_set_vexpand (first, TRUE);
  gtk_widget_set_vexpand (second, TRUE);
  gtk_widget_set_size_request (view, -1, 150);
  gtk_box_append (GTK_BOX (box), first);
  gtk_box_append (GTK_BOX (box), second);
  gtk_box_append (GTK_BOX (box), view);
  window = ui_window (box, 800, 900);
  tb_timeline_view_select (TB_TIMELINE_VIEW (first), 1, 0);
  ui_frames (second, 2);
  gtk_test_accessible_assert_state (gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (
                                        ui_find (second, "TbTimelineRow"))),
                                    GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  copied = tb_table_view_copy (TB_TABLE_VIEW (view));
  g_assert_nonnull (strstr (copied, "resolver"));
  g_assert_null (strstr (copied, "php-cgi"));
  ui_close (window);
}

static void
test_empty (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_timeline_empty (), 1);
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  g_assert_cmpstr (adw_status_page_get_description (
                       ADW_STATUS_PAGE (ui_find (fixture.view, "AdwStatusPage"))),
                   ==, "Nothing was recorded in this range.");
  g_assert_cmpuint (tb_timeline_view_get_n_shown (TB_TIMELINE_VIEW (fixture.view)), ==, 0);
  g_assert_false (
      tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view), 300, 100, NULL, NULL));
  fixture_clear (&fixture);
}

static guint n_label_requests;
static gboolean named;

static char *
get_late_label (TbTimelineFigure *figure,
                guint track,
                gsize interval,
                gboolean long_form,
                gpointer data)
{
  n_label_requests++;
  return g_strdup (named ? "do_work" : "0x401000");
}

/* A track with one long interval, which has a label. */
static TbTimelineFigure *
late_timeline (void)
{
  TbTimelineFigure *figure
      = tb_timeline_figure_new ("late", "Late", SAMPLE_START, SAMPLE_START + 100 * SAMPLE_MS);
  const gint64 start = SAMPLE_START, end = SAMPLE_START + 90 * SAMPLE_MS;
  const guint8 paint = TB_PAINT_RUNNING;
  g_autoptr (GBytes) starts = g_bytes_new (&start, sizeof start);
  g_autoptr (GBytes) ends = g_bytes_new (&end, sizeof end);
  g_autoptr (GBytes) paints = g_bytes_new (&paint, sizeof paint);

  tb_timeline_figure_add_track (figure, "1", "worker", "program 7", 1);
  tb_timeline_figure_set_intervals (figure, 0, 1, starts, ends, paints);
  tb_timeline_figure_set_label_func (figure, get_late_label, NULL, NULL);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Labels drawn before symbolization are redrawn, and their accessible names updated. */
static void
test_late_names (void)
{
  Fixture fixture;
  GtkWidget *row;
  guint n_before;

  named = FALSE;
  fixture_init (&fixture, late_timeline (), 100);
  tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), 0, 0);
  ui_frames (fixture.view, 2);
  row = get_row (&fixture, 1);
  ui_assert_description (row, "0x401000, 90 ms, from 0\u00a0ns");
  n_before = n_label_requests;
  gtk_widget_queue_draw (row);
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (n_label_requests, ==, n_before);
  named = TRUE;
  tb_figure_view_names_changed (fixture.view);
  ui_assert_description (row, "do_work, 90 ms, from 0\u00a0ns");
  n_before = n_label_requests;
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (n_label_requests, >, n_before);
  fixture_clear (&fixture);
}

/* After the figure is made again, headings stay collapsed and rows scrolled; time and selection are
 * stored in the focus. */
static void
test_keep_place (void)
{
  Fixture fixture;
  g_autoptr (TbTimelineFigure) figure = sample_timeline_random (300, 3000);
  GtkWidget *view, *scroller;
  GtkWindow *window;
  guint n_shown;
  double y;

  fixture_init (&fixture, sample_timeline_random (300, 3000), 60000);
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "Left"); /* collapses the first heading */
  g_assert_false (
      tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START, NULL, &y)
      && y > 60);
  scroller = gtk_widget_get_ancestor (ui_find (fixture.view, "TbTimelineCanvas"),
                                      GTK_TYPE_SCROLLED_WINDOW);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)),
                            3000);
  ui_frames (fixture.view, 3);
  n_shown = tb_timeline_view_get_n_shown (TB_TIMELINE_VIEW (fixture.view));

  view = g_object_ref_sink (
      tb_figure_view_new_after (TB_FIGURE (figure), fixture.focus, fixture.view));
  window = ui_window (view, 900, 640);
  ui_frames (view, 3);
  g_assert_cmpuint (tb_timeline_view_get_n_shown (TB_TIMELINE_VIEW (view)), ==, n_shown);
  scroller = gtk_widget_get_ancestor (ui_find (view, "TbTimelineCanvas"), GTK_TYPE_SCROLLED_WINDOW);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (
                                      GTK_SCROLLED_WINDOW (scroller))),
                                  3000, 1);
  for (guint track = 0; track < 300; track += 7)
    {
      double old_y = 0, new_y = 0;

      g_assert_true (tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), track,
                                                    SAMPLE_START, NULL, &old_y));
      g_assert_true (tb_timeline_view_get_position (TB_TIMELINE_VIEW (view), track, SAMPLE_START,
                                                    NULL, &new_y));
      g_assert_cmpfloat_with_epsilon (old_y, new_y, 1);
    }
  ui_close (window);
  g_object_unref (view);
  fixture_clear (&fixture);
}

/* Tracks of two hosts, with unusual names, over an hour. */
static TbTimelineFigure *
unusual_timeline (void)
{
  static const struct
  {
    const char *name;
    const char *group;
    const char *host;
    gint64 length;
  } tracks[] = {
    { "<b>&amp;</b>", "<markup> 1", "web", 0 },
    { "\u202eright\u202c \u05e9\u05dc\u05d5\u05dd", "<markup> 1", "web", 1 },
    { "bad \xff\xfe bytes", "\xc3( 2", "db", 3600 * G_GINT64_CONSTANT (1000000000) },
    { "", "<markup> 1", "db", 1000 },
    { "line\nbreak\ttab", "<markup> 1", "web", 1000000 },
    { "\xf0\x9f\x92\xa9 e\xcc\x81\xcc\x81\xcc\x81\xcc\x81", "", "db", 5 },
  };
  TbTimelineFigure *figure
      = tb_timeline_figure_new ("odd", "Odd", SAMPLE_START, SAMPLE_START + 3600000 * SAMPLE_MS);

  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    {
      gint64 start = SAMPLE_START + (gint64) (i == 2 ? 0 : i) * 600000 * SAMPLE_MS,
             end = start + tracks[i].length;
      guint8 paint = (guint8) (TB_PAINT_RUNNING + i);
      g_autoptr (GBytes) starts = g_bytes_new (&start, sizeof start);
      g_autoptr (GBytes) ends = g_bytes_new (&end, sizeof end);
      g_autoptr (GBytes) paints = g_bytes_new (&paint, sizeof paint);
      g_autofree char *id = g_strdup_printf ("%u", i);

      tb_timeline_figure_add_track (figure, id, tracks[i].name, tracks[i].group, i);
      tb_timeline_figure_set_track_host (figure, i, tracks[i].host);
      tb_timeline_figure_set_intervals (figure, i, 1, starts, ends, paints);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
test_odd (void)
{
  Fixture fixture;
  gint64 from, to;

  fixture_init (&fixture, unusual_timeline (), 3600000);
  /* Two hosts with three groups that have a heading, six tracks. */
  g_assert_cmpuint (ui_count (fixture.view, "TbTimelineRow"), ==, 2 + 3 + 6);
  gtk_test_accessible_assert_property (get_row (&fixture, 0), GTK_ACCESSIBLE_PROPERTY_LABEL, "web");
  gtk_test_accessible_assert_property (get_row (&fixture, 0), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "3 tracks");
  gtk_test_accessible_assert_property (get_row (&fixture, 1), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "<markup> 1");
  gtk_test_accessible_assert_property (get_row (&fixture, 2), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "<b>&amp;</b>");
  gtk_test_accessible_assert_property (get_row (&fixture, 5), GTK_ACCESSIBLE_PROPERTY_LABEL, "db");
  /* Intervals of zero length can be selected and zoomed to like those of an hour. */
  for (guint track = 0; track < 6; track++)
    {
      tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), track, 0);
      gtk_widget_grab_focus (fixture.view);
      ui_key (fixture.view, "f");
      tb_focus_get_view (fixture.focus, &from, &to);
      g_assert_cmpint (to, >, from);
      ui_point (fixture.view, 400, 60);
      ui_frames (fixture.view, 2);
    }
  tb_figure_view_set_search (fixture.view, "longer:1min");
  ui_wait (shows_one, fixture.view);
  tb_figure_view_set_search (fixture.view, "\xff");
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (tb_timeline_view_get_n_shown (TB_TIMELINE_VIEW (fixture.view)), ==, 1);
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/timeline-view/accessible", test_accessible);
  g_test_add_func ("/timeline-view/hit", test_hit);
  g_test_add_func ("/timeline-view/keyboard", test_keyboard);
  g_test_add_func ("/timeline-view/habits", test_conventional_keys);
  g_test_add_func ("/timeline-view/range-keys", test_range_keys);
  g_test_add_func ("/timeline-view/mouse", test_mouse);
  g_test_add_func ("/timeline-view/edge", test_edge);
  g_test_add_func ("/timeline-view/axis", test_axis);
  g_test_add_func ("/timeline-view/shared", test_shared);
  g_test_add_func ("/timeline-view/empty", test_empty);
  g_test_add_func ("/timeline-view/late-names", test_late_names);
  g_test_add_func ("/timeline-view/keep-place", test_keep_place);
  g_test_add_func ("/timeline-view/odd", test_odd);
  return g_test_run ();
}
