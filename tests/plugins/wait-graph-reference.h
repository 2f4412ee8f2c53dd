/* wait-graph-reference.h: the wait graph as the paper writes it down, slowly; and random traces to compare on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"
#include "tb-wait-refine.h"

/* Threads that run, wait and wake one another: only who runs wakes. */
TbWaitModel *wait_graph_random_model (GRand *rand, guint n_threads, guint n_steps, gint64 longest_step);
/* Waits that may contradict one another. */
TbWaitModel *wait_graph_wrong_model (GRand *rand, guint n_threads, guint n_waits);
/* The waits between two times, as a model of its own. */
TbWaitModel *wait_graph_cut_model (const TbWaitModel *model, gint64 from, gint64 to);

/* The recursion of the paper's figure 4: by edge. */
gint64 *wait_graph_cascade (const TbWaitModel *model, guint64 *n_cut);

/* By vertex: in which component it is, by who reaches whom. */
guint32 *
wait_graph_components (guint32 n_vertices, const TbWaitLink *links, const guint8 *present, guint32 n_links);

/* Taking edges away one by one, looking for components each time. Leaves as "kind:vertices:links", in order of text. */
GPtrArray *wait_graph_refine (guint32 n_vertices, const TbWaitLink *links, guint32 n_links, gint64 threshold);
/* That of the analysis, in the same words. */
GPtrArray *wait_graph_describe_refined (const TbWaitRefined *refined);
