/* tb-paths.h: the control paths of a process: its base path, its other threads', and work it kicked off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-facts.h"
#include "tb-paths-walk.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 thread;
  gboolean base;
  gboolean asynchronous; /* nobody of the base path waited for its end */
  gint64 from;
  gint64 to;
  gint64 wall_ns; /* of its lowest layer */
  guint lane;     /* those that do not overlap share one */
} TbPath;

typedef struct
{
  TbTrace *trace;
  TbPathsModel *model;
  TbPathsFacts *facts;
  TbPathsWalk *walk;
  guint32 process;
  guint32 thread; /* of interest */
  gint64 from;
  gint64 to;
  GArray *paths; /* TbPath; the first is the base path */
} TbPaths;

/* Both may have been made for an earlier question about the same trace, which is NULL for a model of rows alone. Takes neither. */
TbPaths *tb_paths_new (TbTrace *trace,
                       TbPathsModel *model,
                       TbPathsFacts *facts,
                       guint32 process,
                       guint32 thread,
                       gint64 from,
                       gint64 to,
                       GCancellable *cancellable,
                       GError **error);
void tb_paths_free (TbPaths *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPaths, tb_paths_free)

G_END_DECLS
