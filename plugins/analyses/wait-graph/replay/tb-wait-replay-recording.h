/* tb-wait-replay-recording.h: recording as the program of a replay (converted by
 * tb-wait-replay-steps.c): origins of its waits, threads of its actors, records that took time,
 * costs, counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "model/tb-wait-model.h"
#include "tb-wait-replay-calls.h"
#include "tb-wait-replay-scheduler.h"
#include "tb-wait-replay.h"

G_BEGIN_DECLS

/* The recorded wait from which a wait of the program comes. */
typedef struct
{
  guint32 waiter;   /* thread */
  guint32 ended_by; /* thread that signals its end; TB_ID_NONE: none */
  guint32 id;       /* what it waited for, as in TbWaitNode */
  guint32 lock;     /* TB_ID_NONE: none */
  guint32 slept_in; /* string: system call in which it slept; TB_STRING_NONE: none or unknown */
  guint32 peer;     /* string: peer of the socket for which it slept; likewise */
  guint32 call;     /* node of the recording's calls in which it waited */
  gsize step;       /* step of its waiter */
  /* steps of the thread that ended it, from the beginning of the wait to its end; both 0: not
   * known */
  gsize first;
  gsize end;
  gint64 until;     /* when it ended; TB_TIME_NONE: not known */
  guint8 kind;      /* TbWaitNodeKind */
  guint8 n_records; /* records made in the interrupt that ended it, up to the wake-up */
} TbReplayOrigin;

/* A point in a thread's run for which the time in the replay is needed. */
typedef struct
{
  guint32 thread;
  gint64 time;
} TbReplayMoment;

/* A record that was made while a thread ran and took some of its time. Scheduler switch records are
 * not among them. */
typedef struct
{
  gsize step;       /* the run in which it was made, or the next run */
  guint8 is_probed; /* it is a call of a probed function */
} TbReplayRecord;

/* Records that were made in interrupts during a delay. */
typedef struct
{
  gsize step;
  guint n;
} TbReplayDelayRecords;

/* A delay during which the recorder had the CPU. */
typedef struct
{
  gsize step;
  gint64 length; /* ns for which the recorder had it */
} TbReplayRecorderDelay;

/* A discard request that covers what an earlier request wrote. Both are requests of the program. */
typedef struct
{
  guint32 discard;
  guint32 write;
} TbReplayDiscardedWrite;

typedef struct
{
  TbReplayProgram *program;
  GArray *origins;          /* TbReplayOrigin by wait */
  GArray *threads;          /* guint32 by actor */
  GArray *request_steps;    /* gsize by request: step that issues it */
  GArray *discarded_writes; /* TbReplayDiscardedWrite; those of one discard are together */
  /* by device of the session: the program's device; TB_REPLAY_NONE: it has no request */
  guint32 *device_of;
  guint32 n_devices; /* devices of the session */
  TbReplayCalls *calls;
  GArray *call_of;       /* guint32 by step: node of calls in which a run was, as far as recorded */
  GArray *records;       /* TbReplayRecord */
  GArray *delay_records; /* TbReplayDelayRecords */
  GArray *delays;        /* TbReplayRecorderDelay */
  GArray *switches;      /* gsize: steps that are the first run after a thread got its CPU */
  /* CPU time of one block, wake-up and switch-in of a thread, as measured before the recording */
  double switch_ns;
  double recording_ns; /* CPU time of recording that; both are 0 unless measured */
  double probed_ns;    /* CPU time of recording a call of a probed function; 0 unless measured */
  TbReplaySchedulerModel scheduler_model;
  GArray *previous; /* guint32 by actor: CPU on which it runs first */
  gint64 *begin;    /* by actor: begin of its life, from the start of the range */
  /* by actor: end of its last run, from the start of the range; 0: it never ran */
  gint64 *last_run;
  gint64 *running; /* by actor */
  /* waits that a recorded thread or request ends, wherever that happens in the replay */
  guint64 n_signalled;
  guint64 n_outside; /* waits for timers, peers and interrupts: they keep their recorded length */
  /* waits ended by a thread that was not known to run: they keep their recorded length */
  guint64 n_unplaced;
  /* requests that are left out: the issuer was not known to run, and no thread waited */
  guint64 n_lost_requests;
} TbReplayRecording;

/* inside: by thread, whether it is replayed; NULL: all are. Effects of other threads on the
 * replayed ones, such as the CPU time that they took, keep their recorded length. moments:
 * TbReplayMoment elements, which become the program's marks in that order. */
TbReplayRecording *tb_replay_recording_new (TbTrace *trace,
                                            gint64 from,
                                            gint64 to,
                                            const guint8 *is_replayed,
                                            const GArray *moments,
                                            GCancellable *cancellable,
                                            GError **error);
void tb_replay_recording_free (TbReplayRecording *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbReplayRecording, tb_replay_recording_free)

G_END_DECLS
