/* tb-paths-parallel.h: what went on beside the base path because of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths.h"

G_BEGIN_DECLS

/* Adds a path for each thread of the process, of its descendants, or that it woke, as far as the base path does not already
 * hold what that thread did. */
gboolean tb_paths_add_parallel (TbPaths *self, GCancellable *cancellable, GError **error);

G_END_DECLS
