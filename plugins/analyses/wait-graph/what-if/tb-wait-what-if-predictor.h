/* tb-wait-what-if-predictor.h: choice of the threads that a prediction replays and measures, and
 * of the moments when their work is done; it runs no replays (tb-wait-what-if.c, -parts.c and
 * -calibration.c do)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if-changes.h"
#include "what-if/tb-wait-what-if-prediction.h"

G_BEGIN_DECLS

/* Share of the measured wake-up cost that wakers pay in a program: the middle between none and
 * all. */
#define TB_WAIT_WAKING_SHARE 0.5
/* Share that is saved of all but the first part when parts are read at once: the middle between
 * half and all. Copying data that has come takes microseconds; the rest of a part's time was spent
 * on the wake-up for it and on the answer. */
#define TB_WAIT_BATCH_READ_SAVING 0.75

/* Parts with equal work into which a run is cut. */
#define TB_WAIT_N_PARTS 20

typedef struct
{
  const TbWaitResult *result;
  TbReplayRecording *recording;
  TbSelection *target;
  guint8 *processes;   /* by process: its waits change; NULL: none */
  guint8 *is_replayed; /* by thread: it is replayed */
  guint8 *periodic;    /* by thread: it is periodic, so that its time is not measured; NULL: none */
  gboolean is_throughput;
  GArray *moments; /* TbReplayMoment */
  /* double by moment: running time of its actor; empty where units of work are counted */
  GArray *weights;
  TbReplayTimes *as_recorded;
} TbWaitPredictor;

/* target: the threads of which the time is predicted, not owned; NULL: the processes with waits
 * that change. */
void
tb_wait_predictor_init (TbWaitPredictor *self, const TbWaitResult *result, TbSelection *target);
void tb_wait_predictor_clear (TbWaitPredictor *self);
/* Finds the processes with waits that change. To be called before the functions below. */
void tb_wait_predictor_find_processes (TbWaitPredictor *self, const TbWaitChanges *what);
/* is_periodic: ownership is taken. Has no effect if no other thread is measured. Returns the
 * number of periodic threads. */
guint32 tb_wait_predictor_set_periodic_threads (TbWaitPredictor *self, guint8 *is_periodic);
/* Finds the threads that are replayed. The recording must contain all threads. */
void tb_wait_predictor_find_replayed (TbWaitPredictor *self);
/* Finds the moments of the replayed threads, in their order. */
void tb_wait_predictor_find_moments (TbWaitPredictor *self);
/* By actor: whether its time is measured. (transfer full) */
guint8 *tb_wait_predictor_find_measured (const TbWaitPredictor *self);
gboolean tb_wait_predictor_is_target (const TbWaitPredictor *self, guint32 actor);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitPredictor, tb_wait_predictor_clear)

G_END_DECLS
