/* tb-paths-garbage.h: running time that garbage collectors of run-time libraries took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-contributor.h"

G_BEGIN_DECLS

/* Nodes of a context tree that collect garbage: they, or what called them, are such functions. */
typedef struct _TbPathsGarbage TbPathsGarbage;

TbPathsGarbage *tb_paths_garbage_new (TbContextTree *tree);
void tb_paths_garbage_free (TbPathsGarbage *self);
gboolean tb_paths_garbage_has (TbPathsGarbage *self, guint32 node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbPathsGarbage, tb_paths_garbage_free)

/* The part of sampled running times (TbPathsNodeTime) in a function that collects garbage, or in
 * what that called. */
gint64 tb_paths_sum_garbage (TbContextTree *tree, const GArray *running);
/* Whether a function, as its symbol names it, collects garbage. */
gboolean tb_paths_is_garbage_function (const char *function);

G_END_DECLS
