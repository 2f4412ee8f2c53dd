/* tb-paths-oversleeps.h: waits that timed out although the awaited work was over, found by the ends
 * of threads and their work
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-paths.h"

G_BEGIN_DECLS

/* (transfer full): TbPathsOversleep, longest first. */
GArray *tb_paths_find_oversleeps (TbPaths *paths);

G_END_DECLS
