/* tb-document-page-private.h: members of TbDocumentPage (widgets, state) and functions shared by
 * the files that implement it: banners, overview strip
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-analysis-page.h"
#include "shell/document/tb-details-pane.h"
#include "shell/document/tb-document-page.h"
#include "shell/document/tb-limit-bar.h"
#include "shell/document/tb-sidebar.h"

G_BEGIN_DECLS

struct _TbDocumentPage
{
  AdwBin parent;

  TbDocument *document;
  char *title;
  char *subtitle;
  gboolean narrow;
  gboolean was_mapped;
  gboolean has_overview;
  gboolean is_shown;
  AdwDialog *options_dialog; /* for the options of the importer; NULL: not shown */

  GtkStack *stack;
  AdwStatusPage *loading_status;
  GtkProgressBar *loading_bar;
  AdwStatusPage *failed_status;
  AdwOverlaySplitView *sidebar_view;
  AdwOverlaySplitView *details_view;
  TbSidebar *sidebar;
  TbDetailsPane *details;
  AdwBanner *copy_banner;
  GtkWidget *copy_button; /* replaces the banner on a narrow page */
  AdwButtonContent *copy_content;
  GtkWidget *notices_box;
  GtkWidget *warning_button;
  GtkLabel *warning_label;
  GtkWidget *main_box;
  AdwBin *strip_bin;
  GtkWidget *sides; /* in the strip, for comparisons */
  TbLimitBar *limit_bar;
  GtkStack *analyses_stack;
};

/* tb-document-banners.c */
void tb_document_page_show_banners (TbDocumentPage *self);
void tb_document_page_show_warnings (GtkWidget *widget, const char *name, GVariant *parameter);

/* tb-import-options.c */
void tb_document_page_watch_importer (TbDocumentPage *self);
void tb_document_page_drop_options (TbDocumentPage *self);

/* tb-document-overview.c */
void tb_document_page_fill_strip (TbDocumentPage *self);
void tb_document_page_fit_strip (TbDocumentPage *self);
void tb_document_page_show_preview (TbDocumentPage *self);
/* report: nullable */
void tb_document_page_take_overview (TbDocumentPage *self, TbReport *report);

G_END_DECLS
