/* tb-analysis-page.h: page of one analysis with its findings and figures: choice of the visible
 * figure, its view, its form as a table, keyboard focus in its search, labels of the report actions
 * of the selected item
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_ANALYSIS_PAGE (tb_analysis_page_get_type ())
G_DECLARE_FINAL_TYPE (TbAnalysisPage, tb_analysis_page, TB, ANALYSIS_PAGE, AdwBin)

GtkWidget *tb_analysis_page_new (TbDocument *document, TbAnalysisItem *item);
TbAnalysisItem *tb_analysis_page_get_item (TbAnalysisPage *self);
void tb_analysis_page_focus_search (TbAnalysisPage *self);
void tb_analysis_page_step_figure (TbAnalysisPage *self, int step);
void tb_analysis_page_show_figure (TbAnalysisPage *self, const char *id);
const char *tb_analysis_page_get_figure (TbAnalysisPage *self);
TbFigure *tb_analysis_page_get_shown_figure (TbAnalysisPage *self);
/* Returns the view of the visible figure; NULL: none. */
GtkWidget *tb_analysis_page_get_view (TbAnalysisPage *self);
const char *tb_analysis_page_get_assertion_label (TbAnalysisPage *self);
const char *tb_analysis_page_get_recording_label (TbAnalysisPage *self);
void tb_analysis_page_set_as_table (TbAnalysisPage *self, gboolean as_table);
gboolean tb_analysis_page_get_as_table (TbAnalysisPage *self);

G_END_DECLS
