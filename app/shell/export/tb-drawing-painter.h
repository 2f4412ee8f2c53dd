/* tb-drawing-painter.h: painting of a drawing (the shapes and texts of a figure) with cairo, for
 * images, PDF and print
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <cairo.h>

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

void tb_drawing_paint (TbDrawing *self, cairo_t *cairo, TbColorStyle style);

G_END_DECLS
