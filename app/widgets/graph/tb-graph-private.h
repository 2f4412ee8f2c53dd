/* tb-graph-private.h: the parts of a graph view
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/graph/tb-graph-texts.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/tb-palette.h"

G_BEGIN_DECLS

/* One thing of a graph: a vertex of the figure (or a collapsed cluster) or an edge. */
typedef enum
{
  TB_GRAPH_NOTHING,
  TB_GRAPH_VERTEX,
  TB_GRAPH_CLUSTER,
  TB_GRAPH_EDGE,
} TbGraphThingKind;

typedef struct
{
  TbGraphThingKind kind;
  guint index; /* in the figure */
} TbGraphThing;

#define TB_GRAPH_NO_THING ((TbGraphThing) { TB_GRAPH_NOTHING, 0 })

static inline gboolean
tb_graph_thing_equal (TbGraphThing a, TbGraphThing b)
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
  TbGraphScene *scene;  /* that is drawn; NULL until there is one */
  TbGraphScene *coming; /* that is being laid out, elsewhere where it is large */
  GCancellable *cancellable;
  guint notify;
  guint extra; /* edge that is drawn though it is light */

  double laid_out_width; /* of the place that it is laid out for */
  double laid_out_height;
  double scale;
  double x; /* of the scene's origin: whole pixels */
  double y;
  double rest_x; /* what is lacking to where it would be */
  double rest_y;
  gboolean moved; /* by the user: not fitted any more */

  TbGraphThing selected;
  TbGraphThing hovered;
  guint8 *matched; /* by vertex; NULL: nothing is looked for */

  GHashTable *labels;  /* text → PangoLayout */
  char *font;          /* that they have */
  TbGraphTexts *texts; /* for the present scale; NULL: not known */
  /* GskRenderNode: all that there is to draw, in the scene's coordinates; NULL until then */
  GPtrArray *pieces;
  GPtrArray *text_pieces;
  double drawn_size;          /* of text */
  graphene_rect_t drawn_area; /* of the scene, that is seen */
  GskRenderNode *drawn;       /* those of the pieces that are in it; NULL: not known, or none */
  GskRenderNode *drawn_text;
  TbGraphTiles *tiles; /* the pieces as pixels; NULL where the processor does not paint */
  TbGraphTiles *text_tiles;
  guint tiling; /* id of the source that makes more of them */

  double drag_x;
  double drag_y;
  double pinch_scale;
  double pointer_x;
  double pointer_y;
  double speed_x; /* of what goes on moving, pixels a second */
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
/* Emits TbGraphCanvas::activated: of what is selected more is wanted, or less. */
void tb_graph_canvas_activate (TbGraphCanvas *self);
void tb_graph_canvas_select (TbGraphCanvas *self, TbGraphThing thing);
void tb_graph_canvas_hover (TbGraphCanvas *self, TbGraphThing thing);
void tb_graph_canvas_redraw (TbGraphCanvas *self);
char *tb_graph_canvas_describe (TbGraphCanvas *self, TbGraphThing thing);
gboolean tb_graph_canvas_is_drawn (TbGraphCanvas *self, TbGraphThing thing);

/* Looking at it. */
void tb_graph_canvas_fit (TbGraphCanvas *self);
void tb_graph_canvas_show_all (TbGraphCanvas *self);
void tb_graph_canvas_zoom (TbGraphCanvas *self, double factor, double x, double y);
void tb_graph_canvas_pan (TbGraphCanvas *self, double dx, double dy);
void tb_graph_canvas_reveal (TbGraphCanvas *self, TbGraphThing thing);

/* Hit tests. */
TbGraphThing tb_graph_canvas_get_thing_at (TbGraphCanvas *self, double x, double y);
/* Likewise, also the cluster whose frame's name is there. */
TbGraphThing tb_graph_canvas_get_pointed (TbGraphCanvas *self, double x, double y);
/* The cluster whose frame's name is there, or TB_ID_NONE. */
guint tb_graph_canvas_get_frame_at (TbGraphCanvas *self, double x, double y);
gboolean tb_graph_canvas_has_frame (TbGraphCanvas *self, guint cluster);
gboolean tb_graph_canvas_get_centre (TbGraphCanvas *self, TbGraphThing thing, double *x, double *y);
gboolean tb_graph_canvas_get_bounds (TbGraphCanvas *self, TbGraphThing thing, graphene_rect_t *bounds);

/* Of a node of the scene, and of an arc; -1 none. */
int tb_graph_canvas_find_node (TbGraphCanvas *self, TbGraphThing thing);
int tb_graph_canvas_find_arc (TbGraphCanvas *self, TbGraphThing thing);
TbGraphThing tb_graph_canvas_get_node_thing (TbGraphCanvas *self, guint node);
TbGraphThing tb_graph_canvas_get_arc_thing (TbGraphCanvas *self, guint arc);

/* Drawing. */
PangoLayout *tb_graph_canvas_get_name_layout (TbGraphCanvas *self, const char *name, const char *detail);
PangoLayout *tb_graph_canvas_get_edge_layout (TbGraphCanvas *self, const char *text);
/* Returns: (transfer none): it as a node, that is kept with it. */
GskRenderNode *tb_graph_canvas_write (PangoLayout *layout, const GdkRGBA *color, PangoAlignment alignment);
/* There has to be a scene. */
const TbGraphTexts *tb_graph_canvas_get_texts (TbGraphCanvas *self);
void tb_graph_canvas_draw (TbGraphCanvas *self, GtkSnapshot *snapshot);
/* Forgets what was drawn. */
void tb_graph_canvas_clear_drawn (TbGraphCanvas *self);

/* Pieces as pixels. Areas are what is seen of them, in pixels of the widget from the scene's origin. */
/* ground: (nullable): what is below the pieces; else they are laid over what is there. */
TbGraphTiles *tb_graph_tiles_new (GPtrArray *pieces, const GdkRGBA *ground, double scale, int density);
void tb_graph_tiles_free (TbGraphTiles *self);
/* Makes those that the area lacks. */
void tb_graph_tiles_complete (TbGraphTiles *self, const graphene_rect_t *area);
/* Makes one of them: FALSE when there is none. */
gboolean tb_graph_tiles_add (TbGraphTiles *self, const graphene_rect_t *area);
/* Drops those outside of the area. */
void tb_graph_tiles_keep (TbGraphTiles *self, const graphene_rect_t *area);
void tb_graph_tiles_append (TbGraphTiles *self, GtkSnapshot *snapshot, const graphene_rect_t *area);
/* Whether what is seen is there as pixels, area of them. */
gboolean tb_graph_canvas_update_tiles (TbGraphCanvas *self, graphene_rect_t *area);
void tb_graph_canvas_clear_tiles (TbGraphCanvas *self);

/* Input. */
void tb_graph_canvas_class_add_keys (GtkWidgetClass *widget_class);
void tb_graph_canvas_add_controllers (TbGraphCanvas *self);

/* Where the keyboard goes from a thing: "dx, dy" of an arrow. */
TbGraphThing tb_graph_canvas_find_next (TbGraphCanvas *self, double dx, double dy);
/* In the order of weights: vertices, then edges, then frames. */
TbGraphThing tb_graph_canvas_find_following (TbGraphCanvas *self, int step);

/* tb-graph-accessible.c */
extern const TbAccessibleItemsClass tb_graph_accessible_items;

G_END_DECLS
