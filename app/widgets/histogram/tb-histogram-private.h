/* tb-histogram-private.h: the parts of a histogram view
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
 * @logarithmic: equal factors of values are equally far apart, else equal differences
 * @base: a value near those shown: what is far from 0 is told apart as well as what is near it
 * @from: where what is seen begins: a place, see tb_histogram_scale_get_place()
 * @to: where it ends
 * @start: where the bins begin
 * @end: where they end
 *
 * Which values are seen, and where.
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

/* All of a figure with bins. */
void tb_histogram_scale_init (TbHistogramScale *self, TbHistogramFigure *figure, gboolean logarithmic);
double tb_histogram_scale_get_place (const TbHistogramScale *self, gint64 value);
gint64 tb_histogram_scale_get_value (const TbHistogramScale *self, double place);
double tb_histogram_scale_get_x (const TbHistogramScale *self, double width, gint64 value);
void tb_histogram_scale_zoom (TbHistogramScale *self, double around, double factor);
void tb_histogram_scale_pan (TbHistogramScale *self, double places);
/* The bin at a pixel: the nearest one. The figure has bins. */
guint
tb_histogram_scale_find_bin (const TbHistogramScale *self, TbHistogramFigure *figure, double width, double x);

/**
 * TbHistogramTick:
 * @x: pixels
 *
 * A line of the grid, with its label, which may be %NULL.
 */
typedef struct
{
  double x;
  char *label;
} TbHistogramTick;

/* Ticks on values that people find round, at least spacing apart. */
GArray *tb_histogram_scale_make_ticks (const TbHistogramScale *self,
                                       TbHistogramFigure *figure,
                                       double width,
                                       double spacing);
/* The same for counts, from the bottom up; x is how far up, 0…1. */
GArray *tb_histogram_make_count_ticks (guint64 largest, gboolean logarithmic, double height, double spacing);

/* How high a count is drawn, 0…1. On logarithms one is not nothing. */
double tb_histogram_get_height (guint64 count, guint64 largest, gboolean logarithmic);

/**
 * TbMaxima:
 *
 * The greatest of any stretch of numbers, without looking at all of them.
 */
typedef struct
{
  const guint64 *values;
  GArray *levels; /* of GArray of guint64: the greatest of each 16 of the level below */
  gsize n;
} TbMaxima;

/* values: kept by whom they are of. */
TbMaxima *tb_maxima_new (const guint64 *values, gsize n);
guint64 tb_maxima_get (const TbMaxima *self, gsize first, gsize end);
void tb_maxima_free (TbMaxima *self);

/* A bar to draw: of one bin, or of several that are too narrow for one each: as high as the highest. */
typedef struct
{
  guint first;
  guint end;
  guint64 count;
  double x;
  double width;
} TbHistogramBar;

/* Bars of one series that are seen, from left to right, none without a count; at most two a pixel. */
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
  gboolean counts_are_log; /* else linear */
  gboolean percentiles;    /* are drawn */

  GPtrArray *bars; /* of GArray of TbHistogramBar, by series; NULL: to be laid out */
  double bars_width;
  GskRenderNode *drawn;
  int drawn_height;
  int label_width; /* of counts */
  int line;

  guint first; /* selected bins [first, end): none where they are equal */
  guint end;
  guint cursor;  /* the bin that Shift and arrows move */
  guint hovered; /* bin, or TB_ID_NONE */

  guint brush_from; /* bin, while it is brushed */
};

TbHistogramCanvas *tb_histogram_canvas_new (TbHistogramFigure *figure);
void tb_histogram_canvas_select (TbHistogramCanvas *self, guint first, guint end);
void tb_histogram_canvas_set_hovered (TbHistogramCanvas *self, guint bin);
void tb_histogram_canvas_set_scale (TbHistogramCanvas *self, gboolean values_log, gboolean counts_log);
void tb_histogram_canvas_set_percentiles (TbHistogramCanvas *self, gboolean percentiles);
/* Values from the first to the end of the last bin are seen. */
void tb_histogram_canvas_zoom_to (TbHistogramCanvas *self, guint first, guint end);
void tb_histogram_canvas_zoom (TbHistogramCanvas *self, double x, double factor);
void tb_histogram_canvas_pan (TbHistogramCanvas *self, double share);
void tb_histogram_canvas_redraw (TbHistogramCanvas *self);
/* Where bars are drawn. */
void tb_histogram_canvas_get_plot (TbHistogramCanvas *self, graphene_rect_t *plot);
void tb_histogram_canvas_ensure_layout (TbHistogramCanvas *self);
/* The mark whose bins are selected, or that a bin is in, or TB_ID_NONE. */
guint tb_histogram_canvas_find_mark (TbHistogramCanvas *self, guint first, guint end);

void tb_histogram_canvas_draw (TbHistogramCanvas *self, GtkSnapshot *snapshot);

void tb_histogram_canvas_class_add_input (TbHistogramCanvasClass *klass);

/* tb-histogram-accessible.c */
extern const TbAccessibleItemsClass tb_histogram_accessible_items;

G_END_DECLS
