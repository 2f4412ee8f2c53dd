/* tb-timeline-tracks.c: tracks of CPUs, devices and interrupts of a trace, and lost events, added
 * to a timeline; intervals clipped to its range, and the host of a track
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-timeline-tracks.h"
#include "trace/tb-trace-evidence.h"

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

/**
 * tb_timeline_figure_set_clipped_intervals:
 * @figure: a timeline that is being built
 * @track: index of a track
 * @start: gint64, ns, ascending
 * @end: gint64, ns, as many as @start
 * @paint: guint8 [enum@Paint], as many as @start
 *
 * As [method@TimelineFigure.set_intervals], with the intervals clipped to the time range of the
 * figure. Nothing is copied if all lie within it.
 */
void
tb_timeline_figure_set_clipped_intervals (TbTimelineFigure *figure,
                                          guint track,
                                          GBytes *start,
                                          GBytes *end,
                                          GBytes *paint)
{
  gsize n = g_bytes_get_size (paint);
  const gint64 *starts = g_bytes_get_data (start, NULL);
  const gint64 *ends = g_bytes_get_data (end, NULL);
  gint64 from, to;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (g_bytes_get_size (start) == n * sizeof *starts);
  g_return_if_fail (g_bytes_get_size (end) == n * sizeof *ends);

  tb_timeline_figure_get_range (figure, &from, &to);
  if (n > 0 && (starts[0] < from || ends[n - 1] > to))
    {
      g_autoptr (GBytes) cut_start = clip (start, from, to);
      g_autoptr (GBytes) cut_end = clip (end, from, to);

      tb_timeline_figure_set_intervals (figure, track, n, cut_start, cut_end, paint);
      return;
    }
  tb_timeline_figure_set_intervals (figure, track, n, start, end, paint);
}

/* The first interval that ends after a time. The intervals ascend and do not overlap. */
static gsize
find_after (const gint64 *ends, gsize n, gint64 time)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (ends[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/**
 * tb_timeline_figure_add_trace_track:
 * @figure: a timeline that is being built
 * @id: id of the track in references
 * @name: name for display
 * @group: heading that it is shown under
 * @track: track of a device, an interrupt or a CPU of the trace
 * @paint: paint of all its intervals
 * @first: (out): the interval of @track that is the first one in the figure
 *
 * Adds the intervals within the time range of the figure.
 *
 * Returns: index of the new track, or %TB_ID_NONE if there are no intervals
 */
guint
tb_timeline_figure_add_trace_track (TbTimelineFigure *figure,
                                    const char *id,
                                    const char *name,
                                    const char *group,
                                    const TbTrack *track,
                                    TbPaint paint,
                                    gsize *first)
{
  g_autoptr (GBytes) start = NULL;
  g_autoptr (GBytes) end = NULL;
  g_autoptr (GBytes) paints = NULL;
  const gint64 *starts, *ends;
  gsize last;
  gint64 from, to;
  guint added;

  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (figure), TB_ID_NONE);
  g_return_val_if_fail (track != NULL && first != NULL, TB_ID_NONE);

  if (track->n == 0)
    return TB_ID_NONE;
  starts = g_bytes_get_data (track->start, NULL);
  ends = g_bytes_get_data (track->end, NULL);
  tb_timeline_figure_get_range (figure, &from, &to);
  *first = find_after (ends, track->n, from);
  for (last = track->n; last > *first && starts[last - 1] >= to;)
    last--;
  if (*first == last)
    return TB_ID_NONE;
  added = tb_timeline_figure_add_track (figure, id, name, group, TB_ID_NONE);
  start = g_bytes_new_from_bytes (track->start, *first * sizeof *starts,
                                  (last - *first) * sizeof *starts);
  end = g_bytes_new_from_bytes (track->end, *first * sizeof *ends, (last - *first) * sizeof *ends);
  paints
      = g_bytes_new_take (memset (g_malloc (last - *first), paint, last - *first), last - *first);
  tb_timeline_figure_set_clipped_intervals (figure, added, start, end, paints);
  return added;
}

/**
 * tb_timeline_figure_set_trace_host:
 * @figure: a timeline that is being built
 * @track: index of a track
 * @trace: the trace that it comes from
 * @host: a host of the trace's session, or %TB_ID_NONE
 *
 * Groups a track under its host, if the recording has several hosts.
 */
void
tb_timeline_figure_set_trace_host (TbTimelineFigure *figure,
                                   guint track,
                                   TbTrace *trace,
                                   guint32 host)
{
  guint n_hosts;
  const TbHost *hosts;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (TB_IS_TRACE (trace));

  hosts = tb_session_get_hosts (tb_trace_get_session (trace), &n_hosts);
  if (n_hosts > 1 && host < n_hosts)
    tb_timeline_figure_set_track_host (figure, track, hosts[host].name);
}

/**
 * tb_timeline_figure_set_thread_host:
 * @figure: a timeline that is being built
 * @track: index of a track
 * @trace: the trace that it comes from
 * @thread: a thread
 *
 * Groups a track under the host of a thread, if the recording has several hosts.
 */
void
tb_timeline_figure_set_thread_host (TbTimelineFigure *figure,
                                    guint track,
                                    TbTrace *trace,
                                    guint32 thread)
{
  guint n_threads, n_processes;
  const TbThread *threads;
  const TbProcess *processes;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (TB_IS_TRACE (trace));

  threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  processes = tb_session_get_processes (tb_trace_get_session (trace), &n_processes);
  if (thread < n_threads && threads[thread].process < n_processes)
    tb_timeline_figure_set_trace_host (figure, track, trace,
                                       processes[threads[thread].process].host);
}

/**
 * tb_timeline_figure_add_trace_losses:
 * @figure: a timeline that is being built
 * @trace: the trace with the lost events
 *
 * Marks the ranges of lost events across all tracks. tb_trace_check() reports a failure to read
 * them.
 */
void
tb_timeline_figure_add_trace_losses (TbTimelineFigure *figure, TbTrace *trace)
{
  TbTable *lost;
  g_autoptr (GBytes) from_bytes = NULL;
  g_autoptr (GBytes) to_bytes = NULL;
  g_autoptr (GBytes) count_bytes = NULL;
  const gint64 *froms, *tos;
  const guint64 *counts;
  gint64 from, to;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure));
  g_return_if_fail (TB_IS_TRACE (trace));

  lost = tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_LOST);
  from_bytes = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_FROM);
  to_bytes = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_TO);
  count_bytes = tb_trace_read_column (trace, TB_TABLE_LOST, TB_LOST_COUNT);
  if (from_bytes == NULL || to_bytes == NULL || count_bytes == NULL)
    return;
  tb_timeline_figure_get_range (figure, &from, &to);
  froms = g_bytes_get_data (from_bytes, NULL);
  tos = g_bytes_get_data (to_bytes, NULL);
  counts = g_bytes_get_data (count_bytes, NULL);
  for (gsize i = 0; i < tb_table_get_n_rows (lost); i++)
    if (tos[i] >= from && froms[i] < to)
      tb_timeline_figure_add_lost (figure, TB_ID_NONE, MAX (froms[i], from), MIN (tos[i], to),
                                   counts[i]);
}

/* --- devices, interrupts and CPUs --- */

typedef struct
{
  TbTimelineFigure *figure;
  TbTrace *trace;
  TbTraceTrackFunc added;
  gpointer data;
} Adder;

static void
add_track (const Adder *self,
           TbTraceTrackKind kind,
           const char *id,
           const char *name,
           const char *group,
           guint32 host,
           const TbTrack *track)
{
  static const TbPaint paints[] = {
    [TB_TRACE_TRACK_SERVICE] = TB_PAINT_DISK,
    [TB_TRACE_TRACK_QUEUE] = TB_PAINT_RUNNABLE,
    [TB_TRACE_TRACK_INTERRUPT] = TB_PAINT_INTERRUPT,
    [TB_TRACE_TRACK_CPU] = TB_PAINT_RUNNING,
  };
  gsize first;
  guint index = tb_timeline_figure_add_trace_track (self->figure, id, name, group, track,
                                                    paints[kind], &first);

  if (index == TB_ID_NONE)
    return;
  tb_timeline_figure_set_trace_host (self->figure, index, self->trace, host);
  self->added (kind, track, first, self->data);
}

/**
 * tb_timeline_figure_add_device_tracks:
 * @figure: a timeline that is being built
 * @trace: the trace with the devices
 * @added: (scope call) (closure data): called for each track
 * @data: for @added
 *
 * Adds a track of the requests that each device processes, and one of those that wait for it.
 */
void
tb_timeline_figure_add_device_tracks (TbTimelineFigure *figure,
                                      TbTrace *trace,
                                      TbTraceTrackFunc added,
                                      gpointer data)
{
  const Adder self = { figure, trace, added, data };
  const TbDevice *devices;
  guint n_devices;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure) && TB_IS_TRACE (trace) && added != NULL);

  devices = tb_session_get_devices (tb_trace_get_session (trace), &n_devices);
  for (guint i = 0; i < n_devices; i++)
    {
      g_autofree char *service_id = g_strdup_printf ("device:%u", i);
      g_autofree char *queue_id = g_strdup_printf ("queue:%u", i);
      g_autofree char *queue_name = g_strdup_printf (_ ("%s queue"), devices[i].name);

      add_track (&self, TB_TRACE_TRACK_SERVICE, service_id, devices[i].name, _ ("devices"),
                 devices[i].host, tb_trace_get_device_track (trace, i, TB_DEVICE_TRACK_SERVICE));
      add_track (&self, TB_TRACE_TRACK_QUEUE, queue_id, queue_name, _ ("devices"), devices[i].host,
                 tb_trace_get_device_track (trace, i, TB_DEVICE_TRACK_QUEUE));
    }
}

/* Names of softirqs as in the kernel (include/linux/interrupt.h). */
static const char *
get_softirq_name (const TbInterruptSource *source)
{
  static const char *const names[] = {
    [TB_SOFTIRQ_HI] = "hi",           [TB_SOFTIRQ_TIMER] = "timer",
    [TB_SOFTIRQ_NET_TX] = "net_tx",   [TB_SOFTIRQ_NET_RX] = "net_rx",
    [TB_SOFTIRQ_BLOCK] = "block",     [TB_SOFTIRQ_IRQ_POLL] = "irq_poll",
    [TB_SOFTIRQ_TASKLET] = "tasklet", [TB_SOFTIRQ_SCHED] = "sched",
    [TB_SOFTIRQ_HRTIMER] = "hrtimer", [TB_SOFTIRQ_RCU] = "rcu",
  };

  return source->name[0] != '\0' || source->vector >= G_N_ELEMENTS (names) ? source->name
                                                                           : names[source->vector];
}

static char *
name_interrupt (const TbInterruptSource *source)
{
  if (source->kind == TB_INTERRUPT_HARD)
    return g_strdup_printf ("irq %u %s", source->vector, source->name);
  if (source->kind == TB_INTERRUPT_SOFT)
    return g_strdup_printf ("softirq %s", get_softirq_name (source));
  return g_strdup (source->name[0] != '\0' ? source->name : _ ("timer"));
}

/**
 * tb_timeline_figure_add_interrupt_tracks:
 * @figure: a timeline that is being built
 * @trace: the trace with the interrupts
 * @only_hard: whether only the interrupts of devices are added, no softirqs and timers
 * @added: (scope call) (closure data): called for each track
 * @data: for @added
 *
 * Adds a track of each interrupt handler.
 */
void
tb_timeline_figure_add_interrupt_tracks (TbTimelineFigure *figure,
                                         TbTrace *trace,
                                         gboolean only_hard,
                                         TbTraceTrackFunc added,
                                         gpointer data)
{
  const Adder self = { figure, trace, added, data };
  const TbInterruptSource *sources;
  guint n_sources;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure) && TB_IS_TRACE (trace) && added != NULL);

  sources = tb_trace_get_interrupt_sources (trace, &n_sources);
  for (guint i = 0; i < n_sources; i++)
    if (sources[i].kind == TB_INTERRUPT_HARD || !only_hard)
      {
        g_autofree char *id = g_strdup_printf ("interrupt:%u", i);
        g_autofree char *name = name_interrupt (&sources[i]);

        add_track (&self, TB_TRACE_TRACK_INTERRUPT, id, name, _ ("interrupts"), sources[i].host,
                   tb_trace_get_interrupt_track (trace, i));
      }
}

/**
 * tb_timeline_figure_add_cpu_tracks:
 * @figure: a timeline that is being built
 * @trace: the trace with the CPUs
 * @added: (scope call) (closure data): called for each track
 * @data: for @added
 *
 * Adds a track of the threads that each CPU runs.
 */
void
tb_timeline_figure_add_cpu_tracks (TbTimelineFigure *figure,
                                   TbTrace *trace,
                                   TbTraceTrackFunc added,
                                   gpointer data)
{
  const Adder self = { figure, trace, added, data };

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (figure) && TB_IS_TRACE (trace) && added != NULL);

  /* Where switches were recorded of some threads alone, a CPU without one of these is not idle. */
  if (tb_trace_get_evidence (trace)->switches == TB_SWITCHES_THREAD)
    return;
  for (guint cpu = 0; cpu < tb_trace_get_n_cpus (trace); cpu++)
    {
      g_autofree char *id = g_strdup_printf ("cpu:%u", cpu);
      g_autofree char *name = g_strdup_printf (_ ("CPU %u"), cpu);

      add_track (&self, TB_TRACE_TRACK_CPU, id, name, _ ("CPUs"),
                 tb_trace_get_cpu_host (trace, cpu), tb_trace_get_cpu_track (trace, cpu));
    }
}
