/* tb-paths-garbage.h: running time that garbage collectors of run-time libraries took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths-contributor.h"

G_BEGIN_DECLS

/* The part of sampled running times (TbPathsNodeTime) in a function that collects garbage, or in
 * what that called. */
gint64 tb_paths_sum_garbage (TbContextTree *tree, const GArray *running);
/* Whether a function, as its symbol names it, collects garbage. */
gboolean tb_paths_is_garbage_function (const char *function);

G_END_DECLS
