/* tb-bins-canvas-private.h: what canvases with bins or cells share: how they are pointed at, brushed, moved and zoomed
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
 * @get_plot: where bins are drawn
 * @hover: the pointer is there
 * @leave: it is nowhere
 * @choose: a click, the n-th at one place
 * @has_chosen_at: whether it is part of what is chosen, or nothing that can be
 * @brush_begin: dragging begins: FALSE where there is nothing to choose
 * @brush_to: it has come there, which is on the plot
 * @brush_end: nothing is dragged any more
 * @zoom: around a place, by a factor by which the visible part becomes longer; 0 for all
 * @pan: by parts of what is seen: FALSE where there is nothing to move in that direction
 * @get_chosen: where what is chosen is seen, if anything is
 * @fit: looks at what is chosen
 * @clear: chooses nothing: FALSE where nothing was
 *
 * A mouse brushes by dragging; a finger moves what is seen, on and on when it is lifted, and brushes when it was held before. Brushing
 * beyond an edge moves what is seen.
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
/* Chooses what is at a place of a widget around it, as a click does, unless that is part of what is chosen. */
void tb_bins_canvas_choose_at (TbBinsCanvas *self, GtkWidget *from, double x, double y);
/* What moves by itself stands still. */
void tb_bins_canvas_stop (TbBinsCanvas *self);
/* Zoom, movement, F and Escape: after keys of the class itself, which come before these. */
void tb_bins_canvas_class_add_keys (GtkWidgetClass *widget_class);
/* Two keys: func gets "(i)", −1 or 1. */
void tb_bins_canvas_class_add_pair (GtkWidgetClass *widget_class,
                                    guint back,
                                    guint forward,
                                    GdkModifierType state,
                                    GtkShortcutFunc func);

/* What views of such canvases have: a choice above them, and a line below that says what is pointed at. */
GtkWidget *tb_bins_make_choice (const char *label, const char *const *names, const char *const *tooltips);
GtkWidget *tb_bins_make_labelled (const char *label, GtkWidget *widget);
GtkWidget *tb_bins_make_status (void);

/* Of the labels of such canvases, as a part of the usual size. */
#define TB_BINS_LABEL_SCALE .8

typedef struct
{
  const GdkRGBA *color;
  gboolean bold;
  double align; /* what part of it is before x */
  double width; /* it is cut to, 0: none */
  PangoEllipsizeMode cut;
} TbBinsLabel;

/* y: its top. */
void tb_bins_append_label (gpointer canvas,
                           GtkSnapshot *snapshot,
                           const char *text,
                           double x,
                           double y,
                           const TbBinsLabel *look);

/* In pixels, as far as it is not cut. */
double tb_bins_get_label_width (gpointer canvas, const char *text, gboolean bold);

/* Whether a label of that width at x, of which a part of align is before it, stands clear of the one before it, which ends at
 * last_end; if so that is moved on. */
gboolean tb_bins_place_label (double x, double align, double width, double *last_end);

G_END_DECLS
