/* tb-paths-walk.h: puts runs and sleeps together into pseudo-stacks, going back in time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-paths-model.h"

G_BEGIN_DECLS

typedef enum
{
  TB_PATHS_BOX_CUT_START = 1 << 0, /* the run began earlier: that part is not this path's */
  TB_PATHS_BOX_CUT_END = 1 << 1,   /* the run went on: likewise */
  TB_PATHS_BOX_HAS_CHILD = 1 << 2, /* a sleep: child_from…child_to is what it waited for */
} TbPathsBoxFlags;

/* Rows of the interval table as they stand in a path: a row or a part of it, a layer above its parent. A parent stands
 * before its children; within a layer later ones come first. */
typedef struct
{
  gsize n;
  gsize room;
  guint32 *row;
  gint64 *from;
  gint64 *to;
  gint64 *child_from; /* stretch that children cover, of all sleeps that count as one with this */
  gint64 *child_to;
  gint64 *
      ready; /* when the first child was ready to run: what lies before child_from and after it is its way to a cpu */
  guint32 *parent; /* box of the last sleep that this is a child of, TB_ID_NONE in the lowest layer */
  guint32 *layer;
  guint32 *path;
  guint8 *flags;
} TbPathsBoxes;

/* Why a wake-up was not followed. */
typedef enum
{
  TB_PATHS_DROP_NOT_RUNNING, /* the waker is not known to have run then: events are missing or contradict each other */
  TB_PATHS_DROP_OTHER_PATH, /* what the waker did belongs to a path already */
  TB_PATHS_DROP_BEFORE, /* of the waker's run only what lies in the wait counts: it began earlier, for others */
  TB_PATHS_DROP_AFTER,      /* likewise: it went on, for others */
  TB_PATHS_DROP_NOT_WAITED, /* a thread of the kernel or of another's work was woken, and nobody waited for it */
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
  guint32 *on_chain;     /* by thread: its frame + 1, 0 none */
  gint64 *claimed;       /* by thread: from when on it has a place in the path that claimed_path says */
  guint32 *claimed_path; /* by thread */
  guint32 *row_path;     /* by row: the first path that took (a part of) it */
  guint32 path;
} TbPathsWalk;

TbPathsWalk *tb_paths_walk_new (const TbPathsModel *model);
void tb_paths_walk_free (TbPathsWalk *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsWalk, tb_paths_walk_free)

/* One past the boxes that count as one sleep with box i (i + 1 where it is none with a child), and how much of it their
 * child covers. */
gsize
tb_paths_boxes_get_group (const TbPathsBoxes *boxes, const TbPathsModel *model, gsize i, gint64 *covered);

/* Adds what a thread did in from…to to a path, with what its sleeps waited for. Later stretches of a path come first. */
gboolean tb_paths_walk_add (TbPathsWalk *self,
                            guint32 path,
                            guint32 thread,
                            gint64 from,
                            gint64 to,
                            GCancellable *cancellable,
                            GError **error);

G_END_DECLS
