/* test-latency-peaks-layers.c: test of calls by layer, over time, together with another operation,
 * and by the requests that they waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "latency-peaks-fixture.h"

#define ROUNDS test_rounds (12, 4)
#define CALLS 80
#define N_BINS 64

/* Calls of one layer. */
typedef struct
{
  gint64 calls;
  gint64 counts[N_BINS];
} Layer;

static int
get_bin (gint64 us)
{
  int bin = 0;

  for (gint64 ns = us * 1000; ns >= 2; ns /= 2)
    bin++;
  return bin;
}

static void
count (Layer *layer, gint64 us)
{
  layer->calls++;
  layer->counts[get_bin (us)]++;
}

static void
compare_layer (JsonObject *summary, const char *name, const Layer *truth)
{
  JsonObject *layer = NULL;

  for (guint i = 0; i < summary_count (summary, "layers") && layer == NULL; i++)
    {
      layer = summary_get_element (summary, "layers", i);
      if (!g_str_equal (json_object_get_string_member (layer, "layer"), name))
        layer = NULL;
    }
  g_assert_true ((layer != NULL) == (truth->calls > 0));
  if (layer == NULL)
    return;
  g_assert_cmpint (json_object_get_int_member (layer, "calls"), ==, truth->calls);
  for (guint i = 0; i < summary_count (layer, "bins"); i++)
    {
      JsonObject *bin = summary_get_element (layer, "bins", i);

      g_assert_cmpint (json_object_get_int_member (bin, "count"), ==,
                       truth->counts[json_object_get_int_member (bin, "bin")]);
    }
}

static TbReport *
analyze (TbTrace *trace, const char *operation, int from_bin)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bin = g_strdup_printf ("%d", from_bin);
  TbReport *report
      = peaks_try_analyze (trace, operation, from_bin >= 0 ? "from-bin" : NULL, bin, &error);

  g_assert_no_error (error);
  return report;
}

/* --- layers and slices --- */

/* work() calls read() several times, and some reads issue an I/O request. Reads and requests also
 * occur on their own, and requests may end after the call. Each layer is analyzed in turn, with all
 * calls or with those from a bin on. */
typedef struct
{
  Story *story;
  int time;
  int sector;
  int chosen;             /* first bin of the chosen calls */
  Layer of[3][3];         /* calls of function, syscall and block, as counted from each of them */
  gint64 ends[4 * CALLS]; /* end times of reads */
  int lengths[4 * CALLS];
  guint n_reads;
} WorkBuilder;

/* Adds an I/O request; returns its duration in µs. */
static int
add_request (WorkBuilder *self)
{
  int queued = g_test_rand_int_range (1, 30), length = queued + g_test_rand_int_range (1, 2000);

  story_request (self->story, self->time, self->time + queued, self->time + length, 0, 11, 4096,
                 self->sector += 8);
  self->time++;
  return length;
}

static void
add_read (WorkBuilder *self, int *request)
{
  int start = self->time;

  *request = 0;
  story_enter (self->story, self->time++, 0, 11, "read");
  self->time += g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 9));
  if (g_test_rand_bit ())
    *request = add_request (self);
  self->time += g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 9));
  story_leave (self->story, self->time, 0, 11);
  self->ends[self->n_reads] = self->time;
  self->lengths[self->n_reads++] = self->time - start;
  self->time += 2;
}

static void
add_work (WorkBuilder *self)
{
  int start = self->time, n = g_test_rand_int_range (0, 4), requests[4];
  gboolean is_probed = g_test_rand_int_range (0, 3) > 0, any_read = FALSE, any_request = FALSE,
           is_chosen;
  guint first = self->n_reads;
  int length;

  if (is_probed)
    story_call (self->story, self->time++, 0, 11, "work");
  for (int i = 0; i < n; i++)
    add_read (self, &requests[i]);
  self->time += g_test_rand_int_range (1, 100);
  length = self->time - start;
  if (is_probed)
    story_return (self->story, self->time++, 0, 11, "work");
  is_chosen = is_probed && get_bin (length) >= self->chosen;
  if (is_chosen)
    count (&self->of[0][0], length);
  for (int i = 0; i < n; i++)
    {
      int read = self->lengths[first + (guint) i];
      gboolean is_read_chosen = get_bin (read) >= self->chosen;

      if (is_chosen)
        count (&self->of[0][1], read);
      if (is_chosen && requests[i] > 0)
        count (&self->of[0][2], requests[i]);
      if (is_read_chosen)
        count (&self->of[1][1], read);
      if (is_read_chosen && requests[i] > 0)
        count (&self->of[1][2], requests[i]);
      any_read |= is_read_chosen;
      if (requests[i] > 0 && get_bin (requests[i]) >= self->chosen)
        {
          any_request = TRUE;
          count (&self->of[2][2], requests[i]);
          count (&self->of[2][1], read);
        }
    }
  if (is_probed && any_read)
    count (&self->of[1][0], length);
  if (is_probed && any_request)
    count (&self->of[2][0], length);
  self->time += 5;
}

static void
compare_slices (JsonObject *summary, const WorkBuilder *builder)
{
  guint n_slices = summary_count (summary, "slices"), n_bins = summary_count (summary, "bins");

  g_assert_cmpuint (n_slices, ==, 60);
  for (guint slice = 0; slice < n_slices; slice++)
    {
      JsonObject *object = summary_get_element (summary, "slices", slice);
      JsonArray *counts = json_object_get_array_member (object, "counts");
      gint64 from = json_object_get_int_member (object, "from_ns"), to = G_MAXINT64;

      g_assert_cmpuint (json_array_get_length (counts), ==, n_bins);
      if (slice + 1 < n_slices)
        to = json_object_get_int_member (summary_get_element (summary, "slices", slice + 1),
                                         "from_ns");
      for (guint bin = 0; bin < n_bins; bin++)
        {
          gint64 of
              = json_object_get_int_member (summary_get_element (summary, "bins", bin), "bin"),
              n = 0;

          for (guint i = 0; i < builder->n_reads; i++)
            n += builder->ends[i] * 1000 >= from && builder->ends[i] * 1000 < to
                 && get_bin (builder->lengths[i]) == of;
          g_assert_cmpint (json_array_get_int_element (counts, bin), ==, n);
        }
    }
}

static void
test_random (void)
{
  static const char *const layers[3] = { "function", "syscall", "block" };
  static const char *const operations[3] = { "function:work", "syscall:read", "block:other" };

  for (guint round = 0; round < ROUNDS; round++)
    {
      WorkBuilder builder = { .story = story_new ("reader other"), .time = 100 };
      g_autoptr (TbTrace) trace = NULL;

      builder.chosen = round % 2 == 0 ? 0 : g_test_rand_int_range (14, 18);
      story_switch (builder.story, 50, 0, 0, "R", 11);
      for (guint i = 0; i < CALLS; i++)
        add_work (&builder);
      story_switch (builder.story, builder.time + 3000, 0, 11, "S", 0);
      trace = story_open (builder.story);
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (TbReport) report
              = analyze (trace, operations[i], round % 2 == 0 ? -1 : builder.chosen);
          JsonObject *summary = report_get_summary (report);

          for (guint k = 0; k < 3; k++)
            compare_layer (summary, layers[k], &builder.of[i][k]);
          if (i == 1)
            compare_slices (summary, &builder);
        }
    }
}

/* --- comparison with another operation --- */

/* A flusher every 100 ms, which delays reads; another operation at random times. */
static TbTrace *
open_flusher (void)
{
  Story *story = story_new ("reader flusher");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 40; i++, time += 100000)
    {
      story_call (story, time, 1, 12, "flush");
      story_enter (story, time + 100, 0, 11, "read");
      story_leave (story, time + 4900, 0, 11);
      story_return (story, time + 5000, 1, 12, "flush");
      for (int j = 0; j < 8; j++)
        {
          story_enter (story, time + 10000 + j * 10000, 0, 11, "read");
          story_leave (story, time + 10003 + j * 10000, 0, 11);
        }
      if (i % 3 == 0)
        {
          int at = time + 10000 + g_test_rand_int_range (0, 8000) * 10;

          story_call (story, at + 1, 1, 12, "tidy");
          story_return (story, at + 4000, 1, 12, "tidy");
        }
    }
  return story_open (story);
}

/* Whether the combined heat map has at least so many rows with items of that prefix. */
static gboolean
has_rows (TbReport *report, const char *prefix, guint least)
{
  TbHeatmapFigure *figure = TB_HEATMAP_FIGURE (tb_report_find_figure (report, "time-lapse-beside"));
  guint n = 0;

  for (guint i = 0; i < tb_heatmap_figure_get_n_rows (figure); i++)
    n += g_str_has_prefix (tb_heatmap_figure_get_row_item (figure, i), prefix);
  return n >= least;
}

static void
assert_correlated (TbTrace *trace, const char *operation, gboolean is_coincident)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report
      = peaks_try_analyze (trace, "syscall:read", "correlate-with", operation, &error);
  JsonObject *correlation, *coincidence;
  TbFinding *finding;
  g_autofree char *text = NULL;
  gint64 n = 0;

  g_assert_no_error (error);
  correlation = json_object_get_object_member (report_get_summary (report), "beside");
  coincidence = json_object_get_object_member (correlation, "coincidence");
  g_assert_cmpstr (json_object_get_string_member (correlation, "operation"), ==, operation);
  g_assert_true (json_object_get_boolean_member (coincidence, "coincident") == is_coincident);
  finding = findings_get (report, is_coincident ? "coincident-calls" : "no-coincident-calls");
  finding_assert_string (finding, "operation", "syscall:read");
  finding_assert_string (finding, "other_operation", operation);
  g_assert_cmpuint (findings_count (report,
                                    is_coincident ? "no-coincident-calls" : "coincident-calls"),
                    ==, 0);
  /* All calls of the other operation are in the slices. */
  g_assert_cmpuint (summary_count (correlation, "slices"), ==, 60);
  for (guint i = 0; i < 60; i++)
    {
      JsonArray *counts
          = json_object_get_array_member (summary_get_element (correlation, "slices", i), "counts");

      for (guint k = 0; k < json_array_get_length (counts); k++)
        n += json_array_get_int_element (counts, k);
    }
  g_assert_cmpint (n, ==, json_object_get_int_member (correlation, "calls"));
  text = tb_report_to_text (report, 100);
  g_assert_nonnull (strstr (text, "Over Time"));
  /* One figure shows both operations. */
  g_assert_true (has_rows (report, "one-", 1) && has_rows (report, "other-", 1));
}

static void
test_correlation (void)
{
  g_autoptr (TbTrace) trace = open_flusher ();
  g_autoptr (TbReport) alone = analyze (trace, "syscall:read", -1);
  g_autoptr (GError) error = NULL;

  g_assert_true (json_object_get_null_member (report_get_summary (alone), "beside"));
  g_assert_cmpuint (summary_count (report_get_summary (alone), "peaks"), ==, 2);
  assert_correlated (trace, "function:flush", TRUE);
  assert_correlated (trace, "function:tidy", FALSE);
  g_assert_null (peaks_try_analyze (trace, "syscall:read", "correlate-with", "nothing", &error));
  g_assert_nonnull (error);
}

/* --- requests that calls waited for --- */

static gboolean
has_variable (JsonObject *peak, const char *variable, const char *value)
{
  for (guint i = 0; i < summary_count (peak, "distinguishing"); i++)
    {
      JsonObject *attribute = summary_get_element (peak, "distinguishing", i);

      if (g_str_equal (json_object_get_string_member (attribute, "variable"), variable)
          && (value == NULL
              || g_str_equal (json_object_get_string_member (attribute, "value"), value)))
        return TRUE;
    }
  return FALSE;
}

/* Equal software paths: one peak is served from memory, one waits for a near place on the disk, one
 * for a far one. */
static void
test_requests (void)
{
  Story *story = story_new ("reader other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  int time = 1000, sector = 0;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 240; i++, time += 10000)
    {
      int service = i % 3 == 0   ? 0
                    : i % 3 == 1 ? g_test_rand_int_range (140, 240)
                                 : g_test_rand_int_range (4200, 8000);

      story_enter (story, time, 0, 11, "read");
      if (service > 0)
        {
          sector = service > 1000
                       ? (sector + 1000000 + g_test_rand_int_range (0, 1000000)) % 10000000
                       : sector + 8;
          story_request (story, time + 2, time + 3, time + 3 + service, 0, 11, 4096, sector);
          story_switch_with_stack (
              story, time + 5, 0, 11, "D", 0,
              "main;read;entry_SYSCALL_64@[kernel];vfs_read@[kernel];io_schedule@[kernel]");
          story_wake (story, time + 4 + service, 0, 0, 11);
          story_switch (story, time + 5 + service, 0, 0, "R", 11);
        }
      story_leave (story, time + 9 + service, 0, 11);
    }
  trace = story_open (story);
  report = analyze (trace, "syscall:read", -1);
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 3);
  g_assert_true (has_variable (peaks_get_peak (report, 0), "service-time", "(no request)"));
  g_assert_true (has_variable (peaks_get_peak (report, 0), "requests", "0"));
  for (guint i = 1; i < 3; i++)
    {
      g_assert_true (has_variable (peaks_get_peak (report, i), "service-time", NULL));
      g_assert_true (has_variable (peaks_get_peak (report, i), "seek-distance", NULL));
    }
  g_assert_true (has_variable (peaks_get_peak (report, 1), "seek-distance", "0"));
}

/* Requests that share the device with others take longer. */
static void
test_depth (void)
{
  Story *story = story_new ("reader other");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  int time = 1000, sector = 0;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 60; i++, time += 40000)
    {
      int together = i % 2 == 0 ? 1 : 4;

      /* Only the first request of each burst finds the device idle. */
      for (int k = 0; k < together; k++)
        story_request (story, time + k, time + 10 + k, time + (together == 1 ? 150 : 4200 + 20 * k),
                       0, 11, 4096, sector += 8);
    }
  trace = story_open (story);
  report = analyze (trace, "block:other", -1);
  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 2);
  g_assert_true (has_variable (peaks_get_peak (report, 0), "queue-depth", "1"));
  g_assert_true (has_variable (peaks_get_peak (report, 1), "queue-depth", "2")
                 || has_variable (peaks_get_peak (report, 1), "queue-depth", "3")
                 || has_variable (peaks_get_peak (report, 1), "queue-depth", "4"));
  g_assert_true (has_variable (peaks_get_peak (report, 1), "service-time", NULL));
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/layers/random", test_random);
  g_test_add_func ("/latency-peaks/layers/beside", test_correlation);
  g_test_add_func ("/latency-peaks/layers/requests", test_requests);
  g_test_add_func ("/latency-peaks/layers/depth", test_depth);
  return recording_run_tests ();
}
