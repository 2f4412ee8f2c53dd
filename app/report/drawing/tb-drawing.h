/* tb-drawing.h: drawing of a figure, or of the findings of a report, as a list of shapes for SVG,
 * pages and printing; colours of inks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-colors.h"
#include "report/tb-report.h"

G_BEGIN_DECLS

/**
 * TbInk:
 * @TB_INK_NONE: not drawn
 * @TB_INK_TEXT: text
 * @TB_INK_DIM: secondary text
 * @TB_INK_GRID: grid lines
 * @TB_INK_LINE: borders
 * @TB_INK_SURFACE: background
 * @TB_INK_ACCENT: bars and handles
 * @TB_INK_SEVERITY: four inks, by #TbSeverity
 * @TB_INK_PAINT: intervals of a timeline, by #TbPaint
 * @TB_INK_ON_PAINT: text on @TB_INK_PAINT
 * @TB_INK_FLAME: boxes of a flame figure, by #TbFlamePaint
 * @TB_INK_ON_FLAME: text on @TB_INK_FLAME
 *
 * The role of a shape's colour. The colour itself depends on the style (tb_ink_get_color()).
 */
typedef enum
{
  TB_INK_NONE,
  TB_INK_TEXT,
  TB_INK_DIM,
  TB_INK_GRID,
  TB_INK_LINE,
  TB_INK_SURFACE,
  TB_INK_ACCENT,
  TB_INK_SEVERITY,
  TB_INK_PAINT = TB_INK_SEVERITY + 4,
  TB_INK_ON_PAINT = TB_INK_PAINT + TB_N_PAINTS,
  TB_INK_FLAME = TB_INK_ON_PAINT + TB_N_PAINTS,
  TB_INK_ON_FLAME = TB_INK_FLAME + TB_N_FLAME_PAINTS,
} TbInk;

/**
 * TB_N_INKS:
 *
 * Number of the inks: the last four values of [enum@Ink] stand for one of each paint. A literal:
 * the introspection does not evaluate the macros in them.
 */
#define TB_N_INKS 73

/**
 * TbShapeKind:
 * @TB_SHAPE_GROUP: start of a group of shapes; its text is a tooltip
 * @TB_SHAPE_END: end of a group
 * @TB_SHAPE_BOX: a rectangle, with round corners if it has a radius
 * @TB_SHAPE_PATH: lines, curves and boxes
 * @TB_SHAPE_TEXT: one line of text
 *
 * The kinds of shapes in a drawing.
 */
typedef enum
{
  TB_SHAPE_GROUP,
  TB_SHAPE_END,
  TB_SHAPE_BOX,
  TB_SHAPE_PATH,
  TB_SHAPE_TEXT,
} TbShapeKind;

/**
 * TbShapeFlags:
 * @TB_SHAPE_DASHED: the line is dashed
 * @TB_SHAPE_DOTTED: the line is dotted
 * @TB_SHAPE_HATCHED: the fill is hatched
 * @TB_SHAPE_BOLD: the text is bold
 * @TB_SHAPE_CENTERED: x is the middle of the text
 * @TB_SHAPE_RIGHT: x is the right end of the text
 *
 * The look of a shape.
 */
typedef enum
{
  TB_SHAPE_DASHED = 1 << 0,
  TB_SHAPE_DOTTED = 1 << 1,
  TB_SHAPE_HATCHED = 1 << 2,
  TB_SHAPE_BOLD = 1 << 3,
  TB_SHAPE_CENTERED = 1 << 4,
  TB_SHAPE_RIGHT = 1 << 5,
} TbShapeFlags;

/**
 * TbShape:
 * @kind: kind
 * @flags: [flags@Tailback.ShapeFlags]
 * @fill: [enum@Tailback.Ink] of the inside, and of text
 * @stroke: [enum@Tailback.Ink] of the line
 * @line_width: width of the line
 * @opacity: 0…1
 * @x: left side of a box; of a text the side or middle by which it is placed
 * @y: top of a box, baseline of a text
 * @width: width of a box
 * @height: height of a box
 * @radius: radius of the corners of a box
 * @first: index of the first point of a path
 * @n: number of points of a path
 * @text: (nullable): of a text or a group: valid UTF-8 without control characters
 *
 * A shape of a drawing. All lengths are in pixels of a screen of average resolution.
 */
typedef struct
{
  TbShapeKind kind;
  guint flags;
  guint fill;
  guint stroke;
  double line_width;
  double opacity;
  double x;
  double y;
  double width;
  double height;
  double radius;
  gsize first;
  gsize n;
  const char *text;
} TbShape;

/**
 * TbPathPoint:
 * @x: horizontal position, or the width of a box
 * @y: vertical position, or the height of a box
 * @op: 'M': move; 'L': line; 'C': one of the three points of a curve; 'Z': close; 'B': corner of a
 *   box, followed by 'S': its size
 *
 * A point of a path.
 */
typedef struct
{
  double x;
  double y;
  char op;
} TbPathPoint;

/**
 * TbDrawingParts:
 * @TB_DRAWING_FIGURE: only the figure, for a page that has the title
 * @TB_DRAWING_TITLED: the figure with its title, for a separate picture
 *
 * Which parts of a figure are drawn.
 */
typedef enum
{
  TB_DRAWING_FIGURE,
  TB_DRAWING_TITLED,
} TbDrawingParts;

/**
 * TB_DRAWING_FONT_SIZE:
 *
 * Size of text, in the units of drawings.
 */
#define TB_DRAWING_FONT_SIZE 11

#define TB_TYPE_DRAWING (tb_drawing_get_type ())
typedef struct _TbDrawing TbDrawing;

TB_EXPORT GType tb_drawing_get_type (void) G_GNUC_CONST;
TB_EXPORT TbDrawing *
tb_drawing_new (TbFigure *figure, TbDrawingParts parts, gint64 from, gint64 to);
TB_EXPORT TbDrawing *tb_drawing_new_for_findings (TbReport *report);
TB_EXPORT TbDrawing *tb_drawing_ref (TbDrawing *self);
TB_EXPORT void tb_drawing_unref (TbDrawing *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbDrawing, tb_drawing_unref)

TB_EXPORT void tb_drawing_get_size (TbDrawing *self, double *width, double *height);
TB_EXPORT gboolean tb_drawing_is_empty (TbDrawing *self);
TB_EXPORT gboolean tb_drawing_get_heading (TbDrawing *self, double *top, double *bottom);
TB_EXPORT const TbShape *tb_drawing_get_shapes (TbDrawing *self, gsize *n_shapes);
TB_EXPORT const TbPathPoint *tb_drawing_get_points (TbDrawing *self, gsize *n_points);
TB_EXPORT char *tb_drawing_to_svg (TbDrawing *self, TbColorStyle style);

TB_EXPORT guint32 tb_ink_get_color (guint ink, const TbColors *colors);

G_END_DECLS
