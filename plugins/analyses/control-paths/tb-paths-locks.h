/* tb-paths-locks.h: locks for which threads of the paths waited while the base path followed their
 * holders: for how long, and all waits of threads for them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths.h"

G_BEGIN_DECLS

/* A lock, or several locks of one name or made by one function. */
typedef struct
{
  char *name;
  gboolean is_file; /* the lock of a file */
  guint32 lock;     /* the one of them with most of the time of the path */
  /* the base path's time that passed while threads waited for it and the thread that then ended the
   * wait, or whoever that waited for, was on the path */
  gint64 path_ns;
  gint64 held_to;     /* end of the latest such stretch */
  gint64 wait_ns;     /* waits of all threads */
  gint64 inferred_ns; /* of these, waits that are for a lock by how they end, not by a function */
  gint64 delay_ns;    /* from the ends of the waits until the threads ran again */
  gint64 longest_ns;
  guint64 waits;
  guint n_threads;  /* that waited */
  guint n_locks;    /* of that name */
  guint32 thread;   /* that waited longest in all */
  gint64 thread_ns; /* how long */
  guint32 longest;  /* row of the longest wait */
} TbPathsLock;

typedef struct _TbPathsLocks TbPathsLocks;

TbPathsLocks *tb_paths_locks_new (TbPaths *paths);
void tb_paths_locks_free (TbPathsLocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsLocks, tb_paths_locks_free)

/* How much of from…to the base path spent with what held locks that threads waited for. */
gint64 tb_paths_locks_get_held (const TbPathsLocks *self, gint64 from, gint64 to);
/* By thread: the base path's time that passes while it sleeps between attempts at the lock of a
 * file and the path follows the holder. Time in which several sleep for it is of one of them. */
gint64 *tb_paths_locks_take_polled (TbPathsLocks *self);
/* (transfer full): TbPathsLock, longest time of the path first. */
GArray *tb_paths_locks_finish (TbPathsLocks *self);

G_END_DECLS
