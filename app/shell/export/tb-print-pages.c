/* tb-print-pages.c: page layout for printing: places of drawings below each other; one that is too
 * high for a page is scaled down, or split between its lines, with room for its heading on each
 * page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/drawing/tb-drawing.h"
#include "shell/export/tb-print-pages.h"

/* Points. */
#define GAP 18.
#define SCALE_MAX 0.78 /* text of 11 units gets at most 8.6 points */
/* A drawing is scaled down rather than split, as long as its text has at least this size in
 * points. */
#define TEXT_MIN 5.5
/* A shape that is higher than this, in units, is not a line: frames and hatched areas may be
 * split. */
#define HIGHEST_LINE 60.
#define DESCENT 4.
#define PAGES_MAX 10000

typedef struct
{
  GArray *pieces;
  double width;
  double height;
  double y; /* used height of the page */
  guint page;
} Sheet;

/* Returns the vertical extent of a shape. */
static void
get_extent (const TbShape *shape, const TbPathPoint *points, double *top, double *bottom)
{
  *top = shape->y;
  *bottom = shape->y + shape->height;
  if (shape->kind == TB_SHAPE_TEXT)
    {
      *top = shape->y - TB_DRAWING_FONT_SIZE;
      *bottom = shape->y + DESCENT;
    }
  else if (shape->kind == TB_SHAPE_PATH)
    {
      *top = G_MAXDOUBLE;
      *bottom = -G_MAXDOUBLE;
      for (gsize i = 0; i < shape->n; i++)
        {
          const TbPathPoint *point = &points[shape->first + i];
          double y = point->op == 'S' && i > 0 ? point[-1].y + point->y : point->y;

          if (point->op == 'Z')
            continue;
          *top = MIN (*top, y);
          *bottom = MAX (*bottom, y);
        }
    }
}

/* Returns the end of a part that begins at @from and splits no line: @limit, or a little less. */
static double
find_split (TbDrawing *drawing, double from, double limit)
{
  gsize n_shapes, n_points;
  const TbShape *shapes = tb_drawing_get_shapes (drawing, &n_shapes);
  const TbPathPoint *points = tb_drawing_get_points (drawing, &n_points);
  double least = from + (limit - from) / 2, cut = limit, before;

  do
    {
      before = cut;
      for (gsize i = 0; i < n_shapes; i++)
        {
          double top, bottom;

          if (shapes[i].kind == TB_SHAPE_GROUP || shapes[i].kind == TB_SHAPE_END)
            continue;
          get_extent (&shapes[i], points, &top, &bottom);
          if (top < cut && bottom > cut && bottom - top <= HIGHEST_LINE)
            cut = top;
        }
    }
  while (cut < before && cut > least);
  return cut > least ? cut : limit;
}

static void
next_page (Sheet *self)
{
  self->page++;
  self->y = 0;
}

static void
add_piece (Sheet *self, guint drawing, double from, double to, double scale, double heading)
{
  TbPrintPiece piece = { drawing, self->page, from, to, scale, self->y + heading * scale, heading };

  g_array_append_val (self->pieces, piece);
  self->y = piece.top + (to - from) * scale;
}

static void
add_split_drawing (Sheet *self, TbDrawing *drawing, guint index, double height, double scale)
{
  double heading_top, heading_bottom;
  double heading = tb_drawing_get_heading (drawing, &heading_top, &heading_bottom)
                           && (heading_bottom - heading_top) * scale < self->height / 4
                       ? heading_bottom - heading_top
                       : 0;

  for (double from = 0, to; from < height && self->page < PAGES_MAX; from = to)
    {
      double above = from > 0 ? heading : 0, room = (self->height - self->y) / scale - above;

      to = height - from <= room ? height : find_split (drawing, from, from + room);
      add_piece (self, index, from, to, scale, above);
      if (to < height)
        next_page (self);
    }
}

static void
add_drawing (Sheet *self, TbDrawing *drawing, guint index)
{
  double width, height, scale, least;

  tb_drawing_get_size (drawing, &width, &height);
  scale = MIN (SCALE_MAX, self->width / MAX (width, 1));
  if (self->y > 0)
    self->y += GAP;
  if (height * scale > self->height - self->y && self->y > 0 && height * scale <= self->height)
    next_page (self);
  if (height * scale <= self->height - self->y)
    {
      add_piece (self, index, 0, height, scale, 0);
      return;
    }
  least = MIN (scale, TEXT_MIN / TB_DRAWING_FONT_SIZE);
  if (height * least <= self->height)
    {
      if (height * least > self->height - self->y)
        next_page (self);
      add_piece (self, index, 0, height, (self->height - self->y) / height, 0);
      return;
    }
  /* Avoids a few lines at the bottom of a page. */
  if (self->y > self->height * 2 / 3)
    next_page (self);
  add_split_drawing (self, drawing, index, height, scale);
}

/**
 * tb_print_lay_out:
 * @drawings: (array length=n_drawings): drawings to print, one below the other
 * @n_drawings: number of drawings
 * @width: width of a page, in points
 * @height: height of a page, in points
 *
 * Lays drawings out on pages. A drawing that fits on a page is not split. A higher one is split
 * between its lines, and its heading is repeated on each page.
 *
 * Returns: (transfer full) (element-type TbPrintPiece): parts of drawings, ordered by page; empty
 *   if there is nothing to print
 */
GArray *
tb_print_lay_out (TbDrawing *const *drawings, guint n_drawings, double width, double height)
{
  Sheet self = { g_array_new (FALSE, FALSE, sizeof (TbPrintPiece)), MAX (width, 1), MAX (height, 1),
                 0, 0 };

  for (guint i = 0; i < n_drawings; i++)
    if (!tb_drawing_is_empty (drawings[i]))
      add_drawing (&self, drawings[i], i);
  return self.pieces;
}
