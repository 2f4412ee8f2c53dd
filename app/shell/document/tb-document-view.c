/* tb-document-view.c: commands for the view that the figures of a document share: zoom, pan, clear
 * the selection, back and forward; text filter that applies to all figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-private.h"

/**
 * tb_document_zoom:
 * @factor: ratio of the new visible duration to the old one
 *
 * Zooms around the pointer, or around the middle if the pointer is elsewhere.
 */
void
tb_document_zoom (TbDocument *self, double factor)
{
  TbFocus *focus;
  gint64 from, to, around;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  focus = tb_document_get_focus (self);
  tb_focus_get_view (focus, &from, &to);
  around = tb_focus_get_pointer (focus);
  if (around < from || around > to)
    around = from + (to - from) / 2;
  tb_focus_zoom (focus, around, factor);
}

void
tb_document_zoom_all (TbDocument *self)
{
  TbFocus *focus;
  gint64 from, to;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  focus = tb_document_get_focus (self);
  tb_focus_get_extent (focus, &from, &to);
  tb_focus_set_view (focus, from, to);
}

/**
 * tb_document_zoom_selection:
 *
 * Zooms so that the selection fills the view.
 */
void
tb_document_zoom_selection (TbDocument *self)
{
  TbFocus *focus;
  gint64 from, to;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  focus = tb_document_get_focus (self);
  if (tb_focus_get_time (focus, &from, &to))
    tb_focus_set_view (focus, from - (to - from) / 10, to + (to - from) / 10);
  else if (tb_focus_get_range (focus, &from, &to))
    tb_focus_set_view (focus, from, to);
}

/**
 * tb_document_has_selected_time:
 *
 * Returns: whether a range or an interval is selected
 */
gboolean
tb_document_has_selected_time (TbDocument *self)
{
  TbFocus *focus;
  gint64 from, to;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  focus = tb_document_get_focus (self);
  return tb_focus_get_range (focus, &from, &to) || tb_focus_get_time (focus, &from, &to);
}

/**
 * tb_document_has_selection:
 *
 * Returns: whether anything is selected
 */
gboolean
tb_document_has_selection (TbDocument *self)
{
  TbFocus *focus;
  guint n_threads;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  focus = tb_document_get_focus (self);
  tb_focus_get_threads (focus, &n_threads);
  return tb_document_has_selected_time (self) || tb_focus_get_thread (focus) != TB_ID_NONE
         || tb_focus_get_item (focus) != NULL || n_threads > 0;
}

void
tb_document_clear_selection (TbDocument *self)
{
  TbFocus *focus;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  focus = tb_document_get_focus (self);
  tb_focus_begin_change (focus);
  tb_focus_clear (focus);
  tb_focus_clear_range (focus);
  tb_focus_select_threads (focus, NULL, 0);
  tb_focus_end_change (focus);
}

static void
pan (TbDocument *self, int direction)
{
  TbFocus *focus = tb_document_get_focus (self);
  gint64 from, to, step;

  tb_focus_get_view (focus, &from, &to);
  step = MAX (1, (to - from) / 10) * direction;
  tb_focus_set_view (focus, from + step, to + step);
}

void
tb_document_pan_earlier (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));
  pan (self, -1);
}

void
tb_document_pan_later (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));
  pan (self, 1);
}

gboolean
tb_document_can_go_back (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return tb_focus_can_go_back (self->focus);
}

gboolean
tb_document_can_go_forward (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return tb_focus_can_go_forward (self->focus);
}

/* Goes back to the previous selection. */
void
tb_document_go_back (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));
  tb_focus_go_back (self->focus);
}

void
tb_document_go_forward (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));
  tb_focus_go_forward (self->focus);
}

/**
 * tb_document_get_filter:
 *
 * Returns: (transfer none) (nullable): the filter of all figures
 */
TbFilter *
tb_document_get_filter (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->filter;
}

/**
 * tb_document_set_filter:
 * @filter: (nullable): the filter of all figures
 */
void
tb_document_set_filter (TbDocument *self, TbFilter *filter)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (tb_filter_equal (self->filter, filter))
    return;
  g_clear_pointer (&self->filter, tb_filter_unref);
  self->filter = filter != NULL ? tb_filter_ref (filter) : NULL;
  g_signal_emit_by_name (self, "filter-changed");
}
