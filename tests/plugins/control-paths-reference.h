/* control-paths-reference.h: the rules of control paths, done plainly
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
  gboolean covered; /* a sleep: from…to below is what its child covers */
  gint64 child_from;
  gint64 child_to;
  gint64 ready;
} ReferenceBox;

/* The base path of a thread: (element-type ReferenceBox), in no particular order. */
GArray *control_paths_reference (const TbPathsModel *model, guint32 thread, gint64 from, gint64 to);

/* All paths of a process whose main thread is given, processes by thread: (element-type ReferenceBox); the base path is 0. Of
 * each path into asynchronous (element-type gboolean) whether nobody of the base path waited for its end. */
GArray *control_paths_reference_all (const TbPathsModel *model,
                                     const guint32 *process_of,
                                     guint32 thread,
                                     gint64 from,
                                     gint64 to,
                                     GArray *asynchronous);

G_END_DECLS
