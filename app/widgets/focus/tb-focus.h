/* tb-focus.h: focus of a document, shared by its figures: visible time range, selected range,
 * threads and item, history of selections to go back and forward, pointer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

#define TB_TYPE_FOCUS (tb_focus_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbFocus, tb_focus, TB, FOCUS, GObject)

TB_EXPORT TbFocus *tb_focus_new (gint64 from, gint64 to);

TB_EXPORT void tb_focus_set_extent (TbFocus *self, gint64 from, gint64 to);
TB_EXPORT void tb_focus_get_extent (TbFocus *self, gint64 *from, gint64 *to);

TB_EXPORT void tb_focus_set_view (TbFocus *self, gint64 from, gint64 to);
TB_EXPORT void tb_focus_get_view (TbFocus *self, gint64 *from, gint64 *to);
TB_EXPORT void tb_focus_zoom (TbFocus *self, gint64 around, double factor);
TB_EXPORT void tb_focus_reveal (TbFocus *self, gint64 from, gint64 to);

TB_EXPORT void tb_focus_select_range (TbFocus *self, gint64 from, gint64 to);
TB_EXPORT void tb_focus_clear_range (TbFocus *self);
TB_EXPORT gboolean tb_focus_get_range (TbFocus *self, gint64 *from, gint64 *to);

TB_EXPORT void tb_focus_select_threads (TbFocus *self, const guint32 *threads, guint n);
TB_EXPORT void tb_focus_toggle_threads (TbFocus *self, const guint32 *threads, guint n);
TB_EXPORT const guint32 *tb_focus_get_threads (TbFocus *self, guint *n);
TB_EXPORT gboolean tb_focus_has_thread (TbFocus *self, guint32 thread);

TB_EXPORT void tb_focus_select_thread (TbFocus *self, guint32 thread);
TB_EXPORT void tb_focus_select_item (TbFocus *self,
                                     const char *figure,
                                     const char *item,
                                     guint32 thread,
                                     gint64 from,
                                     gint64 to,
                                     const char *const *stack);
TB_EXPORT void tb_focus_clear (TbFocus *self);
TB_EXPORT guint32 tb_focus_get_thread (TbFocus *self);
TB_EXPORT const char *tb_focus_get_figure (TbFocus *self);
TB_EXPORT const char *tb_focus_get_item (TbFocus *self);
TB_EXPORT gboolean tb_focus_get_time (TbFocus *self, gint64 *from, gint64 *to);
TB_EXPORT const char *const *tb_focus_get_stack (TbFocus *self);

TB_EXPORT void tb_focus_begin_change (TbFocus *self);
TB_EXPORT void tb_focus_end_change (TbFocus *self);
TB_EXPORT gboolean tb_focus_can_go_back (TbFocus *self);
TB_EXPORT gboolean tb_focus_can_go_forward (TbFocus *self);
TB_EXPORT void tb_focus_go_back (TbFocus *self);
TB_EXPORT void tb_focus_go_forward (TbFocus *self);

TB_EXPORT void tb_focus_set_pointer (TbFocus *self, gint64 time);
TB_EXPORT gint64 tb_focus_get_pointer (TbFocus *self);

G_END_DECLS
