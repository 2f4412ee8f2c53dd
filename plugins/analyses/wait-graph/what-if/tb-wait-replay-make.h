/* tb-wait-replay-make.h: what is played, from a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"
#include "what-if/tb-wait-replay-calls.h"
#include "what-if/tb-wait-replay-cpus.h"
#include "what-if/tb-wait-replay.h"

G_BEGIN_DECLS

/* What a wait of the program was. */
typedef struct
{
  guint32 waiter;   /* thread */
  guint32 ender;    /* thread whose signal ends it, TB_ID_NONE none */
  guint32 id;       /* of what it waited for, as in TbWaitNode */
  guint32 lock;     /* TB_ID_NONE none */
  guint32 slept_in; /* string: the system call, TB_STRING_NONE none or unknown */
  guint32 peer;     /* string: at the other end of the socket that it slept for, likewise */
  guint32 call;     /* node of the recording's calls: what it was in */
  gsize step;       /* of its waiter */
  gsize first;      /* steps of who ended it, from its start to its end; both 0: not known */
  gsize end;
  guint8 kind;      /* TbWaitNodeKind */
  guint8 n_records; /* made in the interrupt that ended it, until it had */
} TbReplayOrigin;

/* A moment of a thread whose time in the replay is wanted. */
typedef struct
{
  guint32 thread;
  gint64 time;
} TbReplayMoment;

/* A record that was made while a thread ran, which took its time; but for those of switches. */
typedef struct
{
  gsize step;       /* the run in which it was made, or the next one */
  guint8 is_probed; /* of a function that is probed */
} TbReplayRecord;

/* Records that were made in interrupts during a delay. */
typedef struct
{
  gsize step;
  guint n;
} TbReplayLate;

/* A delay while the recorder had the cpu. */
typedef struct
{
  gsize step;
  gint64 length; /* ns that it had */
} TbReplayRecorderDelay;

/* A device was told to forget what a request had written there before. Both of the program. */
typedef struct
{
  guint32 discard;
  guint32 write;
} TbReplayForgotten;

typedef struct
{
  TbReplayProgram *program;
  GArray *origins;       /* TbReplayOrigin by wait */
  GArray *threads;       /* guint32 by actor */
  GArray *request_steps; /* gsize by request: where it is made */
  GArray *forgotten;     /* TbReplayForgotten, those of one discard together */
  guint32 *device_of;    /* by device of the session: the program's, TB_REPLAY_NONE no request */
  guint32 n_devices;     /* of the session */
  TbReplayCalls *calls;
  GArray *call_of;  /* guint32 by step: node of calls: what a run was in, as far as that was recorded */
  GArray *records;  /* TbReplayRecord */
  GArray *late;     /* TbReplayLate */
  GArray *delays;   /* TbReplayRecorderDelay */
  GArray *switches; /* gsize: steps that are the first run after a thread got its cpu */
  double
      switch_ns; /* what a thread that waits, is woken and runs again costs in cpu time, as measured for the recording */
  double recording_ns; /* and what its recording costs; both 0 unless that was measured */
  double
      probed_ns; /* and what recording a call of a function that is probed does; 0 unless that was measured */
  TbReplayHabits habits;
  GArray *previous;        /* guint32 by actor: the cpu on which it runs first */
  gint64 *begin;           /* by actor: of its life, from the start */
  gint64 *last_run;        /* by actor: end of its last run, from the start; 0 it never ran */
  gint64 *running;         /* by actor */
  guint64 n_signalled;     /* waits that a thread or request of the recording ends, wherever that goes */
  guint64 n_outside;       /* timers, peers, interrupts: they take what they took */
  guint64 n_unplaced;      /* a thread ended them that was not known to run: likewise */
  guint64 n_lost_requests; /* whose issuer was not known to run, and nobody waited for: left out */
} TbReplayRecording;

/* inside: by thread: who is played, NULL everybody. What others did to them takes what it took: the cpus they had, too.
 * moments: TbReplayMoment, become the program's marks in that order. */
TbReplayRecording *tb_replay_recording_new (TbTrace *trace,
                                            gint64 from,
                                            gint64 to,
                                            const guint8 *inside,
                                            const GArray *moments,
                                            GCancellable *cancellable,
                                            GError **error);
void tb_replay_recording_free (TbReplayRecording *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayRecording, tb_replay_recording_free)

G_END_DECLS
