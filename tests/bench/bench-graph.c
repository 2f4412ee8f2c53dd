/* bench-graph.c: benchmark of graph layout, and of frames while stepping from edge to edge
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-graph [VERTICES [EDGES]]
 *
 * Selects one edge in each frame, so that the view moves to it. A frame lasts from before-paint to
 * after-paint of the frame clock. After each frame a calibration loop paints a picture as large as
 * the window onto another; ratios are to the median of that loop, in the same run.
 */

#include "config.h"

#include <adwaita.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "layers/tb-graph-engine.h"
#include "report/graph/tb-graph-scene.h"
#include "sample-figures.h"
#include "session/schema/tb-schema.h"
#include "widgets/tailback-gtk.h"

#define FRAMES 300
#define WIDTH 1400
#define HEIGHT 880
#define LAYOUTS 5
#define DRAWN_MOST 400

typedef struct
{
  TbGraphFigure *figure;
  TbFocus *focus;
  GArray *times;       /* double, ms */
  GArray *calibration; /* double, ms */
  cairo_surface_t *from;
  cairo_surface_t *to;
  double began; /* CPU time of this thread in ms, like all times here: least disturbed by others */
  guint frame;
  gboolean done;
} Bench;

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
percentile (GArray *times, guint percent)
{
  g_array_sort (times, compare);
  return g_array_index (times, double, MIN (times->len * percent / 100, times->len - 1));
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

/* The lower bound of a frame: every pixel of the window painted once. */
static void
calibrate (Bench *bench)
{
  double began = now ();
  cairo_t *cr = cairo_create (bench->to);
  double ms;

  cairo_set_source_surface (cr, bench->from, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  ms = now () - began;
  g_array_append_val (bench->calibration, ms);
}

/* --- layout --- */

static void
measure (const char *name, const char *detail, double *width, double *height, gpointer data)
{
  *width = 7. * (double) strlen (name);
  *height = detail != NULL ? 32 : 16;
}

static double
lay_out (TbGraphFigure *figure)
{
  TbGraphRanking *ranking = tb_graph_ranking_new (figure);
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < LAYOUTS; i++)
    {
      double began = now ();
      TbGraphScene *scene
          = tb_graph_scene_new (figure, ranking, 0, DRAWN_MOST, TB_ID_NONE, NULL, measure, NULL);

      tb_graph_scene_lay_out (scene, TB_GRAPH_FLOW_HORIZONTAL, NULL, NULL);
      best = MIN (best, now () - began);
      tb_graph_scene_free (scene);
    }
  tb_graph_ranking_free (ranking);
  return best;
}

/* --- frames --- */

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;
  guint n = tb_graph_figure_get_n_edges (bench->figure);
  const TbGraphEdge *edge = tb_graph_figure_get_edge (bench->figure, bench->frame * 7 % n);

  tb_focus_select_item (bench->focus, tb_figure_get_id (TB_FIGURE (bench->figure)),
                        tb_graph_figure_get_vertex (bench->figure, edge->to)->id, TB_ID_NONE,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  gtk_widget_queue_draw (widget);
  return G_SOURCE_CONTINUE;
}

static void
on_before_paint (GdkFrameClock *clock, gpointer data)
{
  ((Bench *) data)->began = now ();
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;
  double ms = now () - bench->began;

  g_array_append_val (bench->times, ms);
  calibrate (bench);
  bench->done = ++bench->frame >= FRAMES;
}

static void
run (Bench *bench, GtkWidget *view)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (view);

  g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), bench);
  g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), bench);
  gtk_widget_add_tick_callback (view, on_tick, bench, NULL);
  while (!bench->done)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handlers_disconnect_by_data (clock, bench);
}

int
main (int argc, char **argv)
{
  guint n_vertices = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 1000;
  guint n_edges = argc > 2 ? (guint) strtoul (argv[2], NULL, 10) : 5000;
  Bench bench = { 0 };
  GtkWidget *window, *view;
  double laid_out, least, p50, p99;

  adw_init ();
  tb_graph_engine_install ();
  bench.figure = sample_graph_random (MAX (10, n_vertices), MAX (1, n_edges));
  bench.focus = tb_focus_new (SAMPLE_START, SAMPLE_START + SAMPLE_MS);
  bench.times = g_array_new (FALSE, FALSE, sizeof (double));
  bench.calibration = g_array_new (FALSE, FALSE, sizeof (double));
  bench.from = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  bench.to = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  memset (cairo_image_surface_get_data (bench.from), 0x70,
          (gsize) cairo_image_surface_get_stride (bench.from) * HEIGHT);
  cairo_surface_mark_dirty (bench.from);
  laid_out = lay_out (bench.figure);
  window = adw_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  view = tb_graph_view_new (bench.figure, bench.focus);
  adw_window_set_content (ADW_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  tb_graph_view_set_threshold (TB_GRAPH_VIEW (view), 0);
  while (gtk_widget_get_height (view) == 0 || tb_graph_view_is_busy (TB_GRAPH_VIEW (view)))
    g_main_context_iteration (NULL, TRUE);
  run (&bench, view);
  least = percentile (bench.calibration, 50);
  p50 = percentile (bench.times, 50);
  p99 = percentile (bench.times, 99);
  g_print ("%u vertices, %u edges, %u of these drawn\n", n_vertices, n_edges,
           tb_graph_view_get_n_drawn (TB_GRAPH_VIEW (view), TRUE));
  g_print ("laid out in %.1f ms, best of %u, %.0f times a painted picture of %.2f ms\n", laid_out,
           LAYOUTS, laid_out / least, least);
  g_print (
      "%u frames, cpu time: median %.2f ms, 99th percentile %.2f ms, %.1f and %.1f times that%s\n",
      bench.times->len, p50, p99, p50 / least, p99 / least, p99 < 16 ? "" : "  TOO SLOW");
  gtk_window_destroy (GTK_WINDOW (window));
  return p99 < 16 ? 0 : 1;
}
