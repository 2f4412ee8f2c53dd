/* sample-figures.h: sample figures for inspection and tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "report/graph/tb-graph-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "report/timeline/tb-timeline-figure.h"

#define SAMPLE_MS G_GINT64_CONSTANT (1000000)
#define SAMPLE_START (G_GINT64_CONSTANT (5000000000))

/* A request through five programs to a disk and back: 265 ms from SAMPLE_START. */
TbTimelineFigure *sample_timeline (void);
/* Tracks with long names. */
TbTimelineFigure *sample_timeline_long_names (void);
/* n_tracks tracks in groups of ten, n_intervals in all, from a fixed seed. */
TbTimelineFigure *sample_timeline_random (guint n_tracks, gsize n_intervals);
TbTimelineFigure *sample_timeline_empty (void);
/* Threads of which samples are known and no states. */
TbTimelineFigure *sample_timeline_estimated (void);

TbFlameFigure *sample_flame (void);
/* A tree in which most nodes are too narrow to draw. */
TbFlameFigure *sample_flame_random (guint n_nodes);
TbFlameFigure *sample_flame_empty (void);
/* Functions in two recordings: same, more, less, new and gone; one calls itself. */
TbFlameFigure *sample_flame_differences (void);

TbTableFigure *sample_table (void);
TbTableFigure *sample_table_random (guint n_rows);
TbTableFigure *sample_table_empty (void);

/* The request as control paths, over two hosts and in two lanes: chronological, consolidated, and
 * explained. */
TbFlameFigure *sample_paths (void);
/* A chronological flame with five boxes per run. */
TbFlameFigure *sample_paths_random (guint n_runs);
TbFlameFigure *sample_paths_consolidated (void);
TbTableFigure *sample_explanation (void);

/* A server whose log waits for a disk: nine vertices, three of them in a knot, and fifteen edges;
 * and the table of the edges. */
TbGraphFigure *sample_graph (void);
TbTableFigure *sample_graph_edges (void);
TbGraphFigure *sample_graph_long_names (void);
TbGraphFigure *sample_graph_empty (void);
TbGraphFigure *sample_graph_one (gboolean with_loop);
TbGraphFigure *sample_graph_random (guint n_vertices, guint n_edges);

/* Latencies of 26 powers of two with three peaks; of two runs; many bins, some much higher than
 * their neighbours. */
TbHistogramFigure *sample_histogram (void);
TbHistogramFigure *sample_histogram_uncertain (void);
TbHistogramFigure *sample_histogram_two (void);
TbHistogramFigure *sample_histogram_random (guint n_bins);
TbHistogramFigure *sample_histogram_empty (void);

/* The same latencies over time; differences of paths and frames; many cells, some much higher than
 * their neighbours. */
TbHeatmapFigure *sample_heatmap (void);
TbHeatmapFigure *sample_heatmap_differences (void);
TbHeatmapFigure *sample_heatmap_random (guint n_rows, guint n_columns);
TbHeatmapFigure *sample_heatmap_empty (void);
