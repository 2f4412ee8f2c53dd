/* tb-flame-private.h: internal declarations of the parts of a flame view: structures of a box, the
 * lines of lanes and a search result; functions for layout, look-up of nodes, links, search,
 * descriptions, canvas
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-filter.h"
#include "report/flame/tb-flame-figure.h"
#include "base/tb-base.h"
#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/*
 * A box to draw. Where n_merged > 0 it is a merged box of that many nodes, which are too narrow for
 * their own boxes, so that nothing is left out. The nodes are children of node, from first_merged
 * on. In a layout over time they are neighbours in a row, and node is the first one. There equal
 * neighbours with parents in one box are also in one box, as long as nothing between them is
 * visible.
 */
typedef struct
{
  guint node;
  guint depth; /* lines from the root that is drawn */
  guint n_merged;
  guint first_merged;
  gboolean equal; /* over time: all merged nodes have the same name and look */
  guint64 total;
  double x;
  double width;
} TbFlameBox;

/**
 * TbFlameLines:
 * @base: by lane: the line that its roots are on
 * @label: by lane: the line of its name, or TB_ID_NONE
 * @n: number of lines
 *
 * The lines of each lane of a figure, from the root on.
 */
typedef struct
{
  guint *base;
  guint *label;
  guint n;
} TbFlameLines;

TbFlameLines *tb_flame_lines_new (TbFlameFigure *figure);
void tb_flame_lines_free (TbFlameLines *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFlameLines, tb_flame_lines_free)

/* Boxes of the callees of zoomed (TB_ID_NONE: all), in order of depth and x, with its callers as
 * whole lines below. Boxes narrower than least are merged. depth: (out): number of lines */
GArray *
tb_flame_layout (TbFlameFigure *figure, guint zoomed, double width, double least, guint *depth);
/* Boxes of a chronological figure that are visible in [from, to), line by line. */
GArray *tb_flame_layout_time (TbFlameFigure *figure,
                              const TbFlameLines *lines,
                              gint64 from,
                              gint64 to,
                              double width,
                              double least);
/* Finds the node at a time in a row, and the neighbour of a node in its row. TB_ID_NONE: none. */
guint tb_flame_find_at (TbFlameFigure *figure, guint lane, guint depth, gint64 time);
guint tb_flame_find_neighbour (TbFlameFigure *figure, guint node, int direction);

/* Finds a node of an earlier figure in a new one. Where it does not exist any more: its nearest
 * remaining caller if nearest is set, else TB_ID_NONE. */
guint
tb_flame_find_matching (TbFlameFigure *before, guint node, TbFlameFigure *figure, gboolean nearest);

/* Finds the node that is most similar to a frame selected in another figure, by the names from the
 * root to the frame. TB_ID_NONE: none. */
guint tb_flame_find_stack (TbFlameFigure *figure, const char *const *stack);

/* Lists the called processes between a node and its root, nearest first, and those called by the
 * node itself. */
GArray *tb_flame_list_links (TbFlameFigure *figure, guint node);

char *tb_flame_format_value (TbFlameFigure *figure, guint64 value);
/* A line of text about a node, for tooltips and screen readers. */
char *tb_flame_describe (TbFlameFigure *figure, guint node);

/**
 * TbFlameMatch:
 *
 * The result of a search.
 */
typedef struct
{
  guint8 *matched; /* by node: 1: it matches, 2: a callee matches */
  guint64 total;   /* total of the outermost matches */
  guint n;
} TbFlameMatch;

TbFlameMatch *tb_flame_match (TbFlameFigure *figure, const char *search);
/* Matches a filter, as far as boxes have the information. */
TbFlameMatch *tb_flame_match_filter (TbFlameFigure *figure, TbFilter *filter);
void tb_flame_match_free (TbFlameMatch *self);

/* The names of a figure, prepared for searches. Can be created and used in any thread. */
typedef struct _TbFlameIndex TbFlameIndex;

/* stop: (nullable): set atomically to abort, which returns NULL */
TbFlameIndex *tb_flame_index_new (TbFlameFigure *figure, const gint *stop);
TbFlameMatch *tb_flame_index_match (const TbFlameIndex *self, const char *search);
void tb_flame_index_free (TbFlameIndex *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFlameMatch, tb_flame_match_free)

#define TB_TYPE_FLAME_CANVAS (tb_flame_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbFlameCanvas, tb_flame_canvas, TB, FLAME_CANVAS, GtkWidget)

/* Signals: "zoom-changed", "selected-changed", "hovered-changed". lens: the visible part of a
 * chronological figure, else NULL */
TbFlameCanvas *tb_flame_canvas_new (TbFlameFigure *figure, TbFocus *lens);
void tb_flame_canvas_set_icicle (TbFlameCanvas *self, gboolean icicle);
gboolean tb_flame_canvas_get_icicle (TbFlameCanvas *self);
void tb_flame_canvas_set_match (TbFlameCanvas *self, const TbFlameMatch *match);
/* In a chronological figure, shows the time of the node. */
void tb_flame_canvas_zoom_to (TbFlameCanvas *self, guint node);
guint tb_flame_canvas_get_zoomed (TbFlameCanvas *self);
void tb_flame_canvas_select (TbFlameCanvas *self, guint node);
/* Shows a node that was selected elsewhere: zooms until it is wide enough to be read. */
void tb_flame_canvas_show_node (TbFlameCanvas *self, guint node);
/* Restores a selection without moving anything. */
void tb_flame_canvas_restore_selected (TbFlameCanvas *self, guint node);
guint tb_flame_canvas_get_selected (TbFlameCanvas *self);
/* The node under the mouse, else the selected one. TB_ID_NONE: none. */
guint tb_flame_canvas_get_hovered (TbFlameCanvas *self);
const TbFlameBox *tb_flame_canvas_get_box_at (TbFlameCanvas *self, double x, double y);
/* The node drawn at a position, also within a merged box. TB_ID_NONE: none. */
guint tb_flame_canvas_get_node_at (TbFlameCanvas *self, double x, double y);
gboolean tb_flame_canvas_get_box (TbFlameCanvas *self, guint node, graphene_rect_t *bounds);
/* The margin on each side of the drawing. */
int tb_flame_canvas_get_margin (void);

G_END_DECLS
