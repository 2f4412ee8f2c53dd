/* tb-wait-replay.h: threads, wakings, requests and cpus played again, as recorded or with something changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "what-if/tb-wait-replay-cpus.h"

G_BEGIN_DECLS

/* What an actor does next. */
typedef enum
{
  TB_REPLAY_RUN,     /* value: ns on a cpu */
  TB_REPLAY_DELAY,   /* value: ns that pass whatever else happens */
  TB_REPLAY_WAKE,    /* value: ns that pass if the wait before it had to be waited for */
  TB_REPLAY_WAIT,    /* value: which wait */
  TB_REPLAY_SIGNAL,  /* value: the wait whose end this is */
  TB_REPLAY_REQUEST, /* value: the request that its device is given */
  TB_REPLAY_MARK,    /* value: the mark whose time is noted */
} TbReplayKind;

/* What is played: columns, actors one after another. Owned. */
typedef struct
{
  guint32 n_actors;
  GArray *first;    /* gsize by actor, and one past the last: its steps */
  GArray *kinds;    /* guint8 by step */
  GArray *values;   /* gint64 */
  GArray *waits;    /* TbReplayWait */
  GArray *requests; /* TbReplayRequest */
  GArray *devices;  /* guint32: how many requests a device serves at once */
  guint32 n_marks;
  guint32 n_cpus;
  const TbReplayHabits *habits; /* not owned; NULL: those who can run share the cpus evenly */
  const guint32 *previous; /* by actor: the cpu on which it was last, where habits are known; not owned */
  const guint32 *threads;  /* by actor: likewise, whose habits are its */
} TbReplayProgram;

/* One actor waits, once. */
typedef struct
{
  gint64 length;       /* as recorded */
  gint64 lag;          /* from its signal or answer to its end */
  guint8 is_signalled; /* else what ends it is outside: it takes its length */
  guint8 is_loose;     /* it is signalled, but takes its length at most: the order of the two is chance */
  guint32
      leads_to; /* of one that time ends: a later wait of the same actor whose signal ends this one, too, with all that
                        * lies between; TB_REPLAY_NONE none */
  gsize step; /* of one that others lead to */
  guint32
      source; /* of one for any of several: whose signal it was. Signals of others may come first, each with what
                        * follows until the next of that kind; TB_REPLAY_NONE no such wait */
  float waking; /* what it took of who ended it that a cpu was idle, ns, as recorded */
  guint8 state; /* of the cpu to which its waiter was woken, as latencies have it */
} TbReplayWait;

typedef struct
{
  guint32 device;
  guint32 wait; /* that it answers, TB_REPLAY_NONE none */
  gint64 service;
} TbReplayRequest;

/* What is different from the program; NULL or 0: nothing. Not owned. */
typedef struct
{
  guint32 n_cpus;
  const double
      *factor; /* by wait: it takes so much of what it would. Below one a wait that is signalled ends at the
                            latest after so much of its recorded length, above one so much of it later than signalled */
  const guint32 *
      stream; /* by wait: which stream of things that are prepared ahead it takes the next of, TB_REPLAY_NONE none:
                            each is ready its recorded length after the one before */
  guint32 n_streams;
  const guint8 *
      pieces; /* by wait: whether it is the first for another piece of its stream. Each piece is begun only when
                           the one before is taken; NULL: as soon as that is there */
  const guint8 *takes; /* by wait: what is run until the next one only takes in a part of a piece */
  double
      at_once; /* so much of that is saved where the part was there, so that more are taken at once: 0 … 1 */
  const double *speed; /* by device */
  gboolean no_delays;  /* delays take no time */
  gboolean shrinks;    /* to be woken from a wait that takes less than it took takes as much less */
  double
      saved; /* ns that the runs after a wait, up to the next, are shorter by if that had not to be waited for */
  const double
      *shorter;      /* by wait: ns that what ends it comes earlier, a device or somebody who is not played */
  const double *run; /* by step: a run or delay takes so much of what it took; of none no request is made */
  const double *share; /* by wait: ns that its waiter runs instead, before it waits */
  double
      waking_share; /* to wake threads took so much of what it can have taken of who did, and does: 0 … 1 */
  const guint32
      *size; /* by actor: it runs on so many cpus at once, and so many of its own waits pass at once */
  const guint8
      *divides; /* by actor: so it does what it had to wait for until somebody brought it; NULL nobody */
} TbReplayChange;

typedef struct
{
  double *marks;   /* when, ns from the start; -1 never */
  double *ends;    /* by actor: when it last ran */
  guint32 n_stuck; /* actors that waited for what never came */
} TbReplayTimes;

/* How long something takes that ends a wait. */
double tb_replay_change_shorten (const TbReplayChange *self, double length, guint32 wait);

TbReplayProgram *tb_replay_program_new (guint32 n_cpus);
void tb_replay_program_free (TbReplayProgram *self);
/* The steps that follow are the next actor's. */
guint32 tb_replay_program_add_actor (TbReplayProgram *self);
void tb_replay_program_add_step (TbReplayProgram *self, TbReplayKind kind, gint64 value);
guint32 tb_replay_program_add_wait (TbReplayProgram *self, gint64 length, gint64 lag, gboolean is_signalled);
guint32 tb_replay_program_add_request (TbReplayProgram *self, guint32 device, gint64 service, guint32 wait);

/* Threads that can run share the cpus evenly, none with more than one; a device serves in the order in which it was asked;
 * who has a signal before he waits for it does not wait. All begin at 0. O(steps × log actors). NULL: cancelled. */
TbReplayTimes *tb_replay_run (const TbReplayProgram *program,
                              const TbReplayChange *change,
                              GCancellable *cancellable,
                              GError **error);
void tb_replay_times_free (TbReplayTimes *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayProgram, tb_replay_program_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayTimes, tb_replay_times_free)

G_END_DECLS
