/* tb-flame-pane-private.h: two widgets inside a flame view: TbFlamePane, a flame with its
 * breadcrumbs, map, time axis and search; TbFlameMap, the map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/flame/tb-flame-private.h"

G_BEGIN_DECLS

#define TB_TYPE_FLAME_PANE (tb_flame_pane_get_type ())
G_DECLARE_FINAL_TYPE (TbFlamePane, tb_flame_pane, TB, FLAME_PANE, GtkWidget)

/* Signals: "selected-changed", "hovered-changed". lens: (nullable): the visible part of a
 * chronological figure */
TbFlamePane *tb_flame_pane_new (TbFlameFigure *figure, TbFocus *lens, gboolean icicle);
TbFlameCanvas *tb_flame_pane_get_canvas (TbFlamePane *self);
TbFlameFigure *tb_flame_pane_get_figure (TbFlamePane *self);
void tb_flame_pane_set_icicle (TbFlamePane *self, gboolean icicle);
/* Searches for text (NULL: ends the search), or for matches of a filter instead. */
void tb_flame_pane_search (TbFlamePane *self, const char *search, TbFilter *filter);
/* The result of the search. NULL where there is none. */
const TbFlameMatch *tb_flame_pane_get_match (TbFlamePane *self);
/* Scrolls to the position of another pane. */
void tb_flame_pane_copy_scroll (TbFlamePane *self, TbFlamePane *other);

#define TB_TYPE_FLAME_MAP (tb_flame_map_get_type ())
G_DECLARE_FINAL_TYPE (TbFlameMap, tb_flame_map, TB, FLAME_MAP, GtkWidget)

/* Shows the whole figure with the visible part of a canvas marked. A click moves that part. */
GtkWidget *tb_flame_map_new (TbFlameFigure *figure, TbFlameCanvas *canvas, TbFocus *lens);
/* The visible part has changed. */
void tb_flame_map_update (TbFlameMap *self);

G_END_DECLS
