/* tb-timeline-tooltip.c: tooltips of a timeline: an interval with the number and times of all those
 * at the pointer, or a track with its time in each state
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "widgets/timeline/tb-timeline-canvas-private.h"

/* The number of intervals drawn in the pixel at x. */
static gsize
count_at (TbTimelineCanvas *self, guint track, double x)
{
  gint64 from, to;
  gsize first, last;
  TbTimelineTrack info;

  tb_timeline_context_get_column (&self->context, x, &from, &to);
  tb_timeline_figure_get_track (self->figure, track, &info);
  first = tb_timeline_figure_find (self->figure, track, from);
  last = tb_timeline_figure_find (self->figure, track, to - 1);
  return last - first + (last < info.n && info.start[last] < to);
}

static void
add_coverage (TbTimelineCanvas *self, GString *text, guint track, gint64 from, gint64 to)
{
  TbTimelineCoverage coverage;

  tb_timeline_figure_get_coverage (self->figure, track, from, to, &coverage);
  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    if (coverage.present & 1u << paint)
      {
        g_autofree char *length = tb_format_duration (coverage.ns[paint]);

        g_string_append_printf (text, "\n%s: %s", tb_paint_get_label (paint), length);
      }
}

static char *
describe_track (TbTimelineCanvas *self, guint index)
{
  GString *text = g_string_new (NULL);
  TbTimelineTrack track;
  gint64 from, to;

  tb_timeline_figure_get_track (self->figure, index, &track);
  tb_focus_get_view (self->focus, &from, &to);
  g_string_append (text, track.name);
  if (track.group != NULL && track.group[0] != '\0' && g_strcmp0 (track.group, track.name) != 0)
    g_string_append_printf (text, " — %s", track.group);
  add_coverage (self, text, index, from, to);
  return g_string_free (text, FALSE);
}

static char *
describe_interval (TbTimelineCanvas *self, guint index, gsize interval, double x)
{
  GString *text = g_string_new (NULL);
  g_autofree char *label = tb_timeline_figure_get_label (self->figure, index, interval, TRUE);
  g_autofree char *length = NULL;
  g_autofree char *start = NULL;
  gsize n = count_at (self, index, x);
  TbTimelineTrack track;
  gint64 origin, from, to;
  const char *paint;

  tb_timeline_figure_get_track (self->figure, index, &track);
  tb_focus_get_extent (self->focus, &origin, NULL);
  paint = tb_paint_get_label (MIN (track.paint[interval], TB_N_PAINTS - 1));
  length = tb_format_duration (track.end[interval] - track.start[interval]);
  start = tb_format_time (track.start[interval] - origin, 1000);
  g_string_append_printf (text, "%s — %s\n", track.name, label[0] != '\0' ? label : paint);
  /* Translators: a state, how long it lasts and when it starts: "waiting for 12.5 ms, from 160.2
   * ms". */
  g_string_append_printf (text, _ ("%s for %s, from %s"), paint, length, start);
  if (n > 1)
    {
      g_string_append_c (text, '\n');
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE, "%'zu interval under the pointer:",
                                           "%'zu intervals under the pointer:", n),
                              n);
      tb_timeline_context_get_column (&self->context, x, &from, &to);
      add_coverage (self, text, index, from, to);
    }
  return g_string_free (text, FALSE);
}

gboolean
tb_timeline_canvas_query_tooltip (TbTimelineCanvas *self,
                                  int x,
                                  int y,
                                  gboolean keyboard,
                                  GtkTooltip *tooltip)
{
  const TbTimelineContext *context = &self->context;
  GdkRectangle area = { x - 2, 0, 4, context->row_height };
  g_autofree char *text = NULL;
  gsize interval = TB_INTERVAL_NONE;
  guint track = TB_TRACK_NONE;
  double top = 0;

  if (keyboard)
    {
      track = tb_timeline_canvas_get_current_track (self);
      if (track == TB_TRACK_NONE)
        return FALSE;
      if (context->selected_track == track)
        interval = context->selected_interval;
      area.x = context->plot_x;
      area.width = context->plot_width;
    }
  else
    tb_timeline_canvas_pick (self, x, y, &track, &interval);
  if (track == TB_TRACK_NONE)
    return FALSE;

  if (interval != TB_INTERVAL_NONE)
    text = describe_interval (self, track, interval, keyboard ? -1 : x);
  else if (keyboard || !tb_timeline_canvas_in_plot (self, x))
    text = describe_track (self, track);
  else
    return FALSE;
  tb_timeline_canvas_locate (self, track, &top);
  area.y = (int) top;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}
