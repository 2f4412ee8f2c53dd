/* wait-graph-fixture.h: wait-graph reports, and their invariants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report-reader.h"
#include "story.h"

G_BEGIN_DECLS

/* options: names and values in turn, NULL at the end. */
TbReport *wait_graph_analyze (TbTrace *trace, ...) G_GNUC_NULL_TERMINATED;
/* The same with the scope of the recorded command instead of all threads. */
TbReport *wait_graph_analyze_command (TbTrace *trace, ...) G_GNUC_NULL_TERMINATED;
/* Returns the summary, after a check of the invariants of every report. */
JsonObject *wait_graph_get_summary (TbReport *report);

/* Find an edge by the names of its vertices, or a vertex by its name; NULL if there is none. */
JsonObject *wait_graph_find_edge (JsonObject *summary, const char *from, const char *to);
JsonObject *wait_graph_find_vertex (JsonObject *summary, const char *name);
/* Returns the kind of the component that a vertex is in, or NULL. */
const char *wait_graph_get_kind (JsonObject *summary, const char *name);
void wait_graph_assert_edge (JsonObject *summary,
                             const char *from,
                             const char *to,
                             gint64 weight,
                             gint64 plain,
                             gint64 waits);
/* Returns why an edge is excluded, for example "timer"; NULL: it is not excluded. */
const char *wait_graph_get_exclusion (JsonObject *summary, const char *from, const char *to);

G_END_DECLS
