/* tb-drawing-heading.h: heading of a drawing, such as its time axis, that is repeated on each page
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

TB_EXPORT gboolean tb_drawing_get_heading (TbDrawing *self, double *top, double *bottom);

G_END_DECLS
