/* tb-timeline-sort.c: order of the groups and tracks of a timeline: as recorded, by name, or by
 * time running, time waiting or longest wait
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"

/* The states in which a thread waits. Only threads have them. */
#define WAITING                                                                                    \
  (1u << TB_PAINT_WAITING | 1u << TB_PAINT_DISK | 1u << TB_PAINT_UNINTERRUPTIBLE                   \
   | 1u << TB_PAINT_NETWORK | 1u << TB_PAINT_RUNNABLE)

static const char *const names[TB_N_SORTS]
    = { "recorded", "name", "running", "waiting", "longest-wait" };

/* The value that tracks are sorted by, largest first. */
static gint64
weigh (TbTimelineCanvas *self, guint index)
{
  TbTimelineCoverage coverage;
  TbTimelineTrack track;
  gint64 from, to, sum = 0;
  gsize longest;

  if (self->sort == TB_SORT_LONGEST_WAIT)
    {
      tb_timeline_figure_get_track (self->figure, index, &track);
      longest = track.thread != TB_ID_NONE
                    ? tb_timeline_figure_find_longest (self->figure, index, 0, track.n, WAITING)
                    : G_MAXSIZE;
      return longest != G_MAXSIZE ? track.end[longest] - track.start[longest] : 0;
    }
  tb_timeline_figure_get_range (self->figure, &from, &to);
  tb_timeline_figure_get_coverage (self->figure, index, from, to, &coverage);
  if (self->sort == TB_SORT_RUNNING)
    return coverage.ns[TB_PAINT_RUNNING] + coverage.ns[TB_PAINT_ESTIMATED];
  for (guint paint = 0; paint < TB_N_PAINTS; paint++)
    if (WAITING & 1u << paint)
      sum += coverage.ns[paint];
  return sum;
}

typedef struct
{
  TbTimelineCanvas *canvas;
  const gint64 *weights; /* by track; NULL: sorted by name */
} Sorting;

static int
compare_names (const char *one, const char *other)
{
  g_autofree char *first = tb_filter_fold (one);
  g_autofree char *second = tb_filter_fold (other);

  return g_utf8_collate (first, second);
}

static int
compare_tracks (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  guint one = *(const guint *) a, other = *(const guint *) b;
  TbTimelineTrack first, second;
  int order = 0;

  if (sorting->weights != NULL)
    order = sorting->weights[one] > sorting->weights[other]   ? -1
            : sorting->weights[one] < sorting->weights[other] ? 1
                                                              : 0;
  else if (sorting->canvas->sort == TB_SORT_NAME)
    {
      tb_timeline_figure_get_track (sorting->canvas->figure, one, &first);
      tb_timeline_figure_get_track (sorting->canvas->figure, other, &second);
      order = compare_names (first.name, second.name);
    }
  return order != 0 ? order : one < other ? -1 : one > other;
}

static int
compare_groups (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  const TbTimelineGroup *one = *(const TbTimelineGroup *const *) a,
                        *other = *(const TbTimelineGroup *const *) b;
  int order = 0;

  if (one->host != other->host)
    return one->host < other->host ? -1 : 1;
  if (sorting->weights != NULL)
    order = one->weight > other->weight ? -1 : one->weight < other->weight;
  else if (sorting->canvas->sort == TB_SORT_NAME)
    order = compare_names (one->name, other->name);
  return order != 0                        ? order
         : one->recorded < other->recorded ? -1
                                           : one->recorded > other->recorded;
}

void
tb_timeline_canvas_sort_groups (TbTimelineCanvas *self)
{
  guint n = tb_timeline_figure_get_n_tracks (self->figure);
  g_autofree gint64 *weights = self->sort == TB_SORT_RECORDED || self->sort == TB_SORT_NAME
                                   ? NULL
                                   : g_new (gint64, MAX (1, n));
  Sorting sorting = { self, weights };

  for (guint i = 0; weights != NULL && i < n; i++)
    weights[i] = weigh (self, i);
  for (guint g = 0; g < self->groups->len; g++)
    {
      TbTimelineGroup *group = g_ptr_array_index (self->groups, g);

      group->weight = 0;
      for (guint i = 0; weights != NULL && i < group->tracks->len; i++)
        {
          gint64 weight = weights[g_array_index (group->tracks, guint, i)];

          group->weight = self->sort == TB_SORT_LONGEST_WAIT ? MAX (group->weight, weight)
                                                             : group->weight + weight;
        }
      g_array_sort_with_data (group->tracks, compare_tracks, &sorting);
    }
  g_ptr_array_sort_with_data (self->groups, compare_groups, &sorting);
}

const char *
tb_timeline_canvas_get_sort (TbTimelineCanvas *self)
{
  return names[self->sort];
}

void
tb_timeline_canvas_sort_by (TbTimelineCanvas *self, const char *name)
{
  for (guint i = 0; i < TB_N_SORTS; i++)
    if (g_strcmp0 (names[i], name) == 0 && self->sort != i)
      {
        self->sort = i;
        tb_timeline_canvas_sort_groups (self);
        tb_timeline_canvas_lines_changed (self);
        tb_timeline_canvas_arranged (self);
        return;
      }
}
