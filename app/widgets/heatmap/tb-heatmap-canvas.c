/* tb-heatmap-canvas.c: canvas widget of a heat map: zoom and visible part, positions of cells,
 * width of labels, selection
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/tb-base.h"
#include "widgets/heatmap/tb-heatmap-private.h"
#include "widgets/tb-widgets-private.h"

#define TOP 8
#define END 12
#define GAP 8
#define LABELS_MEASURED 200
#define MAX_LABEL 200
/* Rows of this height can be read and are not made higher. */
#define ROW_READ 16
#define ROW_NATURAL 18
#define MIN_CELLS 2.0

G_DEFINE_FINAL_TYPE_WITH_CODE (TbHeatmapCanvas,
                               tb_heatmap_canvas,
                               TB_TYPE_BINS_CANVAS,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

void
tb_heatmap_canvas_redraw (TbHeatmapCanvas *self)
{
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Sets the width of the labels to that of the widest one, among those that are measured. */
static void
measure_text (TbHeatmapCanvas *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0");
  guint n = tb_heatmap_figure_get_n_rows (self->figure);
  int width;

  pango_layout_get_pixel_size (layout, NULL, &self->line);
  self->label_width = 20;
  for (guint i = 0; i < MIN (n, LABELS_MEASURED); i++)
    {
      guint row = (guint) ((guint64) i * n / MIN (n, LABELS_MEASURED));

      pango_layout_set_text (layout, tb_heatmap_figure_get_row_label (self->figure, row), -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
      self->label_width = MAX (self->label_width, (int) (width * .82) + 4);
    }
  self->label_width = MIN (self->label_width, MAX_LABEL);
}

void
tb_heatmap_canvas_get_plot (TbHeatmapCanvas *self, graphene_rect_t *plot)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  float whole = (float) gtk_widget_get_width (GTK_WIDGET (self)), side, width, height, top = TOP;

  if (self->line == 0)
    measure_text (self);
  side = MIN ((float) self->label_width, whole / 3) + GAP;
  width = MAX (1, whole - side - END);
  if (tb_heatmap_figure_get_row_title (self->figure) != NULL)
    top += (float) self->line;
  height = (float) gtk_widget_get_height (GTK_WIDGET (self)) - (float) self->line - top - 4;
  if (tb_heatmap_figure_get_column_title (self->figure) != NULL)
    height -= (float) self->line;
  height = MAX (1, height);
  /* Time runs to the right in every language. Labels are where lines of text begin. */
  graphene_rect_init (plot, mirrored ? END : floorf (side), top, floorf (width), floorf (height));
}

static void
tb_heatmap_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  tb_heatmap_canvas_draw (TB_HEATMAP_CANVAS (widget), snapshot);
}

static void
tb_heatmap_canvas_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  int rows = (int) MIN (tb_heatmap_figure_get_n_rows (self->figure), 30);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 180 : 90;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                 ? 600
                 : MAX (120, rows * ROW_NATURAL + 40 + 2 * ROW_NATURAL);
}

static void
tb_heatmap_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  GTK_WIDGET_CLASS (tb_heatmap_canvas_parent_class)->css_changed (widget, change);
  self->line = 0;
  tb_heatmap_canvas_redraw (self);
}

static void
tb_heatmap_canvas_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  tb_heatmap_canvas_redraw (TB_HEATMAP_CANVAS (widget));
}

gboolean
tb_heatmap_canvas_get_cell_at (TbHeatmapCanvas *self, double x, double y, guint *row, guint *column)
{
  guint scale = (guint) gtk_widget_get_scale_factor (GTK_WIDGET (self));
  graphene_rect_t plot;

  tb_heatmap_canvas_get_plot (self, &plot);
  x = floor ((x - plot.origin.x) * scale);
  y = floor ((y - plot.origin.y) * scale);
  if (x < 0 || x >= plot.size.width * scale || y < 0 || y >= plot.size.height * scale
      || tb_heatmap_figure_get_n_rows (self->figure) == 0
      || tb_heatmap_figure_get_n_columns (self->figure) == 0)
    return FALSE;
  tb_heatmap_find_cell (self->figure, &self->viewport, (guint) plot.size.width * scale,
                        (guint) plot.size.height * scale, (guint) x, (guint) y, row, column);
  return TRUE;
}

gboolean
tb_heatmap_canvas_get_bounds (TbHeatmapCanvas *self,
                              guint row,
                              guint first,
                              guint end,
                              graphene_rect_t *bounds)
{
  graphene_rect_t plot, cells;
  double wide, high;

  if (row == TB_ID_NONE)
    return FALSE;
  tb_heatmap_canvas_get_plot (self, &plot);
  if (first == end)
    {
      first = 0;
      end = tb_heatmap_figure_get_n_columns (self->figure);
    }
  wide = plot.size.width / self->viewport.n_columns;
  high = plot.size.height / self->viewport.n_rows;
  graphene_rect_init (&cells, plot.origin.x + (float) ((first - self->viewport.column) * wide),
                      plot.origin.y + plot.size.height
                          - (float) ((row + 1 - self->viewport.row) * high),
                      (float) MAX (1, (end - first) * wide), (float) MAX (1, high));
  return graphene_rect_intersection (&cells, &plot, bounds);
}

static void
set_viewport (TbHeatmapCanvas *self, TbHeatmapViewport viewport)
{
  double columns = MAX (1, tb_heatmap_figure_get_n_columns (self->figure));
  double rows = MAX (1, tb_heatmap_figure_get_n_rows (self->figure));

  viewport.n_columns = CLAMP (viewport.n_columns, MIN (MIN_CELLS, columns), columns);
  viewport.n_rows = CLAMP (viewport.n_rows, MIN (MIN_CELLS, rows), rows);
  viewport.column = CLAMP (viewport.column, 0, columns - viewport.n_columns);
  viewport.row = CLAMP (viewport.row, 0, rows - viewport.n_rows);
  self->viewport = viewport;
  tb_heatmap_canvas_redraw (self);
}

void
tb_heatmap_canvas_show_all (TbHeatmapCanvas *self)
{
  set_viewport (self, (TbHeatmapViewport) { 0, G_MAXFLOAT, 0, G_MAXFLOAT });
}

void
tb_heatmap_canvas_zoom (TbHeatmapCanvas *self, double x, double y, double factor)
{
  double columns = tb_heatmap_figure_get_n_columns (self->figure);
  double rows = tb_heatmap_figure_get_n_rows (self->figure), across, up;
  TbHeatmapViewport viewport = self->viewport;
  graphene_rect_t plot;

  tb_heatmap_canvas_get_plot (self, &plot);
  across = CLAMP ((x - plot.origin.x) / plot.size.width, 0, 1);
  up = CLAMP ((plot.origin.y + plot.size.height - y) / plot.size.height, 0, 1);
  viewport.n_columns = CLAMP (viewport.n_columns * factor, MIN (MIN_CELLS, columns), columns);
  viewport.column += across * (self->viewport.n_columns - viewport.n_columns);
  if (factor > 1 || plot.size.height / viewport.n_rows < ROW_READ)
    {
      viewport.n_rows = CLAMP (viewport.n_rows * factor, MIN (MIN_CELLS, rows), rows);
      viewport.row += up * (self->viewport.n_rows - viewport.n_rows);
    }
  set_viewport (self, viewport);
}

void
tb_heatmap_canvas_pan (TbHeatmapCanvas *self, double columns, double rows)
{
  TbHeatmapViewport viewport = self->viewport;

  viewport.column += columns;
  viewport.row += rows;
  set_viewport (self, viewport);
}

/* Shows a range of a dimension with little around it. */
static void
fit (double *from, double *n, guint first, guint end)
{
  double length = (double) (end - first) * 1.2;

  *from = first - (length - (end - first)) / 2;
  *n = length;
}

void
tb_heatmap_canvas_show_selected (TbHeatmapCanvas *self)
{
  TbHeatmapViewport viewport = self->viewport;
  graphene_rect_t plot;

  if (self->row == TB_ID_NONE)
    return;
  tb_heatmap_canvas_get_plot (self, &plot);
  if (self->first < self->end)
    fit (&viewport.column, &viewport.n_columns, self->first, self->end);
  if (plot.size.height / viewport.n_rows < ROW_READ)
    {
      viewport.n_rows = plot.size.height / ROW_READ;
      viewport.row = self->row + .5 - viewport.n_rows / 2;
    }
  set_viewport (self, viewport);
}

/* Moves as little as needed. */
static void
reveal (TbHeatmapCanvas *self)
{
  TbHeatmapViewport viewport = self->viewport;

  if (self->row == TB_ID_NONE)
    return;
  if (self->row < viewport.row)
    viewport.row = self->row;
  if (self->row + 1 > viewport.row + viewport.n_rows)
    viewport.row = self->row + 1 - viewport.n_rows;
  if (self->first < self->end && self->end - self->first <= viewport.n_columns)
    {
      if (self->first < viewport.column)
        viewport.column = self->first;
      if (self->end > viewport.column + viewport.n_columns)
        viewport.column = self->end - viewport.n_columns;
    }
  if (viewport.row != self->viewport.row || viewport.column != self->viewport.column)
    set_viewport (self, viewport);
}

static void
update_accessible (TbHeatmapCanvas *self)
{
  g_autofree char *axes = tb_heatmap_figure_describe_axes (self->figure);
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;

  if (self->row != TB_ID_NONE)
    text = tb_heatmap_figure_describe (self->figure, self->row,
                                       self->end == self->first + 1 ? self->first : TB_ID_NONE);
  all = g_strjoin (". ", text != NULL ? text : _ ("Nothing selected"), axes, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, all,
                                  -1);
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
  if (text != NULL && gtk_widget_is_focus (GTK_WIDGET (self)))
    tb_widgets_announce (GTK_WIDGET (self), text);
}

void
tb_heatmap_canvas_select (TbHeatmapCanvas *self, guint row, guint first, guint end)
{
  if (self->row == row && self->first == first && self->end == end)
    return;
  self->row = row;
  self->first = first;
  self->end = end;
  if (self->cursor < first || self->cursor >= end)
    self->cursor = first;
  reveal (self);
  update_accessible (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  tb_bins_canvas_selected_changed (TB_BINS_CANVAS (self));
}

void
tb_heatmap_canvas_set_hovered (TbHeatmapCanvas *self, guint row, guint column)
{
  if (self->hovered_row == row && self->hovered_column == column)
    return;
  self->hovered_row = row;
  self->hovered_column = column;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  tb_bins_canvas_hovered_changed (TB_BINS_CANVAS (self));
}

void
tb_heatmap_canvas_set_logarithmic (TbHeatmapCanvas *self, gboolean logarithmic)
{
  if (self->logarithmic != logarithmic)
    g_clear_pointer (&self->steps, tb_heatmap_steps_free);
  self->logarithmic = logarithmic;
  tb_heatmap_canvas_redraw (self);
}

void
tb_heatmap_canvas_set_matched (TbHeatmapCanvas *self, guint8 *matched)
{
  g_free (self->matched);
  self->matched = matched;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
tb_heatmap_canvas_finalize (GObject *object)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (object);

  g_free (self->matched);
  g_clear_pointer (&self->steps, tb_heatmap_steps_free);
  g_clear_object (&self->texture);
  g_clear_object (&self->figure);
  g_clear_object (&self->focus);

  G_OBJECT_CLASS (tb_heatmap_canvas_parent_class)->finalize (object);
}

static void
tb_heatmap_canvas_class_init (TbHeatmapCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tb_heatmap_canvas_finalize;
  widget_class->snapshot = tb_heatmap_canvas_snapshot;
  widget_class->measure = tb_heatmap_canvas_measure;
  widget_class->css_changed = tb_heatmap_canvas_css_changed;
  widget_class->direction_changed = tb_heatmap_canvas_direction_changed;

  tb_heatmap_canvas_class_add_input (klass);
  gtk_widget_class_set_css_name (widget_class, "tb-heatmap-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TABLE);
}

static void
tb_heatmap_canvas_init (TbHeatmapCanvas *self)
{
  self->row = self->hovered_row = self->hovered_column = TB_ID_NONE;
  self->logarithmic = TRUE;
  tb_accessible_items_attach (GTK_WIDGET (self), &tb_heatmap_accessible_items);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (tb_heatmap_canvas_redraw));
}

TbHeatmapCanvas *
tb_heatmap_canvas_new (TbHeatmapFigure *figure, TbFocus *focus)
{
  TbHeatmapCanvas *self = g_object_new (TB_TYPE_HEATMAP_CANVAS, NULL);

  self->figure = g_object_ref (figure);
  self->focus = g_object_ref (focus);
  self->timed = tb_heatmap_figure_get_n_columns (figure) == 0
                || tb_heatmap_figure_get_column_label (figure, 0) == NULL;
  tb_heatmap_canvas_show_all (self);
  if (self->timed)
    {
      g_signal_connect_object (focus, "pointer-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (focus, "selection-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                               G_CONNECT_SWAPPED);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)), -1);
  update_accessible (self);
  return self;
}
