/* tb-heatmap-private.h: internal declarations of the parts of a heat map view: structures of the
 * visible part, the cells as steps of colour, and the canvas; functions for pixels, canvas, input
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/heatmap/tb-heatmap-figure.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/bins/tb-bins-canvas-private.h"
#include "widgets/focus/tb-focus.h"
#include "widgets/tb-palette.h"

G_BEGIN_DECLS

/**
 * TbHeatmapViewport:
 * @column: the first visible column, with a fraction where it is partly hidden
 * @n_columns: number of visible columns
 * @row: the lowest visible row, with a fraction where it is partly hidden
 * @n_rows: number of visible rows
 *
 * The visible part of a heat map.
 */
typedef struct
{
  double column;
  double n_columns;
  double row;
  double n_rows;
} TbHeatmapViewport;

/* Number of colours, for each sign. */
#define TB_HEATMAP_STEPS 255

/**
 * TbHeatmapSteps:
 * @more: by row and column: strength of a cell's colour, 0 for zero
 * @less: the same for numbers below 0; %NULL where there are none
 *
 * The cells of a heat map as steps of colour. A larger number never has a lower step, so that the
 * strongest step of some cells is that of the most extreme one.
 */
typedef struct
{
  TbHeatmapFigure *figure;
  guint n_columns;
  guint n_rows;
  guint8 *more;
  guint8 *less;
} TbHeatmapSteps;

/* With a logarithmic scale, small numbers remain visible next to large ones. */
TbHeatmapSteps *tb_heatmap_steps_new (TbHeatmapFigure *figure, gboolean logarithmic);
void tb_heatmap_steps_free (TbHeatmapSteps *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbHeatmapSteps, tb_heatmap_steps_free)

/* The step of each pixel, line by line from the top; negative where the number is. It is the step
 * of the most extreme cell that touches the pixel. Each cell touches some pixel. */
gint16 *tb_heatmap_reduce (const TbHeatmapSteps *self,
                           const TbHeatmapViewport *viewport,
                           guint width,
                           guint height);
/* The cell with the number that a pixel shows, among all cells of the pixel. */
void tb_heatmap_find_cell (TbHeatmapFigure *figure,
                           const TbHeatmapViewport *viewport,
                           guint width,
                           guint height,
                           guint x,
                           guint y,
                           guint *row,
                           guint *column);
/* The position of a number between 0 and the largest one, 0…1. */
double tb_heatmap_get_share (guint64 size, guint64 largest, gboolean logarithmic);
/* A picture of the visible part. Cells at least gap wide or high are separated by a free pixel. */
GdkTexture *tb_heatmap_rasterize (const TbHeatmapSteps *steps,
                                  const TbHeatmapViewport *viewport,
                                  guint width,
                                  guint height,
                                  guint gap,
                                  const TbPalette *palette);

#define TB_TYPE_HEATMAP_CANVAS (tb_heatmap_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbHeatmapCanvas, tb_heatmap_canvas, TB, HEATMAP_CANVAS, TbBinsCanvas)

struct _TbHeatmapCanvas
{
  TbBinsCanvas parent_instance;

  TbHeatmapFigure *figure;
  TbFocus *focus;
  gboolean timed; /* columns are slices of time */
  gboolean logarithmic;
  TbHeatmapViewport viewport;

  TbHeatmapSteps *steps; /* NULL: to be made */
  GdkTexture *texture;   /* NULL: to be made */
  int texture_width;
  int texture_height;
  int label_width;
  int line;

  /* The selection: a row or TB_ID_NONE, and its columns [first, end), or the whole row where they
   * are equal. */
  guint row;
  guint first;
  guint end;
  guint cursor; /* column that Shift and arrow keys move */
  guint hovered_row;
  guint hovered_column;

  guint8 *matched; /* by row; NULL: there is no search */

  guint brush_row;
  guint brush_column;
};

TbHeatmapCanvas *tb_heatmap_canvas_new (TbHeatmapFigure *figure, TbFocus *focus);
void tb_heatmap_canvas_select (TbHeatmapCanvas *self, guint row, guint first, guint end);
void tb_heatmap_canvas_set_hovered (TbHeatmapCanvas *self, guint row, guint column);
void tb_heatmap_canvas_set_logarithmic (TbHeatmapCanvas *self, gboolean logarithmic);
/* matched: (transfer full) (nullable): by row: whether it matches */
void tb_heatmap_canvas_set_matched (TbHeatmapCanvas *self, guint8 *matched);
void tb_heatmap_canvas_redraw (TbHeatmapCanvas *self);
/* The area in which cells are drawn. */
void tb_heatmap_canvas_get_plot (TbHeatmapCanvas *self, graphene_rect_t *plot);
/* FALSE where there is no cell. */
gboolean tb_heatmap_canvas_get_cell_at (TbHeatmapCanvas *self,
                                        double x,
                                        double y,
                                        guint *row,
                                        guint *column);
/* The bounds of columns [first, end) of a row, or of the whole row where they are equal. FALSE
 * where they are not visible. */
gboolean tb_heatmap_canvas_get_bounds (TbHeatmapCanvas *self,
                                       guint row,
                                       guint first,
                                       guint end,
                                       graphene_rect_t *bounds);
/* Zooms around a position. Rows are zoomed too, until they can be read. */
void tb_heatmap_canvas_zoom (TbHeatmapCanvas *self, double x, double y, double factor);
void tb_heatmap_canvas_pan (TbHeatmapCanvas *self, double columns, double rows);
void tb_heatmap_canvas_show_all (TbHeatmapCanvas *self);
void tb_heatmap_canvas_show_selected (TbHeatmapCanvas *self);

void tb_heatmap_canvas_draw (TbHeatmapCanvas *self, GtkSnapshot *snapshot);

void tb_heatmap_canvas_class_add_input (TbHeatmapCanvasClass *klass);

/* tb-heatmap-accessible.c */
extern const TbAccessibleItemsClass tb_heatmap_accessible_items;

G_END_DECLS
