/* tb-capture-arena.h: memory that keeps call chains and arguments of events translated from the
 * capture stream until the recorder has recorded these events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbCaptureArena TbCaptureArena;

TbCaptureArena *tb_capture_arena_new (void);
void tb_capture_arena_free (TbCaptureArena *self);

/* Copies the words. The copy may be freed once tb_capture_arena_release() passes time; G_MAXINT64:
 * not before tb_capture_arena_retire(). */
const guint64 *
tb_capture_arena_copy (TbCaptureArena *self, const guint64 *words, gsize n, gint64 time);
/* Permanent copies made so far are not needed after time any more. */
void tb_capture_arena_retire (TbCaptureArena *self, gint64 time);
void tb_capture_arena_release (TbCaptureArena *self, gint64 time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbCaptureArena, tb_capture_arena_free)

G_END_DECLS
