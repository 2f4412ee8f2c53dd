/* tb-contexts-compare-tree.h: graph figure of the paths that differ between two sides, with an
 * edge for each side, which lists the calls of that side; table of the paths' frames; links to the
 * graph from other figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-aliases.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* (transfer full): "function@module" */
char *tb_contexts_label_pair (const TbContextsMatch *match, guint32 pair);

/* Adds the tree and the table of the paths' frames. The tree's edges have the times of their calls
 * in the first recording of their side. Cells and rows with the same items as the tree are linked
 * to its edges. FALSE: an error while reading, or cancelled. */
gboolean tb_contexts_add_compared_tree (TbReport *report,
                                        const TbContextsMatch *match,
                                        const TbContextsBoxes *flames,
                                        guint n_flames,
                                        GCancellable *cancellable,
                                        GError **error);

G_END_DECLS
