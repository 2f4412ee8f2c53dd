/* tb-wait-merge.h: which threads become one vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-apart.h"
#include "tb-wait-graph.h"

G_BEGIN_DECLS

/**
 * TB_WAIT_SIMILARITY:
 *
 * Threads of one process, or of processes of one name that one parent forked, as a server's workers are, are similar when the
 * distributions of the calling contexts in which they wait have so much in common: the sum over contexts of the smaller of both
 * shares of waiting time (the intersection of the histograms). Contexts are compared by their functions; stacks that could not be
 * walked to their start by what is known of them, and a thread of which not even what this leaves over was walked stays alone, so
 * that such stacks alone make nobody similar. A thread is compared with the first of each group there is so far.
 */
#define TB_WAIT_SIMILARITY 0.8

/* By node. */
typedef struct
{
  guint32 *group; /* TB_ID_NONE: alone */
  guint8 *merged; /* TbWaitMerged */
  guint8 *outside;
} TbWaitMerges;

/* target: NULL all. apart: which similar threads stay alone, which is then noted. */
gboolean tb_wait_merges_init (TbWaitMerges *self,
                              const TbWaitModel *model,
                              TbSelection *target,
                              gboolean similar,
                              TbWaitApart *apart,
                              GCancellable *cancellable,
                              GError **error);
void tb_wait_merges_clear (TbWaitMerges *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitMerges, tb_wait_merges_clear)

G_END_DECLS
