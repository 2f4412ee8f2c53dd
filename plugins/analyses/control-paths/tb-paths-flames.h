/* tb-paths-flames.h: two flame figures of the pseudo-stacks: over time, with parallel paths in
 * lanes, and by duration, with equal stacks added up (by tb-paths-trie.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-paths-trie.h"

G_BEGIN_DECLS

/* Hides parts that take less than 1/hide_below of the wall time. 0: hides nothing. */
gboolean tb_paths_add_flames (TbReport *report,
                              TbPaths *paths,
                              gboolean by_thread,
                              guint hide_below,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
