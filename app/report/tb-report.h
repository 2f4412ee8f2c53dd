/* tb-report.h: report of an analysis: headline, findings, figures, options, summary and warnings:
 * building, access, JSON and text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"
#include "report/tb-finding.h"
#include "report/tb-format.h"

G_BEGIN_DECLS

#define TB_TYPE_REPORT (tb_report_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbReport, tb_report, TB, REPORT, GObject)

/**
 * TbReportSummaryFunc:
 * @data: user data
 *
 * Makes the summary of a report.
 *
 * Returns: (transfer full): an object in the format of the kind of analysis
 */
typedef JsonNode *(*TbReportSummaryFunc) (gpointer data);

TB_EXPORT TbReport *tb_report_new (const char *analysis, const char *title, gint64 from, gint64 to);
/* The start of the recording, from which user-visible times of its figures are counted, see
 * tb_figure_set_origin(). Call before a figure is added. */
TB_EXPORT void tb_report_set_origin (TbReport *self, gint64 origin);
TB_EXPORT void tb_report_set_option (TbReport *self, const char *name, JsonNode *value);
TB_EXPORT void tb_report_set_evidence (TbReport *self, JsonNode *evidence);
TB_EXPORT void tb_report_set_uncertainty (TbReport *self, guint64 lost_events, gint64 lost_ns);
TB_EXPORT void tb_report_add_warning (TbReport *self, const char *warning);
TB_EXPORT void tb_report_add_remark (TbReport *self, const char *remark);
TB_EXPORT void tb_report_set_scope (TbReport *self, const char *text, JsonNode *values);
TB_EXPORT void tb_report_set_headline (TbReport *self, const char *headline);
TB_EXPORT void tb_report_set_summary (TbReport *self, JsonNode *summary);
TB_EXPORT void tb_report_set_summary_func (TbReport *self,
                                           TbReportSummaryFunc func,
                                           gpointer data,
                                           GDestroyNotify destroy);
/* (transfer full). Findings are written sorted by weight, largest first. */
TB_EXPORT void tb_report_add_finding (TbReport *self, TbFinding *finding);
TB_EXPORT void tb_report_add_figure (TbReport *self, TbFigure *figure);

TB_EXPORT const char *tb_report_get_analysis (TbReport *self);
TB_EXPORT const char *tb_report_get_title (TbReport *self);
TB_EXPORT const char *tb_report_get_headline (TbReport *self);
TB_EXPORT void tb_report_get_range (TbReport *self, gint64 *from, gint64 *to);
TB_EXPORT gint64 tb_report_get_origin (TbReport *self);
TB_EXPORT JsonNode *tb_report_get_summary (TbReport *self);
TB_EXPORT JsonNode *tb_report_get_options (TbReport *self);
TB_EXPORT JsonNode *tb_report_get_evidence (TbReport *self);
TB_EXPORT void tb_report_get_uncertainty (TbReport *self, guint64 *lost_events, gint64 *lost_ns);
TB_EXPORT const char *const *tb_report_get_warnings (TbReport *self);
TB_EXPORT const char *const *tb_report_get_remarks (TbReport *self);
TB_EXPORT const char *tb_report_get_scope (TbReport *self);
TB_EXPORT JsonNode *tb_report_get_scope_values (TbReport *self);
TB_EXPORT guint tb_report_get_n_findings (TbReport *self);
TB_EXPORT TbFinding *tb_report_get_finding (TbReport *self, guint index);
TB_EXPORT guint tb_report_get_n_figures (TbReport *self);
TB_EXPORT TbFigure *tb_report_get_figure (TbReport *self, guint index);
TB_EXPORT TbFigure *tb_report_find_figure (TbReport *self, const char *id);

TB_EXPORT JsonNode *tb_report_to_json (TbReport *self);
TB_EXPORT TbReport *tb_report_from_json (JsonNode *node, GError **error);
TB_EXPORT char *tb_report_to_text (TbReport *self, guint width);

G_END_DECLS
