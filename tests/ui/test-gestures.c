/* test-gestures.c: two-finger gestures and kinetic motion in every zoomable figure
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test display server has neither a touch screen nor a touchpad. XTest only makes keys, buttons
 * and motion, and GTK 4 does not accept events from other sources. Therefore the gestures are
 * called with the values they would receive.
 */

#include "config.h"

#include <math.h>

#include "layers/tb-graph-engine.h"
#include "sample-figures.h"
#include "session/schema/tb-schema.h"
#include "ui-test.h"
#include "widgets/heatmap/tb-heatmap-private.h"
#include "widgets/histogram/tb-histogram-private.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkWidget *canvas;
  GtkWindow *window;
} Fixture;

static gboolean
is_laid_out (gpointer view)
{
  return !TB_IS_GRAPH_VIEW (view) || !tb_graph_view_is_busy (view);
}

static void
fixture_init (Fixture *self, gpointer figure, const char *canvas)
{
  self->figure = figure;
  self->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  self->view = tb_figure_view_new (figure, self->focus);
  self->window = ui_window (self->view, 900, 500);
  self->canvas = ui_find (self->view, canvas);
  g_assert_nonnull (self->canvas);
  ui_wait (is_laid_out, self->view);
  ui_frames (self->view, 3);
}

static gboolean
is_gone (gpointer object)
{
  return *(gpointer *) object == NULL;
}

static void
fixture_clear (Fixture *self)
{
  ui_close (self->window);
  g_assert_finalize_object (self->focus);
  g_object_add_weak_pointer (G_OBJECT (self->figure), (gpointer *) &self->figure);
  g_object_unref (self->figure);
  ui_wait (is_gone, &self->figure);
}

static void
pinch (Fixture *self, double scale)
{
  GtkGesture *gesture = ui_find_controller (self->canvas, GTK_TYPE_GESTURE_ZOOM);

  g_assert_nonnull (gesture);
  g_signal_emit_by_name (gesture, "begin", NULL);
  g_signal_emit_by_name (gesture, "scale-changed", scale);
}

/* --- two-finger gestures --- */

static void
test_pinch_graph (void)
{
  Fixture fixture;
  double before;

  fixture_init (&fixture, sample_graph (), "TbGraphCanvas");
  before = tb_graph_view_get_scale (TB_GRAPH_VIEW (fixture.view));
  pinch (&fixture, 1.5);
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (TB_GRAPH_VIEW (fixture.view)),
                                  before * 1.5, .001);
  pinch (&fixture, 1 / 1.5);
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (TB_GRAPH_VIEW (fixture.view)), before,
                                  .001);
  pinch (&fixture, 0);
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (TB_GRAPH_VIEW (fixture.view)), before,
                                  .001);
  fixture_clear (&fixture);
}

/* Time axes: the place between the fingers stays there. */
static void
test_pinch_over_time (void)
{
  Fixture fixture;
  TbFocus *lens;
  gint64 from, to, start, end;

  fixture_init (&fixture, sample_paths (), "TbFlameCanvas");
  lens = tb_flame_view_get_lens (TB_FLAME_VIEW (fixture.view));
  tb_focus_get_view (lens, &start, &end);
  pinch (&fixture, 2);
  tb_focus_get_view (lens, &from, &to);
  g_assert_cmpint (ABS ((to - from) * 2 - (end - start)), <=, 4);
  g_assert_cmpint (ABS ((from + to) - (start + end)), <=, 4);
  pinch (&fixture, .5);
  tb_focus_get_view (lens, &from, &to);
  g_assert_cmpint (ABS (from - start), <=, 4);
  g_assert_cmpint (ABS (to - end), <=, 4);
  fixture_clear (&fixture);
}

/* Other figures zoom in steps, once the fingers moved far enough: here back to the caller. */
static void
test_pinch_flame (void)
{
  Fixture fixture;
  TbFlameFigure *figure;
  TbFlameView *view;
  guint node = 0;

  fixture_init (&fixture, sample_flame (), "TbFlameCanvas");
  figure = TB_FLAME_FIGURE (fixture.figure);
  view = TB_FLAME_VIEW (fixture.view);
  while (tb_flame_figure_get_node (figure, node)->parent == TB_ID_NONE)
    node++;
  tb_flame_view_zoom_to (view, node);
  ui_frames (fixture.view, 2);
  pinch (&fixture, 1 / 1.2);
  g_assert_cmpuint (tb_flame_view_get_zoomed (view), ==, node);
  pinch (&fixture, 1 / 1.6);
  g_assert_cmpuint (tb_flame_view_get_zoomed (view), ==,
                    tb_flame_figure_get_node (figure, node)->parent);
  fixture_clear (&fixture);
}

static gboolean
find_box (Fixture *self, double *x, double *y)
{
  for (*y = gtk_widget_get_height (self->view) - 4; *y > 0; *y -= 5)
    for (*x = 10; *x < gtk_widget_get_width (self->view); *x += 5)
      if (tb_flame_view_get_node_at (TB_FLAME_VIEW (self->view), *x, *y) != TB_ID_NONE)
        return TRUE;
  return FALSE;
}

static gboolean
is_zoomed (gpointer view)
{
  return tb_flame_view_get_zoomed (view) != TB_ID_NONE;
}

static gboolean
is_not_zoomed (gpointer view)
{
  return !is_zoomed (view);
}

/* The wheel with Ctrl acts like the fingers; these events come from the server. */
static void
test_wheel_flame (void)
{
  Fixture fixture;
  double x = 0, y = 0;

  fixture_init (&fixture, sample_flame (), "TbFlameCanvas");
  g_assert_true (find_box (&fixture, &x, &y));
  ui_point (fixture.view, x, y);
  ui_input ("keydown", "ctrl", "click", "4", "keyup", "ctrl", NULL);
  ui_wait (is_zoomed, fixture.view);
  for (guint i = 0; i < tb_flame_figure_get_depth (TB_FLAME_FIGURE (fixture.figure)); i++)
    ui_input ("keydown", "ctrl", "click", "5", "keyup", "ctrl", NULL);
  ui_wait (is_not_zoomed, fixture.view);
  fixture_clear (&fixture);
}

/* --- kinetic motion --- */

typedef double (*Place) (Fixture *self);

static double
get_graph_place (Fixture *self)
{
  double x = 0, y;

  tb_graph_view_get_place (TB_GRAPH_VIEW (self->view), "v1", &x, &y);
  return x;
}

static double
get_lens_place (Fixture *self)
{
  gint64 from;

  tb_focus_get_view (tb_flame_view_get_lens (TB_FLAME_VIEW (self->view)), &from, NULL);
  return (double) (from - SAMPLE_START);
}

static double
get_view_place (Fixture *self)
{
  gint64 from;

  tb_focus_get_view (self->focus, &from, NULL);
  return (double) (from - SAMPLE_START);
}

static void
zoom_lens (Fixture *self)
{
  tb_focus_set_view (tb_flame_view_get_lens (TB_FLAME_VIEW (self->view)),
                     SAMPLE_START + 100 * SAMPLE_MS, SAMPLE_START + 110 * SAMPLE_MS);
}

static void
zoom_view (Fixture *self)
{
  tb_focus_set_view (self->focus, SAMPLE_START + 100 * SAMPLE_MS, SAMPLE_START + 110 * SAMPLE_MS);
}

static void
zoom_graph (Fixture *self)
{
  pinch (self, 4);
}

static gpointer
make_graph (void)
{
  return sample_graph ();
}

static gpointer
make_chronological (void)
{
  return sample_paths ();
}

static gpointer
make_timeline (void)
{
  return sample_timeline ();
}

static gpointer
make_heatmap (void)
{
  return sample_heatmap ();
}

static gpointer
make_histogram (void)
{
  return sample_histogram ();
}

static void
zoom_bins (Fixture *self)
{
  gtk_widget_grab_focus (self->view);
  for (guint i = 0; i < 6; i++)
    ui_key (self->view, "plus");
}

static double
get_heatmap_place (Fixture *self)
{
  return ((TbHeatmapCanvas *) self->canvas)->viewport.column;
}

static double
get_histogram_place (Fixture *self)
{
  return ((TbHistogramCanvas *) self->canvas)->scale.from;
}

static const struct
{
  const char *canvas;
  gpointer (*make) (void);
  void (*zoom) (Fixture *self);
  Place place;
  gboolean scrolled; /* by the enclosing window */
} thrown[] = {
  { "TbGraphCanvas", make_graph, zoom_graph, get_graph_place, FALSE },
  { "TbFlameCanvas", make_chronological, zoom_lens, get_lens_place, FALSE },
  { "TbTimelineCanvas", make_timeline, zoom_view, get_view_place, TRUE },
  { "TbHeatmapCanvas", make_heatmap, zoom_bins, get_heatmap_place, FALSE },
  { "TbHistogramCanvas", make_histogram, zoom_bins, get_histogram_place, FALSE },
};

typedef struct
{
  Fixture *fixture;
  Place get_place;
  double place;
} Motion;

static gboolean
has_moved (gpointer data)
{
  Motion *motion = data;

  return motion->get_place (motion->fixture) != motion->place;
}

/* The place is unchanged for ten frames. */
static gboolean
has_settled (gpointer data)
{
  Motion *motion = data;

  motion->place = motion->get_place (motion->fixture);
  ui_frames (motion->fixture->view, 10);
  return !has_moved (motion);
}

/* The motion continues after the fingers leave, in the same direction, and comes to rest. */
static void
test_kinetic (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  Fixture fixture;
  Motion motion = { &fixture, thrown[i].place, 0 };
  GtkWidget *widget;
  gpointer scroll;
  double start, soon;

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  fixture_init (&fixture, thrown[i].make (), thrown[i].canvas);
  thrown[i].zoom (&fixture);
  ui_frames (fixture.view, 3);
  widget = thrown[i].scrolled ? gtk_widget_get_ancestor (fixture.canvas, GTK_TYPE_SCROLLED_WINDOW)
                              : fixture.canvas;
  g_assert_nonnull (widget);
  scroll = ui_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  g_assert_nonnull (scroll);
  start = motion.place = motion.get_place (&fixture);
  g_signal_emit_by_name (scroll, "scroll-begin");
  g_signal_emit_by_name (scroll, "scroll-end");
  g_signal_emit_by_name (scroll, "decelerate", 900., 0.);
  ui_wait (has_moved, &motion);
  soon = motion.get_place (&fixture);
  ui_wait (has_settled, &motion);
  g_test_message ("%s: from %g over %g to %g", thrown[i].canvas, start, soon, motion.place);
  if (motion.get_place == get_graph_place) /* a graph moves the opposite way, like paper */
    g_assert_cmpfloat (motion.place, <, start);
  else
    g_assert_cmpfloat (motion.place, >, start);
  fixture_clear (&fixture);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  tb_graph_engine_install ();
  g_test_add_func ("/gestures/pinch/graph", test_pinch_graph);
  g_test_add_func ("/gestures/pinch/over-time", test_pinch_over_time);
  g_test_add_func ("/gestures/pinch/flame", test_pinch_flame);
  g_test_add_func ("/gestures/wheel/flame", test_wheel_flame);
  for (guint i = 0; i < G_N_ELEMENTS (thrown); i++)
    {
      g_autofree char *name = g_strdup_printf ("/gestures/kinetic/%s", thrown[i].canvas);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_kinetic);
    }
  return g_test_run ();
}
