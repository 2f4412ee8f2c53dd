/* tb-timeline-columns-private.h: columns of pixels of a timeline: their times, the column of a
 * time, intervals from a time on
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <math.h>

#include "widgets/timeline/tb-timeline-private.h"

G_BEGIN_DECLS

static inline gint64
tb_timeline_columns_get_time (const TbTimelineContext *context, gint64 column)
{
  return context->origin + (gint64) floor ((double) column * context->ns_per_column);
}

/* The last column that starts at time or before. */
static inline gint64
tb_timeline_columns_find (const TbTimelineContext *context, gint64 time)
{
  gint64 column = (gint64) floor ((double) (time - context->origin) / context->ns_per_column);

  while (tb_timeline_columns_get_time (context, column) > time)
    column--;
  while (tb_timeline_columns_get_time (context, column + 1) <= time)
    column++;
  return column;
}

/* A column shows at least a nanosecond, even where many columns share one. */
static inline gint64
tb_timeline_columns_get_end (const TbTimelineContext *context, gint64 column)
{
  return MAX (tb_timeline_columns_get_time (context, column + 1),
              tb_timeline_columns_get_time (context, column) + 1);
}

/* The first column that shows only times after time. */
static inline gint64
tb_timeline_columns_find_after (const TbTimelineContext *context, gint64 time)
{
  gint64 column = tb_timeline_columns_find (context, time);

  while (tb_timeline_columns_get_end (context, column - 1) > time)
    column--;
  return column;
}

/* The first column that starts at time or after. */
static inline gint64
tb_timeline_columns_find_from (const TbTimelineContext *context, gint64 time)
{
  gint64 column = tb_timeline_columns_find (context, time);

  if (tb_timeline_columns_get_time (context, column) < time)
    return column + 1;
  while (tb_timeline_columns_get_time (context, column - 1) == time)
    column--;
  return column;
}

/* Events without duration are drawn as one nanosecond. */
static inline gint64
tb_timeline_track_get_end (const TbTimelineTrack *track, gsize i)
{
  return MAX (track->end[i], track->start[i] + 1);
}

/* The first interval from i on that ends after time. Exponential search, because neighbours are
 * requested one after the other. */
static inline gsize
tb_timeline_track_find_from (const TbTimelineTrack *track, gsize i, gint64 time)
{
  gsize step = 1, low, high;

  if (i >= track->n || tb_timeline_track_get_end (track, i) > time)
    return i;
  low = i;
  while (low + step < track->n && tb_timeline_track_get_end (track, low + step) <= time)
    {
      low += step;
      step *= 2;
    }
  high = MIN (low + step, track->n);
  low++;
  while (low < high)
    {
      gsize half = low + (high - low) / 2;

      if (tb_timeline_track_get_end (track, half) <= time)
        low = half + 1;
      else
        high = half;
    }
  return low;
}

G_END_DECLS
