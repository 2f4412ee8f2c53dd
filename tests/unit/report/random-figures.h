/* random-figures.h: figures with random content
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/tb-report.h"
#include "report/table/tb-table-figure.h"
#include "report/timeline/tb-timeline-figure.h"

TbTimelineFigure *random_timeline (GRand *rand, guint n_tracks, guint n_intervals);
TbFlameFigure *random_flame (GRand *rand, guint n_nodes);
TbTableFigure *random_table (GRand *rand, guint n_rows);
TbHistogramFigure *random_histogram (GRand *rand, guint n_bins);
TbHeatmapFigure *random_heatmap (GRand *rand, guint n_rows);
TbGraphFigure *random_graph (GRand *rand, guint n_vertices);
TbReport *random_report (GRand *rand);

/* Asserts that a figure or report, serialized as JSON text and parsed again, has the same JSON. */
void assert_round_trip (TbFigure *figure);
char *json_to_text (JsonNode *node);
