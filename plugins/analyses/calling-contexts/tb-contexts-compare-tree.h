/* tb-contexts-compare-tree.h: the paths that differ as one tree, with the calls of both sides
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-aliases.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* Adds the tree, whose edges know when they were in the first recording of their side, and the table of the paths' frames. Cells and
 * rows whose items are the tree's mean its edges. FALSE: an error, of reading or because it was cancelled. */
gboolean tb_contexts_add_compared_tree (TbReport *report,
                                        const TbContextsMatch *match,
                                        const TbContextsBoxes *flames,
                                        guint n_flames,
                                        GCancellable *cancellable,
                                        GError **error);

G_END_DECLS
