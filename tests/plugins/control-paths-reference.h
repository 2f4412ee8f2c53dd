/* control-paths-reference.h: plain reference implementation of the rules of control paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-model.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 row;
  guint32 path;
  guint32 layer;
  gint64 from;
  gint64 to;
  gboolean covered; /* a sleep: its child covers from…to below */
  gint64 child_from;
  gint64 child_to;
  gint64 ready;
} ReferenceBox;

/* The base path of a thread: (element-type ReferenceBox), in no particular order. */
GArray *control_paths_reference (const TbPathsModel *model, guint32 thread, gint64 from, gint64 to);

/* All paths of the process with the given main thread: (element-type ReferenceBox); path 0 is the
 * base path. process_of: process of each thread. asynchronous: (element-type gboolean) by path,
 * whether no thread of the base path waited for its end. */
GArray *control_paths_reference_all (const TbPathsModel *model,
                                     const guint32 *process_of,
                                     guint32 thread,
                                     gint64 from,
                                     gint64 to,
                                     GArray *asynchronous);

G_END_DECLS
