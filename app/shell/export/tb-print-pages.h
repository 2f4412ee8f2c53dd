/* tb-print-pages.h: page layout for printing: places of drawings below each other; one that is too
 * high for a page is scaled down, or split between its lines, with room for its heading on each
 * page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

/**
 * TbPrintPiece:
 * @drawing: index of the drawing
 * @page: index of the page
 * @from: start of the part in the drawing, in its units
 * @to: end of the part
 * @scale: points per unit
 * @top: position of the part on the page, in points
 * @heading: height of the repeated heading right above the part, in units of the drawing; 0 for
 *   none or if the part is the first
 */
typedef struct
{
  guint drawing;
  guint page;
  double from;
  double to;
  double scale;
  double top;
  double heading;
} TbPrintPiece;

GArray *
tb_print_lay_out (TbDrawing *const *drawings, guint n_drawings, double width, double height);

G_END_DECLS
