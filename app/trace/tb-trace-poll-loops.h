/* tb-trace-poll-loops.h: poll loops: waits of a thread at one place for the same objects that end
 * by timeout, up to the one that something else ends; together they are one wait
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TB_POLL_RUN:
 *
 * CPU time, ns: less of it between two waits never parts them.
 */
#define TB_POLL_RUN G_GINT64_CONSTANT (100000)

/**
 * TB_POLL_SHARE:
 *
 * CPU time up to this part of the wait before it does not part two waits either: 1 / 100.
 */
#define TB_POLL_SHARE 100

/**
 * TbPollLoop:
 * @first: row of its first wait
 * @last: row of its last wait, which did not time out
 * @n_waits: number of its waits, at least two
 * @wait_ns: sum of their lengths
 *
 * Waits of a thread at the same place for the same objects. All but the last one timed out, and
 * the thread hardly ran between them. What ended the last one is what all of them waited for. Of
 * waits for a condition, those for its mutex in the same call are a part.
 */
typedef struct
{
  gsize first;
  gsize last;
  guint32 n_waits;
  gint64 wait_ns;
} TbPollLoop;

/**
 * TbPollLoops:
 *
 * The poll loops of a trace that were answered, in order of their rows.
 */
typedef struct _TbPollLoops TbPollLoops;

TB_EXPORT TbPollLoops *tb_poll_loops_new (TbTrace *trace, gint64 run, GCancellable *cancellable);
TB_EXPORT TbPollLoops *tb_poll_loops_new_from_rows (const TbIntervals *rows, gint64 run);
TB_EXPORT void tb_poll_loops_free (TbPollLoops *self);
TB_EXPORT const TbPollLoop *tb_poll_loops_list (const TbPollLoops *self, guint *n);
TB_EXPORT gsize tb_poll_loops_get_last (const TbPollLoops *self, gsize row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPollLoops, tb_poll_loops_free)

G_END_DECLS
