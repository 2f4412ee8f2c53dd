/* tb-focus-widget.h: base class of widgets that are redrawn when the selection or visible range
 * that the figures of a document share (TbFocus) changes, or the style of the application
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

#define TB_TYPE_FOCUS_WIDGET (tb_focus_widget_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbFocusWidget, tb_focus_widget, TB, FOCUS_WIDGET, GtkWidget)

/**
 * TbFocusWidgetClass:
 * @changed: called when the visible part or the selection has changed, and once when the widget is
 *   created; the widget is redrawn in any case
 */
struct _TbFocusWidgetClass
{
  GtkWidgetClass parent_class;

  void (*changed) (TbFocusWidget *self);

  /*< private >*/
  gpointer padding[4];
};

TB_EXPORT TbFocus *tb_focus_widget_get_focus (TbFocusWidget *self);

G_END_DECLS
