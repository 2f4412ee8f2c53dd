/* tb-flame-private.h: the parts of a flame view
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-filter.h"
#include "report/flame/tb-flame-figure.h"
#include "session/tb-schema.h"
#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/*
 * A box to draw. Where n_merged > 0 it stands for that many nodes that are too narrow for a box of their own: nothing is
 * left out. These are children of node, from first_merged on; in a layout over time neighbours in a row, node being the
 * first. There equal neighbours whose parents are in one box are in one box too, as long as nothing between them can be
 * seen.
 */
typedef struct
{
  guint node;
  guint depth; /* lines from the root that is drawn */
  guint n_merged;
  guint first_merged;
  gboolean equal; /* over time: all that are merged are called the same and look the same */
  guint64 total;
  double x;
  double width;
} TbFlameBox;

/**
 * TbFlameLines:
 * @base: by lane: the line that its roots are on
 * @label: by lane: the line of its name, or TB_ID_NONE
 * @n: of lines
 *
 * Which lines the lanes of a figure take, from the root on.
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

/* Boxes of what is below zoomed (TB_ID_NONE: all), in order of depth and x, with its callers as whole lines under it.
 * Narrower than least are merged. depth: of lines. */
GArray *tb_flame_layout (TbFlameFigure *figure, guint zoomed, double width, double least, guint *depth);
/* Boxes of a chronological figure that are seen in [from, to), a line after the other. */
GArray *tb_flame_layout_time (TbFlameFigure *figure,
                              const TbFlameLines *lines,
                              gint64 from,
                              gint64 to,
                              double width,
                              double least);
/* What is at a time in the row of another node, or TB_ID_NONE; its neighbour in that row. */
guint tb_flame_find_at (TbFlameFigure *figure, guint lane, guint depth, gint64 time);
guint tb_flame_find_beside (TbFlameFigure *figure, guint node, int direction);

/* What a node of a figure has become since. Where that is not there any more: what it stood on if nearest is set, else
 * TB_ID_NONE. */
guint tb_flame_find_same (TbFlameFigure *before, guint node, TbFlameFigure *figure, gboolean nearest);

/* The node that is most like a frame that was chosen in another figure, told by the names from its root to it; or TB_ID_NONE. */
guint tb_flame_find_stack (TbFlameFigure *figure, const char *const *stack);

/* The processes on the way from a node to its root that were called for, nearest first, and those that stand on it. */
GArray *tb_flame_list_links (TbFlameFigure *figure, guint node);

char *tb_flame_format_value (TbFlameFigure *figure, guint64 value);
/* One line about a node: what a tooltip and a screen reader say. */
char *tb_flame_describe (TbFlameFigure *figure, guint node);

/**
 * TbFlameMatch:
 *
 * What a search found.
 */
typedef struct
{
  guint8 *matched; /* by node: 1 itself, 2 something below it */
  guint64 total;   /* of the outermost that match */
  guint n;
} TbFlameMatch;

TbFlameMatch *tb_flame_match (TbFlameFigure *figure, const char *search);
/* What a filter leaves, as far as boxes can tell. */
TbFlameMatch *tb_flame_match_filter (TbFlameFigure *figure, TbFilter *filter);
void tb_flame_match_free (TbFlameMatch *self);

/* The names of a figure, ready to be searched. May be made and asked in any thread. */
typedef struct _TbFlameIndex TbFlameIndex;

/* stop: (nullable): set atomically by who does not want it any more: then NULL. */
TbFlameIndex *tb_flame_index_new (TbFlameFigure *figure, const gint *stop);
TbFlameMatch *tb_flame_index_match (const TbFlameIndex *self, const char *search);
void tb_flame_index_free (TbFlameIndex *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFlameMatch, tb_flame_match_free)

#define TB_TYPE_FLAME_CANVAS (tb_flame_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbFlameCanvas, tb_flame_canvas, TB, FLAME_CANVAS, GtkWidget)

/* Signals: "zoom-changed", "selected-changed", "hovered-changed". lens is what is seen of a chronological figure, else
 * NULL. */
TbFlameCanvas *tb_flame_canvas_new (TbFlameFigure *figure, TbFocus *lens);
void tb_flame_canvas_set_icicle (TbFlameCanvas *self, gboolean icicle);
gboolean tb_flame_canvas_get_icicle (TbFlameCanvas *self);
void tb_flame_canvas_set_match (TbFlameCanvas *self, const TbFlameMatch *match);
/* In a chronological figure the time of the node is seen. */
void tb_flame_canvas_zoom_to (TbFlameCanvas *self, guint node);
guint tb_flame_canvas_get_zoomed (TbFlameCanvas *self);
void tb_flame_canvas_select (TbFlameCanvas *self, guint node);
/* As one that was chosen elsewhere: it is zoomed to until it is wide enough to be read. */
void tb_flame_canvas_show (TbFlameCanvas *self, guint node);
/* As one that was selected before: nothing moves. */
void tb_flame_canvas_keep_selected (TbFlameCanvas *self, guint node);
guint tb_flame_canvas_get_selected (TbFlameCanvas *self);
/* What the mouse is over, else what is selected; TB_ID_NONE none. */
guint tb_flame_canvas_get_hovered (TbFlameCanvas *self);
const TbFlameBox *tb_flame_canvas_get_box_at (TbFlameCanvas *self, double x, double y);
/* The node that is drawn there, also where its box is that of several; TB_ID_NONE none. */
guint tb_flame_canvas_get_node_at (TbFlameCanvas *self, double x, double y);
gboolean tb_flame_canvas_get_box (TbFlameCanvas *self, guint node, graphene_rect_t *bounds);
/* The margin on each side of what is drawn. */
int tb_flame_canvas_get_margin (void);

G_END_DECLS
