/* tb-paths-others.h: what the paths did that others waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-explain.h"
#include "tb-paths.h"

G_BEGIN_DECLS

/* While waiter waited on another path for awaited, that was so long in a category. */
typedef struct
{
  guint32 waiter; /* thread */
  guint32 awaited;
  TbPathsCategory category;
  guint32 count;
  gint64 ns;
  gint64 from; /* of the longest stretch */
  gint64 to;
} TbPathsOther;

/* TbPathsOther, longest first. */
GArray *tb_paths_find_others (TbPaths *paths);

G_END_DECLS
