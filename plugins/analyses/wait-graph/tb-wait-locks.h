/* tb-wait-locks.h: which lock, or whose end, an edge's waits were for, and who let them go on
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
  guint32 lock; /* of the trace; TB_ID_NONE: it was the end of threads */
  gint64 ns;
  gboolean is_most; /* for at least half of what was waited */
  GArray *holders;  /* TbWaitHolder, most time first: who held it when waits ended, or whose end it was */
} TbWaitLock;

/* Found when it is first asked for. */
typedef struct _TbWaitLocks TbWaitLocks;

TbWaitLocks *tb_wait_locks_new (const TbWaitGraph *graph, const TbWaitStacks *stacks);
void tb_wait_locks_free (TbWaitLocks *self);
/* What an edge was waited for longest; NULL: for no lock that is known, and for nobody's end. */
const TbWaitLock *tb_wait_locks_find (TbWaitLocks *self, guint32 arc);
/* "queue_lock", "end of worker (812)". */
char *tb_wait_lock_get_name (const TbWaitGraph *graph, const TbWaitLock *lock);
/* Whether who held it is more than the edge itself says. */
gboolean tb_wait_lock_tells_holders (const TbWaitGraph *graph, guint32 arc, const TbWaitLock *lock);
/* "worker (812), worker (813) and 2 more" */
char *tb_wait_lock_describe_holders (const TbWaitGraph *graph, const TbWaitLock *lock);
/* "most of it for the lock queue_lock, let go of by worker (812) and worker (813)"; NULL: for none. */
char *tb_wait_locks_describe (TbWaitLocks *self, guint32 arc);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitLocks, tb_wait_locks_free)

G_END_DECLS
