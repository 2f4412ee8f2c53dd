/* tb-paths-walk.h: construction of pseudo-stacks, backwards in time: boxes of a thread's runs and
 * sleeps, above each sleep what the thread that ended it did meanwhile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-paths-boxes.h"

G_BEGIN_DECLS

/* Why a wake-up was not followed. */
typedef enum
{
  /* the waker is not known to have run at that time: events are missing or contradictory */
  TB_PATHS_DROP_NOT_RUNNING,
  TB_PATHS_DROP_OTHER_PATH, /* what the waker did already belongs to a path */
  TB_PATHS_DROP_BEFORE, /* the waker's run began before the wait; that part was for other threads */
  /* the waker's run continued after the wait; that part was for other threads */
  TB_PATHS_DROP_AFTER,
  /* a kernel thread or an unrelated thread was woken, and nothing waited for it */
  TB_PATHS_DROP_NOT_WAITED,
  TB_PATHS_DROP_OTHER_WORK, /* a thread gave the kernel other work than the awaited disk request */
  TB_PATHS_N_DROPS,
} TbPathsDrop;

/* The latest part of a thread's life that a path has: from that time to the path's end. */
typedef struct
{
  guint32 path; /* TB_ID_NONE: none */
  gint64 from;
} TbPathsClaim;

typedef struct
{
  const TbPathsModel *model;
  /* results, of all paths */
  TbPathsBoxes boxes;
  guint32 *row_path; /* by row: the first path that contains (a part of) it; TB_ID_NONE: none */
  guint n_layers;
  guint64 kept; /* wake-ups that were followed */
  guint64 dropped[TB_PATHS_N_DROPS];
  /* state of the walk */
  guint32 path;             /* the path that is walked */
  GArray *frames;           /* Frame, the lowest layer first */
  guint32 *frame_of_thread; /* by thread: index of its frame + 1, 0 none */
  TbPathsClaim *claims;     /* by thread */
} TbPathsWalk;

TbPathsWalk *tb_paths_walk_new (const TbPathsModel *model);
void tb_paths_walk_free (TbPathsWalk *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsWalk, tb_paths_walk_free)

/* Adds what a thread did in from…to to a path, together with what its sleeps waited for. Stretches
 * of a path are added in descending order of time. */
gboolean tb_paths_walk_add (TbPathsWalk *self,
                            guint32 path,
                            guint32 thread,
                            gint64 from,
                            gint64 to,
                            GCancellable *cancellable,
                            GError **error);

G_END_DECLS
