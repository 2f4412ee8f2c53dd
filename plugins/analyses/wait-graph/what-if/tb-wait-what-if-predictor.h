/* tb-wait-what-if-predictor.h: who is played, whose time is predicted, and by which moments
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-case.h"

G_BEGIN_DECLS

/* To wake a thread takes nothing of who does in a program, or all that the agent measured: midway. */
#define TB_WAIT_WAKING 0.5
/* Who takes in at once what came saves all but the first part, or half of that: midway. To copy what has come takes microseconds; what
 * a part took beyond that was to be woken for it and to answer it. */
#define TB_WAIT_AT_ONCE 0.75

/* Parts with equal work that a run is cut into. */
#define TB_WAIT_N_PARTS 20

typedef struct
{
  const TbWaitResult *result;
  TbReplayRecording *recording;
  TbSelection *target;
  guint8 *processes; /* with waits that change; NULL none */
  guint8 *inside;    /* by thread: is played */
  guint8 *clockwork; /* by thread: goes on at its own pace, so that nobody asks for its time; NULL none */
  gboolean is_throughput;
  GArray *moments; /* TbReplayMoment */
  GArray *weights; /* double by moment: of units; of an actor's runs */
  TbReplayTimes *as_recorded;
} TbWaitPredictor;

/* target: whose time, not owned, NULL: the processes whose waits change. */
void tb_wait_predictor_init (TbWaitPredictor *self, const TbWaitResult *result, TbSelection *target);
void tb_wait_predictor_clear (TbWaitPredictor *self);
/* Before the next: whose waits change. */
void tb_wait_predictor_find_processes (TbWaitPredictor *self, const TbWaitCase *what);
/* is_clockwork: owned from now on. Without effect where nobody else is asked about. Returns how many they are. */
guint32 tb_wait_predictor_set_clockwork (TbWaitPredictor *self, guint8 *is_clockwork);
/* Who is played; everybody has to be in the recording then. */
void tb_wait_predictor_find_inside (TbWaitPredictor *self);
/* Moments of those who are played, in their order. */
void tb_wait_predictor_find_moments (TbWaitPredictor *self);
/* Whose time is asked for: by actor. (transfer full) */
guint8 *tb_wait_predictor_find_meant (const TbWaitPredictor *self);
gboolean tb_wait_predictor_is_target (const TbWaitPredictor *self, guint32 actor);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitPredictor, tb_wait_predictor_clear)

G_END_DECLS
