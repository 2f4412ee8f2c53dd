/* tb-time-input.c: zoom and panning common to the views over time: key bindings for a widget
 * class, which call its functions; moving of the visible range by a tenth; zoom factor of a scroll
 * event
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/time/tb-time-input-private.h"

#include <math.h>

#define PAN_STEP .1
#define SURFACE_STEP .02

void
tb_time_input_add_keys (GtkWidgetClass *widget_class, GtkShortcutFunc zoom, GtkShortcutFunc pan)
{
  static const struct
  {
    guint key;
    double factor;
  } zooms[] = {
    { GDK_KEY_plus, 1 / TB_ZOOM_STEP },
    { GDK_KEY_KP_Add, 1 / TB_ZOOM_STEP },
    { GDK_KEY_equal, 1 / TB_ZOOM_STEP },
    { GDK_KEY_KP_Equal, 1 / TB_ZOOM_STEP },
    { GDK_KEY_minus, TB_ZOOM_STEP },
    { GDK_KEY_KP_Subtract, TB_ZOOM_STEP },
    { GDK_KEY_0, 0 },
    { GDK_KEY_KP_0, 0 },
    { GDK_KEY_w, 1 / TB_ZOOM_STEP },
    { GDK_KEY_s, TB_ZOOM_STEP },
  };
  static const GdkModifierType pan_masks[] = { GDK_CONTROL_MASK, GDK_SHIFT_MASK };

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      gtk_widget_class_add_binding (widget_class, zooms[i].key, 0, zoom, "d", zooms[i].factor);
      /* Letters with Control belong to the application. */
      if (zooms[i].key != GDK_KEY_w && zooms[i].key != GDK_KEY_s)
        gtk_widget_class_add_binding (widget_class, zooms[i].key, GDK_CONTROL_MASK, zoom, "d",
                                      zooms[i].factor);
    }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_a, 0, pan, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_d, 0, pan, "i", 1);
  for (guint i = 0; i < G_N_ELEMENTS (pan_masks); i++)
    {
      gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, pan_masks[i], pan, "i", -1);
      gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, pan_masks[i], pan, "i", 1);
    }
}

void
tb_time_input_pan (TbFocus *focus, int direction)
{
  gint64 from, to, step;

  tb_focus_get_view (focus, &from, &to);
  step = MAX (1, (gint64) ((double) (to - from) * PAN_STEP)) * (direction < 0 ? -1 : 1);
  tb_focus_set_view (focus, from + step, to + step);
}

double
tb_time_input_get_zoom (GtkEventControllerScroll *controller, double dy)
{
  double step = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL
                    ? 1
                    : SURFACE_STEP;

  return pow (TB_ZOOM_STEP, dy * step);
}
