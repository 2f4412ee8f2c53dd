/* tb-document-page.h: tab page of a document: sidebar, page of the chosen analysis, details pane,
 * overview strip; choice of the analysis and figure, link from a wait to an analysis, commands of
 * the window (search, options, sidebar), closing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-analysis-page.h"

G_BEGIN_DECLS

#define TB_TYPE_DOCUMENT_PAGE (tb_document_page_get_type ())
G_DECLARE_FINAL_TYPE (TbDocumentPage, tb_document_page, TB, DOCUMENT_PAGE, AdwBin)

GtkWidget *tb_document_page_new (TbDocument *document);
TbDocument *tb_document_page_get_document (TbDocumentPage *self);
gboolean tb_document_page_show_analysis (TbDocumentPage *self, const char *id);
gboolean tb_document_page_show_figure (TbDocumentPage *self, const char *id);
gboolean tb_document_page_show_wait (TbDocumentPage *self,
                                     const char *id,
                                     guint32 thread,
                                     gint64 from,
                                     gint64 to);
const char *tb_document_page_get_figure (TbDocumentPage *self);
TbAnalysisPage *tb_document_page_get_analysis_page (TbDocumentPage *self);
void tb_document_page_focus_search (TbDocumentPage *self);
void tb_document_page_show_options (TbDocumentPage *self);
void tb_document_page_step_figure (TbDocumentPage *self, int step);
void tb_document_page_toggle_sidebar (TbDocumentPage *self);
void tb_document_page_close (TbDocumentPage *self);

G_END_DECLS
