/* tb-graph-private.h: internal declarations of the parts of a graph view: reference to an item,
 * structure of the canvas; functions for canvas, look-up by position, drawing, text, tiles, input
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/graph/tb-graph-label-places.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/tb-palette.h"

G_BEGIN_DECLS

/* An element of a graph: a vertex of the figure, a cluster or an edge. */
typedef enum
{
  TB_GRAPH_NOTHING,
  TB_GRAPH_VERTEX,
  TB_GRAPH_CLUSTER,
  TB_GRAPH_EDGE,
} TbGraphElementKind;

typedef struct
{
  TbGraphElementKind kind;
  guint index; /* in the figure */
} TbGraphElement;

#define TB_GRAPH_NO_ELEMENT ((TbGraphElement) { TB_GRAPH_NOTHING, 0 })

static inline gboolean
tb_graph_element_equal (TbGraphElement a, TbGraphElement b)
{
  return a.kind == b.kind && a.index == b.index;
}

typedef struct _TbGraphTiles TbGraphTiles;

#define TB_TYPE_GRAPH_CANVAS (tb_graph_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbGraphCanvas, tb_graph_canvas, TB, GRAPH_CANVAS, GtkWidget)

struct _TbGraphCanvas
{
  GtkWidget parent_instance;

  TbGraphFigure *figure;
  TbGraphRanking *ranking;
  guint64 threshold;
  guint8 *collapsed;    /* by cluster */
  TbGraphScene *scene;  /* the scene that is drawn; NULL until there is one */
  TbGraphScene *coming; /* the scene that is being laid out, in a thread where it is large */
  GCancellable *cancellable;
  guint notify;
  guint extra; /* index of an edge that is drawn although it is light */

  double laid_out_width; /* of the area that it was laid out for */
  double laid_out_height;
  double scale;
  double x; /* position of the scene's origin, in whole pixels */
  double y;
  double rest_x; /* fraction that was rounded off */
  double rest_y;
  gboolean moved; /* moved by the user, so no longer fitted */

  TbGraphElement selected;
  TbGraphElement hovered;
  guint8 *matched; /* by vertex; NULL: there is no search */

  GHashTable *labels;  /* text → PangoLayout */
  char *font;          /* font of the labels */
  TbGraphTexts *texts; /* for the current scale; NULL: not known */
  /* GskRenderNode: everything that can be drawn, in coordinates of the scene; NULL until it is
   * drawn */
  GPtrArray *pieces;
  GPtrArray *text_pieces;
  double drawn_size;          /* size of text when it was drawn */
  graphene_rect_t drawn_area; /* visible area of the scene when it was drawn */
  GskRenderNode *drawn;       /* the pieces within it; NULL: not known, or none */
  GskRenderNode *drawn_text;
  TbGraphTiles *tiles; /* the pieces as pixels; NULL where the CPU does not paint */
  TbGraphTiles *text_tiles;
  guint tiling; /* id of the source that makes more tiles */

  double drag_x;
  double drag_y;
  double pinch_scale;
  double pointer_x;
  double pointer_y;
  double speed_x; /* kinetic movement, pixels per second */
  double speed_y;
  gint64 moved_at;
  guint motion;
};

/* Signals: "selected-changed", "hovered-changed", "scene-changed". */
TbGraphCanvas *tb_graph_canvas_new (TbGraphFigure *figure);
void tb_graph_canvas_set_threshold (TbGraphCanvas *self, guint64 threshold);
void tb_graph_canvas_set_collapsed (TbGraphCanvas *self, guint cluster, gboolean collapsed);
/* matched: (transfer full) (nullable) */
void tb_graph_canvas_set_matched (TbGraphCanvas *self, guint8 *matched);
/* Emits TbGraphCanvas::activated: more or less of the selection should be shown. */
void tb_graph_canvas_activate (TbGraphCanvas *self);
void tb_graph_canvas_select (TbGraphCanvas *self, TbGraphElement element);
void tb_graph_canvas_hover (TbGraphCanvas *self, TbGraphElement element);
void tb_graph_canvas_redraw (TbGraphCanvas *self);
char *tb_graph_canvas_describe (TbGraphCanvas *self, TbGraphElement element);
gboolean tb_graph_canvas_is_drawn (TbGraphCanvas *self, TbGraphElement element);

/* Visible part. */
void tb_graph_canvas_fit (TbGraphCanvas *self);
void tb_graph_canvas_show_all (TbGraphCanvas *self);
void tb_graph_canvas_zoom (TbGraphCanvas *self, double factor, double x, double y);
void tb_graph_canvas_pan (TbGraphCanvas *self, double dx, double dy);
void tb_graph_canvas_reveal (TbGraphCanvas *self, TbGraphElement element);

/* Hit tests. */
TbGraphElement tb_graph_canvas_get_element_at (TbGraphCanvas *self, double x, double y);
/* As before, but also finds the cluster whose frame has its name there. */
TbGraphElement tb_graph_canvas_get_pointed (TbGraphCanvas *self, double x, double y);
/* The cluster whose frame has its name there, or TB_ID_NONE. */
guint tb_graph_canvas_get_frame_at (TbGraphCanvas *self, double x, double y);
gboolean tb_graph_canvas_has_frame (TbGraphCanvas *self, guint cluster);
gboolean
tb_graph_canvas_get_centre (TbGraphCanvas *self, TbGraphElement element, double *x, double *y);
gboolean
tb_graph_canvas_get_bounds (TbGraphCanvas *self, TbGraphElement element, graphene_rect_t *bounds);

/* The index of a node of the scene, or of an arc. -1: none. */
int tb_graph_canvas_find_node (TbGraphCanvas *self, TbGraphElement element);
int tb_graph_canvas_find_arc (TbGraphCanvas *self, TbGraphElement element);
TbGraphElement tb_graph_canvas_get_node_element (TbGraphCanvas *self, guint node);
TbGraphElement tb_graph_canvas_get_arc_element (TbGraphCanvas *self, guint arc);

/* Drawing. */
PangoLayout *
tb_graph_canvas_get_name_layout (TbGraphCanvas *self, const char *name, const char *detail);
PangoLayout *tb_graph_canvas_get_edge_layout (TbGraphCanvas *self, const char *text);
/* Returns: (transfer none): the text as a node, which is kept with the layout */
GskRenderNode *
tb_graph_canvas_get_text_node (PangoLayout *layout, const GdkRGBA *color, PangoAlignment alignment);
/* A scene is required. */
const TbGraphTexts *tb_graph_canvas_get_texts (TbGraphCanvas *self);
void tb_graph_canvas_draw (TbGraphCanvas *self, GtkSnapshot *snapshot);
/* Discards the drawing. */
void tb_graph_canvas_clear_drawn (TbGraphCanvas *self);

/* Pieces as pixels. Areas are visible parts, in pixels of the widget from the scene's origin. */
/* ground: (nullable): colour below the pieces; without it they are blended with what is there */
TbGraphTiles *
tb_graph_tiles_new (GPtrArray *pieces, const GdkRGBA *ground, double scale, int density);
void tb_graph_tiles_free (TbGraphTiles *self);
/* Makes all tiles that are missing in the area. */
void tb_graph_tiles_make_missing (TbGraphTiles *self, const graphene_rect_t *area);
/* Makes one missing tile. FALSE where none is missing. */
gboolean tb_graph_tiles_make_one (TbGraphTiles *self, const graphene_rect_t *area);
/* Drops the tiles outside the area. */
void tb_graph_tiles_drop_outside (TbGraphTiles *self, const graphene_rect_t *area);
void tb_graph_tiles_append (TbGraphTiles *self, GtkSnapshot *snapshot, const graphene_rect_t *area);
/* Whether all of the visible area exists as pixels. area: (out): the area in pixels */
gboolean tb_graph_canvas_update_tiles (TbGraphCanvas *self, graphene_rect_t *area);
void tb_graph_canvas_clear_tiles (TbGraphCanvas *self);

/* Input. */
void tb_graph_canvas_class_add_keys (GtkWidgetClass *widget_class);
void tb_graph_canvas_add_controllers (TbGraphCanvas *self);

/* The item that an arrow key leads to. dx, dy: the direction of the key. */
TbGraphElement tb_graph_canvas_find_next (TbGraphCanvas *self, double dx, double dy);
/* The next item by weight: vertices, then edges, then frames. */
TbGraphElement tb_graph_canvas_find_following (TbGraphCanvas *self, int step);

/* tb-graph-accessible.c */
extern const TbAccessibleItemsClass tb_graph_accessible_items;

G_END_DECLS
