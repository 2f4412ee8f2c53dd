/* tb-widget-drawing.c: shapes that several widgets draw: rounded boxes, outlines, hatching, flame
 * boxes, line and time at the pointer; colours and dashes of histogram series
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-widget-drawing-private.h"

#include <math.h>

#define BUBBLE_TOP 2
#define BUBBLE_PADDING 8

void
tb_draw_rounded (GtkSnapshot *snapshot,
                 const GdkRGBA *color,
                 const graphene_rect_t *bounds,
                 float radius)
{
  GskRoundedRect rounded;

  gsk_rounded_rect_init_from_rect (&rounded, bounds, radius);
  gtk_snapshot_push_rounded_clip (snapshot, &rounded);
  gtk_snapshot_append_color (snapshot, color, bounds);
  gtk_snapshot_pop (snapshot);
}

void
tb_draw_outline (GtkSnapshot *snapshot,
                 const GdkRGBA *color,
                 const graphene_rect_t *bounds,
                 float width)
{
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, bounds, 2);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { width, width, width, width },
                              (GdkRGBA[4]) { *color, *color, *color, *color });
}

void
tb_draw_hatch (GtkSnapshot *snapshot, const GdkRGBA *color, const graphene_rect_t *bounds)
{
  const GdkRGBA nothing = { color->red, color->green, color->blue, 0 };
  const GskColorStop stops[]
      = { { 0, *color }, { .36f, *color }, { .36f, nothing }, { 1, nothing } };

  gtk_snapshot_append_repeating_linear_gradient (snapshot, bounds, &bounds->origin,
                                                 &GRAPHENE_POINT_INIT (bounds->origin.x + 3.4f,
                                                                       bounds->origin.y + 3.4f),
                                                 stops, G_N_ELEMENTS (stops));
}

void
tb_draw_flame_paint (GtkSnapshot *snapshot,
                     const TbPalette *palette,
                     TbFlamePaint paint,
                     float alpha,
                     const graphene_rect_t *bounds)
{
  gboolean hatched = paint == TB_FLAME_INFERRED || paint == TB_FLAME_LOST;
  GdkRGBA color = palette->flame[MIN (paint, TB_N_FLAME_PAINTS - 1)];

  color.alpha *= hatched ? alpha * .45f : alpha;
  gtk_snapshot_append_color (snapshot, &color, bounds);
  if (!hatched)
    return;
  color.alpha = alpha;
  tb_draw_hatch (snapshot, &color, bounds);
}

void
tb_draw_pointer (GtkWidget *widget,
                 GtkSnapshot *snapshot,
                 const TbPalette *palette,
                 const char *text,
                 double x,
                 const graphene_rect_t *plot)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  float top = plot->origin.y + BUBBLE_TOP;
  graphene_rect_t bubble;
  int width, height;
  float left, last;

  gtk_snapshot_append_color (snapshot, &palette->accent,
                             &GRAPHENE_RECT_INIT ((float) floor (x), top, 1.5f, plot->size.height));
  pango_attr_list_insert (attributes, pango_attr_scale_new (.76));
  pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, &height);

  last = plot->origin.x + plot->size.width - (float) width - 2 * BUBBLE_PADDING;
  left = CLAMP ((float) x - (float) width / 2 - BUBBLE_PADDING, plot->origin.x,
                MAX (plot->origin.x, last));
  bubble = GRAPHENE_RECT_INIT (left, top, (float) width + 2 * BUBBLE_PADDING, (float) height + 5);
  tb_draw_rounded (snapshot, &palette->accent, &bubble, 5);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (floorf (left + BUBBLE_PADDING), top + 2));
  gtk_snapshot_append_layout (snapshot, layout, &palette->text_on_accent);
  gtk_snapshot_restore (snapshot);
}

const GdkRGBA *
tb_draw_get_series_color (const TbPalette *palette, guint series)
{
  return &palette->series[series == 0 ? 0 : 1 + (series - 1) % 3];
}

void
tb_draw_set_series_dash (GskStroke *stroke, guint series)
{
  static const float dashes[][2] = { { 0, 0 }, { 6, 3 }, { 2, 2 } };
  /* The fourth outline has the colour of the first, but other dashes. */
  guint further = series > 0 ? series - 1 : 0,
        dash = (further + further / 3) % G_N_ELEMENTS (dashes);

  if (dashes[dash][0] > 0)
    gsk_stroke_set_dash (stroke, dashes[dash], 2);
}
