/* tb-paths-timeline.c: timeline of the threads of the control paths, devices, interrupts and
 * network operations, with labels and arrows for wake-ups and messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-timeline-tracks.h"
#include "tb-paths-network.h"
#include "tb-paths-timeline.h"

/* Processes are ordered by the time at which the paths reached them, so that related processes are
 * neighbours. */
typedef struct
{
  guint32 thread;
  guint32 process;
  gboolean kernel;
  gint64 first; /* when it first took part in a path */
  gint64 process_first;
  gint64 ns; /* total time in paths */
} ShownThread;

/* A track of the figure: the rows of a thread or a device, or the network operations with a
 * peer. */
typedef struct
{
  gsize first_row;
  const TbTrack *track;
  const char *peer;
} Source;

typedef struct
{
  TbTrace *trace;
  GArray *sources; /* Source */
} Labels;

typedef struct
{
  TbPaths *paths;
  TbTimelineFigure *figure;
  Labels *labels;
  GBytes *start; /* columns of all intervals */
  GBytes *end;
  guint32 *track_of; /* by thread */
  TbPathsNetwork *network;
  guint32 *track_of_operation;
} TimelineBuilder;

static void
labels_free (Labels *self)
{
  g_object_unref (self->trace);
  g_array_unref (self->sources);
  g_free (self);
}

/* Examples: "ran 3 ms", "fsync, waited 3 ms; ended by vda" */
static char *
describe_row (TbTrace *trace, gsize row, gboolean long_form)
{
  const TbIntervals *rows = tb_trace_get_intervals (trace);
  TbState state = rows->state[row];
  g_autofree char *length = tb_format_duration (rows->end[row] - rows->start[row]);
  g_autofree char *what = NULL;
  g_autofree char *thread_name = NULL;
  g_autofree char *cause = NULL;

  if (!long_form)
    return state >= TB_STATE_INTERRUPTIBLE ? tb_trace_describe_interval (trace, row)
                                           : g_strdup ("");
  thread_name = tb_trace_describe_thread (trace, rows->thread[row]);
  if (state == TB_STATE_RUNNING)
    return g_strdup_printf (_ ("%s: ran %s on CPU %u"), thread_name, length, rows->cpu[row]);
  if (state == TB_STATE_RUNNABLE)
    return g_strdup_printf (_ ("%s: ready to run, waited %s for a CPU"), thread_name, length);
  if (state == TB_STATE_UNKNOWN)
    return g_strdup_printf (_ ("%s: state unknown for %s"), thread_name, length);
  what = tb_trace_describe_interval (trace, row);
  if (rows->cause_kind[row] == TB_CAUSE_NONE)
    return g_strdup_printf (_ ("%s: %s, waited %s"), thread_name, what, length);
  cause = tb_trace_describe_cause (trace, rows->cause_kind[row], rows->cause[row]);
  return g_strdup_printf (_ ("%s: %s, waited %s; ended by %s"), thread_name, what, length, cause);
}

static char *
label_interval (TbTimelineFigure *figure,
                guint track,
                gsize interval,
                gboolean long_form,
                gpointer data)
{
  Labels *self = data;
  const Source *source;

  if (track >= self->sources->len)
    return g_strdup ("");
  source = &g_array_index (self->sources, Source, track);
  if (source->peer != NULL)
    return long_form ? g_strdup_printf (_ ("%s: from the last message to it until its last answer"),
                                        source->peer)
                     : g_strdup (source->peer);
  if (source->track != NULL)
    return g_strdup ("");
  return describe_row (self->trace, source->first_row + interval, long_form);
}

/* --- threads --- */

static int
compare_shown (gconstpointer a, gconstpointer b)
{
  const ShownThread *one = a, *two = b;

  if (one->kernel != two->kernel)
    return one->kernel ? 1 : -1;
  if (one->process_first != two->process_first)
    return one->process_first < two->process_first ? -1 : 1;
  if (one->process != two->process)
    return one->process < two->process ? -1 : 1;
  return one->first < two->first ? -1 : one->first > two->first;
}

static GArray *
find_shown (TbPaths *paths, guint hide_below)
{
  const TbPathsBoxes *boxes = &paths->walk->boxes;
  const TbPathsModel *model = paths->model;
  g_autofree ShownThread *all = g_new0 (ShownThread, MAX (model->n_threads, 1));
  g_autofree gint64 *process_first = g_new (gint64, MAX (paths->events->n_processes, 1));
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (ShownThread));
  gint64 least = hide_below > 0 ? (paths->to - paths->from) / hide_below : 0;

  for (guint i = 0; i < paths->events->n_processes; i++)
    process_first[i] = G_MAXINT64;
  for (gsize i = 0; i < boxes->n; i++)
    {
      ShownThread *one = &all[model->rows->thread[boxes->row[i]]];
      guint32 process = paths->events->process_of[model->rows->thread[boxes->row[i]]];

      if (boxes->to[i] <= boxes->from[i])
        continue;
      one->first = one->ns == 0 ? boxes->from[i] : MIN (one->first, boxes->from[i]);
      one->ns += boxes->to[i] - boxes->from[i];
      if (process != TB_ID_NONE)
        process_first[process] = MIN (process_first[process], boxes->from[i]);
    }
  for (guint32 i = 0; i < model->n_threads; i++)
    if (all[i].ns > 0 && (all[i].ns >= least || i == paths->thread))
      {
        all[i].thread = i;
        all[i].process = paths->events->process_of[i];
        all[i].kernel = tb_trace_is_kernel_thread (paths->trace, i);
        all[i].process_first = all[i].process == paths->process ? G_MININT64
                               : all[i].process != TB_ID_NONE && !all[i].kernel
                                   ? process_first[all[i].process]
                                   : G_MAXINT64;
        g_array_append_val (shown, all[i]);
      }
  g_array_sort (shown, compare_shown);
  return shown;
}

/* --- tracks --- */

static TbPaint
choose_paint (const TbIntervals *rows, gsize row, TbWaitKind kind)
{
  switch ((TbState) rows->state[row])
    {
    case TB_STATE_RUNNING:
      return TB_PAINT_RUNNING;
    case TB_STATE_RUNNABLE:
      return TB_PAINT_RUNNABLE;
    case TB_STATE_STOPPED:
      return TB_PAINT_STOPPED;
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
      if (kind == TB_WAIT_BLOCK_IO)
        return TB_PAINT_DISK;
      if (rows->cause_kind[row] == TB_CAUSE_NETWORK)
        return TB_PAINT_NETWORK;
      return rows->state[row] == TB_STATE_UNINTERRUPTIBLE ? TB_PAINT_UNINTERRUPTIBLE
                                                          : TB_PAINT_WAITING;
    case TB_STATE_UNKNOWN:
    default:
      return TB_PAINT_UNKNOWN;
    }
}

/* A part of a column, without a copy. */
static GBytes *
slice (GBytes *column, gsize first, gsize n)
{
  return g_bytes_new_from_bytes (column, first * sizeof (gint64), n * sizeof (gint64));
}

static void
add_thread (TimelineBuilder *self, const ShownThread *shown)
{
  TbTrace *trace = self->paths->trace;
  TbSession *session = tb_trace_get_session (trace);
  const TbIntervals *rows = self->paths->model->rows;
  guint32 first = self->paths->model->first_row[shown->thread];
  guint32 end = self->paths->model->first_row[shown->thread + 1];
  g_autofree char *id = g_strdup_printf ("%u", shown->thread);
  g_autofree char *group = NULL;
  g_autoptr (GBytes) start_bytes = NULL;
  g_autoptr (GBytes) end_bytes = NULL;
  g_autoptr (GBytes) paint = NULL;
  guint8 *paints;
  Source source = { 0 };

  while (first < end && rows->end[first] <= self->paths->from)
    first++;
  while (end > first && rows->start[end - 1] >= self->paths->to)
    end--;
  if (shown->kernel)
    group = g_strdup (_ ("kernel"));
  else if (shown->process != TB_ID_NONE)
    group = tb_session_describe_process (session, shown->process, TRUE);
  source.first_row = first;
  self->track_of[shown->thread]
      = tb_timeline_figure_add_track (self->figure, id,
                                      tb_session_get_shown_thread_name (session, shown->thread),
                                      group, shown->thread);
  tb_timeline_figure_set_thread_host (self->figure, self->track_of[shown->thread], trace,
                                      shown->thread);
  g_array_append_val (self->labels->sources, source);
  paints = g_malloc (MAX (end - first, 1));
  for (guint32 row = first; row < end; row++)
    paints[row - first] = choose_paint (rows, row,
                                        rows->state[row] >= TB_STATE_INTERRUPTIBLE
                                            ? tb_trace_get_wait_kind (trace, row)
                                            : TB_WAIT_UNKNOWN);
  paint = g_bytes_new_take (paints, end - first);
  start_bytes = slice (self->start, first, end - first);
  end_bytes = slice (self->end, first, end - first);
  tb_timeline_figure_set_clipped_intervals (self->figure, self->track_of[shown->thread],
                                            start_bytes, end_bytes, paint);
}

/* A TbTraceTrackFunc; data: TimelineBuilder. */
static void
add_source (TbTraceTrackKind kind, const TbTrack *track, gsize first, gpointer data)
{
  TimelineBuilder *self = data;
  Source source = { .track = track };

  g_array_append_val (self->labels->sources, source);
}

/* Overlapping operations have separate tracks, at most this many for each peer. */
#define MAX_LANES 8

static gboolean
is_shown (TimelineBuilder *self, const TbPathsOperation *operation)
{
  return operation->thread < self->paths->model->n_threads
         && self->track_of[operation->thread] != TB_ID_NONE && operation->to > self->paths->from
         && operation->from < self->paths->to && operation->to > operation->from;
}

static void
add_lane (TimelineBuilder *self, guint32 peer, guint lane, const GArray *starts, const GArray *ends)
{
  g_autofree char *id = g_strdup_printf ("network:%u:%u", peer, lane);
  Source source
      = { .peer = tb_session_get_string (tb_trace_get_session (self->paths->trace), peer) };
  guint8 *paints = g_malloc (starts->len);
  g_autoptr (GBytes) paint = g_bytes_new_take (paints, starts->len);
  g_autoptr (GBytes) start = g_bytes_new (starts->data, starts->len * sizeof (gint64));
  g_autoptr (GBytes) end = g_bytes_new (ends->data, ends->len * sizeof (gint64));
  guint track
      = tb_timeline_figure_add_track (self->figure, id, source.peer, _ ("network"), TB_ID_NONE);

  memset (paints, TB_PAINT_NETWORK, starts->len);
  g_array_append_val (self->labels->sources, source);
  tb_timeline_figure_set_clipped_intervals (self->figure, track, start, end, paint);
}

/* The operations first…last with one peer. */
static void
add_peer (TimelineBuilder *self, guint first, guint last)
{
  const TbPathsOperation *operations
      = (const TbPathsOperation *) (gpointer) self->network->operations->data;
  guint track = self->labels->sources->len;
  guint n_left = last - first;

  for (guint lane = 0; lane < MAX_LANES && n_left > 0; lane++)
    {
      g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));
      gint64 until = G_MININT64;

      n_left = 0;
      for (guint i = first; i < last; i++)
        if (self->track_of_operation[i] == TB_ID_NONE && is_shown (self, &operations[i]))
          {
            if (operations[i].from < until)
              {
                n_left++;
                continue;
              }
            until = operations[i].to;
            self->track_of_operation[i] = track + lane;
            g_array_append_val (starts, operations[i].from);
            g_array_append_val (ends, operations[i].to);
          }
      if (starts->len == 0)
        break;
      add_lane (self, operations[first].peer, lane, starts, ends);
    }
}

static void
add_network (TimelineBuilder *self)
{
  const TbPathsOperation *operations
      = (const TbPathsOperation *) (gpointer) self->network->operations->data;
  guint n = self->network->operations->len;

  for (guint first = 0, last; first < n; first = last)
    {
      for (last = first + 1; last < n && operations[last].peer == operations[first].peer;)
        last++;
      add_peer (self, first, last);
    }
}

/* --- links --- */

/* Largest number of hidden threads that a link passes through. */
#define MAX_HOPS 64
/* Largest number of rows that are searched backwards for the wake-up of a hidden thread. */
#define MAX_STEPS 1000

typedef struct
{
  gint64 time;
  gint64 from_time; /* earlier than time where the link passes through hidden threads */
  guint32 from;
  guint32 to;
} Arrow;

static int
compare_arrows (gconstpointer a, gconstpointer b)
{
  const Arrow *one = a, *two = b;

  return one->time < two->time ? -1 : one->time > two->time;
}

/* The last sleep that ended before time: its end started what the thread did at that time.
 * TB_ID_NONE: not known. */
static guint32
find_cause_row (const TbPathsModel *model, guint32 thread, gint64 time)
{
  guint32 row = tb_paths_model_find_row (model, thread, time);

  for (guint steps = 0; row != TB_ID_NONE && steps < MAX_STEPS; steps++)
    {
      if (model->rows->cause_kind[row] != TB_CAUSE_NONE && model->rows->end[row] <= time)
        return row;
      row = row > model->first_row[thread] ? row - 1 : TB_ID_NONE;
    }
  return TB_ID_NONE;
}

/* The nearest waker that is shown. A hidden waker is replaced by the waker of its own last sleep.
 * FALSE: none is shown. */
static gboolean
find_waker (TimelineBuilder *self, gsize row, guint32 *track, gint64 *time)
{
  const TbPathsModel *model = self->paths->model;
  const TbIntervals *rows = model->rows;

  for (guint hops = 0; hops < MAX_HOPS; hops++)
    {
      guint32 waker = rows->cause[row], before;

      if ((rows->cause_kind[row] != TB_CAUSE_THREAD && rows->cause_kind[row] != TB_CAUSE_SIGNAL)
          || waker >= model->n_threads || (hops > 0 && rows->end[row] < self->paths->from))
        return FALSE;
      *time = rows->end[row];
      *track = self->track_of[waker];
      if (*track != TB_ID_NONE)
        return TRUE;
      before = find_cause_row (model, waker, rows->end[row]);
      if (before == TB_ID_NONE || before == row)
        return FALSE;
      row = before;
    }
  return FALSE;
}

/* Arrows from the sender to the network, and from the network to each thread that an answer
 * woke. */
static void
add_network_arrows (TimelineBuilder *self, GArray *arrows)
{
  for (guint i = 0; i < self->network->operations->len; i++)
    {
      const TbPathsOperation *operation
          = &g_array_index (self->network->operations, TbPathsOperation, i);
      guint32 track = self->track_of_operation[i];
      Arrow arrow
          = { operation->from, operation->from,
              self->track_of[MIN (operation->thread, self->paths->model->n_threads - 1)], track };

      if (track == TB_ID_NONE)
        continue;
      if (operation->from >= self->paths->from)
        g_array_append_val (arrows, arrow);
      for (guint k = operation->first_answer; k < operation->first_answer + operation->n_answers;
           k++)
        {
          const TbPathsAnswer *answer = &g_array_index (self->network->answers, TbPathsAnswer, k);

          arrow = (Arrow) { answer->time, answer->time, track, self->track_of[answer->thread] };
          if (arrow.to != TB_ID_NONE && arrow.time >= self->paths->from
              && arrow.time < self->paths->to)
            g_array_append_val (arrows, arrow);
        }
    }
}

/* Wake-ups between the shown threads, passing through hidden ones. */
static void
add_arrows (TimelineBuilder *self)
{
  const TbIntervals *rows = self->paths->model->rows;
  g_autoptr (GArray) arrows = g_array_new (FALSE, FALSE, sizeof (Arrow));
  g_autoptr (GBytes) from = NULL;
  g_autoptr (GBytes) from_time = NULL;
  g_autoptr (GBytes) time = NULL;
  g_autoptr (GBytes) to = NULL;
  guint32 *froms, *tos;
  gint64 *times, *from_times;

  for (gsize row = 0; row < rows->n; row++)
    {
      Arrow arrow = { .time = rows->end[row], .to = self->track_of[rows->thread[row]] };

      if (arrow.to == TB_ID_NONE || arrow.time < self->paths->from || arrow.time >= self->paths->to
          || !find_waker (self, row, &arrow.from, &arrow.from_time) || arrow.from == arrow.to)
        continue;
      g_array_append_val (arrows, arrow);
    }
  add_network_arrows (self, arrows);
  if (arrows->len == 0)
    return;
  g_array_sort (arrows, compare_arrows);
  froms = g_new (guint32, arrows->len);
  tos = g_new (guint32, arrows->len);
  times = g_new (gint64, arrows->len);
  from_times = g_new (gint64, arrows->len);
  for (guint i = 0; i < arrows->len; i++)
    {
      const Arrow *arrow = &g_array_index (arrows, Arrow, i);

      froms[i] = arrow->from;
      tos[i] = arrow->to;
      times[i] = arrow->time;
      from_times[i] = MAX (arrow->from_time, self->paths->from);
    }
  from = g_bytes_new_take (froms, arrows->len * sizeof *froms);
  from_time = g_bytes_new_take (from_times, arrows->len * sizeof *from_times);
  to = g_bytes_new_take (tos, arrows->len * sizeof *tos);
  time = g_bytes_new_take (times, arrows->len * sizeof *times);
  tb_timeline_figure_set_arrows (self->figure, arrows->len, from, from_time, to, time);
}

gboolean
tb_paths_add_timeline (TbReport *report,
                       TbPaths *paths,
                       guint hide_below,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (TbTimelineFigure) figure
      = tb_timeline_figure_new ("processes", _ ("Processes"), paths->from, paths->to);
  g_autoptr (GArray) shown = find_shown (paths, hide_below);
  g_autofree guint32 *track_of = g_new (guint32, MAX (paths->model->n_threads, 1));
  Labels *labels = g_new0 (Labels, 1);
  g_autoptr (GBytes) start = tb_trace_get_interval_column (paths->trace, TB_INTERVAL_START);
  g_autoptr (GBytes) end = tb_trace_get_interval_column (paths->trace, TB_INTERVAL_END);
  g_autoptr (TbPathsNetwork) network = tb_paths_network_new (paths->trace, paths->model, error);
  g_autofree guint32 *track_of_operation = NULL;
  TimelineBuilder self = { .paths = paths,
                           .figure = figure,
                           .labels = labels,
                           .start = start,
                           .end = end,
                           .track_of = track_of,
                           .network = network };

  if (network == NULL)
    {
      g_free (labels);
      return FALSE;
    }
  labels->trace = g_object_ref (paths->trace);
  labels->sources = g_array_new (FALSE, TRUE, sizeof (Source));
  tb_timeline_figure_set_label_func (figure, label_interval, labels, (GDestroyNotify) labels_free);
  memset (track_of, 0xff, sizeof *track_of * paths->model->n_threads);
  for (guint i = 0; i < shown->len; i++)
    add_thread (&self, &g_array_index (shown, ShownThread, i));
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  tb_timeline_figure_add_device_tracks (figure, paths->trace, add_source, &self);
  tb_timeline_figure_add_interrupt_tracks (figure, paths->trace, TRUE, add_source, &self);
  self.track_of_operation = track_of_operation = g_new (guint32, MAX (network->operations->len, 1));
  memset (track_of_operation, 0xff, sizeof *track_of_operation * network->operations->len);
  add_network (&self);
  add_arrows (&self);
  tb_timeline_figure_add_trace_losses (figure, paths->trace);
  tb_report_add_figure (report, TB_FIGURE (g_steal_pointer (&figure)));
  return TRUE;
}
