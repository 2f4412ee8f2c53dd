/* tb-paths-oversleeps.h: search for waits of the base path that timed out although the awaited work
 * was over: a thread that the waiter created, or one that it woke for work, had finished; function
 * of such a wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths.h"

G_BEGIN_DECLS

/* A wait that ended in a time-out although the awaited work was over earlier. */
typedef struct
{
  guint32 thread;
  guint32 awaited; /* thread */
  guint32 stack;
  guint32 row; /* one of its rows in the interval table */
  guint32 count;
  gint64 total_ns;
  gint64 from; /* start of the longest stretch */
  gint64 to;
} TbPathsOversleep;

/* (transfer full): TbPathsOversleep, longest first. */
GArray *tb_paths_find_oversleeps (TbPaths *paths);
/* What the thread waited in: the function, or the kind of wait where frames of the C library hide
 * the function. */
char *tb_paths_describe_oversleep (TbPaths *paths,
                                   const TbPathsOversleep *oversleep,
                                   gboolean translated);

G_END_DECLS
