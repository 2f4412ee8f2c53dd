/* tb-print.h: print operation for drawings: has them laid out for the size of the paper by
 * tb-print-pages, paints their parts and a footer on each page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

GtkPrintOperation *
tb_print_operation_new (const char *name, TbDrawing *const *drawings, guint n_drawings);

G_END_DECLS
