/* tb-flame-selection.c: link of a flame view to the selection that all figures of a document share
 * (TbFocus): selected box, time range and pointer passed on to it and taken from it; own visible
 * range (lens) of a flame over time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/flame/tb-flame-view-private.h"

/* Clears the selection in the other pane. */
static void
clear_other (TbFlameView *self, TbFlamePane *pane)
{
  for (guint i = 0; i < TB_FLAME_PANES; i++)
    if (self->panes[i] != NULL && self->panes[i] != pane)
      {
        g_signal_handlers_block_matched (self->panes[i], G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL,
                                         self);
        tb_flame_canvas_restore_selected (tb_flame_pane_get_canvas (self->panes[i]), TB_ID_NONE);
        g_signal_handlers_unblock_matched (self->panes[i], G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL,
                                           self);
      }
}

void
tb_flame_view_select_origin (TbFlameView *self, guint selected)
{
  TbFigureView *view = TB_FIGURE_VIEW (self);
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  g_autofree char *item = tb_flame_figure_get_item (self->figure, selected);
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, selected);

  for (guint node = selected; node != TB_ID_NONE;
       node = tb_flame_figure_get_node (self->figure, node)->parent)
    g_ptr_array_insert (stack, 0, (gpointer) tb_flame_figure_get_node (self->figure, node)->name);
  g_ptr_array_add (stack, NULL);
  tb_figure_view_select_item (view, item, info->thread, info->from, info->to,
                              (const char *const *) stack->pdata);
}

void
tb_flame_view_on_selected (TbFlameView *self, TbFlamePane *pane)
{
  guint node = tb_flame_canvas_get_selected (tb_flame_pane_get_canvas (pane));
  guint selected = tb_flame_view_find_origin (self, pane, node);

  self->current = pane;
  tb_flame_view_update_actions (self);
  if (tb_figure_view_is_selecting (TB_FIGURE_VIEW (self)))
    return;
  clear_other (self, pane);
  if (selected == TB_ID_NONE)
    tb_figure_view_select_item (TB_FIGURE_VIEW (self), NULL, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                                NULL);
  else
    tb_flame_view_select_origin (self, selected);
}

/* The selected frame: in this figure, or the one with the same name where it was selected in
 * another flame. */
static guint
find_selected (TbFlameView *self)
{
  TbFocus *focus = tb_figure_view_get_focus (TB_FIGURE_VIEW (self));

  if (tb_flame_view_is_source (self))
    return tb_flame_figure_find_item (self->figure,
                                      tb_figure_view_get_item (TB_FIGURE_VIEW (self)));
  return tb_flame_find_stack (self->figure, tb_focus_get_stack (focus));
}

gboolean
tb_flame_view_is_source (TbFlameView *self)
{
  return tb_figure_view_get_item (TB_FIGURE_VIEW (self)) != NULL;
}

void
tb_flame_view_show_selection (TbFigureView *view)
{
  TbFlameView *self = TB_FLAME_VIEW (view);
  guint node = find_selected (self);
  gint64 from, to;

  for (guint i = 0; i < TB_FLAME_PANES && self->panes[i] != NULL; i++)
    tb_flame_canvas_show_node (tb_flame_pane_get_canvas (self->panes[i]),
                               tb_flame_view_find_place (self, self->panes[i], node));
  if (self->lens == NULL)
    return;
  if (node == TB_ID_NONE && tb_focus_get_time (tb_figure_view_get_focus (view), &from, &to))
    tb_focus_reveal (self->lens, from, to);
  if (tb_focus_get_range (tb_figure_view_get_focus (view), &from, &to))
    tb_focus_select_range (self->lens, from, to);
  else
    tb_focus_clear_range (self->lens);
}

/* Applies the range of the lens to the document. */
static void
on_lens_range (TbFlameView *self)
{
  TbFocus *focus = tb_figure_view_get_focus (TB_FIGURE_VIEW (self));
  gint64 from, to;

  if (tb_figure_view_is_selecting (TB_FIGURE_VIEW (self)))
    return;
  if (tb_focus_get_range (self->lens, &from, &to))
    tb_focus_select_range (focus, from, to);
  else
    tb_focus_clear_range (focus);
}

static void
on_lens_pointer (TbFlameView *self)
{
  tb_focus_set_pointer (tb_figure_view_get_focus (TB_FIGURE_VIEW (self)),
                        tb_focus_get_pointer (self->lens));
}

static void
on_focus_pointer (TbFlameView *self)
{
  tb_focus_set_pointer (self->lens,
                        tb_focus_get_pointer (tb_figure_view_get_focus (TB_FIGURE_VIEW (self))));
}

/* A chronological figure has a lens of its own. It may be a small part of the recording, and
 * zooming in it must not change the visible part of the timeline. */
void
tb_flame_view_make_lens (TbFlameView *self)
{
  TbFocus *focus = tb_figure_view_get_focus (TB_FIGURE_VIEW (self));
  gint64 from, to;

  if (!tb_flame_figure_get_chronological (self->figure, &from, &to))
    return;
  self->lens = tb_focus_new (from, to);
  g_signal_connect_object (self->lens, "selection-changed", G_CALLBACK (on_lens_range), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lens, "pointer-changed", G_CALLBACK (on_lens_pointer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "pointer-changed", G_CALLBACK (on_focus_pointer), self,
                           G_CONNECT_SWAPPED);
}
