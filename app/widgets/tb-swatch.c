/* tb-swatch.c: small sample of the colour, hatching or line of a thread state, flame box or
 * histogram series, next to its meaning
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "widgets/tb-widget-drawing-private.h"
#include "widgets/tb-swatch-private.h"

struct _TbSwatch
{
  GtkWidget parent_instance;

  TbSwatchKind kind;
  guint paint;
};

G_DEFINE_FINAL_TYPE (TbSwatch, tb_swatch, GTK_TYPE_WIDGET)

/* Draws it as the histogram does: the first distribution as bars, further ones as outlines. */
static void
append_series (GtkSnapshot *snapshot,
               const TbPalette *palette,
               guint series,
               const graphene_rect_t *bounds)
{
  const GdkRGBA *color = tb_draw_get_series_color (palette, series);
  float middle = floorf (bounds->size.height / 2) + .5f;
  GskPathBuilder *builder;
  GskStroke *stroke;
  GskPath *path;

  if (series == 0)
    {
      gtk_snapshot_append_color (snapshot, color, bounds);
      return;
    }
  builder = gsk_path_builder_new ();
  gsk_path_builder_move_to (builder, 0, middle);
  gsk_path_builder_line_to (builder, bounds->size.width, middle);
  path = gsk_path_builder_free_to_path (builder);
  stroke = gsk_stroke_new (3);
  tb_draw_set_series_dash (stroke, series);
  gtk_snapshot_append_stroke (snapshot, path, stroke, color);
  gsk_stroke_free (stroke);
  gsk_path_unref (path);
}

static void
tb_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbSwatch *self = TB_SWATCH (widget);
  const TbPalette *palette = tb_palette_get_default ();
  graphene_rect_t bounds
      = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  GskRoundedRect rounded;

  gsk_rounded_rect_init_from_rect (&rounded, &bounds, 3);
  gtk_snapshot_push_rounded_clip (snapshot, &rounded);
  if (self->kind == TB_SWATCH_SERIES)
    append_series (snapshot, palette, self->paint, &bounds);
  else if (self->kind == TB_SWATCH_FLAME)
    tb_draw_flame_paint (snapshot, palette, self->paint, 1, &bounds);
  else if (self->paint == TB_PAINT_LOST)
    tb_draw_hatch (snapshot, &palette->paint[TB_PAINT_LOST], &bounds);
  else if (self->paint == TB_PAINT_ESTIMATED)
    {
      GdkRGBA ground = palette->paint[TB_PAINT_ESTIMATED];

      ground.alpha *= .35f;
      gtk_snapshot_append_color (snapshot, &ground, &bounds);
      tb_draw_hatch (snapshot, &palette->paint[TB_PAINT_ESTIMATED], &bounds);
    }
  else
    gtk_snapshot_append_color (snapshot, &palette->paint[self->paint], &bounds);
  gtk_snapshot_pop (snapshot);
}

static void
tb_swatch_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  TbSwatch *self = TB_SWATCH (widget);
  /* wide enough for several dashes */
  int width = self->kind == TB_SWATCH_SERIES && self->paint > 0 ? 22 : 12;

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? width : 11;
}

static void
tb_swatch_class_init (TbSwatchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tb_swatch_snapshot;
  widget_class->measure = tb_swatch_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tb_swatch_init (TbSwatch *self)
{
}

GtkWidget *
tb_swatch_new (void)
{
  return g_object_new (TB_TYPE_SWATCH, "valign", GTK_ALIGN_CENTER, NULL);
}

void
tb_swatch_set_paint (TbSwatch *self, TbSwatchKind kind, guint paint)
{
  self->kind = kind;
  self->paint = paint;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
