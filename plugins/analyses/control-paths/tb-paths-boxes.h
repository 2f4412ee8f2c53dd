/* tb-paths-boxes.h: store of the boxes of pseudo-stacks as columns: runs and sleeps of threads,
 * each in a layer above the sleep that its thread ended; part of a sleep that children cover;
 * boxes of one merged sleep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"

G_BEGIN_DECLS

typedef enum
{
  /* the run began earlier; that part does not belong to this path */
  TB_PATHS_BOX_CUT_START = 1 << 0,
  TB_PATHS_BOX_CUT_END = 1 << 1,   /* the run continued; that part does not belong to this path */
  TB_PATHS_BOX_HAS_CHILD = 1 << 2, /* a sleep: it waited for its child during child_from…child_to */
} TbPathsBoxFlags;

/* A row of the interval table in a path, or a part of it. */
typedef struct
{
  guint32 row;
  gint64 from;
  gint64 to;
  guint32
      parent; /* box of the last sleep that this is a child of, TB_ID_NONE in the lowest layer */
  guint32 layer;
  guint32 path;
  guint8 flags; /* TbPathsBoxFlags */
} TbPathsBox;

/* Columns of boxes, each one layer above its parent. A parent precedes its children. Within a
 * layer, boxes are in descending order of time. */
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
  guint32 *parent;
  guint32 *layer;
  guint32 *path;
  guint8 *flags;
} TbPathsBoxes;

void tb_paths_boxes_clear (TbPathsBoxes *self);
/* Adds a box without a child. */
void tb_paths_boxes_add (TbPathsBoxes *self, const TbPathsBox *box);
/* Sets the stretch that children cover, for the boxes first…end − 1 of a merged sleep. */
void tb_paths_boxes_set_child (TbPathsBoxes *self,
                               gsize first,
                               gsize end,
                               gint64 from,
                               gint64 to,
                               gint64 ready);
/* One past the boxes that are merged into one sleep with box i (i + 1 where it is not a sleep with
 * a child), and how much of that sleep its child covers. */
gsize tb_paths_boxes_get_group (const TbPathsBoxes *self,
                                const TbPathsModel *model,
                                gsize i,
                                gint64 *covered);

G_END_DECLS
