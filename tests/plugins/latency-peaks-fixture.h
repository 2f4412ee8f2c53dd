/* latency-peaks-fixture.h: stories of calls, and what "latency-peaks" says of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "wait-graph-fixture.h"

/* value: of another option, whose name may be NULL. */
TbReport *peaks_try_analyze (TbTrace *trace,
                             const char *operation,
                             const char *option,
                             const char *value,
                             GError **error);
TbReport *peaks_analyze (TbTrace *trace, const char *operation);
/* Times in µs. */
void peaks_story_enter (Story *story, int us, int cpu, int tid, const char *name);
void peaks_story_leave (Story *story, int us, int cpu, int tid);
void peaks_story_call (Story *story, int us, int cpu, int tid, const char *name);
void peaks_story_give_back (Story *story, int us, int cpu, int tid, const char *name);
void peaks_story_interrupt (Story *story, int from, int to, int cpu, const char *device);
JsonObject *peaks_get_summary (TbReport *report);
/* What is said of a peak. */
TbFinding *peaks_get_finding (TbReport *report, guint index);
/* Whatever is looked into: its parts are all there is. */
JsonObject *peaks_get_peak (TbReport *report, guint index);
void
peaks_assert_cause (TbReport *report, guint index, const char *kind, const char *path, const char *detail);
JsonObject *peaks_find_in_tree (JsonObject *peak, const char *label);
JsonObject *peaks_find_operation (JsonObject *summary, const char *id);
/* Two processes read nothing: at times an interrupt comes in between, at times the other process. */
TbTrace *peaks_story_read_nothing (void);
