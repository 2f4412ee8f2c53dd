/* tb-paths.h: paths of a process: its time limited to the life of the thread of interest, the base
 * path of that thread, paths parallel to it (by tb-paths-parallel.c), and a lane for each path to
 * be drawn in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-events.h"
#include "tb-paths-lock-waits.h"
#include "tb-paths-walk.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 thread;
  gboolean base;
  gboolean asynchronous; /* the base path did not wait for its end */
  gint64 from;
  gint64 to;
  gint64 wall_ns; /* total time of its lowest layer */
  guint lane;     /* paths that do not overlap in time share a lane */
} TbPath;

typedef struct
{
  TbTrace *trace;
  TbPathsModel *model;
  TbPathsEvents *events;
  TbPathsWalk *walk;
  TbPathsLockWaits *lock_waits; /* NULL without a trace */
  guint32 process;
  guint32 thread; /* the thread of interest */
  gint64 from;
  gint64 to;
  GArray *paths; /* TbPath; the first is the base path */
} TbPaths;

/* model and events may come from an earlier run on the same trace. trace is NULL for a model of
 * rows alone. Takes ownership of neither. */
TbPaths *tb_paths_new (TbTrace *trace,
                       TbPathsModel *model,
                       TbPathsEvents *events,
                       guint32 process,
                       guint32 thread,
                       gint64 from,
                       gint64 to,
                       GCancellable *cancellable,
                       GError **error);
void tb_paths_free (TbPaths *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPaths, tb_paths_free)

G_END_DECLS
