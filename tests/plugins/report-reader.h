/* report-reader.h: runs of analyses, and parts of their reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "finding-checks.h"

G_BEGIN_DECLS

/* options: names and values in turn, NULL at the end. selection NULL: the whole recording. Every
 * finding of a report has a code. */
TbAnalysis *report_create_analysis (const char *id, ...) G_GNUC_NULL_TERMINATED;
TbReport *
report_run (const char *id, TbTrace *trace, TbSelection *selection, ...) G_GNUC_NULL_TERMINATED;
TbReport *
report_run_valist (const char *id, TbTrace *trace, TbSelection *selection, va_list options);
/* Returns NULL with an error if the analysis fails. */
TbReport *report_try (const char *id, TbTrace *trace, TbSelection *selection, GError **error, ...)
    G_GNUC_NULL_TERMINATED;
TbReport *report_compare (const char *id,
                          TbTrace *base,
                          TbTrace *other,
                          TbSelection *selection,
                          ...) G_GNUC_NULL_TERMINATED;
TbReport *report_compare_valist (const char *id,
                                 TbTrace *base,
                                 TbTrace *other,
                                 TbSelection *selection,
                                 va_list options);
TbReport *report_compare_all (const char *id, TbComparison *comparison, ...) G_GNUC_NULL_TERMINATED;

JsonObject *report_get_summary (TbReport *report);
/* Returns the first warning that has a part, or NULL. */
const char *report_find_warning (TbReport *report, const char *part);
gboolean report_has_warning (TbReport *report, const char *part);

/* Returns the number of the track of that name, or TB_ID_NONE. */
guint report_find_track (TbTimelineFigure *figure, const char *name);

/* Members of a summary, or of an object in it. */
gint64 summary_get_int (JsonObject *object, const char *member);
guint summary_count (JsonObject *object, const char *member);
JsonObject *summary_get_element (JsonObject *object, const char *member, guint index);
/* Returns the first object of an array in which the string `value` is stored under `name`, or
 * NULL. */
JsonObject *
summary_find (JsonObject *object, const char *member, const char *name, const char *value);
/* Joins an array of strings: "a b c". (transfer full) */
char *summary_join_strings (JsonObject *object, const char *member);
void summary_assert_strings (JsonObject *object, const char *member, const char *expected);

G_END_DECLS
