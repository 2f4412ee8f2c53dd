/* tb-wait-pools.h: pool of a kernel worker by the worker's name, and merging of the workers of a
 * pool into one vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-merges.h"
#include "tb-wait-unmerged.h"

G_BEGIN_DECLS

/* The kernel's name of the pool of a worker with this name ("kworker/u8:3-events_unbound" is of
 * "kworker/u8"); NULL: it is not a worker. (transfer full) */
char *tb_wait_pool_parse (const char *name);
/* The last or current work of a worker with this name ("events_unbound"); "": unknown. */
const char *tb_wait_pool_get_work (const char *name);

/* Merges the workers of each pool into one vertex, because it is chance which of them does some
 * work. unmerged: workers that are not merged; which ones is stored in it. */
void tb_wait_pools_find (TbWaitMerges *merges, const TbWaitModel *model, TbWaitUnmerged *unmerged);

G_END_DECLS
