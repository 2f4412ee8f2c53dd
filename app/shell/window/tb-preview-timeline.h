/* tb-preview-timeline.h: preview of a recording while it loads: timeline of its threads, from the
 * overview that the session has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"
#include "trace/tb-overview.h"

G_BEGIN_DECLS

TbTimelineFigure *tb_preview_timeline_new (TbSession *session);

G_END_DECLS
