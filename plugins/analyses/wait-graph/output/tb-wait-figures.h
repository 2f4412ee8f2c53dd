/* tb-wait-figures.h: figures of a wait-graph report: the graph with its knots and the occurrences
 * of its edges, tables of edges and annotations, work over time; calls the files with devices and
 * stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"
#include "tb-wait-items.h"

G_BEGIN_DECLS

gboolean tb_wait_add_figures (TbReport *report,
                              const TbWaitResult *result,
                              double threshold,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
