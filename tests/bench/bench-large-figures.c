/* bench-large-figures.c: benchmark of layout, search and restructuring of large figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-large-figures [NODES]
 *
 * Each line: name, median of the rounds in milliseconds, and the ratio to the time for touching
 * each node once.
 */

#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "report/flame/tb-flame-shape.h"
#include "session/schema/tb-schema.h"
#include "widgets/flame/tb-flame-private.h"
#include "widgets/heatmap/tb-heatmap-private.h"
#include "widgets/histogram/tb-histogram-private.h"

#define ROUNDS 9
#define WIDTH 1100
#define HEIGHT 700

/* Maximum depth of the calls; most calls are stacked on one another. */
#define DEPTH 60

/* Makes a figure in which each node has a name of its own. */
static TbFlameFigure *
make_flame (guint n)
{
  TbFlameFigure *figure = tb_flame_figure_new ("flame", "Flame", "ns");
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree guint8 *depths = g_new (guint8, n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("namespace::Function_%u::call", i);
      guint parent = i == 0 ? TB_ID_NONE : i - 1;

      if (i > 0 && (depths[parent] == DEPTH || g_rand_int_range (rand, 0, 3) == 0))
        do
          parent = (guint) g_rand_int_range (rand, 0, (gint32) i);
        while (depths[parent] == DEPTH);
      depths[i] = i == 0 ? 1 : depths[parent] + 1;
      tb_flame_figure_add_node (figure, parent, name, "program", TB_FLAME_USER,
                                (guint64) g_rand_int_range (rand, 0, 100), 1);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

typedef struct
{
  TbFlameFigure *flame;
  TbFlameIndex *index;
  TbHistogramFigure *histogram;
  TbMaxima *maxima;
  TbHeatmapFigure *heatmap;
  TbHeatmapSteps *steps;
  guint64 sum; /* keeps the compiler from removing the loop */
} Data;

static void
touch (Data *data)
{
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (data->flame); i++)
    data->sum += tb_flame_figure_get_node (data->flame, i)->total;
}

static void
layout_flame (Data *data)
{
  guint depth;
  g_autoptr (GArray) boxes = tb_flame_layout (data->flame, TB_ID_NONE, WIDTH, 3, &depth);

  data->sum += boxes->len;
}

static void
layout_zoomed (Data *data)
{
  guint depth;
  g_autoptr (GArray) boxes
      = tb_flame_layout (data->flame, tb_flame_figure_get_n_nodes (data->flame) / 2, WIDTH, 3,
                         &depth);

  data->sum += boxes->len;
}

static void
make_index (Data *data)
{
  tb_flame_index_free (data->index);
  data->index = tb_flame_index_new (data->flame, NULL);
}

static void
search (Data *data)
{
  g_autoptr (TbFlameMatch) match = tb_flame_index_match (data->index, "function_7");

  data->sum += match->n;
}

static void
search_unprepared (Data *data)
{
  g_autoptr (TbFlameMatch) match = tb_flame_match (data->flame, "function_7");

  data->sum += match->n;
}

static void
invert (Data *data)
{
  const TbFlameShape shape = { .inverted = TRUE };
  g_autoptr (TbFlameReshapeResult) reshaped
      = tb_flame_figure_reshape (data->flame, &shape, NULL, NULL);

  data->sum += tb_flame_figure_get_n_nodes (reshaped->figure);
}

static void
layout_histogram (Data *data)
{
  TbHistogramScale scale;
  g_autoptr (GArray) bars = NULL;

  tb_histogram_scale_init (&scale, data->histogram, FALSE);
  bars = tb_histogram_layout (data->histogram, data->maxima, &scale, WIDTH);
  data->sum += bars->len;
}

static void
shade_heatmap (Data *data)
{
  g_clear_pointer (&data->steps, tb_heatmap_steps_free);
  data->steps = tb_heatmap_steps_new (data->heatmap, TRUE);
}

static void
draw_heatmap (Data *data)
{
  const TbHeatmapViewport viewport = { 0, 2000, 0, 2000 };
  g_autoptr (GdkTexture) texture = tb_heatmap_rasterize (data->steps, &viewport, WIDTH, HEIGHT, 5,
                                                         tb_palette_get (TB_PALETTE_LIGHT));

  data->sum += (guint64) gdk_texture_get_width (texture);
}

static void
make_distributions (Data *data, guint n_bins)
{
  g_autofree guint64 *values = g_new (guint64, 2000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  guint series;

  data->histogram = tb_histogram_figure_new ("h", "H", "ns");
  for (guint i = 0; i < n_bins; i++)
    tb_histogram_figure_add_bin (data->histogram, i * 10, i * 10 + 10);
  series = tb_histogram_figure_add_series (data->histogram, "a", "A");
  for (guint i = 0; i < n_bins; i++)
    tb_histogram_figure_set_count (data->histogram, series, i, g_rand_int (rand), 1);
  tb_figure_freeze (TB_FIGURE (data->histogram));
  data->maxima = tb_maxima_new (tb_histogram_figure_get_counts (data->histogram, 0), n_bins);

  data->heatmap = tb_heatmap_figure_new ("m", "M", "calls", 0, 1000, 2000);
  for (guint row = 0; row < 2000; row++)
    {
      for (guint column = 0; column < 2000; column++)
        values[column] = (guint64) g_rand_int_range (rand, 0, 1000);
      tb_heatmap_figure_add_row (data->heatmap, "", "", values);
    }
  tb_figure_freeze (TB_FIGURE (data->heatmap));
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, two = *(const gint64 *) b;

  return one < two ? -1 : one > two;
}

/* Work in a thread until it is cancelled. */
typedef struct
{
  TbFlameFigure *flame;
  GCancellable *cancellable;
  gint64 ended;
  clockid_t clock; /* CPU time clock of the thread, once set */
  gint known;
  double cpu; /* CPU time at the end of the thread, ms */
  gboolean whole;
} Cancelled;

static double
get_cpu (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static gpointer
invert_until (gpointer data)
{
  Cancelled *self = data;
  const TbFlameShape shape = { .inverted = TRUE };
  TbFlameReshapeResult *reshaped;

  pthread_getcpuclockid (pthread_self (), &self->clock);
  g_atomic_int_set (&self->known, TRUE);
  reshaped = tb_flame_figure_reshape (self->flame, &shape, self->cancellable, NULL);

  self->whole = reshaped != NULL;
  g_clear_pointer (&reshaped, tb_flame_reshape_result_free);
  self->cpu = get_cpu (CLOCK_THREAD_CPUTIME_ID);
  self->ended = g_get_monotonic_time ();
  return NULL;
}

/* Measures the longest time that work continues after its cancellation, for many cancellation
 * times. */
static void
measure_cancelling (Data *data)
{
  double longest = 0, longest_cpu = 0;
  guint n = 0;

  for (guint delay = 5;; delay += delay < 200 ? 15 : 60)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Cancelled job = { .flame = data->flame, .cancellable = cancellable };
      GThread *thread = g_thread_new ("invert", invert_until, &job);
      gint64 cancelled;
      double cpu;

      while (!g_atomic_int_get (&job.known))
        g_usleep (100);
      g_usleep (delay * 1000);
      cpu = get_cpu (job.clock);
      cancelled = g_get_monotonic_time ();
      g_cancellable_cancel (cancellable);
      g_thread_join (thread);
      if (job.whole)
        break;
      longest = MAX (longest, (double) (job.ended - cancelled) / 1000);
      longest_cpu = MAX (longest_cpu, job.cpu - cpu);
      n++;
    }
  g_print ("%-24s %9.2f ms longest of %u moments, goal 100 ms; %.1f ms of cpu time\n",
           "cancel inverting it", longest, n, longest_cpu);
}

static double
measure (void (*run) (Data *data), Data *data)
{
  gint64 times[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 start = g_get_monotonic_time ();

      run (data);
      times[i] = g_get_monotonic_time () - start;
    }
  qsort (times, ROUNDS, sizeof *times, compare);
  return (double) times[ROUNDS / 2] / 1000;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Data *data);
  } parts[] = {
    { "touch each node", touch },
    { "lay out a flame", layout_flame },
    { "lay out a zoomed one", layout_zoomed },
    { "gather its names", make_index },
    { "search them", search },
    { "search without these", search_unprepared },
    { "invert it", invert },
    { "lay out a histogram", layout_histogram },
    { "shade 4 million cells", shade_heatmap },
    { "draw 4 million cells", draw_heatmap },
  };
  guint n = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 1000000;
  Data data = { .flame = make_flame (MAX (n, 2)) };
  double peer = 0;

  data.index = tb_flame_index_new (data.flame, NULL);
  make_distributions (&data, 1000000);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      double ms = measure (parts[i].run, &data);

      if (i == 0)
        peer = MAX (ms, .001);
      g_print ("%-24s %9.2f ms  %8.2f\n", parts[i].name, ms, ms / peer);
    }
  measure_cancelling (&data);
  tb_flame_index_free (data.index);
  tb_maxima_free (data.maxima);
  g_object_unref (data.flame);
  g_object_unref (data.histogram);
  tb_heatmap_steps_free (data.steps);
  g_object_unref (data.heatmap);
  return data.sum == 0;
}
