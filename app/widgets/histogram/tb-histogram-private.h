/* tb-histogram-private.h: internal declarations of the parts of a histogram view: structures, with
 * their functions, of the scale, ticks, index of maxima, bars and canvas; input
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/histogram/tb-histogram-figure.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/bins/tb-bins-canvas-private.h"

G_BEGIN_DECLS

/**
 * TbHistogramScale:
 * @logarithmic: equal ratios of values have equal distances; otherwise equal differences
 * @base: a value near the visible ones, from which differences are computed, so that they are exact
 *   far from 0 too
 * @from: start of the visible part: a place, see tb_histogram_scale_get_place()
 * @to: its end
 * @start: start of the bins
 * @end: end of the bins
 *
 * The visible values, and their positions.
 */
typedef struct
{
  gboolean logarithmic;
  gint64 base;
  double from;
  double to;
  double start;
  double end;
} TbHistogramScale;

/* Shows the whole of a figure with bins. */
void
tb_histogram_scale_init (TbHistogramScale *self, TbHistogramFigure *figure, gboolean logarithmic);
double tb_histogram_scale_get_place (const TbHistogramScale *self, gint64 value);
gint64 tb_histogram_scale_get_value (const TbHistogramScale *self, double place);
double tb_histogram_scale_get_x (const TbHistogramScale *self, double width, gint64 value);
void tb_histogram_scale_zoom (TbHistogramScale *self, double around, double factor);
void tb_histogram_scale_pan (TbHistogramScale *self, double places);
/* The bin nearest to a pixel. The figure has at least one bin. */
guint tb_histogram_scale_find_bin (const TbHistogramScale *self,
                                   TbHistogramFigure *figure,
                                   double width,
                                   double x);

/**
 * TbHistogramTick:
 * @x: position, in pixels
 *
 * A grid line with its label, which may be %NULL.
 */
typedef struct
{
  double x;
  char *label;
} TbHistogramTick;

/* Ticks at round values, at least spacing apart. */
GArray *tb_histogram_scale_make_ticks (const TbHistogramScale *self,
                                       TbHistogramFigure *figure,
                                       double width,
                                       double spacing);
/* Ticks for counts, from the bottom up. x is the relative height, 0…1. */
GArray *tb_histogram_make_count_ticks (guint64 largest,
                                       gboolean logarithmic,
                                       double height,
                                       double spacing);

/* The relative height of a count, 0…1. On a logarithmic scale a count of one is not at 0. */
double tb_histogram_get_height (guint64 count, guint64 largest, gboolean logarithmic);

/**
 * TbMaxima:
 *
 * An index for the maximum of any range of numbers, without examining all of them.
 */
typedef struct
{
  const guint64 *values;
  GArray *levels; /* of GArray of guint64: maximum of each 16 numbers of the level below */
  gsize n;
} TbMaxima;

/* values: owned by the caller, and must outlive the index */
TbMaxima *tb_maxima_new (const guint64 *values, gsize n);
guint64 tb_maxima_get (const TbMaxima *self, gsize first, gsize end);
void tb_maxima_free (TbMaxima *self);

/* A bar to draw, for one bin or for several that are too narrow for their own bars. It is as high
 * as the highest bin. */
typedef struct
{
  guint first;
  guint end;
  guint64 count;
  double x;
  double width;
} TbHistogramBar;

/* The visible bars of one series, from left to right, without empty ones. At most two per pixel. */
GArray *tb_histogram_layout (TbHistogramFigure *figure,
                             const TbMaxima *maxima,
                             const TbHistogramScale *scale,
                             double width);

#define TB_TYPE_HISTOGRAM_CANVAS (tb_histogram_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbHistogramCanvas, tb_histogram_canvas, TB, HISTOGRAM_CANVAS, TbBinsCanvas)

struct _TbHistogramCanvas
{
  TbBinsCanvas parent_instance;

  TbHistogramFigure *figure;
  TbHistogramScale scale;
  GPtrArray *maxima;       /* TbMaxima, by series */
  gboolean counts_are_log; /* logarithmic; else linear */
  gboolean percentiles;    /* whether percentiles are drawn */

  GPtrArray *bars; /* of GArray of TbHistogramBar, by series; NULL: a new layout is needed */
  double bars_width;
  GskRenderNode *drawn;
  int drawn_height;
  int label_width; /* width of the labels of counts */
  int line;

  guint first; /* selected bins [first, end): none where they are equal */
  guint end;
  guint cursor;  /* bin that Shift and arrow keys move */
  guint hovered; /* bin, or TB_ID_NONE */

  guint brush_from; /* bin where the drag began */
};

TbHistogramCanvas *tb_histogram_canvas_new (TbHistogramFigure *figure);
void tb_histogram_canvas_select (TbHistogramCanvas *self, guint first, guint end);
void tb_histogram_canvas_set_hovered (TbHistogramCanvas *self, guint bin);
void
tb_histogram_canvas_set_scale (TbHistogramCanvas *self, gboolean values_log, gboolean counts_log);
void tb_histogram_canvas_set_percentiles (TbHistogramCanvas *self, gboolean percentiles);
/* Shows the values from the first bin to the end of the last. */
void tb_histogram_canvas_zoom_to (TbHistogramCanvas *self, guint first, guint end);
void tb_histogram_canvas_zoom (TbHistogramCanvas *self, double x, double factor);
void tb_histogram_canvas_pan (TbHistogramCanvas *self, double share);
void tb_histogram_canvas_redraw (TbHistogramCanvas *self);
/* The area in which bars are drawn. */
void tb_histogram_canvas_get_plot (TbHistogramCanvas *self, graphene_rect_t *plot);
void tb_histogram_canvas_ensure_layout (TbHistogramCanvas *self);
/* The mark with the selected bins, or that contains a bin. TB_ID_NONE: none. */
guint tb_histogram_canvas_find_mark (TbHistogramCanvas *self, guint first, guint end);

void tb_histogram_canvas_draw (TbHistogramCanvas *self, GtkSnapshot *snapshot);

void tb_histogram_canvas_class_add_input (TbHistogramCanvasClass *klass);

/* tb-histogram-accessible.c */
extern const TbAccessibleItemsClass tb_histogram_accessible_items;

G_END_DECLS
