/* tb-analysis-private.h: what running and comparing share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-analysis.h"

G_BEGIN_DECLS

/* A report says with which options it was made; what the analysis did not say itself is added. */
void tb_analysis_complete_options (TbAnalysis *self, TbReport *report);
/* A report with a malformed figure is refused, so that nobody looks at half of it: the plug-in is at fault. */
gboolean tb_analysis_check_figures (TbAnalysis *self, TbReport *report, GError **error);

/* Around a run: the columns that this thread reads meanwhile are given up with it. */
void tb_analysis_begin_reading (GCancellable *cancellable);
void tb_analysis_end_reading (GCancellable *cancellable);
/* After a run: fails where it was given up, or where something could not be read that it asked @trace about. */
gboolean tb_analysis_check_read (TbTrace *trace, GCancellable *cancellable, GError **error);

/* Compares pairs, and merges what they differ by into one report. */
TbReport *tb_comparison_merge (TbAnalysis *self,
                               TbComparison *comparison,
                               TbProgressFunc progress,
                               gpointer data,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
