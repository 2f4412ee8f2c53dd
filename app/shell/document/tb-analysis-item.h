/* tb-analysis-item.h: one analysis of a document: its option values, some of them stored in the
 * session, its run or comparison in a thread with progress, its report or error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-engine.h"
#include "report/tb-report-action.h"
#include "shell/tb-progress.h"

G_BEGIN_DECLS

#define TB_TYPE_ANALYSIS_ITEM (tb_analysis_item_get_type ())
G_DECLARE_FINAL_TYPE (TbAnalysisItem, tb_analysis_item, TB, ANALYSIS_ITEM, GObject)

TbAnalysisItem *
tb_analysis_item_new (const char *id, const char *name, const char *description, const char *error);

const char *tb_analysis_item_get_id (TbAnalysisItem *self);
const char *tb_analysis_item_get_name (TbAnalysisItem *self);
const char *tb_analysis_item_get_description (TbAnalysisItem *self);
TbAnalysis *tb_analysis_item_create (TbAnalysisItem *self, GError **error);
gboolean tb_analysis_item_has_options (TbAnalysisItem *self);
void tb_analysis_item_copy_options_to (TbAnalysisItem *self, TbAnalysis *analysis);
void tb_analysis_item_copy_options_from (TbAnalysisItem *self, TbAnalysis *analysis);
gboolean tb_analysis_item_set_option (TbAnalysisItem *self,
                                      const char *name,
                                      const char *text,
                                      GError **error);
/* Changes an option of the next run: see TbReportActionKind. */
void tb_analysis_item_apply_action (TbAnalysisItem *self, const TbReportAction *offer);
gboolean tb_analysis_item_has_text (TbAnalysisItem *self, const char *name);
void tb_analysis_item_set_session (TbAnalysisItem *self, TbSession *session);
gboolean tb_analysis_item_store_options (TbAnalysisItem *self, GError **error);
void tb_analysis_item_clear_result (TbAnalysisItem *self);
TbProgress *tb_analysis_item_get_progress (TbAnalysisItem *self);
gboolean tb_analysis_item_is_running (TbAnalysisItem *self);
TbReport *tb_analysis_item_get_report (TbAnalysisItem *self);
const GError *tb_analysis_item_get_error (TbAnalysisItem *self);
guint tb_analysis_item_get_n_findings (TbAnalysisItem *self);
TbSeverity tb_analysis_item_get_severity (TbAnalysisItem *self);
gint64 tb_analysis_item_get_run_time (TbAnalysisItem *self);

void tb_analysis_item_run (TbAnalysisItem *self,
                           TbComparison *comparison,
                           TbTrace *trace,
                           TbSelection *selection);
void tb_analysis_item_cancel (TbAnalysisItem *self);

G_END_DECLS
