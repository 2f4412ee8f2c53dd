/* tb-threads-timeline.c: the summary's threads, devices, interrupts and cpus over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/tb-report.h"
#include "tb-threads-timeline.h"
#include "trace/tb-track.h"

typedef enum
{
  TRACK_THREAD,
  TRACK_SERVICE,
  TRACK_QUEUE,
  TRACK_INTERRUPT,
  TRACK_CPU,
} TrackKind;

/* What a track of the figure shows. */
typedef struct
{
  TrackKind kind;
  gsize first_row;      /* threads: row of the first interval */
  const TbTrack *track; /* others: where it was cut from, from interval first on */
  gsize first;
} Shown;

/* The samples of each thread, in the order of time. */
typedef struct
{
  GBytes *columns[3]; /* time, thread, stack */
  const gint64 *time;
  const guint32 *stack;
  guint32 n_threads;
  guint32 *first; /* by thread, into order */
  guint32 *order;
} Samples;

/* What labels are made from. */
typedef struct
{
  TbTrace *trace;
  GArray *shown;
  GMutex mutex; /* of samples, which are sought when the first run is to be labelled */
  gboolean has_samples;
  Samples samples;
  GBytes *file; /* columns of the block table, NULL where there are none */
  GBytes *issuer;
  GBytes *bytes;
} Labels;

static void
labels_free (Labels *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->samples.columns); i++)
    g_clear_pointer (&self->samples.columns[i], g_bytes_unref);
  g_free (self->samples.first);
  g_free (self->samples.order);
  g_mutex_clear (&self->mutex);
  g_clear_object (&self->trace);
  g_clear_pointer (&self->shown, g_array_unref);
  g_clear_pointer (&self->file, g_bytes_unref);
  g_clear_pointer (&self->issuer, g_bytes_unref);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

static Labels *
labels_new (TbTrace *trace)
{
  Labels *self = g_new0 (Labels, 1);
  TbTable *block = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_BLOCK);

  g_mutex_init (&self->mutex);
  self->trace = g_object_ref (trace);
  self->shown = g_array_new (FALSE, FALSE, sizeof (Shown));
  self->file = tb_table_get_column (block, TB_BLOCK_FILE, NULL);
  self->issuer = tb_table_get_column (block, TB_BLOCK_THREAD, NULL);
  self->bytes = tb_table_get_column (block, TB_BLOCK_BYTES, NULL);
  return self;
}

/* --- samples --- */

static void
load_samples (Labels *self)
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
      samples->columns[i] = tb_table_get_column (table, columns[i], NULL);
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

/* The function that a run was seen in most often, among its first samples; NULL where it was not seen in any. */
static char *
find_function (Labels *self, gsize row)
{
  enum
  {
    MOST_SAMPLES = 64
  };
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  const Samples *samples = &self->samples;
  char *functions[MOST_SAMPLES];
  guint32 low, high, end;
  guint n = 0, best = 0, best_count = 0;
  char *function = NULL;

  g_mutex_lock (&self->mutex);
  if (!self->has_samples)
    load_samples (self);
  self->has_samples = TRUE;
  g_mutex_unlock (&self->mutex);

  if (samples->order == NULL || intervals->thread[row] >= samples->n_threads)
    return NULL;
  low = samples->first[intervals->thread[row]];
  high = end = samples->first[intervals->thread[row] + 1];
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (samples->time[samples->order[middle]] >= intervals->start[row])
        high = middle;
      else
        low = middle + 1;
    }
  for (; low < end && n < MOST_SAMPLES && samples->time[samples->order[low]] < intervals->end[row]; low++)
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

/* --- words --- */

/* "running on cpu 1 for 12 ms", "fsync → /var/log/x, 3 ms; ended by vda" */
static char *
describe_long (Labels *self, gsize row)
{
  TbTrace *trace = self->trace;
  g_autofree char *function = NULL;
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  g_autofree char *who = tb_trace_describe_thread (trace, intervals->thread[row]);
  g_autofree char *what = tb_trace_describe_interval (trace, row);
  g_autofree char *length = tb_format_duration (intervals->end[row] - intervals->start[row]);
  g_autofree char *cause = tb_trace_describe_cause (trace, intervals->cause_kind[row], intervals->cause[row]);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: ", who);
  switch ((TbState) intervals->state[row])
    {
    case TB_STATE_RUNNING:
      g_string_append_printf (text, _ ("ran %s on cpu %u"), length, intervals->cpu[row]);
      function = find_function (self, row);
      if (function != NULL)
        g_string_append_printf (text, _ (", seen most in %s"), function);
      break;
    case TB_STATE_RUNNABLE:
      if (intervals->cpu[row] != TB_CPU_ALL)
        g_string_append_printf (text, _ ("ready to run, waited %s for cpu %u"), length, intervals->cpu[row]);
      else
        g_string_append_printf (text, _ ("ready to run, waited %s for a cpu"), length);
      if (intervals->flags[row] & TB_INTERVAL_PREEMPTED)
        g_string_append (text, _ (" after it was preempted"));
      break;
    case TB_STATE_UNKNOWN:
      g_string_append_printf (text, _ ("%s of which nothing is known"), length);
      break;
    case TB_STATE_INTERRUPTIBLE:
    case TB_STATE_UNINTERRUPTIBLE:
    case TB_STATE_STOPPED:
    case TB_N_STATES:
    default:
      g_string_append_printf (text, _ ("%s, waited %s"), what, length);
      break;
    }
  switch ((TbCauseKind) intervals->cause_kind[row])
    {
    case TB_CAUSE_NONE:
      break;
    case TB_CAUSE_UNKNOWN:
      g_string_append (text, _ ("; what ended it is not known"));
      break;
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      g_string_append_printf (text, _ ("; woken by %s"), cause);
      break;
    case TB_CAUSE_DEVICE:
    case TB_CAUSE_TIMER:
    case TB_CAUSE_INTERRUPT:
    case TB_CAUSE_NETWORK:
    case TB_N_CAUSES:
    default:
      g_string_append_printf (text, _ ("; ended by %s"), cause);
      break;
    }
  if (intervals->flags[row] & TB_INTERVAL_OPEN_END)
    g_string_append (text, _ ("; not over when the recording ended"));
  if (intervals->flags[row] & TB_INTERVAL_UNCERTAIN)
    g_string_append (text, _ (" (uncertain: events are missing)"));
  return g_string_free (text, FALSE);
}

static char *
describe_request (Labels *self, const Shown *shown, gsize interval, gboolean long_form)
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
  issuer = tb_trace_describe_thread (self->trace,
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
    return g_strdup_printf (_ ("%s for %s, file %s%s"), bytes, issuer, file, more != NULL ? more : "");
  return g_strdup_printf (_ ("%s for %s%s"), bytes, issuer, more != NULL ? more : "");
}

static char *
label_interval (TbTimelineFigure *figure, guint track, gsize interval, gboolean long_form, gpointer data)
{
  Labels *self = data;
  const Shown *shown;
  const guint32 *items;

  if (track >= self->shown->len)
    return g_strdup ("");
  shown = &g_array_index (self->shown, Shown, track);
  switch (shown->kind)
    {
    case TRACK_THREAD:
      {
        gsize row = shown->first_row + interval;
        TbState state = tb_trace_get_intervals (self->trace)->state[row];

        if (long_form)
          return describe_long (self, row);
        if (state == TB_STATE_RUNNING)
          {
            char *function = find_function (self, row);

            return function != NULL ? function : g_strdup ("");
          }
        /* Waiting for a cpu is seen by its colour; words would only crowd. */
        return state >= TB_STATE_INTERRUPTIBLE ? tb_trace_describe_interval (self->trace, row)
                                               : g_strdup ("");
      }
    case TRACK_CPU:
      items = g_bytes_get_data (shown->track->item, NULL);
      if (long_form)
        return describe_long (self, items[shown->first + interval]);
      return tb_trace_describe_thread (
          self->trace, tb_trace_get_intervals (self->trace)->thread[items[shown->first + interval]]);
    case TRACK_SERVICE:
    case TRACK_QUEUE:
      return describe_request (self, shown, interval, long_form);
    case TRACK_INTERRUPT:
    default:
      return g_strdup ("");
    }
}

/* --- tracks --- */

typedef struct
{
  TbThreadsSummary *summary;
  TbTimelineFigure *figure;
  Labels *labels;
  GBytes *start; /* columns of all intervals */
  GBytes *end;
  guint32 *track_of; /* by thread, TB_ID_NONE not shown */
} Maker;

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
      if (intervals->cause_kind[row] == TB_CAUSE_NETWORK || intervals->cause_kind[row] == TB_CAUSE_DEVICE)
        return TB_PAINT_NETWORK;
      return intervals->state[row] == TB_STATE_UNINTERRUPTIBLE ? TB_PAINT_UNINTERRUPTIBLE : TB_PAINT_WAITING;
    case TB_STATE_UNKNOWN:
    case TB_N_STATES:
    default:
      return TB_PAINT_UNKNOWN;
    }
}

/* A column's part without a copy. */
static GBytes *
slice (GBytes *column, gsize first, gsize n, gsize size)
{
  return g_bytes_new_from_bytes (column, first * size, n * size);
}

/* A copy of times with its ends cut to the range; without need none is made. */
static GBytes *
clip (GBytes *times, gint64 from, gint64 to)
{
  gsize size;
  gint64 *copy = g_memdup2 (g_bytes_get_data (times, &size), g_bytes_get_size (times));
  gsize n = size / sizeof (gint64);

  for (gsize i = 0; i < n; i++)
    copy[i] = CLAMP (copy[i], from, to);
  return g_bytes_new_take (copy, size);
}

static void
set_intervals (Maker *self, guint track, gsize n, GBytes *start, GBytes *end, GBytes *paint)
{
  const gint64 *starts = g_bytes_get_data (start, NULL);
  const gint64 *ends = g_bytes_get_data (end, NULL);

  if (n > 0 && (starts[0] < self->summary->from || ends[n - 1] > self->summary->to))
    {
      g_autoptr (GBytes) cut_start = clip (start, self->summary->from, self->summary->to);
      g_autoptr (GBytes) cut_end = clip (end, self->summary->from, self->summary->to);

      tb_timeline_figure_set_intervals (self->figure, track, n, cut_start, cut_end, paint);
      return;
    }
  tb_timeline_figure_set_intervals (self->figure, track, n, start, end, paint);
}

static void
add_thread (Maker *self, const TbThreadSummary *thread, const char *group)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->summary->trace);
  const char *name = tb_threads_summary_get_thread_name (self->summary, thread->thread);
  g_autofree char *id = g_strdup_printf ("%u", thread->thread);
  g_autofree char *shown_name = NULL;
  g_autoptr (GBytes) start = slice (self->start, thread->first_row, thread->n_rows, sizeof (gint64));
  g_autoptr (GBytes) end = slice (self->end, thread->first_row, thread->n_rows, sizeof (gint64));
  g_autoptr (GBytes) paint = NULL;
  guint8 *paints = g_malloc (MAX (thread->n_rows, 1));
  Shown shown = { .kind = TRACK_THREAD, .first_row = thread->first_row };
  guint n_threads, track;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->summary->trace), &n_threads);

  for (gsize i = 0; i < thread->n_rows; i++)
    paints[i] = choose_paint (self->summary->trace, intervals, thread->first_row + i);
  paint = g_bytes_new_take (paints, thread->n_rows);
  shown_name
      = name[0] != '\0' ? g_strdup (name) : g_strdup_printf (_ ("thread %d"), threads[thread->thread].tid);
  track = tb_timeline_figure_add_track (self->figure, id, shown_name, group, thread->thread);
  g_array_append_val (self->labels->shown, shown);
  self->track_of[thread->thread] = track;
  set_intervals (self, track, thread->n_rows, start, end, paint);
}

/* Cuts a track to the range and adds it, unless nothing lies there. */
static void
add_track (Maker *self,
           TrackKind kind,
           const char *id,
           const char *name,
           const char *group,
           const TbTrack *track,
           TbPaint paint)
{
  Shown shown = { .kind = kind, .track = track };
  const gint64 *starts, *ends;
  gsize first = 0, end;
  guint added;

  if (track->n == 0)
    return;
  starts = g_bytes_get_data (track->start, NULL);
  ends = g_bytes_get_data (track->end, NULL);
  end = track->n;
  while (first < end && ends[first] <= self->summary->from)
    first++;
  while (end > first && starts[end - 1] >= self->summary->to)
    end--;
  if (first == end)
    return;

  shown.first = first;
  added = tb_timeline_figure_add_track (self->figure, id, name, group, TB_ID_NONE);
  g_array_append_val (self->labels->shown, shown);
  {
    g_autoptr (GBytes) start_slice = slice (track->start, first, end - first, sizeof (gint64));
    g_autoptr (GBytes) end_slice = slice (track->end, first, end - first, sizeof (gint64));
    guint8 *paints = g_malloc (end - first);
    g_autoptr (GBytes) paint_bytes = NULL;

    memset (paints, paint, end - first);
    paint_bytes = g_bytes_new_take (paints, end - first);
    set_intervals (self, added, end - first, start_slice, end_slice, paint_bytes);
  }
}

/* --- groups --- */

/* A process and its threads, most running first. */
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
does_anything (const TbThreadSummary *thread)
{
  return thread->n_rows > 1 || thread->ns[TB_STATE_RUNNING] > 0 || thread->ns[TB_STATE_RUNNABLE] > 0;
}

static GPtrArray *
group_threads (TbThreadsSummary *summary, gboolean idle_threads)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify) group_free);
  g_autoptr (GHashTable) by_process = g_hash_table_new (NULL, NULL);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (summary->trace), &n_threads);

  for (guint i = 0; i < summary->threads->len; i++)
    {
      TbThreadSummary *thread = g_ptr_array_index (summary->threads, i);
      gboolean kernel = tb_trace_is_kernel_thread (summary->trace, thread->thread);
      /* The kernel's threads stand under one heading. */
      gpointer key
          = kernel ? GUINT_TO_POINTER (TB_ID_NONE) : GUINT_TO_POINTER (threads[thread->thread].process);
      Group *group;

      if (!idle_threads && !does_anything (thread))
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

static void
add_threads (Maker *self, gboolean idle_threads)
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
        heading
            = g_strdup_printf ("%s %d", tb_threads_summary_get_process_name (self->summary, group->process),
                               processes[group->process].pid);
      for (guint k = 0; k < group->threads->len; k++)
        add_thread (self, g_ptr_array_index (group->threads, k), heading);
    }
}

/* As the kernel calls its soft interrupts (include/linux/interrupt.h). */
static const char *
softirq_name (const TbInterruptSource *source)
{
  static const char *const names[] = {
    [TB_SOFTIRQ_HI] = "hi",           [TB_SOFTIRQ_TIMER] = "timer", [TB_SOFTIRQ_NET_TX] = "net_tx",
    [TB_SOFTIRQ_NET_RX] = "net_rx",   [TB_SOFTIRQ_BLOCK] = "block", [TB_SOFTIRQ_IRQ_POLL] = "irq_poll",
    [TB_SOFTIRQ_TASKLET] = "tasklet", [TB_SOFTIRQ_SCHED] = "sched", [TB_SOFTIRQ_HRTIMER] = "hrtimer",
    [TB_SOFTIRQ_RCU] = "rcu",
  };

  return source->name[0] != '\0' || source->vector >= G_N_ELEMENTS (names) ? source->name
                                                                           : names[source->vector];
}

static void
add_devices (Maker *self)
{
  TbTrace *trace = self->summary->trace;
  guint n_devices, n_sources;
  const TbDevice *devices = tb_session_get_devices (tb_trace_get_session (trace), &n_devices);
  const TbInterruptSource *sources = tb_trace_get_interrupt_sources (trace, &n_sources);

  for (guint i = 0; i < n_devices; i++)
    {
      g_autofree char *service_id = g_strdup_printf ("device:%u", i);
      g_autofree char *queue_id = g_strdup_printf ("queue:%u", i);
      g_autofree char *queue_name = g_strdup_printf (_ ("%s queue"), devices[i].name);

      add_track (self, TRACK_SERVICE, service_id, devices[i].name, _ ("devices"),
                 tb_trace_get_device_track (trace, i, TB_DEVICE_TRACK_SERVICE), TB_PAINT_DISK);
      add_track (self, TRACK_QUEUE, queue_id, queue_name, _ ("devices"),
                 tb_trace_get_device_track (trace, i, TB_DEVICE_TRACK_QUEUE), TB_PAINT_RUNNABLE);
    }
  for (guint i = 0; i < n_sources; i++)
    {
      g_autofree char *id = g_strdup_printf ("interrupt:%u", i);
      g_autofree char *name = NULL;

      if (sources[i].kind == TB_INTERRUPT_HARD)
        name = g_strdup_printf ("irq %u %s", sources[i].vector, sources[i].name);
      else if (sources[i].kind == TB_INTERRUPT_SOFT)
        name = g_strdup_printf ("softirq %s", softirq_name (&sources[i]));
      else
        name = g_strdup (sources[i].name[0] != '\0' ? sources[i].name : _ ("timer"));
      add_track (self, TRACK_INTERRUPT, id, name, _ ("interrupts"), tb_trace_get_interrupt_track (trace, i),
                 TB_PAINT_INTERRUPT);
    }
  for (guint cpu = 0; cpu < tb_trace_get_n_cpus (trace); cpu++)
    {
      g_autofree char *id = g_strdup_printf ("cpu:%u", cpu);
      g_autofree char *name = g_strdup_printf (_ ("cpu %u"), cpu);

      add_track (self, TRACK_CPU, id, name, _ ("cpus"), tb_trace_get_cpu_track (trace, cpu),
                 TB_PAINT_RUNNING);
    }
}

/* --- arrows, losses --- */

/* From who woke to who was woken. The rows of the wakeup table are in the order of time, so they bring the arrows into it. */
static void
add_arrows (Maker *self)
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
  for (guint i = 0; i < summary->threads->len; i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (summary->threads, i);

      if (self->track_of[thread->thread] == TB_ID_NONE)
        continue;
      for (gsize row = thread->first_row; row < thread->first_row + thread->n_rows; row++)
        if ((intervals->cause_kind[row] == TB_CAUSE_THREAD || intervals->cause_kind[row] == TB_CAUSE_SIGNAL)
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
  for (gsize wakeup = 0; wakeup < n_wakeups; wakeup++)
    if (interval_of[wakeup] != TB_ID_NONE)
      {
        guint32 row = interval_of[wakeup];

        /* A time that a damaged table brings out of order is none. */
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

static void
add_losses (Maker *self)
{
  TbTable *lost = tb_session_get_table (tb_trace_get_session (self->summary->trace), TB_TABLE_LOST);
  g_autoptr (GBytes) from_bytes = tb_table_get_column (lost, TB_LOST_FROM, NULL);
  g_autoptr (GBytes) to_bytes = tb_table_get_column (lost, TB_LOST_TO, NULL);
  g_autoptr (GBytes) count_bytes = tb_table_get_column (lost, TB_LOST_COUNT, NULL);
  const gint64 *from, *to;
  const guint64 *count;

  if (from_bytes == NULL || to_bytes == NULL || count_bytes == NULL)
    return;
  from = g_bytes_get_data (from_bytes, NULL);
  to = g_bytes_get_data (to_bytes, NULL);
  count = g_bytes_get_data (count_bytes, NULL);
  for (gsize i = 0; i < tb_table_get_n_rows (lost); i++)
    if (to[i] >= self->summary->from && from[i] < self->summary->to)
      tb_timeline_figure_add_lost (self->figure, TB_ID_NONE, MAX (from[i], self->summary->from),
                                   MIN (to[i], self->summary->to), count[i]);
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
  Maker self = {
    .summary = summary,
    .figure = figure,
    .labels = labels_new (summary->trace),
    .start = start,
    .end = end,
    .track_of = track_of,
  };

  /* The figure owns what its labels are made from. */
  tb_timeline_figure_set_label_func (figure, label_interval, self.labels, (GDestroyNotify) labels_free);
  memset (track_of, 0xff, sizeof *track_of * summary->n_ids);
  add_threads (&self, idle_threads);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  add_devices (&self);
  add_arrows (&self);
  add_losses (&self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&figure);
}
