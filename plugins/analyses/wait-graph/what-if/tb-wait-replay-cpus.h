/* tb-wait-replay-cpus.h: which of the threads that can run get the cpus, as the kernel was seen to give them out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-latencies.h"
#include "what-if/tb-wait-replay-preemption.h"
#include "what-if/tb-wait-replay-wakings.h"

G_BEGIN_DECLS

#define TB_REPLAY_NONE G_MAXUINT32

/* Where a thread that was woken is put. */
typedef enum
{
  TB_REPLAY_PLACE_PREVIOUS, /* where it ran last */
  TB_REPLAY_PLACE_WAKER,    /* where it was woken from */
  TB_REPLAY_PLACE_IDLE,     /* elsewhere, where nobody runs */
  TB_REPLAY_PLACE_BUSY,     /* elsewhere, where somebody does */
  TB_REPLAY_N_PLACES,
} TbReplayPlace;

/* What was so when it was woken. */
#define TB_REPLAY_PREVIOUS_IDLE 1u /* nobody ran where it ran last */
#define TB_REPLAY_OTHER_IDLE 2u    /* nor somewhere else */
#define TB_REPLAY_WAKER_SAME 4u    /* its waker was where it ran last */
#define TB_REPLAY_WAKER_OTHER                                                                                \
  8u /* its waker was elsewhere; neither: it was woken by no thread that is known */
#define TB_REPLAY_WAKER_ALONE 16u /* nobody waited where its waker was */
#define TB_REPLAY_N_SITUATIONS 32u

/* How the kernel was seen to give out cpus. */
typedef struct
{
  guint64 n_woken[TB_REPLAY_N_SITUATIONS][TB_REPLAY_N_PLACES];
  guint64 n_fetched;              /* threads that waited behind somebody and went to an idle cpu */
  double unused;                  /* ns that cpus were idle while threads waited behind somebody, by thread */
  TbReplayPreemption *preemption; /* by thread; NULL nothing is known */
  TbReplayLatencies latencies;    /* how long it took until who was woken ran, on a cpu that nobody had */
  TbReplayWakings wakings;        /* what they cost; as the machine is, not as it was seen */
} TbReplayHabits;

typedef struct _TbReplayCpus TbReplayCpus;

/* previous: by body, where it ran last. threads: by body, whose habits are its. habits: not owned. */
TbReplayCpus *tb_replay_cpus_new (guint32 n_cpus,
                                  guint32 n_bodies,
                                  const guint32 *previous,
                                  const guint32 *threads,
                                  const TbReplayHabits *habits);
void tb_replay_cpus_free (TbReplayCpus *self);
/* A body that has none is woken from that cpu, TB_REPLAY_NONE from none that is known; it is chosen where it goes. Returns what that
 * takes of its waker, ns; state: of the cpu where it goes, as latencies have it. */
double tb_replay_cpus_wake (TbReplayCpus *self, guint32 body, guint32 waker, double now, guint8 *state);
/* A body that was woken wants that cpu for so long, ns. */
void tb_replay_cpus_begin (TbReplayCpus *self, guint32 body, double length, double now);
/* It wants that on which it was. */
void tb_replay_cpus_return (TbReplayCpus *self, guint32 body, double length, double now);
/* It wants one that is idle, its own if none is. */
void tb_replay_cpus_spread (TbReplayCpus *self, guint32 body, double length, double now);
/* A body that was done wants its cpu for longer. */
void tb_replay_cpus_keep (TbReplayCpus *self, guint32 body, double length, double now);
/* A body that was done does not. */
void tb_replay_cpus_leave (TbReplayCpus *self, guint32 body, double now);
/* How long a body yet wants one that has one or waits for it, ns. */
double tb_replay_cpus_get_left (const TbReplayCpus *self, guint32 body, double now);
void tb_replay_cpus_set_left (TbReplayCpus *self, guint32 body, double left, double now);
/* When something happens next; INFINITY never. */
double tb_replay_cpus_get_next (const TbReplayCpus *self);
/* Lets that happen. Returns the body that is done, and keeps its cpu until it is told whether it wants it for longer; TB_REPLAY_NONE none. */
guint32 tb_replay_cpus_go_on (TbReplayCpus *self);
guint32 tb_replay_cpus_get_n_idle (const TbReplayCpus *self);
guint32 tb_replay_cpus_get_cpu (const TbReplayCpus *self, guint32 body);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayCpus, tb_replay_cpus_free)

G_END_DECLS
