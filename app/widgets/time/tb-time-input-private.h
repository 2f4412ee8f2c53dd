/* tb-time-input-private.h: zoom and panning common to the views over time: key bindings for a
 * widget class, which call its functions; moving of the visible range by a tenth; zoom factor of a
 * scroll event
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/* Zoom factor of one key press or one step of the wheel. */
#define TB_ZOOM_STEP 1.25

/* Adds keys. Plus, minus, W, S and 0 call zoom with "(d)", the factor for the length of the visible
 * part, 0 for everything. Arrows with Control or Shift, A and D call pan with "(i)", -1 or 1. */
void
tb_time_input_add_keys (GtkWidgetClass *widget_class, GtkShortcutFunc zoom, GtkShortcutFunc pan);
/* Moves the visible part by a tenth of its length. */
void tb_time_input_pan (TbFocus *focus, int direction);
/* The zoom factor of a scroll event. */
double tb_time_input_get_zoom (GtkEventControllerScroll *controller, double dy);

G_END_DECLS
