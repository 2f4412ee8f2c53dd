/* tb-perf-arena.h: memory for chains and arguments until the recorder has passed them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TbPerfArena TbPerfArena;

TbPerfArena *tb_perf_arena_new (void);
void tb_perf_arena_free (TbPerfArena *self);

/* A copy of the words; may be given back once tb_perf_arena_release() passes time, G_MAXINT64: never before
 * tb_perf_arena_retire(). */
const guint64 *tb_perf_arena_copy (TbPerfArena *self, const guint64 *words, gsize n, gint64 time);
/* What was to stay so far is not needed after time any more. */
void tb_perf_arena_retire (TbPerfArena *self, gint64 time);
void tb_perf_arena_release (TbPerfArena *self, gint64 time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPerfArena, tb_perf_arena_free)

G_END_DECLS
