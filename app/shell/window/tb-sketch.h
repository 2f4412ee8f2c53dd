/* tb-sketch.h: preliminary timeline of threads, made from the overview that a session has, shown
 * before any analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"
#include "trace/tb-overview.h"

G_BEGIN_DECLS

TbTimelineFigure *tb_sketch_new (TbSession *session);

G_END_DECLS
