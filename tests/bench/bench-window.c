/* bench-window.c: benchmark of opening, moving and closing a recording in the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: bench-window [MILLION-EVENTS|FILE [RUNS]]
 *        bench-window MILLION-EVENTS RUNS FILE [closing]
 *
 * Opens a synthetic or given recording in the window and measures the first picture; frames while
 * it is panned, zoomed, hovered over and filtered by a search; selections; cancelled analyses and
 * openings, until all threads are idle; memory. With more than 50 million events a frame may take
 * 33 ms, else 16 ms. If FILE does not exist, it is made and kept. With “closing” only closing is
 * measured. BENCH_WINDOW_LATE=1 prints each time at which the window does not respond for longer
 * than a frame.
 */

#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <time.h>

#include <unistd.h>

#include "bench-frames.h"
#include "synthetic-recording.h"
#include "shell/tb-application.h"
#include "shell/tb-deferred-release.h"
#include "shell/window/tb-window.h"

#define MANY_EVENTS 50
#define PICTURE_MS 1000.
#define CHANGE_MS 100.
#define QUIET_MS 5
#define FRAME_MS 16.
#define N_OPENED 5
#define N_SELECTIONS 60
#define POINTED_Y 100

typedef struct
{
  TbApplication *application;
  TbWindow *window;
  TbDocumentPage *page;
  TbDocument *document;
  GFile *file;
  GtkWidget *canvas;
  guint n_runs;
  double limit;
  gboolean fast;
} Bench;

static double
since (gint64 began)
{
  return (double) (g_get_monotonic_time () - began) / 1000.;
}

static gboolean
has_timeline (gpointer window)
{
  return bench_find (window, "TbTimelineCanvas") != NULL;
}

static gboolean
is_settled (gpointer document)
{
  return tb_document_is_settled (document);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0;
}

static void
open_document (Bench *bench)
{
  bench->page = tb_window_open (bench->window, bench->file, TRUE);
  bench->document = tb_document_page_get_document (bench->page);
}

/* Opens the recording, up to the end of the first frame that shows the timeline. */
static double
open_once (Bench *bench)
{
  gint64 began = g_get_monotonic_time ();

  open_document (bench);
  bench_wait (has_timeline, bench->window, "the first picture");
  bench_time_frame (GTK_WIDGET (bench->window));
  return since (began);
}

static void
close_document (Bench *bench)
{
  g_action_group_activate_action (G_ACTION_GROUP (bench->window), "close-tab", NULL);
  bench->page = NULL;
  bench->document = NULL;
}

/* The lower bound of opening: reading the file. */
static double
read_bare (GFile *file)
{
  gint64 began = g_get_monotonic_time ();
  g_autofree char *contents = NULL;

  g_assert_true (g_file_load_contents (file, NULL, &contents, NULL, NULL, NULL));
  return since (began);
}

static guint64
count_events (GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = tb_session_open (file, NULL, &error);
  guint64 n = 0;

  g_assert_no_error (error);
  for (guint kind = TB_TABLE_SWITCH; kind < TB_TABLE_LOST; kind++)
    n += tb_table_get_n_rows (tb_session_get_table (session, kind));
  return n;
}

static void
measure_opening (Bench *bench)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  double first = open_once (bench), bare = read_bare (bench->file), median;

  bench_wait (is_settled, bench->document, "the first analysis");
  close_document (bench);
  for (guint i = 0; i < N_OPENED; i++)
    {
      double ms = open_once (bench);

      g_array_append_val (times, ms);
      close_document (bench);
    }
  g_print ("opened for the first time: the picture after %.1f ms; a bare reading of the file takes "
           "%.1f ms\n",
           first, bare);
  bench->fast
      = bench_times ("opened again: the first picture", times, NULL, PICTURE_MS) && bench->fast;
  median = g_array_index (times, double, times->len / 2);
  g_print ("  %.1f times a bare reading\n", median / bare);
}

static void
set_view (Bench *bench, double from_share, double length_ms)
{
  TbFocus *focus = tb_document_get_focus (bench->document);
  gint64 from, to, start;

  tb_focus_get_extent (focus, &from, &to);
  start = from + (gint64) ((double) (to - from) * from_share);
  tb_focus_set_view (focus, start, length_ms > 0 ? start + (gint64) (length_ms * 1e6) : to);
}

static void
set_share (Bench *bench, double share)
{
  TbFocus *focus = tb_document_get_focus (bench->document);
  gint64 from, to;

  tb_focus_get_extent (focus, &from, &to);
  tb_focus_set_view (focus, from, from + (gint64) ((double) (to - from) * share));
}

static void
pan (gpointer data, guint frame)
{
  TbFocus *focus = tb_document_get_focus (((Bench *) data)->document);
  gint64 start, end, from, to, step;

  tb_focus_get_extent (focus, &start, &end);
  tb_focus_get_view (focus, &from, &to);
  /* A hundred steps forward and back, none of them beyond the end. */
  step = MIN ((to - from) / 80, (end - start - (to - from)) / 101) * (frame % 200 < 100 ? 1 : -1);
  tb_focus_set_view (focus, from + step, to + step);
}

static void
zoom (gpointer data, guint frame)
{
  bench_click (((Bench *) data)->canvas, frame % 80 < 40 ? 4 : 5, TRUE);
}

static void
hover (gpointer data, guint frame)
{
  Bench *bench = data;
  double width = gtk_widget_get_width (bench->canvas),
         height = gtk_widget_get_height (bench->canvas);

  bench_point (bench->canvas, 10 + (frame * 7) % (guint) MAX (width - 20, 1),
               10 + (frame * 13) % (guint) MAX (height - 20, 1));
}

static gboolean
has_canvas (gpointer data)
{
  Bench *bench = data;

  bench->canvas = bench_find (GTK_WIDGET (bench->window), "TbTimelineCanvas");
  return bench->canvas != NULL && gtk_widget_get_height (bench->canvas) > POINTED_Y;
}

static void
measure_frames (Bench *bench)
{
  GtkWidget *window = GTK_WIDGET (bench->window);

  /* The timeline of the report: neither the one of the first picture, nor the figure that the first
   * finding leads to. */
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-figure",
                                  g_variant_new_string ("timeline"));
  bench_wait (has_canvas, bench, "the timeline of the report");
  bench_frames_heading (bench->n_runs > 1 ? "the whole window, best of the runs"
                                          : "the whole window, ms");
  set_share (bench, 0.75);
  bench->fast
      = bench_frames ("pan, nearly everything", window, bench->n_runs, bench->limit, pan, bench)
        && bench->fast;
  set_view (bench, 0.1, 500);
  bench->fast = bench_frames ("pan, half a second", window, bench->n_runs, bench->limit, pan, bench)
                && bench->fast;
  set_view (bench, 0.1, 2);
  bench->fast
      = bench_frames ("pan, two milliseconds", window, bench->n_runs, bench->limit, pan, bench)
        && bench->fast;
  set_view (bench, 0, 0);
  bench_point (bench->canvas, gtk_widget_get_width (bench->canvas) / 2., POINTED_Y);
  bench->fast
      = bench_frames ("zoom with the wheel", window, bench->n_runs, bench->limit, zoom, bench)
        && bench->fast;
  set_view (bench, 0.1, 20);
  bench->fast
      = bench_frames ("hover, 20 milliseconds", window, bench->n_runs, bench->limit, hover, bench)
        && bench->fast;
  set_view (bench, 0, 0);
  bench->fast
      = bench_frames ("hover, everything", window, bench->n_runs, bench->limit, hover, bench)
        && bench->fast;
}

/* Selects one thread and time after the other. */
static void
measure_selection (Bench *bench)
{
  TbFocus *focus = tb_document_get_focus (bench->document);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 from, to;
  guint n_threads;

  tb_session_get_threads (tb_document_get_session (bench->document), &n_threads);
  tb_focus_get_extent (focus, &from, &to);
  for (guint i = 0; i < N_SELECTIONS; i++)
    {
      gint64 time = from + (to - from) / N_SELECTIONS * i, began = g_get_monotonic_time ();
      gint64 cpu_began = bench_cpu_time ();
      double ms, cpu;

      tb_focus_select_item (focus, "timeline", NULL, 1 + i * 37 % (n_threads - 1), time,
                            time + 1000000, NULL);
      bench_time_frame (GTK_WIDGET (bench->window));
      ms = since (began);
      cpu = (double) (bench_cpu_time () - cpu_began) / 1000.;
      g_array_append_val (times, ms);
      g_array_append_val (work, cpu);
    }
  bench->fast
      = bench_times ("selection, seen in the window", times, work, CHANGE_MS) && bench->fast;
}

static gboolean
is_idle (gpointer item)
{
  return !tb_analysis_item_is_running (item);
}

/* CPU time of all threads, ms. */
static double
get_cpu (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

/* Reads the CPU time of each thread in ns, by its TID. This thread and the one that only frees
 * memory are left out. */
static GHashTable *
read_work (void)
{
  GHashTable *work = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  g_autofree char *own = g_strdup_printf ("%d", getpid ());
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *comm = g_strdup_printf ("/proc/self/task/%s/comm", name);
      g_autofree char *stat = g_strdup_printf ("/proc/self/task/%s/schedstat", name);
      g_autofree char *called = NULL;
      g_autofree char *times = NULL;

      if (!g_str_equal (name, own) && g_file_get_contents (comm, &called, NULL, NULL)
          && g_file_get_contents (stat, &times, NULL, NULL)
          && !g_str_has_prefix (called, TB_RELEASE_THREAD))
        {
          gint64 *ns = g_new (gint64, 1);

          *ns = g_ascii_strtoll (times, NULL, 10);
          g_hash_table_insert (work, g_strdup (name), ns);
        }
    }
  return work;
}

/* CPU time of the threads between two readings, in ms. */
static double
compare_work (GHashTable *before, GHashTable *after)
{
  GHashTableIter iter;
  gpointer thread, ns;
  double ms = 0;

  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, &thread, &ns))
    {
      const gint64 *old = g_hash_table_lookup (before, thread);

      ms += (double) (*(gint64 *) ns - (old != NULL ? *old : 0)) / 1e6;
    }
  return ms;
}

/* Waits until all other threads have been idle for a while, so that cancelled work has ended. The
 * main loop goes on. */
static void
wait_quiet (void)
{
  double busy;

  do
    {
      g_autoptr (GHashTable) before = read_work ();
      g_autoptr (GHashTable) after = NULL;
      gint64 began = g_get_monotonic_time ();

      while (since (began) < QUIET_MS)
        if (!g_main_context_iteration (NULL, FALSE))
          g_usleep (200);
      after = read_work ();
      busy = compare_work (before, after);
    }
  while (busy > QUIET_MS / 10.);
}

/* Checks whether all dropped objects are freed. */
static gboolean
is_freed (gpointer unused)
{
  return tb_release_is_done ();
}

/* Cancels each analysis after a while, unless it has ended before. */
static void
measure_cancelling (Bench *bench)
{
  GListModel *analyses = tb_document_get_analyses (bench->document);

  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (double));

      for (guint delay = 20; delay <= 2560; delay *= 2)
        {
          gint64 began = g_get_monotonic_time ();
          double ms, cpu;

          tb_document_run (bench->document, item);
          while (tb_analysis_item_is_running (item) && since (began) < delay)
            g_main_context_iteration (NULL, FALSE);
          if (!tb_analysis_item_is_running (item))
            break;
          began = g_get_monotonic_time ();
          cpu = get_cpu ();
          tb_document_cancel (bench->document, item);
          bench_wait (is_idle, item, "the end of an analysis that was cancelled");
          wait_quiet ();
          ms = since (began);
          bench_wait (is_freed, NULL, "what it had made to be freed");
          cpu = get_cpu () - cpu;
          g_array_append_val (times, ms);
          g_array_append_val (work, cpu);
        }
      if (times->len > 0)
        {
          g_autofree char *name
              = g_strdup_printf ("cancelled: %s", tb_analysis_item_get_name (item));

          bench->fast = bench_times (name, times, work, CHANGE_MS) && bench->fast;
        }
    }
}

/* Main loop latency: the longest time without a response, its CPU time, and the number of frames
 * above the limit. */
typedef struct
{
  double longest;
  double work;
  guint n_late;
} Latency;

static void
note_latency (Latency *latency, gint64 began, gint64 cpu_began)
{
  double ms = since (began), work = (double) (bench_cpu_time () - cpu_began) / 1000.;

  latency->n_late += ms > FRAME_MS;
  latency->longest = MAX (latency->longest, ms);
  latency->work = MAX (latency->work, work);
  if (g_getenv ("BENCH_WINDOW_LATE") != NULL && ms > FRAME_MS)
    g_print ("  no answer for %.1f ms, at work for %.1f ms of them\n", ms, work);
}

/* Measures from the click until both the page and everything that it dropped are freed. */
static void
watch_closing (Bench *bench, Latency *latency)
{
  gpointer page = bench->page, document = bench->document;
  gint64 began = g_get_monotonic_time (), cpu_began = bench_cpu_time ();

  g_object_add_weak_pointer (page, &page);
  g_object_add_weak_pointer (document, &document);
  close_document (bench);
  note_latency (latency, began, cpu_began);
  while (page != NULL || document != NULL || !tb_release_is_done ()
         || g_main_context_pending (NULL))
    {
      began = g_get_monotonic_time ();
      cpu_began = bench_cpu_time ();
      if (g_main_context_iteration (NULL, FALSE))
        note_latency (latency, began, cpu_began);
      else
        g_usleep (200);
    }
}

/* Closes a recording while it is being opened. Measures the time until no thread works on it any
 * more, and the main loop latency. The two come from different openings, because watching the
 * threads takes time of this thread. */
static void
measure_closing (Bench *bench)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) latencies = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) latency_work = g_array_new (FALSE, FALSE, sizeof (double));
  guint n_late = 0;

  for (guint delay = 1; delay <= 4096; delay *= 2)
    {
      gint64 began = g_get_monotonic_time ();
      Latency latency = { 0 };
      double ms, cpu;

      open_document (bench);
      while (since (began) < delay)
        g_main_context_iteration (NULL, FALSE);
      began = g_get_monotonic_time ();
      cpu = get_cpu ();
      close_document (bench);
      wait_quiet ();
      ms = since (began);
      bench_wait (is_freed, NULL, "what was read to be freed");
      cpu = get_cpu () - cpu;
      g_array_append_val (times, ms);
      g_array_append_val (work, cpu);

      began = g_get_monotonic_time ();
      open_document (bench);
      while (since (began) < delay)
        g_main_context_iteration (NULL, FALSE);
      watch_closing (bench, &latency);
      n_late += latency.n_late;
      g_array_append_val (latencies, latency.longest);
      g_array_append_val (latency_work, latency.work);
    }
  bench->fast = bench_times ("closed while opening", times, work, CHANGE_MS) && bench->fast;
  bench->fast = bench_times ("  longest without an answer", latencies, latency_work, CHANGE_MS)
                && bench->fast;
  g_print ("  %u times without an answer for more than %.0f ms\n", n_late, FRAME_MS);
}

/* Closes an idle recording. Measures the main loop latency, and the time until everything is
 * freed. */
static void
measure_closing_settled (Bench *bench)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (double));
  double freed = 0;
  guint n_late = 0;

  for (guint i = 0; i < N_OPENED; i++)
    {
      Latency latency = { 0 };
      gint64 began;

      open_document (bench);
      bench_wait (is_settled, bench->document, "the first analysis");
      bench_time_frame (GTK_WIDGET (bench->window));
      began = g_get_monotonic_time ();
      watch_closing (bench, &latency);
      freed = MAX (freed, since (began));
      n_late += latency.n_late;
      g_array_append_val (times, latency.longest);
      g_array_append_val (work, latency.work);
    }
  bench->fast = bench_times ("closed at rest: longest without an answer", times, work, CHANGE_MS)
                && bench->fast;
  g_print ("  %u times without an answer for more than %.0f ms; all freed after %.1f ms at most\n",
           n_late, FRAME_MS, freed);
}

/* Prints the peak memory use. */
static void
print_memory (const char *when)
{
  g_autofree char *status = NULL;
  const char *line;

  if (g_file_get_contents ("/proc/self/status", &status, NULL, NULL)
      && (line = strstr (status, "VmHWM:")) != NULL)
    g_print ("memory, %s: %.0f MB at most\n", when,
             strtod (line + strlen ("VmHWM:"), NULL) / 1024.);
}

static void
start (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  bench->application = tb_application_new ();
  g_application_set_flags (G_APPLICATION (bench->application),
                           g_application_get_flags (G_APPLICATION (bench->application))
                               | G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (bench->application), NULL, &error);
  g_assert_no_error (error);
  bench->window = TB_WINDOW (tb_window_new (GTK_APPLICATION (bench->application),
                                            tb_application_get_settings (bench->application)));
  gtk_window_set_default_size (GTK_WINDOW (bench->window), 1400, 880);
  gtk_window_present (GTK_WINDOW (bench->window));
  bench_wait (is_mapped, bench->window, "the window");
}

static void
measure_all (Bench *bench)
{
  measure_opening (bench);
  print_memory ("opened and analysed once");
  open_once (bench);
  bench_wait (is_settled, bench->document, "the first analysis");
  measure_frames (bench);
  measure_selection (bench);
  measure_cancelling (bench);
  close_document (bench);
  measure_closing (bench);
  measure_closing_settled (bench);
  print_memory ("all analyses");
}

/* The recording was analysed once before, so that its analysis is not measured. */
static void
measure_all_closing (Bench *bench)
{
  open_once (bench);
  bench_wait (is_settled, bench->document, "the first analysis");
  close_document (bench);
  measure_closing (bench);
  measure_closing_settled (bench);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "10";
  gboolean given = g_file_test (what, G_FILE_TEST_IS_REGULAR), kept = given || argc > 3;
  double millions = given ? 0 : strtod (what, NULL);
  g_autofree char *folder = g_dir_make_tmp ("bench-window-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "made.tailback", NULL);
  Bench bench = { .fast = TRUE,
                  .file = g_file_new_for_commandline_arg (given      ? what
                                                          : argc > 3 ? argv[3]
                                                                     : path) };

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  bench.n_runs = argc > 2 ? MAX (1, (guint) strtoul (argv[2], NULL, 10)) : 1;
  if (!given)
    synthetic_recording_write (bench.file, (guint64) (millions * 1e6));
  bench.limit = count_events (bench.file) > MANY_EVENTS * 1e6 ? 33 : 16;
  start (&bench);
  if (g_strcmp0 (argc > 4 ? argv[4] : NULL, "closing") == 0)
    measure_all_closing (&bench);
  else
    measure_all (&bench);
  gtk_window_destroy (GTK_WINDOW (bench.window));
  if (!kept)
    g_file_delete (bench.file, NULL, NULL);
  g_object_unref (bench.file);
  return bench.fast ? 0 : 1;
}
