/* tb-wait-replay-latencies.h: recorded scheduling latencies of woken threads, added one by one
 * under the state of their CPU (busy, or how long idle; where the waker ran); difference of the
 * means of two states
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The CPU from which a thread was woken. */
typedef enum
{
  TB_REPLAY_WAKER_CPU_SAME,    /* the CPU on which it was to run */
  TB_REPLAY_WAKER_CPU_OTHER,   /* another CPU */
  TB_REPLAY_WAKER_CPU_UNKNOWN, /* unknown: an interrupt, or no known thread */
  TB_REPLAY_N_WAKER_CPUS,
} TbReplayWakerCpu;

/* The CPU was busy (0), or had been idle for about 2^(n - 1) ns. */
#define TB_REPLAY_N_SINCE 32u

/* Both are combined in one byte. */
#define TB_REPLAY_N_STATES (TB_REPLAY_N_WAKER_CPUS * TB_REPLAY_N_SINCE)
#define TB_REPLAY_STATE_UNKNOWN G_MAXUINT8

typedef struct
{
  double sum[TB_REPLAY_N_STATES]; /* ns */
  guint64 n[TB_REPLAY_N_STATES];
} TbReplayLatencies;

/* idle: for how long (ns) the CPU was idle; negative: it was busy. */
guint8 tb_replay_latencies_get_state (TbReplayWakerCpu from, double idle);
/* Returns the state with the waking CPU of another state. */
guint8 tb_replay_latencies_set_waker_cpu (guint8 state, guint8 other);
/* Adds a woken thread that ran after a latency (ns) although its CPU was free. */
void tb_replay_latencies_add (TbReplayLatencies *self, guint8 state, double latency);
/* The mean latency in one state less that in another, in ns. A state without samples uses the
 * nearest similar state. 0: there is no similar state either. */
double
tb_replay_latencies_get_difference (const TbReplayLatencies *self, guint8 state, guint8 other);

G_END_DECLS
