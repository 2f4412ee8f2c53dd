/* tb-wait-same.h: which vertices of two recordings are the same
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

/* Those of one name. How many threads a vertex stands for is no part of it, as more clients have more threads serve them: "server ×4"
 * and "server ×16" are the same. So is "server", where one recording has no others; else that is another one. What it is called does
 * not depend on the numbers, so that it is the same in comparisons with several recordings. */
typedef struct
{
  GHashTable *kins; /* name without a number → how it is told apart */
} TbWaitSame;

TbWaitSame *tb_wait_same_new (const TbWaitGraph *base, const TbWaitGraph *other);
void tb_wait_same_free (TbWaitSame *self);
/* What a vertex of either is called. (transfer none) */
const char *tb_wait_same_get_name (const TbWaitSame *self, const TbWaitVertex *vertex);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitSame, tb_wait_same_free)

G_END_DECLS
