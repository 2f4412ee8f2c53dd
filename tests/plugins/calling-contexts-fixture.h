/* calling-contexts-fixture.h: calling-contexts reports, and their paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report-reader.h"
#include "story.h"

G_BEGIN_DECLS

/* Lines of a recording; STACK: an event of thread 11. time: in ns */
#define LINE(time, kind, rest) #time ",0," kind "," rest "\n"
#define STACK(time, kind, stack) LINE (time, kind, ",,,,,,11,,,x," stack ",,")

/* options: names and values in turn, NULL at the end. The report survives conversion to JSON and
 * back. */
TbReport *contexts_analyze (TbTrace *trace, ...) G_GNUC_NULL_TERMINATED;
TbReport *contexts_compare (TbTrace *base, TbTrace *other, ...) G_GNUC_NULL_TERMINATED;
/* "A 600/0 B 100/100*": functions of a path with total and own time; * marks the hottest one.
 * (transfer full) */
char *contexts_describe_path (JsonObject *path);
void contexts_assert_path (TbReport *report, guint rank, gint64 cost, const char *expected);

G_END_DECLS
