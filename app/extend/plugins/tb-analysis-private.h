/* tb-analysis-private.h: steps before and after a run of an analysis: cancelled reads, unreadable
 * columns, invalid figures, options in the report; and comparison of several recordings, merged
 * into one report
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/plugins/tb-analysis.h"

G_BEGIN_DECLS

/* Records in the report the options it was made with. Options that the analysis recorded itself are
 * kept. */
void tb_analysis_complete_options (TbAnalysis *self, TbReport *report);
/* Rejects a report with a malformed figure or finding, so that no part of it is shown: the plug-in
 * is at fault. Without a trace, references to its threads and times are not checked. report is an
 * object of any type. */
gboolean tb_analysis_check_report (TbTrace *trace, gpointer report, GError **error);

/* Called around a run: cancelling the run also cancels the column reads of this thread. */
void tb_analysis_begin_reading (GCancellable *cancellable);
void tb_analysis_end_reading (GCancellable *cancellable);
/* Called after a run: fails if the run was cancelled, or if @trace could not read a column that the
 * analysis requested. */
gboolean tb_analysis_check_read (TbTrace *trace, GCancellable *cancellable, GError **error);

/* Compares pairs of recordings and merges their differences into one report. */
TbReport *tb_comparison_merge (TbAnalysis *self,
                               TbComparison *comparison,
                               TbProgressFunc progress,
                               gpointer data,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
