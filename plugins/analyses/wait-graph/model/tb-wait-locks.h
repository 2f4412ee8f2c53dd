/* tb-wait-locks.h: the lock, or end of threads, for which most of an edge's time was waited, with
 * the threads that held it when waits ended; names and descriptions of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-stacks.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 thread;
  guint64 waits;
  gint64 ns;
} TbWaitHolder;

typedef struct
{
  guint32 lock; /* of the trace; TB_ID_NONE: the end of threads */
  gint64 ns;
  gboolean is_most;      /* it accounts for at least half of the edge's waiting time */
  gboolean is_signalled; /* most of the waits were for a condition, which no thread holds */
  /* TbWaitHolder, longest first: lock holders when waits ended, or the threads that ended */
  GArray *holders;
} TbWaitLock;

/* Computed on first use. */
typedef struct _TbWaitLocks TbWaitLocks;

TbWaitLocks *tb_wait_locks_new (const TbWaitGraph *graph, const TbWaitStacks *stacks);
void tb_wait_locks_free (TbWaitLocks *self);
/* The lock or thread end for which most of the edge's time was waited; NULL: neither is known. */
const TbWaitLock *tb_wait_locks_find (TbWaitLocks *self, guint32 arc);
/* Whether most of the edge's time was waited in functions that take a lock, not for a condition or
 * the end of a thread. */
gboolean tb_wait_locks_is_for_mutexes (TbWaitLocks *self, guint32 arc);
/* "queue_lock", "end of worker (812)". */
char *tb_wait_lock_get_name (const TbWaitGraph *graph, const TbWaitLock *lock);
/* The same for display, translated. */
char *tb_wait_lock_get_label (const TbWaitGraph *graph, const TbWaitLock *lock);
/* Whether the holders are more specific than the vertex to which the edge leads. */
gboolean
tb_wait_lock_has_distinct_holders (const TbWaitGraph *graph, guint32 arc, const TbWaitLock *lock);
/* "worker (812), worker (813) and 2 more threads" */
char *tb_wait_lock_describe_holders (const TbWaitGraph *graph, const TbWaitLock *lock);
/* "most of it for the lock queue_lock, released by worker (812) and worker (813)"; of a condition
 * "most of it for work_ready, ended by worker (812)". NULL: for no lock. */
char *tb_wait_locks_describe (TbWaitLocks *self, guint32 arc);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitLocks, tb_wait_locks_free)

G_END_DECLS
