/* tb-threads-labels.c: labels of intervals on the timeline, short and long: what a thread did
 * (function of most samples) or waited for, and what ended it; of requests, CPUs, phases and marks;
 * samples by thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-report.h"
#include "tb-threads-labels-private.h"

void
tb_labels_free (TbLabels *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->samples.columns); i++)
    g_clear_pointer (&self->samples.columns[i], g_bytes_unref);
  g_clear_pointer (&self->matched, g_bytes_unref);
  g_clear_pointer (&self->filter, tb_filter_unref);
  g_free (self->samples.first);
  g_free (self->samples.order);
  g_mutex_clear (&self->mutex);
  g_clear_object (&self->trace);
  for (guint i = 0; i < self->shown->len; i++)
    g_clear_pointer (&g_array_index (self->shown, TbTrackContent, i).names, g_bytes_unref);
  g_clear_pointer (&self->shown, g_array_unref);
  g_clear_pointer (&self->file, g_bytes_unref);
  g_clear_pointer (&self->issuer, g_bytes_unref);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

TbLabels *
tb_labels_new (TbTrace *trace)
{
  TbLabels *self = g_new0 (TbLabels, 1);

  g_mutex_init (&self->mutex);
  self->trace = g_object_ref (trace);
  self->shown = g_array_new (FALSE, FALSE, sizeof (TbTrackContent));
  self->file = tb_trace_read_column (trace, TB_TABLE_BLOCK, TB_BLOCK_FILE);
  self->issuer = tb_trace_read_column (trace, TB_TABLE_BLOCK, TB_BLOCK_THREAD);
  self->bytes = tb_trace_read_column (trace, TB_TABLE_BLOCK, TB_BLOCK_BYTES);
  return self;
}

void
tb_labels_add (TbLabels *self, const TbTrackContent *shown)
{
  g_array_append_vals (self->shown, shown, 1);
}

/* --- samples --- */

static void
load_samples (TbLabels *self)
{
  static const TbSampleColumn columns[] = { TB_SAMPLE_TIME, TB_SAMPLE_THREAD, TB_SAMPLE_STACK };
  TbSession *session = tb_trace_get_session (self->trace);
  TbTable *table = tb_session_get_table (session, TB_TABLE_SAMPLE);
  guint64 n = tb_table_get_n_rows (table);
  Samples *samples = &self->samples;
  const guint32 *thread;

  if (n == 0 || n >= G_MAXUINT32)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      samples->columns[i] = tb_trace_read_column (self->trace, TB_TABLE_SAMPLE, columns[i]);
      if (samples->columns[i] == NULL)
        return;
    }
  samples->time = g_bytes_get_data (samples->columns[0], NULL);
  thread = g_bytes_get_data (samples->columns[1], NULL);
  samples->stack = g_bytes_get_data (samples->columns[2], NULL);
  tb_session_get_threads (session, &samples->n_threads);
  samples->first = g_new0 (guint32, (gsize) samples->n_threads + 2);
  samples->order = g_new (guint32, n);
  for (guint64 i = 0; i < n; i++)
    if (thread[i] < samples->n_threads)
      samples->first[thread[i] + 2]++;
  for (gsize i = 2; i <= samples->n_threads; i++)
    samples->first[i] += samples->first[i - 1];
  for (guint64 i = 0; i < n; i++)
    if (thread[i] < samples->n_threads)
      samples->order[samples->first[thread[i] + 1]++] = i;
}

guint32
tb_labels_find_sample (const Samples *samples, guint32 thread, gint64 time)
{
  guint32 low = samples->first[thread], high = samples->first[thread + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (samples->time[samples->order[middle]] >= time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

const Samples *
tb_labels_get_samples (TbLabels *self)
{
  g_mutex_lock (&self->mutex);
  if (!self->has_samples)
    load_samples (self);
  self->has_samples = TRUE;
  g_mutex_unlock (&self->mutex);
  return self->samples.order != NULL ? &self->samples : NULL;
}

guint32
tb_labels_count_samples (const Samples *samples,
                         guint32 thread,
                         gint64 from,
                         gint64 to,
                         guint32 *first)
{
  *first = tb_labels_find_sample (samples, thread, from);
  return tb_labels_find_sample (samples, thread, to) - *first;
}

/* The function that is in most of the first samples of a thread in a time; NULL: it has none. */
static char *
find_function_of (TbLabels *self, guint32 thread, gint64 from, gint64 to)
{
  enum
  {
    MOST_SAMPLES = 64
  };
  const Samples *samples = tb_labels_get_samples (self);
  char *functions[MOST_SAMPLES];
  guint32 low, end;
  guint n = 0, best = 0, best_count = 0;
  char *function = NULL;

  if (samples == NULL || thread >= samples->n_threads)
    return NULL;
  low = tb_labels_find_sample (samples, thread, from);
  end = samples->first[thread + 1];
  for (; low < end && n < MOST_SAMPLES && samples->time[samples->order[low]] < to; low++)
    {
      functions[n] = tb_trace_get_stack_label (self->trace, samples->stack[samples->order[low]]);
      if (functions[n] != NULL)
        n++;
    }
  for (guint i = 0; i < n; i++)
    {
      guint count = 0;

      for (guint k = i; k < n; k++)
        count += g_str_equal (functions[i], functions[k]);
      if (count > best_count)
        {
          best = i;
          best_count = count;
        }
    }
  for (guint i = 0; i < n; i++)
    if (i == best)
      function = functions[i];
    else
      g_free (functions[i]);
  return function;
}

static char *
find_function (TbLabels *self, gsize row)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);

  return find_function_of (self, intervals->thread[row], intervals->start[row],
                           intervals->end[row]);
}

/* --- text --- */

/* The thread, with the name that it had at that time. */
static char *
describe_thread_at (TbTrace *trace, guint32 thread, gint64 time)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  const char *name = tb_trace_get_thread_name_at (trace, thread, time);

  if (thread == TB_THREAD_IDLE || thread >= n_threads || name[0] == '\0')
    return tb_trace_describe_thread (trace, thread);
  return g_strdup_printf ("%s (%d)", name, threads[thread].tid);
}

static void
append_cause (GString *text, TbTrace *trace, gsize row)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  TbCauseKind kind = (TbCauseKind) intervals->cause_kind[row];
  g_autofree char *cause
      = kind == TB_CAUSE_SIGNAL || kind == TB_CAUSE_THREAD
            ? describe_thread_at (trace, intervals->cause[row], intervals->end[row])
            : tb_trace_describe_cause (trace, kind, intervals->cause[row]);
  const char *interrupt;

  switch (kind)
    {
    case TB_CAUSE_NONE:
      break;
    case TB_CAUSE_UNKNOWN:
      g_string_append (text, _ ("; ended by an unknown cause"));
      break;
    case TB_CAUSE_THREAD:
      g_string_append_printf (text, _ ("; woken by %s"), cause);
      break;
    case TB_CAUSE_SIGNAL:
      g_string_append_printf (text, _ ("; woken by a signal from %s"), cause);
      break;
    case TB_CAUSE_TIMER:
      g_string_append (text, _ ("; ended by a timer"));
      break;
    case TB_CAUSE_INTERRUPT:
      interrupt = tb_session_get_string (tb_trace_get_session (trace), intervals->cause[row]);
      if (*interrupt != '\0')
        g_string_append_printf (text, _ ("; ended by interrupt %s"), interrupt);
      else
        g_string_append (text, _ ("; ended by an interrupt"));
      break;
    case TB_CAUSE_NETWORK:
      if (intervals->cause[row] != TB_STRING_NONE)
        g_string_append_printf (text, _ ("; ended by the network (%s)"), cause);
      else
        g_string_append (text, _ ("; ended by the network"));
      break;
    case TB_CAUSE_DEVICE:
    default:
      /* Translators: a device, such as “vda” */
      g_string_append_printf (text, _ ("; ended by %s"), cause);
      break;
    }
}

/* "worker (812): ran 12 ms on CPU 1", "worker (812): fsync → /var/log/x, waited 3 ms; ended by
 * vda" */
static char *
describe_long (TbLabels *self, gsize row)
{
  TbTrace *trace = self->trace;
  g_autofree char *function = NULL;
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autofree char *thread_name
      = describe_thread_at (trace, intervals->thread[row], intervals->start[row]);
  g_autofree char *what = tb_trace_describe_interval (trace, row);
  g_autofree char *length = tb_format_duration (intervals->end[row] - intervals->start[row]);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: ", thread_name);
  switch ((TbState) intervals->state[row])
    {
    case TB_STATE_RUNNING:
      g_string_append_printf (text, _ ("ran %s on CPU %u"), length, intervals->cpu[row]);
      function = find_function (self, row);
      if (function != NULL)
        g_string_append_printf (text, _ (", most samples in %s"), function);
      break;
    case TB_STATE_RUNNABLE:
      if (intervals->cpu[row] != TB_CPU_ALL)
        g_string_append_printf (text, _ ("ready to run, waited %s for CPU %u"), length,
                                intervals->cpu[row]);
      else
        g_string_append_printf (text, _ ("ready to run, waited %s for a CPU"), length);
      if (intervals->flags[row] & TB_INTERVAL_PREEMPTED)
        g_string_append (text, _ (" after it was preempted"));
      break;
    case TB_STATE_UNKNOWN:
      g_string_append_printf (text, _ ("state unknown for %s"), length);
      break;
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
    case TB_STATE_STOPPED:
    default:
      g_string_append_printf (text, _ ("%s, waited %s"), what, length);
      break;
    }
  append_cause (text, trace, row);
  if (intervals->flags[row] & TB_INTERVAL_OPEN_END)
    g_string_append (text, _ ("; not over when the recording ended"));
  if (intervals->flags[row] & TB_INTERVAL_UNCERTAIN)
    g_string_append (text, _ (" (uncertain: events are missing)"));
  return g_string_free (text, FALSE);
}

static char *
describe_request (TbLabels *self, const TbTrackContent *shown, gsize interval, gboolean long_form)
{
  const guint32 *items = g_bytes_get_data (shown->track->item, NULL);
  const guint32 *counts = g_bytes_get_data (shown->track->count, NULL);
  guint32 row = items[shown->first + interval];
  const char *file;
  g_autofree char *issuer = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *more = NULL;

  if (self->file == NULL || self->issuer == NULL || self->bytes == NULL)
    return g_strdup ("");
  file = tb_session_get_string (tb_trace_get_session (self->trace),
                                ((const guint32 *) g_bytes_get_data (self->file, NULL))[row]);
  issuer
      = tb_trace_describe_thread (self->trace,
                                  ((const guint32 *) g_bytes_get_data (self->issuer, NULL))[row]);
  if (!long_form)
    return g_strdup (file[0] != '\0' ? file : issuer);
  bytes = tb_format_bytes (((const guint64 *) g_bytes_get_data (self->bytes, NULL))[row]);
  if (counts[shown->first + interval] > 1)
    more = g_strdup_printf (ngettext (", and %u more request at the same time",
                                      ", and %u more requests at the same time",
                                      counts[shown->first + interval] - 1),
                            counts[shown->first + interval] - 1);
  if (file[0] != '\0')
    return g_strdup_printf (_ ("%s for %s, file %s%s"), bytes, issuer, file,
                            more != NULL ? more : "");
  return g_strdup_printf (_ ("%s for %s%s"), bytes, issuer, more != NULL ? more : "");
}

/* "worker (812): ran about 12 ms, estimated from 12 samples, most of them in compute" */
static char *
describe_estimate (TbLabels *self,
                   TbTimelineFigure *figure,
                   guint track,
                   gsize interval,
                   guint32 thread)
{
  const Samples *samples = tb_labels_get_samples (self);
  g_autofree char *name = NULL;
  g_autofree char *length = NULL;
  g_autofree char *function = NULL;
  TbTimelineTrack info;
  gint64 from, to;
  guint32 first, n = 0;

  tb_timeline_figure_get_track (figure, track, &info);
  from = info.start[interval];
  to = info.end[interval];
  name = describe_thread_at (self->trace, thread, from);
  length = tb_format_duration (to - from);
  if (info.paint[interval] != TB_PAINT_ESTIMATED)
    /* Translators: a thread, a duration */
    return g_strdup_printf (_ ("%s: state unknown for %s"), name, length);
  /* The last sample ends the run. */
  if (samples != NULL && thread < samples->n_threads)
    n = tb_labels_count_samples (samples, thread, from, to + 1, &first);
  function = find_function_of (self, thread, from, to + 1);
  if (function == NULL)
    return g_strdup_printf (ngettext ("%s: ran about %s, estimated from %'u sample",
                                      "%s: ran about %s, estimated from %'u samples", n),
                            name, length, n);
  return g_strdup_printf (
      ngettext ("%s: ran about %s, estimated from %'u sample, in %s",
                "%s: ran about %s, estimated from %'u samples, most of them in %s", n),
      name, length, n, function);
}

char *
tb_labels_get_label (TbTimelineFigure *figure,
                     guint track,
                     gsize interval,
                     gboolean long_form,
                     gpointer data)
{
  TbLabels *self = data;
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  const TbTrackContent *shown;
  const guint32 *items;
  gsize row;

  if (track >= self->shown->len)
    return g_strdup ("");
  shown = &g_array_index (self->shown, TbTrackContent, track);
  switch (shown->kind)
    {
    case TRACK_THREAD:
      {
        TbState state;

        row = shown->first_row + interval;
        state = (TbState) intervals->state[row];
        if (long_form)
          return describe_long (self, row);
        if (state == TB_STATE_RUNNING)
          {
            char *function = find_function (self, row);

            return function != NULL ? function : g_strdup ("");
          }
        /* Waiting for a CPU is shown by its colour; text would only be clutter. */
        return state >= TB_STATE_INTERRUPTIBLE ? tb_trace_describe_interval (self->trace, row)
                                               : g_strdup ("");
      }
    case TRACK_ESTIMATE:
      /* Text is hard to read on hatching. */
      return long_form ? describe_estimate (self, figure, track, interval, shown->thread)
                       : g_strdup ("");
    case TRACK_CPU:
      items = g_bytes_get_data (shown->track->item, NULL);
      if (long_form)
        return describe_long (self, items[shown->first + interval]);
      row = items[shown->first + interval];
      return describe_thread_at (self->trace, intervals->thread[row], intervals->start[row]);
    case TRACK_SERVICE:
    case TRACK_QUEUE:
      return describe_request (self, shown, interval, long_form);
    case TRACK_ANNOTATION:
      items = g_bytes_get_data (shown->names, NULL);
      return g_strdup (tb_session_get_string (tb_trace_get_session (self->trace), items[interval]));
    case TRACK_INTERRUPT:
    default:
      return g_strdup ("");
    }
}
