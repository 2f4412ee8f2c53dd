/* bench-pan.c: how long the frames of a pan take to paint
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-pan [INTERVALS [TRACKS [MOTION]]]: makes a timeline of 10 million intervals and moves it in steps of several sizes at
 * several zooms; a frame counts from before-paint to after-paint of the frame clock. Then zooms and scrolls.
 */

#include "config.h"

#include <adwaita.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sample-figures.h"
#include "widgets/tailback-gtk.h"

#define FRAMES 400

typedef struct
{
  const char *name;
  double view_ms; /* what is visible */
  double step;    /* part of it that a frame moves by */
  double zoom;    /* factor a frame */
  double scroll;  /* pixels a frame */
} Motion;

static const Motion motions[] = {
  { "pan, everything but a tenth", 54000, .0003, 1, 0 },
  { "pan, a second", 1000, .01, 1, 0 },
  { "pan fast, a second", 1000, .08, 1, 0 },
  { "pan, 20 ms", 20, .01, 1, 0 },
  { "pan, 1 ms", 1, .02, 1, 0 },
  { "pan and scroll, a second", 1000, .01, 1, 7 },
  { "scroll, a second", 1000, 0, 1, 15 },
  { "zoom in and out", 60000, 0, .97, 0 },
};

typedef struct
{
  const Motion *motion;
  TbFocus *focus;
  GtkWidget *view;
  GtkAdjustment *adjustment;
  GArray *times; /* double, ms */
  GArray *
      work; /* double, ms of this thread's cpu time: what a machine that does other things too cannot spoil */
  gint64 began;
  gint64 cpu_began;
  guint frame;
  gboolean done;
} Bench;

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;
  const Motion *motion = bench->motion;
  gint64 from, to;

  if (bench->frame >= FRAMES)
    return G_SOURCE_REMOVE;
  tb_focus_get_view (bench->focus, &from, &to);
  if (motion->step != 0)
    {
      gint64 step = (gint64) (motion->step * (double) (to - from));

      tb_focus_set_view (bench->focus, from + step, to + step);
    }
  if (motion->zoom != 1)
    tb_focus_zoom (bench->focus, from / 2 + to / 2,
                   bench->frame % 300 < 150 ? motion->zoom : 1 / motion->zoom);
  if (motion->scroll != 0)
    {
      double value = gtk_adjustment_get_value (bench->adjustment);
      double most
          = gtk_adjustment_get_upper (bench->adjustment) - gtk_adjustment_get_page_size (bench->adjustment);

      gtk_adjustment_set_value (bench->adjustment,
                                value + motion->scroll > most ? 0 : value + motion->scroll);
    }
  return G_SOURCE_CONTINUE;
}

static gint64
cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
on_before_paint (GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;

  bench->began = g_get_monotonic_time ();
  bench->cpu_began = cpu_time ();
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;
  double ms = (double) (g_get_monotonic_time () - bench->began) / 1000.;

  double work = (double) (cpu_time () - bench->cpu_began) / 1000.;

  /* The first frames of a motion show another place, not a moved one. */
  if (bench->frame >= 3)
    {
      g_array_append_val (bench->times, ms);
      g_array_append_val (bench->work, work);
    }
  if (++bench->frame >= FRAMES)
    bench->done = TRUE;
}

static GtkAdjustment *
find_vertical (GtkWidget *widget)
{
  if (GTK_IS_SCROLLED_WINDOW (widget))
    return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkAdjustment *found = find_vertical (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static double
report (const char *name, const char *what, GArray *times, double *most)
{
  double p50, p99, last;

  g_array_sort (times, compare);
  p50 = g_array_index (times, double, times->len / 2);
  p99 = g_array_index (times, double, times->len * 99 / 100);
  last = g_array_index (times, double, times->len - 1);
  g_print ("%-30s %u frames  p50 %6.2f ms  p99 %6.2f ms  most %6.2f ms  %s%s\n", name, times->len, p50, p99,
           last, what, p99 < 16 && last <= 50 ? "" : ", TOO SLOW");
  if (most != NULL)
    *most = last;
  return p99;
}

static gboolean
run (Bench *bench, const Motion *motion)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (bench->view);
  gint64 from, to;
  gulong before, after;
  double p99, most;

  bench->motion = motion;
  bench->frame = 0;
  bench->done = FALSE;
  g_array_set_size (bench->times, 0);
  g_array_set_size (bench->work, 0);
  tb_focus_get_extent (bench->focus, &from, &to);
  from += (to - from) / 50;
  tb_focus_set_view (bench->focus, from, from + (gint64) (motion->view_ms * SAMPLE_MS));
  before = g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), bench);
  after = g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), bench);
  gtk_widget_add_tick_callback (bench->view, on_tick, bench, NULL);
  while (!bench->done)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, before);
  g_signal_handler_disconnect (clock, after);

  p99 = report (motion->name, "painted", bench->times, &most);
  report ("", "cpu", bench->work, NULL);
  return p99 < 16 && most <= 50;
}

int
main (int argc, char **argv)
{
  gsize n = argc > 1 ? strtoul (argv[1], NULL, 10) : 10000000;
  guint tracks = argc > 2 ? (guint) strtoul (argv[2], NULL, 10) : 200;
  g_autoptr (TbTimelineFigure) figure = NULL;
  g_autoptr (TbFocus) focus = NULL;
  Bench bench = { 0 };
  GtkWidget *window;
  gboolean fast = TRUE;
  gint64 began;

  adw_init ();
  figure = sample_timeline_random (MAX (1, tracks), n);
  focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 60000 * SAMPLE_MS);
  window = adw_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 880);
  began = g_get_monotonic_time ();
  bench.view = tb_timeline_view_new (figure, focus);
  adw_window_set_content (ADW_WINDOW (window), bench.view);
  gtk_window_present (GTK_WINDOW (window));
  while (gtk_widget_get_height (bench.view) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_print ("%zu intervals in %u tracks, first laid out after %.1f ms\n", n, tracks,
           (double) (g_get_monotonic_time () - began) / 1000.);

  bench.focus = focus;
  bench.adjustment = find_vertical (bench.view);
  bench.times = g_array_new (FALSE, FALSE, sizeof (double));
  bench.work = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < G_N_ELEMENTS (motions); i++)
    if (argc <= 3 || strstr (motions[i].name, argv[3]) != NULL)
      fast = run (&bench, &motions[i]) && fast;
  g_array_unref (bench.times);
  g_array_unref (bench.work);
  gtk_window_destroy (GTK_WINDOW (window));
  return fast ? 0 : 1;
}
