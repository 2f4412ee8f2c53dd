/* tb-paths-awaited-activity.h: what awaited threads did, by category, during waits whose awaited
 * work already belongs to another path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-categories.h"
#include "tb-paths.h"

G_BEGIN_DECLS

/* Time that awaited spent in a category while waiter waited for it on another path. */
typedef struct
{
  guint32 waiter; /* thread */
  guint32 awaited;
  TbPathsCategory category;
  guint32 count;
  gint64 ns;
  gint64 from; /* of the longest stretch */
  gint64 to;
} TbPathsAwaitedActivity;

/* Returns: TbPathsAwaitedActivity, longest first */
GArray *tb_paths_find_awaited_activity (TbPaths *paths);

G_END_DECLS
