/* tb-timeline-figure.c: timeline figure: tracks with intervals, arrows between them, and lost
 * events: building, labels and matches of intervals from functions of the caller, access by track
 * and time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-figure-private.h"
#include "report/tb-valid-text-private.h"
#include "report/timeline/tb-timeline-figure-private.h"

/**
 * TbTimelineFigure:
 *
 * Tracks of intervals over time, with arrows between them. The intervals are columns that are not
 * copied. Freezing computes sums over blocks of intervals, so that the coverage of any range of a
 * track is found quickly.
 */
struct _TbTimelineFigure
{
  TbFigure parent_instance;

  gint64 from;
  gint64 to;
  gint64 merge_threshold;
  GArray *tracks;     /* Track */
  GHashTable *groups; /* headings of the tracks, each stored once */
  gsize n_arrows;
  GBytes *from_track;
  GBytes *from_time;
  GBytes *to_track;
  GBytes *to_time;
  GArray *lost; /* Lost */
  TbTimelineLabelFunc label_func;
  gpointer label_data;
  GDestroyNotify label_destroy;
  TbTimelineMatchFunc match_func;
  gpointer match_data;
  GDestroyNotify match_destroy;
};

G_DEFINE_FINAL_TYPE (TbTimelineFigure, tb_timeline_figure, TB_TYPE_FIGURE)

typedef struct
{
  TbTimelineTrack view; /* id and name are owned, group is owned by the table of the figure */
  GBytes *start;
  GBytes *end;
  GBytes *paint;
  TbTimelineSums *sums;
  TbTimelineMaxima *maxima;
} Track;

typedef struct
{
  guint32 track;
  gint64 from;
  gint64 to;
  guint64 count;
} Lost;

static void
track_clear (Track *track)
{
  g_free ((char *) track->view.id);
  g_free ((char *) track->view.name);
  g_clear_pointer (&track->start, g_bytes_unref);
  g_clear_pointer (&track->end, g_bytes_unref);
  g_clear_pointer (&track->paint, g_bytes_unref);
  g_clear_pointer (&track->sums, tb_timeline_sums_free);
  g_clear_pointer (&track->maxima, tb_timeline_maxima_free);
}

static void
tb_timeline_figure_freeze (TbFigure *figure)
{
  TbTimelineFigure *self = TB_TIMELINE_FIGURE (figure);
  GCancellable *cancellable = g_cancellable_get_current ();

  /* Freezing millions of intervals takes time. If it is cancelled, the figure is incomplete and the
   * caller of the analysis discards the report. */
  for (guint i = 0; i < self->tracks->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      Track *track = &g_array_index (self->tracks, Track, i);

      track->sums = tb_timeline_sums_new (track->view.n, track->view.start, track->view.end,
                                          track->view.paint);
      if (g_cancellable_is_cancelled (cancellable))
        break;
      track->maxima = tb_timeline_maxima_new (&track->view);
    }
}

static void
clear_arrows (TbTimelineFigure *self)
{
  g_clear_pointer (&self->from_track, g_bytes_unref);
  g_clear_pointer (&self->from_time, g_bytes_unref);
  g_clear_pointer (&self->to_track, g_bytes_unref);
  g_clear_pointer (&self->to_time, g_bytes_unref);
  self->n_arrows = 0;
}

static void
tb_timeline_figure_finalize (GObject *object)
{
  TbTimelineFigure *self = TB_TIMELINE_FIGURE (object);

  if (self->label_destroy)
    self->label_destroy (self->label_data);
  if (self->match_destroy)
    self->match_destroy (self->match_data);
  clear_arrows (self);
  g_array_unref (self->tracks);
  g_array_unref (self->lost);
  g_hash_table_unref (self->groups);
  G_OBJECT_CLASS (tb_timeline_figure_parent_class)->finalize (object);
}

static void
tb_timeline_figure_class_init (TbTimelineFigureClass *klass)
{
  TbFigureClass *figure_class = TB_FIGURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_timeline_figure_finalize;
  figure_class->kind = "timeline";
  figure_class->freeze = tb_timeline_figure_freeze;
  figure_class->write_json = tb_timeline_figure_write_json;
  figure_class->read_json = tb_timeline_figure_read_json;
  figure_class->render_text = tb_timeline_figure_render_text;
}

static void
tb_timeline_figure_init (TbTimelineFigure *self)
{
  self->tracks = g_array_new (FALSE, TRUE, sizeof (Track));
  g_array_set_clear_func (self->tracks, (GDestroyNotify) track_clear);
  self->lost = g_array_new (FALSE, FALSE, sizeof (Lost));
  self->groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * tb_timeline_figure_new:
 * @id: id that references use
 * @title: user-visible title
 * @from: start of the time that is shown, ns
 * @to: end of the time, ns
 *
 * Creates a timeline: a track for each thread or device, with intervals over time.
 *
 * Returns: (transfer full): a timeline without tracks
 */
TbTimelineFigure *
tb_timeline_figure_new (const char *id, const char *title, gint64 from, gint64 to)
{
  TbTimelineFigure *self = g_object_new (TB_TYPE_TIMELINE_FIGURE, NULL);

  tb_figure_set_names (TB_FIGURE (self), id, title);
  tb_timeline_figure_set_range (self, from, to);
  return self;
}

void
tb_timeline_figure_set_range (TbTimelineFigure *self, gint64 from, gint64 to)
{
  self->from = from;
  self->to = MAX (from, to);
}

void
tb_timeline_figure_set_merge_threshold (TbTimelineFigure *self, gint64 ns)
{
  self->merge_threshold = ns;
}

/**
 * tb_timeline_figure_get_merge_threshold:
 * @self: a timeline
 *
 * Gets how exact a figure is that was read from JSON.
 *
 * Returns: within ranges shorter than this (ns) only the time of each paint is kept, not the order
 *   of the intervals; 0: everything is exact, as in a figure that was not read from JSON
 */
gint64
tb_timeline_figure_get_merge_threshold (TbTimelineFigure *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), 0);

  return self->merge_threshold;
}

static const char *
intern_group (TbTimelineFigure *self, const char *group)
{
  gpointer kept;

  if (!group)
    group = "";
  if (!g_hash_table_lookup_extended (self->groups, group, &kept, NULL))
    {
      kept = tb_valid_text_dup (group);
      g_hash_table_add (self->groups, kept);
    }
  return kept;
}

/**
 * tb_timeline_figure_add_track:
 * @self: a timeline that is being built
 * @id: id of the track that references use
 * @name: user-visible name
 * @group: (nullable): heading above the track ("curl 1160")
 * @thread: thread that the track shows, or %TB_ID_NONE
 *
 * Adds a track below those that were added before.
 *
 * Returns: the track's index
 */
guint
tb_timeline_figure_add_track (TbTimelineFigure *self,
                              const char *id,
                              const char *name,
                              const char *group,
                              guint32 thread)
{
  Track track = { 0 };

  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), 0);
  g_return_val_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)), 0);

  track.view.id = tb_valid_text_dup (id ? id : "");
  track.view.name = tb_valid_text_dup (name ? name : "");
  track.view.group = intern_group (self, group);
  track.view.host = intern_group (self, NULL);
  track.view.thread = thread;
  g_array_append_val (self->tracks, track);
  return self->tracks->len - 1;
}

/**
 * tb_timeline_figure_set_track_host:
 * @self: a timeline that is being built
 * @track: index of a track
 * @host: (nullable): name of the host of the track
 *
 * Sets the host of a track, if there are several. In a figure with tracks of several hosts, each
 * host has a heading above its groups.
 */
void
tb_timeline_figure_set_track_host (TbTimelineFigure *self, guint track, const char *host)
{
  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (track < self->tracks->len);

  g_array_index (self->tracks, Track, track).view.host = intern_group (self, host);
}

static gconstpointer
get_column (GBytes *bytes, gsize n, gsize size)
{
  gsize length;
  gconstpointer data = g_bytes_get_data (bytes, &length);

  if (length / size < n || (gsize) data % size != 0)
    return NULL;
  return data ? data : (gconstpointer) "";
}

static gboolean
are_ordered (gsize n, const gint64 *start, const gint64 *end, const guint8 *paint)
{
  for (gsize i = 0; i < n; i++)
    if (end[i] < start[i] || (i > 0 && start[i] < end[i - 1]) || paint[i] >= TB_N_PAINTS)
      return FALSE;
  return TRUE;
}

/**
 * tb_timeline_figure_set_intervals:
 * @self: a timeline that is being built
 * @track: index of a track
 * @n: number of intervals
 * @start: n #gint64, ns, ascending
 * @end: n #gint64; no interval begins before the previous one ends
 * @paint: n #guint8 of #TbPaint
 *
 * Sets the intervals of a track, without copying them. The label function and selections identify
 * an interval by its index.
 */
void
tb_timeline_figure_set_intervals (TbTimelineFigure *self,
                                  guint track,
                                  gsize n,
                                  GBytes *start,
                                  GBytes *end,
                                  GBytes *paint)
{
  Track *into;
  const gint64 *starts;
  const gint64 *ends;
  const guint8 *looks;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault_at (self, track < self->tracks->len,
                                _ ("intervals are given for a track that does not exist"),
                                _ ("track %u"), track);

  starts = get_column (start, n, sizeof (gint64));
  ends = get_column (end, n, sizeof (gint64));
  looks = get_column (paint, n, sizeof (guint8));
  tb_figure_return_if_fault_at (self, starts && ends && looks, _ ("fewer intervals than announced"),
                                _ ("track %u"), track);
  tb_figure_return_if_fault_at (
      self, are_ordered (n, starts, ends, looks),
      _ ("intervals overlap, end before they begin or have an unknown state"), _ ("track %u"),
      track);

  into = &g_array_index (self->tracks, Track, track);
  g_clear_pointer (&into->start, g_bytes_unref);
  g_clear_pointer (&into->end, g_bytes_unref);
  g_clear_pointer (&into->paint, g_bytes_unref);
  into->start = g_bytes_ref (start);
  into->end = g_bytes_ref (end);
  into->paint = g_bytes_ref (paint);
  into->view.n = n;
  into->view.start = starts;
  into->view.end = ends;
  into->view.paint = looks;
}

static gboolean
are_arrows (TbTimelineFigure *self,
            gsize n,
            const guint32 *from_track,
            const guint32 *to_track,
            const gint64 *to_time)
{
  for (gsize i = 0; i < n; i++)
    if (from_track[i] >= self->tracks->len || to_track[i] >= self->tracks->len
        || (i > 0 && to_time[i] < to_time[i - 1]))
      return FALSE;
  return TRUE;
}

/**
 * tb_timeline_figure_set_arrows:
 * @self: a timeline that is being built, with all its tracks
 * @n: number of arrows
 * @from_track: n #guint32 tracks
 * @from_time: n #gint64, ns
 * @to_track: n #guint32 tracks
 * @to_time: n #gint64, ns, ascending
 *
 * Sets the arrows from one track and time to another, such as wake-ups.
 */
void
tb_timeline_figure_set_arrows (TbTimelineFigure *self,
                               gsize n,
                               GBytes *from_track,
                               GBytes *from_time,
                               GBytes *to_track,
                               GBytes *to_time)
{
  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  tb_figure_return_if_fault (self,
                             get_column (from_track, n, sizeof (guint32))
                                 && get_column (to_track, n, sizeof (guint32))
                                 && get_column (from_time, n, sizeof (gint64))
                                 && get_column (to_time, n, sizeof (gint64)),
                             _ ("fewer arrows than announced"));
  tb_figure_return_if_fault (
      self,
      are_arrows (self, n, get_column (from_track, n, sizeof (guint32)),
                  get_column (to_track, n, sizeof (guint32)),
                  get_column (to_time, n, sizeof (gint64))),
      _ ("arrows are not in order of time or lead to a track that does not exist"));

  clear_arrows (self);
  self->n_arrows = n;
  self->from_track = g_bytes_ref (from_track);
  self->from_time = g_bytes_ref (from_time);
  self->to_track = g_bytes_ref (to_track);
  self->to_time = g_bytes_ref (to_time);
}

/**
 * tb_timeline_figure_add_lost:
 * @self: a timeline that is being built
 * @track: a track, or %TB_ID_NONE for all
 * @from: start of a range in which events were lost, ns
 * @to: end of the range, ns
 * @count: number of lost events
 *
 * Adds a range in which events were lost. It is drawn hatched.
 */
void
tb_timeline_figure_add_lost (TbTimelineFigure *self,
                             guint32 track,
                             gint64 from,
                             gint64 to,
                             guint64 count)
{
  const Lost lost = { .track = track, .from = from, .to = MAX (from, to), .count = count };

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (track == TB_ID_NONE || track < self->tracks->len);

  g_array_append_val (self->lost, lost);
}

/**
 * tb_timeline_figure_set_label_func:
 * @self: a timeline that is being built
 * @func: (scope notified) (closure data) (destroy destroy): makes the text of an interval; called
 *   from any thread
 * @data: data for @func
 * @destroy: frees @data
 *
 * Sets a function that makes the text of an interval when it is drawn or hovered, so that no text
 * is stored for each interval.
 */
void
tb_timeline_figure_set_label_func (TbTimelineFigure *self,
                                   TbTimelineLabelFunc func,
                                   gpointer data,
                                   GDestroyNotify destroy)
{
  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  if (self->label_destroy)
    self->label_destroy (self->label_data);
  self->label_func = func;
  self->label_data = data;
  self->label_destroy = destroy;
}

/**
 * tb_timeline_figure_set_match_func:
 * @self: a timeline that is being built
 * @func: (scope notified) (closure data) (destroy destroy): finds the intervals that contain
 *   functions
 * @data: data for @func
 * @destroy: frees @data
 *
 * Sets a function that finds the intervals which match the functions and modules of a filter.
 */
void
tb_timeline_figure_set_match_func (TbTimelineFigure *self,
                                   TbTimelineMatchFunc func,
                                   gpointer data,
                                   GDestroyNotify destroy)
{
  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (!tb_figure_is_frozen (TB_FIGURE (self)));

  if (self->match_destroy)
    self->match_destroy (self->match_data);
  self->match_func = func;
  self->match_data = data;
  self->match_destroy = destroy;
}

/**
 * tb_timeline_figure_match_functions:
 * @self: a timeline
 * @track: index of a track
 * @filter: a filter that has a key for functions or modules
 * @matched: (array) (inout): one byte for each interval of the track, all 0; set to 1 for intervals
 *   with a function that matches @filter
 *
 * Finds functions in a track. Can be called from any thread; can take long.
 *
 * Returns: whether the functions are known; those of a figure from JSON are not
 */
gboolean
tb_timeline_figure_match_functions (TbTimelineFigure *self,
                                    guint track,
                                    const TbFilter *filter,
                                    guint8 *matched)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), FALSE);
  g_return_val_if_fail (track < self->tracks->len, FALSE);

  return self->match_func && self->match_func (self, track, filter, matched, self->match_data);
}

/* NULL if the label function returns none. */
char *
tb_timeline_figure_make_label (TbTimelineFigure *self,
                               guint track,
                               gsize interval,
                               gboolean long_form)
{
  char *label = self->label_func
                    ? self->label_func (self, track, interval, long_form, self->label_data)
                    : NULL;

  if (label != NULL && !g_utf8_validate (label, -1, NULL))
    {
      g_autofree char *invalid = label;

      label = g_utf8_make_valid (invalid, -1);
    }
  return label;
}

gboolean
tb_timeline_figure_has_labels (TbTimelineFigure *self)
{
  return self->label_func != NULL;
}

/**
 * tb_timeline_figure_get_range:
 * @self: a timeline
 * @from: (out) (optional): start of the time that is shown, ns
 * @to: (out) (optional): end of the time, ns
 *
 * Gets the time that is shown.
 */
void
tb_timeline_figure_get_range (TbTimelineFigure *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));

  if (from)
    *from = self->from;
  if (to)
    *to = self->to;
}

/**
 * tb_timeline_figure_get_n_tracks:
 * @self: a timeline
 *
 * Gets the number of tracks.
 *
 * Returns: the number of tracks
 */
guint
tb_timeline_figure_get_n_tracks (TbTimelineFigure *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), 0);

  return self->tracks->len;
}

/**
 * tb_timeline_figure_get_track:
 * @self: a timeline
 * @track: index of a track
 * @out: (out caller-allocates): the track; what it points to belongs to @self
 *
 * Gets a track with its intervals.
 */
void
tb_timeline_figure_get_track (TbTimelineFigure *self, guint track, TbTimelineTrack *out)
{
  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (track < self->tracks->len);

  *out = g_array_index (self->tracks, Track, track).view;
}

/**
 * tb_timeline_figure_find:
 * @self: a timeline
 * @track: index of a track
 * @time: ns
 *
 * Finds an interval of a track by time.
 *
 * Returns: index of the first interval of the track that ends after @time, the number of intervals
 *   if there is none. O(log n).
 */
gsize
tb_timeline_figure_find (TbTimelineFigure *self, guint track, gint64 time)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), 0);
  g_return_val_if_fail (track < self->tracks->len, 0);

  return tb_timeline_track_find (&g_array_index (self->tracks, Track, track).view, time);
}

/**
 * tb_timeline_figure_get_coverage:
 * @self: a frozen timeline
 * @track: index of a track
 * @from: start of a range, ns
 * @to: end of the range, ns
 * @out: (out caller-allocates): time of each paint in the range, and the paints that occur at all
 *
 * Exact, O(log n). An interval of length 0 occurs at its start.
 */
void
tb_timeline_figure_get_coverage (TbTimelineFigure *self,
                                 guint track,
                                 gint64 from,
                                 gint64 to,
                                 TbTimelineCoverage *out)
{
  const Track *of;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (tb_figure_is_frozen (TB_FIGURE (self)));
  g_return_if_fail (track < self->tracks->len);

  of = &g_array_index (self->tracks, Track, track);
  tb_timeline_sums_get_coverage (of->sums, &of->view, from, to, out);
}

/**
 * tb_timeline_figure_find_longest:
 * @self: a frozen timeline
 * @track: index of a track
 * @first: index of an interval
 * @end: index behind the last interval, at most the number of intervals
 * @wanted: the paints to look for, bits 1 << #TbPaint
 *
 * Finds the interval that represents a pixel with many intervals. Exact, O(log n).
 *
 * Returns: index of the longest of the intervals, or of one of several; %G_MAXSIZE: none
 */
gsize
tb_timeline_figure_find_longest (TbTimelineFigure *self,
                                 guint track,
                                 gsize first,
                                 gsize end,
                                 guint32 wanted)
{
  const Track *of;

  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), G_MAXSIZE);
  g_return_val_if_fail (tb_figure_is_frozen (TB_FIGURE (self)), G_MAXSIZE);
  g_return_val_if_fail (track < self->tracks->len, G_MAXSIZE);

  of = &g_array_index (self->tracks, Track, track);
  end = MIN (end, of->view.n);
  return first < end ? tb_timeline_maxima_find (of->maxima, &of->view, first, end, wanted)
                     : G_MAXSIZE;
}

/**
 * tb_timeline_figure_get_arrows:
 * @self: a timeline
 * @from_track: (out) (optional): start tracks
 * @from_time: (out) (optional): start times, ns
 * @to_track: (out) (optional): end tracks
 * @to_time: (out) (optional): end times, ns, ascending
 *
 * Gets the arrows as arrays.
 *
 * Returns: the number of arrows
 */
gsize
tb_timeline_figure_get_arrows (TbTimelineFigure *self,
                               const guint32 **from_track,
                               const gint64 **from_time,
                               const guint32 **to_track,
                               const gint64 **to_time)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), 0);

  if (from_track)
    *from_track = self->from_track ? g_bytes_get_data (self->from_track, NULL) : NULL;
  if (from_time)
    *from_time = self->from_time ? g_bytes_get_data (self->from_time, NULL) : NULL;
  if (to_track)
    *to_track = self->to_track ? g_bytes_get_data (self->to_track, NULL) : NULL;
  if (to_time)
    *to_time = self->to_time ? g_bytes_get_data (self->to_time, NULL) : NULL;
  return self->n_arrows;
}

/**
 * tb_timeline_figure_get_n_lost:
 * @self: a timeline
 *
 * Gets the number of ranges in which events were lost.
 *
 * Returns: the number of ranges in which events were lost
 */
guint
tb_timeline_figure_get_n_lost (TbTimelineFigure *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), 0);

  return self->lost->len;
}

/**
 * tb_timeline_figure_get_lost:
 * @self: a timeline
 * @index: index of a range
 * @track: (out) (optional): the track, or %TB_ID_NONE for all
 * @from: (out) (optional): start of the range, ns
 * @to: (out) (optional): end of the range, ns
 * @count: (out) (optional): number of lost events
 *
 * Gets a range in which events were lost.
 */
void
tb_timeline_figure_get_lost (TbTimelineFigure *self,
                             guint index,
                             guint32 *track,
                             gint64 *from,
                             gint64 *to,
                             guint64 *count)
{
  const Lost *lost;

  g_return_if_fail (TB_IS_TIMELINE_FIGURE (self));
  g_return_if_fail (index < self->lost->len);

  lost = &g_array_index (self->lost, Lost, index);
  if (track)
    *track = lost->track;
  if (from)
    *from = lost->from;
  if (to)
    *to = lost->to;
  if (count)
    *count = lost->count;
}

/**
 * tb_timeline_figure_get_label:
 * @self: a timeline
 * @track: index of a track
 * @interval: index of an interval of the track
 * @long_form: whether there is room for more than a word
 *
 * Gets the text of an interval.
 *
 * Returns: (transfer full): the text of an interval, made on demand; the meaning of its paint if
 *   there is no other text
 */
char *
tb_timeline_figure_get_label (TbTimelineFigure *self,
                              guint track,
                              gsize interval,
                              gboolean long_form)
{
  const Track *of;
  char *label;

  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (self), g_strdup (""));
  g_return_val_if_fail (track < self->tracks->len, g_strdup (""));

  of = &g_array_index (self->tracks, Track, track);
  g_return_val_if_fail (interval < of->view.n, g_strdup (""));
  label = tb_timeline_figure_make_label (self, track, interval, long_form);
  if (label)
    return label;
  return g_strdup (long_form ? tb_paint_get_label (of->view.paint[interval]) : "");
}
