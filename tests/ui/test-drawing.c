/* test-drawing.c: sizes measured in drawn pixels, and input in mirrored layouts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "layers/tb-graph-engine.h"
#include "session/schema/tb-schema.h"
#include "timeline-fixture.h"

#define N_STATES 3

typedef struct
{
  guint32 *pixels;
  int width;
  int height;
} Picture;

static Picture
take_picture (GtkWidget *widget)
{
  g_autoptr (GdkTexture) texture = ui_texture (widget);
  Picture self
      = { .width = gdk_texture_get_width (texture), .height = gdk_texture_get_height (texture) };

  self.pixels = g_new (guint32, (gsize) self.width * (gsize) self.height);
  gdk_texture_download (texture, (guchar *) self.pixels, (gsize) self.width * 4);
  return self;
}

static guint32
get_pixel (const Picture *self, int x, int y)
{
  g_assert_cmpint (x, >=, 0);
  g_assert_cmpint (x, <, self->width);
  return y >= 0 && y < self->height ? self->pixels[y * self->width + x] : 0;
}

/* Makes a thread that runs, is runnable and waits, for equal times. */
static TbTimelineFigure *
make_states (void)
{
  static const guint8 paints[N_STATES] = { TB_PAINT_RUNNING, TB_PAINT_RUNNABLE, TB_PAINT_WAITING };
  TbTimelineFigure *figure
      = tb_timeline_figure_new ("states", "States", SAMPLE_START, SAMPLE_START + 30 * SAMPLE_MS);
  guint track = tb_timeline_figure_add_track (figure, "track-0", "worker", "worker 7", 7);
  g_autoptr (GBytes) states = g_bytes_new (paints, sizeof paints);
  g_autoptr (GBytes) starts = NULL;
  g_autoptr (GBytes) ends = NULL;
  gint64 start[N_STATES], end[N_STATES];

  for (guint i = 0; i < N_STATES; i++)
    {
      start[i] = SAMPLE_START + i * 10 * SAMPLE_MS;
      end[i] = start[i] + 10 * SAMPLE_MS;
    }
  starts = g_bytes_new (start, sizeof start);
  ends = g_bytes_new (end, sizeof end);
  tb_timeline_figure_set_intervals (figure, track, N_STATES, starts, ends, states);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* States also differ in height, all on the same base line: running has the full height, runnable
 * two thirds, waiting one third. */
static void
test_heights (void)
{
  Fixture fixture;
  Picture picture;
  int heights[N_STATES], bottom = 0;

  fixture_init (&fixture, make_states (), 30);
  picture = take_picture (fixture.view);
  for (guint i = 0; i < N_STATES; i++)
    {
      double x, y;
      int first, last;
      guint32 color;

      g_assert_true (
          tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0,
                                         SAMPLE_START + (gint64) (i * 10 + 5) * SAMPLE_MS, &x, &y));
      /* All stand on the base line of the first, which is searched from its middle down. */
      last = i == 0 ? (int) y : bottom;
      while (i == 0
             && get_pixel (&picture, (int) x, last + 1) == get_pixel (&picture, (int) x, last))
        last++;
      color = get_pixel (&picture, (int) x, last);
      for (first = last; get_pixel (&picture, (int) x, first - 1) == color;)
        first--;
      bottom = last;
      heights[i] = last - first + 1;
    }
  g_assert_cmpint (heights[0], >=, 9);
  g_assert_cmpint (ABS (heights[1] * 3 - heights[0] * 2), <=, 3);
  g_assert_cmpint (ABS (heights[2] * 3 - heights[0]), <=, 3);
  g_free (picture.pixels);
  fixture_clear (&fixture);
}

/* Time still goes from left to right, and names are on the right: a click selects the item at its
 * place. */
static void
test_mirrored_timeline (void)
{
  Fixture fixture;
  TbTimelineTrack track;
  gint64 from, to, before;
  double x0, x1, y;
  guint n_clicked = 0;

  fixture_init (&fixture, sample_timeline (), 265);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START, &x0, &y);
  g_assert_cmpfloat (x0, <, 40); /* no names there */
  tb_timeline_figure_get_track (fixture.figure, 0, &track);
  for (gsize k = 0; k < track.n && n_clicked < 4; k++)
    {
      tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, track.start[k], &x0, &y);
      tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, track.end[k], &x1, NULL);
      g_assert_cmpfloat (x0, <=, x1);
      if (x1 - x0 < 8)
        continue;
      ui_click (fixture.view, (x0 + x1) / 2, y);
      g_assert_true (tb_focus_get_time (fixture.focus, &from, &to));
      g_assert_cmpint (from, ==, track.start[k]);
      g_assert_cmpint (to, ==, track.end[k]);
      n_clicked++;
    }
  g_assert_cmpuint (n_clicked, >, 1);
  before = from;
  ui_key (fixture.view, "Left");
  g_assert_true (tb_focus_get_time (fixture.focus, &from, &to));
  g_assert_cmpint (to, <=, before);
  ui_key (fixture.view, "Right");
  tb_focus_get_time (fixture.focus, &from, &to);
  g_assert_cmpint (from, ==, before);
  /* A brushed range is where it was drawn. */
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START + 50 * SAMPLE_MS,
                                 &x0, &y);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 0, SAMPLE_START + 150 * SAMPLE_MS,
                                 &x1, NULL);
  ui_drag (fixture.view, x0, y, x1, y, NULL);
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpfloat_with_epsilon ((double) (from - SAMPLE_START) / SAMPLE_MS, 50, 2);
  g_assert_cmpfloat_with_epsilon ((double) (to - SAMPLE_START) / SAMPLE_MS, 150, 2);
  /* The name is at the right edge, and selects the thread. */
  tb_focus_clear (fixture.focus);
  ui_click (fixture.view, gtk_widget_get_width (fixture.view) - 60, y);
  g_assert_cmpuint (tb_focus_get_thread (fixture.focus), ==, track.thread);
  fixture_clear (&fixture);
}

static gboolean
is_settled (gpointer view)
{
  return !tb_graph_view_is_busy (view);
}

typedef struct
{
  TbFocus *focus;
  const char *item;
} Awaited;

static gboolean
is_selected (gpointer data)
{
  const Awaited *awaited = data;

  return g_strcmp0 (tb_focus_get_item (awaited->focus), awaited->item) == 0;
}

/* Returns the thickness of what differs from the background, up and down from a place. */
static int
measure_line (const Picture *self, double x, double y)
{
  guint32 ground = get_pixel (self, 2, self->height - 60);
  int top = (int) y, bottom = (int) y;

  g_assert_cmphex (get_pixel (self, (int) x, (int) y), !=, ground);
  while (get_pixel (self, (int) x, top - 1) != ground)
    top--;
  while (get_pixel (self, (int) x, bottom + 1) != ground)
    bottom++;
  return bottom - top + 1;
}

/* Heavier edges are drawn wider. */
static void
test_edge_widths (void)
{
  static const guint64 weights[] = { 100, 50, 5 };
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Waits", "ns");
  TbFocus *focus = tb_focus_new (SAMPLE_START, SAMPLE_START + SAMPLE_MS);
  guint target = tb_graph_figure_add_vertex (figure, "target", "target", "", TB_VERTEX_THREAD,
                                             TB_ID_NONE, 1);
  GtkWidget *view;
  GtkWindow *window;
  Picture picture;
  int widths[G_N_ELEMENTS (weights)];

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);
      g_autofree char *edge = g_strdup_printf ("e%u", i);

      tb_graph_figure_add_edge (figure, edge,
                                tb_graph_figure_add_vertex (figure, id, id, "", TB_VERTEX_THREAD,
                                                            TB_ID_NONE, 1),
                                target, weights[i], 0, "");
    }
  tb_figure_freeze (TB_FIGURE (figure));
  view = tb_graph_view_new (figure, focus);
  window = ui_window (view, 900, 500);
  ui_wait (is_settled, view);
  ui_frames (view, 3);
  picture = take_picture (view);
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *edge = g_strdup_printf ("e%u", i);
      double x, y;

      g_assert_true (tb_graph_view_get_place (TB_GRAPH_VIEW (view), edge, &x, &y));
      widths[i] = measure_line (&picture, x, y);
    }
  g_assert_cmpint (widths[0], >, widths[1]);
  g_assert_cmpint (widths[1], >, widths[2]);
  g_free (picture.pixels);
  ui_close (window);
  g_assert_finalize_object (focus);
}

/* Counts the gaps in the line of an edge, in the middle between two places. */
static guint
count_gaps (const Picture *self, TbGraphView *view, const char *edge, double from, double to)
{
  guint32 ground = get_pixel (self, 2, self->height - 60);
  gboolean was_inked = FALSE;
  guint n = 0;

  for (int x = (int) (from + .3 * (to - from)); x < (int) (from + .7 * (to - from)); x++)
    {
      gboolean is_met = FALSE, is_inked = FALSE;

      for (int y = 0; y < self->height; y++)
        if (g_strcmp0 (tb_graph_view_get_item_at (view, x, y), edge) == 0)
          {
            is_met = TRUE;
            is_inked |= get_pixel (self, x, y) != ground;
          }
      g_assert_true (is_met);
      n += was_inked && !is_inked;
      was_inked = is_inked;
    }
  return n;
}

/* Only edges up to the threshold, and excluded edges of any weight, are dashed. */
static void
test_dashed_edges (void)
{
  static const struct
  {
    guint64 weight;
    guint flags;
    gboolean has_gaps;
  } edges[]
      = { { 100, 0, FALSE }, { 21, 0, FALSE }, { 20, 0, TRUE }, { 90, TB_EDGE_EXCLUDED, TRUE } };
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Waits", "ns");
  TbFocus *focus = tb_focus_new (SAMPLE_START, SAMPLE_START + SAMPLE_MS);
  guint target = tb_graph_figure_add_vertex (figure, "target", "target", "", TB_VERTEX_THREAD,
                                             TB_ID_NONE, 1);
  GtkWidget *view;
  GtkWindow *window;
  Picture picture;

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);
      g_autofree char *edge = g_strdup_printf ("e%u", i);
      guint from = tb_graph_figure_add_vertex (figure, id, id, "", TB_VERTEX_THREAD, TB_ID_NONE, 1);

      tb_graph_figure_add_edge (figure, edge, from, target, edges[i].weight, edges[i].flags, "");
    }
  tb_graph_figure_set_threshold (figure, 20, 100);
  tb_figure_freeze (TB_FIGURE (figure));
  view = tb_graph_view_new (figure, focus);
  window = ui_window (view, 900, 500);
  ui_wait (is_settled, view);
  ui_frames (view, 3);
  picture = take_picture (view);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      g_autofree char *id = g_strdup_printf ("v%u", i);
      g_autofree char *edge = g_strdup_printf ("e%u", i);
      double from, to, y;
      guint n;

      g_assert_true (tb_graph_view_get_place (TB_GRAPH_VIEW (view), id, &from, &y));
      g_assert_true (tb_graph_view_get_place (TB_GRAPH_VIEW (view), "target", &to, &y));
      n = count_gaps (&picture, TB_GRAPH_VIEW (view), edge, from, to);
      if (edges[i].has_gaps)
        g_assert_cmpuint (n, >=, 3);
      else
        g_assert_cmpuint (n, ==, 0);
    }
  g_free (picture.pixels);
  ui_close (window);
  g_assert_finalize_object (focus);
}

/* A click selects the item at its place; arrow keys move in their direction. */
static void
test_mirrored_graph (void)
{
  g_autoptr (TbGraphFigure) figure = tb_graph_figure_new ("graph", "Waits", "ns");
  guint a = tb_graph_figure_add_vertex (figure, "va", "first", "", TB_VERTEX_THREAD, TB_ID_NONE, 1);
  guint b
      = tb_graph_figure_add_vertex (figure, "vb", "second", "", TB_VERTEX_THREAD, TB_ID_NONE, 1);
  TbFocus *focus = tb_focus_new (SAMPLE_START, SAMPLE_START + SAMPLE_MS);
  GtkWidget *view;
  GtkWindow *window;
  double ax, ay, bx, by;

  tb_graph_figure_add_edge (figure, "ab", a, b, 100, 0, "100 ns");
  tb_figure_freeze (TB_FIGURE (figure));
  view = tb_graph_view_new (figure, focus);
  window = ui_window (view, 900, 300);
  ui_wait (is_settled, view);
  ui_frames (view, 3);
  g_assert_true (tb_graph_view_get_place (TB_GRAPH_VIEW (view), "va", &ax, &ay));
  g_assert_true (tb_graph_view_get_place (TB_GRAPH_VIEW (view), "vb", &bx, &by));
  g_assert_cmpfloat (ax, >, bx + 50); /* the waiter is at the start of the reading direction */
  ui_click (view, ax, ay);
  ui_wait (is_selected, &(Awaited) { focus, "va" });
  ui_key (view, "Left");
  ui_wait (is_selected, &(Awaited) { focus, "ab" });
  ui_key (view, "Left");
  ui_wait (is_selected, &(Awaited) { focus, "vb" });
  ui_key (view, "Right");
  ui_wait (is_selected, &(Awaited) { focus, "ab" });
  ui_close (window);
  g_assert_finalize_object (focus);
}

static void
test_mirrored_flame (void)
{
  TbFlameFigure *figure = sample_flame ();
  TbFocus *focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  GtkWidget *view = tb_flame_view_new (figure, focus);
  GtkWindow *window = ui_window (view, 900, 500);
  guint selected = TB_ID_NONE, first = TB_ID_NONE;

  /* Every item met along a line is the item selected there. */
  for (int y = 4; y < gtk_widget_get_height (view) && first == TB_ID_NONE; y += 6)
    for (int x = 8; x < gtk_widget_get_width (view) - 8 && first == TB_ID_NONE; x += 40)
      {
        first = tb_flame_view_get_node_at (TB_FLAME_VIEW (view), x, y);
        if (first != TB_ID_NONE)
          {
            ui_click (view, x, y);
            selected = tb_flame_view_get_selected (TB_FLAME_VIEW (view));
          }
      }
  g_assert_cmpuint (first, !=, TB_ID_NONE);
  g_assert_cmpuint (selected, ==, first);
  ui_close (window);
  g_assert_finalize_object (focus);
  g_assert_finalize_object (figure);
}

/* Saturation near the end of a box, above its label: the difference between the strongest and the
 * weakest colour component. */
static int
get_saturation (GtkWidget *view, guint node, guint32 *pixel)
{
  Picture picture = take_picture (view);
  int x = -1, y = -1, most = 0, least = 255;

  for (int v = 0; v < picture.height && y < 0; v++)
    for (int u = 0; u < picture.width; u += 2)
      if (tb_flame_view_get_node_at (TB_FLAME_VIEW (view), u, v) == node)
        {
          x = u;
          y = v;
        }
  g_assert_cmpint (x, >=, 4);
  *pixel = get_pixel (&picture, x - 4, y + 2);
  for (guint shift = 0; shift < 24; shift += 8)
    {
      most = MAX (most, (int) (*pixel >> shift & 0xff));
      least = MIN (least, (int) (*pixel >> shift & 0xff));
    }
  g_free (picture.pixels);
  return most - least;
}

/* The zoomed box keeps its colour; its callers are shown paler. */
static void
test_zoomed_flame (void)
{
  TbFlameFigure *figure = sample_flame ();
  TbFocus *focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  GtkWidget *view = tb_flame_view_new (figure, focus);
  GtkWindow *window = ui_window (view, 900, 500);
  guint node = 0, caller;
  guint32 before, caller_before, after, caller_after;
  int saturation, caller_saturation;

  while (!g_str_equal (tb_flame_figure_get_node (figure, node)->name, "sha512_rounds"))
    node++;
  caller = tb_flame_figure_get_node (figure, node)->parent;
  g_assert_cmpuint (caller, !=, TB_ID_NONE);
  saturation = get_saturation (view, node, &before);
  caller_saturation = get_saturation (view, caller, &caller_before);
  g_assert_cmpint (MIN (saturation, caller_saturation), >, 20);
  tb_flame_view_zoom_to (TB_FLAME_VIEW (view), node);
  ui_frames (view, 4);
  get_saturation (view, node, &after);
  g_assert_cmphex (after, ==, before);
  g_assert_cmpint (get_saturation (view, caller, &caller_after), <, caller_saturation * 3 / 4);
  ui_close (window);
  g_assert_finalize_object (focus);
  g_assert_finalize_object (figure);
}

static void
run_mirrored (gconstpointer data)
{
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  ((GTestFunc) data) ();
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  tb_graph_engine_install ();
  g_test_add_func ("/drawn/heights", test_heights);
  g_test_add_func ("/drawn/edge-widths", test_edge_widths);
  g_test_add_func ("/drawn/dashed-edges", test_dashed_edges);
  g_test_add_func ("/drawn/zoomed-flame", test_zoomed_flame);
  g_test_add_data_func ("/drawn/mirrored-timeline", (gconstpointer) test_mirrored_timeline,
                        run_mirrored);
  g_test_add_data_func ("/drawn/mirrored-flame", (gconstpointer) test_mirrored_flame, run_mirrored);
  g_test_add_data_func ("/drawn/mirrored-graph", (gconstpointer) test_mirrored_graph, run_mirrored);
  return g_test_run ();
}
