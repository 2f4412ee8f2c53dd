/* tb-threads-timeline.c: timeline figure of threads with their phases and marks, grouped by
 * process, and of devices, interrupts and CPUs; arrows for wake-ups
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-timeline-tracks.h"
#include "report/tb-report.h"
#include "tb-threads-estimate.h"
#include "tb-threads-labels.h"
#include "tb-threads-phases.h"
#include "tb-threads-programs.h"
#include "tb-threads-timeline.h"

/* --- tracks --- */

typedef struct
{
  TbThreadsSummary *summary;
  TbTimelineFigure *figure;
  TbLabels *labels;
  GBytes *start; /* columns of all intervals */
  GBytes *end;
  guint32 *track_of;       /* by thread; TB_ID_NONE: not shown */
  GHashTable *annotations; /* by thread, TbThreadAnnotations */
  const TbThreadsSamples *samples;
} Builder;

static TbPaint
choose_paint (TbTrace *trace, const TbIntervals *intervals, gsize row)
{
  switch ((TbState) intervals->state[row])
    {
    case TB_STATE_RUNNING:
      return TB_PAINT_RUNNING;
    case TB_STATE_RUNNABLE:
      return TB_PAINT_RUNNABLE;
    case TB_STATE_STOPPED:
      return TB_PAINT_STOPPED;
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
      if (tb_threads_is_disk (trace, row))
        return TB_PAINT_DISK;
      if (intervals->cause_kind[row] == TB_CAUSE_NETWORK
          || intervals->cause_kind[row] == TB_CAUSE_DEVICE)
        return TB_PAINT_NETWORK;
      return intervals->state[row] == TB_STATE_UNINTERRUPTIBLE ? TB_PAINT_UNINTERRUPTIBLE
                                                               : TB_PAINT_WAITING;
    case TB_STATE_UNKNOWN:
    default:
      return TB_PAINT_UNKNOWN;
    }
}

/* A part of a column, without a copy. */
static GBytes *
slice (GBytes *column, gsize first, gsize n, gsize size)
{
  return g_bytes_new_from_bytes (column, first * size, n * size);
}

static GBytes *
take_column (GArray *column)
{
  return g_bytes_new (column->data, (gsize) column->len * g_array_get_element_size (column));
}

/* Adds a track below the thread's own track. Its intervals are painted like running. */
static void
add_annotations (Builder *self,
                 const TbAnnotationIntervals *annotations,
                 const char *kind,
                 const char *name,
                 const char *group,
                 guint32 thread)
{
  g_autofree char *id = g_strdup_printf ("%s:%u", kind, thread);
  g_autoptr (GBytes) start = take_column (annotations->start);
  g_autoptr (GBytes) end = take_column (annotations->end);
  g_autoptr (GBytes) paint = NULL;
  TbTrackContent shown = { .kind = TRACK_ANNOTATION };
  gsize n = annotations->name->len;
  guint track;

  if (n == 0)
    return;
  paint = g_bytes_new_take (memset (g_malloc (n), TB_PAINT_RUNNING, n), n);
  track = tb_timeline_figure_add_track (self->figure, id, name, group, TB_ID_NONE);
  tb_timeline_figure_set_thread_host (self->figure, track, self->summary->trace, thread);
  shown.names = take_column (annotations->name);
  tb_labels_add (self->labels, &shown);
  tb_timeline_figure_set_intervals (self->figure, track, n, start, end, paint);
}

/* Sets the states of a thread, or where none is known, when it ran by its samples. */
static void
set_states (Builder *self, const TbThreadSummary *thread, guint track)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->summary->trace);
  TbTrackContent shown = { .kind = TRACK_THREAD, .first_row = thread->first_row };
  g_autoptr (GBytes) start = NULL;
  g_autoptr (GBytes) end = NULL;
  g_autoptr (GBytes) paint = NULL;
  guint8 *paints;
  gsize n;

  if (tb_threads_estimate (self->summary, self->samples, thread, &n, &start, &end, &paint))
    {
      shown = (TbTrackContent) { .kind = TRACK_ESTIMATE, .thread = thread->thread };
      tb_labels_add (self->labels, &shown);
      tb_timeline_figure_set_intervals (self->figure, track, n, start, end, paint);
      return;
    }
  paints = g_malloc0 (MAX (thread->n_rows, 1));
  for (gsize i = 0; i < thread->n_rows && tb_threads_should_continue (thread->first_row + i); i++)
    paints[i] = choose_paint (self->summary->trace, intervals, thread->first_row + i);
  paint = g_bytes_new_take (paints, thread->n_rows);
  start = slice (self->start, thread->first_row, thread->n_rows, sizeof (gint64));
  end = slice (self->end, thread->first_row, thread->n_rows, sizeof (gint64));
  tb_labels_add (self->labels, &shown);
  tb_timeline_figure_set_clipped_intervals (self->figure, track, start, end, paint);
}

static void
add_thread (Builder *self, const TbThreadSummary *thread, const char *group)
{
  g_autofree char *programs
      = tb_programs_describe (self->summary->programs, thread->thread, thread->first, thread->last);
  g_autofree char *id = g_strdup_printf ("%u", thread->thread);
  g_autofree char *shown_name = NULL;
  g_autofree char *phases_name = NULL;
  g_autofree char *marks_name = NULL;
  const TbThreadAnnotations *annotations;
  guint track;

  shown_name = programs != NULL ? g_steal_pointer (&programs)
                                : g_strdup (tb_threads_get_shown_name (self->summary, thread));
  track = tb_timeline_figure_add_track (self->figure, id, shown_name, group, thread->thread);
  tb_timeline_figure_set_thread_host (self->figure, track, self->summary->trace, thread->thread);
  self->track_of[thread->thread] = track;
  set_states (self, thread, track);
  annotations = g_hash_table_lookup (self->annotations, GUINT_TO_POINTER (thread->thread));
  if (annotations == NULL)
    return;
  phases_name = g_strdup_printf (_ ("%s: phases"), shown_name);
  marks_name = g_strdup_printf (_ ("%s: marks"), shown_name);
  add_annotations (self, &annotations->phases, "phases", phases_name, group, thread->thread);
  add_annotations (self, &annotations->marks, "marks", marks_name, group, thread->thread);
}

/* --- groups --- */

/* A process and its threads, in descending order of running time. */
typedef struct
{
  guint32 process;
  gboolean kernel;
  gint64 running;
  GPtrArray *threads; /* TbThreadSummary, not owned */
} Group;

static void
group_free (Group *self)
{
  g_ptr_array_unref (self->threads);
  g_free (self);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *left = *(Group *const *) a, *right = *(Group *const *) b;

  if (left->kernel != right->kernel)
    return left->kernel ? 1 : -1;
  if (left->running != right->running)
    return left->running > right->running ? -1 : 1;
  return left->process < right->process ? -1 : left->process > right->process;
}

static gboolean
is_active (const TbThreadSummary *thread)
{
  return thread->n_rows > 1 || thread->ns[TB_STATE_RUNNING] > 0 || thread->ns[TB_STATE_RUNNABLE] > 0
         || thread->n_samples > 0;
}

static GPtrArray *
group_threads (TbThreadsSummary *summary, gboolean idle_threads)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify) group_free);
  g_autoptr (GHashTable) by_process = g_hash_table_new (NULL, NULL);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (summary->trace), &n_threads);

  for (guint i = 0; i < summary->threads->len; i++)
    {
      TbThreadSummary *thread = g_ptr_array_index (summary->threads, i);
      gboolean kernel = tb_trace_is_kernel_thread (summary->trace, thread->thread);
      /* All kernel threads are in one group. */
      gpointer key = kernel ? GUINT_TO_POINTER (TB_ID_NONE)
                            : GUINT_TO_POINTER (threads[thread->thread].process);
      Group *group;

      if (!idle_threads && !is_active (thread))
        continue;
      group = g_hash_table_lookup (by_process, key);
      if (group == NULL)
        {
          group = g_new0 (Group, 1);
          group->process = threads[thread->thread].process;
          group->kernel = kernel;
          group->threads = g_ptr_array_new ();
          g_hash_table_insert (by_process, key, group);
          g_ptr_array_add (groups, group);
        }
      group->running += thread->ns[TB_STATE_RUNNING];
      g_ptr_array_add (group->threads, thread);
    }
  g_ptr_array_sort (groups, compare_groups);
  return groups;
}

/* "auth → authhelper 812": a process with all programs that it was. */
static char *
name_group (TbThreadsSummary *summary, const Group *group, gint32 pid)
{
  const TbThreadSummary *first = g_ptr_array_index (group->threads, 0);
  const char *name;

  for (guint i = 0; i < group->threads->len; i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (group->threads, i);
      g_autofree char *programs
          = tb_programs_describe (summary->programs, thread->thread, thread->first, thread->last);

      if (programs != NULL)
        return g_strdup_printf ("%s %d", programs, pid);
    }
  name = tb_threads_get_process_name (summary, first);
  return name[0] != '\0' ? g_strdup_printf ("%s %d", name, pid)
                         : g_strdup (tb_threads_get_shown_process_name (summary, first));
}

static void
add_threads (Builder *self, gboolean idle_threads)
{
  g_autoptr (GPtrArray) groups = group_threads (self->summary, idle_threads);
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->summary->trace), &n_processes);

  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = g_ptr_array_index (groups, i);
      g_autofree char *heading = NULL;

      if (group->kernel)
        heading = g_strdup (_ ("kernel"));
      else if (group->process < n_processes)
        heading = name_group (self->summary, group, processes[group->process].pid);
      for (guint k = 0; k < group->threads->len && !tb_threads_is_cancelled (); k++)
        add_thread (self, g_ptr_array_index (group->threads, k), heading);
    }
}

/* A TbTraceTrackFunc; data: Builder. */
static void
add_content (TbTraceTrackKind kind, const TbTrack *track, gsize first, gpointer data)
{
  static const TbTrackContentKind kinds[] = {
    [TB_TRACE_TRACK_SERVICE] = TRACK_SERVICE,
    [TB_TRACE_TRACK_QUEUE] = TRACK_QUEUE,
    [TB_TRACE_TRACK_INTERRUPT] = TRACK_INTERRUPT,
    [TB_TRACE_TRACK_CPU] = TRACK_CPU,
  };
  Builder *self = data;
  TbTrackContent shown = { .kind = kinds[kind], .track = track, .first = first };

  tb_labels_add (self->labels, &shown);
}

/* --- arrows --- */

/* Adds arrows from wakers to woken threads. The wakeup table is in order of time, and so are the
 * arrows. */
static void
add_arrows (Builder *self)
{
  TbThreadsSummary *summary = self->summary;
  const TbIntervals *intervals = tb_trace_get_intervals (summary->trace);
  TbTable *wakeups = tb_session_get_table (tb_trace_get_session (summary->trace), TB_TABLE_WAKEUP);
  gsize n_wakeups = tb_table_get_n_rows (wakeups), n = 0;
  g_autofree guint32 *interval_of = g_new (guint32, MAX (n_wakeups, 1));
  g_autoptr (GBytes) from_track = NULL;
  g_autoptr (GBytes) times = NULL;
  g_autoptr (GBytes) to_track = NULL;
  guint32 *from, *to;
  gint64 *time;

  memset (interval_of, 0xff, n_wakeups * sizeof *interval_of);
  for (guint i = 0; i < summary->threads->len && !tb_threads_is_cancelled (); i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (summary->threads, i);

      if (self->track_of[thread->thread] == TB_ID_NONE)
        continue;
      for (gsize row = thread->first_row;
           row < thread->first_row + thread->n_rows && tb_threads_should_continue (row); row++)
        if ((intervals->cause_kind[row] == TB_CAUSE_THREAD
             || intervals->cause_kind[row] == TB_CAUSE_SIGNAL)
            && intervals->wakeup[row] < n_wakeups && intervals->end[row] < summary->to
            && self->track_of[intervals->cause[row]] != TB_ID_NONE
            && interval_of[intervals->wakeup[row]] == TB_ID_NONE)
          {
            interval_of[intervals->wakeup[row]] = row;
            n++;
          }
    }
  from = g_new (guint32, MAX (n, 1));
  to = g_new (guint32, MAX (n, 1));
  time = g_new (gint64, MAX (n, 1));
  n = 0;
  for (gsize wakeup = 0; wakeup < n_wakeups && tb_threads_should_continue (wakeup); wakeup++)
    if (interval_of[wakeup] != TB_ID_NONE)
      {
        guint32 row = interval_of[wakeup];

        /* An arrow that is out of order because of a damaged table is left out. */
        if (n > 0 && intervals->end[row] < time[n - 1])
          continue;
        from[n] = self->track_of[intervals->cause[row]];
        to[n] = self->track_of[intervals->thread[row]];
        time[n++] = intervals->end[row];
      }
  from_track = g_bytes_new_take (from, n * sizeof *from);
  to_track = g_bytes_new_take (to, n * sizeof *to);
  times = g_bytes_new_take (time, n * sizeof *time);
  if (n > 0)
    tb_timeline_figure_set_arrows (self->figure, n, from_track, times, to_track, times);
}

TbTimelineFigure *
tb_threads_make_timeline (TbThreadsSummary *summary,
                          gboolean idle_threads,
                          GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (TbTimelineFigure) figure
      = tb_timeline_figure_new ("timeline", _ ("Timeline"), summary->from, summary->to);
  g_autofree guint32 *track_of = g_new (guint32, MAX (summary->n_ids, 1));
  g_autoptr (GBytes) start = tb_trace_get_interval_column (summary->trace, TB_INTERVAL_START);
  g_autoptr (GBytes) end = tb_trace_get_interval_column (summary->trace, TB_INTERVAL_END);
  g_autoptr (GHashTable) annotations = tb_threads_find_annotations (summary, error);
  g_auto (TbThreadsSamples) samples = { 0 };
  Builder self = {
    .summary = summary,
    .figure = figure,
    .labels = tb_labels_new (summary->trace),
    .start = start,
    .end = end,
    .track_of = track_of,
    .annotations = annotations,
    .samples = &samples,
  };

  /* The figure owns the data of its labels. */
  tb_timeline_figure_set_label_func (figure, tb_labels_get_label, self.labels,
                                     (GDestroyNotify) tb_labels_free);
  tb_timeline_figure_set_match_func (figure, tb_labels_match, self.labels, NULL);
  if (annotations == NULL
      || (summary->n_known < summary->threads->len
          && !tb_threads_samples_load (&samples, summary, error)))
    return NULL;
  memset (track_of, 0xff, sizeof *track_of * summary->n_ids);
  add_threads (&self, idle_threads);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  tb_timeline_figure_add_device_tracks (figure, summary->trace, add_content, &self);
  tb_timeline_figure_add_interrupt_tracks (figure, summary->trace, FALSE, add_content, &self);
  tb_timeline_figure_add_cpu_tracks (figure, summary->trace, add_content, &self);
  add_arrows (&self);
  tb_timeline_figure_add_trace_losses (figure, summary->trace);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&figure);
}
