/* test-distributions-view.c: histograms and heat maps with mouse and keyboard
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
  TbFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkWidget *canvas;
  GtkWindow *window;
} Fixture;

static void
fixture_init (Fixture *fixture, gpointer figure, const char *canvas)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  fixture->view = tb_figure_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, 900, 500);
  fixture->canvas = ui_find (fixture->view, canvas);
}

static void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_assert_finalize_object (fixture->figure);
}

static void
assert_bins (Fixture *fixture, guint first, guint end)
{
  guint found_first, found_end;

  tb_histogram_view_get_selected (TB_HISTOGRAM_VIEW (fixture->view), &found_first, &found_end);
  g_assert_cmpuint (found_first, ==, first);
  g_assert_cmpuint (found_end, ==, end);
}

static void
test_histogram_keyboard (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_histogram (), "TbHistogramCanvas");
  gtk_widget_grab_focus (fixture.view);
  g_assert_true (gtk_widget_is_focus (fixture.canvas));
  ui_key (fixture.view, "Right");
  assert_bins (&fixture, 0, 1);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "bin-0");
  ui_key (fixture.view, "Right");
  ui_key (fixture.view, "shift+Right");
  ui_key (fixture.view, "shift+Right");
  assert_bins (&fixture, 1, 4);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "32..256");
  ui_key (fixture.view, "shift+Left");
  assert_bins (&fixture, 1, 3);
  ui_key (fixture.view, "Up");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "2");
  ui_key (fixture.view, "Up");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "3");
  assert_bins (&fixture, 18, 26);
  ui_assert_description (
      fixture.canvas, "peak 3: 5059 times, 0.4 % of all; 6 min 31 s in total, 99.7 % of the sum");
  ui_key (fixture.view, "Down");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "2");
  ui_key (fixture.view, "End");
  assert_bins (&fixture, 25, 26);
  /* Zooming, panning and back. */
  ui_key (fixture.view, "f");
  ui_key (fixture.view, "plus");
  ui_key (fixture.view, "a");
  ui_key (fixture.view, "0");
  ui_key (fixture.view, "Escape");
  assert_bins (&fixture, 0, 0);
  g_assert_null (tb_focus_get_item (fixture.focus));
  fixture_clear (&fixture);
}

static void
test_histogram_mouse (void)
{
  Fixture fixture;
  double width, height;

  fixture_init (&fixture, sample_histogram (), "TbHistogramCanvas");
  width = gtk_widget_get_width (fixture.canvas);
  height = gtk_widget_get_height (fixture.canvas);
  /* A click on a bin of a peak selects the peak, another click the bin. */
  ui_click (fixture.canvas, width * .86, height / 2);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "3");
  ui_frames (fixture.view, 2);
  ui_drag (fixture.canvas, width * .3, height / 2, width * .5, height / 2, NULL);
  ui_frames (fixture.view, 2);
  g_assert_true (g_strrstr (tb_focus_get_item (fixture.focus), "..") != NULL);
  /* Selected elsewhere. */
  tb_focus_select_item (fixture.focus, "latency", "1", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  assert_bins (&fixture, 1, 8);
  tb_focus_select_item (fixture.focus, "other", "1", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
  assert_bins (&fixture, 0, 0);
  fixture_clear (&fixture);
}

/* Selects at a place of the view, as its menu does. */
static void
select_at (Fixture *fixture, double x, double y)
{
  graphene_point_t place;

  g_assert_true (gtk_widget_compute_point (fixture->canvas, fixture->view,
                                           &GRAPHENE_POINT_INIT ((float) x, (float) y), &place));
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture->view), place.x, place.y);
}

/* Same as a click, except inside the selected peak. */
static void
test_histogram_select_at (void)
{
  Fixture fixture;
  double width, height;

  fixture_init (&fixture, sample_histogram (), "TbHistogramCanvas");
  width = gtk_widget_get_width (fixture.canvas);
  height = gtk_widget_get_height (fixture.canvas);
  select_at (&fixture, width * .86, height / 2);
  assert_bins (&fixture, 18, 26);
  select_at (&fixture, width * .86, height / 2);
  assert_bins (&fixture, 18, 26);
  select_at (&fixture, 1, height / 2);
  assert_bins (&fixture, 18, 26);
  /* On the bar above. */
  select_at (&fixture, width / 2, -10);
  assert_bins (&fixture, 18, 26);
  tb_histogram_view_select (TB_HISTOGRAM_VIEW (fixture.view), 0, 1);
  select_at (&fixture, width * .86, height / 2);
  assert_bins (&fixture, 18, 26);
  fixture_clear (&fixture);
}

static void
test_heatmap_select_at (void)
{
  Fixture fixture;
  double width;

  fixture_init (&fixture, sample_heatmap_differences (), "TbHeatmapCanvas");
  width = gtk_widget_get_width (fixture.canvas);
  select_at (&fixture, width - 40, 40);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "path5/7");
  select_at (&fixture, width - 40, 12);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "path5/7");
  /* The whole row already contains the cell. */
  select_at (&fixture, 20, 40);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "path5");
  select_at (&fixture, width - 40, 40);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "path5");
  tb_focus_select_item (fixture.focus, "heat", "path2/3", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  select_at (&fixture, width - 40, 40);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "path5/7");
  fixture_clear (&fixture);
}

/* A filter does not apply to values: all stay. */
static void
test_histogram_filter (void)
{
  Fixture fixture;
  g_autoptr (TbFilter) filter = tb_filter_parse ("process:curl", NULL);

  fixture_init (&fixture, sample_histogram_two (), "TbHistogramCanvas");
  tb_figure_view_set_filter (fixture.view, filter);
  tb_figure_view_set_search (fixture.view, "curl");
  tb_figure_view_set_filter (fixture.view, NULL);
  tb_histogram_view_set_logarithmic (TB_HISTOGRAM_VIEW (fixture.view), FALSE, FALSE);
  tb_histogram_view_set_percentiles (TB_HISTOGRAM_VIEW (fixture.view), TRUE);
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (fixture.canvas));
  fixture_clear (&fixture);
}

static void
test_histogram_keep_place (void)
{
  Fixture fixture;
  g_autoptr (TbHistogramFigure) figure = sample_histogram ();
  GtkWidget *view;
  guint first, end;

  fixture_init (&fixture, sample_histogram (), "TbHistogramCanvas");
  tb_histogram_view_select (TB_HISTOGRAM_VIEW (fixture.view), 3, 7);
  tb_histogram_view_set_logarithmic (TB_HISTOGRAM_VIEW (fixture.view), TRUE, FALSE);
  view = g_object_ref_sink (
      tb_figure_view_new_after (TB_FIGURE (figure), fixture.focus, fixture.view));
  g_assert_true (tb_histogram_view_get_selected (TB_HISTOGRAM_VIEW (view), &first, &end));
  g_assert_cmpuint (first, ==, 3);
  g_assert_cmpuint (end, ==, 7);
  g_object_unref (view);
  fixture_clear (&fixture);
}

static void
assert_cells (Fixture *fixture, guint row, guint first, guint end)
{
  guint found_row, found_first, found_end;

  tb_heatmap_view_get_selected (TB_HEATMAP_VIEW (fixture->view), &found_row, &found_first,
                                &found_end);
  g_assert_cmpuint (found_row, ==, row);
  g_assert_cmpuint (found_first, ==, first);
  g_assert_cmpuint (found_end, ==, end);
}

/* Selecting a cell over time selects its time. */
static void
test_heatmap_keyboard (void)
{
  Fixture fixture;
  gint64 from, to;

  fixture_init (&fixture, sample_heatmap (), "TbHeatmapCanvas");
  gtk_widget_grab_focus (fixture.view);
  g_assert_true (gtk_widget_is_focus (fixture.canvas));
  tb_heatmap_view_select (TB_HEATMAP_VIEW (fixture.view), 20, 6, 7);
  ui_key (fixture.view, "Right");
  assert_cells (&fixture, 20, 7, 8);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "20");
  g_assert_true (tb_focus_get_time (fixture.focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START + 265 * SAMPLE_MS * 7 / 60);
  ui_assert_description (fixture.canvas, "16.8 ms, 30.9\u00a0ms to 35.3\u00a0ms: 245 calls. Rows: "
                                         "Latency, at least. Columns: Time since the start.");
  ui_key (fixture.view, "Up");
  assert_cells (&fixture, 21, 7, 8);
  ui_key (fixture.view, "shift+Right");
  assert_cells (&fixture, 21, 7, 9);
  ui_key (fixture.view, "Home");
  assert_cells (&fixture, 21, 0, 1);
  ui_key (fixture.view, "plus");
  ui_key (fixture.view, "f");
  ui_key (fixture.view, "0");
  ui_key (fixture.view, "Escape");
  assert_cells (&fixture, TB_ID_NONE, 0, 0);
  fixture_clear (&fixture);
}

static void
test_heatmap_mouse (void)
{
  Fixture fixture;
  double width, height;

  fixture_init (&fixture, sample_heatmap_differences (), "TbHeatmapCanvas");
  width = gtk_widget_get_width (fixture.canvas);
  height = gtk_widget_get_height (fixture.canvas);
  /* Not on the title of the rows, which is above the cells. */
  ui_click (fixture.canvas, width - 40, 12);
  g_assert_null (tb_focus_get_item (fixture.focus));
  ui_click (fixture.canvas, width - 40, 40);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "path5/7");
  ui_frames (fixture.view, 2);
  /* Next to the cells, their row is selected. */
  ui_click (fixture.canvas, 20, height / 2);
  g_assert_true (g_str_has_prefix (tb_focus_get_item (fixture.focus), "path"));
  g_assert_null (g_strrstr (tb_focus_get_item (fixture.focus), "/"));
  tb_focus_select_item (fixture.focus, "heat", "path2/3", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  assert_cells (&fixture, 2, 3, 4);
  ui_assert_description (fixture.canvas,
                         "memcpy, read: +13.6 ms. Rows: Path. Columns: Frame, outermost first.");
  fixture_clear (&fixture);
}

/* If many cells share a pixel, the pointer selects the most extreme one. */
static void
test_heatmap_many (void)
{
  Fixture fixture;
  guint row, first, end, extreme = 0;

  fixture_init (&fixture, sample_heatmap_random (3000, 1300), "TbHeatmapCanvas");
  for (guint i = 0; i < 20; i++)
    {
      ui_click (fixture.canvas, 150 + i * 31, 30 + i * 17);
      g_assert_true (
          tb_heatmap_view_get_selected (TB_HEATMAP_VIEW (fixture.view), &row, &first, &end));
      extreme += tb_heatmap_figure_get_row (TB_HEATMAP_FIGURE (fixture.figure), row)[first] > 0;
    }
  g_assert_cmpuint (extreme, >, 0);
  fixture_clear (&fixture);
}

static void
test_heatmap_search (void)
{
  Fixture fixture;
  g_autoptr (TbFilter) filter = tb_filter_parse ("memcpy module:libc", NULL);

  fixture_init (&fixture, sample_heatmap_differences (), "TbHeatmapCanvas");
  tb_figure_view_set_search (fixture.view, "FSYNC");
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (fixture.canvas));
  tb_figure_view_set_search (fixture.view, "no such row");
  ui_frames (fixture.view, 2);
  g_assert_false (gtk_widget_get_mapped (fixture.canvas));
  tb_figure_view_set_search (fixture.view, NULL);
  tb_figure_view_set_filter (fixture.view, filter);
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (fixture.canvas));
  fixture_clear (&fixture);
}

static void
filter_heatmap (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbFilter) filter = tb_filter_parse (text, &error);

  g_assert_no_error (error);
  tb_figure_view_set_filter (fixture->view, filter);
}

/* Heat maps of paths and frames: functions are filtered by name, and the maximum in any cell. A
 * filter that does not apply to rows marks none. */
static void
test_heatmap_filter (void)
{
  Fixture fixture;
  TbHeatmapFigure *figure;
  guint n, n_found = 0;

  fixture_init (&fixture, sample_heatmap_differences (), "TbHeatmapCanvas");
  figure = TB_HEATMAP_FIGURE (fixture.figure);
  n = tb_heatmap_figure_get_n_rows (figure);
  filter_heatmap (&fixture, "function:FSYNC");
  for (guint row = 0; row < n; row++)
    g_assert_cmpint (tb_heatmap_view_is_found (TB_HEATMAP_VIEW (fixture.view), row), ==,
                     g_str_equal (tb_heatmap_figure_get_row_label (figure, row), "fsync"));
  filter_heatmap (&fixture, "longer:40ms");
  for (guint row = 0; row < n; row++)
    {
      gint64 most = 0;

      for (guint column = 0; column < 8; column++)
        most = MAX (most, ABS (tb_heatmap_figure_get_signed_row (figure, row)[column]));
      g_assert_cmpint (tb_heatmap_view_is_found (TB_HEATMAP_VIEW (fixture.view), row), ==,
                       most >= 40 * SAMPLE_MS);
      n_found += most >= 40 * SAMPLE_MS;
    }
  g_assert_cmpuint (n_found, >, 0);
  g_assert_cmpuint (n_found, <, n);
  filter_heatmap (&fixture, "state:running process:nginx");
  for (guint row = 0; row < n; row++)
    g_assert_false (tb_heatmap_view_is_found (TB_HEATMAP_VIEW (fixture.view), row));
  fixture_clear (&fixture);
}

/* Heat maps over time with durations as rows: rows of that duration match. */
static void
test_heatmap_filter_over_time (void)
{
  Fixture fixture;
  TbHeatmapFigure *figure;
  guint n;

  fixture_init (&fixture, sample_heatmap (), "TbHeatmapCanvas");
  figure = TB_HEATMAP_FIGURE (fixture.figure);
  n = tb_heatmap_figure_get_n_rows (figure);
  g_assert_cmpuint (n, >, 18);
  filter_heatmap (&fixture, "longer:1ms");
  for (guint row = 0; row < n; row++)
    g_assert_cmpint (tb_heatmap_view_is_found (TB_HEATMAP_VIEW (fixture.view), row), ==,
                     G_GINT64_CONSTANT (1) << (row + 4) >= SAMPLE_MS);
  filter_heatmap (&fixture, "function:read");
  for (guint row = 0; row < n; row++)
    g_assert_false (tb_heatmap_view_is_found (TB_HEATMAP_VIEW (fixture.view), row));
  fixture_clear (&fixture);
}

/* Brushed time slices become the range of all figures, as one step of the history. */
static void
test_heatmap_range (void)
{
  Fixture fixture;
  double width, height;
  guint row, first, end;
  gint64 from, to;

  fixture_init (&fixture, sample_heatmap (), "TbHeatmapCanvas");
  width = gtk_widget_get_width (fixture.canvas);
  height = gtk_widget_get_height (fixture.canvas);
  ui_click (fixture.canvas, width * .3, height / 2);
  g_assert_false (tb_focus_get_range (fixture.focus, NULL, NULL));
  ui_frames (fixture.view, 2);
  ui_drag (fixture.canvas, width * .4, height / 2, width * .7, height / 2, NULL);
  ui_frames (fixture.view, 2);
  g_assert_true (tb_heatmap_view_get_selected (TB_HEATMAP_VIEW (fixture.view), &row, &first, &end));
  g_assert_cmpuint (end - first, >, 5);
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START + 265 * SAMPLE_MS * first / 60);
  g_assert_cmpint (to, ==, SAMPLE_START + 265 * SAMPLE_MS * end / 60);
  tb_focus_go_back (fixture.focus);
  g_assert_false (tb_focus_get_range (fixture.focus, NULL, NULL));
  fixture_clear (&fixture);
}

static gboolean
are_same (GtkWidget *widget, GdkTexture *before)
{
  g_autoptr (GdkTexture) now = ui_texture (widget);
  gsize stride = (gsize) gdk_texture_get_width (now) * 4;
  gsize size = stride * (gsize) gdk_texture_get_height (now);
  g_autofree guchar *one = g_malloc (size);
  g_autofree guchar *two = g_malloc (size);

  g_assert_cmpint (gdk_texture_get_width (before), ==, gdk_texture_get_width (now));
  gdk_texture_download (before, one, stride);
  gdk_texture_download (now, two, stride);
  return memcmp (one, two, size) == 0;
}

/* The pointer's time in another figure is shown in a figure with the same time axis. */
static void
test_pointer (void)
{
  Fixture fixture;
  g_autoptr (GdkTexture) without = NULL;
  gint64 from, to;

  fixture_init (&fixture, sample_heatmap (), "TbHeatmapCanvas");
  without = ui_texture (fixture.canvas);
  tb_focus_get_view (fixture.focus, &from, &to);
  tb_focus_set_pointer (fixture.focus, from + (to - from) / 3);
  g_assert_false (are_same (fixture.canvas, without));
  tb_focus_set_pointer (fixture.focus, TB_TIME_NONE);
  g_assert_true (are_same (fixture.canvas, without));
  fixture_clear (&fixture);
}

/* Without a touch screen, the gestures are called with the values they would receive. */
static void
test_pinch (void)
{
  gpointer figures[] = { sample_histogram (), sample_heatmap () };
  const char *const canvases[] = { "TbHistogramCanvas", "TbHeatmapCanvas" };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      Fixture fixture;
      g_autoptr (GdkTexture) all = NULL;
      GtkGesture *pinch;

      fixture_init (&fixture, figures[i], canvases[i]);
      pinch = ui_find_controller (fixture.canvas, GTK_TYPE_GESTURE_ZOOM);
      all = ui_texture (fixture.canvas);
      g_signal_emit_by_name (pinch, "begin", NULL);
      g_signal_emit_by_name (pinch, "scale-changed", 3.);
      g_assert_false (are_same (fixture.canvas, all));
      g_signal_emit_by_name (pinch, "scale-changed", .5);
      g_assert_true (are_same (fixture.canvas, all));
      fixture_clear (&fixture);
    }
}

/* A finger is held, then moved. */
static void
test_hold (void)
{
  Fixture fixture;
  GtkGesture *hold;
  guint first, end;

  fixture_init (&fixture, sample_histogram (), "TbHistogramCanvas");
  hold = ui_find_controller (fixture.canvas, GTK_TYPE_GESTURE_LONG_PRESS);
  g_signal_emit_by_name (hold, "pressed", gtk_widget_get_width (fixture.canvas) / 2., 100.);
  g_assert_true (tb_histogram_view_get_selected (TB_HISTOGRAM_VIEW (fixture.view), &first, &end));
  g_assert_cmpuint (end, ==, first + 1);
  fixture_clear (&fixture);
}

/* Held and dragged beyond the edge until the end is reached. */
static gboolean
reaches_end (gpointer data)
{
  Fixture *fixture = data;
  guint first, end;

  tb_histogram_view_get_selected (TB_HISTOGRAM_VIEW (fixture->view), &first, &end);
  return end == tb_histogram_figure_get_n_bins (TB_HISTOGRAM_FIGURE (fixture->figure));
}

static void
test_edge (void)
{
  Fixture fixture;
  double width, height;

  fixture_init (&fixture, sample_histogram (), "TbHistogramCanvas");
  width = gtk_widget_get_width (fixture.canvas);
  height = gtk_widget_get_height (fixture.canvas);
  tb_histogram_view_select (TB_HISTOGRAM_VIEW (fixture.view), 1, 4);
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "f");
  ui_point (fixture.canvas, width * .5, height / 2);
  ui_input ("mousedown", "1", NULL);
  ui_point (fixture.canvas, width * .7, height / 2);
  g_assert_false (reaches_end (&fixture));
  ui_point (fixture.canvas, width - 2, height / 2);
  ui_wait (reaches_end, &fixture);
  ui_input ("mouseup", "1", NULL);
  fixture_clear (&fixture);
}

/* Another palette takes effect at once. */
static void
test_palette (void)
{
  gpointer figures[] = { sample_heatmap (), sample_flame (), sample_timeline () };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      Fixture fixture;
      g_autoptr (GdkTexture) before = NULL;

      fixture_init (&fixture, figures[i], G_OBJECT_TYPE_NAME (figures[i]));
      before = ui_texture (fixture.view);
      tb_palette_choose (TB_COLOR_PALETTE_SHADES);
      g_assert_false (are_same (fixture.view, before));
      tb_palette_choose (TB_COLOR_PALETTE_OKABE_ITO);
      g_assert_true (are_same (fixture.view, before));
      fixture_clear (&fixture);
    }
}

static void
test_empty (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_histogram_empty (), "TbHistogramCanvas");
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  g_assert_cmpstr (adw_status_page_get_description (
                       ADW_STATUS_PAGE (ui_find (fixture.view, "AdwStatusPage"))),
                   ==, "Nothing of this kind was recorded in this range.");
  fixture_clear (&fixture);
  fixture_init (&fixture, sample_heatmap_empty (), "TbHeatmapCanvas");
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  g_assert_cmpstr (adw_status_page_get_description (
                       ADW_STATUS_PAGE (ui_find (fixture.view, "AdwStatusPage"))),
                   ==, "Nothing of this kind was recorded in this range.");
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/histogram-view/keyboard", test_histogram_keyboard);
  g_test_add_func ("/histogram-view/mouse", test_histogram_mouse);
  g_test_add_func ("/histogram-view/select-at", test_histogram_select_at);
  g_test_add_func ("/histogram-view/filter", test_histogram_filter);
  g_test_add_func ("/histogram-view/keep-place", test_histogram_keep_place);
  g_test_add_func ("/heatmap-view/keyboard", test_heatmap_keyboard);
  g_test_add_func ("/heatmap-view/mouse", test_heatmap_mouse);
  g_test_add_func ("/heatmap-view/select-at", test_heatmap_select_at);
  g_test_add_func ("/heatmap-view/pointer", test_pointer);
  g_test_add_func ("/heatmap-view/many", test_heatmap_many);
  g_test_add_func ("/heatmap-view/search", test_heatmap_search);
  g_test_add_func ("/heatmap-view/filter", test_heatmap_filter);
  g_test_add_func ("/heatmap-view/filter-lapse", test_heatmap_filter_over_time);
  g_test_add_func ("/heatmap-view/range", test_heatmap_range);
  g_test_add_func ("/distributions/pinch", test_pinch);
  g_test_add_func ("/distributions/hold", test_hold);
  g_test_add_func ("/distributions/edge", test_edge);
  g_test_add_func ("/distributions/palette", test_palette);
  g_test_add_func ("/distributions/empty", test_empty);
  return g_test_run ();
}
