/* tb-time-input-private.h: keys and wheels that move over time, the same in all views
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/* How much one step of the wheel or one key zooms. */
#define TB_ZOOM_STEP 1.25

/* Plus, minus, W, S and nought: zoom gets "(d)", the factor by which the visible part becomes longer, 0 for everything. Control
 * or Shift with arrows, A, D: pan gets "(i)", -1 or 1. */
void tb_time_input_add_keys (GtkWidgetClass *widget_class, GtkShortcutFunc zoom, GtkShortcutFunc pan);
/* Moves the visible part by a tenth of it. */
void tb_time_input_pan (TbFocus *focus, int direction);
/* By what a scroll event zooms. */
double tb_time_input_get_zoom (GtkEventControllerScroll *controller, double dy);

G_END_DECLS
