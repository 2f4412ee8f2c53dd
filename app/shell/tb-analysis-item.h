/* tb-analysis-item.h: one analysis of a document: its options, its run, its report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-engine.h"
#include "shell/tb-progress.h"

G_BEGIN_DECLS

#define TB_TYPE_ANALYSIS_ITEM (tb_analysis_item_get_type ())
G_DECLARE_FINAL_TYPE (TbAnalysisItem, tb_analysis_item, TB, ANALYSIS_ITEM, GObject)

TbAnalysisItem *
tb_analysis_item_new (const char *id, const char *name, const char *description, const char *error);

const char *tb_analysis_item_get_id (TbAnalysisItem *self);
const char *tb_analysis_item_get_name (TbAnalysisItem *self);
const char *tb_analysis_item_get_description (TbAnalysisItem *self);
GObject *tb_analysis_item_get_options (TbAnalysisItem *self, char ***names);
TbProgress *tb_analysis_item_get_progress (TbAnalysisItem *self);
gboolean tb_analysis_item_is_running (TbAnalysisItem *self);
TbReport *tb_analysis_item_get_report (TbAnalysisItem *self);
const GError *tb_analysis_item_get_error (TbAnalysisItem *self);
guint tb_analysis_item_get_n_findings (TbAnalysisItem *self);
TbSeverity tb_analysis_item_get_severity (TbAnalysisItem *self);
gint64 tb_analysis_item_get_run_time (TbAnalysisItem *self);

void tb_analysis_item_run (TbAnalysisItem *self, TbTrace *trace, TbSelection *selection);
void tb_analysis_item_cancel (TbAnalysisItem *self);

G_END_DECLS
