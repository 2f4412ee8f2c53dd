/* tb-flame-pane-private.h: one flame with what belongs to it: the way back, a map of all, a scale of times
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/flame/tb-flame-private.h"

G_BEGIN_DECLS

#define TB_TYPE_FLAME_PANE (tb_flame_pane_get_type ())
G_DECLARE_FINAL_TYPE (TbFlamePane, tb_flame_pane, TB, FLAME_PANE, GtkWidget)

/* Signals: "selected-changed", "hovered-changed". lens: (nullable): what is seen of a chronological figure. */
TbFlamePane *tb_flame_pane_new (TbFlameFigure *figure, TbFocus *lens, gboolean icicle);
TbFlameCanvas *tb_flame_pane_get_canvas (TbFlamePane *self);
TbFlameFigure *tb_flame_pane_get_figure (TbFlamePane *self);
void tb_flame_pane_set_icicle (TbFlamePane *self, gboolean icicle);
/* Looks for text, or nothing (NULL), or, rather than text, for what a filter leaves. */
void tb_flame_pane_search (TbFlamePane *self, const char *search, TbFilter *filter);
/* What was found; NULL where nothing is looked for. */
const TbFlameMatch *tb_flame_pane_get_match (TbFlamePane *self);
/* Scrolls as another one is scrolled. */
void tb_flame_pane_keep_scroll (TbFlamePane *self, TbFlamePane *other);

#define TB_TYPE_FLAME_MAP (tb_flame_map_get_type ())
G_DECLARE_FINAL_TYPE (TbFlameMap, tb_flame_map, TB, FLAME_MAP, GtkWidget)

/* All of what a canvas shows a part of, with that part marked. A click on it goes there. */
GtkWidget *tb_flame_map_new (TbFlameFigure *figure, TbFlameCanvas *canvas, TbFocus *lens);
/* Something else is looked at. */
void tb_flame_map_update (TbFlameMap *self);

G_END_DECLS
