/* tb-overview-private.h: the parts of the overview strip
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/timeline/tb-timeline-figure.h"
#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/* activity: of n equal parts of the extent, 0…1, the most active being 1 */
typedef void (*TbOverviewActivityFunc) (gpointer owner, const float *activity, gsize n);

/* Counts how much threads ran in the parts of the extent of the focus. done is called in the main thread, unless the owner (a
 * GObject) is gone by then or it was cancelled. */
void tb_overview_count_activity (TbTimelineFigure *figure,
                                 TbFocus *focus,
                                 GCancellable *cancellable,
                                 TbOverviewActivityFunc done,
                                 gpointer owner);

G_END_DECLS
