/* tb-wait-similar-threads.h: choice of the nodes merged into one vertex: threads that wait in
 * similar calling contexts, all threads of a process outside the target, and (by tb-wait-pools.c)
 * kernel workers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-merges.h"
#include "tb-wait-unmerged.h"

G_BEGIN_DECLS

/**
 * TB_WAIT_SIMILARITY:
 *
 * The similarity from which threads are merged. Threads of one process are compared, and threads
 * of processes with one name that one parent forked, such as a server's workers. The similarity is
 * how much the distributions of waiting time over calling contexts have in common: the sum over
 * contexts of the smaller of both shares (the intersection of the histograms). Contexts are
 * compared by their functions. Stacks that were not walked to their start are compared by their
 * known part. A thread stays alone if so few of its stacks were walked to their start that the
 * others alone could make it similar to another thread. A thread is compared with the first thread
 * of each existing group.
 */
#define TB_WAIT_SIMILARITY 0.8

/* target: NULL: all threads. unmerged: similar threads that are not merged; which ones is stored in
 * it. */
gboolean tb_wait_merges_init (TbWaitMerges *self,
                              const TbWaitModel *model,
                              TbSelection *target,
                              gboolean similar,
                              TbWaitUnmerged *unmerged,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
