/* tb-flame-private.h: the parts of a flame view
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-flame-figure.h"
#include "session/tb-schema.h"
#include "widgets/tb-focus.h"

G_BEGIN_DECLS

/*
 * A box to draw. Where n_merged > 0 it stands for that many children of node that are too narrow for a box of their
 * own: nothing is left out.
 */
typedef struct
{
  guint node;
  guint depth; /* from the outermost that is drawn */
  guint n_merged;
  guint first_merged;
  guint64 total;
  double x;
  double width;
} TbFlameBox;

/* Boxes of what is below zoomed (TB_ID_NONE: all), in order of depth and x, with its callers as whole lines under it.
 * Narrower than least are merged. */
GArray *tb_flame_layout (TbFlameFigure *figure, guint zoomed, double width, double least, guint *depth);

char *tb_flame_format_value (TbFlameFigure *figure, guint64 value);
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
void tb_flame_match_free (TbFlameMatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFlameMatch, tb_flame_match_free)

#define TB_TYPE_FLAME_CANVAS (tb_flame_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbFlameCanvas, tb_flame_canvas, TB, FLAME_CANVAS, GtkWidget)

/* Signals: "zoom-changed", "selected-changed", "hovered-changed". */
TbFlameCanvas *tb_flame_canvas_new (TbFlameFigure *figure);
void tb_flame_canvas_set_icicle (TbFlameCanvas *self, gboolean icicle);
gboolean tb_flame_canvas_get_icicle (TbFlameCanvas *self);
void tb_flame_canvas_set_match (TbFlameCanvas *self, const TbFlameMatch *match);
void tb_flame_canvas_zoom_to (TbFlameCanvas *self, guint node);
guint tb_flame_canvas_get_zoomed (TbFlameCanvas *self);
void tb_flame_canvas_select (TbFlameCanvas *self, guint node);
guint tb_flame_canvas_get_selected (TbFlameCanvas *self);
/* What the mouse is over, else what is selected; TB_ID_NONE none. */
guint tb_flame_canvas_get_hovered (TbFlameCanvas *self);
const TbFlameBox *tb_flame_canvas_get_box_at (TbFlameCanvas *self, double x, double y);
gboolean tb_flame_canvas_get_box (TbFlameCanvas *self, guint node, graphene_rect_t *bounds);

G_END_DECLS
