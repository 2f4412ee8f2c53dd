/* tb-contexts-tree.h: the ranked paths of one recording as a tree, with their calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* Figures "tree" and "calls". The tree's edges know when their functions were called, and are what cells of the heat map and rows
 * of the table of frames mean, too ("3/7": the eighth frame of the third path); boxes of the flame, by node, and rows of other
 * tables mean them likewise. */
gboolean tb_contexts_add_tree (TbReport *report,
                               TbContextsSummary *summary,
                               const guint32 *boxes,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
