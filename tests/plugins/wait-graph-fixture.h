/* wait-graph-fixture.h: recordings from text and their wait-graph reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "finding-checks.h"

G_BEGIN_DECLS

/* Creates a temporary folder for recordings; it is removed at the end. */
void wait_graph_fixture_init (void);
void wait_graph_fixture_clear (void);

/* Opens a file of the tests' source folder. */
TbTrace *wait_graph_open_file (const char *name);
/* Returns a path in the temporary folder. */
char *wait_graph_make_path (const char *name);

/* A recording built event by event: lines of the plain-text format. Times in µs. */
typedef GString Script;

/* names: of the threads 11, 12, … of the process 10 "app", separated by spaces. */
Script *script_new (const char *names);
void switch_thread (Script *script, int us, int cpu, int prev, const char *state, int next);
void switch_thread_with_stack (Script *script,
                               int us,
                               int cpu,
                               int prev,
                               const char *state,
                               int next,
                               const char *stack);
void wake (Script *script, int us, int cpu, int waker, int wakee);
/* Adds any other line; rest is the line after its time. */
void add_line (Script *script, int us, const char *rest);
/* Same as tell(), with a time in ns. */
void add_line_at (Script *script, gint64 ns, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The thread of a CPU sleeps, and continues there when another thread wakes it. */
void sleep_and_wake (Script *script, int from, int to, int cpu, int tid, int waker_cpu, int waker);
/* Sorts the lines by time. Lines of the same time stay in the order in which they were added. */
void script_sort (Script *script);
/* Both functions free the story. A session opened under another name stays open. */
TbTrace *script_open (Script *script);
TbTrace *script_open_as (Script *script, const char *name);

/* options: names and values in turn, NULL at the end. */
TbReport *wait_graph_analyze (TbTrace *trace, ...) G_GNUC_NULL_TERMINATED;
/* Returns the summary, after a check of the invariants of every report. */
JsonObject *wait_graph_get_summary (TbReport *report);

guint wait_graph_count (JsonObject *object, const char *member);
JsonObject *wait_graph_get_element (JsonObject *object, const char *member, guint index);
/* Elements of an array of strings, separated by spaces. */
void wait_graph_assert_strings (JsonObject *object, const char *member, const char *expected);
/* Find an edge by the names of its vertices, or a vertex by its name; NULL if there is none. */
JsonObject *wait_graph_find_edge (JsonObject *summary, const char *from, const char *to);
JsonObject *wait_graph_find_vertex (JsonObject *summary, const char *name);
void wait_graph_assert_edge (JsonObject *summary,
                             const char *from,
                             const char *to,
                             gint64 weight,
                             gint64 plain,
                             gint64 waits);
/* Returns why an edge is excluded, for example "timer"; NULL: it is not excluded. */
const char *wait_graph_get_exclusion (JsonObject *summary, const char *from, const char *to);
/* Returns the first finding, with whatever code, in which the string `name` is stored under
 * `value`; NULL if there is none. */
TbFinding *wait_graph_find_finding (TbReport *report, const char *value, const char *name);
gboolean wait_graph_has_warning (TbReport *report, const char *part);

G_END_DECLS
