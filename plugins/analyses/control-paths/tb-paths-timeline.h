/* tb-paths-timeline.h: the threads of the control paths over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-paths.h"

G_BEGIN_DECLS

/* Leaves out other threads than the one of interest that took less than 1/hide_below of the time; 0 none. */
gboolean tb_paths_add_timeline (TbReport *report,
                                TbPaths *paths,
                                guint hide_below,
                                GCancellable *cancellable,
                                GError **error);

G_END_DECLS
