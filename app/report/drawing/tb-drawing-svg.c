/* tb-drawing-svg.c: drawings as SVG: elements of the shapes, style sheet of their colours,
 * hatching, and complete SVG files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "report/drawing/tb-drawing-private.h"
#include "report/html/tb-html-private.h"

#define FONT "system-ui,Cantarell,'Noto Sans',sans-serif"

static char *
dup_ink_name (guint ink)
{
  static const char *const names[] = { "none", "text", "dim", "grid", "line", "surface", "accent" };

  if (ink < TB_INK_SEVERITY)
    return g_strdup (names[ink]);
  if (ink < TB_INK_PAINT)
    return g_strdup_printf ("severity-%u", ink - TB_INK_SEVERITY);
  if (ink < TB_INK_ON_PAINT)
    return g_strdup (tb_paint_get_name (ink - TB_INK_PAINT));
  if (ink < TB_INK_FLAME)
    return g_strdup_printf ("on-%s", tb_paint_get_name (ink - TB_INK_ON_PAINT));
  if (ink < TB_INK_ON_FLAME)
    return g_strdup_printf ("flame-%s", tb_flame_paint_get_name (ink - TB_INK_FLAME));
  return g_strdup_printf ("on-flame-%s", tb_flame_paint_get_name (ink - TB_INK_ON_FLAME));
}

/* A number in the syntax of SVG, independent of the locale, with at most one decimal digit. */
static void
append_number (GString *out, double value)
{
  gint64 tenths = (gint64) (CLAMP (value, -1e9, 1e9) * 10 + (value < 0 ? -.5 : .5));

  g_string_append_printf (out, "%s%" G_GINT64_FORMAT, tenths < 0 && tenths > -10 ? "-" : "",
                          tenths / 10);
  if (tenths % 10 != 0)
    g_string_append_printf (out, ".%" G_GINT64_FORMAT, ABS (tenths % 10));
}

static void
append_attribute (GString *out, const char *name, double value)
{
  g_string_append_printf (out, " %s=\"", name);
  append_number (out, value);
  g_string_append_c (out, '"');
}

static void
append_look (GString *out, const TbShape *shape)
{
  g_autofree char *fill = dup_ink_name (shape->fill), *stroke = dup_ink_name (shape->stroke);

  if (shape->fill != TB_INK_NONE || shape->stroke != TB_INK_NONE || shape->kind != TB_SHAPE_TEXT)
    g_string_append_printf (out, " class=\"f-%s", fill);
  if (shape->stroke != TB_INK_NONE)
    g_string_append_printf (out, " s-%s", stroke);
  g_string_append (out, shape->flags & TB_SHAPE_BOLD ? " b\"" : "\"");
  if (shape->stroke != TB_INK_NONE)
    append_attribute (out, "stroke-width", shape->line_width);
  if (shape->flags & TB_SHAPE_DASHED)
    g_string_append (out, " stroke-dasharray=\"6 4\"");
  else if (shape->flags & TB_SHAPE_DOTTED)
    g_string_append (out, " stroke-dasharray=\"2 3\"");
  if (shape->opacity < 1)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (out, " opacity=\"%s\"",
                              g_ascii_formatd (text, sizeof text, "%.2f", shape->opacity));
    }
}

static void
append_box (GString *out, const TbShape *shape)
{
  g_string_append (out, "<rect");
  append_attribute (out, "x", shape->x);
  append_attribute (out, "y", shape->y);
  append_attribute (out, "width", shape->width);
  append_attribute (out, "height", shape->height);
  if (shape->radius > 0)
    append_attribute (out, "rx", shape->radius);
  append_look (out, shape);
  g_string_append (out, "/>");
  if (shape->flags & TB_SHAPE_HATCHED)
    {
      g_string_append (out, "<rect fill=\"url(#tb-hatching)\"");
      append_attribute (out, "x", shape->x);
      append_attribute (out, "y", shape->y);
      append_attribute (out, "width", shape->width);
      append_attribute (out, "height", shape->height);
      g_string_append (out, "/>");
    }
}

static void
append_path (GString *out, const TbShape *shape, const TbPathPoint *points)
{
  char last = '\0';

  g_string_append (out, "<path");
  append_look (out, shape);
  g_string_append (out, " d=\"");
  for (gsize i = 0; i < shape->n; i++)
    switch (points[i].op)
      {
      case 'Z':
        g_string_append_c (out, 'z');
        last = 'Z';
        break;
      case 'S':
        g_string_append_c (out, 'h');
        append_number (out, points[i].x);
        g_string_append_c (out, 'v');
        append_number (out, points[i].y);
        g_string_append_c (out, 'h');
        append_number (out, -points[i].x);
        g_string_append_c (out, 'z');
        last = 'S';
        break;
      default:
        if (points[i].op == 'C' && last == 'C')
          g_string_append_c (out, ' ');
        else
          g_string_append_c (out, points[i].op == 'B' ? 'M' : points[i].op);
        append_number (out, points[i].x);
        g_string_append_c (out, ' ');
        append_number (out, points[i].y);
        last = points[i].op;
      }
  g_string_append (out, "\"/>");
}

static void
append_text (GString *out, const TbShape *shape)
{
  g_string_append (out, "<text");
  append_attribute (out, "x", shape->x);
  append_attribute (out, "y", shape->y);
  append_look (out, shape);
  if (shape->flags & TB_SHAPE_CENTERED)
    g_string_append (out, " text-anchor=\"middle\"");
  else if (shape->flags & TB_SHAPE_RIGHT)
    g_string_append (out, " text-anchor=\"end\"");
  g_string_append_c (out, '>');
  tb_html_append_text (out, shape->text);
  g_string_append (out, "</text>");
}

void
tb_drawing_append_svg (TbDrawing *self, GString *out, const char *attributes)
{
  gsize n_shapes, n_points;
  const TbShape *shapes = tb_drawing_get_shapes (self, &n_shapes);
  const TbPathPoint *points = tb_drawing_get_points (self, &n_points);
  double width, height;

  tb_drawing_get_size (self, &width, &height);
  g_string_append_printf (out, "<svg%s viewBox=\"0 0 ", attributes);
  append_number (out, width);
  g_string_append_c (out, ' ');
  append_number (out, height);
  g_string_append (out, "\">\n");
  for (gsize i = 0; i < n_shapes; i++)
    switch (shapes[i].kind)
      {
      case TB_SHAPE_GROUP:
        g_string_append (out, "<g><title>");
        tb_html_append_text (out, shapes[i].text);
        g_string_append (out, "</title>");
        break;
      case TB_SHAPE_END:
        g_string_append (out, "</g>\n");
        break;
      case TB_SHAPE_BOX:
        append_box (out, &shapes[i]);
        break;
      case TB_SHAPE_PATH:
        append_path (out, &shapes[i], points + shapes[i].first);
        break;
      case TB_SHAPE_TEXT:
        append_text (out, &shapes[i]);
        break;
      default:
        g_assert_not_reached ();
      }
  g_string_append (out, "</svg>\n");
}

void
tb_drawing_append_classes (TbDrawing *self, GString *out, const TbColors *colors)
{
  gboolean fills[TB_N_INKS] = { FALSE }, strokes[TB_N_INKS] = { FALSE };
  gsize n_shapes = 0;
  const TbShape *shapes = self != NULL ? tb_drawing_get_shapes (self, &n_shapes) : NULL;

  for (gsize i = 0; i < n_shapes; i++)
    {
      fills[shapes[i].fill] = TRUE;
      strokes[shapes[i].stroke] = TRUE;
    }
  for (guint ink = TB_INK_TEXT; ink < TB_N_INKS; ink++)
    {
      g_autofree char *name = dup_ink_name (ink);

      if (self == NULL || fills[ink])
        g_string_append_printf (out, ".f-%s{fill:#%06x}", name, tb_ink_get_color (ink, colors));
      if (self == NULL ? ink < TB_INK_ON_PAINT : strokes[ink])
        g_string_append_printf (out, ".s-%s{stroke:#%06x}", name, tb_ink_get_color (ink, colors));
    }
  g_string_append_printf (out, ".hatch{stroke:#%06x}\n", colors->dim);
}

void
tb_drawing_append_hatching (GString *out)
{
  g_string_append (out, "<defs><pattern id=\"tb-hatching\" width=\"6\" height=\"6\" "
                        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                        "<path class=\"hatch\" d=\"M0 0V6\" stroke-width=\"3\"/></pattern></defs>");
}

/**
 * tb_drawing_to_svg:
 * @self: a drawing
 * @style: style of the colours
 *
 * Makes an SVG file without external references and without scripts.
 *
 * Returns: (transfer full): the file, UTF-8
 */
char *
tb_drawing_to_svg (TbDrawing *self, TbColorStyle style)
{
  const TbColors *colors = tb_colors_get (style);
  GString *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  g_autoptr (GString) body = g_string_new (NULL);
  g_autofree char *attributes = NULL;
  double width, height;
  const char *content;

  g_return_val_if_fail (self != NULL, NULL);

  tb_drawing_get_size (self, &width, &height);
  attributes = g_strdup_printf (" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"",
                                (int) width, (int) height);
  tb_drawing_append_svg (self, body, attributes);
  content = strchr (body->str, '\n') + 1;
  g_string_append_len (out, body->str, content - body->str);
  g_string_append (out, "<style>text{font:11px " FONT "}.b{font-weight:600}.f-none{fill:none}");
  tb_drawing_append_classes (self, out, colors);
  g_string_append (out, "</style>\n");
  tb_drawing_append_hatching (out);
  g_string_append_printf (out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                          colors->surface);
  g_string_append (out, content);
  return g_string_free (out, FALSE);
}
