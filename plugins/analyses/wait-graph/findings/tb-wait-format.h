/* tb-wait-format.h: sentences about vertices and edges, and the values and places of findings about
 * them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Waits" is used only with plain time, "delays others by" with the cascaded weight, and a share
 * with the upper bound.
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* The share of the recorded time. */
double tb_wait_get_share (const TbWaitResult *result, gint64 ns);
TbSeverity tb_wait_get_severity (double share);

/* "A (11), B (12) and 3 more" */
char *tb_wait_join_names (const TbWaitResult *result, const GArray *vertices);
/* "A waits 80 ms for B, 10 times (20 ms at the longest); this wait and all that depend on it
 * delay others by 90 ms" */
char *tb_wait_describe_arc (const TbWaitResult *result, guint32 arc);
/* " Most delayed by it: …"; "" where it delays no vertex. */
char *tb_wait_describe_heaviest_incoming (const TbWaitResult *result, guint32 vertex);

/* Sets the values of tb_wait_join_names(): "names" (of many, only the first) and "count" (of
 * all). */
void
tb_wait_finding_set_names (TbFinding *finding, const TbWaitResult *result, const GArray *vertices);
/* Sets "name" and "kind" of a vertex, for a thread also "thread", "tid", "process" and "pid". */
void tb_wait_finding_set_vertex (TbFinding *finding, const TbWaitResult *result, guint32 vertex);
/* Sets "thread", "tid", "process" and "pid" after a prefix such as "holder_". TB_ID_NONE:
 * unknown. */
void tb_wait_finding_set_thread (TbFinding *finding,
                                 const char *prefix,
                                 const TbWaitResult *result,
                                 guint32 thread);
/* Sets the values of tb_wait_describe_arc(). TB_ID_NONE: none. */
void tb_wait_finding_set_wait (TbFinding *finding, const TbWaitResult *result, guint32 arc);
void tb_wait_finding_add_threads (TbFinding *finding,
                                  const TbWaitResult *result,
                                  const GArray *vertices);
/* Sets the range of an edge's longest wait, and the stack with the longest waiting time. */
void tb_wait_finding_set_arc (TbFinding *finding, const TbWaitResult *result, guint32 arc);
/* Adds a count in the given format; nothing if it is 0. */
void tb_wait_add_count (TbReport *report, const char *code, guint n, const char *format);

G_END_DECLS
