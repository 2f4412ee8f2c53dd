/* bench-frames.c: frame times of a moving window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "bench-frames.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <gdk/x11/gdkx.h>
#include <gmodule.h>
#include <string.h>
#include <time.h>

#define N_FRAMES 300
/* A motion may pause, for example at the end of the scroll range; the 99th percentile of few frames
 * is meaningless. */
#define MOST_FRAMES (4 * N_FRAMES)
#define LEAST_MOVED 100
/* The first frames of a motion show a jump to its start, not a motion. */
#define N_SKIPPED 3
#define PATIENCE_S 280

typedef struct
{
  BenchStep step;
  gpointer data;
  GArray *times; /* double, ms */
  GArray *work;  /* double, CPU time of this thread in ms */
  GArray *calibration;
  GArray *calibration_work;
  cairo_surface_t *from;
  cairo_surface_t *to;
  GtkWidget *window;
  XImage *shown; /* screen contents after the previous frame */
  gint64 began;
  gint64 cpu_began;
  guint frame;
} Bench;

typedef struct
{
  double p50;
  double p99;
  double most;
  double work_p50;
  double work_p99;
  double calibration;
  double calibration_work;
  guint n_moved;
  guint n_frames;
} Result;

void
bench_wait (BenchCondition condition, gpointer data, const char *what)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while (!condition (data))
    {
      if (g_get_monotonic_time () > end)
        g_error ("waited %d s for %s", PATIENCE_S, what);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (200);
    }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
percentile (GArray *times, guint percent)
{
  if (times->len == 0)
    return 0;
  g_array_sort (times, compare);
  return g_array_index (times, double, MIN (times->len * percent / 100, times->len - 1));
}

G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static Display *
get_display (GtkWidget *widget)
{
  return gdk_x11_display_get_xdisplay (gtk_widget_get_display (widget));
}

/* Gets the X server's picture of a window. */
static XImage *
take_picture (GtkWidget *window)
{
  GtkNative *native = GTK_NATIVE (window);
  Window id = gdk_x11_surface_get_xid (gtk_native_get_surface (native));
  GdkDisplay *display = gtk_widget_get_display (window);
  double x, y;
  XImage *image;

  gtk_native_get_surface_transform (native, &x, &y);
  gdk_x11_display_error_trap_push (display);
  image = XGetImage (get_display (window), id, (int) x, (int) y,
                     (unsigned int) gtk_widget_get_width (window),
                     (unsigned int) gtk_widget_get_height (window), AllPlanes, ZPixmap);
  if (gdk_x11_display_error_trap_pop (display) != 0 || image == NULL)
    g_error ("the window is not all on the screen: there are no pictures of it to compare");
  return image;
}
G_GNUC_END_IGNORE_DEPRECATIONS

/* Checks whether any pixel differs from the previous frame. */
static gboolean
has_moved (Bench *bench)
{
  XImage *image = take_picture (bench->window);
  gboolean moved = bench->shown == NULL || image->height != bench->shown->height
                   || image->bytes_per_line != bench->shown->bytes_per_line
                   || memcmp (image->data, bench->shown->data,
                              (gsize) image->bytes_per_line * (gsize) image->height)
                          != 0;

  if (bench->shown != NULL)
    XDestroyImage (bench->shown);
  bench->shown = image;
  return moved;
}

gint64
bench_cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;

  bench->step (bench->data, bench->frame);
  return G_SOURCE_CONTINUE;
}

static void
on_before_paint (GdkFrameClock *clock, gpointer data)
{
  ((Bench *) data)->began = g_get_monotonic_time ();
}

/* The lower bound of a frame: every pixel of the window painted once. */
static void
calibrate (Bench *bench)
{
  gint64 began = g_get_monotonic_time (), cpu_began = bench_cpu_time ();
  cairo_t *cr = cairo_create (bench->to);
  double ms, work;

  cairo_set_source_surface (cr, bench->from, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  ms = (double) (g_get_monotonic_time () - began) / 1000.;
  work = (double) (bench_cpu_time () - cpu_began) / 1000.;
  g_array_append_val (bench->calibration, ms);
  g_array_append_val (bench->calibration_work, work);
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  Bench *bench = data;
  double ms = (double) (g_get_monotonic_time () - bench->began) / 1000.;
  double work = (double) (bench_cpu_time () - bench->cpu_began) / 1000.;

  if (has_moved (bench) && bench->frame >= N_SKIPPED)
    {
      g_array_append_val (bench->times, ms);
      g_array_append_val (bench->work, work);
      calibrate (bench);
    }
  bench->frame++;
  bench->cpu_began = bench_cpu_time ();
}

static gboolean
is_painted (gpointer data)
{
  const Bench *bench = data;

  return bench->times->len >= N_FRAMES || bench->frame >= MOST_FRAMES;
}

static cairo_surface_t *
make_surface (GtkWidget *window)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, gtk_widget_get_width (window),
                                    gtk_widget_get_height (window));

  memset (cairo_image_surface_get_data (surface), 0x70,
          (gsize) cairo_image_surface_get_stride (surface)
              * (gsize) cairo_image_surface_get_height (surface));
  cairo_surface_mark_dirty (surface);
  return surface;
}

static Result
run (GtkWidget *window, BenchStep step, gpointer data)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  Bench bench = { .step = step,
                  .data = data,
                  .window = window,
                  .from = make_surface (window),
                  .to = make_surface (window) };
  GArray **arrays[] = { &bench.times, &bench.work, &bench.calibration, &bench.calibration_work };
  gulong before, after;
  guint tick;
  Result result;

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    *arrays[i] = g_array_new (FALSE, FALSE, sizeof (double));
  before = g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), &bench);
  after = g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), &bench);
  tick = gtk_widget_add_tick_callback (window, on_tick, &bench, NULL);
  bench.cpu_began = bench_cpu_time ();
  bench_wait (is_painted, &bench, "frames");
  gtk_widget_remove_tick_callback (window, tick);
  g_signal_handler_disconnect (clock, before);
  g_signal_handler_disconnect (clock, after);
  result = (Result) { .n_moved = bench.times->len,
                      .n_frames = bench.frame - N_SKIPPED,
                      .p50 = percentile (bench.times, 50),
                      .p99 = percentile (bench.times, 99),
                      .most = percentile (bench.times, 100),
                      .work_p50 = percentile (bench.work, 50),
                      .work_p99 = percentile (bench.work, 99),
                      .calibration = percentile (bench.calibration, 50),
                      .calibration_work = percentile (bench.calibration_work, 50) };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (*arrays[i]);
  XDestroyImage (bench.shown);
  cairo_surface_destroy (bench.from);
  cairo_surface_destroy (bench.to);
  return result;
}

void
bench_frames_heading (const char *title)
{
  g_print ("%-34s     p50     p99    most work p50 work p99 calibr.  ratios of the p99s  moved\n",
           title);
}

gboolean
bench_frames (const char *name,
              GtkWidget *window,
              guint n_runs,
              double limit,
              BenchStep step,
              gpointer data)
{
  Result best = { .p99 = G_MAXDOUBLE };
  gboolean moved;

  for (guint i = 0; i < n_runs; i++)
    {
      Result result = run (window, step, data);

      /* A run with too few moved frames does not count as the best. */
      if (result.n_moved < LEAST_MOVED ? best.p99 == G_MAXDOUBLE : result.p99 < best.p99)
        best = result;
      if (result.n_moved < LEAST_MOVED)
        break;
    }
  moved = best.n_moved >= LEAST_MOVED;
  g_print ("%-34s %7.2f %7.2f %7.2f %8.2f %8.2f %7.2f %8.1f %7.1f  %u of %u%s\n", name, best.p50,
           best.p99, best.most, best.work_p50, best.work_p99, best.calibration,
           moved ? best.p99 / best.calibration : 0,
           moved ? best.work_p99 / best.calibration_work : 0, best.n_moved, best.n_frames,
           !moved             ? "  TOO FEW MOVED"
           : best.p99 < limit ? ""
                              : "  TOO SLOW");
  return moved && best.p99 < limit;
}

gboolean
bench_times (const char *name, GArray *times, GArray *work, double limit)
{
  double median = percentile (times, 50), most = percentile (times, 100);

  g_print ("%-34s median %8.1f ms, longest of %u %8.1f ms, goal %.0f ms%s\n", name, median,
           times->len, most, limit, most < limit ? "" : "  TOO SLOW");
  if (work != NULL)
    g_print ("%-34s median %8.1f ms, longest of %u %8.1f ms\n", "  its cpu time",
             percentile (work, 50), work->len, percentile (work, 100));
  return most < limit;
}

static void
on_painted (GdkFrameClock *clock, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

double
bench_time_frame (GtkWidget *window)
{
  gint64 began = g_get_monotonic_time ();
  gboolean painted = FALSE;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  gulong handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_painted), &painted);

  gtk_widget_queue_draw (window);
  bench_wait (is_true, &painted, "a frame");
  g_signal_handler_disconnect (clock, handler);
  return (double) (g_get_monotonic_time () - began) / 1000.;
}

GtkWidget *
bench_find (GtkWidget *root, const char *type_name)
{
  if (gtk_widget_get_mapped (root) && g_str_equal (G_OBJECT_TYPE_NAME (root), type_name))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      /* The page that fades out is still mapped. */
      GtkWidget *found
          = GTK_IS_STACK (root) && gtk_stack_get_visible_child (GTK_STACK (root)) != child
                ? NULL
                : bench_find (child, type_name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A function of the X server's test extension, loaded at run time because its headers may be
 * missing. */
typedef int (*FakeButton) (Display *display,
                           unsigned int button,
                           Bool is_press,
                           unsigned long delay);

static gpointer
load_test_function (const char *name)
{
  static GModule *module;
  gpointer symbol;

  if (module == NULL)
    module = g_module_open ("libXtst.so.6", G_MODULE_BIND_LAZY);
  if (module == NULL || !g_module_symbol (module, name, &symbol))
    g_error ("there is no libXtst.so.6 to move with: %s", g_module_error ());
  return symbol;
}

G_GNUC_BEGIN_IGNORE_DEPRECATIONS
void
bench_point (GtkWidget *widget, double x, double y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_point_t point;
  double dx, dy;

  if (!gtk_widget_compute_point (widget, GTK_WIDGET (native),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y), &point))
    return;
  gtk_native_get_surface_transform (native, &dx, &dy);
  XWarpPointer (get_display (widget), None,
                gdk_x11_surface_get_xid (gtk_native_get_surface (native)), 0, 0, 0, 0,
                (int) (point.x + dx), (int) (point.y + dy));
  XFlush (get_display (widget));
}

void
bench_click (GtkWidget *widget, guint button, gboolean with_control)
{
  Display *display = get_display (widget);
  FakeButton fake_button = (FakeButton) load_test_function ("XTestFakeButtonEvent");
  FakeButton fake_key = (FakeButton) load_test_function ("XTestFakeKeyEvent");
  unsigned int control = XKeysymToKeycode (display, XK_Control_L);

  if (with_control)
    fake_key (display, control, True, 0);
  fake_button (display, button, True, 0);
  fake_button (display, button, False, 0);
  if (with_control)
    fake_key (display, control, False, 0);
  XFlush (display);
}
G_GNUC_END_IGNORE_DEPRECATIONS
