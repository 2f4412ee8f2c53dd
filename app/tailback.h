/* tailback.h: all of libtailback-1
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-engine.h"
#include "extend/tb-finding-thread.h"
#include "extend/tb-option-candidates.h"
#include "extend/tb-option-object.h"
#include "extend/tb-timeline-tracks.h"
#include "extend/tb-work-scope.h"
#include "report/drawing/tb-drawing.h"
#include "report/tb-figure-table.h"
#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/graph/tb-graph-layout.h"
#include "report/graph/tb-graph-scene.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/html/tb-html.h"
#include "report/tb-report-action.h"
#include "report/table/tb-table-figure.h"
#include "report/timeline/tb-timeline-figure.h"
#include "session/tb-recorder.h"
#include "session/tb-sequence.h"
#include "session/tb-session.h"
#include "symbols/tb-function-finder.h"
#include "symbols/tb-static-probes.h"
#include "symbols/tb-symbol-folders.h"
#include "symbols/tb-symbolizer.h"
#include "trace/tb-context-tree.h"
#include "trace/tb-trace-units.h"
#include "trace/tb-trace.h"
#include "trace/tb-track.h"
#include "trace/tb-work-unit.h"
