/* tb-wait-replay-turns.h: when some threads had which cpu
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One thread has a cpu, ns. */
typedef struct
{
  guint16 cpu;
  gint64 start;
  gint64 end;
  gint64 before; /* how long those before it had theirs, of all cpus */
  gsize row;     /* interval of the thread that has it */
} TbReplayTurn;

/* turns: TbReplayTurn in any order; no two on a cpu at a time. */
void tb_replay_turns_settle (GArray *turns);
/* How much of that time they had that cpu. Once settled. O(log n). */
gint64 tb_replay_turns_get_time (const GArray *turns, guint16 cpu, gint64 start, gint64 end);
/* Who had a cpu at a time, or else had it last; NULL nobody yet. Once settled. O(log n). */
const TbReplayTurn *tb_replay_turns_find_last (const GArray *turns, guint16 cpu, gint64 time);

G_END_DECLS
