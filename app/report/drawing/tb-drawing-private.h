/* tb-drawing-private.h: how the kinds of figures make their shapes
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

/* Width of all drawings but those of graphs. */
#define DRAWING_WIDTH 1000.
/* Of a column of text, as far as that can be known here. */
#define CHARACTER_WIDTH 6.3

/* Without shapes. */
TbDrawing *tb_drawing_new_empty (void);
double tb_drawing_get_bottom (TbDrawing *self);
void tb_drawing_set_size (TbDrawing *self, double width, double height);
/* See tb_drawing_get_heading(). */
void tb_drawing_set_heading (TbDrawing *self, double top, double bottom);

/* The shape that is given is a template: what it lacks is nothing. */
void tb_drawing_begin_group (TbDrawing *self, const char *title);
void tb_drawing_end_group (TbDrawing *self);
void
tb_drawing_add_box (TbDrawing *self, double x, double y, double width, double height, const TbShape *look);
/* At most so wide, else cut; 0: whole. */
void tb_drawing_add_text (TbDrawing *self,
                          double x,
                          double y,
                          double width,
                          const TbShape *look,
                          const char *text);
void tb_drawing_begin_path (TbDrawing *self, const TbShape *look);
void tb_drawing_add_point (TbDrawing *self, char op, double x, double y);
void tb_drawing_add_line (TbDrawing *self, double x0, double y0, double x1, double y1, guint ink);
/* "… and 12 more", below. */
void tb_drawing_add_note (TbDrawing *self, const char *text);

typedef struct
{
  guint ink;
  char *text; /* (transfer full) */
} TbDrawingKey;

/* What inks mean, in lines below; takes the texts. */
void tb_drawing_add_legend (TbDrawing *self, double left, TbDrawingKey *keys, guint n);

/* Below what is there already. */
void tb_drawing_draw_flame (TbDrawing *self, TbFlameFigure *figure, gint64 from, gint64 to);
void tb_drawing_draw_graph (TbDrawing *self, TbGraphFigure *figure);
void tb_drawing_draw_heatmap (TbDrawing *self, TbHeatmapFigure *figure);
void tb_drawing_draw_histogram (TbDrawing *self, TbHistogramFigure *figure);
void tb_drawing_draw_table (TbDrawing *self, TbTableFigure *figure);
void tb_drawing_draw_timeline (TbDrawing *self, TbTimelineFigure *figure, gint64 from, gint64 to);

/* The time axis of a timeline or a heat map at the top of what follows: labels above a line. Returns where that is. */
double
tb_drawing_add_time_axis (TbDrawing *self, double left, double width, gint64 origin, gint64 from, gint64 to);

/* Appends the shapes as SVG, painted by classes (see tb_drawing_append_classes()). */
void tb_drawing_append_svg (TbDrawing *self, GString *out, const char *attributes);
/* The style sheet of those, and of texts: inks that are used nowhere too, where self is NULL. */
void tb_drawing_append_classes (TbDrawing *self, GString *out, const TbColors *colors);
/* A pattern that hatched shapes refer to; once in a document. */
void tb_drawing_append_hatching (GString *out);

G_END_DECLS
