/* tb-wait-replay-maker.h: what is known while a recording is made a program to be played; private to tb-wait-replay-*.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-replay-make.h"
#include "what-if/tb-wait-replay-turns.h"

#include "trace/tb-track.h"

G_BEGIN_DECLS

/* More kinds of points, which are no steps. */
enum
{
  TB_REPLAY_POINT_SPLIT
  = TB_REPLAY_MARK + 1,  /* value: the wait that begins then, for what this thread does */
  TB_REPLAY_POINT_ENTER, /* value: system call */
  TB_REPLAY_POINT_EXIT,
  TB_REPLAY_POINT_RECORD, /* value: whether it is of a probed function */
};

/* Something that a thread does at a time of its own. */
typedef struct
{
  gsize row; /* interval in which it does */
  gint64 time;
  guint32 order;
  guint8 kind; /* TbReplayKind, or one of the above */
  guint32 value;
} TbReplayPoint;

/* When a cpu was free: from, and how much of it was before. */
typedef struct
{
  gint64 start;
  gint64 end;
  gint64 before;
} TbReplayFree;

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
  guint64 sector; /* G_MAXUINT64 unknown */
  guint64 bytes;
  guint32 thread;
  guint32 device; /* of the program */
  gsize row;      /* where it was issued, G_MAXSIZE not known */
  guint32 wait;
  guint8 operation; /* the first of the kernel's letters that is no flush, 0 unknown */
} TbReplayAsked;

/* A message that left. */
typedef struct
{
  guint32 thread;
  gint64 time;
  guint32 local;
  guint32 remote;
} TbReplaySend;

/* So many more, or fewer, from a time on. */
typedef struct
{
  gint64 time;
  int change;
} TbReplayStep;

typedef struct
{
  TbReplayRecording *self;
  TbTrace *trace;
  const TbIntervals *rows;
  const guint8 *inside; /* by thread, NULL: all are */
  guint n_threads;
  gint64 from;
  gint64 to;
  guint32 *wait_of_row;
  GArray *points;     /* TbReplayPoint */
  GArray *free;       /* TbReplayFree */
  GArray *busy;       /* TbReplayTurn: of those who are played */
  GArray *interrupts; /* TbReplayInterrupt, by cpu and time */
  GArray *turns;      /* TbReplayTurn: of the recorder */
  gboolean has_cpus;  /* it is known on which cpus those ran who are played */
  GArray *requests;   /* TbReplayAsked, by completion */
  GArray *spans;      /* TbReplayAsked: waits for devices whose request is not known */
  guint32 *own;       /* by wait: the request that its waiter begins it with, TB_REPLAY_NONE none */
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
  guint previous;      /* cpu: where the actor whose steps are made ran last, TB_CPU_ALL nowhere yet */
  guint32 call;        /* node of calls: what the actor whose steps are made is in */
  gboolean has_waited; /* it, just before */
  gboolean has_run;    /* since it got its cpu */
  guint64 n_behind;    /* threads that were woken on another cpu, where somebody ran */
  double behind_ns;    /* what that took of who woke them */
} TbReplayMaker;

void tb_replay_maker_init (TbReplayMaker *self, TbTrace *trace, gint64 from, gint64 to, const guint8 *inside);
void tb_replay_maker_clear (TbReplayMaker *self);
/* Whether a thread is played. */
gboolean tb_replay_maker_is_inside (const TbReplayMaker *self, guint32 thread);
/* The interval in which a thread ran at a time, G_MAXSIZE it is not known to have run. */
gsize tb_replay_maker_find_run (const TbReplayMaker *self, guint32 thread, gint64 time);
/* The intervals of a thread that are in the range; whether there are any. */
gboolean tb_replay_maker_find_rows (const TbReplayMaker *self, guint32 thread, gsize *first, gsize *end);
void tb_replay_maker_add_point (TbReplayMaker *self, gsize row, gint64 time, guint8 kind, guint32 value);
int tb_replay_compare_steps (gconstpointer a, gconstpointer b);
/* Finds when not all cpus were busy with those who are played. */
void tb_replay_maker_find_free (TbReplayMaker *self, guint n_cpus);
/* How long a cpu was free before a time. */
gint64 tb_replay_maker_get_free_before (const TbReplayMaker *self, gint64 time);
/* How long nobody who is played kept a thread from its cpu that could run; row: in which it could. previous: where it ran last,
 * TB_CPU_ALL nowhere yet. */
gint64
tb_replay_maker_get_delay (const TbReplayMaker *self, gsize row, guint previous, gint64 start, gint64 end);
/* Finds when those who are played, and when the recorder, had which cpus. */
void tb_replay_maker_find_turns (TbReplayMaker *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbReplayMaker, tb_replay_maker_clear)

G_END_DECLS
