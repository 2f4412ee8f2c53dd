/* wait-graph-fixture.h: recordings written down as text, and what the analysis says of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* In a folder of its own, removed at the end. */
void wait_graph_fixture_init (void);
void wait_graph_fixture_clear (void);

/* A file beside the tests, or lines of the plain-text format, without its header. */
TbTrace *wait_graph_open_file (const char *name);
TbTrace *wait_graph_open_text (const char *lines);

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
gboolean wait_graph_has_finding (TbReport *report, const char *part);
gboolean wait_graph_has_warning (TbReport *report, const char *part);

G_END_DECLS
