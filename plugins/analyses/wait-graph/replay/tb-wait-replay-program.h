/* tb-wait-replay-program.h: program of a replay as data: actors with their steps, waits, requests
 * and devices; the struct of a change, with factors that a replay applies to the unchanged program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-scheduler.h"

G_BEGIN_DECLS

/* Kinds of steps of an actor. */
typedef enum
{
  TB_REPLAY_RUN,     /* value: CPU time, ns */
  TB_REPLAY_DELAY,   /* value: fixed time, ns */
  TB_REPLAY_WAKE,    /* value: wake-up delay, ns; it passes only if the wait before it took time */
  TB_REPLAY_WAIT,    /* value: the wait */
  TB_REPLAY_SIGNAL,  /* value: the wait that it ends */
  TB_REPLAY_REQUEST, /* value: the request that it issues */
  TB_REPLAY_MARK,    /* value: the mark for which the time is stored */
} TbReplayKind;

/* The program of a replay: columns of steps, actor by actor. Owned. */
typedef struct
{
  guint32 n_actors;
  GArray *first;    /* gsize by actor, and one past the last: its first step */
  GArray *kinds;    /* guint8 by step */
  GArray *values;   /* gint64 by step */
  GArray *waits;    /* TbReplayWait */
  GArray *requests; /* TbReplayRequest */
  GArray *devices;  /* guint32: how many requests a device serves at once */
  guint32 n_marks;
  guint32 n_cpus;
  /* NULL: runnable threads share the CPUs evenly. Not owned, like the columns by actor that it
   * needs. */
  const TbReplaySchedulerModel *scheduler_model;
  const guint32 *previous; /* by actor: CPU where it ran last */
  const guint32 *threads;  /* by actor: thread from which its observed behavior comes */
} TbReplayProgram;

/* One wait of an actor. */
typedef struct
{
  gint64 length;       /* as recorded */
  gint64 lag;          /* from its signal, or its request's completion, to its end */
  guint8 is_signalled; /* it ends with a signal; otherwise it keeps its recorded length */
  /* it is signalled, but takes at most its recorded length: the order of the two was chance */
  guint8 is_loose;
  /* of a wait for time: a later wait of the same actor; its signal also ends this wait and skips
   * all steps in between. TB_REPLAY_NONE: none */
  guint32 leads_to;
  gsize step; /* step of a wait to which others lead */
  /* of a poll: the thread that signalled it. Signals of other threads may come first, each with the
   * steps up to the next poll. TB_REPLAY_NONE: not a poll */
  guint32 source;
  float waking; /* ns that the wake-up cost the thread that ended it, as recorded */
  guint8 state; /* state of the CPU to which the waiter was woken, as in TbReplayLatencies */
} TbReplayWait;

typedef struct
{
  guint32 device;
  guint32 wait; /* wait that its completion ends; TB_REPLAY_NONE: none */
  gint64 service;
} TbReplayRequest;

/* Changes to a program; NULL or 0: none. Not owned. */
typedef struct
{
  guint32 n_cpus;
  /* by wait: factor of its length. Below one, a signalled wait ends at the latest after that share
   * of its recorded length. Above one, it ends later than signalled, by (factor - 1) times its
   * recorded length. */
  const double *factor;
  /* by wait: stream of prepared items from which it takes the next one; TB_REPLAY_NONE: none. An
   * item is ready its recorded length after the one before. */
  const guint32 *stream;
  guint32 n_streams;
  /* by wait: it is the first for another batch of its stream. A batch is begun only when the one
   * before is taken; NULL: as soon as the one before is ready. */
  const guint8 *batches;
  const guint8 *takes; /* by wait: the run until the next wait only reads a part of a batch */
  /* share of such a run that is saved where the part had come already, because parts are read
   * together: 0 … 1 */
  double at_once;
  const double *speed; /* by device */
  gboolean no_delays;  /* delays take no time */
  gboolean shrinks;    /* the wake-up delay shrinks in proportion to the wait before it */
  /* ns by which the runs from a wait to the next are shorter if the wait takes no time */
  double saved;
  /* by wait: ns by which a device, or a thread that is not replayed, ends it earlier */
  const double *shorter;
  /* by step: factor of the length of a run or delay; a request with the factor 0 is not issued */
  const double *run;
  const double *share; /* by wait: ns that its waiter runs itself before the wait */
  double waking_share; /* share of the modelled wake-up cost that wakers paid and pay: 0 … 1 */
  /* by actor: on how many CPUs it runs at once, and how many of its unsignalled waits pass at
   * once */
  const guint32 *size;
  /* by actor: it also divides work for which it waited until a thread brought it; NULL: none
   * does */
  const guint8 *divides;
} TbReplayChange;

/* The length of what ends a wait, less the time by which the change shortens it. */
double tb_replay_change_shorten (const TbReplayChange *self, double length, guint32 wait);

TbReplayProgram *tb_replay_program_new (guint32 n_cpus);
void tb_replay_program_free (TbReplayProgram *self);
/* Adds an actor. The steps that are added next belong to it. */
guint32 tb_replay_program_add_actor (TbReplayProgram *self);
void tb_replay_program_add_step (TbReplayProgram *self, TbReplayKind kind, gint64 value);
guint32 tb_replay_program_add_wait (TbReplayProgram *self,
                                    gint64 length,
                                    gint64 lag,
                                    gboolean is_signalled);
guint32
tb_replay_program_add_request (TbReplayProgram *self, guint32 device, gint64 service, guint32 wait);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayProgram, tb_replay_program_free)

G_END_DECLS
