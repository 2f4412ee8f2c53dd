/* tb-paths-categories.h: division of each run and sleep of a path into categories of what explains
 * its time, such as understood, network or not sampled; stack with which it is drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-events.h"
#include "tb-paths-walk.h"

G_BEGIN_DECLS

/* From best to least understood, in the order of the table and the curve. */
typedef enum
{
  TB_PATHS_UNDERSTOOD,
  TB_PATHS_INFERRED,
  TB_PATHS_BLOCKING_IO,
  TB_PATHS_NETWORK,
  TB_PATHS_DELIBERATE,
  TB_PATHS_NOT_SAMPLED,
  TB_PATHS_IO_QUEUE,
  TB_PATHS_SCHEDULER,
  TB_PATHS_HARDWARE,
  TB_PATHS_INVOLUNTARY,
  TB_PATHS_KERNEL_BLOCK,
  TB_PATHS_TIMED_OUT,
  TB_PATHS_OTHER_PATH,
  TB_PATHS_UNACCOUNTED,
  TB_PATHS_N_CATEGORIES,
} TbPathsCategory;

const char *tb_paths_category_get_id (TbPathsCategory category);    /* as in JSON, without _ns */
const char *tb_paths_category_get_label (TbPathsCategory category); /* translated */

/* Part of a box that no child covers. */
typedef struct
{
  gint64 from;
  gint64 to;
  TbPathsCategory category;
} TbPathsSegment;

typedef struct
{
  const TbPathsModel *model;
  TbPathsEvents *events;
  const TbPathsBoxes *boxes;
  GArray *segments; /* TbPathsSegment of the box requested last */
  GArray *rest;     /* scratch space while segments are made */
  guint8 *device_is_network;
  guint n_devices;
  /* by box of a kernel thread: box in which another thread waits for the disk, for which the kernel
   * thread works; TB_ID_NONE none, and for all other boxes */
  guint32 *disk_wait;
} TbPathsCategorizer;

void tb_paths_categorizer_init (TbPathsCategorizer *self,
                                const TbPathsModel *model,
                                TbPathsEvents *events,
                                const TbPathsBoxes *boxes);
void tb_paths_categorizer_clear (TbPathsCategorizer *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbPathsCategorizer, tb_paths_categorizer_clear)

/* The segments of a box, ascending. They cover exactly the part that its child does not. Valid
 * until the next call. */
const GArray *tb_paths_categorizer_get_segments (TbPathsCategorizer *self, gsize box);

/* The category of a whole row by itself, without regard to its child. */
TbPathsCategory tb_paths_categorizer_classify (TbPathsCategorizer *self, guint32 row);

/* The stack that a box is drawn with. For a run: its middle sample, or the inferred stack. For a
 * sleep: its own stack. */
guint32 tb_paths_categorizer_get_node (TbPathsCategorizer *self, gsize box);

G_END_DECLS
