/* tb-print-pages.h: drawings laid out on pages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

/**
 * TbPrintPiece:
 * @drawing: the index of a drawing
 * @page: of the page that it is on
 * @from: the part of the drawing, in its units
 * @to: up to there
 * @scale: points for a unit
 * @top: where on the page the part begins, in points
 * @heading: how high the heading right above it is, in units of the drawing; 0 where it has none or begins here
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

GArray *tb_print_lay_out (TbDrawing *const *drawings, guint n_drawings, double width, double height);

G_END_DECLS
