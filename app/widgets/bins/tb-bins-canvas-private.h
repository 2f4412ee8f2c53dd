/* tb-bins-canvas-private.h: base class of the canvases of histograms and heat maps: their input;
 * functions for the controls, status line and labels of their views
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TB_TYPE_BINS_CANVAS (tb_bins_canvas_get_type ())
G_DECLARE_DERIVABLE_TYPE (TbBinsCanvas, tb_bins_canvas, TB, BINS_CANVAS, GtkWidget)

/**
 * TbBinsCanvasClass:
 * @get_plot: gets the area in which bins are drawn
 * @hover: the pointer is at a position
 * @leave: the pointer has left
 * @choose: selects at a position; for the n-th click there
 * @has_chosen_at: whether the position is part of the selection, or has nothing to select
 * @brush_begin: begins to select by dragging; FALSE where there is nothing to select
 * @brush_to: extends the selection to a position on the plot
 * @brush_end: ends selecting by dragging
 * @zoom: zooms around a position, by a factor for the length of the visible part; 0 shows
 *   everything
 * @pan: moves by fractions of the visible part; FALSE where there is no more in that direction
 * @get_chosen: gets the position of the selection, if there is one
 * @fit: zooms to the selection
 * @clear: clears the selection; FALSE where there was none
 *
 * A mouse selects by dragging. A finger moves the visible part, which continues to move when the
 * finger is lifted, and selects after a long press. Selecting beyond an edge moves the visible
 * part.
 */
struct _TbBinsCanvasClass
{
  GtkWidgetClass parent_class;

  void (*get_plot) (TbBinsCanvas *self, graphene_rect_t *plot);
  void (*hover) (TbBinsCanvas *self, double x, double y);
  void (*leave) (TbBinsCanvas *self);
  void (*choose) (TbBinsCanvas *self, int n_press, double x, double y);
  gboolean (*has_chosen_at) (TbBinsCanvas *self, double x, double y);
  gboolean (*brush_begin) (TbBinsCanvas *self, double x, double y);
  void (*brush_to) (TbBinsCanvas *self, double x, double y);
  void (*brush_end) (TbBinsCanvas *self);
  void (*zoom) (TbBinsCanvas *self, double x, double y, double factor);
  gboolean (*pan) (TbBinsCanvas *self, double across, double up);
  gboolean (*get_chosen) (TbBinsCanvas *self, graphene_rect_t *bounds);
  void (*fit) (TbBinsCanvas *self);
  gboolean (*clear) (TbBinsCanvas *self);
};

/* Signals: "selected-changed", "hovered-changed". */
void tb_bins_canvas_selected_changed (TbBinsCanvas *self);
void tb_bins_canvas_hovered_changed (TbBinsCanvas *self);
/* Selects at a position of a surrounding widget, like a click, unless the position is part of the
 * selection. */
void tb_bins_canvas_choose_at (TbBinsCanvas *self, GtkWidget *from, double x, double y);
/* Stops kinetic movement. */
void tb_bins_canvas_stop (TbBinsCanvas *self);
/* Keys for zoom, movement, F and Escape. Call it after the class has added its own keys, which take
 * precedence. */
void tb_bins_canvas_class_add_keys (GtkWidgetClass *widget_class);
/* Adds two keys. func is called with "(i)", −1 or 1. */
void tb_bins_canvas_class_add_pair (GtkWidgetClass *widget_class,
                                    guint back,
                                    guint forward,
                                    GdkModifierType state,
                                    GtkShortcutFunc func);

/* Parts of the views of such canvases: a choice above, and a status line below. */
GtkWidget *
tb_bins_make_choice (const char *label, const char *const *names, const char *const *tooltips);
GtkWidget *tb_bins_make_labelled (const char *label, GtkWidget *widget);
GtkWidget *tb_bins_make_status (void);

/* Scale of the labels of such canvases, relative to the usual size of text. */
#define TB_BINS_LABEL_SCALE .8

typedef struct
{
  const GdkRGBA *color;
  gboolean bold;
  double align; /* fraction of the label that is before x */
  double width; /* width at which it is cut off, 0: never */
  PangoEllipsizeMode cut;
} TbBinsLabel;

/* y: its top */
void tb_bins_append_label (gpointer canvas,
                           GtkSnapshot *snapshot,
                           const char *text,
                           double x,
                           double y,
                           const TbBinsLabel *style);

/* Width in pixels without a cut. */
double tb_bins_get_label_width (gpointer canvas, const char *text, gboolean bold);

/* Whether a label at x, with the fraction align of its width before x, does not overlap the
 * previous label, which ends at last_end. If so, last_end is updated. */
gboolean tb_bins_place_label (double x, double align, double width, double *last_end);

G_END_DECLS
