/* tb-paths-walk.h: builder of pseudo-stacks from runs and sleeps, backwards in time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-paths-model.h"

G_BEGIN_DECLS

typedef enum
{
  /* the run began earlier; that part does not belong to this path */
  TB_PATHS_BOX_CUT_START = 1 << 0,
  TB_PATHS_BOX_CUT_END = 1 << 1,   /* the run continued; that part does not belong to this path */
  TB_PATHS_BOX_HAS_CHILD = 1 << 2, /* a sleep: it waited for its child during child_from…child_to */
} TbPathsBoxFlags;

/* Rows of the interval table in a path: a row or a part of it, one layer above its parent. A parent
 * precedes its children. Within a layer, boxes are in descending order of time. */
typedef struct
{
  gsize n;
  gsize room;
  guint32 *row;
  gint64 *from;
  gint64 *to;
  /* stretch that children cover, for all sleeps that are merged with this one */
  gint64 *child_from;
  gint64 *child_to;
  /* when the first child became runnable; the time from then to child_from is scheduler
   * overhead */
  gint64 *ready;
  /* box of the last sleep that this is a child of, TB_ID_NONE in the lowest layer */
  guint32 *parent;
  guint32 *layer;
  guint32 *path;
  guint8 *flags;
} TbPathsBoxes;

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
  TB_PATHS_N_DROPS,
} TbPathsDrop;

typedef struct
{
  const TbPathsModel *model;
  TbPathsBoxes boxes;
  guint64 dropped[TB_PATHS_N_DROPS];
  guint64 kept;
  guint n_layers;

  GArray *frames;
  guint32 *frame_of_thread; /* by thread: index of its frame + 1, 0 none */
  gint64 *claimed;          /* by thread: start of its part in the path in claimed_path */
  guint32 *claimed_path;    /* by thread */
  guint32 *row_path;        /* by row: the first path that contains (a part of) it */
  guint32 path;
} TbPathsWalk;

TbPathsWalk *tb_paths_walk_new (const TbPathsModel *model);
void tb_paths_walk_free (TbPathsWalk *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsWalk, tb_paths_walk_free)

/* One past the boxes that are merged into one sleep with box i (i + 1 where it is not a sleep with
 * a child), and how much of that sleep its child covers. */
gsize tb_paths_boxes_get_group (const TbPathsBoxes *boxes,
                                const TbPathsModel *model,
                                gsize i,
                                gint64 *covered);

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
