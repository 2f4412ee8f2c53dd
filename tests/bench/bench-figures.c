/* bench-figures.c: how long frames of each kind of figure take to paint, searches and selections to be seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-figures [RUNS [NAME]]: large figures, moved with the mouse as a user does; then a search over a million distinct
 * functions, and selections that four figures beside each other show at once.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bench-frames.h"
#include "layers/tb-graph-engine.h"
#include "sample-figures.h"
#include "widgets/tailback-gtk.h"

#define WIDTH 1400
#define HEIGHT 880
#define FRAME_MS 16.
#define SEARCH_MS 200.
#define SELECTION_MS 100.
#define N_NODES 1000000
#define N_SELECTIONS 60

typedef struct
{
  GtkWidget *window;
  GtkWidget *view;
  GtkWidget *canvas; /* what is pointed at */
  guint n_runs;
  const char *only;
  gboolean fast;
} Bench;

static void
show (Bench *bench, GtkWidget *view, const char *canvas)
{
  adw_window_set_content (ADW_WINDOW (bench->window), view);
  gtk_window_present (GTK_WINDOW (bench->window));
  bench->view = view;
  bench_time_frame (bench->window);
  bench->canvas = canvas != NULL ? bench_find (view, canvas) : view;
  g_assert (bench->canvas != NULL);
  bench_point (bench->canvas, WIDTH / 2., HEIGHT / 2.);
  bench_time_frame (bench->window);
}

/* Across what is drawn, on a line that goes up and down too. */
static void
hover (gpointer data, guint frame)
{
  Bench *bench = data;
  double width = gtk_widget_get_width (bench->canvas), height = gtk_widget_get_height (bench->canvas);

  bench_point (bench->canvas, 10 + (frame * 7) % (guint) MAX (width - 20, 1),
               10 + (frame * 13) % (guint) MAX (height - 20, 1));
}

static void
zoom (gpointer data, guint frame)
{
  Bench *bench = data;

  bench_click (bench->canvas, frame % 60 < 30 ? 4 : 5, TRUE);
}

static void
scroll (gpointer data, guint frame)
{
  Bench *bench = data;

  bench_click (bench->canvas, frame % 120 < 60 ? 5 : 4, FALSE);
}

static void
pan (gpointer data, guint frame)
{
  TbFocus *focus = tb_flame_view_get_lens (TB_FLAME_VIEW (((Bench *) data)->view));
  gint64 from, to, step;

  tb_focus_get_view (focus, &from, &to);
  step = (to - from) / 100 * (frame % 200 < 100 ? 1 : -1);
  tb_focus_set_view (focus, from + step, to + step);
}

static void
measure (Bench *bench, const char *name, BenchStep step)
{
  if (bench->only == NULL || strstr (name, bench->only) != NULL)
    bench->fast = bench_frames (name, bench->window, bench->n_runs, FRAME_MS, step, bench) && bench->fast;
}

/* Every node another function; a third of the boxes wide enough to be seen. */
static TbFlameFigure *
make_flame (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("on-cpu", "On-CPU flame", "samples");
  guint level = TB_ID_NONE, parent = TB_ID_NONE;

  for (guint i = 0; i < N_NODES; i++)
    {
      char name[64];

      g_snprintf (name, sizeof name, "function_%u", i);
      if (i % 1000 == 0)
        level = parent
            = tb_flame_figure_add_node (figure, TB_ID_NONE, name, "program", TB_FLAME_USER, 1 + i % 7000, 1);
      else
        parent = tb_flame_figure_add_node (figure, i % 10 == 0 ? level : parent, name,
                                           i % 3 ? "program" : "libc.so.6",
                                           i % 5 == 0 ? TB_FLAME_KERNEL : TB_FLAME_USER, 1 + i % 50, 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
measure_search (Bench *bench)
{
  static const char *const searches[] = { "9", "99", "999", "function_123", "no such function", "n_5", "" };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  if (bench->only != NULL && strstr ("search", bench->only) == NULL)
    return;
  for (guint i = 0; i < 3 * G_N_ELEMENTS (searches); i++)
    {
      gint64 began = g_get_monotonic_time ();
      double ms;

      tb_figure_view_set_search (bench->view, searches[i % G_N_ELEMENTS (searches)]);
      bench_time_frame (bench->window);
      ms = (double) (g_get_monotonic_time () - began) / 1000.;
      g_array_append_val (times, ms);
    }
  bench->fast = bench_times ("search in a million functions", times, SEARCH_MS) && bench->fast;
}

static void
measure_flames (Bench *bench, TbFocus *focus)
{
  g_autoptr (TbFlameFigure) flame = make_flame ();
  g_autoptr (TbFlameFigure) paths = sample_paths_random (200000);

  show (bench, tb_flame_view_new (flame, focus), "TbFlameCanvas");
  measure (bench, "flame of a million: hover", hover);
  measure (bench, "flame of a million: scroll", scroll);
  measure (bench, "flame of a million: zoom", zoom);
  measure_search (bench);
  show (bench, tb_flame_view_new (paths, focus), "TbFlameCanvas");
  measure (bench, "paths, a million boxes: hover", hover);
  tb_focus_set_view (tb_flame_view_get_lens (TB_FLAME_VIEW (bench->view)), SAMPLE_START,
                     SAMPLE_START + 1000 * SAMPLE_MS);
  measure (bench, "paths, a million boxes: pan", pan);
  measure (bench, "paths, a million boxes: zoom", zoom);
}

static gboolean
is_laid_out (gpointer view)
{
  return !tb_graph_view_is_busy (view) && tb_graph_view_get_n_drawn (view, FALSE) > 0;
}

static void
measure_others (Bench *bench, TbFocus *focus)
{
  g_autoptr (TbGraphFigure) graph = sample_graph_random (200, 400);
  g_autoptr (TbTableFigure) table = sample_table_random (1000000);

  show (bench, tb_graph_view_new (graph, focus), "TbGraphCanvas");
  bench_wait (is_laid_out, bench->view, "the graph");
  measure (bench, "graph of 200: hover", hover);
  measure (bench, "graph of 200: scroll", scroll);
  measure (bench, "graph of 200: zoom", zoom);
  show (bench, tb_table_view_new (table, focus), NULL);
  measure (bench, "table of a million rows: hover", hover);
  measure (bench, "table of a million rows: scroll", scroll);
}

/* Figures beside each other, of one focus. */
static void
measure_selection (Bench *bench, TbFocus *focus)
{
  g_autoptr (TbTimelineFigure) timeline = sample_timeline_random (200, 10000000);
  g_autoptr (TbFlameFigure) paths = sample_paths_random (200000);
  g_autoptr (TbFlameFigure) flame = sample_flame_random (200000);
  g_autoptr (TbTableFigure) table = sample_table_random (1000000);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  GtkWidget *grid = gtk_grid_new (), *strip;
  GtkWidget *views[4];

  if (bench->only != NULL && strstr ("selection", bench->only) == NULL)
    return;
  gtk_grid_set_row_homogeneous (GTK_GRID (grid), TRUE);
  gtk_grid_set_column_homogeneous (GTK_GRID (grid), TRUE);
  views[0] = tb_timeline_view_new (timeline, focus);
  views[1] = tb_flame_view_new (paths, focus);
  views[2] = tb_flame_view_new (flame, focus);
  views[3] = tb_table_view_new (table, focus);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    gtk_grid_attach (GTK_GRID (grid), views[i], (int) (i % 2), (int) (i / 2), 1, 1);
  strip = tb_overview_strip_new (focus);
  tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), timeline);
  gtk_grid_attach (GTK_GRID (grid), strip, 0, 2, 2, 1);
  show (bench, grid, NULL);
  for (guint i = 0; i < N_SELECTIONS; i++)
    {
      gint64 from = SAMPLE_START + (gint64) i * 900 * SAMPLE_MS, began = g_get_monotonic_time ();
      double ms;

      tb_focus_select_item (focus, "timeline", NULL, i * 37 % 200, from, from + 500 * SAMPLE_MS, NULL);
      bench_time_frame (bench->window);
      ms = (double) (g_get_monotonic_time () - began) / 1000.;
      g_array_append_val (times, ms);
    }
  bench->fast = bench_times ("selection, seen in five figures", times, SELECTION_MS) && bench->fast;
}

int
main (int argc, char **argv)
{
  Bench bench = { .fast = TRUE };
  g_autoptr (TbFocus) focus = NULL;

  adw_init ();
  tb_graph_engine_install ();
  focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 60000 * SAMPLE_MS);
  bench.n_runs = argc > 1 ? MAX (1, (guint) strtoul (argv[1], NULL, 10)) : 1;
  bench.only = argc > 2 ? argv[2] : NULL;
  bench.window = adw_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (bench.window), WIDTH, HEIGHT);
  bench_frames_heading (bench.n_runs > 1 ? "ms, best of the runs" : "ms");
  measure_flames (&bench, focus);
  measure_others (&bench, focus);
  measure_selection (&bench, focus);
  gtk_window_destroy (GTK_WINDOW (bench.window));
  return bench.fast ? 0 : 1;
}
