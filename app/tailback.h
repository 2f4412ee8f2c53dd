/* tailback.h: all of libtailback-1
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-engine.h"
#include "extend/tb-timeline-tracks.h"
#include "report/tb-drawing.h"
#include "report/tb-figure-table.h"
#include "report/tb-flame-figure.h"
#include "report/tb-graph-figure.h"
#include "report/tb-graph-layout.h"
#include "report/tb-graph-scene.h"
#include "report/tb-heatmap-figure.h"
#include "report/tb-histogram-figure.h"
#include "report/tb-html.h"
#include "report/tb-offer.h"
#include "report/tb-table-figure.h"
#include "report/tb-timeline-figure.h"
#include "session/tb-recorder.h"
#include "session/tb-session.h"
#include "symbols/tb-function-finder.h"
#include "symbols/tb-static-probes.h"
#include "symbols/tb-symbol-folders.h"
#include "symbols/tb-symbolizer.h"
#include "trace/tb-context-tree.h"
#include "trace/tb-trace-units.h"
#include "trace/tb-trace.h"
#include "trace/tb-track.h"
