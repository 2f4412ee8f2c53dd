/* test-paths-view.c: chronological flames and their lanes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "sample-figures.h"
#include "session/schema/tb-schema.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbFlameFigure *figure;
  TbFocus *focus;
  TbFocus *lens;
  GtkWidget *view;
  GtkWidget *canvas;
  GtkWindow *window;
} Fixture;

static void
fixture_init (Fixture *fixture, TbFlameFigure *figure)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (0, 10 * SAMPLE_START);
  fixture->view = tb_flame_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, 1000, 560);
  fixture->canvas = ui_find (fixture->view, "TbFlameCanvas");
  fixture->lens = tb_flame_view_get_lens (TB_FLAME_VIEW (fixture->view));
}

static void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_assert_finalize_object (fixture->figure);
}

static guint
find_node (Fixture *fixture, const char *name)
{
  for (guint node = 0; node < tb_flame_figure_get_n_nodes (fixture->figure); node++)
    if (g_str_equal (tb_flame_figure_get_node (fixture->figure, node)->name, name))
      return node;
  g_error ("no %s", name);
}

static void
assert_selected (Fixture *fixture, const char *name)
{
  guint node = tb_flame_view_get_selected (TB_FLAME_VIEW (fixture->view));

  g_assert_cmpuint (node, !=, TB_ID_NONE);
  g_assert_cmpstr (tb_flame_figure_get_node (fixture->figure, node)->name, ==, name);
}

static void
assert_seen_ms (Fixture *fixture, double from_ms, double to_ms)
{
  gint64 from, to;

  tb_focus_get_view (fixture->lens, &from, &to);
  g_assert_cmpfloat_with_epsilon ((double) (from - SAMPLE_START) / SAMPLE_MS, from_ms, .01);
  g_assert_cmpfloat_with_epsilon ((double) (to - SAMPLE_START) / SAMPLE_MS, to_ms, .01);
}

static gboolean
find_place (Fixture *fixture, guint node, double *x, double *y)
{
  for (*y = 2; *y < gtk_widget_get_height (fixture->view); *y += 5)
    for (*x = 2; *x < gtk_widget_get_width (fixture->view); *x += 5)
      if (tb_flame_view_get_node_at (TB_FLAME_VIEW (fixture->view), *x, *y) == node)
        return TRUE;
  return FALSE;
}

static void
test_accessible (void)
{
  Fixture fixture;
  GtkWidget *legend;

  fixture_init (&fixture, sample_paths ());
  gtk_test_accessible_assert_role (fixture.canvas, GTK_ACCESSIBLE_ROLE_TREE);
  gtk_test_accessible_assert_property (fixture.canvas, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Chronological");
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), find_node (&fixture, "login.log"));
  /* The description has place, time, kind and full name, which a sighted user gets from position
   * and colour. */
  ui_assert_description (fixture.canvas,
                         "login.log (vda), /var/log/login.log, for 10 ms from "
                         "120.7\u00a0ms: 10 ms, 2.9 % of all, 10 ms in itself; disk; "
                         "blocking I/O 10 ms");
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), find_node (&fixture, "auth (1168)"));
  ui_assert_description (fixture.canvas,
                         "auth (1168) (blue), for 204 ms from 29\u00a0ms: 186 ms, 53 % of all, 0 "
                         "ns in itself; process; "
                         "understood functions 80 ms, blocking I/O 80 ms, I/O queue 9.6 ms");
  legend = g_object_ref_sink (tb_figure_view_new_legend (TB_FIGURE (fixture.figure)));
  gtk_test_accessible_assert_role (legend, GTK_ACCESSIBLE_ROLE_LIST);
  g_assert_cmpuint (ui_count (legend, "TbSwatch"), ==, 11);
  g_object_unref (legend);
  fixture_clear (&fixture);
}

static void
test_keyboard (void)
{
  Fixture fixture;
  gint64 from, to;

  fixture_init (&fixture, sample_paths ());
  gtk_widget_grab_focus (fixture.view);
  g_assert_true (gtk_widget_is_focus (fixture.canvas));
  ui_key (fixture.view, "Up");
  assert_selected (&fixture, "curl (1160)");
  g_assert_cmpuint (tb_focus_get_thread (fixture.focus), ==, 10);
  ui_key (fixture.view, "Up");
  ui_key (fixture.view, "Up");
  ui_key (fixture.view, "Up");
  assert_selected (&fixture, "ssl_init");
  /* Its time is selected too, for the timeline. */
  g_assert_true (tb_focus_get_time (fixture.focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START);
  g_assert_cmpint (to, ==, SAMPLE_START + 9 * SAMPLE_MS);
  ui_key (fixture.view, "Right");
  assert_selected (&fixture, "Curl_resolver_wait");
  ui_key (fixture.view, "Right");
  assert_selected (&fixture, "curl_multi_poll → 127.0.0.1:80");
  ui_key (fixture.view, "Return");
  assert_seen_ms (&fixture, 14, 262);
  ui_key (fixture.view, "Home");
  assert_seen_ms (&fixture, 0, 265);
  ui_key (fixture.view, "f");
  assert_seen_ms (&fixture, 14, 262);
  ui_key (fixture.view, "Home");
  assert_seen_ms (&fixture, 0, 265);
  /* Zooming keeps the centre of the selection, panning moves by tenths. */
  ui_key (fixture.view, "plus");
  tb_focus_get_view (fixture.lens, &from, &to);
  g_assert_cmpint (to - from, ==, 212 * SAMPLE_MS);
  ui_key (fixture.view, "ctrl+Right");
  tb_focus_get_view (fixture.lens, NULL, &from);
  g_assert_cmpint (from - to, ==, MIN (21200000, SAMPLE_START + 265 * SAMPLE_MS - to));
  ui_key (fixture.view, "0");
  assert_seen_ms (&fixture, 0, 265);
  ui_key (fixture.view, "Escape");
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  g_assert_null (tb_focus_get_item (fixture.focus));
  fixture_clear (&fixture);
}

static gboolean
is_merged (Fixture *fixture)
{
  gboolean merged;

  g_object_get (fixture->view, "merged", &merged, NULL);
  return merged;
}

/* M is the window's key for a bookmark. */
static void
test_merged (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_paths ());
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "m");
  g_assert_false (is_merged (&fixture));
  ui_key (fixture.view, "e");
  g_assert_true (is_merged (&fixture));
  ui_key (fixture.view, "e");
  g_assert_false (is_merged (&fixture));
  fixture_clear (&fixture);
}

static void
test_mouse (void)
{
  Fixture fixture;
  guint node;
  double x, y, width;

  fixture_init (&fixture, sample_paths ());
  width = gtk_widget_get_width (fixture.canvas) - 16;
  node = find_node (&fixture, "rdb_commit");
  g_assert_true (find_place (&fixture, node, &x, &y));
  ui_click (fixture.view, x + 3, y + 3);
  assert_selected (&fixture, "rdb_commit");
  /* The pointer is at a time, which other views show too. */
  g_assert_cmpint (tb_focus_get_pointer (fixture.focus), >=, SAMPLE_START + 119 * SAMPLE_MS);
  g_assert_cmpint (tb_focus_get_pointer (fixture.focus), <, SAMPLE_START + 232 * SAMPLE_MS);
  ui_input ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  ui_frames (fixture.view, 4);
  assert_seen_ms (&fixture, 119, 232);
  ui_drag (fixture.view, 500, y, 400, y, NULL);
  assert_seen_ms (&fixture, 119 + 113 * 100 / width, 232 + 113 * 100 / width);
  g_assert_true (find_place (&fixture, find_node (&fixture, "kworker/u4:2 (77)"), &x, &y));
  fixture_clear (&fixture);
}

/* A selection made elsewhere is visible here. */
static void
test_selection (void)
{
  Fixture fixture;
  g_autofree char *item = NULL;
  gint64 from, to;

  fixture_init (&fixture, sample_paths ());
  tb_focus_set_view (fixture.lens, SAMPLE_START, SAMPLE_START + 10 * SAMPLE_MS);
  item = tb_flame_figure_get_item (fixture.figure, find_node (&fixture, "rdb.journal"));
  tb_focus_select_item (fixture.focus, "chronological", item, TB_ID_NONE, TB_TIME_NONE,
                        TB_TIME_NONE, NULL);
  assert_selected (&fixture, "rdb.journal");
  tb_focus_get_view (fixture.lens, &from, &to);
  g_assert_cmpint (from, <=, SAMPLE_START + 149 * SAMPLE_MS);
  g_assert_cmpint (to, >=, SAMPLE_START + 158 * SAMPLE_MS);
  tb_focus_select_item (fixture.focus, "timeline", "x", TB_ID_NONE, SAMPLE_START + 20 * SAMPLE_MS,
                        SAMPLE_START + 21 * SAMPLE_MS, NULL);
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  tb_focus_get_view (fixture.lens, &from, NULL);
  g_assert_cmpint (from, <=, SAMPLE_START + 20 * SAMPLE_MS);
  tb_focus_select_range (fixture.focus, SAMPLE_START + 5 * SAMPLE_MS, SAMPLE_START + 9 * SAMPLE_MS);
  g_assert_true (tb_focus_get_range (fixture.lens, &from, NULL));
  g_assert_cmpint (from, ==, SAMPLE_START + 5 * SAMPLE_MS);
  tb_focus_select_range (fixture.lens, SAMPLE_START + 7 * SAMPLE_MS, SAMPLE_START + 9 * SAMPLE_MS);
  g_assert_true (tb_focus_get_range (fixture.focus, &from, NULL));
  g_assert_cmpint (from, ==, SAMPLE_START + 7 * SAMPLE_MS);
  tb_focus_clear_range (fixture.focus);
  g_assert_false (tb_focus_get_range (fixture.lens, NULL, NULL));
  ui_frames (fixture.view, 3);
  fixture_clear (&fixture);
}

/* The item that is navigated to becomes wide enough to read and visible, also if the view is shown
 * only afterwards. */
static void
test_navigate_to (void)
{
  g_autoptr (TbFlameFigure) figure = sample_paths_random (20000);
  g_autoptr (TbFocus) focus = tb_focus_new (0, 10 * SAMPLE_START);
  GtkWidget *view = tb_flame_view_new (figure, focus);
  GtkWidget *stack = gtk_stack_new ();
  GtkWindow *window;
  gint64 from, to;
  double x, y;
  guint n = 0;

  gtk_stack_add_named (GTK_STACK (stack), gtk_label_new ("else"), "else");
  gtk_stack_add_named (GTK_STACK (stack), view, "view");
  window = ui_window (stack, 700, 110);
  tb_focus_select_item (focus, "chronological", "50000", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "view");
  gtk_widget_grab_focus (view);
  ui_frames (view, 4);
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (view)), ==, 50000);
  tb_focus_get_view (tb_flame_view_get_lens (TB_FLAME_VIEW (view)), &from, &to);
  g_assert_cmpint (to - from, <, SAMPLE_MS);
  for (y = 2; y < gtk_widget_get_height (view); y += 4)
    for (x = 2; x < gtk_widget_get_width (view); x += 4)
      n += tb_flame_view_get_node_at (TB_FLAME_VIEW (view), x, y) == 50000;
  g_assert_cmpuint (n, >=, 48 / 4);
  ui_close (window);
}

/* Counts the pixels with the selection colour in a part of the picture. */
static guint
count_marked (Fixture *fixture, double x, double y, int width, int height)
{
  const GdkRGBA *mark = &tb_palette_get_default ()->select;
  g_autoptr (GdkTexture) texture = ui_texture (fixture->view);
  g_autoptr (GdkTextureDownloader) downloader = gdk_texture_downloader_new (texture);
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *pixels;
  gsize stride;
  guint n = 0;

  gdk_texture_downloader_set_format (downloader, GDK_MEMORY_R8G8B8A8);
  bytes = gdk_texture_downloader_download_bytes (downloader, &stride);
  pixels = g_bytes_get_data (bytes, NULL);
  for (int row = (int) y; row < (int) y + height; row++)
    for (int column = (int) x; column < (int) x + width; column++)
      {
        const guint8 *pixel = pixels + (gsize) row * stride + 4 * (gsize) column;

        n += ABS (pixel[0] - 255 * mark->red) < 3 && ABS (pixel[1] - 255 * mark->green) < 3
             && ABS (pixel[2] - 255 * mark->blue) < 3;
      }
  return n;
}

/* The selected box marks the call that led to its process, and the call that led to that process;
 * nothing is marked before. */
static void
test_links (void)
{
  Fixture fixture;
  double x, y;
  guint n_before;

  fixture_init (&fixture, sample_paths ());
  g_assert_true (find_place (&fixture, find_node (&fixture, "nginx (812)"), &x, &y));
  ui_frames (fixture.view, 3);
  n_before = count_marked (&fixture, x - 14, y - 10, 14, 40);
  g_assert_cmpuint (n_before, ==, 0);
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), find_node (&fixture, "sha512_rounds"));
  ui_frames (fixture.view, 3);
  g_assert_cmpuint (count_marked (&fixture, x - 14, y - 10, 14, 40), >, 10);
  /* For a call: the processes that worked for it. */
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view),
                        find_node (&fixture, "curl_multi_poll → 127.0.0.1:80"));
  ui_frames (fixture.view, 3);
  g_assert_cmpuint (count_marked (&fixture, x - 14, y - 10, 14, 40), >, 10);
  g_assert_true (find_place (&fixture, find_node (&fixture, "php-cgi (934)"), &x, &y));
  g_assert_cmpuint (count_marked (&fixture, x - 8, y - 4, 6, 10), ==, 0);
  fixture_clear (&fixture);
}

static void
test_search (void)
{
  Fixture fixture;
  TbFlameView *view;

  fixture_init (&fixture, sample_paths ());
  view = TB_FLAME_VIEW (fixture.view);
  /* Files and command lines are found although no box has room for them. */
  tb_figure_view_set_search (fixture.view, "/var/lib/auth");
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (view),
                                  20. * SAMPLE_MS
                                      / (double) tb_flame_figure_get_total (fixture.figure),
                                  1e-9);
  tb_figure_view_set_search (fixture.view, "curl -s");
  g_assert_cmpfloat (tb_flame_view_get_matched_share (view), >, .5);
  ui_frames (fixture.view, 3);
  fixture_clear (&fixture);
}

/* A hundred thousand boxes, at small and large scale. */
static void
test_dense (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_paths_random (20000));
  ui_frames (fixture.view, 2);
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), 5000);
  ui_frames (fixture.view, 2);
  tb_figure_view_set_search (fixture.view, "seek");
  ui_frames (fixture.view, 2);
  fixture_clear (&fixture);
}

/* Lanes above each other, and children beside the parent that they outlast. */
static void
test_consolidated (void)
{
  Fixture fixture;
  TbFlameView *view;
  double x, y, base, width;

  fixture_init (&fixture, sample_paths_consolidated ());
  width = gtk_widget_get_width (fixture.canvas) - 16;
  view = TB_FLAME_VIEW (fixture.view);
  g_assert_null (fixture.lens);
  g_assert_true (find_place (&fixture, find_node (&fixture, "auth (1168)"), &x, &base));
  g_assert_true (find_place (&fixture, find_node (&fixture, "kworker/u4:2 (77)"), &x, &y));
  g_assert_cmpfloat (y, <, base);
  g_assert_true (find_place (&fixture, find_node (&fixture, "poll"), &x, &y));
  /* 165 of the 205 ms of everything above it */
  g_assert_cmpuint (tb_flame_view_get_node_at (view, 8 + width * 160 / 220., y), ==,
                    find_node (&fixture, "poll"));
  g_assert_cmpuint (tb_flame_view_get_node_at (view, 8 + width * 170 / 220., y), ==, TB_ID_NONE);
  tb_flame_view_zoom_to (view, find_node (&fixture, "auth (1168)"));
  ui_frames (fixture.view, 3);
  g_assert_false (find_place (&fixture, find_node (&fixture, "wb_workfn"), &x, &y));
  fixture_clear (&fixture);
}

/* After symbolization the view is unchanged. */
static void
test_keep_place (void)
{
  Fixture fixture;
  g_autoptr (TbFlameFigure) again = sample_paths ();
  GtkWidget *view;
  TbFocus *lens;
  gint64 from;

  fixture_init (&fixture, sample_paths ());
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), find_node (&fixture, "pam_verify"));
  tb_focus_set_view (fixture.lens, SAMPLE_START + 20 * SAMPLE_MS, SAMPLE_START + 70 * SAMPLE_MS);
  tb_figure_view_set_search (fixture.view, "pam");
  view = tb_figure_view_new_after (TB_FIGURE (again), fixture.focus, fixture.view);
  g_object_ref_sink (view);
  lens = tb_flame_view_get_lens (TB_FLAME_VIEW (view));
  tb_focus_get_view (lens, &from, NULL);
  g_assert_cmpint (from, ==, SAMPLE_START + 20 * SAMPLE_MS);
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (view)), ==,
                    find_node (&fixture, "pam_verify"));
  g_assert_cmpstr (tb_figure_view_get_search (view), ==, "pam");
  g_object_unref (view);
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/paths-view/accessible", test_accessible);
  g_test_add_func ("/paths-view/keyboard", test_keyboard);
  g_test_add_func ("/paths-view/merged", test_merged);
  g_test_add_func ("/paths-view/mouse", test_mouse);
  g_test_add_func ("/paths-view/selection", test_selection);
  g_test_add_func ("/paths-view/led-to", test_navigate_to);
  g_test_add_func ("/paths-view/links", test_links);
  g_test_add_func ("/paths-view/search", test_search);
  g_test_add_func ("/paths-view/dense", test_dense);
  g_test_add_func ("/paths-view/consolidated", test_consolidated);
  g_test_add_func ("/paths-view/keep-place", test_keep_place);
  return g_test_run ();
}
