/* tb-timeline-accessible.c: intervals of a timeline track as cells for assistive technologies:
 * which are visible, their bounds, names, descriptions and selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/tb-report.h"
#include "widgets/timeline/tb-timeline-private.h"

/* Fractions of a bar's height from the top, at which running, runnable and waiting are drawn. */
static const double heights[] = { 1. / 6, 1. / 2, 5. / 6 };

static GtkAccessibleRole
get_role (GtkWidget *widget, guint64 key)
{
  return GTK_ACCESSIBLE_ROLE_CELL;
}

static void
get_state (GtkWidget *widget, guint64 *state)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (widget);
  const TbTimelineContext *context = tb_timeline_row_get_context (self);

  state[0] = tb_timeline_row_get_track (self);
  state[1] = (guint64) context->origin;
  state[2] = (guint64) context->first_column;
  state[3] = tb_accessible_pack_double (context->ns_per_column);
  state[4] = (guint64) context->plot_x;
  state[5] = (guint64) context->plot_width;
  state[6] = (guint64) context->bar_height;
}

static void
get_bounds (TbTimelineRow *self,
            const TbTimelineTrack *track,
            gsize interval,
            graphene_rect_t *bounds)
{
  const TbTimelineContext *context = tb_timeline_row_get_context (self);
  double plot_end = context->plot_x + context->plot_width;
  double left = CLAMP (tb_timeline_context_get_x (context, track->start[interval]), context->plot_x,
                       plot_end - 1);
  double right
      = CLAMP (tb_timeline_context_get_x (context, track->end[interval]), left + 1, plot_end);
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  graphene_rect_init (bounds, (float) left, (float) (height - context->bar_height) / 2,
                      (float) (right - left), (float) context->bar_height);
}

static int
compare_intervals (gconstpointer a, gconstpointer b)
{
  gsize one = *(const gsize *) a, two = *(const gsize *) b;

  return one < two ? -1 : one > two;
}

/* The intervals drawn in each pixel. Where several share a pixel, the longest of each height. */
static void
find_visible (TbTimelineRow *self, const TbTimelineTrack *track, GArray *seen)
{
  const TbTimelineContext *context = tb_timeline_row_get_context (self);
  double end = context->plot_x + context->plot_width, step = 1. / context->scale, next;

  for (double x = context->plot_x + step / 2; x < end; x = next)
    {
      next = x + step;
      for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
        {
          gsize hit = tb_timeline_find_interval_at (context, tb_timeline_row_get_track (self), x,
                                                    heights[i]);

          if (hit != TB_INTERVAL_NONE && track->paint[hit] != TB_PAINT_NONE)
            g_array_append_val (seen, hit);
        }
      /* A long interval is listed at its first pixel only. */
      if (seen->len > 0)
        {
          gsize last = g_array_index (seen, gsize, seen->len - 1);
          double last_end = tb_timeline_context_get_x (context, track->end[last]);

          if (tb_timeline_context_get_x (context, track->start[last]) <= x)
            next = MAX (next, floor (last_end * context->scale) * step + step / 2);
        }
    }
  g_array_sort (seen, compare_intervals);
}

static void
list (GtkWidget *widget, GArray *places)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (widget);
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize before = TB_INTERVAL_NONE;
  TbTimelineTrack track;

  if (tb_timeline_row_is_heading (self))
    return;
  tb_timeline_figure_get_track (tb_timeline_row_get_context (self)->figure,
                                tb_timeline_row_get_track (self), &track);
  find_visible (self, &track, seen);
  for (guint i = 0; i < seen->len; i++)
    {
      gsize interval = g_array_index (seen, gsize, i);
      TbAccessiblePlace place = { .key = interval, .parent = TB_ID_NONE };

      if (interval == before)
        continue;
      before = interval;
      get_bounds (self, &track, interval, &place.bounds);
      g_array_append_val (places, place);
    }
}

/* Times are relative to the start of the recording, as on the axis. */
char *
tb_timeline_row_describe_interval (TbTimelineRow *self, gsize interval)
{
  const TbTimelineContext *context = tb_timeline_row_get_context (self);
  guint index = tb_timeline_row_get_track (self);
  g_autofree char *label = tb_timeline_figure_get_label (context->figure, index, interval, TRUE);
  g_autofree char *length = NULL;
  g_autofree char *start = NULL;
  TbTimelineTrack track;
  gint64 origin;

  tb_timeline_figure_get_track (context->figure, index, &track);
  tb_focus_get_extent (context->focus, &origin, NULL);
  length = tb_format_duration (track.end[interval] - track.start[interval]);
  start = tb_format_time (track.start[interval] - origin, 1000);
  if (label[0] == '\0')
    g_set_str (&label, tb_paint_get_label (MIN (track.paint[interval], TB_N_PAINTS - 1)));
  /* Translators: an interval of a track: its label, which has its length, and start: "waited
   * 12.5 ms in poll, from 160.2 ms". */
  if (strstr (label, length) != NULL)
    return g_strdup_printf (_ ("%s, from %s"), label, start);
  /* Translators: an interval of a track: its label, length and start: "waiting in poll, 12.5 ms,
   * from 160.2 ms". */
  return g_strdup_printf (_ ("%s, %s, from %s"), label, length, start);
}

static void
describe (GtkWidget *widget, guint64 key, TbAccessibleText *text)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (widget);
  TbTimelineTrack track;

  tb_timeline_figure_get_track (tb_timeline_row_get_context (self)->figure,
                                tb_timeline_row_get_track (self), &track);
  text->name = g_strdup (tb_paint_get_label (MIN (track.paint[key], TB_N_PAINTS - 1)));
  text->value = tb_format_duration (track.end[key] - track.start[key]);
  text->description = tb_timeline_row_describe_interval (self, (gsize) key);
}

static gboolean
get_selected (GtkWidget *widget, guint64 *key)
{
  TbTimelineRow *self = TB_TIMELINE_ROW (widget);
  const TbTimelineContext *context = tb_timeline_row_get_context (self);

  *key = context->selected_interval;
  return !tb_timeline_row_is_heading (self)
         && context->selected_track == tb_timeline_row_get_track (self)
         && context->selected_interval != TB_INTERVAL_NONE;
}

static gboolean
is_selected (GtkWidget *widget, guint64 key)
{
  guint64 selected;

  return get_selected (widget, &selected) && selected == key;
}

const TbAccessibleItemsClass tb_timeline_accessible_items = {
  .get_role = get_role,
  .get_state = get_state,
  .list = list,
  .describe = describe,
  .is_selected = is_selected,
  .get_selected = get_selected,
};
