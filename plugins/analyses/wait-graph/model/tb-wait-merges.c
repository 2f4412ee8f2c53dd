/* tb-wait-merges.c: freeing of the lists of nodes that become one vertex of the graph (filled by
 * tb-wait-similar-threads.c and tb-wait-pools.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-merges.h"

void
tb_wait_merges_clear (TbWaitMerges *self)
{
  g_clear_pointer (&self->group, g_free);
  g_clear_pointer (&self->merged, g_free);
  g_clear_pointer (&self->outside, g_free);
}
