/* tb-peaks-slow-calls.c: table of the longest calls of each peak of an operation in a recording,
 * with report actions that explain one call alone; timeline of the peaks' calls by thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-timeline-tracks.h"
#include "report/table/tb-table-figure.h"
#include "report/tb-report-action.h"
#include "report/timeline/tb-timeline-figure.h"
#include "drill/tb-peaks-result.h"

#define MAX_LISTED 100 /* maximum for each peak: the longest calls */
#define MANY 4096      /* number of calls collected before all but the longest are dropped */
#define MAX_TRACKS 32
#define MAX_DRAWN 200000

typedef struct
{
  guint32 row;
  guint peak;
} Call;

typedef struct
{
  guint32 thread;
  gint64 ns;
  GArray *calls; /* Call */
} Track;

static const TbPeaksTable *
get_table (const TbPeaksResult *self)
{
  return &self->calls->tables[self->operation->kind];
}

/* Calls of the requested peaks. */
static GArray *
list_calls (const TbPeaksResult *self)
{
  const TbPeaksTable *table = get_table (self);
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (Call), self->rows->len);
  g_autofree guint16 *peak_of = g_new0 (guint16, self->calls->bins.n);

  for (guint i = 0; i < self->ranges->len; i++)
    for (guint bin = g_array_index (self->ranges, TbPeakRange, i).first;
         tb_peaks_result_is_requested (self, i)
         && bin <= g_array_index (self->ranges, TbPeakRange, i).last;
         bin++)
      peak_of[bin] = (guint16) (i + 1);
  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i);
      guint peak = peak_of[tb_peaks_bins_find (&self->calls->bins,
                                               tb_peaks_table_get_latency (table, row))];
      Call call = { row, peak - 1 };

      if (peak > 0)
        g_array_append_val (list, call);
    }
  return list;
}

/* --- the table --- */

/* The longest first. */
static int
compare_lengths (gconstpointer a, gconstpointer b, gpointer data)
{
  const Call *left = a, *right = b;
  gint64 of_left = tb_peaks_table_get_latency (data, left->row);
  gint64 of_right = tb_peaks_table_get_latency (data, right->row);

  if (of_left != of_right)
    return of_left > of_right ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

/* Adds a call of one peak. If there are many, only the longest are kept. */
static void
keep_longest (GArray *calls, const TbPeaksTable *table, guint most)
{
  if (calls->len <= most)
    return;
  g_array_sort_with_data (calls, compare_lengths, (gpointer) table);
  g_array_set_size (calls, MAX_LISTED);
}

/* The calls of each peak, the longest first. */
static GArray *
choose_longest (const TbPeaksResult *self, const GArray *calls)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autofree GArray **of_peak = g_new (GArray *, self->ranges->len + 1);
  g_autofree gint64 *least = g_new (gint64, self->ranges->len + 1);

  for (guint i = 0; i < self->ranges->len; i++)
    {
      of_peak[i] = g_array_new (FALSE, FALSE, sizeof (Call));
      least[i] = -1;
    }
  for (guint i = 0; i < calls->len; i++)
    {
      const Call *call = &g_array_index (calls, Call, i);
      GArray *list = of_peak[call->peak];

      if (tb_peaks_table_get_latency (get_table (self), call->row) < least[call->peak])
        continue;
      g_array_append_val (list, *call);
      if (list->len < MANY)
        continue;
      keep_longest (list, get_table (self), MAX_LISTED);
      least[call->peak]
          = tb_peaks_table_get_latency (get_table (self),
                                        g_array_index (list, Call, list->len - 1).row);
    }
  for (guint i = 0; i < self->ranges->len; i++)
    {
      keep_longest (of_peak[i], get_table (self), MAX_LISTED);
      g_array_append_vals (chosen, of_peak[i]->data, of_peak[i]->len);
      g_array_unref (of_peak[i]);
    }
  g_array_sort_with_data (chosen, compare_lengths, (gpointer) get_table (self));
  return chosen;
}

/* Offers to explain the call alone, unless it is one of the fastest calls, which others are
 * compared with. */
static void
add_call_offer (TbReport *report, const TbPeaksResult *self, const Call *call, const char *item)
{
  g_autofree char *time = g_strdup_printf ("%" G_GINT64_FORMAT, get_table (self)->enter[call->row]);
  const TbReportAction offer = { .kind = TB_REPORT_ACTION_SET,
                                 .figure = TB_PEAKS_FIGURE_CALLS,
                                 .item = item,
                                 .option = "call",
                                 .text = time,
                                 .label = _ ("Explain This Call") };

  if (self->options.call == 0 && self->resumed == NULL && (self->is_drawn || call->peak > 0))
    tb_report_add_action (report, &offer);
}

static void
add_table (TbReport *report, const TbPeaksResult *self, const GArray *calls)
{
  const TbPeaksTable *table = get_table (self);
  TbTableFigure *figure = tb_table_figure_new (TB_PEAKS_FIGURE_CALLS, _ ("Longest Calls"));
  guint latency = tb_table_figure_add_column (figure, "latency", _ ("Latency"), TB_CELL_DURATION);
  guint begin = tb_table_figure_add_column (figure, "begin", _ ("Start"), TB_CELL_TIME);
  guint thread = tb_table_figure_add_column (figure, "thread", _ ("Thread"), TB_CELL_TEXT);
  guint peak = tb_table_figure_add_column (figure, "peak", _ ("Peak"), TB_CELL_TEXT);
  g_autoptr (GArray) longest = choose_longest (self, calls);

  tb_table_figure_set_histogram (figure, latency, TB_PEAKS_FIGURE_HISTOGRAM);
  for (guint i = 0; i < longest->len; i++)
    {
      const Call *call = &g_array_index (longest, Call, i);
      guint32 of = table->thread[call->row];
      g_autofree char *item = g_strdup_printf ("call-%u", call->row);
      g_autofree char *name
          = of < self->calls->n_threads ? tb_trace_describe_thread (self->calls->trace, of) : NULL;
      g_autofree char *peak_name = tb_peaks_result_name_peak (self, call->peak);
      guint row = tb_table_figure_add_row (figure, item);

      tb_table_figure_set_integer (figure, row, latency,
                                   tb_peaks_table_get_latency (table, call->row));
      tb_table_figure_set_integer (figure, row, begin, table->enter[call->row]);
      if (name != NULL)
        tb_table_figure_set_text (figure, row, thread, name);
      tb_table_figure_set_text (figure, row, peak, peak_name);
      tb_table_figure_set_place (figure, row, of < self->calls->n_threads ? of : TB_ID_NONE,
                                 table->enter[call->row], table->exit[call->row]);
      add_call_offer (report, self, call, item);
    }
  tb_report_add_figure (report, TB_FIGURE (figure));
}

/* --- the timeline --- */

static TbPaint
get_paint (const TbPeaksResult *self, guint peak)
{
  const GArray *causes = g_ptr_array_index (self->causes, peak);
  const char *kind
      = causes->len > 0
            ? tb_peaks_result_get_cause_kind (self, g_array_index (causes, TbPeakCause, 0).node)
            : "";

  return g_str_equal (kind, "function")       ? TB_PAINT_RUNNING
         : g_str_equal (kind, "wait")         ? TB_PAINT_WAITING
         : g_str_equal (kind, "preemption")   ? TB_PAINT_RUNNABLE
         : g_str_equal (kind, "interrupt")    ? TB_PAINT_INTERRUPT
         : g_str_equal (kind, "asynchronous") ? TB_PAINT_DISK
                                              : TB_PAINT_UNKNOWN;
}

static int
compare_tracks (gconstpointer a, gconstpointer b)
{
  const Track *left = *(Track *const *) a, *right = *(Track *const *) b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static void
track_free (gpointer data)
{
  g_array_unref (((Track *) data)->calls);
  g_free (data);
}

static int
compare_begins (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbPeaksTable *table = data;
  gint64 left = table->enter[((const Call *) a)->row],
         right = table->enter[((const Call *) b)->row];

  return left < right ? -1 : left > right;
}

/* Calls by thread, threads by descending time. */
static GPtrArray *
make_tracks (const TbPeaksResult *self, const GArray *calls)
{
  const TbPeaksTable *table = get_table (self);
  GPtrArray *tracks = g_ptr_array_new_with_free_func (track_free);
  g_autoptr (GHashTable) of_thread = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < calls->len && i < MAX_DRAWN; i++)
    {
      const Call *call = &g_array_index (calls, Call, i);
      guint32 thread = table->thread[call->row];
      Track *track = g_hash_table_lookup (of_thread, GUINT_TO_POINTER (thread + 1));

      if (track == NULL)
        {
          track = g_new0 (Track, 1);
          track->thread = thread;
          track->calls = g_array_new (FALSE, FALSE, sizeof (Call));
          g_hash_table_insert (of_thread, GUINT_TO_POINTER (thread + 1), track);
          g_ptr_array_add (tracks, track);
        }
      track->ns += tb_peaks_table_get_latency (table, call->row);
      g_array_append_val (track->calls, *call);
    }
  g_ptr_array_sort (tracks, compare_tracks);
  if (tracks->len > MAX_TRACKS)
    g_ptr_array_set_size (tracks, MAX_TRACKS);
  return tracks;
}

/* Calls within other calls are left out: intervals of a track must not overlap. */
static void
add_track (TbTimelineFigure *figure, const TbPeaksResult *self, Track *track)
{
  const TbPeaksTable *table = get_table (self);
  g_autoptr (GArray) start = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) end = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GByteArray) paint = g_byte_array_new ();
  g_autoptr (GBytes) starts = NULL;
  g_autoptr (GBytes) ends = NULL;
  g_autoptr (GBytes) paints = NULL;
  g_autofree char *id = g_strdup_printf ("thread-%u", track->thread);
  g_autofree char *name = track->thread < self->calls->n_threads
                              ? tb_trace_describe_thread (self->calls->trace, track->thread)
                              : g_strdup (_ ("unknown thread"));
  gint64 until = G_MININT64;
  guint number;

  g_array_sort_with_data (track->calls, compare_begins, (gpointer) table);
  for (guint i = 0; i < track->calls->len; i++)
    {
      const Call *call = &g_array_index (track->calls, Call, i);
      guint8 of = (guint8) get_paint (self, call->peak);

      if (table->enter[call->row] < until || table->exit[call->row] <= table->enter[call->row])
        continue;
      until = table->exit[call->row];
      g_array_append_val (start, table->enter[call->row]);
      g_array_append_val (end, until);
      g_byte_array_append (paint, &of, 1);
    }
  starts = g_bytes_new (start->data, start->len * sizeof (gint64));
  ends = g_bytes_new (end->data, end->len * sizeof (gint64));
  paints = g_bytes_new (paint->data, paint->len);
  number = tb_timeline_figure_add_track (figure, id, name, self->operation->id,
                                         track->thread < self->calls->n_threads ? track->thread
                                                                                : TB_ID_NONE);
  tb_timeline_figure_set_clipped_intervals (figure, number, starts, ends, paints);
}

void
tb_peaks_add_calls (TbReport *report, const TbPeaksResult *result)
{
  g_autoptr (GArray) calls = NULL;
  g_autoptr (GPtrArray) tracks = NULL;
  g_autofree char *title = NULL;
  TbTimelineFigure *figure;

  if (result->rows == NULL)
    return;
  calls = list_calls (result);
  if (calls->len == 0)
    return;
  add_table (report, result, calls);
  title = calls->len <= MAX_DRAWN
              ? g_strdup (_ ("Timeline"))
              : g_strdup_printf (_ ("Timeline of the First %u Calls"), MAX_DRAWN);
  figure = tb_timeline_figure_new (TB_PEAKS_FIGURE_TIMELINE, title, result->calls->from,
                                   result->calls->to);
  tracks = make_tracks (result, calls);
  for (guint i = 0; i < tracks->len; i++)
    add_track (figure, result, g_ptr_array_index (tracks, i));
  tb_timeline_figure_add_trace_losses (figure, result->calls->trace);
  tb_report_add_figure (report, TB_FIGURE (figure));
}
