/* tb-timeline-match.c: intervals of a timeline that match a filter: search of all tracks, count in
 * a stretch, next match
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-match-private.h"

/* Intervals of a track between two checks whether the work was cancelled. */
#define CHECK_EVERY (1u << 16)

typedef struct
{
  guint64 *bits;   /* NULL: none matched */
  guint32 *before; /* number of matches before each word of bits, and in all */
  gsize n;
} Track;

struct _TbTimelineMatches
{
  guint n_tracks;
  Track tracks[];
};

static void
count (Track *track)
{
  gsize n_words = (track->n + 63) / 64;
  guint32 sum = 0;

  track->before = g_new (guint32, n_words + 1);
  for (gsize word = 0; word < n_words; word++)
    {
      track->before[word] = sum;
      sum += (guint32) __builtin_popcountll (track->bits[word]);
    }
  track->before[n_words] = sum;
}

/* Keeps only those matches that contain one of the functions. */
static void
limit_to_functions (TbTimelineFigure *figure, guint index, const TbFilter *filter, Track *track)
{
  g_autofree guint8 *known = g_malloc0 (MAX (1, track->n));

  if (!tb_timeline_figure_match_functions (figure, index, filter, known))
    for (gsize i = 0; i < track->n; i++)
      {
        g_autofree char *label = NULL;

        if (!(track->bits[i / 64] >> (i % 64) & 1))
          continue;
        /* Tracks that came from a file have only labels. */
        label = tb_timeline_figure_get_label (figure, index, i, TRUE);
        known[i] = tb_filter_match_function (filter, label, label);
      }
  for (gsize i = 0; i < track->n; i++)
    if (!known[i])
      track->bits[i / 64] &= ~(G_GUINT64_CONSTANT (1) << (i % 64));
}

static gboolean
match_track (TbTimelineFigure *figure,
             guint index,
             const TbFilter *filter,
             GCancellable *cancellable,
             Track *into)
{
  TbTimelineTrack track;

  tb_timeline_figure_get_track (figure, index, &track);
  into->n = track.n;
  if (!tb_filter_match_thread (filter, track.group, track.name))
    return TRUE;
  into->bits = g_new0 (guint64, MAX (1, (track.n + 63) / 64));
  for (gsize i = 0; i < track.n; i++)
    {
      if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (track.paint[i] != TB_PAINT_NONE
          && tb_filter_match_interval (filter, track.paint[i], track.end[i] - track.start[i]))
        into->bits[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
    }
  if (tb_filter_limits_functions (filter))
    limit_to_functions (figure, index, filter, into);
  count (into);
  return TRUE;
}

TbTimelineMatches *
tb_timeline_matches_new (TbTimelineFigure *figure,
                         const TbFilter *filter,
                         GCancellable *cancellable)
{
  guint n_tracks = tb_timeline_figure_get_n_tracks (figure);
  TbTimelineMatches *self = g_malloc0 (sizeof (TbTimelineMatches) + n_tracks * sizeof (Track));

  self->n_tracks = n_tracks;
  for (guint i = 0; i < n_tracks; i++)
    if (!match_track (figure, i, filter, cancellable, &self->tracks[i]))
      {
        tb_timeline_matches_free (self);
        return NULL;
      }
  return self;
}

void
tb_timeline_matches_free (TbTimelineMatches *self)
{
  for (guint i = 0; i < self->n_tracks; i++)
    {
      g_free (self->tracks[i].bits);
      g_free (self->tracks[i].before);
    }
  g_free (self);
}

gboolean
tb_timeline_matches_has (const TbTimelineMatches *self, guint index, gsize interval)
{
  const Track *track = &self->tracks[index];

  return track->bits != NULL && interval < track->n
         && (track->bits[interval / 64] >> (interval % 64) & 1);
}

/* The number of matches before an interval. */
static guint32
count_before (const Track *track, gsize interval)
{
  gsize word = interval / 64;
  guint64 below = (G_GUINT64_CONSTANT (1) << (interval % 64)) - 1;

  if (interval >= track->n)
    return track->before[(track->n + 63) / 64];
  return track->before[word] + (guint32) __builtin_popcountll (track->bits[word] & below);
}

gsize
tb_timeline_matches_count (const TbTimelineMatches *self, guint index, gsize first, gsize end)
{
  const Track *track = &self->tracks[index];

  return track->bits == NULL || first >= end
             ? 0
             : count_before (track, end) - count_before (track, first);
}

gsize
tb_timeline_matches_next (const TbTimelineMatches *self, guint index, gsize interval)
{
  const Track *track = &self->tracks[index];
  gsize n_words = (track->n + 63) / 64, word = interval / 64;
  guint64 bits;

  if (track->bits == NULL || interval >= track->n)
    return TB_INTERVAL_NONE;
  bits = track->bits[word] & ~((G_GUINT64_CONSTANT (1) << (interval % 64)) - 1);
  while (bits == 0 && ++word < n_words)
    bits = track->bits[word];
  return bits != 0 ? word * 64 + (gsize) __builtin_ctzll (bits) : TB_INTERVAL_NONE;
}
