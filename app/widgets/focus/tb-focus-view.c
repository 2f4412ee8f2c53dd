/* tb-focus-view.c: visible time range in the focus of a document (TbFocus, the selection and view
 * that its figures share): its limits, zoom, and moving it to show a given range
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "base/tb-base.h"
#include "widgets/focus/tb-focus-private.h"

/* Shortest visible part: clocks have a resolution of nanoseconds. */
#define SHORTEST_VIEW 50

/**
 * tb_focus_set_extent:
 * @self: a focus
 * @from: start of the extent, ns
 * @to: end of the extent, ns; at least one nanosecond after @from
 *
 * Sets the extent, makes all of it visible and drops a selected range outside it. Clears the
 * history.
 */
void
tb_focus_set_extent (TbFocus *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  to = MAX (to, from + 1);
  g_object_freeze_notify (G_OBJECT (self));
  tb_focus_set_time (self, &self->extent_from, from, PROP_EXTENT_FROM);
  tb_focus_set_time (self, &self->extent_to, to, PROP_EXTENT_TO);
  tb_focus_set_time (self, &self->view_from, from, PROP_VIEW_FROM);
  tb_focus_set_time (self, &self->view_to, to, PROP_VIEW_TO);
  g_object_thaw_notify (G_OBJECT (self));
  g_signal_emit (self, tb_focus_signals[VIEW_CHANGED], 0);

  if (self->range_from != TB_TIME_NONE && (self->range_to <= from || self->range_from >= to))
    tb_focus_clear_range (self);
  tb_focus_init_history (self);
}

/**
 * tb_focus_get_extent:
 * @self: a focus
 * @from: (out) (optional): start of the extent, ns
 * @to: (out) (optional): its end, ns
 *
 * Gets the time that can be shown.
 */
void
tb_focus_get_extent (TbFocus *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  if (from != NULL)
    *from = self->extent_from;
  if (to != NULL)
    *to = self->extent_to;
}

/**
 * tb_focus_set_view:
 * @self: a focus
 * @from: start of the visible part, ns
 * @to: its end, ns
 *
 * Makes a part visible. It is moved into the extent, and shortened if it is too long.
 */
void
tb_focus_set_view (TbFocus *self, gint64 from, gint64 to)
{
  gint64 whole, length;

  g_return_if_fail (TB_IS_FOCUS (self));

  whole = self->extent_to - self->extent_from;
  length = CLAMP (to - from, MIN (SHORTEST_VIEW, whole), whole);
  from = CLAMP (from, self->extent_from, self->extent_to - length);
  to = from + length;
  if (from == self->view_from && to == self->view_to)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  tb_focus_set_time (self, &self->view_from, from, PROP_VIEW_FROM);
  tb_focus_set_time (self, &self->view_to, to, PROP_VIEW_TO);
  g_object_thaw_notify (G_OBJECT (self));
  g_signal_emit (self, tb_focus_signals[VIEW_CHANGED], 0);
}

/**
 * tb_focus_get_view:
 * @self: a focus
 * @from: (out) (optional): start of the visible part, ns
 * @to: (out) (optional): its end, ns
 *
 * Gets the visible part of the time.
 */
void
tb_focus_get_view (TbFocus *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_FOCUS (self));

  if (from != NULL)
    *from = self->view_from;
  if (to != NULL)
    *to = self->view_to;
}

/**
 * tb_focus_zoom:
 * @self: a focus
 * @around: the time that stays at its position, ns
 * @factor: factor for the length of the visible part; below 1 magnifies
 *
 * Magnifies or reduces the visible part around a time.
 */
void
tb_focus_zoom (TbFocus *self, gint64 around, double factor)
{
  double length, whole, before;
  gint64 from;

  g_return_if_fail (TB_IS_FOCUS (self));
  g_return_if_fail (factor > 0);

  around = CLAMP (around, self->view_from, self->view_to);
  before = (double) (around - self->view_from) / (double) (self->view_to - self->view_from);
  whole = (double) (self->extent_to - self->extent_from);
  length = (double) (self->view_to - self->view_from) * factor;
  length = CLAMP (length, MIN (SHORTEST_VIEW, whole), whole);
  from = around - (gint64) llround (before * length);
  tb_focus_set_view (self, from, from + (gint64) llround (length));
}

/**
 * tb_focus_reveal:
 * @self: a focus
 * @from: start of the stretch to show, ns
 * @to: its end, ns
 *
 * Moves the visible part as little as needed to show a stretch. Its length changes only where the
 * stretch is longer.
 */
void
tb_focus_reveal (TbFocus *self, gint64 from, gint64 to)
{
  gint64 length, margin;

  g_return_if_fail (TB_IS_FOCUS (self));

  length = self->view_to - self->view_from;
  if (from >= self->view_from && to <= self->view_to)
    return;
  if (to - from > length)
    {
      /* For a long stretch a visible part of it is enough. */
      if (from < self->view_to && to > self->view_from)
        return;
      tb_focus_set_view (self, from, from + length);
      return;
    }
  margin = MIN (length / 10, (length - (to - from)) / 2);
  if (from < self->view_from)
    tb_focus_set_view (self, from - margin, from - margin + length);
  else
    tb_focus_set_view (self, to + margin - length, to + margin);
}
