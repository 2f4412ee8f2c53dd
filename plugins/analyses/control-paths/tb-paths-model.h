/* tb-paths-model.h: input of the walk, read from the trace: runs and sleeps of all threads, what
 * ended each sleep (waker or creator), sleeps of a poll loop merged; also search for the threads
 * behind interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace-lock-uses.h"
#include "trace/tb-trace-poll-loops.h"

G_BEGIN_DECLS

/* The thresholds of the rules, ns. */
typedef struct
{
  gint64 grace; /* how far a child may exceed its parent's sleep, on either side */
  /* less CPU time than this, or than one hundredth of the wait before, does not separate the sleeps
   * of a poll loop */
  gint64 poll_run;
  gint64 sample_late; /* a sample belongs to a run that ended at most this long before it */
} TbPathsThresholds;

#define TB_PATHS_GRACE G_GINT64_CONSTANT (100000)
#define TB_PATHS_POLL_RUN TB_POLL_RUN
#define TB_PATHS_SAMPLE_LATE G_GINT64_CONSTANT (20000)

/* The input of the walk: rows of the interval table, wakers and creators of threads. A sleep
 * consists of the rows between two running rows of a thread, or between rows of which nothing is
 * known. It is identified by its first row. */
typedef struct
{
  TbTrace *trace; /* NULL for a model of rows alone */
  const TbIntervals *rows;
  guint n_threads;
  guint32 *first_row;       /* by thread, n_threads + 1 values */
  const gint64 *wake_time;  /* columns of the wakeup table */
  const guint32 *wake_from; /* the waker */
  gsize n_wakeups;
  guint32 *creator; /* by thread: the thread that forked it, TB_ID_NONE unknown */
  gint64 *fork_time;
  /* By row that a message or a device ended: the thread of this recording that sent the message or
   * submitted the request to the device, and the time at which it did. By row that a timeout ended:
   * the thread that had the lock then, and the last time at which it ran. TB_ID_NONE: none. Both
   * are NULL where there are none. */
  guint32 *origin;
  gint64 *origin_time;
  TbPollLoops *loops;
  TbLockUses *lock_uses; /* NULL until tb_paths_model_get_lock_uses() */
  guint32 *merged; /* by first row of a sleep: first row of the merged sleep that it belongs to */
  TbPathsThresholds thresholds;

  GPtrArray *columns; /* GBytes that own the data of the arrays above */
} TbPathsModel;

/* Rows between two checks of a cancellable. */
#define TB_PATHS_STRIDE 65536

TbPathsModel *tb_paths_model_new (TbTrace *trace,
                                  const TbPathsThresholds *thresholds,
                                  GCancellable *cancellable,
                                  GError **error);
/* For tests: made from arrays that outlive the model. creator may be NULL. */
TbPathsModel *tb_paths_model_new_from_rows (const TbIntervals *rows,
                                            guint n_threads,
                                            const gint64 *wake_time,
                                            const guint32 *wake_from,
                                            gsize n_wakeups,
                                            const guint32 *creator,
                                            const gint64 *fork_time,
                                            const TbPathsThresholds *thresholds);
void tb_paths_model_free (TbPathsModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsModel, tb_paths_model_free)

/* The uses of locks, which are the same for all paths. The model must be of a trace. */
TbLockUses *tb_paths_model_get_lock_uses (TbPathsModel *self);

/* The row of the thread that contains time or ends at it. TB_ID_NONE: none. */
guint32 tb_paths_model_find_row (const TbPathsModel *self, guint32 thread, gint64 time);

/* A column of a table, owned by the model. NULL where it cannot be read. */
const void *
tb_paths_model_get_column (TbPathsModel *self, TbTable *table, guint column, GError **error);
/* tb-paths-origins.c: fills origin and origin_time */
gboolean tb_paths_model_find_origins (TbPathsModel *self,
                                      TbTrace *trace,
                                      GCancellable *cancellable,
                                      GError **error);
/* tb-paths-lock-holders.c: likewise, of waits for locks that timed out */
gboolean tb_paths_model_find_holders (TbPathsModel *self,
                                      TbTrace *trace,
                                      GCancellable *cancellable,
                                      GError **error);

/* The row whose end shows what a sleep was for: that of the last sleep of its poll loop, or the row
 * itself. */
static inline guint32
tb_paths_model_get_awaited_row (const TbPathsModel *self, guint32 row)
{
  return self->rows->cause_kind[row] == TB_CAUSE_TIMER
             ? (guint32) tb_poll_loops_get_last (self->loops, row)
             : row;
}

/* Whether the kernel made the thread. FALSE for a model of rows alone. */
gboolean tb_paths_model_is_kernel_thread (const TbPathsModel *self, guint32 thread);
/* Whether the sleep that a row belongs to was for the disk. FALSE for a model of rows alone. */
gboolean tb_paths_model_waits_for_disk (const TbPathsModel *self, guint32 row);

/* Whether a thread of this recording sent the message or submitted the request that ended the row,
 * or had the lock for which it waited until its timeout. */
static inline gboolean
tb_paths_has_origin (const TbPathsModel *self, guint32 row)
{
  return self->origin != NULL && self->origin[row] != TB_ID_NONE;
}

/* What ended a sleep. */
typedef enum
{
  TB_PATHS_END_NONE,      /* nothing known */
  TB_PATHS_END_PREEMPTED, /* not a sleep: another thread took the CPU */
  /* thread and time are set; run where the thread is known to have run at that time */
  TB_PATHS_END_THREAD,
  TB_PATHS_END_FORK,  /* as before, and the thread begins here */
  TB_PATHS_END_OTHER, /* a device, the network, a timer, an interrupt: see the row */
} TbPathsEndKind;

typedef struct
{
  TbPathsEndKind kind;
  guint32 row; /* row that records the cause */
  guint32 thread;
  guint32 run; /* row in which the waker ran, TB_ID_NONE where it is not known to have run */
  gint64 time;
} TbPathsEnd;

/* Finds what ended the sleep of rows first…last. */
void
tb_paths_model_get_end (const TbPathsModel *self, guint32 first, guint32 last, TbPathsEnd *end);

static inline gboolean
tb_paths_is_run (const TbPathsModel *self, guint32 row)
{
  return self->rows->state[row] == TB_STATE_RUNNING;
}

/* Events are lost or contradict each other here. The thread may have run, slept or both, so that
 * the rows before and after are not connected. */
static inline gboolean
tb_paths_is_gap (const TbPathsModel *self, guint32 row)
{
  return self->rows->state[row] == TB_STATE_UNKNOWN
         && (self->rows->cause_kind[row] == TB_CAUSE_NONE
             || (self->rows->flags[row] & TB_INTERVAL_UNCERTAIN));
}

/* The first row of the sleep that contains row. */
static inline guint32
tb_paths_model_get_sleep_start (const TbPathsModel *self, guint32 row)
{
  guint32 limit = self->first_row[self->rows->thread[row]];

  if (tb_paths_is_gap (self, row))
    return row;
  while (row > limit && !tb_paths_is_run (self, row - 1) && !tb_paths_is_gap (self, row - 1))
    row--;
  return row;
}

/* The last row of the sleep that contains row. */
static inline guint32
tb_paths_model_get_sleep_end (const TbPathsModel *self, guint32 row)
{
  guint32 limit = self->first_row[self->rows->thread[row] + 1];

  if (tb_paths_is_gap (self, row))
    return row;
  while (row + 1 < limit && !tb_paths_is_run (self, row + 1) && !tb_paths_is_gap (self, row + 1))
    row++;
  return row;
}

/* The row in which a thread slept, of the sleep that row belongs to; TB_ID_NONE: it only waited
 * for a CPU. */
static inline guint32
tb_paths_find_sleeping_row (const TbPathsModel *model, guint32 row)
{
  guint32 limit = model->first_row[model->rows->thread[row]];

  while (row > limit && model->rows->state[row] == TB_STATE_RUNNABLE
         && !tb_paths_is_run (model, row - 1) && !tb_paths_is_gap (model, row - 1))
    row--;
  return model->rows->state[row] >= TB_STATE_INTERRUPTIBLE ? row : TB_ID_NONE;
}

G_END_DECLS
