/* tb-focus-widget.h: a widget that shows what a focus looks at
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
 * @changed: what is visible, or what is selected, is another; the widget is drawn anew anyway. Also called once when the widget
 *   is made
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
