/* tb-drawing-painter.h: drawings painted with cairo, for images, PDF and print
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <cairo.h>

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

void tb_drawing_paint (TbDrawing *self, cairo_t *cairo, TbColorStyle style);

G_END_DECLS
