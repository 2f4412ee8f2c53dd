/* tb-timeline-columns.c: times and positions of a timeline, time range of a pixel column; interval
 * at a point of a track: the longest in the pixel column, preferably of those drawn at that height
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-columns-private.h"

double
tb_timeline_context_get_x (const TbTimelineContext *context, gint64 time)
{
  double column = (double) (time - context->origin) / context->ns_per_column;

  return context->plot_x + (column - (double) context->first_column) / context->scale;
}

gint64
tb_timeline_context_get_time (const TbTimelineContext *context, double x)
{
  double column = (x - context->plot_x) * context->scale + (double) context->first_column;

  return context->origin + (gint64) floor (column * context->ns_per_column);
}

void
tb_timeline_context_get_column (const TbTimelineContext *context,
                                double x,
                                gint64 *from,
                                gint64 *to)
{
  gint64 column = context->first_column + (gint64) floor ((x - context->plot_x) * context->scale);

  *from = tb_timeline_columns_get_time (context, column);
  *to = tb_timeline_columns_get_end (context, column);
}

/* The paints drawn at height y of a track. */
static guint32
get_paints_at (gboolean thread, double y)
{
  double band = 1. / 3.;
  guint32 paints = 0;

  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    {
      TbPaintHeight height = tb_timeline_get_paint_height (thread, paint);

      if ((height == TB_PAINT_HEIGHT_FULL && y < 1. - band)
          || (height == TB_PAINT_HEIGHT_MIDDLE && y >= band && y < 1. - band)
          || (height == TB_PAINT_HEIGHT_THIN && y >= 1. - band))
        paints |= 1u << paint;
    }
  return paints;
}

/* The longest of [first, end) within [from, to). Only the first and the last can exceed that
 * range. */
static gsize
find_longest (const TbTimelineContext *context,
              guint index,
              const TbTimelineTrack *track,
              gsize first,
              gsize end,
              gint64 from,
              gint64 to,
              guint32 paints)
{
  gsize candidates[]
      = { first, end - 1,
          end - first > 2
              ? tb_timeline_figure_find_longest (context->figure, index, first + 1, end - 1, paints)
              : G_MAXSIZE };
  gsize longest = TB_INTERVAL_NONE;
  gint64 most = -1;

  for (guint k = 0; k < G_N_ELEMENTS (candidates); k++)
    {
      gsize i = candidates[k];
      gint64 length;

      if (i >= end || !(paints & 1u << track->paint[i]))
        continue;
      length = MIN (tb_timeline_track_get_end (track, i), to) - MAX (track->start[i], from);
      if (length <= most)
        continue;
      most = length;
      longest = i;
    }
  return longest;
}

/* The longest of those drawn at this height, else the longest of all. */
gsize
tb_timeline_find_interval_at (const TbTimelineContext *context, guint index, double x, double y)
{
  TbTimelineTrack track;
  gint64 from, to;
  gsize first, end, hit;

  tb_timeline_figure_get_track (context->figure, index, &track);
  tb_timeline_context_get_column (context, x, &from, &to);
  first = tb_timeline_figure_find (context->figure, index, from - 1);
  first = tb_timeline_track_find_from (&track, first, from);
  end = tb_timeline_track_find_from (&track, first, to - 1);
  /* Several intervals may touch the edge, where some have no duration. */
  while (end < track.n && track.start[end] < to)
    end++;
  if (first >= end)
    return TB_INTERVAL_NONE;
  hit = find_longest (context, index, &track, first, end, from, to,
                      get_paints_at (track.thread != TB_ID_NONE, y));
  return hit != TB_INTERVAL_NONE
             ? hit
             : find_longest (context, index, &track, first, end, from, to, ~(1u << TB_PAINT_NONE));
}
