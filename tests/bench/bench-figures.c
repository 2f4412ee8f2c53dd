/* bench-figures.c: benchmark of painting, searching and selecting in each kind of figure
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-figures [RUNS [NAME]]
 *
 * Moves large figures with the mouse, as a user does; then searches a million distinct functions,
 * and makes selections that four figures beside each other show at once.
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
/* Maximum depth of the calls. */
#define DEPTH 100
#define N_SELECTIONS 60

typedef struct
{
  GtkWidget *window;
  GtkWidget *view;
  GtkWidget *canvas; /* widget under the pointer */
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

/* Moves the pointer across the figure, on a line that also goes up and down. */
static void
hover (gpointer data, guint frame)
{
  Bench *bench = data;
  double width = gtk_widget_get_width (bench->canvas),
         height = gtk_widget_get_height (bench->canvas);

  bench_point (bench->canvas, 10 + (frame * 7) % (guint) MAX (width - 20, 1),
               10 + (frame * 13) % (guint) MAX (height - 20, 1));
}

/* Zooms in and out again, before the figure is zoomed too far to show anything. */
static void
zoom (gpointer data, guint frame)
{
  Bench *bench = data;

  bench_click (bench->canvas, frame % 12 < 6 ? 4 : 5, TRUE);
}

static void
scroll (gpointer data, guint frame)
{
  Bench *bench = data;

  bench_click (bench->canvas, frame % 16 < 8 ? 5 : 4, FALSE);
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
    bench->fast
        = bench_frames (name, bench->window, bench->n_runs, FRAME_MS, step, bench) && bench->fast;
}

/* Every node has a function of its own. A few nodes have a large part of the total below them and
 * most have little, as in real programs. There are more lines than the window has room for. */
static TbFlameFigure *
make_flame (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("on-cpu", "On-CPU flame", "samples");
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree guint8 *depths = g_new0 (guint8, N_NODES);

  for (guint i = 0; i < N_NODES; i++)
    {
      guint parent = i == 0 ? TB_ID_NONE : i - 1;
      char name[64];

      if (i > 0 && (depths[parent] == DEPTH || g_rand_int_range (rand, 0, 3) == 0))
        do
          parent = (guint) g_rand_int_range (rand, 0, (gint32) i);
        while (depths[parent] == DEPTH);
      depths[i] = parent == TB_ID_NONE ? 1 : depths[parent] + 1;
      g_snprintf (name, sizeof name, "function_%u", i);
      tb_flame_figure_add_node (figure, parent, name, i % 3 ? "program" : "libc.so.6",
                                i % 5 == 0 ? TB_FLAME_KERNEL : TB_FLAME_USER, 1 + i % 50, 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Time from a change to its display: wall time, and CPU time of this thread. */
typedef struct
{
  GArray *times;
  GArray *work;
  gint64 began;
  gint64 cpu_began;
} Change;

static void
change_begin (Change *change)
{
  change->began = g_get_monotonic_time ();
  change->cpu_began = bench_cpu_time ();
}

static void
change_end (Bench *bench, Change *change)
{
  double ms, work;

  bench_time_frame (bench->window);
  ms = (double) (g_get_monotonic_time () - change->began) / 1000.;
  work = (double) (bench_cpu_time () - change->cpu_began) / 1000.;
  g_array_append_val (change->times, ms);
  g_array_append_val (change->work, work);
}

static void
change_print (Bench *bench, Change *change, const char *name, double limit)
{
  bench->fast = bench_times (name, change->times, change->work, limit) && bench->fast;
  g_array_unref (change->times);
  g_array_unref (change->work);
}

static void
change_init (Change *change)
{
  change->times = g_array_new (FALSE, FALSE, sizeof (double));
  change->work = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
measure_search (Bench *bench)
{
  static const char *const searches[]
      = { "9", "99", "999", "function_123", "no such function", "n_5", "ON_7" };
  Change change;

  if (bench->only != NULL && strstr ("search", bench->only) == NULL)
    return;
  change_init (&change);
  for (guint i = 0; i < 3 * G_N_ELEMENTS (searches); i++)
    {
      change_begin (&change);
      tb_figure_view_set_search (bench->view, searches[i % G_N_ELEMENTS (searches)]);
      change_end (bench, &change);
    }
  change_print (bench, &change, "search in a million functions", SEARCH_MS);
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
measure_side_by_side (Bench *bench, TbFocus *focus)
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

/* Figures beside each other, with one focus. */
static void
measure_selection (Bench *bench, TbFocus *focus)
{
  g_autoptr (TbTimelineFigure) timeline = sample_timeline_random (200, 10000000);
  g_autoptr (TbFlameFigure) paths = sample_paths_random (200000);
  g_autoptr (TbFlameFigure) flame = sample_flame_random (200000);
  g_autoptr (TbTableFigure) table = sample_table_random (1000000);
  Change change;
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
  change_init (&change);
  for (guint i = 0; i < N_SELECTIONS; i++)
    {
      gint64 from = SAMPLE_START + (gint64) i * 900 * SAMPLE_MS;

      change_begin (&change);
      tb_focus_select_item (focus, "timeline", NULL, i * 37 % 200, from, from + 500 * SAMPLE_MS,
                            NULL);
      change_end (bench, &change);
    }
  change_print (bench, &change, "selection, seen in five figures", SELECTION_MS);
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
  measure_side_by_side (&bench, focus);
  measure_selection (&bench, focus);
  gtk_window_destroy (GTK_WINDOW (bench.window));
  return bench.fast ? 0 : 1;
}
