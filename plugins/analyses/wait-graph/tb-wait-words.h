/* tb-wait-words.h: vertices and edges in words, and where findings lead to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Waits" only ever goes with plain time, "delays others by" with the cascaded weight, a share with the upper bound.
 */

#pragma once

#include "report/tb-report.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* Of the recorded time. */
double tb_wait_get_share (const TbWaitResult *result, gint64 ns);
TbSeverity tb_wait_get_severity (double share);

/* "A (11), B (12) and 3 more" */
char *tb_wait_join_names (const TbWaitResult *result, const GArray *vertices);
/* "A waits 80 ms for B, 10 times; with all who wait for A in turn this delays others by 90 ms." */
char *tb_wait_describe_arc (const TbWaitResult *result, guint32 arc);
/* " Most delayed by it: …"; "" where it delays nobody. */
char *tb_wait_describe_heaviest_into (const TbWaitResult *result, guint32 vertex);

/* The values of what tb_wait_join_names() joins: "names", of many the first, and "count", of all. */
void tb_wait_finding_set_names (TbFinding *finding, const TbWaitResult *result, const GArray *vertices);
/* "name" and "kind" of a vertex, of a thread also "thread", "tid", "process" and "pid". */
void tb_wait_finding_set_vertex (TbFinding *finding, const TbWaitResult *result, guint32 vertex);
/* "thread", "tid", "process" and "pid" after a prefix such as "holder_"; TB_ID_NONE: unknown. */
void tb_wait_finding_set_thread (TbFinding *finding,
                                 const char *prefix,
                                 const TbWaitResult *result,
                                 guint32 thread);
/* The values of what tb_wait_describe_arc() describes; TB_ID_NONE: nothing. */
void tb_wait_finding_set_wait (TbFinding *finding, const TbWaitResult *result, guint32 arc);
void tb_wait_finding_add_threads (TbFinding *finding, const TbWaitResult *result, const GArray *vertices);
/* Where the longest wait of an edge is, and the stack that waited longest. */
void tb_wait_finding_set_arc (TbFinding *finding, const TbWaitResult *result, guint32 arc);
/* How many of what the format says; nothing where there are none. */
void tb_wait_add_count (TbReport *report, const char *code, guint n, const char *format);

G_END_DECLS
