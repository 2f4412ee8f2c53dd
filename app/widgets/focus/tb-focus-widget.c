/* tb-focus-widget.c: base class of widgets that are redrawn when the selection or visible range
 * that the figures of a document share (TbFocus) changes, or the style of the application
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/focus/tb-focus-widget.h"

#include "widgets/tb-widgets-private.h"

/**
 * TbFocusWidget:
 *
 * A widget that is redrawn when its focus or the style of the application changes.
 */
typedef struct
{
  TbFocus *focus;
} TbFocusWidgetPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TbFocusWidget, tb_focus_widget, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FOCUS,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static TbFocusWidgetPrivate *
get_private (TbFocusWidget *self)
{
  return tb_focus_widget_get_instance_private (self);
}

static void
tb_focus_widget_set_property (GObject *object,
                              guint property_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  switch (property_id)
    {
    case PROP_FOCUS:
      get_private (TB_FOCUS_WIDGET (object))->focus = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_focus_widget_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  switch (property_id)
    {
    case PROP_FOCUS:
      g_value_set_object (value, get_private (TB_FOCUS_WIDGET (object))->focus);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
on_changed (TbFocusWidget *self)
{
  if (TB_FOCUS_WIDGET_GET_CLASS (self)->changed != NULL)
    TB_FOCUS_WIDGET_GET_CLASS (self)->changed (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
tb_focus_widget_constructed (GObject *object)
{
  TbFocusWidget *self = TB_FOCUS_WIDGET (object);
  TbFocus *focus = get_private (self)->focus;

  G_OBJECT_CLASS (tb_focus_widget_parent_class)->constructed (object);
  tb_widgets_load_style ();
  g_signal_connect_object (focus, "view-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "selection-changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_draw));
  on_changed (self);
}

static void
tb_focus_widget_finalize (GObject *object)
{
  g_clear_object (&get_private (TB_FOCUS_WIDGET (object))->focus);

  G_OBJECT_CLASS (tb_focus_widget_parent_class)->finalize (object);
}

/**
 * TbFocusWidget:focus:
 *
 * Selection and visible part, which the widgets of a document share.
 */

static void
tb_focus_widget_class_init (TbFocusWidgetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = tb_focus_widget_set_property;
  object_class->get_property = tb_focus_widget_get_property;
  object_class->constructed = tb_focus_widget_constructed;
  object_class->finalize = tb_focus_widget_finalize;

  properties[PROP_FOCUS]
      = g_param_spec_object ("focus", "Focus", "Shared selection and visible range", TB_TYPE_FOCUS,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tb_focus_widget_init (TbFocusWidget *self)
{
}

/**
 * tb_focus_widget_get_focus:
 * @self: a widget
 *
 * Gets the focus of the widget.
 *
 * Returns: (transfer none): the focus of the document
 */
TbFocus *
tb_focus_widget_get_focus (TbFocusWidget *self)
{
  g_return_val_if_fail (TB_IS_FOCUS_WIDGET (self), NULL);

  return get_private (self)->focus;
}
