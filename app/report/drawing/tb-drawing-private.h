/* tb-drawing-private.h: construction of drawings: shapes, legend and time axis added, figures of
 * each kind drawn, and SVG with its style classes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/drawing/tb-drawing.h"
#include "report/graph/tb-graph-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"

G_BEGIN_DECLS

/* Width of all drawings except those of graphs. */
#define DRAWING_WIDTH 1000.
/* Estimated width of a column of text, because fonts are not known here. */
#define CHARACTER_WIDTH 6.3

/* A drawing without shapes. */
TbDrawing *tb_drawing_new_empty (void);
double tb_drawing_get_bottom (TbDrawing *self);
void tb_drawing_set_size (TbDrawing *self, double width, double height);
/* See tb_drawing_get_heading(). */
void tb_drawing_set_heading (TbDrawing *self, double top, double bottom);

/* The look is a template for the shape: members that are 0 have no effect. */
void tb_drawing_begin_group (TbDrawing *self, const char *title);
void tb_drawing_end_group (TbDrawing *self);
void tb_drawing_add_box (TbDrawing *self,
                         double x,
                         double y,
                         double width,
                         double height,
                         const TbShape *look);
/* width: the text is cut at this width; 0: not cut. */
void tb_drawing_add_text (TbDrawing *self,
                          double x,
                          double y,
                          double width,
                          const TbShape *look,
                          const char *text);
void tb_drawing_begin_path (TbDrawing *self, const TbShape *look);
void tb_drawing_add_point (TbDrawing *self, char op, double x, double y);
void tb_drawing_add_line (TbDrawing *self, double x0, double y0, double x1, double y1, guint ink);
/* Adds a line such as "… and 12 more" at the bottom. */
void tb_drawing_add_note (TbDrawing *self, const char *text);

typedef struct
{
  guint ink;
  char *text;     /* (transfer full) */
  guint flags;    /* of its shapes */
  double opacity; /* 0: opaque */
} TbDrawingKey;

/* Adds the meaning of inks, as lines at the bottom. Takes ownership of the texts. */
void tb_drawing_add_legend (TbDrawing *self, double left, TbDrawingKey *keys, guint n);

/* Each adds its figure at the bottom of the drawing. */
void tb_drawing_draw_flame (TbDrawing *self, TbFlameFigure *figure, gint64 from, gint64 to);
void tb_drawing_draw_graph (TbDrawing *self, TbGraphFigure *figure);
void tb_drawing_draw_heatmap (TbDrawing *self, TbHeatmapFigure *figure);
void tb_drawing_draw_histogram (TbDrawing *self, TbHistogramFigure *figure);
void tb_drawing_draw_table (TbDrawing *self, TbTableFigure *figure);
void tb_drawing_draw_timeline (TbDrawing *self, TbTimelineFigure *figure, gint64 from, gint64 to);

/* Adds the time axis of a timeline or a heat map: labels above a line. Returns the y of the
 * line. */
double tb_drawing_add_time_axis (TbDrawing *self,
                                 double left,
                                 double width,
                                 gint64 origin,
                                 gint64 from,
                                 gint64 to);

/* Appends the shapes as SVG. Colours come from the classes of tb_drawing_append_classes(). */
void tb_drawing_append_svg (TbDrawing *self, GString *out, const char *attributes);
/* Appends the style sheet of the inks that the shapes and texts of self use; if self is NULL, of
 * all inks. */
void tb_drawing_append_classes (TbDrawing *self, GString *out, const TbColors *colors);
/* Appends the pattern that hatched shapes refer to. Needed once in a document. */
void tb_drawing_append_hatching (GString *out);

G_END_DECLS
