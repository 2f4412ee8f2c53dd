/* tb-flame-view.h: widget that shows a flame figure, with its direction, zoom, selected node, share
 * of search matches, focus on a function and hidden modules
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/flame/tb-flame-figure.h"
#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

#define TB_TYPE_FLAME_VIEW (tb_flame_view_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbFlameView, tb_flame_view, TB, FLAME_VIEW, TbFigureView)

TB_EXPORT GtkWidget *tb_flame_view_new (TbFlameFigure *figure, TbFocus *focus);
TB_EXPORT void tb_flame_view_set_icicle (TbFlameView *self, gboolean icicle);
TB_EXPORT gboolean tb_flame_view_get_icicle (TbFlameView *self);
TB_EXPORT double tb_flame_view_get_matched_share (TbFlameView *self);
TB_EXPORT void tb_flame_view_zoom_to (TbFlameView *self, guint node);
TB_EXPORT guint tb_flame_view_get_zoomed (TbFlameView *self);
TB_EXPORT void tb_flame_view_select (TbFlameView *self, guint node);
TB_EXPORT guint tb_flame_view_get_selected (TbFlameView *self);
TB_EXPORT guint tb_flame_view_get_node_at (TbFlameView *self, double x, double y);
TB_EXPORT TbFocus *tb_flame_view_get_lens (TbFlameView *self);
/* Other forms, which can also be set by the properties "merged", "inverted", "by-name",
 * "collapse-recursion" and "swapped". */
TB_EXPORT void tb_flame_view_show_function (TbFlameView *self,
                                            const char *function,
                                            const char *module,
                                            gboolean callers);
TB_EXPORT void tb_flame_view_hide_module (TbFlameView *self, const char *module);
TB_EXPORT void tb_flame_view_reset (TbFlameView *self);
TB_EXPORT gboolean tb_flame_view_is_busy (TbFlameView *self);

G_END_DECLS
