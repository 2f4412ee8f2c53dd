/* tailback.h: all of libtailback-1
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/tb-base.h"
#include "base/tb-duration.h"
#include "extend/options/tb-option-candidates.h"
#include "extend/options/tb-option-object.h"
#include "extend/options/tb-work-scope.h"
#include "extend/plugins/tb-engine.h"
#include "extend/plugins/tb-finding-thread.h"
#include "extend/plugins/tb-timeline-tracks.h"
#include "report/drawing/tb-drawing.h"
#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/graph/tb-graph-layout.h"
#include "report/graph/tb-graph-scene.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/html/tb-html.h"
#include "report/table/tb-table-figure.h"
#include "report/tb-figure-table.h"
#include "report/tb-report-action.h"
#include "report/timeline/tb-timeline-figure.h"
#include "session/file/tb-session.h"
#include "session/recorder/tb-recorder.h"
#include "session/sequence/tb-sequence.h"
#include "symbols/tb-function-finder.h"
#include "symbols/tb-static-probes.h"
#include "symbols/tb-symbol-folders.h"
#include "symbols/tb-symbolizer.h"
#include "trace/tb-context-tree.h"
#include "trace/tb-trace-units.h"
#include "trace/tb-trace.h"
#include "trace/tb-track.h"
#include "trace/tb-work-unit.h"
