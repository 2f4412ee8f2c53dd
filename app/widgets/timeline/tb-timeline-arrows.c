/* tb-timeline-arrows.c: arrows of a timeline: search of the wake-ups that an interval made and
 * those that led to its end, and drawing of one arrow
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/timeline/tb-timeline-private.h"

#define MAX_ARROWS 256
#define LONGEST_CHAIN 32
/* Largest number of steps back in time to find a wake-up. A longer chain is cut, so that the search
 * ends. */
#define MAX_STEPS 200000

typedef struct
{
  gsize n;
  const guint32 *from_track;
  const gint64 *from_time;
  const guint32 *to_track;
  const gint64 *to_time;
} Arrows;

static void
get_arrows (TbTimelineFigure *figure, Arrows *arrows)
{
  arrows->n = tb_timeline_figure_get_arrows (figure, &arrows->from_track, &arrows->from_time,
                                             &arrows->to_track, &arrows->to_time);
}

/* The first arrow with its head at time or later. */
static gsize
lower_bound (const Arrows *arrows, gint64 time)
{
  gsize low = 0, high = arrows->n;

  while (low < high)
    {
      gsize half = low + (high - low) / 2;

      if (arrows->to_time[half] < time)
        low = half + 1;
      else
        high = half;
    }
  return low;
}

static void
add (GArray *array, const Arrows *arrows, gsize i)
{
  TbTimelineArrow arrow
      = { arrows->from_track[i], arrows->to_track[i], arrows->from_time[i], arrows->to_time[i] };

  for (guint k = 0; k < array->len; k++)
    {
      const TbTimelineArrow *other = &g_array_index (array, TbTimelineArrow, k);

      if (other->from_track == arrow.from_track && other->to_track == arrow.to_track
          && other->from_time == arrow.from_time && other->to_time == arrow.to_time)
        return;
    }
  g_array_append_val (array, arrow);
}

/* Adds a wake-up, the wake-up that had started its waker, and so on, back to the start of the
 * interval. */
static void
add_chain (GArray *array, const Arrows *arrows, gsize last, gint64 from)
{
  gsize steps = 0;

  add (array, arrows, last);
  for (guint hops = 0; hops < LONGEST_CHAIN; hops++)
    {
      guint32 track = arrows->from_track[last];
      gint64 time = arrows->from_time[last];
      gsize i = last;

      while (i > 0 && (arrows->to_track[i - 1] != track || arrows->to_time[i - 1] > time))
        {
          i--;
          if (arrows->to_time[i] < from || ++steps > MAX_STEPS)
            return;
        }
      if (i == 0 || arrows->to_time[i - 1] < from)
        return;
      last = i - 1;
      add (array, arrows, last);
    }
}

GArray *
tb_timeline_arrows_of_interval (TbTimelineFigure *figure, guint index, gsize interval)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (TbTimelineArrow));
  TbTimelineTrack track;
  gint64 start, end;
  Arrows arrows;

  get_arrows (figure, &arrows);
  tb_timeline_figure_get_track (figure, index, &track);
  if (arrows.n == 0 || interval >= track.n)
    return array;
  start = track.start[interval];
  end = track.end[interval];

  /* The wake-up that ended the interval: its head is at the end. */
  for (gsize i = lower_bound (&arrows, end); i < arrows.n && arrows.to_time[i] == end; i++)
    if (arrows.to_track[i] == index)
      add_chain (array, &arrows, i, start);
  /* The wake-up that began it, and those made in it. */
  for (gsize i = lower_bound (&arrows, start), steps = 0;
       i < arrows.n && arrows.to_time[i] <= end && array->len < MAX_ARROWS && steps < MAX_STEPS;
       i++, steps++)
    {
      if (arrows.to_track[i] == index && arrows.to_time[i] == start)
        add (array, &arrows, i);
      else if (arrows.from_track[i] == index && arrows.from_time[i] >= start
               && arrows.from_time[i] <= end)
        add (array, &arrows, i);
    }
  return array;
}

/* Draws a curve from the waker, slightly to the right in the direction of time, to the woken
 * thread, with a head. */
void
tb_timeline_arrow_append (GtkSnapshot *snapshot,
                          const graphene_point_t *from,
                          const graphene_point_t *to,
                          const GdkRGBA *color,
                          float width)
{
  g_autoptr (GskPathBuilder) curve = gsk_path_builder_new ();
  g_autoptr (GskPathBuilder) head = gsk_path_builder_new ();
  g_autoptr (GskPath) curve_path = NULL;
  g_autoptr (GskPath) head_path = NULL;
  g_autoptr (GskStroke) stroke = gsk_stroke_new (width);
  float reach = 16, leave = 3; /* text after the waker's run is drawn there */

  gsk_path_builder_move_to (curve, from->x, from->y);
  gsk_path_builder_cubic_to (curve, from->x + leave, from->y, to->x - reach - 2, to->y, to->x - 2,
                             to->y);
  curve_path = gsk_path_builder_free_to_path (g_steal_pointer (&curve));
  gtk_snapshot_append_stroke (snapshot, curve_path, stroke, color);

  gsk_path_builder_move_to (head, to->x, to->y);
  gsk_path_builder_line_to (head, to->x - 6, to->y - 3.5f);
  gsk_path_builder_line_to (head, to->x - 6, to->y + 3.5f);
  gsk_path_builder_close (head);
  head_path = gsk_path_builder_free_to_path (g_steal_pointer (&head));
  gtk_snapshot_append_fill (snapshot, head_path, GSK_FILL_RULE_WINDING, color);
}
