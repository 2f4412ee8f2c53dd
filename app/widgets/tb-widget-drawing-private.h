/* tb-widget-drawing-private.h: shapes that several widgets draw: rounded boxes, outlines, hatching,
 * flame boxes, line and time at the pointer; colours and dashes of histogram series
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "widgets/tb-palette.h"

G_BEGIN_DECLS

void tb_draw_rounded (GtkSnapshot *snapshot,
                      const GdkRGBA *color,
                      const graphene_rect_t *bounds,
                      float radius);
void tb_draw_outline (GtkSnapshot *snapshot,
                      const GdkRGBA *color,
                      const graphene_rect_t *bounds,
                      float width);
/* Draws stripes. The space between them is left as it is. */
void tb_draw_hatch (GtkSnapshot *snapshot, const GdkRGBA *color, const graphene_rect_t *bounds);
/* Draws a box of a flame, or its sample in a legend, hatched where the paint is hatched. */
void tb_draw_flame_paint (GtkSnapshot *snapshot,
                          const TbPalette *palette,
                          TbFlamePaint paint,
                          float alpha,
                          const graphene_rect_t *bounds);
/* The colour and dashes of a further distribution. Nine of them can be distinguished. */
const GdkRGBA *tb_draw_get_series_color (const TbPalette *palette, guint series);
void tb_draw_set_series_dash (GskStroke *stroke, guint series);
/* Draws the line at the pointer, with its time in a bubble that stays between left and right. */
void tb_draw_pointer (GtkWidget *widget,
                      GtkSnapshot *snapshot,
                      const TbPalette *palette,
                      const char *text,
                      double x,
                      const graphene_rect_t *plot);

G_END_DECLS
