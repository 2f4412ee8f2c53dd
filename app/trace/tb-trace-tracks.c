/* tb-trace-tracks.c: tracks of a trace: runs on each CPU, service and queue times of each block
 * device, handler runs of each interrupt source; list of these sources, and host of a CPU
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-track.h"

struct _TbTracks
{
  guint n_cpus;
  TbTrack *cpus;

  guint n_devices;
  TbTrack *devices[2]; /* by kind */

  guint n_sources;
  TbInterruptSource *sources;
  TbTrack *interrupts;
};

static const TbTrack no_track = { 0 };

/* --- intervals of a track --- */

/* Intervals of one track that may overlap, in the order of their starts. */
typedef struct
{
  GArray *start;
  GArray *end;
  GArray *item;
  GArray *count;
} TrackIntervals;

static void
track_intervals_init (TrackIntervals *self)
{
  self->start = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->end = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->item = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->count = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
track_intervals_add (TrackIntervals *self, gint64 start, gint64 end, guint32 item)
{
  const guint32 one = 1;

  if (end <= start)
    return;
  if (self->end->len > 0)
    {
      guint last = self->end->len - 1;
      gint64 *last_end = &g_array_index (self->end, gint64, last);

      /* They overlap: the device is busy without a break. */
      if (start < *last_end)
        {
          *last_end = MAX (*last_end, end);
          g_array_index (self->count, guint32, last)++;
          return;
        }
    }
  g_array_append_val (self->start, start);
  g_array_append_val (self->end, end);
  g_array_append_val (self->item, item);
  g_array_append_val (self->count, one);
}

static GBytes *
take_array (GArray *array)
{
  gsize size = (gsize) array->len * g_array_get_element_size (array);

  return g_bytes_new_take (g_array_free (array, FALSE), size);
}

static void
track_intervals_finish (TrackIntervals *self, TbTrack *track)
{
  track->n = self->start->len;
  track->start = take_array (self->start);
  track->end = take_array (self->end);
  track->item = take_array (self->item);
  track->count = take_array (self->count);
}

static void
track_clear (TbTrack *track)
{
  g_clear_pointer (&track->start, g_bytes_unref);
  g_clear_pointer (&track->end, g_bytes_unref);
  g_clear_pointer (&track->item, g_bytes_unref);
  g_clear_pointer (&track->count, g_bytes_unref);
}

/* --- CPUs --- */

static void
fill_cpu_track (const TbIntervals *intervals, const guint32 *rows, gsize n, TbTrack *track)
{
  gint64 *start = g_new (gint64, MAX (n, 1));
  gint64 *end = g_new (gint64, MAX (n, 1));
  guint32 *item = g_new (guint32, MAX (n, 1));
  gsize m = 0;

  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    {
      gint64 from = intervals->start[rows[i]];

      /* If a switch was not recorded, two runs may seem to overlap: the start of the later one is
       * certain. */
      if (m > 0 && end[m - 1] > from)
        end[m - 1] = from;
      if (m > 0 && end[m - 1] <= start[m - 1])
        m--;
      start[m] = from;
      end[m] = intervals->end[rows[i]];
      item[m++] = rows[i];
    }
  track->n = m;
  track->start = g_bytes_new_take (start, m * sizeof *start);
  track->end = g_bytes_new_take (end, m * sizeof *end);
  track->item = g_bytes_new_take (item, m * sizeof *item);
}

static guint
count_cpus (const TbIntervals *intervals)
{
  guint n = 0;

  for (gsize i = 0; i < intervals->n && !tb_trace_is_cancelled_at (i); i++)
    if (intervals->state[i] == TB_STATE_RUNNING && intervals->cpu[i] != TB_CPU_ALL)
      n = MAX (n, (guint) intervals->cpu[i] + 1);
  return n;
}

static void
make_cpu_tracks (TbTrace *trace, TbTracks *self)
{
  const TbIntervals *intervals = &trace->intervals;
  g_autofree gint64 *times = NULL;
  g_autofree guint32 *rows = NULL;
  g_autofree guint32 *cpus = NULL;
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *by_cpu = NULL;
  g_autofree guint32 *first = NULL;
  gsize n = 0, n_ordered;

  for (gsize i = 0; i < intervals->n && !tb_trace_is_cancelled_at (i); i++)
    n += intervals->state[i] == TB_STATE_RUNNING && intervals->cpu[i] != TB_CPU_ALL;
  times = g_new (gint64, MAX (n, 1));
  rows = g_new (guint32, MAX (n, 1));
  n = 0;
  for (gsize i = 0; i < intervals->n && !tb_trace_is_cancelled_at (i); i++)
    if (intervals->state[i] == TB_STATE_RUNNING && intervals->cpu[i] != TB_CPU_ALL)
      {
        times[n] = intervals->start[i];
        rows[n++] = i;
      }
  if (tb_trace_is_cancelled ())
    return;
  order = tb_time_order (times, n, &n_ordered);
  g_clear_pointer (&times, g_free);
  cpus = g_new (guint32, MAX (n_ordered, 1));
  for (gsize i = 0; i < n_ordered && !tb_trace_is_cancelled_at (i); i++)
    {
      order[i] = rows[order[i]];
      cpus[i] = intervals->cpu[order[i]];
    }
  g_clear_pointer (&rows, g_free);
  if (tb_trace_is_cancelled ())
    return;
  self->n_cpus = count_cpus (intervals);
  by_cpu = tb_group_order (cpus, n_ordered, self->n_cpus, &first);
  g_clear_pointer (&cpus, g_free);
  self->cpus = g_new0 (TbTrack, MAX (self->n_cpus, 1));
  for (gsize i = 0; i < n_ordered; i++)
    {
      if (tb_trace_is_cancelled_at (i))
        return;
      by_cpu[i] = order[by_cpu[i]];
    }
  for (guint cpu = 0; cpu < self->n_cpus && !tb_trace_is_cancelled (); cpu++)
    fill_cpu_track (intervals, by_cpu + first[cpu], first[cpu + 1] - first[cpu], &self->cpus[cpu]);
}

/* --- devices --- */

static const void *
get_column (TbTrace *trace, TbTableKind kind, guint column, GPtrArray *bytes)
{
  GBytes *data = tb_trace_read_column (trace, kind, column);

  if (data == NULL)
    return NULL;
  g_ptr_array_add (bytes, data);
  return g_bytes_get_data (data, NULL);
}

static void
fill_device_tracks (TbTracks *self,
                    TbDeviceTrackKind kind,
                    gsize n,
                    const guint32 *devices,
                    const gint64 *from,
                    const gint64 *to)
{
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *by_device = NULL;
  g_autofree guint32 *first = NULL;
  g_autofree guint32 *of = NULL;
  gsize m;

  order = tb_time_order (from, n, &m);
  of = g_new (guint32, MAX (m, 1));
  for (gsize i = 0; i < m && !tb_trace_is_cancelled_at (i); i++)
    of[i] = devices[order[i]];
  by_device = tb_group_order (of, m, self->n_devices, &first);
  self->devices[kind] = g_new0 (TbTrack, MAX (self->n_devices, 1));
  for (guint device = 0; device < self->n_devices; device++)
    {
      TrackIntervals track_intervals;

      track_intervals_init (&track_intervals);
      for (guint32 i = first[device]; i < first[device + 1] && !tb_trace_is_cancelled_at (i); i++)
        {
          guint32 row = order[by_device[i]];

          track_intervals_add (&track_intervals, from[row], to[row], row);
        }
      track_intervals_finish (&track_intervals, &self->devices[kind][device]);
    }
}

static void
make_device_tracks (TbTrace *trace, TbTracks *self)
{
  g_autoptr (GPtrArray) bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gsize n = tb_table_get_n_rows (tb_session_get_table (trace->session, TB_TABLE_BLOCK));
  const gint64 *insert = get_column (trace, TB_TABLE_BLOCK, TB_BLOCK_INSERT, bytes);
  const gint64 *issue = get_column (trace, TB_TABLE_BLOCK, TB_BLOCK_ISSUE, bytes);
  const gint64 *complete = get_column (trace, TB_TABLE_BLOCK, TB_BLOCK_COMPLETE, bytes);
  const guint32 *device = get_column (trace, TB_TABLE_BLOCK, TB_BLOCK_DEVICE, bytes);
  g_autofree gint64 *from = NULL;
  g_autofree gint64 *to = NULL;

  if (insert == NULL || issue == NULL || complete == NULL || device == NULL)
    return;
  tb_session_get_devices (trace->session, &self->n_devices);
  from = g_new (gint64, MAX (n, 1));
  to = g_new (gint64, MAX (n, 1));
  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    {
      /* A request that completed without an issue event counts as issued when it was inserted. */
      from[i] = issue[i] >= 0 ? issue[i] : complete[i] >= 0 ? insert[i] : -1;
      to[i] = complete[i] >= 0 ? complete[i] : trace->to;
    }
  fill_device_tracks (self, TB_DEVICE_TRACK_SERVICE, n, device, from, to);
  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    {
      from[i] = insert[i];
      to[i] = issue[i] >= 0 ? issue[i] : complete[i] >= 0 ? insert[i] : trace->to;
    }
  fill_device_tracks (self, TB_DEVICE_TRACK_QUEUE, n, device, from, to);
}

/* --- interrupts --- */

typedef struct
{
  guint32 kind;
  guint32 vector;
  guint32 name;
  guint32 host;
} SourceKey;

static guint
hash_source (gconstpointer data)
{
  const SourceKey *key = data;

  return (key->kind * 31 + key->vector) * 2654435761u ^ (key->name + key->host * 7919u) * 40503u;
}

static gboolean
equal_sources (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (SourceKey)) == 0;
}

/* The session numbers the CPUs of a host consecutively, after those of the previous host. */
static guint32
find_host (TbSession *session, guint cpu)
{
  guint n_hosts;
  const TbHost *hosts = tb_session_get_hosts (session, &n_hosts);
  guint32 found = n_hosts == 1 ? 0 : TB_ID_NONE;

  for (guint i = 0; i < n_hosts && cpu != TB_CPU_ALL; i++)
    if (hosts[i].first_cpu <= cpu
        && (found == TB_ID_NONE || hosts[found].first_cpu <= hosts[i].first_cpu))
      found = i;
  return found;
}

static void
make_interrupt_tracks (TbTrace *trace, TbTracks *self)
{
  g_autoptr (GPtrArray) bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GHashTable) known = g_hash_table_new_full (hash_source, equal_sources, g_free, NULL);
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (TbInterruptSource));
  gsize n = tb_table_get_n_rows (tb_session_get_table (trace->session, TB_TABLE_INTERRUPT)), m;
  const gint64 *enter = get_column (trace, TB_TABLE_INTERRUPT, TB_INTERRUPT_ENTER, bytes);
  const gint64 *exit = get_column (trace, TB_TABLE_INTERRUPT, TB_INTERRUPT_EXIT, bytes);
  const guint8 *kind = get_column (trace, TB_TABLE_INTERRUPT, TB_INTERRUPT_KIND, bytes);
  const guint32 *vector = get_column (trace, TB_TABLE_INTERRUPT, TB_INTERRUPT_VECTOR, bytes);
  const guint32 *name = get_column (trace, TB_TABLE_INTERRUPT, TB_INTERRUPT_NAME, bytes);
  const guint16 *cpu = get_column (trace, TB_TABLE_INTERRUPT, TB_INTERRUPT_CPU, bytes);
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *of = NULL;
  g_autofree guint32 *by_source = NULL;
  g_autofree guint32 *first = NULL;

  if (enter == NULL || exit == NULL || kind == NULL || vector == NULL || name == NULL
      || cpu == NULL)
    return;
  order = tb_time_order (enter, n, &m);
  of = g_new (guint32, MAX (m, 1));
  for (gsize i = 0; i < m && !tb_trace_is_cancelled_at (i); i++)
    {
      guint32 row = order[i];
      SourceKey key = { kind[row], vector[row], name[row], find_host (trace->session, cpu[row]) };
      TbInterruptSource *source;
      gpointer found;

      if (!g_hash_table_lookup_extended (known, &key, NULL, &found))
        {
          TbInterruptSource new_source
              = { .kind = kind[row], .vector = vector[row], .host = key.host };

          new_source.name = tb_session_get_string (trace->session, name[row]);
          found = GUINT_TO_POINTER (sources->len);
          g_hash_table_insert (known, g_memdup2 (&key, sizeof key), found);
          g_array_append_val (sources, new_source);
        }
      of[i] = GPOINTER_TO_UINT (found);
      source = &g_array_index (sources, TbInterruptSource, of[i]);
      source->count++;
      if (exit[row] > enter[row])
        source->total_ns += exit[row] - enter[row];
    }
  self->n_sources = sources->len;
  by_source = tb_group_order (of, m, self->n_sources, &first);
  self->interrupts = g_new0 (TbTrack, MAX (self->n_sources, 1));
  for (guint source = 0; source < self->n_sources; source++)
    {
      TrackIntervals track_intervals;

      track_intervals_init (&track_intervals);
      for (guint32 i = first[source]; i < first[source + 1] && !tb_trace_is_cancelled_at (i); i++)
        {
          guint32 row = order[by_source[i]];

          track_intervals_add (&track_intervals, enter[row], exit[row], row);
        }
      track_intervals_finish (&track_intervals, &self->interrupts[source]);
    }
  self->sources = (TbInterruptSource *) g_array_free (g_steal_pointer (&sources), FALSE);
}

/* --- all tracks --- */

static void
tracks_free (gpointer data)
{
  TbTracks *self = data;

  for (guint i = 0; i < self->n_cpus; i++)
    track_clear (&self->cpus[i]);
  for (guint kind = 0; kind < G_N_ELEMENTS (self->devices); kind++)
    for (guint i = 0; self->devices[kind] != NULL && i < self->n_devices; i++)
      track_clear (&self->devices[kind][i]);
  for (guint i = 0; i < self->n_sources; i++)
    track_clear (&self->interrupts[i]);
  g_free (self->cpus);
  g_free (self->devices[0]);
  g_free (self->devices[1]);
  g_free (self->sources);
  g_free (self->interrupts);
  g_free (self);
}

static TbTracks *
tracks_new (TbTrace *trace)
{
  TbTracks *self = g_new0 (TbTracks, 1);

  make_cpu_tracks (trace, self);
  if (!tb_trace_is_cancelled ())
    make_device_tracks (trace, self);
  if (!tb_trace_is_cancelled ())
    make_interrupt_tracks (trace, self);
  return self;
}

/* Created on first use, unless cancelled; constant afterwards. */
static const TbTracks *
get_tracks (TbTrace *self)
{
  static const TbTracks none = { 0 };
  const TbTracks *tracks;

  g_mutex_lock (&self->mutex);
  if (self->tracks == NULL && !tb_trace_is_cancelled ())
    {
      TbTracks *made = tracks_new (self);

      if (tb_trace_is_cancelled ())
        tracks_free (made);
      else
        {
          g_object_set_data_full (G_OBJECT (self), "tb-tracks", made, tracks_free);
          self->tracks = made;
        }
    }
  tracks = self->tracks != NULL ? self->tracks : &none;
  g_mutex_unlock (&self->mutex);
  return tracks;
}

/**
 * tb_trace_get_n_cpus:
 * @self: a trace
 *
 * Gets the number of session CPUs, as far as threads ran on them.
 *
 * Returns: the highest number of a CPU on which a thread ran, plus one; 0 if the current
 *   cancellable is cancelled
 */
guint
tb_trace_get_n_cpus (TbTrace *self)
{
  guint n;

  g_return_val_if_fail (TB_IS_TRACE (self), 0);

  /* Counting takes far less time than building the tracks of the CPUs. */
  g_mutex_lock (&self->mutex);
  if (self->tracks != NULL)
    n = self->tracks->n_cpus;
  else if (self->n_cpus > 0)
    n = self->n_cpus;
  else
    {
      n = count_cpus (&self->intervals);
      if (tb_trace_is_cancelled ())
        n = 0;
      else
        self->n_cpus = n;
    }
  g_mutex_unlock (&self->mutex);
  return n;
}

/**
 * tb_trace_get_cpu_host:
 * @self: a trace
 * @cpu: a CPU
 *
 * Gets the host of a CPU.
 *
 * Returns: the host it belongs to, %TB_ID_NONE if not known
 */
guint32
tb_trace_get_cpu_host (TbTrace *self, guint cpu)
{
  g_return_val_if_fail (TB_IS_TRACE (self), TB_ID_NONE);

  return find_host (self->session, cpu);
}

/**
 * tb_trace_get_cpu_track: (skip)
 * @self: a trace
 * @cpu: a CPU
 *
 * Gets the track of a CPU: the runs of all threads on it, in order. Between them it was idle, or
 * the running thread is not known.
 *
 * Returns: (transfer none): its track, valid as long as the trace
 */
const TbTrack *
tb_trace_get_cpu_track (TbTrace *self, guint cpu)
{
  const TbTracks *tracks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  tracks = get_tracks (self);
  return cpu < tracks->n_cpus ? &tracks->cpus[cpu] : &no_track;
}

/**
 * tb_trace_get_device_track: (skip)
 * @self: a trace
 * @device: a device
 * @kind: service or queue
 *
 * Gets the times at which a block device processed requests, or at which requests waited for it.
 * Requests that overlap are one interval.
 *
 * Returns: (transfer none): its track, valid as long as the trace
 */
const TbTrack *
tb_trace_get_device_track (TbTrace *self, guint32 device, TbDeviceTrackKind kind)
{
  const TbTracks *tracks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail ((guint) kind <= TB_DEVICE_TRACK_QUEUE, NULL);

  tracks = get_tracks (self);
  return device < tracks->n_devices && tracks->devices[kind] != NULL
             ? &tracks->devices[kind][device]
             : &no_track;
}

/**
 * tb_trace_get_interrupt_sources: (skip)
 * @self: a trace
 * @n_sources: (out): number of sources
 *
 * Gets the sources of interrupts.
 *
 * Returns: (transfer none) (array length=n_sources): the sources, valid as long as the trace
 */
const TbInterruptSource *
tb_trace_get_interrupt_sources (TbTrace *self, guint *n_sources)
{
  const TbTracks *tracks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (n_sources != NULL, NULL);

  tracks = get_tracks (self);
  *n_sources = tracks->n_sources;
  return tracks->sources;
}

/**
 * tb_trace_get_interrupt_track: (skip)
 * @self: a trace
 * @source: an index among [method@Tailback.Trace.get_interrupt_sources]
 *
 * Gets the times at which a source's handlers ran, on any CPU. Handlers that overlap are one
 * interval.
 *
 * Returns: (transfer none): its track, valid as long as the trace
 */
const TbTrack *
tb_trace_get_interrupt_track (TbTrace *self, guint source)
{
  const TbTracks *tracks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  tracks = get_tracks (self);
  return source < tracks->n_sources ? &tracks->interrupts[source] : &no_track;
}
