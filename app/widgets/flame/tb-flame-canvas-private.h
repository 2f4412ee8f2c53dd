/* tb-flame-canvas-private.h: structure and functions of the canvas of a flame, for the files that
 * implement it: layout, drawing, links, input, scrolling, items for screen readers
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/flame/tb-flame-private.h"

G_BEGIN_DECLS

#define TB_FLAME_MARGIN 8
#define TB_FLAME_LABEL_SCALE .78

struct _TbFlameCanvas
{
  GtkWidget parent_instance;

  TbFlameFigure *figure;
  TbFocus *lens;             /* NULL where boxes are not over time */
  const TbFlameMatch *match; /* owned by the view */
  gboolean icicle;
  guint zoomed;
  guint selected;
  guint hovered;

  TbFlameLines *lines; /* of the whole figure */
  GArray *boxes;       /* NULL: a new layout is needed */
  guint depth;         /* number of lines */
  double layout_width;
  int line;
  GHashTable *labels;   /* node + 1 → PangoLayout */
  GskRenderNode *drawn; /* the boxes without the overlays that move, or NULL */
  /* height of the widget at that time, because boxes are placed from its lower edge */
  int drawn_height;

  guint reveal_callback; /* waits until there is room to show the selection */
  double reveal_width;

  double pointer_x;
  double pointer_y;
  gint64 drag_from;
  gint64 drag_to;
  gint64 pinch_from;
  gint64 pinch_to;
  double pinched;  /* scale at the last step */
  double scrolled; /* movement of the wheel since the last step */
  double speed;    /* visible lengths per second */
  gint64 moved_at; /* µs */
  guint motion;
};

/* tb-flame-canvas.c */
double tb_flame_canvas_get_plot_width (TbFlameCanvas *self);
void tb_flame_canvas_ensure_layout (TbFlameCanvas *self, double width);
/* Discards all that was drawn. */
void tb_flame_canvas_redraw (TbFlameCanvas *self);
void
tb_flame_canvas_get_bounds (TbFlameCanvas *self, const TbFlameBox *box, graphene_rect_t *bounds);
gint64 tb_flame_canvas_get_time (TbFlameCanvas *self, double x);
void tb_flame_canvas_set_hovered (TbFlameCanvas *self, guint node);
/* Zooms out by one step. FALSE where everything is visible. */
gboolean tb_flame_canvas_zoom_out (TbFlameCanvas *self);

/* tb-flame-draw.c */
void tb_flame_canvas_draw (TbFlameCanvas *self, GtkSnapshot *snapshot);

/* tb-flame-links.c */
void tb_flame_canvas_append_links (TbFlameCanvas *self,
                                   GtkSnapshot *snapshot,
                                   const GdkRGBA *color,
                                   guint node);

/* tb-flame-input.c */
void tb_flame_canvas_class_add_keys (GtkWidgetClass *widget_class);
void tb_flame_canvas_add_controllers (TbFlameCanvas *self);
/* A sentence about a merged box. */
char *tb_flame_canvas_describe_merged (TbFlameCanvas *self, const TbFlameBox *box);

/* tb-flame-scroll.c */
void tb_flame_canvas_add_scrolling (TbFlameCanvas *self);
void tb_flame_canvas_stop (TbFlameCanvas *self);

/* tb-flame-accessible.c */
extern const TbAccessibleItemsClass tb_flame_accessible_items;

G_END_DECLS
