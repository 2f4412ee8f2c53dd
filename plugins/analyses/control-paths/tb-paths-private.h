/* tb-paths-private.h: paths of threads that worked in parallel to the base path (others of the
 * process, descendants, woken threads), added to the paths of a process by tb-paths-parallel.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths.h"

G_BEGIN_DECLS

/* Adds a path for each thread of the process, each of its descendants and each thread that it woke,
 * without the parts that the base path already contains. */
gboolean tb_paths_add_parallel (TbPaths *self, GCancellable *cancellable, GError **error);

G_END_DECLS
