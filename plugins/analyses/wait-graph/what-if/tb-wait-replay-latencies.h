/* tb-wait-replay-latencies.h: how long it took until a thread that was woken ran, by how its cpu was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From where a thread was woken. */
typedef enum
{
  TB_REPLAY_FROM_SAME,    /* the cpu on which it was to run */
  TB_REPLAY_FROM_OTHER,   /* another */
  TB_REPLAY_FROM_UNKNOWN, /* no thread that is known: an interrupt */
  TB_REPLAY_N_FROM,
} TbReplayFrom;

/* That cpu was busy, or idle since 2^(n - 1) ns. */
#define TB_REPLAY_N_SINCE 32u

/* Both in one byte. */
#define TB_REPLAY_N_STATES (TB_REPLAY_N_FROM * TB_REPLAY_N_SINCE)
#define TB_REPLAY_STATE_UNKNOWN G_MAXUINT8

typedef struct
{
  double sum[TB_REPLAY_N_STATES]; /* ns */
  guint64 n[TB_REPLAY_N_STATES];
} TbReplayLatencies;

/* idle: for how long its cpu was, ns, below 0: it was not. */
guint8 tb_replay_latencies_get_state (TbReplayFrom from, double idle);
/* The same, woken from where it was in another state. */
guint8 tb_replay_latencies_set_from (guint8 state, guint8 other);
/* A thread that was woken then could run, and nobody kept it from its cpu; after so long it did, ns. */
void tb_replay_latencies_add (TbReplayLatencies *self, guint8 state, double latency);
/* How much longer that took in the mean in one state than in another, ns; where nobody was seen in one of them, as in the nearest state
 * that is like it. 0: nothing like it was seen. */
double tb_replay_latencies_get_difference (const TbReplayLatencies *self, guint8 state, guint8 other);

G_END_DECLS
