/* tb-contexts-tree.h: graph figure of the ranked paths of one recording, whose edges list the
 * calls; links to it from other figures; histogram of the call durations of the hottest functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* Adds the figures "tree" and "calls". The tree's edges have the times of their calls. Where
 * samples are counted there are no calls, and only the tree is added. Cells of the
 * heat map and rows of the table of frames are linked to them ("3/7": the eighth frame of the third
 * path), as are the boxes of the flame, by node, and the rows of other tables. */
gboolean tb_contexts_add_tree (TbReport *report,
                               TbContextsSummary *summary,
                               const guint32 *boxes,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
