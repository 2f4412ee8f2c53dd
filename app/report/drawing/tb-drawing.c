/* tb-drawing.c: drawing of a figure as a list of shapes, independent of the output format: shapes,
 * notes, legend and time axis, added by the file for the kind of figure (tb-draw-*.c), which is
 * called here; access to the shapes, colours of inks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/drawing/tb-drawing-private.h"
#include "report/tb-report.h"
#include "report/tb-text-private.h"

G_STATIC_ASSERT (TB_N_INKS == TB_INK_ON_FLAME + TB_N_FLAME_PAINTS);

#define TITLE_HEIGHT 24.
#define LEGEND_LINE 18.
#define SWATCH 11.
#define SWATCH_GAP 6.
#define KEY_GAP 18.
#define MARGIN 12.
#define TICK_LABEL 90.
#define AXIS_HEIGHT 20.

/**
 * TbDrawing:
 *
 * A figure as a list of shapes in inks, independent of a screen. The look of a figure outside the
 * window is defined only here. The backends, SVG (here, for pages and files) and cairo (in the
 * application, for pictures and printing), do not depend on the kind of figure. The number of
 * shapes is limited for a figure of any size: the drawing has the count of what is left out.
 */
struct _TbDrawing
{
  double width;
  double height;
  double heading_top;
  double heading_bottom;
  GArray *shapes;
  GArray *points;
  GStringChunk *strings;
};

static void
drawing_clear (gpointer data)
{
  TbDrawing *self = data;

  g_array_unref (self->shapes);
  g_array_unref (self->points);
  g_string_chunk_free (self->strings);
}

/**
 * tb_drawing_ref:
 * @self: a drawing
 *
 * Acquires a reference.
 *
 * Returns: (transfer full): @self
 */
TbDrawing *
tb_drawing_ref (TbDrawing *self)
{
  return g_atomic_rc_box_acquire (self);
}

/**
 * tb_drawing_unref:
 * @self: (transfer full): a drawing
 *
 * Releases a reference. The last one frees the drawing.
 */
void
tb_drawing_unref (TbDrawing *self)
{
  g_atomic_rc_box_release_full (self, drawing_clear);
}

G_DEFINE_BOXED_TYPE (TbDrawing, tb_drawing, tb_drawing_ref, tb_drawing_unref)

TbDrawing *
tb_drawing_new_empty (void)
{
  TbDrawing *self = g_atomic_rc_box_new0 (TbDrawing);

  self->shapes = g_array_new (FALSE, TRUE, sizeof (TbShape));
  self->points = g_array_new (FALSE, FALSE, sizeof (TbPathPoint));
  self->strings = g_string_chunk_new (1024);
  self->width = DRAWING_WIDTH;
  return self;
}

static void
draw (TbDrawing *self, TbFigure *figure, gint64 from, gint64 to)
{
  if (TB_IS_TIMELINE_FIGURE (figure))
    tb_drawing_draw_timeline (self, TB_TIMELINE_FIGURE (figure), from, to);
  else if (TB_IS_FLAME_FIGURE (figure))
    tb_drawing_draw_flame (self, TB_FLAME_FIGURE (figure), from, to);
  else if (TB_IS_HISTOGRAM_FIGURE (figure))
    tb_drawing_draw_histogram (self, TB_HISTOGRAM_FIGURE (figure));
  else if (TB_IS_HEATMAP_FIGURE (figure))
    tb_drawing_draw_heatmap (self, TB_HEATMAP_FIGURE (figure));
  else if (TB_IS_GRAPH_FIGURE (figure))
    tb_drawing_draw_graph (self, TB_GRAPH_FIGURE (figure));
  else if (TB_IS_TABLE_FIGURE (figure))
    tb_drawing_draw_table (self, TB_TABLE_FIGURE (figure));
}

/**
 * tb_drawing_new:
 * @figure: a frozen figure of any kind
 * @parts: whether the drawing has the title of the figure
 * @from: for a timeline or a chronological flame: start of the time to draw; %TB_TIME_NONE: all
 * @to: end of the time to draw; %TB_TIME_NONE: all
 *
 * Draws a figure. For a graph this can take seconds: call it in a thread.
 *
 * Returns: (transfer full): the drawing
 */
TbDrawing *
tb_drawing_new (TbFigure *figure, TbDrawingParts parts, gint64 from, gint64 to)
{
  TbDrawing *self;

  g_return_val_if_fail (TB_IS_FIGURE (figure) && tb_figure_is_frozen (figure), NULL);

  self = tb_drawing_new_empty ();
  if (parts == TB_DRAWING_TITLED)
    {
      tb_drawing_add_text (self, 0, 15, DRAWING_WIDTH,
                           &(TbShape) { .fill = TB_INK_TEXT, .flags = TB_SHAPE_BOLD },
                           tb_figure_get_title (figure));
      self->height = TITLE_HEIGHT;
    }
  draw (self, figure, from, to);
  if (self->height <= (parts == TB_DRAWING_TITLED ? TITLE_HEIGHT : 0))
    tb_drawing_add_note (self, _ ("There is nothing to draw in this figure."));
  return self;
}

/**
 * tb_drawing_get_size:
 * @self: a drawing
 * @width: (out) (optional): width in pixels of a screen of average resolution
 * @height: (out) (optional): height in the same unit
 *
 * Gets the size of a drawing.
 */
void
tb_drawing_get_size (TbDrawing *self, double *width, double *height)
{
  if (width != NULL)
    *width = self->width;
  if (height != NULL)
    *height = MAX (self->height, 1);
}

/**
 * tb_drawing_get_heading:
 * @self: a drawing
 * @top: (out): y of the top of the heading
 * @bottom: (out): y of the bottom of the heading, where its contents begin
 *
 * The heading applies to everything below it: the time axis of a timeline, the column titles of a
 * table. If the drawing is split into pages, the heading is repeated on each page.
 *
 * Returns: whether the drawing has a heading
 */
gboolean
tb_drawing_get_heading (TbDrawing *self, double *top, double *bottom)
{
  *top = self->heading_top;
  *bottom = self->heading_bottom;
  return self->heading_bottom > self->heading_top;
}

/**
 * tb_drawing_is_empty:
 * @self: a drawing
 *
 * Gets whether there is nothing to draw.
 *
 * Returns: whether the drawing has no shapes
 */
gboolean
tb_drawing_is_empty (TbDrawing *self)
{
  return self->shapes->len == 0;
}

/**
 * tb_drawing_get_shapes:
 * @self: a drawing
 * @n_shapes: (out): number of shapes
 *
 * Gets the shapes.
 *
 * Returns: (array length=n_shapes) (transfer none): the shapes, from the bottom to the top
 */
const TbShape *
tb_drawing_get_shapes (TbDrawing *self, gsize *n_shapes)
{
  *n_shapes = self->shapes->len;
  return (const TbShape *) (gpointer) self->shapes->data;
}

/**
 * tb_drawing_get_points:
 * @self: a drawing
 * @n_points: (out): number of points
 *
 * Gets the points of all paths.
 *
 * Returns: (array length=n_points) (transfer none): the points of the paths
 */
const TbPathPoint *
tb_drawing_get_points (TbDrawing *self, gsize *n_points)
{
  *n_points = self->points->len;
  return (const TbPathPoint *) (gpointer) self->points->data;
}

/**
 * tb_ink_get_color:
 * @ink: a #TbInk
 * @colors: a set of colours
 *
 * Gets the colour of an ink.
 *
 * Returns: the colour of the ink, 0xRRGGBB
 */
guint32
tb_ink_get_color (guint ink, const TbColors *colors)
{
  switch (ink)
    {
    case TB_INK_DIM:
      return colors->dim;
    case TB_INK_GRID:
      return colors->grid;
    case TB_INK_LINE:
      return colors->line;
    case TB_INK_SURFACE:
      return colors->surface;
    case TB_INK_ACCENT:
      return colors->accent;
    default:
      break;
    }
  if (ink >= TB_INK_ON_FLAME && ink < TB_N_INKS)
    return colors->text_on_flame[ink - TB_INK_ON_FLAME];
  if (ink >= TB_INK_FLAME && ink < TB_N_INKS)
    return colors->flame[ink - TB_INK_FLAME];
  if (ink >= TB_INK_ON_PAINT && ink < TB_N_INKS)
    return colors->text_on_paint[ink - TB_INK_ON_PAINT];
  if (ink >= TB_INK_PAINT && ink < TB_N_INKS)
    return colors->paint[ink - TB_INK_PAINT];
  if (ink >= TB_INK_SEVERITY && ink < TB_N_INKS)
    return colors->severity[ink - TB_INK_SEVERITY];
  return colors->text;
}

/* Construction */

double
tb_drawing_get_bottom (TbDrawing *self)
{
  return self->height;
}

void
tb_drawing_set_size (TbDrawing *self, double width, double height)
{
  self->width = MAX (self->width, width);
  self->height = MAX (self->height, height);
}

void
tb_drawing_set_heading (TbDrawing *self, double top, double bottom)
{
  self->heading_top = top;
  self->heading_bottom = bottom;
}

static TbShape *
add_shape (TbDrawing *self, TbShapeKind kind, const TbShape *look)
{
  TbShape *shape;

  g_array_set_size (self->shapes, self->shapes->len + 1);
  shape = &g_array_index (self->shapes, TbShape, self->shapes->len - 1);
  if (look != NULL)
    *shape = *look;
  shape->kind = kind;
  if (shape->opacity <= 0)
    shape->opacity = 1;
  if (shape->stroke != TB_INK_NONE && shape->line_width <= 0)
    shape->line_width = 1;
  return shape;
}

/* Names in recordings are untrusted. */
static const char *
intern_text (TbDrawing *self, const char *text, guint columns)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autoptr (GString) cut = g_string_new (NULL);

  tb_text_append_cut (cut, valid, columns);
  return g_string_chunk_insert (self->strings, cut->str);
}

void
tb_drawing_begin_group (TbDrawing *self, const char *title)
{
  add_shape (self, TB_SHAPE_GROUP, NULL)->text = intern_text (self, title, 1000);
}

void
tb_drawing_end_group (TbDrawing *self)
{
  add_shape (self, TB_SHAPE_END, NULL);
}

void
tb_drawing_add_box (TbDrawing *self,
                    double x,
                    double y,
                    double width,
                    double height,
                    const TbShape *look)
{
  TbShape *shape = add_shape (self, TB_SHAPE_BOX, look);

  shape->x = x;
  shape->y = y;
  shape->width = width;
  shape->height = height;
  self->height = MAX (self->height, y + height);
}

void
tb_drawing_add_text (TbDrawing *self,
                     double x,
                     double y,
                     double width,
                     const TbShape *look,
                     const char *text)
{
  TbShape *shape = add_shape (self, TB_SHAPE_TEXT, look);

  shape->x = x;
  shape->y = y;
  shape->text = intern_text (self, text, width > 0 ? MAX (width / CHARACTER_WIDTH, 1) : 1000);
  self->height = MAX (self->height, y + 3);
}

void
tb_drawing_begin_path (TbDrawing *self, const TbShape *look)
{
  add_shape (self, TB_SHAPE_PATH, look)->first = self->points->len;
}

/* Adds a point to the last path. */
void
tb_drawing_add_point (TbDrawing *self, char op, double x, double y)
{
  TbPathPoint point = { x, y, op };

  g_array_append_val (self->points, point);
  g_array_index (self->shapes, TbShape, self->shapes->len - 1).n++;
  if (op != 'Z' && op != 'S')
    self->height = MAX (self->height, y);
}

void
tb_drawing_add_line (TbDrawing *self, double x0, double y0, double x1, double y1, guint ink)
{
  tb_drawing_begin_path (self, &(TbShape) { .stroke = ink });
  tb_drawing_add_point (self, 'M', x0, y0);
  tb_drawing_add_point (self, 'L', x1, y1);
}

void
tb_drawing_add_note (TbDrawing *self, const char *text)
{
  tb_drawing_add_text (self, 0, self->height + LEGEND_LINE, self->width,
                       &(TbShape) { .fill = TB_INK_DIM }, text);
  self->height += 4;
}

void
tb_drawing_add_legend (TbDrawing *self, double left, TbDrawingKey *keys, guint n)
{
  double x = left, y = self->height + MARGIN;

  for (guint i = 0; i < n; i++)
    {
      double room
          = SWATCH + SWATCH_GAP + tb_text_get_width (keys[i].text) * CHARACTER_WIDTH + KEY_GAP;

      if (x > left && x + room > self->width)
        {
          x = left;
          y += LEGEND_LINE;
        }
      tb_drawing_add_box (self, x, y, SWATCH, SWATCH,
                          &(TbShape) { .fill = keys[i].ink,
                                       .flags = keys[i].flags,
                                       .opacity = keys[i].opacity,
                                       .radius = 2 });
      tb_drawing_add_text (self, x + SWATCH + SWATCH_GAP, y + 9.5, 0,
                           &(TbShape) { .fill = TB_INK_DIM }, keys[i].text);
      x += room;
      g_free (keys[i].text);
    }
}

/* The step between ticks: 1, 2 or 5 times a power of ten, the smallest that leaves room for the
 * labels. */
static double
choose_step (double length, double width)
{
  double most = MAX (width / TICK_LABEL, 1), step = 1;

  while (length / step > most)
    {
      if (length / (2 * step) <= most)
        return 2 * step;
      if (length / (5 * step) <= most)
        return 5 * step;
      step *= 10;
    }
  return step;
}

double
tb_drawing_add_time_axis (TbDrawing *self,
                          double left,
                          double width,
                          gint64 origin,
                          gint64 from,
                          gint64 to)
{
  double length = MAX ((double) to - (double) from, 1), step = choose_step (length, width);
  double offset = (double) from - (double) origin, top = self->height + 12;

  for (double tick = ceil (offset / step) * step; tick <= offset + length; tick += step)
    {
      double x = left + (tick - offset) / length * width;
      g_autofree char *label
          = tick == 0 ? g_strdup ("0") : tb_format_time ((gint64) tick, (gint64) step);
      guint flags = x > left + width - 20 ? TB_SHAPE_RIGHT : x < left + 20 ? 0 : TB_SHAPE_CENTERED;

      tb_drawing_add_text (self, x, top, 0, &(TbShape) { .fill = TB_INK_DIM, .flags = flags },
                           label);
      tb_drawing_add_line (self, x, top + 3, x, top + 7, TB_INK_LINE);
    }
  tb_drawing_add_line (self, left, top + 7, left + width, top + 7, TB_INK_LINE);
  self->height = MAX (self->height, top - 12 + AXIS_HEIGHT);
  return self->height;
}
