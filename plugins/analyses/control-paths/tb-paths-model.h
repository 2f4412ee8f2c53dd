/* tb-paths-model.h: runs, sleeps and what links them, as the walk reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The thresholds of the rules, ns. */
typedef struct
{
  gint64 grace;       /* how far a child may reach beyond its parent's sleep, at either side */
  gint64 poll_run;    /* runs shorter than this do not part the sleeps of a poll loop */
  gint64 sample_late; /* a sample belongs to a run that ended at most so long before */
} TbPathsThresholds;

#define TB_PATHS_GRACE G_GINT64_CONSTANT (100000)
#define TB_PATHS_POLL_RUN G_GINT64_CONSTANT (100000)
#define TB_PATHS_SAMPLE_LATE G_GINT64_CONSTANT (20000)

/* What the walk reads: rows of the interval table, who woke whom, who forked whom. A sleep is what lies between two running
 * rows of a thread, or rows of which nothing is known; it is known by its first row. */
typedef struct
{
  const TbIntervals *rows;
  guint n_threads;
  guint32 *first_row;       /* by thread, n_threads + 1 values */
  const gint64 *wake_time;  /* columns of the wakeup table */
  const guint32 *wake_from; /* the waker */
  gsize n_wakeups;
  guint32 *creator; /* by thread: who forked it, TB_ID_NONE unknown */
  gint64 *fork_time;
  /* By row that a message or a device ended: the thread of this recording that sent the message, or gave the device the request
   * for it, and when; TB_ID_NONE none. NULL: none at all. */
  guint32 *behind;
  gint64 *behind_time;
  guint32 *merged; /* by first row of a sleep: first row of the sleep that it and those before it count as */
  TbPathsThresholds thresholds;

  GPtrArray *columns; /* GBytes that the arrays above lie in */
} TbPathsModel;

/* Rows between two looks at a cancellable. */
#define TB_PATHS_STRIDE 65536

TbPathsModel *tb_paths_model_new (TbTrace *trace,
                                  const TbPathsThresholds *thresholds,
                                  GCancellable *cancellable,
                                  GError **error);
/* For tests: from arrays that outlive the model; creator may be NULL. */
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

/* The row of the thread that covers time, or that ended just then; TB_ID_NONE none. */
guint32 tb_paths_model_find_row (const TbPathsModel *self, guint32 thread, gint64 time);

/* A column of a table, held with the model; NULL where it cannot be read. */
const void *tb_paths_model_get_column (TbPathsModel *self, TbTable *table, guint column, GError **error);
/* tb-paths-behind.c: fills behind and behind_time. */
gboolean
tb_paths_model_find_behind (TbPathsModel *self, TbTrace *trace, GCancellable *cancellable, GError **error);

/* Whether a message or a request ended the row that a thread of this recording stands behind. */
static inline gboolean
tb_paths_has_behind (const TbPathsModel *self, guint32 row)
{
  return self->behind != NULL && self->behind[row] != TB_ID_NONE;
}

/* What ended a sleep. */
typedef enum
{
  TB_PATHS_END_NONE,      /* nothing known */
  TB_PATHS_END_PREEMPTED, /* it was no sleep: another took the cpu */
  TB_PATHS_END_THREAD,    /* thread and time are set, run where that thread is known to have run then */
  TB_PATHS_END_FORK,      /* likewise: the thread begins here */
  TB_PATHS_END_OTHER,     /* a device, the network, a timer, an interrupt: see the row */
} TbPathsEndKind;

typedef struct
{
  TbPathsEndKind kind;
  guint32 row; /* which says it */
  guint32 thread;
  guint32 run; /* row in which the waker ran, TB_ID_NONE it is not known to have run */
  gint64 time;
} TbPathsEnd;

/* The end of the sleep of rows first…last. */
void tb_paths_model_get_end (const TbPathsModel *self, guint32 first, guint32 last, TbPathsEnd *end);

static inline gboolean
tb_paths_is_run (const TbPathsModel *self, guint32 row)
{
  return self->rows->state[row] == TB_STATE_RUNNING;
}

/* Where events are lost or contradict each other it may have run, slept, or both: that parts what is before from what is after. */
static inline gboolean
tb_paths_is_hole (const TbPathsModel *self, guint32 row)
{
  return self->rows->state[row] == TB_STATE_UNKNOWN
         && (self->rows->cause_kind[row] == TB_CAUSE_NONE
             || (self->rows->flags[row] & TB_INTERVAL_UNCERTAIN));
}

/* The first row of the sleep that row lies in. */
static inline guint32
tb_paths_model_get_sleep_start (const TbPathsModel *self, guint32 row)
{
  guint32 limit = self->first_row[self->rows->thread[row]];

  if (tb_paths_is_hole (self, row))
    return row;
  while (row > limit && !tb_paths_is_run (self, row - 1) && !tb_paths_is_hole (self, row - 1))
    row--;
  return row;
}

/* The last row of the sleep that row lies in. */
static inline guint32
tb_paths_model_get_sleep_end (const TbPathsModel *self, guint32 row)
{
  guint32 limit = self->first_row[self->rows->thread[row] + 1];

  if (tb_paths_is_hole (self, row))
    return row;
  while (row + 1 < limit && !tb_paths_is_run (self, row + 1) && !tb_paths_is_hole (self, row + 1))
    row++;
  return row;
}

G_END_DECLS
