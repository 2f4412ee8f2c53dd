/* wait-graph-reference.h: slow reference implementation of the paper's wait graph, and random
 * models to compare on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "model/tb-wait-model.h"
#include "graph/tb-wait-refinement.h"

/* Random threads that run, wait and wake one another. Only a running thread wakes another. */
TbWaitModel *
wait_graph_random_model (GRand *rand, guint n_threads, guint n_steps, gint64 longest_step);
/* Random waits, which may contradict one another. */
TbWaitModel *wait_graph_wrong_model (GRand *rand, guint n_threads, guint n_waits);
/* The waits between two times, as a model of its own. */
TbWaitModel *wait_graph_cut_model (const TbWaitModel *model, gint64 from, gint64 to);

/* Weights by edge, computed by the recursion of the paper's figure 4. */
gint64 *wait_graph_cascade (const TbWaitModel *model, guint64 *n_cut);

/* Component of each vertex, computed from which vertex reaches which. */
guint32 *wait_graph_components (guint32 n_vertices,
                                const TbWaitLink *links,
                                const guint8 *present,
                                guint32 n_links);

/* Refinement that removes one edge at a time and computes the components again each time. Returns
 * the leaves as "kind:vertices:links", sorted as text. */
GPtrArray *
wait_graph_refine (guint32 n_vertices, const TbWaitLink *links, guint32 n_links, gint64 threshold);
/* Leaves of the analysis, in the same format. */
GPtrArray *wait_graph_describe_refined (const TbWaitRefined *refined);
