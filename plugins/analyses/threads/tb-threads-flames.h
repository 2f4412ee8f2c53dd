/* tb-threads-flames.h: flame graphs of waiting and running by function, for each process name, on
 * request for each of its threads: from waits with their stacks and awaited objects, and from
 * samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-samples.h"
#include "tb-threads-summary.h"
#include "trace/tb-context-tree.h"

G_BEGIN_DECLS

gboolean tb_threads_add_flames (TbReport *report,
                                TbThreadsSummary *summary,
                                TbContextTree *tree,
                                const TbThreadsSamples *samples,
                                gboolean by_thread,
                                GCancellable *cancellable,
                                GError **error);

G_END_DECLS
