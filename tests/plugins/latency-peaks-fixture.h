/* latency-peaks-fixture.h: latency-peaks reports, and a recording of calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report-reader.h"
#include "story.h"

G_BEGIN_DECLS

/* option: name of a further option, may be NULL; value: its value. */
TbReport *peaks_try_analyze (TbTrace *trace,
                             const char *operation,
                             const char *option,
                             const char *value,
                             GError **error);
TbReport *peaks_analyze (TbTrace *trace, const char *operation);
/* Returns the finding about a peak. */
TbFinding *peaks_get_finding (TbReport *report, guint index);
/* Returns a peak of the summary, after a check that the parts of every path add up to its time. */
JsonObject *peaks_get_peak (TbReport *report, guint index);
void peaks_assert_cause (TbReport *report,
                         guint index,
                         const char *kind,
                         const char *path,
                         const char *detail);
JsonObject *peaks_find_in_tree (JsonObject *peak, const char *label);
JsonObject *peaks_find_operation (JsonObject *summary, const char *id);
/* Two processes call a read() that reads nothing. Some calls are interrupted, some preempted by the
 * other process. */
TbTrace *peaks_open_empty_reads (void);

G_END_DECLS
