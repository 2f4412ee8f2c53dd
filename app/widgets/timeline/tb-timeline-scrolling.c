/* tb-timeline-scrolling.c: scrolling of a timeline by its adjustments, time horizontally and lines
 * vertically, and to a given line
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-canvas-private.h"

#include <math.h>

#define BOTTOM_MARGIN 12

void
tb_timeline_canvas_configure (TbTimelineCanvas *self, int height)
{
  const TbTimelineContext *context = &self->context;
  gint64 from, to, start, end;

  self->configuring++;
  if (self->hadjustment != NULL)
    {
      double page = context->plot_width, unit;

      tb_focus_get_view (self->focus, &from, &to);
      tb_focus_get_extent (self->focus, &start, &end);
      unit = page / (double) (to - from);
      gtk_adjustment_configure (self->hadjustment, (double) (from - start) * unit, 0,
                                (double) (end - start) * unit, page * .1, page * .9, page);
    }
  if (self->vadjustment != NULL && height > 0)
    {
      double upper = (double) self->lines->len * context->row_height + BOTTOM_MARGIN;
      double value = gtk_adjustment_get_value (self->vadjustment);

      gtk_adjustment_configure (self->vadjustment, CLAMP (value, 0, MAX (0, upper - height)), 0,
                                MAX (upper, height), context->row_height,
                                MAX (1, height - context->row_height), height);
    }
  self->configuring--;
}

static void
on_horizontal_changed (TbTimelineCanvas *self)
{
  double page = gtk_adjustment_get_page_size (self->hadjustment);
  gint64 from, to, start;

  if (self->configuring > 0 || page <= 0)
    return;
  tb_focus_get_view (self->focus, &from, &to);
  tb_focus_get_extent (self->focus, &start, NULL);
  start += (gint64) llround (gtk_adjustment_get_value (self->hadjustment) * (double) (to - from)
                             / page);
  tb_focus_set_view (self->focus, start, start + (to - from));
}

static void
on_vertical_changed (TbTimelineCanvas *self)
{
  if (self->configuring == 0)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tb_timeline_canvas_set_adjustment (TbTimelineCanvas *self,
                                   GtkOrientation orientation,
                                   GtkAdjustment *adjustment)
{
  gboolean vertical = orientation == GTK_ORIENTATION_VERTICAL;
  GtkAdjustment **where = vertical ? &self->vadjustment : &self->hadjustment;
  GCallback callback
      = vertical ? G_CALLBACK (on_vertical_changed) : G_CALLBACK (on_horizontal_changed);

  if (*where == adjustment && adjustment != NULL)
    return;
  if (*where != NULL)
    {
      g_signal_handlers_disconnect_by_func (*where, callback, self);
      g_clear_object (where);
    }
  *where
      = g_object_ref_sink (adjustment != NULL ? adjustment : gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  g_signal_connect_swapped (*where, "value-changed", callback, self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tb_timeline_canvas_scroll_to (TbTimelineCanvas *self, guint line)
{
  double top = (double) line * self->context.row_height, value, page, covered;
  const TbTimelineLine *info = tb_timeline_canvas_get_line (self, line);
  guint n_fixed = tb_timeline_canvas_get_n_fixed (self);

  if (self->vadjustment == NULL || gtk_adjustment_get_page_size (self->vadjustment) <= 0)
    {
      self->scroll_to_current = TRUE;
      return;
    }
  value = gtk_adjustment_get_value (self->vadjustment);
  page = gtk_adjustment_get_page_size (self->vadjustment);
  if (info == NULL || line < n_fixed)
    return;
  /* Covered by the pinned lines and by the heading at the top. */
  covered = (n_fixed + (info->kind == TB_LINE_TRACK && info->heading != TB_TRACK_NONE))
            * (double) self->context.row_height;
  if (top < value + covered)
    gtk_adjustment_set_value (self->vadjustment, top - covered);
  else if (top + self->context.row_height > value + page)
    gtk_adjustment_set_value (self->vadjustment, top + self->context.row_height - page);
  else
    return;
  /* Rows are placed at once, so that the line exists when the keyboard focus moves to it. */
  if (gtk_widget_get_height (GTK_WIDGET (self)) > 0)
    tb_timeline_canvas_place_rows (self, gtk_widget_get_height (GTK_WIDGET (self)));
}
