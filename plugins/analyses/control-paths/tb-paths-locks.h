/* tb-paths-locks.h: locks that the base path waited for: how much of the path is spent below waits
 * for each, and all waits of threads for it during that time
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
  /* the base path's time below waits for it: what whoever held it did meanwhile is included */
  gint64 path_ns;
  gint64 wait_ns; /* waits of all threads */
  gint64 longest_ns;
  guint64 waits;
  guint n_threads;  /* that waited */
  guint n_locks;    /* of that name */
  guint32 thread;   /* that waited longest in all */
  gint64 thread_ns; /* how long */
  guint32 longest;  /* row of the longest wait */
} TbPathsLock;

/* Sums of the base path's time by lock, while boxes are read in their order. */
typedef struct _TbPathsLocks TbPathsLocks;

TbPathsLocks *tb_paths_locks_new (TbPaths *paths);
void tb_paths_locks_free (TbPathsLocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsLocks, tb_paths_locks_free)

/* Adds a box of any path; ns: its own time. Returns whether it is below a wait for a lock. Parents
 * come before their children. */
gboolean tb_paths_locks_add (TbPathsLocks *self, gsize box, gint64 ns);
/* (transfer full): TbPathsLock, longest time of the path first. */
GArray *tb_paths_locks_finish (TbPathsLocks *self);

G_END_DECLS
