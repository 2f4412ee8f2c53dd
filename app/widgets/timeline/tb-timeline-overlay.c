/* tb-timeline-overlay.c: overlay widget above the lines of a timeline: selected time range, outline
 * of the selected interval, arrows of its wake-ups and of those of the hovered one, pointer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "report/tb-report.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/timeline/tb-timeline-private.h"

struct _TbTimelineOverlay
{
  GtkWidget parent_instance;

  const TbTimelineContext *context;
  TbTimelineLocateFunc locate;
  TbTimelineFixedFunc is_fixed;
  gpointer data;
  guint hovered_track;
  gsize hovered_interval;
  GArray *selected; /* TbTimelineArrow */
  GArray *hovered;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (TbTimelineOverlay,
                               tb_timeline_overlay,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_overlay_interface_init))

/* The stretch to outline: a time and a part of the bar. */
typedef struct
{
  gint64 from;
  gint64 to;
  float top; /* from the top of the bar */
  float height;
} Stretch;

static float
get_clamped_x (TbTimelineOverlay *self, gint64 time)
{
  const TbTimelineContext *context = self->context;

  return (float) CLAMP (tb_timeline_context_get_x (context, time), context->plot_x - 100.,
                        context->plot_x + context->plot_width + 100.);
}

static void
append_range (TbTimelineOverlay *self, GtkSnapshot *snapshot, int height)
{
  const TbPalette *palette = self->context->palette;
  gint64 from, to;
  float left, right;

  if (!tb_focus_get_range (self->context->focus, &from, &to))
    return;
  left = get_clamped_x (self, from);
  right = get_clamped_x (self, to);
  gtk_snapshot_append_color (snapshot, &palette->range,
                             &GRAPHENE_RECT_INIT (left, 0, MAX (1, right - left), (float) height));
  gtk_snapshot_append_color (snapshot, &palette->accent,
                             &GRAPHENE_RECT_INIT (floorf (left), 0, 1, (float) height));
  gtk_snapshot_append_color (snapshot, &palette->accent,
                             &GRAPHENE_RECT_INIT (floorf (right), 0, 1, (float) height));
}

static void
append_arrows (TbTimelineOverlay *self,
               GtkSnapshot *snapshot,
               GArray *arrows,
               float alpha,
               float width,
               int height)
{
  const TbTimelineContext *context = self->context;
  GdkRGBA color = context->palette->select;
  double right = context->plot_x + context->plot_width;

  color.alpha *= alpha;
  for (guint i = 0; arrows != NULL && i < arrows->len; i++)
    {
      const TbTimelineArrow *arrow = &g_array_index (arrows, TbTimelineArrow, i);
      double x0 = tb_timeline_context_get_x (context, arrow->from_time);
      double x1 = tb_timeline_context_get_x (context, arrow->to_time);
      double y0, y1;

      if (MAX (x0, x1) < context->plot_x - 20 || MIN (x0, x1) > right + 20)
        continue;
      if (arrow->from_track == arrow->to_track || !self->locate (arrow->from_track, &y0, self->data)
          || !self->locate (arrow->to_track, &y1, self->data))
        continue;
      y0 += context->row_height / 2.;
      y1 += context->row_height / 2.;
      if (MAX (y0, y1) < -20 || MIN (y0, y1) > height + 20)
        continue;
      tb_timeline_arrow_append (snapshot,
                                &GRAPHENE_POINT_INIT (get_clamped_x (self, arrow->from_time),
                                                      (float) CLAMP (y0, -60, height + 60)),
                                &GRAPHENE_POINT_INIT (get_clamped_x (self, arrow->to_time),
                                                      (float) CLAMP (y1, -60, height + 60)),
                                &color, width);
    }
}

/* For a track with its row at y. */
static void
append_frame (TbTimelineOverlay *self,
              GtkSnapshot *snapshot,
              guint index,
              double y,
              const Stretch *stretch,
              float width)
{
  const TbTimelineContext *context = self->context;
  const GdkRGBA *color = &context->palette->select;
  float top = (float) y + floorf ((context->row_height - context->bar_height) / 2.f) + stretch->top;
  float left = floorf (get_clamped_x (self, stretch->from)),
        right = ceilf (get_clamped_x (self, stretch->to));
  GskRoundedRect outline;
  gboolean covered
      = y < context->covered && y + context->row_height > 0 && !self->is_fixed (index, self->data);

  if (covered)
    gtk_snapshot_push_clip (snapshot,
                            &GRAPHENE_RECT_INIT ((float) context->plot_x, (float) context->covered,
                                                 (float) context->plot_width, 1e5f));
  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (left - width, top - width,
                                                        MAX (2, right - left) + 2 * width,
                                                        stretch->height + 2 * width),
                                   2.5f);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { width, width, width, width },
                              (GdkRGBA[4]) { *color, *color, *color, *color });
  if (covered)
    gtk_snapshot_pop (snapshot);
}

/* Outlines an interval, or the selected time of a track: a call is a part of an interval, or
 * extends over several. */
static void
append_outline (TbTimelineOverlay *self,
                GtkSnapshot *snapshot,
                guint index,
                gsize interval,
                float width)
{
  const TbTimelineContext *context = self->context;
  Stretch stretch = { .height = context->bar_height };
  TbTimelineTrack track;
  double y;

  if (index == TB_TRACK_NONE || !self->locate (index, &y, self->data))
    return;
  tb_timeline_figure_get_track (context->figure, index, &track);
  if (interval >= track.n)
    {
      if (tb_focus_get_time (context->focus, &stretch.from, &stretch.to))
        append_frame (self, snapshot, index, y, &stretch, width);
      return;
    }
  stretch.from = track.start[interval];
  stretch.to = track.end[interval];
  switch (tb_timeline_get_paint_height (track.thread != TB_ID_NONE, track.paint[interval]))
    {
    case TB_PAINT_HEIGHT_THIN:
      stretch.height = ceilf ((stretch.height + 1) / 3);
      break;
    case TB_PAINT_HEIGHT_MIDDLE:
      stretch.height = floorf (stretch.height * 2 / 3);
      break;
    case TB_PAINT_HEIGHT_NONE:
    case TB_PAINT_HEIGHT_FULL:
    default:
      break;
    }
  stretch.top = context->bar_height - stretch.height;
  append_frame (self, snapshot, index, y, &stretch, width);
}

static void
append_pointer (TbTimelineOverlay *self, GtkSnapshot *snapshot, int height)
{
  const TbTimelineContext *context = self->context;
  gint64 pointer = tb_focus_get_pointer (context->focus), origin;
  g_autofree char *text = NULL;
  double x;

  if (pointer == TB_TIME_NONE)
    return;
  x = floor (tb_timeline_context_get_x (context, pointer));
  if (x < context->plot_x || x >= context->plot_x + context->plot_width)
    return;
  tb_focus_get_extent (context->focus, &origin, NULL);
  text = tb_format_time (pointer - origin, (gint64) (context->ns_per_column * context->scale * 2));
  tb_draw_pointer (GTK_WIDGET (self), snapshot, context->palette, text, x,
                   &GRAPHENE_RECT_INIT ((float) context->plot_x, 0, (float) context->plot_width,
                                        (float) height));
}

static void
tb_timeline_overlay_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbTimelineOverlay *self = TB_TIMELINE_OVERLAY (widget);
  const TbTimelineContext *context = self->context;
  int height = gtk_widget_get_height (widget);

  if (context->plot_width <= 0)
    return;
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT ((float) context->plot_x, 0,
                                               (float) context->plot_width, (float) height));
  append_range (self, snapshot, height);
  if (self->hovered_track != context->selected_track
      || self->hovered_interval != context->selected_interval)
    append_arrows (self, snapshot, self->hovered, .6f, 1.4f, height);
  append_outline (self, snapshot, context->selected_track, context->selected_interval, 2);
  append_arrows (self, snapshot, self->selected, 1, 1.8f, height);
  append_pointer (self, snapshot, height);
  gtk_snapshot_pop (snapshot);
}

static void
tb_timeline_overlay_finalize (GObject *object)
{
  TbTimelineOverlay *self = TB_TIMELINE_OVERLAY (object);

  g_clear_pointer (&self->selected, g_array_unref);
  g_clear_pointer (&self->hovered, g_array_unref);

  G_OBJECT_CLASS (tb_timeline_overlay_parent_class)->finalize (object);
}

static void
tb_timeline_overlay_class_init (TbTimelineOverlayClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_timeline_overlay_finalize;
  widget_class->snapshot = tb_timeline_overlay_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tb_timeline_overlay_init (TbTimelineOverlay *self)
{
  self->hovered_track = TB_TRACK_NONE;
  self->hovered_interval = TB_INTERVAL_NONE;
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
}

TbTimelineOverlay *
tb_timeline_overlay_new (const TbTimelineContext *context,
                         TbTimelineLocateFunc locate,
                         TbTimelineFixedFunc is_fixed,
                         gpointer data)
{
  TbTimelineOverlay *self = g_object_new (TB_TYPE_TIMELINE_OVERLAY, NULL);

  self->context = context;
  self->locate = locate;
  self->is_fixed = is_fixed;
  self->data = data;
  return self;
}

void
tb_timeline_overlay_set_hovered (TbTimelineOverlay *self, guint track, gsize interval)
{
  if (self->hovered_track == track && self->hovered_interval == interval)
    return;
  self->hovered_track = track;
  self->hovered_interval = interval;
  g_clear_pointer (&self->hovered, g_array_unref);
  if (track != TB_TRACK_NONE && interval != TB_INTERVAL_NONE)
    self->hovered = tb_timeline_arrows_of_interval (self->context->figure, track, interval);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
tb_timeline_overlay_update (TbTimelineOverlay *self)
{
  const TbTimelineContext *context = self->context;

  g_clear_pointer (&self->selected, g_array_unref);
  if (context->selected_track != TB_TRACK_NONE && context->selected_interval != TB_INTERVAL_NONE)
    self->selected = tb_timeline_arrows_of_interval (context->figure, context->selected_track,
                                                     context->selected_interval);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
