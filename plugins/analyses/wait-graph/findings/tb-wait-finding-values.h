/* tb-wait-finding-values.h: details added to findings about vertices and edges of the wait graph
 * besides their sentence: severity, threads, items of figures, and named values for programs that
 * read the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* The share of the recorded time. */
double tb_wait_get_share (const TbWaitResult *result, gint64 ns);
TbSeverity tb_wait_get_severity (double share);

/* Sets the values of tb_wait_join_names(): "names" (of many, only the first) and "count" (of
 * all). */
void
tb_wait_finding_set_names (TbFinding *finding, const TbWaitResult *result, const GArray *vertices);
/* Likewise, with these names for both. */
void tb_wait_finding_set_names_as (TbFinding *finding,
                                   const char *names_name,
                                   const char *count_name,
                                   const TbWaitResult *result,
                                   const GArray *vertices);
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
