/* tb-paths-timeline.h: timeline of the threads of the control paths, devices, interrupts and
 * network operations, with labels and arrows for wake-ups and messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-paths.h"

G_BEGIN_DECLS

/* Hides threads other than the one of interest that take less than 1/hide_below of the time. 0:
 * hides none. */
gboolean tb_paths_add_timeline (TbReport *report,
                                TbPaths *paths,
                                guint hide_below,
                                GCancellable *cancellable,
                                GError **error);

G_END_DECLS
