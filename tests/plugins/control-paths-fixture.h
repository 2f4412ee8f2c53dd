/* control-paths-fixture.h: control-paths reports, and their invariants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report-reader.h"
#include "story.h"

G_BEGIN_DECLS

/* Analyzes a process with the default options. */
TbReport *control_paths_explain (TbTrace *trace, const char *process);
/* Returns the summary, after a check of the invariants of every report. */
JsonObject *control_paths_get_summary (TbReport *report);

gint64 control_paths_get_category (JsonObject *summary, const char *name);
/* Asserts every category: names and ns in turn, NULL at the end. Categories not named must be 0. */
void control_paths_assert_categories (JsonObject *summary, ...) G_GNUC_NULL_TERMINATED;
/* Returns the contributor with that name, or NULL. */
JsonObject *control_paths_find_contributor (JsonObject *summary, const char *process);
guint64 control_paths_get_dropped (JsonObject *summary, const char *part_of_reason);

G_END_DECLS
