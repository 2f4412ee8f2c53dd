/* tb-document-figures.c: functions of the page of a document that call its sidebar or the page of
 * the visible analysis: showing an analysis or a figure, next or previous figure, focus in the
 * search entry, options
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-page-private.h"

/**
 * tb_document_page_get_analysis_page:
 *
 * Returns: (nullable): the page of the visible analysis
 */
TbAnalysisPage *
tb_document_page_get_analysis_page (TbDocumentPage *self)
{
  GtkWidget *child = gtk_stack_get_visible_child (self->analyses_stack);

  return TB_IS_ANALYSIS_PAGE (child) ? TB_ANALYSIS_PAGE (child) : NULL;
}

/**
 * tb_document_page_show_analysis:
 * @id: id of the plug-in
 *
 * Returns: whether there is such an analysis
 */
gboolean
tb_document_page_show_analysis (TbDocumentPage *self, const char *id)
{
  TbAnalysisItem *item;

  g_return_val_if_fail (TB_IS_DOCUMENT_PAGE (self), FALSE);

  item = tb_document_find_analysis (self->document, id);
  if (item != NULL)
    tb_sidebar_select (self->sidebar, item);
  return item != NULL;
}

/**
 * tb_document_page_show_figure:
 * @id: id of a figure of the visible analysis
 *
 * Returns: whether the analysis has such a figure
 */
gboolean
tb_document_page_show_figure (TbDocumentPage *self, const char *id)
{
  TbAnalysisPage *page;

  g_return_val_if_fail (TB_IS_DOCUMENT_PAGE (self), FALSE);

  page = tb_document_page_get_analysis_page (self);
  if (page == NULL)
    return FALSE;
  tb_analysis_page_show_figure (page, id);
  return g_strcmp0 (tb_analysis_page_get_figure (page), id) == 0;
}

/**
 * tb_document_page_get_figure:
 *
 * Returns: (nullable): id of the visible figure
 */
const char *
tb_document_page_get_figure (TbDocumentPage *self)
{
  TbAnalysisPage *page;

  g_return_val_if_fail (TB_IS_DOCUMENT_PAGE (self), NULL);

  page = tb_document_page_get_analysis_page (self);
  return page != NULL ? tb_analysis_page_get_figure (page) : NULL;
}

void
tb_document_page_focus_search (TbDocumentPage *self)
{
  TbAnalysisPage *page;

  g_return_if_fail (TB_IS_DOCUMENT_PAGE (self));

  page = tb_document_page_get_analysis_page (self);
  if (page != NULL)
    tb_analysis_page_focus_search (page);
}

/**
 * tb_document_page_show_options:
 *
 * Shows the options of the visible analysis, if it has any.
 */
void
tb_document_page_show_options (TbDocumentPage *self)
{
  TbAnalysisPage *page;

  g_return_if_fail (TB_IS_DOCUMENT_PAGE (self));

  page = tb_document_page_get_analysis_page (self);
  if (page != NULL)
    gtk_widget_activate_action (GTK_WIDGET (page), "analysis.options", NULL);
}

void
tb_document_page_step_figure (TbDocumentPage *self, int step)
{
  TbAnalysisPage *page;

  g_return_if_fail (TB_IS_DOCUMENT_PAGE (self));

  page = tb_document_page_get_analysis_page (self);
  if (page != NULL)
    tb_analysis_page_step_figure (page, step);
}
