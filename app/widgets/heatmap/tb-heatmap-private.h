/* tb-heatmap-private.h: the parts of a heat map view
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
 * TbHeatmapLook:
 * @column: the first column that is seen, with how much of it is not
 * @n_columns: how many are seen
 * @row: the lowest row that is seen, likewise
 * @n_rows: how many are seen
 *
 * Which part of a heat map is seen.
 */
typedef struct
{
  double column;
  double n_columns;
  double row;
  double n_rows;
} TbHeatmapLook;

/* Colours a number can have: as many on both sides of nothing. */
#define TB_HEATMAP_STEPS 255

/**
 * TbHeatmapSteps:
 * @more: by row and column: how strong the colour of a cell is, 0 for nothing
 * @less: the same for numbers below 0; %NULL where there are none
 *
 * The cells of a heat map as they are coloured. A greater number has no lower step, so that the strongest of some cells is
 * that of the most extreme one.
 */
typedef struct
{
  TbHeatmapFigure *figure;
  guint n_columns;
  guint n_rows;
  guint8 *more;
  guint8 *less;
} TbHeatmapSteps;

/* On logarithms what is little is seen beside what is much. */
TbHeatmapSteps *tb_heatmap_steps_new (TbHeatmapFigure *figure, gboolean logarithmic);
void tb_heatmap_steps_free (TbHeatmapSteps *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbHeatmapSteps, tb_heatmap_steps_free)

/* The step of each pixel, below 0 where the number is, a line after the other from the top: that of the most extreme of all cells
 * that any part of it is drawn for, each of which is in some pixel. */
gint16 *tb_heatmap_reduce (const TbHeatmapSteps *self, const TbHeatmapLook *look, guint width, guint height);
/* The cell whose number a pixel shows, of all it stands for. */
void tb_heatmap_find_cell (TbHeatmapFigure *figure,
                           const TbHeatmapLook *look,
                           guint width,
                           guint height,
                           guint x,
                           guint y,
                           guint *row,
                           guint *column);
/* How far a number is from nothing to the largest, 0…1. */
double tb_heatmap_get_share_of_size (guint64 size, guint64 largest, gboolean logarithmic);
/* A picture of it, with a pixel free between cells that are at least gap wide or high. */
GdkTexture *tb_heatmap_rasterize (const TbHeatmapSteps *steps,
                                  const TbHeatmapLook *look,
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
  TbHeatmapLook look;

  TbHeatmapSteps *steps; /* NULL: to be made */
  GdkTexture *texture;   /* likewise */
  int texture_width;
  int texture_height;
  int label_width;
  int line;

  /* Of what is selected: a row or TB_ID_NONE, and its columns [first, end): all of it where they are equal. */
  guint row;
  guint first;
  guint end;
  guint cursor; /* the column that Shift and arrows move */
  guint hovered_row;
  guint hovered_column;

  guint8 *matched; /* by row; NULL: nothing is looked for */

  guint brush_row;
  guint brush_column;
};

TbHeatmapCanvas *tb_heatmap_canvas_new (TbHeatmapFigure *figure, TbFocus *focus);
void tb_heatmap_canvas_select (TbHeatmapCanvas *self, guint row, guint first, guint end);
void tb_heatmap_canvas_set_hovered (TbHeatmapCanvas *self, guint row, guint column);
void tb_heatmap_canvas_set_logarithmic (TbHeatmapCanvas *self, gboolean logarithmic);
/* matched: (transfer full) (nullable): rows that were found */
void tb_heatmap_canvas_set_matched (TbHeatmapCanvas *self, guint8 *matched);
void tb_heatmap_canvas_redraw (TbHeatmapCanvas *self);
/* Where cells are drawn. */
void tb_heatmap_canvas_get_plot (TbHeatmapCanvas *self, graphene_rect_t *plot);
/* FALSE where there is none. */
gboolean tb_heatmap_canvas_get_cell_at (TbHeatmapCanvas *self, double x, double y, guint *row, guint *column);
/* Of columns [first, end) of a row; all of it where they are equal. FALSE where it is not seen. */
gboolean tb_heatmap_canvas_get_bounds (TbHeatmapCanvas *self,
                                       guint row,
                                       guint first,
                                       guint end,
                                       graphene_rect_t *bounds);
/* Around a place; rows too, until they can be read. */
void tb_heatmap_canvas_zoom (TbHeatmapCanvas *self, double x, double y, double factor);
void tb_heatmap_canvas_pan (TbHeatmapCanvas *self, double columns, double rows);
void tb_heatmap_canvas_show_all (TbHeatmapCanvas *self);
void tb_heatmap_canvas_show_selected (TbHeatmapCanvas *self);

void tb_heatmap_canvas_draw (TbHeatmapCanvas *self, GtkSnapshot *snapshot);

void tb_heatmap_canvas_class_add_input (TbHeatmapCanvasClass *klass);

/* tb-heatmap-accessible.c */
extern const TbAccessibleItemsClass tb_heatmap_accessible_items;

G_END_DECLS
