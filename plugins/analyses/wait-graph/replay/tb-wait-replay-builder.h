/* tb-wait-replay-builder.h: state while a recording is converted into the program of a replay:
 * look-up of threads' runs, points in them that become steps, when CPUs were free or occupied
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-replay-recording.h"
#include "tb-wait-replay-cpu-occupancy.h"

#include "trace/tb-track.h"

G_BEGIN_DECLS

/* More kinds of points, which do not become steps. */
enum
{
  /* value: the wait that begins then and that this thread ends */
  TB_REPLAY_POINT_SPLIT = TB_REPLAY_MARK + 1,
  TB_REPLAY_POINT_ENTER, /* value: system call */
  TB_REPLAY_POINT_EXIT,
  TB_REPLAY_POINT_RECORD, /* value: whether the record is a call of a probed function */
};

/* A timed action of a thread. */
typedef struct
{
  gsize row; /* interval in which it happens */
  gint64 time;
  guint32 order;
  guint8 kind; /* TbReplayKind, or one of the above */
  guint32 value;
} TbReplayPoint;

/* An interval in which a CPU was free, and the free time before it. */
typedef struct
{
  gint64 start;
  gint64 end;
  gint64 before;
} TbReplayFreeInterval;

/* A record that was made in an interrupt. */
typedef struct
{
  guint16 cpu;
  gint64 time;
} TbReplayInterrupt;

/* A request as recorded. */
typedef struct
{
  gint64 begin;
  gint64 complete;
  guint64 sector; /* G_MAXUINT64: unknown */
  guint64 bytes;
  guint32 thread;
  guint32 device; /* device of the program */
  gsize row;      /* interval in which it was issued; G_MAXSIZE: not known */
  guint32 wait;
  guint8 operation; /* first letter of the kernel's operation that is not a flush; 0: unknown */
} TbReplayIssuedRequest;

/* A sent message. */
typedef struct
{
  guint32 thread;
  gint64 time;
  guint32 local;
  guint32 remote;
} TbReplaySend;

/* A change of a count at a time. */
typedef struct
{
  gint64 time;
  int change;
} TbReplayCountChange;

typedef struct
{
  TbReplayRecording *self;
  TbTrace *trace;
  const TbIntervals *rows;
  const guint8 *is_replayed; /* by thread: it is replayed; NULL: all are */
  guint n_threads;
  gint64 from;
  gint64 to;
  guint32 *wait_of_row;
  GArray *points;             /* TbReplayPoint */
  GArray *free;               /* TbReplayFreeInterval */
  GArray *busy;               /* TbReplayCpuOccupancy: CPU occupancy by replayed threads */
  GArray *interrupts;         /* TbReplayInterrupt, by CPU and time */
  GArray *recorder_occupancy; /* TbReplayCpuOccupancy: CPU occupancy by the recorder */
  gboolean has_cpus;          /* the CPU of every run of a replayed thread is known */
  GArray *requests;           /* TbReplayIssuedRequest, by completion */
  GArray *spans;              /* TbReplayIssuedRequest: waits for devices without a known request */
  /* by wait: request that its waiter issues at its beginning; TB_REPLAY_NONE: none */
  guint32 *own;
  GBytes *wakers;
  const guint32 *waker_of_wakeup;
  GBytes *wakeup_cpus;
  const guint16 *cpu_of_wakeup;
  GBytes *wakeup_times;
  const gint64 *time_of_wakeup;
  gsize n_wakeups;
  GArray *sends; /* TbReplaySend, by thread and time */
  GBytes *sleep_calls;
  GBytes *sleep_objects;
  gsize n_sleeps;
  guint previous;      /* CPU where the current actor ran last; TB_CPU_ALL: none yet */
  guint32 call;        /* node of calls in which the current actor is */
  gboolean has_waited; /* the current actor has just waited */
  gboolean has_run;    /* it has run since it got its CPU */
  guint64 n_behind;    /* threads that were woken on another CPU while a thread ran there */
  double behind_ns;    /* what these wake-ups cost the wakers */
} TbReplayBuilder;

void tb_replay_builder_init (TbReplayBuilder *self,
                             TbTrace *trace,
                             gint64 from,
                             gint64 to,
                             const guint8 *is_replayed);
void tb_replay_builder_clear (TbReplayBuilder *self);
/* Whether a thread is replayed. */
gboolean tb_replay_builder_is_replayed (const TbReplayBuilder *self, guint32 thread);
/* The interval in which a thread ran at a time; G_MAXSIZE: it is not known to have run. */
gsize tb_replay_builder_find_run (const TbReplayBuilder *self, guint32 thread, gint64 time);
/* Gets the intervals of a thread that are in the range. Returns whether there are any. */
gboolean
tb_replay_builder_find_rows (const TbReplayBuilder *self, guint32 thread, gsize *first, gsize *end);
void tb_replay_builder_add_point (TbReplayBuilder *self,
                                  gsize row,
                                  gint64 time,
                                  guint8 kind,
                                  guint32 value);
int tb_replay_compare_count_changes (gconstpointer a, gconstpointer b);
/* Finds the times at which replayed threads did not use all CPUs. */
void tb_replay_builder_find_free (TbReplayBuilder *self, guint n_cpus);
/* How long a CPU was free before a time. */
gint64 tb_replay_builder_get_free_before (const TbReplayBuilder *self, gint64 time);
/* For how long of its runnable time no replayed thread kept a thread from its CPU. row: the
 * runnable interval. previous: the CPU where it ran last; TB_CPU_ALL: none yet. */
gint64 tb_replay_builder_get_delay (const TbReplayBuilder *self,
                                    gsize row,
                                    guint previous,
                                    gint64 start,
                                    gint64 end);
/* Finds the CPU occupancy by replayed threads, and by the recorder. */
void tb_replay_builder_find_cpu_occupancy (TbReplayBuilder *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbReplayBuilder, tb_replay_builder_clear)

G_END_DECLS
