/* tailback-gtk.h: all of libtailback-gtk-1
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/tb-figure-view.h"
#include "widgets/tb-flame-view.h"
#include "widgets/tb-focus-widget.h"
#include "widgets/tb-focus.h"
#include "widgets/tb-graph-view.h"
#include "widgets/tb-heatmap-view.h"
#include "widgets/tb-histogram-view.h"
#include "widgets/tb-legend.h"
#include "widgets/tb-overview-strip.h"
#include "widgets/tb-palette.h"
#include "widgets/tb-table-view.h"
#include "widgets/tb-time-axis.h"
#include "widgets/tb-timeline-view.h"
#include "widgets/tb-widget-snapshot.h"
