/* tailback-gtk.h: header that includes all public headers of libtailback-gtk-1
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/tb-figure-view.h"
#include "widgets/flame/tb-flame-view.h"
#include "widgets/focus/tb-focus-widget.h"
#include "widgets/focus/tb-focus.h"
#include "widgets/graph/tb-graph-view.h"
#include "widgets/heatmap/tb-heatmap-view.h"
#include "widgets/histogram/tb-histogram-view.h"
#include "widgets/tb-legend.h"
#include "widgets/time/tb-overview-strip.h"
#include "widgets/tb-palette.h"
#include "widgets/table/tb-table-view.h"
#include "widgets/time/tb-time-axis.h"
#include "widgets/timeline/tb-timeline-view.h"
#include "widgets/tb-widget-snapshot.h"
