/* wait-graph-fixture.h: recordings written down as text, and what the analysis says of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "finding-checks.h"

G_BEGIN_DECLS

/* In a folder of its own, removed at the end. */
void wait_graph_fixture_init (void);
void wait_graph_fixture_clear (void);

/* A file beside the tests. */
TbTrace *wait_graph_open_file (const char *name);
/* In that folder. */
char *wait_graph_make_path (const char *name);

/* Recordings told event by event: lines of the plain-text format. Times in µs. */
typedef GString Story;

/* names: separated by spaces, of the threads 11, 12, … of the process 10 "app". */
Story *story_new (const char *names);
void go (Story *story, int us, int cpu, int prev, const char *state, int next);
void go_with_stack (Story *story, int us, int cpu, int prev, const char *state, int next, const char *stack);
void wake (Story *story, int us, int cpu, int waker, int wakee);
/* Any other line: what stands after the time. */
void tell (Story *story, int us, const char *rest);
/* The same in ns. */
void tell_at (Story *story, gint64 ns, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The thread of a cpu sleeps and goes on there when another wakes it. */
void sleep_and_wake (Story *story, int from, int to, int cpu, int tid, int waker_cpu, int waker);
/* Puts each line where its time is, those of one time in the order in which they were told. */
void sort_story (Story *story);
/* Both free the story; what is open under another name stays. */
TbTrace *story_open (Story *story);
TbTrace *story_open_as (Story *story, const char *name);

/* options: names and values in turn, NULL at the end. */
TbReport *wait_graph_analyze (TbTrace *trace, ...) G_GNUC_NULL_TERMINATED;
/* After what must always hold was checked. */
JsonObject *wait_graph_get_summary (TbReport *report);

guint wait_graph_count (JsonObject *object, const char *member);
JsonObject *wait_graph_get_element (JsonObject *object, const char *member, guint index);
/* Elements of an array of strings, separated by spaces. */
void wait_graph_assert_strings (JsonObject *object, const char *member, const char *expected);
/* By names of the vertices; NULL where there is none. */
JsonObject *wait_graph_find_edge (JsonObject *summary, const char *from, const char *to);
JsonObject *wait_graph_find_vertex (JsonObject *summary, const char *name);
void wait_graph_assert_edge (JsonObject *summary,
                             const char *from,
                             const char *to,
                             gint64 weight,
                             gint64 plain,
                             gint64 waits);
/* "timer" …; NULL: not set aside. */
const char *wait_graph_get_aside (JsonObject *summary, const char *from, const char *to);
/* The first finding, whatever its code, that has a name as that value; NULL: none has. */
TbFinding *wait_graph_find_finding (TbReport *report, const char *value, const char *name);
gboolean wait_graph_has_warning (TbReport *report, const char *part);

G_END_DECLS
