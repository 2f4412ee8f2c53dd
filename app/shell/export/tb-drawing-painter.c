/* tb-drawing-painter.c: painting of a drawing (the shapes and texts of a figure) with cairo, for
 * images, PDF and print
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>
#include <pango/pangocairo.h>

#include "shell/export/tb-drawing-painter.h"

#define HATCH_STEP 6.
#define HATCH_WIDTH 2.
#define HATCH_LINES_MAX 5000

typedef struct
{
  cairo_t *cairo;
  const TbColors *colors;
  PangoLayout *layout;
} Painter;

static void
set_ink (const Painter *painter, guint ink, double opacity)
{
  guint32 color = tb_ink_get_color (ink, painter->colors);

  cairo_set_source_rgba (painter->cairo, (color >> 16 & 255) / 255., (color >> 8 & 255) / 255.,
                         (color & 255) / 255., opacity);
}

static void
trace_box (cairo_t *cairo, const TbShape *shape)
{
  double radius = MIN (shape->radius, MIN (shape->width, shape->height) / 2);
  double right = shape->x + shape->width, bottom = shape->y + shape->height;

  if (radius <= 0)
    {
      cairo_rectangle (cairo, shape->x, shape->y, shape->width, shape->height);
      return;
    }
  cairo_new_sub_path (cairo);
  cairo_arc (cairo, right - radius, shape->y + radius, radius, -G_PI_2, 0);
  cairo_arc (cairo, right - radius, bottom - radius, radius, 0, G_PI_2);
  cairo_arc (cairo, shape->x + radius, bottom - radius, radius, G_PI_2, G_PI);
  cairo_arc (cairo, shape->x + radius, shape->y + radius, radius, G_PI, G_PI + G_PI_2);
  cairo_close_path (cairo);
}

static void
trace_path (cairo_t *cairo, const TbShape *shape, const TbPathPoint *points)
{
  for (gsize i = 0; i < shape->n; i++)
    switch (points[i].op)
      {
      case 'M':
        cairo_move_to (cairo, points[i].x, points[i].y);
        break;
      case 'L':
        cairo_line_to (cairo, points[i].x, points[i].y);
        break;
      case 'C':
        if (i + 2 < shape->n)
          cairo_curve_to (cairo, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y,
                          points[i + 2].x, points[i + 2].y);
        i += 2;
        break;
      case 'B':
        if (i + 1 < shape->n)
          cairo_rectangle (cairo, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y);
        i++;
        break;
      case 'Z':
        cairo_close_path (cairo);
        break;
      default:
        break;
      }
}

/* Diagonal lines, clipped to the box. */
static void
paint_hatching (const Painter *painter, const TbShape *shape)
{
  double length = shape->width + shape->height, step = MAX (HATCH_STEP, length / HATCH_LINES_MAX);

  cairo_save (painter->cairo);
  cairo_rectangle (painter->cairo, shape->x, shape->y, shape->width, shape->height);
  cairo_clip (painter->cairo);
  for (double offset = 0; offset < length; offset += step)
    {
      cairo_move_to (painter->cairo, shape->x + offset - shape->height, shape->y + shape->height);
      cairo_line_to (painter->cairo, shape->x + offset, shape->y);
    }
  set_ink (painter, TB_INK_DIM, .8);
  cairo_set_line_width (painter->cairo, HATCH_WIDTH);
  cairo_stroke (painter->cairo);
  cairo_restore (painter->cairo);
}

static void
set_dashes (cairo_t *cairo, guint flags)
{
  static const double dashes[] = { 6, 4 }, dots[] = { 2, 3 };

  if (flags & TB_SHAPE_DASHED)
    cairo_set_dash (cairo, dashes, 2, 0);
  else if (flags & TB_SHAPE_DOTTED)
    cairo_set_dash (cairo, dots, 2, 0);
  else
    cairo_set_dash (cairo, NULL, 0, 0);
}

/* Fills and strokes the current path. */
static void
paint_shape (const Painter *painter, const TbShape *shape)
{
  if (shape->fill != TB_INK_NONE)
    {
      set_ink (painter, shape->fill, shape->opacity);
      if (shape->stroke != TB_INK_NONE)
        cairo_fill_preserve (painter->cairo);
      else
        cairo_fill (painter->cairo);
    }
  if (shape->stroke != TB_INK_NONE)
    {
      set_ink (painter, shape->stroke, shape->opacity);
      cairo_set_line_width (painter->cairo, shape->line_width);
      set_dashes (painter->cairo, shape->flags);
      cairo_stroke (painter->cairo);
    }
  cairo_new_path (painter->cairo);
  if (shape->flags & TB_SHAPE_HATCHED)
    paint_hatching (painter, shape);
}

static void
set_font (PangoLayout *layout, gboolean bold)
{
  g_autoptr (PangoFontDescription) font
      = pango_font_description_from_string ("Cantarell, Noto Sans, Sans");

  pango_font_description_set_absolute_size (font, TB_DRAWING_FONT_SIZE * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_SEMIBOLD);
  pango_layout_set_font_description (layout, font);
}

static void
paint_text (const Painter *painter, const TbShape *shape)
{
  double x = shape->x;
  int width;

  set_font (painter->layout, (shape->flags & TB_SHAPE_BOLD) != 0);
  pango_layout_set_text (painter->layout, shape->text, -1);
  pango_layout_get_size (painter->layout, &width, NULL);
  if (shape->flags & TB_SHAPE_CENTERED)
    x -= width / 2. / PANGO_SCALE;
  else if (shape->flags & TB_SHAPE_RIGHT)
    x -= (double) width / PANGO_SCALE;
  set_ink (painter, shape->fill, shape->opacity);
  cairo_move_to (painter->cairo, x,
                 shape->y - (double) pango_layout_get_baseline (painter->layout) / PANGO_SCALE);
  pango_cairo_show_layout (painter->cairo, painter->layout);
}

/**
 * tb_drawing_paint:
 * @cairo: context to paint with, in the units of the drawing
 * @style: colours; the background is not painted
 *
 * Paints a drawing. Can be called from any thread.
 */
void
tb_drawing_paint (TbDrawing *self, cairo_t *cairo, TbColorStyle style)
{
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cairo);
  const Painter painter = { cairo, tb_colors_get (style), layout };
  gsize n_shapes, n_points;
  const TbShape *shapes = tb_drawing_get_shapes (self, &n_shapes);
  const TbPathPoint *points = tb_drawing_get_points (self, &n_points);

  for (gsize i = 0; i < n_shapes; i++)
    switch (shapes[i].kind)
      {
      case TB_SHAPE_BOX:
        trace_box (cairo, &shapes[i]);
        paint_shape (&painter, &shapes[i]);
        break;
      case TB_SHAPE_PATH:
        trace_path (cairo, &shapes[i], points + shapes[i].first);
        paint_shape (&painter, &shapes[i]);
        break;
      case TB_SHAPE_TEXT:
        paint_text (&painter, &shapes[i]);
        break;
      default:
        break;
      }
}
