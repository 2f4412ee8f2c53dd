/* tb-wait-pools.h: workers of the kernel that take turns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-merge.h"

G_BEGIN_DECLS

/* What the kernel calls a pool of workers by the name of one ("kworker/u8:3-events_unbound" is of "kworker/u8"); NULL where that is
 * none. (transfer full) */
char *tb_wait_pool_parse (const char *name);
/* What the workers of that name did last or do ("events_unbound"); "" unknown. */
const char *tb_wait_pool_get_work (const char *name);

/* Which of a pool's workers does what comes up is chance, so that they are one vertex. apart: those that are not to be, which is
 * then noted. */
void tb_wait_pools_find (TbWaitMerges *merges, const TbWaitModel *model, TbWaitApart *apart);

G_END_DECLS
